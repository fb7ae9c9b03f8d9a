"""Estimates how well each side stands in Teleporters: how far its Poles are from the Goal.

Walls are soon moved, so the ranks up to there count beside the steps around all walls.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Player
from companion.games.teleporters.board import EAST, HOMES, NORTH, PLAYERS, QUADRANTS, SOUTH, WEST
from companion.games.teleporters.position import WALLS, Position

RANK, STEP = 0.4, 0.2
"""What is lost by each rank that a Pole is away from its Goal, and by each step around the walls."""
SHUT = 3
"""The steps that count for a Pole from which no way leads to the Goal, beyond those to where all ways end."""

ALL = (1 << 64) - 1
"""All squares, as a set: a bit for each."""
NOT_LAST_RANK = ALL >> 8
FILE_A = sum(1 << square for square in range(0, 64, 8))
FILE_H = FILE_A << 7
WRAPPED = sum(1 << square for square in QUADRANTS)
"""The squares on whose ranks file a meets file h (TP-5)."""
GOALS = tuple(sum(1 << square for square in HOMES[1 - side]) for side in (0, 1))
SLIPS = {1: 0.85, 2: 0.7, 3: 0.55, 4: 0.38, 5: 0.18}
"""The share of actions chosen at first sight, by level. One costs little here, so it takes many."""


def _closed(square: int, walls: int) -> int:
    """Returns the steps that walls on a square bar: a bit for each square that cannot be left northward, and
    64 bits higher for each that cannot be left eastward. A step south or west is one of these, taken back."""
    here, south, west = 1 << square, (1 << square) >> 8, 1 << square // 8 * 8 + (square - 1) % 8
    northward = (here if walls & NORTH else 0) | (south if walls & SOUTH else 0)
    eastward = (here if walls & EAST else 0) | (west if walls & WEST else 0)
    return northward | eastward << 64


CLOSED = tuple(tuple(_closed(square, walls) for walls in range(16)) for square in range(64))


def estimate(position: Position) -> Mapping[Player, float]:
    poles, ranks, closed = [0, 0], [0, 0], 0
    for square, there in enumerate(position.squares):
        if there:
            closed |= CLOSED[square][WALLS[there]]
            if pole := there & 3:
                poles[pole - 1] |= 1 << square
                ranks[pole - 1] += 7 - square // 8 if pole == 1 else square // 8
    northward, eastward = NOT_LAST_RANK & ~closed, ALL & ~(closed >> 64)
    steps = [_steps(own, goal, northward, eastward) for own, goal in zip(poles, GOALS, strict=True)]
    return {player: -RANK * ranks[side] - STEP * steps[side] for side, player in enumerate(PLAYERS)}


def _steps(poles: int, goal: int, northward: int, eastward: int) -> int:
    """Returns the steps of a side's Poles to its Goal: a wave spreads from there until it has met all.

    `northward` and `eastward` are the squares that can be left that way, and entered from there.
    """
    poles &= ~goal
    steps = 0
    wave = reached = goal
    while poles:
        steps += poles.bit_count()
        north_south = (wave & northward) << 8 | wave >> 8 & northward
        east = wave & eastward
        east_west = (east & ~FILE_H) << 1 | (wave & ~FILE_A) >> 1 & eastward
        around = (east & FILE_H & WRAPPED) >> 7 | (wave & FILE_A & WRAPPED) << 7 & eastward
        wave = (north_south | east_west | around) & ~reached
        if not wave:
            return steps + SHUT * poles.bit_count()
        reached |= wave
        poles &= ~wave
    return steps
