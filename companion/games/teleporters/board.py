"""The board of Teleporters in numbers: squares from 0 (a1) to 63 (h8), their sides, corners and neighbours.

The sides of a square are bits: north, east, south, west. Ranks 1 and 8 are Home and Goal; the squares of the
other ranks are *quadrants*, in whose corners Ports stand. A board file says where the portpads are and the
Poles begin.
"""

from __future__ import annotations

from typing import TypeAlias

from companion.core.board import Board, BoardError
from companion.core.game import Place, Player

PLAYERS = ("south", "north")
CORNERS = ("nw", "ne", "sw", "se")
"""The corners, by their numbers. The opposite of a corner is 3 less its number."""
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
ALL_SIDES = NORTH | EAST | SOUTH | WEST
CORNER_WALLS = (NORTH | WEST, NORTH | EAST, SOUTH | WEST, SOUTH | EAST)
"""The two sides of a square that a Port in each corner closes."""
OPPOSITE = {NORTH: SOUTH, SOUTH: NORTH, EAST: WEST, WEST: EAST}
STEPS = ((NORTH, 0, 1), (EAST, 1, 0), (SOUTH, 0, -1), (WEST, -1, 0))
"""For each side the step through it, east and north."""

Pads: TypeAlias = tuple[tuple[int, int], ...]
"""The portpads of a side: each a square, and the corner of its stripes."""

NAMES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
INDEX = {name: square for square, name in enumerate(NAMES)}
PORTS: tuple[tuple[Place, ...], ...] = tuple(tuple(name + corner for corner in CORNERS) for name in NAMES)
"""The place of the Port in each corner of each square: `b2nw`."""
HOMES = (range(8), range(56, 64))
"""The Home telepads of each side; they are the Goal of the other."""
QUADRANTS = range(8, 56)
PORT_AT = {PORTS[square][corner]: (square, corner) for square in QUADRANTS for corner in range(4)}
"""The square and corner of each place on which a Port can stand."""


def _neighbours(square: int) -> tuple[tuple[int, int, int], ...]:
    x, y = square % 8, square // 8
    found = []
    for side, dx, dy in STEPS:
        a, b = x + dx, y + dy
        if square in QUADRANTS:
            a %= 8  # TP-5: file a meets file h
        if 0 <= a < 8 and 0 <= b < 8:
            found.append((side, OPPOSITE[side], b * 8 + a))
    return tuple(found)


def _rays(square: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    x, y = square % 8, square // 8
    found = []
    for side, dx, dy in STEPS:
        line = ((x + dx * n, y + dy * n) for n in range(1, 8))
        ray = tuple(b * 8 + a for a, b in line if 0 <= a < 8 and 1 <= b < 7)  # TP-9
        if ray:
            found.append((side, ray))
    return tuple(found)


NEIGHBOURS = tuple(_neighbours(square) for square in range(64))
"""For each square its steps: the side left through, the side entered through, the square entered."""
RAYS = tuple(_rays(square) if square in QUADRANTS else () for square in range(64))
"""For each quadrant its lines: the side left through, and the quadrants in that direction."""


def pads_of(board: Board, player: Player) -> Pads:
    """Returns a player's portpads. BoardError where the board has no four of them."""
    stripes = board.tables.get("portpads", {}).get(player, {})
    if len(stripes) != 4 or any(f"{square}{corner}" not in PORT_AT for square, corner in stripes.items()):
        raise BoardError(
            f'"tables": "portpads" needs for {player} four squares of ranks 2 to 7, each with the corner '
            f"of its stripes ({', '.join(CORNERS)})"
        )
    return tuple((INDEX[square], CORNERS.index(corner)) for square, corner in stripes.items())


def poles_of(board: Board, side: int) -> list[int]:
    """Returns the squares on which a side's Poles begin. BoardError where they are not four of its Home."""
    home = [NAMES[square] for square in HOMES[side]]
    poles = board.areas.get(f"{PLAYERS[side]} poles", ())
    if len(set(poles)) != 4 or not set(poles) <= set(home):
        raise BoardError(f'"areas": "{PLAYERS[side]} poles" needs four of {", ".join(home)}')
    return [INDEX[square] for square in poles]
