"""The values of a round: who is paired at which board, and the score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from companion.core.errors import CompanionError


class RoundError(CompanionError):
    """A file that holds no such round, or a round that no board can be given."""


class Score(StrEnum):
    """The score of a pair, as CSV files spell it: that of the first player before that of the second.

    An `F` marks a forfeit: nothing was played. A `U` marks a game of less than one move each, which is not
    rated.
    """

    OPEN = ""
    WIN = "1-0"
    DRAW = "1/2-1/2"
    LOSS = "0-1"
    BOTH_LOST = "0-0"
    FORFEIT_WIN = "1-0F"
    FORFEIT_LOSS = "0-1F"
    BOTH_FORFEIT = "0-0F"
    SHORT_WIN = "1-0U"
    SHORT_DRAW = "1/2-1/2U"
    SHORT_LOSS = "0-1U"
    OTHER = "?"
    """A score that the arbiter gave, and that has no name here."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two who are paired at a board of a round: the first has White, or what comes first in the game.

    A bye has no second name, and mostly no board: 0.
    """

    board: int
    first: str
    second: str
    round: int | None = None
    """None where the file holds a single round and does not say which."""
    score: Score = Score.OPEN
    event: str = ""
    clock: str = ""
    """The time control, as a game's head has it."""
    numbers: tuple[int, int] = (0, 0)
    """The players' numbers in the tournament, where the file has them."""

    @property
    def is_bye(self) -> bool:
        return not self.second

    @property
    def names(self) -> frozenset[str]:
        """The names of the two, whatever their colours."""
        return frozenset((self.first, self.second))

    @property
    def is_due(self) -> bool:
        """Whether a game has still to be played."""
        return not self.is_bye and self.score is Score.OPEN


def in_order(players: Iterable[str]) -> tuple[str, ...]:
    """Returns a game's players in the order in which pairs have them: White first, whoever begins."""
    return tuple(sorted(players, key=lambda player: player != "white"))


@dataclass(frozen=True, slots=True)
class LineFault:
    """An error in a line of a file; lines count from 1."""

    line: int
    words: str


@dataclass(frozen=True, slots=True)
class Pairings:
    """The pairs of a file in its order, and what is wrong in it. A file with faults is not used."""

    pairs: tuple[Pair, ...]
    faults: tuple[LineFault, ...] = field(default=())

    def of_round(self, number: int) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.pairs if pair.round in (number, None))
