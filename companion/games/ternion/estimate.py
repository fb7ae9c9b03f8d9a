"""How well each player stands in the Ternion games, and which actions an opponent considers."""

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
    in_play,
    on_board,
)

NEIGHBOUR = 0.08
"""The worth of two pawns of different colours side by side, to the player whose turn it is."""
OUT = -9.0
"""What a player is worth who has dropped out."""


def considered(position: Position) -> Iterator[Action]:
    """Yields the legal actions but those of the review, which never ends."""
    return iter(("end",)) if position.phase is Phase.REVIEW else legal(position)


def estimate(position: Position) -> Mapping[Player, float]:
    sites, seats = position.sites, len(position.setup.players)
    worth = [OUT if position.out >> seat & 1 else float(on_board(sites, seat + 1)) for seat in range(seats)]
    worth[position.seat] += _owed(position) + NEIGHBOUR * _foreign(position)
    return dict(zip(COLOURS, worth, strict=False))


def _owed(position: Position) -> int:
    """Returns the pawns that the player to act is still to add, less those to be removed."""
    if position.phase is Phase.CHOOSE:
        removed, added = charted(position, best_ternions(position, position.moved)[0])
        return added - removed
    if position.phase is Phase.REMOVE:
        return additions(position, position.owed) - position.owed
    return position.owed


def _foreign(position: Position) -> int:
    """Returns how many neighbours of another colour the player's pawns in play have."""
    sites, near, own = position.sites, position.setup.net.near, position.colour
    return sum(
        1
        for site in position.setup.net.area
        if sites[site] == own
        for other in near[site]
        if in_play(sites[other]) and sites[other] & COLOUR != own
    )
