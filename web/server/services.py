"""Services that the page uses beside its table: virtual table, camera, set-up, stored games and clocks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from companion.store.store import Store
from firmware_bridge.setup.grid_setup import GridSetup
from hardware.plugged_in import PluggedSource
from opponent.mind import Choice, Question
from vision.geometry.view import View
from vision.sources.phone import PhoneCamera
from vision.sources.virtual import VirtualTable
from web.runtime.board_test import BoardTests
from web.runtime.camera_setup import CameraSetup
from web.runtime.jpeg import Picture
from web.runtime.look_back import LookBacks
from web.runtime.other_table import OtherTable
from web.runtime.puzzles import OwnPuzzles
from web.server.access import Access
from web.server.tally import Tally
from web.server.tokens import Tokens


@dataclass(frozen=True)
class Services:
    """The services beside the table. One that is not there is None, and its routes answer 404 or 409."""

    virtual_table: VirtualTable | None = None
    newest_frame: Callable[[], Picture | None] | None = None
    """Returns the newest frame of the camera (`Capture.latest`)."""
    view: Callable[[int], View | None] | None = None
    """Returns where the board of a game lies in these frames."""
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
