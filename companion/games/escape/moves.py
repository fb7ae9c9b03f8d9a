"""The legal actions of Escape!, and what follows from them.

A chain of jumps is followed as a flood: from a landing every pawn beside it can be jumped, onto every empty
intersection beside that pawn. An action names only where the chain starts and ends.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from companion.core.bits import mask, members
from companion.core.game import EMPTY, Action, Changes, Event, Look, Place, Site, Step
from companion.games.escape.board import Mask
from companion.games.escape.position import Position

SITE = r"[a-z][1-9][0-9]?"
EVERYWHERE: Mask = -1


def legal(position: Position) -> Iterator[Action]:
    return _legal(position, EVERYWHERE)


def legal_at(position: Position, places: Collection[Place]) -> Iterator[Action]:
    """Yields the legal actions that begin or end on one of these places or out of bounds, and the pass."""
    index = position.net.index
    return _legal(position, mask(index[place] for place in places if place in index))


def _legal(position: Position, named: Mask) -> Iterator[Action]:
    if not all(position.pawns):  # ES-8: the game is over.
        return iter(())
    found = _pawn_moves(position, named)
    return iter(found if found or can_move(position) else ["pass"])  # ES-9


def can_move(position: Position) -> bool:
    return bool(_pawn_moves(position, EVERYWHERE))


def _pawn_moves(position: Position, named: Mask) -> list[Action]:
    """Returns the jumps and sneaks that begin or end on `named` intersections, or end out of bounds."""
    net, pawns, seat = position
    home, outside = net.home[seat], net.outside
    found: list[Action] = []
    for start in members(pawns[seat]):
        wanted = EVERYWHERE if named >> start & 1 else named | outside
        if not home >> start & 1:  # a pawn of the home zone leaves a gap behind
            wanted &= ~last_home_gap(position, start)
        for ends, spellings in (
            (jump_ends(position, start) & wanted, net.jumps[start]),
            (sneak_ends(position, start) & wanted, net.sneaks[start]),
        ):
            staying = ends & ~outside
            while staying:
                end = staying & -staying
                staying ^= end
                found.append(spellings[end.bit_length() - 1])
            if beyond := ends & outside:
                found += _returned(position, start, beyond, spellings)
    return found


def jump_ends(position: Position, start: int) -> Mask:
    """Returns where chains of jumps can end: on any landing but the start (ES-3)."""
    return landings(position, start, position.net.onward[position.seat]) & ~(1 << start)


def landings(position: Position, start: int, onward: Mask) -> Mask:
    """Returns every landing of the chains from `start` that go on only from landings in `onward`.

    ES-2, ES-3: the start counts as empty, and a pawn may be jumped again. Jumping it from another side
    leads nowhere new, for a jump ends on any empty intersection beside the pawn; so each is jumped once.
    """
    net, (south, north), _ = position
    near = net.near
    occupied = (south | north) & ~(1 << start)
    reached = 0
    waiting = near[start] & occupied
    left = occupied & ~waiting  # the pawns that no chain has come to
    while waiting:
        over = waiting & -waiting
        waiting ^= over
        landed = near[over.bit_length() - 1] & ~(occupied | reached)
        reached |= landed
        landed &= onward
        while landed and left:
            landing = landed & -landed
            landed ^= landing
            if beside := near[landing.bit_length() - 1] & left:
                left ^= beside
                waiting |= beside
    return reached


def sneak_ends(position: Position, start: int) -> Mask:
    """Returns where sneaks end (ES-6).

    That is the last empty intersection of each line, or the first one in the opponent's home zone.
    """
    net, (south, north), seat = position
    occupied = south | north
    ends = 0
    for way in net.ways[seat][start]:
        end = 0
        for site in way:
            if occupied & site:
                break
            end = site
        ends |= end
    return ends


def _returned(position: Position, start: int, ends: Mask, spellings: tuple[Action, ...]) -> list[Action]:
    """Returns the actions of one kind that end on these intersections out of bounds, as ES-5 allows."""
    names = position.net.names
    backs = [names[site] for site in members(returns(position, start))]
    return [f"{spellings[site]}={back}" for site in members(ends) for back in backs]


def last_home_gap(position: Position, start: int) -> Mask:
    """Returns the only empty intersection of the player's home zone, if one is left (ES-7).

    The pawn on `start` would fill the zone by going there. Its own place counts as empty.
    """
    vacant = position.net.home[position.seat] & ~(position.occupied & ~(1 << start))
    return vacant if vacant.bit_count() == 1 else 0


def returns(position: Position, start: int) -> Mask:
    """Returns where a pawn from out of bounds may be put (ES-5).

    These are the empty intersections of the farthest rank back that has any. The start counts as empty
    there, but the pawn may not end on it.
    """
    taken = position.occupied & ~(1 << start) | last_home_gap(position, start)
    for rank in position.net.backs[position.seat]:
        if vacant := rank & ~taken:
            return vacant & ~(1 << start)
    return 0


def play(position: Position, action: Action) -> Step[Position]:
    return Step(after(position, action), tuple(_events(position, action)))


def after(position: Position, action: Action) -> Position:
    net, (south, north), seat = position
    if action != "pass":
        start, end, *back = sites_of(action)
        moved = 1 << net.index[start]
        if back or not _escapes(position, end):  # ES-4, ES-5
            moved |= 1 << net.index[back[0] if back else end]
        south, north = (south, north ^ moved) if seat else (south ^ moved, north)
    return Position(net, (south, north), 1 - seat)


def _events(position: Position, action: Action) -> Iterator[Event]:
    player, left = position.turn, position.pawns[position.seat].bit_count()
    if action == "pass":
        yield Event("passed", player)
        return
    start, end, *back = sites_of(action)
    yield Event("sneaked" if "~" in action else "jumped", player, (start, end), {"start": start, "end": end})
    if back:  # ES-5
        yield Event("returned", player, (back[0],), {"start": back[0], "end": end})
    elif _escapes(position, end):  # ES-4
        yield Event("escaped", player, (end,), {"left": left - 1})
        if left == 1:  # ES-8
            yield Event("won", player)


def _escapes(position: Position, end: Place) -> bool:
    """Returns whether a pawn of the player's that ends here is in the opponent's home zone (ES-4)."""
    return bool(position.net.home[1 - position.seat] >> position.net.index[end] & 1)


def change(position: Position, action: Action) -> Changes:
    if action == "pass":
        return {}
    start, end, *back = sites_of(action)
    changed: dict[Place, tuple[Look, Look]] = {start: (position.turn, EMPTY)}
    if back or not _escapes(position, end):
        changed[back[0] if back else end] = (EMPTY, position.turn)
    return changed


def sites_of(action: str) -> list[Site]:
    return re.findall(SITE, action)
