"""The values that all requests around one table share: the table, services, and what is made once for all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Protocol

from flask import current_app

from companion.table.messages import Meant, Message, Reply
from companion.table.present import present
from companion.table.snapshot import Snapshot
from companion.wire.codec import write
from web.runtime.jpeg import Pictures
from web.server.made_once import Made, MadeOnce
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


class Context(Shared):
    """One application's table, services and publication."""

    def __init__(self, table: TableLike, settings: Settings, services: Services) -> None:
        super().__init__(settings, services.access, services.tokens, services.clock, services.wall)
        self.table = table
        table.listen(lambda _snapshot: self.news.tell())
        self.services = services
        self._states = MadeOnce()
        self.store_identity = services.store.identity if services.store else ""
        self.feeds = MadeOnce()
        self.drawings = Turns()
        self.opened_games = OpenedGames()
        self.pictures = Pictures()
        self.seen_pictures = Pictures()
        self.thinking = threading.Lock()
        """Held while a hint is looked for. Only one is at a time: it takes a whole processor core."""
        self.description = MadeOnce()
        """The API's document."""

    def show(self, snapshot: Snapshot, viewer: str | None, language: str) -> Made:
        """Returns a snapshot as a viewer (None: a spectator) may see it, as JSON on one line.

        It is made once for all viewers who may see the same, however many displays ask at the same moment.
        """
        key = (snapshot.id, viewer, language)
        return self._states.find(key, lambda: write(present(snapshot, viewer), language))

    def key_of_look_back(self, number: int) -> Hashable:
        """Returns the key under which a stored game is looked back at: a changed one is another."""
        version = self.services.store.version(number) if self.services.store else None
        return self.store_identity, number, version


def context() -> Context:
    """Returns the current application's context."""
    found: Context = current_app.extensions["companion"]
    return found
