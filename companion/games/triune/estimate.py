"""Estimates how well each side stands in Triune, and what of it an opponent looks at first."""

from __future__ import annotations

from collections.abc import Mapping
from operator import getitem

from companion.core.game import Action, Player
from companion.games.triune.board import TARGETS
from companion.games.triune.position import MARKED, PLAYERS, SOLID, TRIUNE, Position

STEP = 0.1
"""The worth of each step that a piece is nearer to a target corner: without it nobody goes there."""


def _worths(square: int) -> tuple[float, ...]:
    """Returns what each content of a square is worth for Red."""
    worths = [0.0] * 8
    for side, (left, right) in enumerate(sorted(corners) for corners in TARGETS):
        rows = abs(square // 8 - left // 8)
        columns = min(square % 8 - left % 8, right % 8 - square % 8)
        near = 1 + STEP * (7 - max(rows, columns))
        for kind, worth in ((SOLID, near), (MARKED, near), (TRIUNE, 2.0)):
            worths[4 * side + kind] = -worth if side else worth
    return tuple(worths)


WORTHS = tuple(_worths(square) for square in range(64))


def estimate(position: Position) -> Mapping[Player, float]:
    squares = position.squares
    few = 24 / (8 + sum(position.pieces) + squares.count(TRIUNE) + squares.count(4 + TRIUNE))
    ahead = few * sum(map(getitem, WORTHS, squares))  # a lead counts for more the fewer pieces are left
    return {PLAYERS[0]: ahead / 2, PLAYERS[1]: -ahead / 2}


def takes(position: Position, action: Action) -> bool:
    return "x" in action
