"""A position of Teleporters: what stands on each square, and what is left of the turn.

A square is one small integer: two bits for a Pole (1 South's, 2 North's) and four for the Ports of each side,
one for each corner. So the walls of a square are looked up in a table of 1024 entries. Two Ports of one side
in opposite corners are a Teleport; moved as a whole it is called a *unit*, `=d3`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple, TypeAlias

from companion.core.board import Board, BoardError
from companion.core.game import Look, Place, Player
from companion.games.teleporters.board import (
    CORNER_WALLS,
    NAMES,
    PLAYERS,
    PORTS,
    Pads,
    pads_of,
    poles_of,
)

Squares: TypeAlias = tuple[int, ...]
TELEPORTS = (0b1001, 0b0110)
"""The Ports of a Teleport, a bit for each corner: nw and se, ne and sw."""
LOOKS: tuple[Look, ...] = tuple(f"{player}/{kind}" for kind in ("pole", "port") for player in PLAYERS)
TURN_MOVES = 2
"""The number of moves of Poles in a turn, and that of moves of Ports (TP-1)."""
POLES = 4
"""The number of Poles of each side; it has as many Ports."""


def port_bit(side: int, corner: int) -> int:
    return 4 << 4 * side + corner


def ports_of(square: int, side: int) -> int:
    """Returns the corners in which a side has Ports, a bit for each."""
    return square >> 2 + 4 * side & 15


def _walls(ports: int) -> int:
    walls = 0
    for corner, sides in enumerate(CORNER_WALLS):
        if ports >> corner & 1:
            walls |= sides
    return walls


CORNERS_OF = tuple(tuple(corner for corner in range(4) if ports >> corner & 1) for ports in range(16))
"""The corners of each set of Ports."""
SIDE_WALLS = tuple(tuple(_walls(ports_of(square, side)) for square in range(1024)) for side in (0, 1))
"""For each side the walls that its Ports make on a square."""
WALLS = tuple(south | north for south, north in zip(*SIDE_WALLS, strict=True))
"""The walls on a square, whosever Ports make them."""


class Owed(NamedTuple):
    """A piece in its owner's hand, to be put down before anything else (TP-18)."""

    kind: str
    """`port` (repelled or bounced) or `pole` (vaulted)."""
    side: int
    moved: bool
    """True if the piece has moved this turn: a bounced Port has."""


class Position(NamedTuple):
    """The squares, the side to move, and what is left of its turn."""

    squares: Squares
    side: int
    pole_moves: int
    port_moves: int
    moved: frozenset[Place]
    """The pieces that moved this turn, by where they stand now: `d2` a Pole, `b2nw` a Port, `=d3` a unit."""
    owed: Owed | None
    pads: tuple[Pads, Pads]

    @property
    def turn(self) -> Player:
        return PLAYERS[self.side]

    @property
    def to_act(self) -> Player:
        return PLAYERS[self.owed.side if self.owed else self.side]


def new_turn(squares: Squares, side: int, pads: tuple[Pads, Pads]) -> Position:
    """Returns the beginning of a side's turn."""
    return Position(squares, side, TURN_MOVES, TURN_MOVES, frozenset(), None, pads)


def is_fresh(position: Position) -> bool:
    """Tells whether nothing was moved in this turn yet."""
    return position.pole_moves == position.port_moves == TURN_MOVES


def start(board: Board, first: int) -> Position:
    """Returns the position of the rulebook, 'Setting up', on this board.

    Each Port stands on a portpad, on the stripes. BoardError where the board has no such places.
    """
    squares = [0] * 64
    south, north = (pads_of(board, player) for player in PLAYERS)
    for side, pads in enumerate((south, north)):
        for square, corner in pads:
            squares[square] |= port_bit(side, corner)
        for square in poles_of(board, side):
            squares[square] |= side + 1
    if len({square for square, _ in south + north}) != len(south + north):
        raise BoardError('"tables": "portpads" needs eight different squares')
    return new_turn(tuple(squares), first, (south, north))


def arrived(squares: Squares, side: int) -> int:
    """Returns how many Poles of a side stand on its Goal."""
    goal = squares[:8] if side else squares[56:]
    return sum(1 for square in goal if square & 3 == side + 1)


def winner(squares: Squares) -> int | None:
    """Returns the side whose Poles all stand on its Goal (TP-19), or None."""
    return next((side for side in (0, 1) if arrived(squares, side) == POLES), None)


def is_teleport(square: int, side: int) -> bool:
    return ports_of(square, side) in TELEPORTS


def available(squares: Squares, pads: Pads, side: int) -> list[int]:
    """Returns the portpads of a side that can take one of its Ports (TP-14)."""
    found = []
    for square, corner in pads:
        ports = squares[square] & ~3
        if not ports or ports == port_bit(side, 3 - corner):
            found.append(square)
    return found


def lift(squares: Squares, square: int, bits: int) -> Squares:
    """Returns the squares without some pieces of one of them."""
    return (*squares[:square], squares[square] & ~bits, *squares[square + 1 :])


def look(position: Position) -> Mapping[Place, Look]:
    return _look_of_squares(position.squares)


@lru_cache(maxsize=4096)
def _look_of_squares(squares: Squares) -> Mapping[Place, Look]:
    # Cached because many positions of a search differ in nothing that can be seen.
    found: dict[Place, Look] = {}
    for square, there in enumerate(squares):
        if there:
            found.update(_look_of_square(square, there))
    return found


@cache
def _look_of_square(square: int, there: int) -> Mapping[Place, Look]:
    found = {NAMES[square]: f"{PLAYERS[there >> 1 & 1]}/pole"} if there & 3 else {}
    for side, player in enumerate(PLAYERS):
        for corner in CORNERS_OF[ports_of(there, side)]:
            found[PORTS[square][corner]] = f"{player}/port"
    return found
