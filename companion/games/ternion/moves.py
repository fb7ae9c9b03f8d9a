"""The legal actions of the Ternion games, spelled from the tables of the net. `consequences` plays them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Action
from companion.games.ternion.board import listed
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    TERNION,
    Phase,
    Position,
    best_ternions,
    blocked_gates,
    exchanges,
    placeable,
    vacant_sites,
)


def legal(position: Position) -> Iterator[Action]:
    if position.winner >= 0:
        return iter(())
    return _ACTIONS[position.phase](position)


def _placements(position: Position) -> Iterator[Action]:
    names = position.setup.net.names
    return (names[site] for site in placeable(position.setup, position.sites))


def _moves_or_out(position: Position) -> Iterator[Action]:
    is_stuck = True
    for action in _moves(position):
        is_stuck = False
        yield action
    if is_stuck:
        yield "out"  # TF-14


def _moves(position: Position) -> Iterator[Action]:
    """Yields every step and jump for which there are move markers (TF-2 to TF-7)."""
    net, sites, left = position.setup.net, position.sites, position.moves_left
    shut = blocked_gates(position)
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
    """Yields the jumps that go on from an occupied site.

    `at`: that site, the colour of the pawn that jumps, and the number of crossings left. `path` is the
    spelling of the way so far, `shut` the gates that it may not use again (TF-6).
    """
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


def can_move(position: Position) -> bool:
    return next(_moves(position), None) is not None


def _choices(position: Position) -> Iterator[Action]:
    net = position.setup.net
    return ("T:" + ",".join(listed(net, triple)) for triple in best_ternions(position, position.moved))


def _removals(position: Position) -> Iterator[Action]:
    names, sites, own = position.setup.net.names, position.sites, position.colour | TERNION
    return (f"-{names[site]}" for site in position.ternions[-1] if sites[site] == own)


def _additions(position: Position) -> Iterator[Action]:
    names = position.setup.net.names
    return (f"+{names[site]}" for site in vacant_sites(position))


def _review(position: Position) -> Iterator[Action]:
    """Yields the alterations of TF-13, and the end of the turn."""
    names, sites, added = position.setup.net.names, position.sites, position.colour | ADDED
    vacant = [names[site] for site in vacant_sites(position)]
    for site in position.setup.net.area:
        if sites[site] == added:
            start = f"~{names[site]}>"
            for name in vacant:
                yield start + name
    for gone, other in exchanges(position):
        yield f"~{names[gone]}>{names[other]}"
    yield "end"


_ACTIONS = {
    Phase.PLACE: _placements,
    Phase.MOVE: _moves_or_out,
    Phase.CHOOSE: _choices,
    Phase.REMOVE: _removals,
    Phase.ADD: _additions,
    Phase.REVIEW: _review,
}
