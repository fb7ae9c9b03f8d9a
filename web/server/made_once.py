"""Feeds: games as files at addresses that stay, which other programs ask for again and again.

Each is made once for all who ask, and made anew when its game has changed. So a poll costs next to nothing.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

KEPT = 32


class Feed(NamedTuple):
    """A file, and a tag that is made from it alone."""

    content: bytes
    tag: str


class Feeds:
    """The files that were asked for last. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[Hashable, tuple[Hashable, Feed]] = OrderedDict()

    def find(self, key: Hashable, version: Hashable, make: Callable[[], bytes]) -> Feed:
        """Returns the file with this key; it is made where it is missing, or another version was made."""
        with self._lock:
            known, feed = self._made.get(key, (None, None))
            if feed is None or known != version:
                content = make()
                feed = Feed(content, hashlib.blake2b(content, digest_size=12).hexdigest())
            self._made[key] = version, feed
            self._made.move_to_end(key)
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
            return feed
