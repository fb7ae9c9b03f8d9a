"""A position of Triune: the 64 squares as small integers.

A square is 0 where it is empty, else side + kind: a side is 0 (Red) or 4 (Blue), a kind 1 (solid), 2 (marked)
or 3 (Triune).
"""

from __future__ import annotations

from typing import NamedTuple

from companion.core.game import Look, Place, Player
from companion.games.triune.board import SQUARES

PLAYERS = ("red", "blue")
SOLID, MARKED, TRIUNE = 1, 2, 3
KINDS = ("", "solid", "marked", "triune")
PIECES = 16
"""The number of pieces that each side begins with."""


class Position(NamedTuple):
    """The squares, the side to move (0 Red, 1 Blue) and how many pieces each side has."""

    squares: tuple[int, ...]
    side: int
    pieces: tuple[int, int]

    @property
    def turn(self) -> Player:
        return PLAYERS[self.side]

    @property
    def to_act(self) -> Player:
        return PLAYERS[self.side]


def look(position: Position) -> dict[Place, Look]:
    return {
        SQUARES[square]: f"{PLAYERS[piece >> 2]}/{KINDS[piece & 3]}"
        for square, piece in enumerate(position.squares)
        if piece
    }
