"""A session that would explain a board, and how unlikely that is."""

from __future__ import annotations

from dataclasses import dataclass

from companion.session import Session


@dataclass(frozen=True)
class Candidate:
    """A session that would explain the observation, and how unlikely that is."""

    session: Session
    weight: float
    misfit: float = 0.0
    is_chosen: bool = False
    """Whether it goes on by what a player chose to do, and not by what was owed."""
    doubt: float = 0.0
    is_ahead: bool = False
