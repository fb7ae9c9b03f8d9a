"""What puzzles have beyond a game: one seat, and advice on how to go on."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from companion.core import Action, GameError, P, Player, PositionError, Rules

SOLVER = "solver"


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do next, and whether the puzzle can still be solved from here by adding alone.

    `solvable` is None where that could not be decided in the time given; `action` is then None, too.
    """

    solvable: bool | None
    action: Action | None
    words: str


class Puzzle(Rules[P]):
    """A game with the single seat `solver`."""

    def players(self, position: P) -> tuple[Player, ...]:
        return (SOLVER,)

    @abstractmethod
    def advise(self, position: P, seconds: float) -> Advice:
        """A hint, and a proof where one is found within the time given."""


def as_puzzle(rules: Rules[Any]) -> Puzzle[Any]:
    """These rules, which must be a puzzle's."""
    if not isinstance(rules, Puzzle):
        raise GameError(f"hints are for puzzles: {rules.title} is a game between players")
    return rules


def check_turn(turn: Player) -> None:
    if turn != SOLVER:
        raise PositionError(f"'{turn}' has no seat at a puzzle: the turn is {SOLVER}'s")
