"""A position of TRID: for every field 0 for empty, else 4 × seat + kind, and what is owed by whom."""

from __future__ import annotations

from itertools import combinations, compress
from typing import NamedTuple

from companion.core import Look, Player
from companion.games.trid.grid import KINDS, Grid, Triangle

PLAYERS = ("black", "blue", "red", "green")
MASTER, GLIDER, JUMPER = 1, 2, 3
LOOKS: tuple[Look, ...] = tuple(f"{player}/{kind}" for player in PLAYERS for kind in ("", *KINDS))
"""How each pawn looks, by its number: `black/glider`."""
OPEN: frozenset[int] = frozenset()


class Position(NamedTuple):
    """The fields, the number of players, and the seat to move.

    `made` holds the triangles that the seat's move has just made, while a switch is open; `winner` is
    the seat that has won, or -1.
    """

    grid: Grid
    fields: bytes
    players: int
    seat: int
    made: tuple[Triangle, ...] = ()
    winner: int = -1

    @property
    def turn(self) -> Player:
        return PLAYERS[self.seat]

    @property
    def to_act(self) -> Player:
        return PLAYERS[self.seat]

    def side(self, seat: int) -> int:
        """The side of the board at which a seat's player sits."""
        return self.grid.seats[self.players][seat]


def pawns(fields: bytes | bytearray, players: int) -> list[list[int]]:
    """The fields of each seat's pawns, ascending."""
    found: list[list[int]] = [[] for _ in range(players)]
    for field in compress(range(len(fields)), fields):
        found[fields[field] >> 2].append(field)
    return found


def closed_to(position: Position, seat: int) -> frozenset[int]:
    """The fields inside standing controlling triangles of a seat's opponents (TD-13)."""
    return inside(position.grid, pawns(position.fields, position.players), seat)


def inside(grid: Grid, groups: list[list[int]], seat: int) -> frozenset[int]:
    """The same, where each seat's pawns stand on these fields."""
    closed = OPEN
    for owner, own in enumerate(groups):
        if owner != seat:
            for corners in combinations(own, 3):
                if corners in grid.triangles:
                    closed |= grid.triangles[corners]
    return closed


def looks_of(grid: Grid, fields: bytes) -> dict[str, Look]:
    """How the pawns look, by the names of their fields."""
    return {grid.names[field]: LOOKS[fields[field]] for field in compress(range(len(fields)), fields)}
