"""Estimates how well each side stands in Teleporters: how far its Poles are from the Goal."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Player
from companion.games.teleporters.board import PLAYERS
from companion.games.teleporters.position import Position

RANK, GOAL = 0.5, 4.0
"""The worth of a rank to a Pole, and that of its place on the Goal."""


def estimate(position: Position) -> Mapping[Player, float]:
    worth = [0.0, 0.0]
    for square, there in enumerate(position.squares):
        if pole := there & 3:
            ranks = square // 8 if pole == 1 else 7 - square // 8
            worth[pole - 1] += GOAL if ranks == 7 else RANK * ranks
    return dict(zip(PLAYERS, worth, strict=True))
