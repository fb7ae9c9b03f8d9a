"""Estimates how well each player stands in the Ternion games, and which actions an opponent considers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_

from companion.core.bits import mask, members
from companion.core.game import Action, Player
from companion.games.ternion.board import Net
from companion.games.ternion.moves import legal
from companion.games.ternion.position import (
    COLOURS,
    Phase,
    Position,
    additions,
    best_ternions,
    charted,
    in_play,
    on_board,
)

OPEN = 0.75
"""The worth to the player to move of a step that would add two pawns: in a hundred games against itself the
companion won with each as with so many pawns more."""
OUT = -9.0
"""What a player is worth who has dropped out."""
SLIPS = {1: 0.85, 2: 0.65, 3: 0.35, 4: 0.19, 5: 0.07}
"""The share of actions chosen at first sight, by level. One costs little here, so it takes many."""


def considered(position: Position) -> Iterator[Action]:
    """Yields the legal actions but those of the review, which never ends."""
    return iter(("end",)) if position.phase is Phase.REVIEW else legal(position)


def estimate(position: Position) -> Mapping[Player, float]:
    sites, seats = position.sites, len(position.setup.players)
    worth = [OUT if position.out >> seat & 1 else float(on_board(sites, seat + 1)) for seat in range(seats)]
    worth[position.seat] += _owed(position) + OPEN * _open_steps(position)
    return dict(zip(COLOURS, worth, strict=False))


def _owed(position: Position) -> int:
    """Returns the pawns that the player to act is still to add, less those to be removed."""
    if position.phase is Phase.CHOOSE:
        removed, added = charted(position, best_ternions(position, position.moved)[0])
        return added - removed
    if position.phase is Phase.REMOVE:
        return additions(position, position.owed) - position.owed
    return position.owed


def _open_steps(position: Position) -> int:
    """Returns how many steps of an own pawn would make a ternion with two pawns of others, which adds two and
    removes none; no more than there are moves left."""
    sites, (near, exits) = position.sites, _tables(position.setup.net)
    own = others = count = 0
    for site in position.setup.net.area:
        if in_play(sites[site]):
            if sites[site] == position.colour:
                own |= 1 << site
            else:
                others |= 1 << site
    for start in members(own):
        if count >= position.moves_left:
            break
        rest = own ^ 1 << start
        ends = (to for to in exits[start] if not sites[to])
        count += sum(_is_open(near, near[to], rest, others, position.setup.hub) for to in ends)
    return min(count, position.moves_left)


def _is_open(near: Sequence[int], beside: int, own: int, others: int, hub: bool) -> bool:
    """Returns whether a pawn that comes to be beside these sites joins two of others, and none of its own."""
    partners = beside & others
    if not partners or beside & own:
        return False
    has_two = bool(partners & (partners - 1))
    if hub:
        return has_two
    further = reduce(or_, (near[site] for site in members(partners)))
    return not further & own and (has_two or bool(further & others))


@lru_cache(maxsize=16)
def _tables(net: Net) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Returns for each site those near it, a bit each, and those to which a step leads."""
    near = tuple(mask(sites) for sites in net.near)
    return near, tuple(tuple(way.to for way in ways) for ways in net.exits)
