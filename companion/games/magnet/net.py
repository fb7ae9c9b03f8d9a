"""The net of vertices that Magnet is played on, read from a board and tabled once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import TypeAlias

from companion.board import Board, Point
from companion.core import GameError

COLUMN = sqrt(3) / 2
"""The distance of two columns, in steps."""
DIRECTIONS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
PLAYERS = ("red", "blue")
LETTERS = "K234tT"
DEALT = "K222333444tT"

Axial: TypeAlias = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Net:
    """The tables of a board: vertices are numbers, in the order of the board file.

    `rays[m]` are the lines that radiate from a vertex, outward; `lines[m][v]` is the way from v to m,
    with m and without v. `starts` are each side's starting vertices, `letters` the pieces put on them.
    """

    names: tuple[str, ...]
    index: Mapping[str, int]
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    lines: tuple[Mapping[int, tuple[int, ...]], ...]
    centre: int
    starts: tuple[tuple[int, ...], tuple[int, ...]]
    letters: str
    magnets: tuple[str, ...]
    promotions: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Net of {len(self.names)} vertices>"


@lru_cache(maxsize=16)
def net(board: Board) -> Net:
    """The tables of a board. GameError where Magnet cannot be played on it."""
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
        lines=tuple(_lines(magnet, lines) for magnet, lines in enumerate(rays)),
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
    if abs(q - round(q)) > 0.05 or abs(r - round(r)) > 0.05:
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
    return {
        vertex: (*reversed(ray[:distance]), magnet)
        for ray in rays for distance, vertex in enumerate(ray)
    }
