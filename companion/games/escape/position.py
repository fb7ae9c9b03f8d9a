"""The position of Escape!: where both sides' pawns stand, and whose turn it is."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.bits import members
from companion.core.game import Look, Place, Player
from companion.games.escape.board import Mask, Net, Pair

PLAYERS = ("south", "north")


class Position(NamedTuple):
    """The board, each side's pawns on it, and the side to move (0 South, 1 North)."""

    net: Net
    pawns: Pair
    seat: int = 0

    @property
    def turn(self) -> Player:
        return PLAYERS[self.seat]

    @property
    def to_act(self) -> Player:
        return PLAYERS[self.seat]

    @property
    def occupied(self) -> Mask:
        return self.pawns[0] | self.pawns[1]


def winner(position: Position) -> Player | None:
    """Returns the player all of whose pawns have escaped (ES-8), or None."""
    for player, pawns in zip(PLAYERS, position.pawns, strict=True):
        if not pawns:
            return player
    return None


def look(position: Position) -> dict[Place, Look]:
    names = position.net.names
    looks: dict[Place, Look] = {}
    for player, pawns in zip(PLAYERS, position.pawns, strict=True):
        looks.update({names[site]: player for site in members(pawns)})
    return looks
