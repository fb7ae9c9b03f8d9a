"""The board of Magnet as its rules read it: a net of vertices, and the lines that radiate from each.

Vertices are numbered in the order of the board file. `net_of` makes the tables of a board once; all positions
on it share them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import TypeAlias

from companion.core.board import Board, Point
from companion.core.game import GameError

COLUMN = sqrt(3) / 2
"""The distance of two columns, in steps."""
TOLERANCE = 0.05
"""The greatest distance of a site from its vertex of the net, in columns and in steps."""
DIRECTIONS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""The six ways along the net, as axial coordinates."""
PLAYERS = ("red", "blue")
LETTERS = "K234tT"
"""The kinds of pieces: the king, pieces of value 2 to 4, traps of value 2 and 3."""
DEALT = "K222333444tT"
"""The pieces of each player, where the board file does not say otherwise."""

Axial: TypeAlias = tuple[int, int]
"""A vertex as its column and its row on the slanting line."""


@dataclass(frozen=True, eq=False, repr=False)
class Net:
    """The tables of a board. Two nets are equal only if they are the same object."""

    names: tuple[str, ...]
    index: Mapping[str, int]
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    """The lines that radiate from each vertex, outward."""
    lines: tuple[Mapping[int, tuple[int, ...]], ...]
    """`lines[magnet][vertex]` is the way from the vertex to the magnet, with the magnet's own vertex."""
    centre: int
    starts: tuple[tuple[int, ...], tuple[int, ...]]
    """The starting vertices of each side."""
    letters: str
    """The pieces that each side puts on them."""
    magnets: tuple[str, ...]
    """The spelling of the magnet's placement on each vertex."""
    promotions: tuple[str, ...]
    """The spelling of a move with promotion from each vertex."""


@lru_cache(maxsize=16)
def net_of(board: Board) -> Net:
    """Returns the net of a board. GameError where Magnet cannot be played on it."""
    letters = board.tables.get("letters", DEALT)
    _check(board, letters)
    names = tuple(board.sites)
    index = {name: vertex for vertex, name in enumerate(names)}
    points = tuple(_axial(board, site, point) for site, point in board.sites.items())
    numbers = {point: vertex for vertex, point in enumerate(points)}
    rays = tuple(tuple(_rays(numbers, point)) for point in points)
    red, blue = (tuple(index[site] for site in board.areas[player]) for player in PLAYERS)
    return Net(
        names=names,
        index=index,
        rays=rays,
        lines=tuple(_lines(magnet, radiating) for magnet, radiating in enumerate(rays)),
        centre=index[board.areas["centre"][0]],
        starts=(red, blue),
        letters=letters,
        magnets=tuple(f"@{name}" for name in names),
        promotions=tuple(f"{name}+" for name in names),
    )


def _check(board: Board, letters: str) -> None:
    complaint = f"board '{board.name}' does not suit Magnet"
    for area in ("centre", *PLAYERS):
        if not board.areas.get(area):
            raise GameError(f'{complaint}: it has no area "{area}"')
    if not set(letters) <= set(LETTERS) or letters.count("K") != 1:
        raise GameError(f'{complaint}: "letters" are one K and any of {LETTERS[1:]}')
    for player in PLAYERS:
        if len(set(board.areas[player])) != len(letters):
            raise GameError(f"{complaint}: {player} has not {len(letters)} different starting vertices")
    if set(board.areas["red"]) & set(board.areas["blue"]):
        raise GameError(f"{complaint}: red and blue start on the same vertex")


def _axial(board: Board, site: str, point: Point) -> Axial:
    x, y = point
    q = x / COLUMN
    r = -y - round(q) / 2
    if abs(q - round(q)) > TOLERANCE or abs(r - round(r)) > TOLERANCE:
        raise GameError(f"board '{board.name}' does not suit Magnet: {site} is no vertex of the net")
    return round(q), round(r)


def _rays(numbers: Mapping[Axial, int], point: Axial) -> Iterator[tuple[int, ...]]:
    for direction in DIRECTIONS:
        ray = tuple(_ray(numbers, point, direction))
        if ray:
            yield ray


def _ray(numbers: Mapping[Axial, int], point: Axial, direction: Axial) -> Iterator[int]:
    q, r = point[0] + direction[0], point[1] + direction[1]
    while (q, r) in numbers:
        yield numbers[q, r]
        q, r = q + direction[0], r + direction[1]


def _lines(magnet: int, rays: tuple[tuple[int, ...], ...]) -> Mapping[int, tuple[int, ...]]:
    """Returns the way to the magnet from each vertex on one of its lines."""
    lines = {}
    for ray in rays:
        for distance, vertex in enumerate(ray):
            lines[vertex] = (*reversed(ray[:distance]), magnet)
    return lines
