"""Puzzles: games with one seat, whose rules also know how they can be solved."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from companion.core.game import Action, GameError, P
from companion.core.rules import Rules
from companion.language import say

SOLVER = "solver"


@dataclass(frozen=True, slots=True)
class Advice:
    """A next action, and whether the puzzle can still be solved from here by adding alone.

    `solvable` is None where that could not be decided in the time given; `action` is then None, too.
    """

    solvable: bool | None
    action: Action | None
    words: str
    nudge: str = ""
    """What may be told before the action; '' for nothing."""


class Puzzle(Rules[P]):
    """A game with the single seat `solver`."""

    seats = (SOLVER,)

    @abstractmethod
    def advise(self, position: P, seconds: float) -> Advice:
        """Returns a hint, and a proof where one is found within the time given."""


def as_puzzle(rules: Rules[Any]) -> Puzzle[Any]:
    """Returns rules as those of a puzzle. GameError where they are not."""
    if not isinstance(rules, Puzzle):
        raise GameError(say("hints are for puzzles: {title} is a game between players", title=rules.title))
    return rules
