"""Estimates how well each player stands in the Ternion games, and which actions an opponent considers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.game import Action, Player
from companion.games.ternion.moves import legal
from companion.games.ternion.position import (
    COLOUR,
    COLOURS,
    Phase,
    Position,
    additions,
    best_ternions,
    charted,
    on_board,
)

PAIR = 0.2
"""The worth of two own pawns side by side: a third makes a ternion of them."""
OUT = -9.0
"""What a player is worth who has dropped out."""


def considered(position: Position) -> Iterator[Action]:
    """Yields the legal actions but those of the review, which never ends."""
    return iter(("end",)) if position.phase is Phase.REVIEW else legal(position)


def estimate(position: Position) -> Mapping[Player, float]:
    sites, seats = position.sites, len(position.setup.players)
    worth = [OUT if position.out >> seat & 1 else float(on_board(sites, seat + 1)) for seat in range(seats)]
    worth[position.seat] += _owed(position)
    for seat in _pairs(position):
        worth[seat] += PAIR
    return dict(zip(COLOURS, worth, strict=False))


def _owed(position: Position) -> int:
    """Returns the pawns that the player to act is still to add, less those to be removed."""
    if position.phase is Phase.CHOOSE:
        removed, added = charted(position, best_ternions(position, position.moved)[0])
        return added - removed
    if position.phase is Phase.REMOVE:
        return additions(position, position.owed) - position.owed
    return position.owed


def _pairs(position: Position) -> Iterator[int]:
    """Yields the seat of each two pawns of one colour that stand side by side."""
    sites, near = position.sites, position.setup.net.near
    pawns = [(site, sites[site] & COLOUR) for site in position.setup.net.area if sites[site]]
    for site, colour in pawns:
        yield from (colour - 1 for other in near[site] if other < site and sites[other] & COLOUR == colour)
