"""Estimates how well each side stands in Escape!: the lines that its pawns have still to go."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Player
from companion.games.escape.position import PLAYERS, Position

PAWN, LINE = 1.0, 0.5
"""What is lost by a pawn that has not escaped, and by each line that it has still to go."""
SLIPS = {2: 0.25, 3: 0.12, 4: 0.03}
"""The share of actions chosen at first sight, by level."""


def estimate(position: Position) -> Mapping[Player, float]:
    return {player: -_to_go(position, seat) for seat, player in enumerate(PLAYERS)}


def _to_go(position: Position, seat: int) -> float:
    pawns, backs = position.pawns[seat], position.net.backs[seat]
    lines = sum((pawns & rank).bit_count() * (len(backs) - row) for row, rank in enumerate(backs))
    return PAWN * pawns.bit_count() + LINE * lines
