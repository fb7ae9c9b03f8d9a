"""The markers that players lay on the board: those that lie there, and those that are missing or left over.

The referee is told which markers lay where the game has them: when they go, the turn is over. Where the head
of a game says that its players lay the markers, those that are missing or left over are pointed out.
"""

from __future__ import annotations

from companion.record.session import Session
from companion.referee import Evidence
from companion.referee.verdict.guide import say_markers

LAID = "laid"
"""The head's `markers` where the players lay markers; else the companion keeps them alone."""


def laid_markers(session: Session, evidence: Evidence) -> frozenset[str]:
    """Returns the markers that are seen to lie where the game has them."""
    rules, position = session.rules, session.position
    return evidence.markers(rules.marks(position), rules.look(position))


def say_wrong_markers(session: Session, evidence: Evidence) -> str:
    """Says which markers are missing or left over; '' where all lie as the game has them."""
    rules, position = session.rules, session.position
    marks, look = rules.marks(position), rules.look(position)
    return say_markers(evidence.unlaid(marks, look), evidence.strange(marks), look)
