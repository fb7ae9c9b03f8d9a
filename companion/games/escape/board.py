"""The board of Escape! as its rules read it.

Intersections are numbered in the order of the board file. A set of them is one integer with a bit for each,
so that the rules can follow many pawns and landings at once. `net_of` makes the tables of a board once; all
positions on it share them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from companion.core.bits import mask, members
from companion.core.board import Board, Point
from companion.core.game import Action, GameError, Site
from companion.games.ternion.board import check_names

AREAS = ("south", "north", "south home", "north home", "out of bounds")
DIRECTIONS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""East, north, west and south."""

Mask: TypeAlias = int
"""A set of intersections: bit n is set where intersection n belongs to it."""
Pair: TypeAlias = tuple[Mask, Mask]
"""A set for South and one for North."""


@dataclass(frozen=True, eq=False, repr=False)
class Net:
    """The tables of a board. Two nets are equal only if they are the same object."""

    names: tuple[Site, ...]
    index: Mapping[Site, int]
    near: tuple[Mask, ...]
    """The intersections next to each one along the lines."""
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    """The horizontal and vertical lines that lead away from each intersection, in order (ES-6)."""
    ways: tuple[tuple[tuple[tuple[Mask, ...], ...], ...], ...]
    """These lines for each player, one set a place, up to the first in the opponent's home zone (ES-6)."""
    start: Pair
    home: Pair
    outside: Mask
    """The intersections out of bounds."""
    backs: tuple[tuple[Mask, ...], tuple[Mask, ...]]
    """The ranks in bounds of each player, the farthest back first (ES-5)."""
    onward: Pair
    """For each player the landings from which a chain may go on: in bounds, and not in the opponent's home
    zone (ES-4, ES-5)."""
    jumps: tuple[tuple[Action, ...], ...]
    """The spelling of the jump from one intersection to another."""
    sneaks: tuple[tuple[Action, ...], ...]
    """The spelling of the sneak from one intersection to another."""


def net_of(board: Board) -> Net:
    """Returns the net of a board. Boards with equal contents share one.

    GameError: a site has another kind of name, or an area is missing.
    """
    check_names(board)
    missing = [area for area in AREAS if not board.areas.get(area)]
    if missing:
        raise GameError(f"board '{board.name}' lacks the area \"{missing[0]}\"")
    areas = tuple(tuple(board.areas[area]) for area in AREAS)
    return _net(tuple(board.sites.items()), board.links, areas)


@lru_cache(maxsize=16)
def _net(
    sites: tuple[tuple[Site, Point], ...],
    links: tuple[tuple[Site, Site], ...],
    areas: tuple[tuple[Site, ...], ...],
) -> Net:
    names = tuple(name for name, _ in sites)
    points = tuple(point for _, point in sites)
    index = {name: number for number, name in enumerate(names)}
    south, north, south_home, north_home, outside = (mask(index[site] for site in area) for area in areas)
    inside = mask(range(len(names))) & ~outside
    near = [0] * len(names)
    for a, b in links:
        near[index[a]] |= 1 << index[b]
        near[index[b]] |= 1 << index[a]
    ranks = _ranks(points, inside)
    rays = tuple(_rays(points, near, site) for site in range(len(names)))
    return Net(
        names=names,
        index=index,
        near=tuple(near),
        rays=rays,
        ways=tuple(
            tuple(tuple(_way(ray, home) for ray in r) for r in rays) for home in (north_home, south_home)
        ),
        start=(south, north),
        home=(south_home, north_home),
        outside=outside,
        backs=(ranks, ranks[::-1]),
        onward=(inside & ~north_home, inside & ~south_home),
        jumps=tuple(tuple(f"{a}>{b}" for b in names) for a in names),
        sneaks=tuple(tuple(f"{a}~{b}" for b in names) for a in names),
    )


def _ranks(points: tuple[Point, ...], inside: Mask) -> tuple[Mask, ...]:
    """Returns the intersections in bounds by rank, from south to north."""
    heights = sorted({points[site][1] for site in members(inside)})
    return tuple(mask(site for site in members(inside) if points[site][1] == height) for height in heights)


def _rays(points: tuple[Point, ...], near: list[Mask], start: int) -> tuple[tuple[int, ...], ...]:
    rays = (tuple(_ray(points, near, start, direction)) for direction in DIRECTIONS)
    return tuple(ray for ray in rays if ray)


def _ray(points: tuple[Point, ...], near: list[Mask], at: int, direction: tuple[int, int]) -> Iterator[int]:
    """Yields the intersections from one in a direction, up to the end of the line (ES-6)."""
    ahead = [at]
    while ahead:
        at = ahead[0]
        ahead = [site for site in members(near[at]) if _heading(points[at], points[site]) == direction]
        yield from ahead[:1]


def _way(ray: tuple[int, ...], home: Mask) -> tuple[Mask, ...]:
    """Returns the intersections of a line, each as a set, up to the first in a home zone."""
    length = next((number for number, site in enumerate(ray, 1) if home >> site & 1), len(ray))
    return tuple(1 << site for site in ray[:length])


def _heading(start: Point, end: Point) -> tuple[int, int]:
    """Returns the signs of the way east and of the way north."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
