"""Lays on the virtual table what players enter on the page instead of moving it there by hand."""

from __future__ import annotations

from companion.record.opponents import COMPANION, ELSEWHERE
from companion.record.session import Entry
from companion.table.snapshot import Snapshot
from vision.sources.virtual import VirtualTable
from vision.virtual.tabletop import laid_looks

CHANGES = ("action", "takeback", "redo", "correction")
"""The kinds of entries after which other pieces may stand on the board."""


class EnteredPieces:
    """Lays the board anew after each entry by hand, and crowns what was promoted on the board.

    `follow` takes a table's snapshots.
    """

    def __init__(self, virtual: VirtualTable) -> None:
        self._virtual = virtual
        self._seen: tuple[int | None, int] = (None, 0)
        """The game's number, and how many lines of its log were seen."""

    def follow(self, snapshot: Snapshot) -> bool:
        """Returns False while the board of the game is not on the table yet: then it is asked again."""
        session = snapshot.session
        if session is None:
            return True
        if self._virtual.table.board is not session.game.board:
            return False
        number, count = self._seen
        self._seen = snapshot.number, len(session.log)
        if number != snapshot.number:
            count = 0
        added = session.log[count:]
        looks = snapshot.as_laid(session.game.board, laid_looks(session.rules, session.position))
        if any(_is_by_hand(entry) for entry in added):
            self._virtual.become(looks)
        elif added:
            self._virtual.exchange(looks)
        return True


def _is_by_hand(entry: Entry) -> bool:
    """Returns whether it was entered, or the companion plays it, so that nobody has moved a piece for it."""
    return entry.kind in CHANGES and entry.source in ("tablet", COMPANION, ELSEWHERE)
