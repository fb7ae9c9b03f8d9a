"""What a hand does over the table, moment by moment: reaching out, carrying, putting down, leaving.

For tests and demonstrations: the moments are tables, to be shown one after the other by a virtual camera,
so that a move can be played as a player would play it, and not by magic.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from math import cos, radians, sin
from random import Random

from companion.board import Point
from companion.core import EMPTY, Look, Place
from vision.virtual.layout import plank, spots
from vision.virtual.tabletop import Item, Tabletop

FAR = 1.6  # how far outside the board a hand comes from, in lengths of the board
SOUTH = -90.0


def carry(
    table: Tabletop, item: Item, end: Point, rng: Random, *, side: float = SOUTH, moments: int = 4
) -> Iterator[Tabletop]:
    """A hand comes, takes a thing, puts it down at a point and leaves; the last moment is without it.
    Each of its three ways takes a number of moments."""
    for at in _way(_outside(table, item.at, side), item.at, moments):
        yield table.reach(at, side)
    held = table.grasp(item, side)
    start = held.hand.at if held.hand else item.at
    for at in _way(start, end, moments):
        yield held.reach(at)
    put = held.reach(end).release(rng, stay=True)
    yield from _leave(put, end, side, moments)


def change(
    table: Tabletop, place: Place, look: Look, rng: Random, *, side: float = SOUTH, moments: int = 4
) -> Iterator[Tabletop]:
    """A hand covers a place, and when it leaves there is this look: a piece turned over, a marker laid."""
    at = table.board.where(place)
    for point in _way(_outside(table, at, side), at, moments):
        yield table.reach(point, side)
    changed = table.withdraw().become({**table.looks(), place: look}, rng)
    yield from _leave(changed.reach(at, side), at, side, moments)


def perform(
    table: Tabletop, looks: Mapping[Place, Look], rng: Random, *, side: float = SOUTH, moments: int = 4
) -> Iterator[Tabletop]:
    """All that hands do to get from the table to these looks: what is taken goes first, then what moves
    (and is turned over where it came to), then what changes where it stands or comes from beside."""
    for start, end in _moves(table, looks):
        if end is None or table.at(end):
            taken = table.at(end or start)
            if taken:
                away = _aside(table, taken)
                table = yield from _play(carry(table, taken, away, rng, side=side, moments=moments))
        moved = table.at(start)
        if end is not None and moved:
            goal = table.board.where(end)
            table = yield from _play(carry(table, moved, goal, rng, side=side, moments=moments))
    for place in sorted({*looks, *table.looks()}, key=lambda p: (looks.get(p, EMPTY) != EMPTY, p)):
        look = looks.get(place, EMPTY)
        if table.looks().get(place, EMPTY) != look:
            table = yield from _play(change(table, place, look, rng, side=side, moments=moments))


def _play(moments: Iterator[Tabletop]) -> Generator[Tabletop, None, Tabletop]:
    """Passes the moments on and returns the last one."""
    last = next(moments)
    yield last
    for last in moments:
        yield last
    return last


def _moves(table: Tabletop, looks: Mapping[Place, Look]) -> list[tuple[Place, Place | None]]:
    """From where to where pieces move, None for those that leave the board; Ports turn where they are."""
    there = table.looks()
    wrong = [p for p, look in there.items() if looks.get(p, EMPTY) != look and p in table.board.sites]
    missing = [p for p, look in looks.items() if there.get(p, EMPTY) != look and p in table.board.sites]
    found: list[tuple[Place, Place | None]] = []
    for alike in (_same, _same_owner):
        for start in wrong[:]:
            end = next((m for m in missing if m != start and alike(there[start], looks[m])), None)
            if end and looks.get(start, EMPTY) == EMPTY:
                wrong.remove(start)
                missing.remove(end)
                found.append((start, end))
    ends = {end for _, end in found}
    return found + [(p, None) for p in wrong if looks.get(p, EMPTY) == EMPTY and p not in ends]


def _same(one: Look, other: Look) -> bool:
    return one == other


def _same_owner(one: Look, other: Look) -> bool:
    return one.partition("+")[0].partition("/")[0] == other.partition("+")[0].partition("/")[0]


def _aside(table: Tabletop, item: Item) -> Point:
    taken = [i.at for i in table.items]
    spot = spots(table.board, item.owner)
    return next(p for p in spot if all(abs(p[0] - x) + abs(p[1] - y) > 0.5 for x, y in taken))


def _leave(table: Tabletop, at: Point, side: float, moments: int) -> Iterator[Tabletop]:
    for point in _way(at, _outside(table, at, side), moments):
        yield table.reach(point, side)
    yield table.withdraw()


def _way(start: Point, end: Point, moments: int) -> Iterator[Point]:
    for n in range(moments + 1):
        share = n / moments
        yield start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _outside(table: Tabletop, at: Point, side: float) -> Point:
    wood, angle = plank(table.board), radians(side)
    far = FAR * max(wood.east - wood.west, wood.north - wood.south)
    return at[0] + far * cos(angle), at[1] + far * sin(angle)
