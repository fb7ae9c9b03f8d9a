"""The values that all requests around one table share: the table, services, and published snapshots.

`Published` is the one door: it turns a snapshot into the JSON that a viewer may see. It does so once for all
viewers who may see the same, however many displays ask at the same moment.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple, Protocol

from flask import current_app

from companion.table.messages import Meant, Message, Reply
from companion.table.present import present
from companion.table.snapshot import Snapshot
from companion.wire.codec import write
from web.runtime.jpeg import Pictures
from web.server.feeds import Feeds
from web.server.opened_games import OpenedGames
from web.server.services import Services
from web.server.settings import Settings
from web.server.shared import Shared
from web.server.turns import Turns


class TableLike(Protocol):
    """The part of `companion.table.table.Table` that the page uses."""

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""

    @property
    def is_open(self) -> bool:
        """True while the table still takes messages."""

    def ask(self, message: Message | Meant, timeout: float = ...) -> Reply:
        """Hands a message in and returns the reply to it. TimeoutError when none comes in time."""

    def listen(self, listener: Callable[[Snapshot], None]) -> None:
        """Hands each new snapshot to a listener."""


class Shown(NamedTuple):
    """A snapshot as a viewer sees it: JSON on one line, and a tag that is made from it alone.

    A snapshot's number would be no good tag: it would tell that something happened which the viewer may not
    see.
    """

    text: bytes
    tag: str


class Published:
    """Keeps the latest snapshots as their viewers may see them, each encoded once."""

    KEPT = 32

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shown: OrderedDict[tuple[int, str | None, str], Shown] = OrderedDict()

    def show(self, snapshot: Snapshot, viewer: str | None, language: str) -> Shown:
        """Returns a snapshot for a viewer (None: a spectator), in a language."""
        key = (snapshot.id, viewer, language)
        with self._lock:
            if key not in self._shown:
                self._shown[key] = _encode(write(present(snapshot, viewer), language))
                while len(self._shown) > self.KEPT:
                    self._shown.popitem(last=False)
            return self._shown[key]


def _encode(text: bytes) -> Shown:
    return Shown(text, hashlib.blake2b(text, digest_size=8).hexdigest())


class Context(Shared):
    """One application's table, services and publication."""

    def __init__(self, table: TableLike, settings: Settings, services: Services) -> None:
        super().__init__(settings, services.access, services.tokens, services.clock, services.wall)
        self.table = table
        table.listen(lambda _snapshot: self.news.tell())
        self.services = services
        self.published = Published()
        self.store_identity = services.store.identity if services.store else ""
        self.feeds = Feeds()
        self.drawings = Turns()
        self.opened_games = OpenedGames()
        self.pictures = Pictures()
        self.seen_pictures = Pictures()
        self.thinking = threading.Lock()
        """Held while a hint is looked for. Only one is at a time: it takes a whole processor core."""
        self.describing = threading.Lock()
        self.description = b""
        """The API's document, made when it is first asked for."""

    def key_of_look_back(self, number: int) -> Hashable:
        """Returns the key under which a stored game is looked back at: a changed one is another."""
        version = self.services.store.version(number) if self.services.store else None
        return self.store_identity, number, version


def context() -> Context:
    """Returns the current application's context."""
    found: Context = current_app.extensions["companion"]
    return found
