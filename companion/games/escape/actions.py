"""A position of Escape! and the actions open in it.

A chain of jumps is a flood: from a landing every pawn beside it can be jumped, onto every empty
intersection beside that pawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.core import Action, Player
from companion.games.escape.course import Course, Mask, Pair, members

PLAYERS = ("south", "north")
EVERYWHERE: Mask = -1


class Position(NamedTuple):
    """The board, each side's pawns on it, and the side to move (0 South, 1 North)."""

    course: Course
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


def actions(position: Position, named: Mask = EVERYWHERE) -> Iterator[Action]:
    """The jumps and sneaks of the player's pawns that begin or end on `named` intersections, or out of
    bounds."""
    jumps, sneaks = position.course.jumps, position.course.sneaks
    for start in members(position.pawns[position.seat]):
        wanted = EVERYWHERE if named >> start & 1 else named | position.course.outside
        if ends := jump_ends(position, start) & wanted:
            yield from _ending(position, start, ends, jumps[start])
        if ends := sneak_ends(position, start) & wanted:
            yield from _ending(position, start, ends, sneaks[start])


def can_act(position: Position) -> bool:
    return next(actions(position), None) is not None


def jump_ends(position: Position, start: int) -> Mask:
    """ES-3: the last landings of all chains, but for the start."""
    return landings(position, start, position.course.onward[position.seat]) & ~(1 << start)


def landings(position: Position, start: int, onward: Mask) -> Mask:
    """ES-2, ES-3: every landing within reach, going on from those in `onward`. The start is empty."""
    near = position.course.near
    occupied = position.occupied & ~(1 << start)
    reached = 0
    jumped = waiting = near[start] & occupied
    while waiting:
        over = waiting & -waiting
        waiting ^= over
        landed = near[over.bit_length() - 1] & ~(occupied | reached)
        reached |= landed
        landed &= onward
        while landed:
            landing = landed & -landed
            landed ^= landing
            beside = near[landing.bit_length() - 1] & occupied & ~jumped
            jumped |= beside
            waiting |= beside
    return reached


def sneak_ends(position: Position, start: int) -> Mask:
    """ES-6: the last empty intersection of each line, or the first one in the opponent's home zone."""
    course, occupied = position.course, position.occupied
    target = course.home[1 - position.seat]
    ends = 0
    for ray in course.rays[start]:
        end = 0
        for site in ray:
            if occupied >> site & 1:
                break
            end = 1 << site
            if end & target:
                break
        ends |= end
    return ends


def _ending(position: Position, start: int, ends: Mask, spelled: tuple[Action, ...]) -> Iterator[Action]:
    """The actions that end on these intersections, as ES-5 and ES-7 allow."""
    outside = ends & position.course.outside
    ends ^= outside
    if ends & position.course.home[position.seat]:
        ends &= ~filling(position, start)
    while ends:
        end = ends & -ends
        ends ^= end
        yield spelled[end.bit_length() - 1]
    if outside:
        names = position.course.names
        backs = [names[s] for s in members(returns(position, start))]
        for site in members(outside):
            for back in backs:
                yield f"{spelled[site]}={back}"


def filling(position: Position, start: int) -> Mask:
    """ES-7: where the pawn would fill its own home zone: its only empty intersection, if one is left."""
    vacant = position.course.home[position.seat] & ~(position.occupied & ~(1 << start))
    return vacant if vacant.bit_count() == 1 else 0


def returns(position: Position, start: int) -> Mask:
    """ES-5: where a pawn from out of bounds may be put: the empty ones of the farthest rank with any."""
    taken = position.occupied & ~(1 << start) | filling(position, start)
    for rank in position.course.backs[position.seat]:
        if vacant := rank & ~taken:
            return vacant & ~(1 << start)
    return 0
