"""A position of Jump to the Center: the pawns, and in the midst of a turn the pawn that has to go on."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.game import Player, Site
from companion.core.puzzle import SOLVER
from companion.games.jumping.board import Net

MOVES = 3
"""The number of moves that a pawn makes in a turn."""


class Position(NamedTuple):
    """The places that hold a pawn, and how far the turn has come."""

    pawns: frozenset[Site]
    mover: Site
    """The place of the pawn that has to go on; '' at the beginning of a turn."""
    moves: int
    """The number of moves of the turn that have been made."""
    net: Net

    @property
    def turn(self) -> Player:
        return SOLVER

    @property
    def to_act(self) -> Player:
        return SOLVER

    @property
    def solved(self) -> bool:
        return not self.moves and self.pawns == {self.net.centre}
