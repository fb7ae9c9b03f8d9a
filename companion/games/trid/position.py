"""A position of TRID. A field is 0 where it is empty, else 4 × seat + kind."""

from __future__ import annotations

from itertools import combinations, compress
from typing import NamedTuple

from companion.core.game import GameError, Look, Place, Player
from companion.games.trid.board import KINDS, Net, Triangle

PLAYERS = ("black", "blue", "red", "green")
MASTER, GLIDER, JUMPER = 1, 2, 3
LOOKS: tuple[Look, ...] = tuple(f"{player}/{kind}" for player in PLAYERS for kind in ("", *KINDS))
"""The look of each pawn, by its number: `black/glider`."""
OWN = tuple(bytes(pawn and pawn >> 2 == seat for pawn in range(256)) for seat in range(len(PLAYERS)))
"""For each seat a table for `translate`: its pawns become 1, and all else 0."""
OPEN: frozenset[int] = frozenset()


class Position(NamedTuple):
    """The fields, the number of players, and the seat to move.

    `made` holds the triangles that the seat's move has just made, while a switch is open; `winner` is
    the seat that has won, or -1.
    """

    net: Net
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
        """Returns the side of the board at which a seat's player sits."""
        return self.net.seats[self.players][seat]


def pawns(fields: bytes | bytearray, players: int) -> list[list[int]]:
    """Returns the fields of each seat's pawns, ascending."""
    found: list[list[int]] = [[] for _ in range(players)]
    for field in compress(range(len(fields)), fields):
        found[fields[field] >> 2].append(field)
    return found


def closed_to(position: Position, seat: int) -> frozenset[int]:
    """Returns the fields inside standing controlling triangles of a seat's opponents (TD-13)."""
    return inside(position.net, pawns(position.fields, position.players), seat)


def inside(net: Net, groups: list[list[int]], seat: int) -> frozenset[int]:
    """Returns the fields that are closed to a seat, where each seat's pawns stand on these fields (TD-13)."""
    closed = OPEN
    for owner, own in enumerate(groups):
        if owner != seat:
            for corners in combinations(own, 3):
                if corners in net.triangles:
                    closed |= net.triangles[corners]
    return closed


def start(net: Net, players: int) -> Position:
    """Returns the position at the beginning of a game. GameError where the board has no seats for so many."""
    if len(net.seats.get(players, ())) != players:
        raise GameError(f"board '{net.board}' has no \"seats\" for {players} players")
    fields = [0] * len(net.names)
    for seat, side in enumerate(net.seats[players]):
        for field, kind in net.starts[side].items():
            fields[field] = 4 * seat + 1 + KINDS.index(kind)
    return Position(net, bytes(fields), players, 0)


def look(position: Position) -> dict[Place, Look]:
    names, fields = position.net.names, position.fields
    return {names[field]: LOOKS[fields[field]] for field in compress(range(len(fields)), fields)}
