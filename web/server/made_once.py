"""Makes once what many ask for: states, boards, tiles of a hall, and games as files for other programs.

So a poll costs next to nothing.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from flask import Response, request

MOST_KEPT = 32


class Made(NamedTuple):
    """A file, and a tag that is made from it alone: another one would tell that something happened which the
    viewer may not see."""

    content: bytes
    tag: str

    def answer(self, kind: str, keeping: str = "no-store") -> Response:
        """Returns the answer with this file; 304 where the asker has it already."""
        return answer_kept(self.content, kind, keeping, self.tag)


def answer_kept(content: bytes | str, kind: str, keeping: str = "no-cache", tag: str = "") -> Response:
    """Returns the answer with a file that the asker may keep, and ask for again: 304 where it is the same.

    `tag` tells the file from others; it is made of the content where none is given.
    """
    response = Response(content, mimetype=kind)
    response.headers["Cache-Control"] = keeping
    if tag:
        response.set_etag(tag)
    else:
        response.add_etag()
    response.make_conditional(request)
    return response


class MadeOnce:
    """The files that were asked for last, at most so many. Any thread may call it."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._made: OrderedDict[Hashable, tuple[Hashable, Made]] = OrderedDict()

    def find(self, key: Hashable, make: Callable[[], bytes], version: Hashable = None) -> Made:
        """Returns the file with this key; it is made where it is missing, or another version was made."""
        with self._lock:
            known, made = self._made.get(key, (None, None))
            if made is None or known != version:
                content = make()
                made = Made(content, hashlib.blake2b(content, digest_size=12).hexdigest())
            self._made[key] = version, made
            self._made.move_to_end(key)
            while len(self._made) > self._most:
                self._made.popitem(last=False)
            return made
