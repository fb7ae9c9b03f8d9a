"""What puzzles have beyond a game: one seat, and advice on how to go on."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from companion.core import Action, P, Player, PositionError, Rules

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


def check_turn(turn: Player) -> None:
    if turn != SOLVER:
        raise PositionError(f"'{turn}' has no seat at a puzzle: the turn is {SOLVER}'s")
