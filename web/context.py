"""What every request of one application shares: the table, the configuration, and what leaves them.

`Published` is the one door: it turns a snapshot into the JSON that a viewer may see, once for all viewers
alike, however many displays ask for it at the same moment.
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
from collections import OrderedDict
from typing import Any, NamedTuple, Protocol

from flask import current_app

from companion.messages import Message, Reply
from companion.present import present
from companion.snapshot import Snapshot
from web.config import Config
from web.pictures import Pictures


class TableLike(Protocol):
    """What the page needs of a `companion.table.Table`."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""

    @property
    def is_open(self) -> bool:
        """Whether anything can still happen at it."""

    def ask(self, message: Message, timeout: float = ...) -> Reply:
        """What became of a message. TimeoutError when that is not known in time."""

    def wait(self, after: int, timeout: float) -> Snapshot | None:
        """A snapshot newer than that one, or None when there is none in time."""


class Shown(NamedTuple):
    """What a viewer sees: JSON on one line, and a tag that is made from it alone.

    Snapshots are numbered, but a number would tell that something happened which the viewer may not see.
    """

    text: bytes
    tag: str


class Published:
    """Snapshots as their viewers may see them, encoded once."""

    KEPT = 16

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shown: OrderedDict[tuple[int, str | None], Shown] = OrderedDict()

    def show(self, snapshot: Snapshot, viewer: str | None) -> Shown:
        """A snapshot for a viewer (None: a spectator)."""
        key = (snapshot.id, viewer)
        with self._lock:
            if key not in self._shown:
                self._shown[key] = _encode(present(snapshot, viewer))
                while len(self._shown) > self.KEPT:
                    self._shown.popitem(last=False)
            return self._shown[key]


def _encode(state: dict[str, Any]) -> Shown:
    text = json.dumps(state, separators=(",", ":"), ensure_ascii=False).encode()
    return Shown(text, hashlib.blake2b(text, digest_size=8).hexdigest())


class Context:
    """One application's table, configuration, publication, streams and log."""

    def __init__(self, table: TableLike, config: Config) -> None:
        self.table = table
        self.config = config
        self.published = Published()
        self.streams = threading.BoundedSemaphore(config.streams)
        self.attempts = Attempts(config)
        self.pictures = Pictures()
        self.seen_pictures = Pictures()
        self.closing = threading.Event()
        self.thinking = threading.Lock()
        """Held while a hint is looked for: one at a time, for it takes a whole processor."""
        self.log = logging.getLogger("web")


class Attempts:
    """Wrong PINs of the last minutes: few for one address, not many for all together."""

    WINDOW = 300.0
    OF_ONE = 5
    OF_ALL = 50

    def __init__(self, config: Config) -> None:
        self._clock = config.clock
        self._lock = threading.Lock()
        self._failed: list[tuple[float, str]] = []

    def wait(self, address: str) -> float:
        """Seconds until this address may try again; 0 when it may now."""
        with self._lock:
            self._forget()
            own = [time for time, failed in self._failed if failed == address]
            if len(own) >= self.OF_ONE:
                return own[-self.OF_ONE] + self.WINDOW - self._clock()
            if len(self._failed) >= self.OF_ALL:
                return self._failed[-self.OF_ALL][0] + self.WINDOW - self._clock()
            return 0.0

    def fail(self, address: str) -> None:
        """Notes a wrong PIN."""
        with self._lock:
            self._failed.append((self._clock(), address))

    def _forget(self) -> None:
        since = self._clock() - self.WINDOW
        self._failed = [entry for entry in self._failed if entry[0] > since]


def context() -> Context:
    """The current application's context."""
    found: Context = current_app.extensions["companion"]
    return found
