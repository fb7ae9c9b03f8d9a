"""Lays on the virtual table what players enter on the page instead of laying it by hand: Magnet's set-ups."""

from __future__ import annotations

from companion.table.snapshot import Snapshot
from vision.sources.virtual import VirtualTable


class EnteredPieces:
    """Lays the board anew when an action was entered by its form. `follow` takes a table's snapshots."""

    def __init__(self, virtual: VirtualTable) -> None:
        self._virtual = virtual
        self._seen: tuple[int | None, int] = (None, 0)
        """The game's number, and how many of its plies were seen."""

    def follow(self, snapshot: Snapshot) -> bool:
        """Returns False while the board of the game is not on the table yet: then it is asked again."""
        session = snapshot.session
        if session is None:
            return True
        if self._virtual.table.board is not session.game.board:
            return False
        number, count = self._seen
        self._seen = snapshot.number, len(session.plies)
        if number != snapshot.number:
            count = 0
        rules = session.rules
        before = [session.first, *(ply.after for ply in session.plies)]
        if any(rules.form(position) is not None for position in before[count:-1]):
            self._virtual.become(rules.look(rules.view(session.position, None)))
        return True
