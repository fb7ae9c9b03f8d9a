"""A session that would explain the board, and how unlikely that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.core.game import Look, Place
from companion.record.session import Session
from companion.referee.evidence.evidence import Evidence


@dataclass(frozen=True)
class Candidate:
    """A session that would explain the observation; `cost` and what it consists of are in nats."""

    session: Session
    cost: float
    misfit: float = 0.0
    """The misfit of the board; part of the cost."""
    is_chosen: bool = False
    """True if it goes on by what a player chose to do, and not by what was owed."""
    marks: float = 0.0
    """The misfit of its markers; part of the cost."""
    is_ahead: bool = False
    """True if a piece would have come before it left."""
    misread: Mapping[Place, Look] = field(default_factory=dict)
    """The places that would be misread, as they were on a board before, each with the look that is read."""
    broken: Evidence | None = None
    """The board before on which hands would have broken the rules, and have put that right since."""

    @property
    def doubt(self) -> float:
        return self.misfit + self.marks
