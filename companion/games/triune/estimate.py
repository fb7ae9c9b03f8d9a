"""Estimates how well each side stands in Triune, and what of it an opponent looks at first."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Action, Player
from companion.games.triune.position import PLAYERS, TRIUNE, Position


def estimate(position: Position) -> Mapping[Player, float]:
    squares = position.squares
    worth = [own + squares.count(4 * side + TRIUNE) for side, own in enumerate(position.pieces)]
    few = 24 / (8 + sum(worth))  # a lead counts for more the fewer pieces are left: so the game ends
    return {player: worth[side] * few for side, player in enumerate(PLAYERS)}


def takes(position: Position, action: Action) -> bool:
    return "x" in action
