"""The board of Escape! as its rules read it: sets of intersections as integers, tabled once for a board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from companion.board import Board, Point
from companion.core import Action, GameError, Site
from companion.games.ternion.net import check_names

AREAS = ("south", "north", "south home", "north home", "out of bounds")

Mask: TypeAlias = int
"""A set of intersections, a bit for each."""
Pair: TypeAlias = tuple[Mask, Mask]
"""One for South, one for North."""


@dataclass(frozen=True, eq=False)
class Course:
    """The board as the rules read it. Compared by identity: laid once for a board."""

    names: tuple[Site, ...]
    index: Mapping[Site, int]
    near: tuple[Mask, ...]
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    """For each intersection the horizontal and vertical lines from it, in order."""
    start: Pair
    home: Pair
    outside: Mask
    backs: tuple[tuple[Mask, ...], tuple[Mask, ...]]
    """For each player the ranks in bounds, the farthest back first."""
    onward: Pair
    """For each player where a chain may go on: in bounds, and not in the opponent's home zone."""
    jumps: tuple[tuple[Action, ...], ...]
    sneaks: tuple[tuple[Action, ...], ...]

    def __repr__(self) -> str:
        return f"<Course of {len(self.names)} intersections>"


def lay_course(board: Board) -> Course:
    """The course of a board. Boards with equal contents share one; GameError where an area is missing."""
    check_names(board)
    missing = [area for area in AREAS if not board.areas.get(area)]
    if missing:
        raise GameError(f"board '{board.name}' lacks the area \"{missing[0]}\"")
    areas = tuple(tuple(board.areas[area]) for area in AREAS)
    return _lay(tuple(board.sites.items()), board.links, areas)


@lru_cache(maxsize=16)
def _lay(
    sites: tuple[tuple[Site, Point], ...],
    links: tuple[tuple[Site, Site], ...],
    areas: tuple[tuple[Site, ...], ...],
) -> Course:
    names = tuple(name for name, _ in sites)
    index = {name: i for i, name in enumerate(names)}
    south, north, south_home, north_home, outside = (mask(index[s] for s in area) for area in areas)
    inside = mask(range(len(names))) & ~outside
    near = [0] * len(names)
    for a, b in links:
        near[index[a]] |= 1 << index[b]
        near[index[b]] |= 1 << index[a]
    points = tuple(point for _, point in sites)
    ranks = _ranks(points, inside)
    return Course(
        names=names,
        index=index,
        near=tuple(near),
        rays=tuple(_rays(points, near, s) for s in range(len(names))),
        start=(south, north),
        home=(south_home, north_home),
        outside=outside,
        backs=(ranks, ranks[::-1]),
        onward=(inside & ~north_home, inside & ~south_home),
        jumps=tuple(tuple(f"{a}>{b}" for b in names) for a in names),
        sneaks=tuple(tuple(f"{a}~{b}" for b in names) for a in names),
    )


def _ranks(points: tuple[Point, ...], inside: Mask) -> tuple[Mask, ...]:
    heights = sorted({points[s][1] for s in members(inside)})
    return tuple(mask(s for s in members(inside) if points[s][1] == y) for y in heights)


def _rays(points: tuple[Point, ...], near: list[Mask], start: int) -> tuple[tuple[int, ...], ...]:
    directions = ((1, 0), (0, 1), (-1, 0), (0, -1))
    found = (tuple(_ray(points, near, start, direction)) for direction in directions)
    return tuple(ray for ray in found if ray)


def _ray(points: tuple[Point, ...], near: list[Mask], at: int, direction: tuple[int, int]) -> Iterator[int]:
    """ES-6: on along a horizontal or vertical line as long as it goes on."""
    ahead = [at]
    while ahead:
        at = ahead[0]
        ahead = [s for s in members(near[at]) if _heading(points[at], points[s]) == direction]
        yield from ahead[:1]


def _heading(start: Point, end: Point) -> tuple[int, int]:
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)


def mask(sites: Iterable[int]) -> Mask:
    found = 0
    for site in sites:
        found |= 1 << site
    return found


def members(sites: Mask) -> Iterator[int]:
    while sites:
        bit = sites & -sites
        sites ^= bit
        yield bit.bit_length() - 1
