"""The actions open to the player, spelled from the net's tables."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core import Action
from companion.games.ternion.net import listed
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    TERNION,
    Phase,
    Position,
    best_ternions,
    blocked,
    exchanges,
    placeable,
    vacant_sites,
)


def legal(position: Position) -> Iterator[Action]:
    """Each legal action once; none when the game is over."""
    if position.winner >= 0:
        return iter(())
    return _BY_PHASE[position.phase](position)


def _placements(position: Position) -> Iterator[Action]:
    names = position.setup.net.names
    return (names[s] for s in placeable(position.setup, position.sites))


def _moves(position: Position) -> Iterator[Action]:
    stuck = True
    for action in moves(position):
        stuck = False
        yield action
    if stuck:
        yield "out"  # TF-14


def moves(position: Position) -> Iterator[Action]:
    """TF-2 to TF-7: every step and jump for which there are markers."""
    net, sites, left = position.setup.net, position.sites, position.moves_left
    shut = blocked(position)
    for start in net.area:
        colour = sites[start]
        if 0 < colour <= COLOUR:  # TF-2
            name = net.names[start]
            for to, gate, text in net.exits[start]:
                if gate in shut:  # TF-6
                    continue
                over = sites[to]
                if not over:  # TF-3
                    yield name + text
                elif left > 1 and over & COLOUR != colour:  # TF-4, TF-5
                    yield from _jumps(position, (to, colour, left - 1), name + text, {gate, *shut})


def _jumps(position: Position, at: tuple[int, int, int], path: str, shut: set[int]) -> Iterator[Action]:
    over, colour, left = at
    sites = position.sites
    for to, gate, text in position.setup.net.exits[over]:
        if gate in shut:
            continue
        content = sites[to]
        if not content:
            yield path + text
        elif left > 1 and content & COLOUR != colour:
            yield from _jumps(position, (to, colour, left - 1), path + text, {gate, *shut})


def _choices(position: Position) -> Iterator[Action]:
    net = position.setup.net
    return ("T:" + ",".join(listed(net, t)) for t in best_ternions(position, position.moved))


def _removals(position: Position) -> Iterator[Action]:
    names, sites, own = position.setup.net.names, position.sites, position.colour | TERNION
    return (f"-{names[s]}" for s in position.ternions[-1] if sites[s] == own)


def _additions(position: Position) -> Iterator[Action]:
    names = position.setup.net.names
    return (f"+{names[s]}" for s in vacant_sites(position))


def _review(position: Position) -> Iterator[Action]:
    names, sites, added = position.setup.net.names, position.sites, position.colour | ADDED
    vacant = [names[s] for s in vacant_sites(position)]
    for s in position.setup.net.area:
        if sites[s] == added:
            start = f"~{names[s]}>"
            for name in vacant:
                yield start + name
    for gone, other in exchanges(position):
        yield f"~{names[gone]}>{names[other]}"
    yield "end"


_BY_PHASE = {
    Phase.PLACE: _placements,
    Phase.MOVE: _moves,
    Phase.CHOOSE: _choices,
    Phase.REMOVE: _removals,
    Phase.ADD: _additions,
    Phase.REVIEW: _review,
}


def can_move(position: Position) -> bool:
    return next(moves(position), None) is not None

