"""Estimates how well each seat stands in TRID, and what of it an opponent looks at first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.core.game import Action, Player
from companion.games.trid.board import Net
from companion.games.trid.position import GLIDER, JUMPER, MASTER, PLAYERS, Position

NEAR, ROW = 4, 0.25
"""From how many rows before its goal on a master's advance is worth something, a row. Farther away it is not:
a master does not go back, and one that stands in front is taken."""
OUT = -6.0
"""What a seat is worth that is out of the game."""


def takes(position: Position, action: Action) -> bool:
    return "x" in action


def estimate(position: Position) -> Mapping[Player, float]:
    return {PLAYERS[seat]: _worth(position, seat) for seat in range(position.players)}


def _worth(position: Position, seat: int) -> float:
    fields, number = position.fields, 4 * seat
    master = fields.find(number + MASTER)
    if master < 0:
        return OUT
    rows = _rows(position.net, position.side(seat))[master]
    pawns = 1.5 * fields.count(number + GLIDER) + fields.count(number + JUMPER)
    return pawns + ROW * max(0, NEAR - rows)


@lru_cache(maxsize=32)
def _rows(net: Net, side: int) -> tuple[int, ...]:
    """Returns how many rows each field is from the border at which a master wins."""
    depths = net.depths[side]
    goal = max(depths[field] for field in net.goals[side])
    return tuple(goal - depth for depth in depths)
