"""The board of Teleporters in numbers, and a position on it.

A square is one small integer: two bits for a Pole (1 South's, 2 North's) and four for the Ports of each
side, one for each corner. Sides of a square, and the walls on them, are bits too: north, east, south, west.
Everything that asks 'which walls has this square' is thus a look into a table of 1024 entries.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from companion.core import Place, Player

PLAYERS = ("south", "north")
CORNERS = ("nw", "ne", "sw", "se")
CORNER_WORDS = {"nw": "north-west", "ne": "north-east", "sw": "south-west", "se": "south-east"}
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
CORNER_WALLS = (NORTH | WEST, NORTH | EAST, SOUTH | WEST, SOUTH | EAST)
OPPOSITE = {NORTH: SOUTH, SOUTH: NORTH, EAST: WEST, WEST: EAST}
STEPS = ((NORTH, 0, 1), (EAST, 1, 0), (SOUTH, 0, -1), (WEST, -1, 0))
TELEPORTS = (0b1001, 0b0110)
"""The Ports of a Teleport: nw and se, ne and sw."""

Squares: TypeAlias = tuple[int, ...]
Pads: TypeAlias = tuple[tuple[int, int], ...]
"""Portpads of a side: the square and the corner of its stripes."""

NAMES = tuple(f"{file}{rank}" for rank in range(1, 9) for file in "abcdefgh")
INDEX = {name: i for i, name in enumerate(NAMES)}
PORTS: tuple[tuple[Place, ...], ...] = tuple(tuple(name + corner for corner in CORNERS) for name in NAMES)
HOMES = (range(8), range(56, 64))
QUADRANTS = range(8, 56)


def port_bit(side: int, corner: int) -> int:
    return 4 << 4 * side + corner


def ports_of(square: int, side: int) -> int:
    """The corners that a side's Ports hold in a square, a bit each."""
    return square >> 2 + 4 * side & 15


def _walls(ports: int) -> int:
    walls = 0
    for corner in range(4):
        if ports >> corner & 1:
            walls |= CORNER_WALLS[corner]
    return walls


CORNERS_OF = tuple(tuple(c for c in range(4) if ports >> c & 1) for ports in range(16))
SIDE_WALLS = tuple(tuple(_walls(ports_of(square, side)) for square in range(1024)) for side in (0, 1))
WALLS = tuple(south | north for south, north in zip(*SIDE_WALLS, strict=True))


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
"""For each quadrant and direction the quadrants in that line."""


class Owed(NamedTuple):
    """A piece in its owner's hand, to be put down before anything else: an answer that is owed."""

    kind: str
    """`port` (repelled or bounced) or `pole` (vaulted)."""
    side: int
    moved: bool
    """Whether the piece has moved this turn: a bounced Port has."""


class Position(NamedTuple):
    """The squares, and what the turn's owner has left of it."""

    squares: Squares
    side: int
    pole_moves: int
    port_moves: int
    moved: frozenset[Place]
    """What moved this turn, by where it stands now: `d2` a Pole, `b2nw` a Port, `=d3` a Teleport."""
    owed: Owed | None
    pads: tuple[Pads, Pads]

    @property
    def turn(self) -> Player:
        return PLAYERS[self.side]

    @property
    def to_act(self) -> Player:
        return PLAYERS[self.owed.side if self.owed else self.side]


def arrived(squares: Squares, side: int) -> int:
    """How many Poles of a side stand on its Goal."""
    goal = squares[:8] if side else squares[56:]
    return sum(1 for square in goal if square & 3 == side + 1)


def winner(squares: Squares) -> int | None:
    """The side whose four Poles all stand on its Goal (TP-19)."""
    return next((side for side in (0, 1) if arrived(squares, side) == 4), None)


def is_teleport(square: int, side: int) -> bool:
    return ports_of(square, side) in TELEPORTS


def available(squares: Squares, pads: Pads, side: int) -> list[int]:
    """The portpads of a side that can take one of its Ports (TP-14)."""
    found = []
    for square, corner in pads:
        ports = squares[square] & ~3
        if not ports or ports == port_bit(side, 3 - corner):
            found.append(square)
    return found


def lift(squares: Squares, square: int, bits: int) -> Squares:
    """The squares without some pieces of one of them."""
    return (*squares[:square], squares[square] & ~bits, *squares[square + 1 :])
