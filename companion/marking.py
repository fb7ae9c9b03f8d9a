"""The markers that players lay, where they lay them: which lie there, and which are missing or left."""

from __future__ import annotations

from companion.bulletin import Bulletin
from companion.referee import Evidence
from companion.referee.guide import say_markers
from companion.session import Session

LAID = "laid"
"""The head's `markers` where the players lay markers; else the companion keeps them alone."""
AFTER = 3.0
"""Seconds of a still board after which markers that are missing are pointed out."""


class Marking:
    """Remembers the markers that lie where the game has them: when they go, the turn is over."""

    def __init__(self, bulletin: Bulletin) -> None:
        self.laid: frozenset[str] = frozenset()
        self._bulletin = bulletin
        self._words = ""

    def note(self, session: Session, evidence: Evidence) -> None:
        rules, position = session.rules, session.position
        self.laid = evidence.markers(rules.marks(position), rules.look(position))

    def check(self, session: Session, evidence: Evidence, duration: float) -> None:
        """Points out, once, the markers that are missing or left on a board that stood still so long."""
        if self._bulletin.snapshot.head.get("markers") != LAID or duration < AFTER:
            return
        rules, position = session.rules, session.position
        marks, look = rules.marks(position), rules.look(position)
        words = say_markers(evidence.unlaid(marks, look), evidence.strange(marks), look)
        if words != self._words:
            self._words = words
            self._bulletin.show(notice=words)
