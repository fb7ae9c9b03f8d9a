"""The values that all requests around one table share: the table, services, and what is made once for all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol

from flask import current_app

from companion.store.store import Store
from companion.table.messages import Meant, Message, Reply
from companion.table.present import present
from companion.table.snapshot import Snapshot
from companion.wire.codec import write
from firmware_bridge.setup.grid_setup import GridSetup
from hardware.plugged_in import PluggedSource
from opponent.mind import Choice, Question
from vision.geometry.view import View
from vision.sources.phone import PhoneCamera
from vision.sources.virtual import VirtualTable
from web.runtime.board_test import BoardTests
from web.runtime.camera_setup import CameraSetup
from web.runtime.jpeg import Picture, Pictures
from web.runtime.look_back import LookBacks
from web.runtime.other_table import OtherTable
from web.runtime.puzzles import OwnPuzzles
from web.server.access import Access
from web.server.made_once import Made, MadeOnce
from web.server.opened_games import OpenedGames
from web.server.settings import Settings
from web.server.shared import Shared, Turns
from web.server.tally import Tally
from web.server.tokens import Tokens


@dataclass(frozen=True)
class Services:
    """The services beside the table. One that is not there is None, and its routes answer 404 or 409."""

    virtual_table: VirtualTable | None = None
    newest_frame: Callable[[str], Picture | None] | None = None
    """Returns the newest frame of a camera (`Capture.latest`), by its name at the table; '' is the first."""
    view: Callable[[int, str], View | None] | None = None
    """Returns where the board of a game lies in a camera's frames."""
    camera_setup: CameraSetup | None = None
    """Sets up a real camera."""
    phone: PhoneCamera | None = None
    """The phone that may become the camera."""
    look_through: Callable[[str], None] | None = None
    """Exchanges what sees the board for something else, by its text; SourceError where there is none such."""
    find_boards: Callable[[], list[PluggedSource]] | None = None
    """Finds the boards with sensors that are plugged in."""
    board_tests: BoardTests | None = None
    """The tests before play of what sees the board."""
    grid_setup: GridSetup | None = None
    """Tests and calibrates the sensor grid."""
    store: Store | None = None
    """The stored games, opened for this page alone."""
    access: Access | None = None
    """The passes of those who have a seat or the arbiter's role, kept over a restart; None: until the
    server ends."""
    tokens: Tokens | None = None
    """The tokens of programs, which the command line changes too; None: until the server ends."""
    tally: Tally | None = None
    """What the table has done, counted; None: nothing is."""
    hint: Callable[[Question], Choice | None] | None = None
    """Returns what a good player would do; None where that is not found in time."""
    look_backs: LookBacks | None = None
    """Looks back at games."""
    own_puzzles: OwnPuzzles | None = None
    """The puzzles that were found in the own games."""
    other_table: OtherTable | None = None
    """The seat at another table."""
    temperature: Callable[[], float | None] | None = None
    """Returns the temperature of the processor, in degrees Celsius."""
    clock: Callable[[], float] = time.monotonic
    """Seconds that never jump, for waits."""
    wall: Callable[[], float] = time.time
    """Seconds since 1970, for dates."""


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
