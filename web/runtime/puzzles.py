"""Looks for puzzles in each game that is over here, and keeps them in a file of the data folder."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from companion.core.whole_files import read_text, write_whole
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from opponent.puzzles import FoundPuzzle, read, why_none
from web.runtime.follower import Follower
from web.runtime.look_back import LookBacks

log = logging.getLogger(__name__)
FILE = "puzzles.txt"
MOST_PUZZLES = 200
"""So many puzzles of own games are kept, the newest."""


class OwnPuzzles:
    """The puzzles that were found in own games, the oldest first; without a file they are kept in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock = path, Lock()
        self._found = self._read()

    def of(self, game: str) -> list[FoundPuzzle]:
        """Returns the puzzles of a game, the newest first."""
        with self._lock:
            return [found for found in reversed(self._found) if found.game == game]

    def keep(self, found: FoundPuzzle) -> None:
        """Keeps a puzzle, unless it is known."""
        with self._lock:
            if found in self._found:
                return
            self._found = [*self._found, found][-MOST_PUZZLES:]
            if self._path:
                try:
                    write_whole(self._path, "".join(f"{one.write()}\n" for one in self._found).encode())
                except OSError as error:
                    log.warning("the puzzle is kept in memory alone: %s", error)

    def _read(self) -> list[FoundPuzzle]:
        try:
            return [*read(read_text(self._path))] if self._path else []
        except (OSError, UnicodeDecodeError):
            return []


class IdleLooks(Follower):
    """Looks back at each game of a table once it is over, while no other one is on.

    `key_of` returns the key under which the page asks for the look back at a game.
    """

    def __init__(self, table: Table, looks: LookBacks, key_of: Callable[[int], object]) -> None:
        self._looks, self._key_of = looks, key_of
        super().__init__(table, "look back", self.follow)
        self._number: int | None = None
        """The game that was on last: others that are opened were looked back at."""

    def follow(self, snapshot: Snapshot) -> bool:
        session, number = snapshot.session, snapshot.number
        if session is None or number is None:
            return True
        if session.outcome is None:
            self._number = number
            self._looks.rest()
        elif number == self._number and not why_none(session.rules.name):
            self._number = None
            self._looks.begin(self._key_of(number), session, is_idle=True)
        return True
