"""Estimates how well each side stands in draughts, and what of it an opponent looks at first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.core.bits import mask
from companion.core.game import Action, Player
from companion.games.draughts.board import PLAYERS, Mask, Net
from companion.games.draughts.position import Position

KING = {8: 1.5, 10: 3.0}
"""The worth of a king by the size of the board: on the larger one it flies."""
ROW, BACK = 0.03, 0.08
"""The worth of a row that a man has advanced, and of a man on the row where the others become kings."""


def takes(position: Position, action: Action) -> bool:
    return "x" in action


def estimate(position: Position) -> Mapping[Player, float]:
    both = (position.white | position.black).bit_count()
    few = 24 / (12 + both)  # a lead counts for more the fewer pieces are left
    return {player: few * _worth(position, seat) for seat, player in enumerate(PLAYERS)}


def _worth(position: Position, seat: int) -> float:
    own, net = position.pieces(seat), position.variant.net
    men = own & ~position.kings
    rows = _rows(net)[:: 1 if seat else -1]
    worth = men.bit_count() + (own & position.kings).bit_count() * KING.get(net.size, 3.0)
    advance = sum(row * (men & squares).bit_count() for row, squares in enumerate(rows))
    return worth + ROW * advance + BACK * (men & rows[0]).bit_count()


@lru_cache(maxsize=4)
def _rows(net: Net) -> tuple[Mask, ...]:
    """Returns the squares of each row, from that on which White's men become kings."""
    row = net.size // 2
    return tuple(mask(net.bits[start : start + row]) for start in range(0, len(net.bits), row))
