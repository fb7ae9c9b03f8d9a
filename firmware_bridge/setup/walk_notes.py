"""Keeps on disk what the walk over a grid has found, so that it is gone on with another day."""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.core.game import Site
from companion.core.whole_files import read_whole, write_whole
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import Wiring
from firmware_bridge.setup.walk import SiteAnswer

FILE = "grid-walk.json"
"""The file's name, beside that of the calibration."""


class WalkNotes(msgspec.Struct, frozen=True):
    """The answers of a walk over a grid, and the looks that a pole stands for in it."""

    board: int
    sensor: Sensor
    answers: dict[Site, SiteAnswer | None]
    poles: dict[str, tuple[str, ...]]

    def fits(self, wiring: Wiring) -> bool:
        """Returns whether these are of a grid with this wiring."""
        sites = {*wiring.sites}
        answers = [answer for answer in self.answers.values() if answer]
        is_of_board = (self.board, self.sensor) == (wiring.check, wiring.sensor) and sites.issuperset(
            self.answers
        )
        return is_of_board and all(a.wire in sites and sites == {*a.levels} for a in answers)

    def save(self, path: Path) -> None:
        """Writes the notes. OSError where that cannot be."""
        write_whole(path, msgspec.json.encode(self))


def load_notes(path: Path) -> WalkNotes | None:
    """Returns the notes in a file; None where there are none that can be read."""
    try:
        return msgspec.json.decode(read_whole(path), type=WalkNotes)
    except (OSError, msgspec.DecodeError):
        return None
