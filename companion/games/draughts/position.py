"""A position of draughts: who has pieces where, which of them are kings, and what draws are counted by."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from companion.core import Player
from companion.games.draughts.grid import PLAYERS, Mask, Variant

Key: TypeAlias = tuple[Mask, Mask, Mask, int]
"""What two positions share that count as repeated: the pieces of each side, the kings, the side to move."""
SIXTEEN, FIVE = 32, 10
"""Moves, both players' together, after which few pieces against a single king are a draw."""


@dataclass(frozen=True, slots=True)
class Position:
    """The pieces, and whose turn it is.

    `quiet` counts the moves since a man moved or a piece was captured; `left` are the moves that remain to a
    game against a single king (DR-15). `past` are the positions that may come again; they are not compared.
    """

    variant: Variant
    white: Mask
    black: Mask
    kings: Mask
    seat: int
    quiet: int = 0
    left: int = 0
    past: tuple[Key, ...] = field(default=(), compare=False, repr=False)

    @property
    def turn(self) -> Player:
        return PLAYERS[self.seat]

    @property
    def to_act(self) -> Player:
        return PLAYERS[self.seat]

    @property
    def own(self) -> Mask:
        """The pieces of the side to move."""
        return self.black if self.seat else self.white

    @property
    def theirs(self) -> Mask:
        """The pieces of the other side."""
        return self.white if self.seat else self.black

    @property
    def empty(self) -> Mask:
        return self.variant.grid.all & ~(self.white | self.black)

    @property
    def key(self) -> Key:
        return self.white, self.black, self.kings, self.seat

    def pieces(self, seat: int) -> Mask:
        return self.black if seat else self.white


def few_limit(position: Position) -> int:
    """How long a game with so few pieces may last against a single king (DR-15); 0 for no limit."""
    pieces, kings = (position.white, position.black), position.kings
    if not position.variant.few or (position.white | position.black).bit_count() > 4:
        return 0
    for alone, against in (pieces, pieces[::-1]):
        if alone.bit_count() == 1 and alone & kings and against & kings:
            return SIXTEEN if against.bit_count() == 3 else FIVE
    return 0


def with_limit(position: Position) -> Position:
    """The position with the moves that a game which begins here has against a single king."""
    return replace(position, left=few_limit(position))
