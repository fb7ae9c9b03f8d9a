"""The net of triangular fields that TRID is played on, read from a board and tabled once.

A field has lattice coordinates (i, j, down): the rhombus spanned by the steps to the east and to the
north-east, halved into an `up` and a `down` triangle. The three strips through a field are those of
equal j (parallel to the south side), of equal i (south-east) and of equal i + j + down (north-east).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import NamedTuple, TypeAlias

from companion.core.board import Board, Point
from companion.core.game import GameError

ROW = sqrt(3) / 2
"""The height of a row of fields, in steps (edges of a field)."""
SIDES = 6
KINDS = ("master", "glider", "jumper")
AREAS = ("walls", "stops", *(f"{what} {side}" for side in range(SIDES) for what in ("side", "master")))

Triangle: TypeAlias = tuple[int, int, int]
"""The three corner fields of a big triangle, in ascending order."""
Field: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, eq=False, repr=False)
class Net:
    """The tables of a board: fields are numbers, in the order of the board file.

    `rays` are the ways of a glider from a field: up to the border, up to a wall, or onto a stop; `ways` go on
    to the border whatever lies on them. `depths[side]` tells how many rows a field is from that side.
    """

    board: str
    """The name of the board."""
    names: tuple[str, ...]
    index: Mapping[str, int]
    borders: tuple[tuple[int, ...], ...]
    jumps: tuple[tuple[int, ...], ...]
    ways: tuple[tuple[tuple[int, ...], ...], ...]
    rays: tuple[tuple[tuple[int, ...], ...], ...]
    depths: tuple[tuple[int, ...], ...]
    goals: tuple[frozenset[int], ...]
    starts: tuple[Mapping[int, str], ...]
    walls: frozenset[int]
    stops: frozenset[int]
    triangles: Mapping[Triangle, frozenset[int]]
    corners: tuple[tuple[Triangle, ...], ...]
    """The triangles of which each field is a corner, in ascending order."""
    seats: Mapping[int, tuple[int, ...]]
    moves: tuple[tuple[str, ...], ...]
    captures: tuple[tuple[str, ...], ...]

    def name(self, fields: Iterable[int]) -> tuple[str, ...]:
        """Returns the sites' names, in the order given."""
        return tuple(self.names[field] for field in fields)


class _Lattice(NamedTuple):
    coordinates: tuple[Field, ...]
    numbers: Mapping[Field, int]


@lru_cache(maxsize=16)
def net_of(board: Board) -> Net:
    """Returns the tables of a board. GameError where TRID cannot be played on it."""
    for area in AREAS:
        if area not in board.areas:
            raise GameError(f"board '{board.name}' does not suit TRID: it has no area \"{area}\"")
    names = tuple(board.sites)
    index = {name: field for field, name in enumerate(names)}
    lattice = _lattice(board)
    walls = frozenset(index[site] for site in board.areas["walls"])
    stops = frozenset(index[site] for site in board.areas["stops"])
    ways = tuple(tuple(_ways(lattice, field)) for field in range(len(names)))
    triangles = dict(_triangles(lattice))
    return Net(
        board=board.name,
        names=names,
        index=index,
        borders=tuple(_known(lattice, _bordering(f)) for f in lattice.coordinates),
        jumps=tuple(_known(lattice, _cornering(f)) for f in lattice.coordinates),
        ways=ways,
        rays=tuple(tuple(ray for way in w if (ray := _ray(way, walls, stops))) for w in ways),
        depths=tuple(zip(*(_depths(f) for f in lattice.coordinates), strict=True)),
        goals=tuple(_goal(board, index, side) for side in range(SIDES)),
        starts=tuple(_start(board, index, side) for side in range(SIDES)),
        walls=walls,
        stops=stops,
        triangles=triangles,
        corners=tuple(tuple(sorted(t for t in triangles if field in t)) for field in range(len(names))),
        seats=_seats(board),
        moves=tuple(tuple(f"{a}-{b}" for b in names) for a in names),
        captures=tuple(tuple(f"{a}x{b}" for b in names) for a in names),
    )


def _lattice(board: Board) -> _Lattice:
    coordinates = tuple(_coordinates(board, site, point) for site, point in board.sites.items())
    return _Lattice(coordinates, {field: number for number, field in enumerate(coordinates)})


def _coordinates(board: Board, site: str, point: Point) -> Field:
    x, y = point
    for down in (0, 1):
        j = (y - ROW * (1 + down) / 3) / ROW
        i = x - (1 + down) / 2 - round(j) / 2
        if abs(j - round(j)) < 0.05 and abs(i - round(i)) < 0.05:
            return round(i), round(j), down
    raise GameError(f"board '{board.name}' does not suit TRID: {site} is no field of the triangular grid")


def _bordering(field: Field) -> Iterator[Field]:
    i, j, down = field
    step = 1 if down else -1
    yield from ((i, j, 1 - down), (i + step, j, 1 - down), (i, j + step, 1 - down))


def _cornering(field: Field) -> Iterator[Field]:
    i, j, down = field
    for di, dj in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)):
        yield i + di, j + dj, down


def _known(lattice: _Lattice, fields: Iterable[Field]) -> tuple[int, ...]:
    return tuple(lattice.numbers[f] for f in fields if f in lattice.numbers)


def _strips(field: Field) -> tuple[int, int, int]:
    i, j, down = field
    return j, i, i + j + down


def _depths(field: Field) -> tuple[int, ...]:
    """Returns how far a field is from each side, in rows; only differences matter."""
    j, i, k = _strips(field)
    return j, -i, -k, -j, i, k


def _ways(lattice: _Lattice, start: int) -> Iterator[tuple[int, ...]]:
    """Yields the six ways along a strip; each bordering field is the first on two of them."""
    field = lattice.coordinates[start]
    for strip in range(3):
        for first in _bordering(field):
            if _strips(first)[strip] == _strips(field)[strip] and first in lattice.numbers:
                yield tuple(lattice.numbers[f] for f in _along(lattice, field, first, strip))


def _along(lattice: _Lattice, before: Field, field: Field, strip: int) -> Iterator[Field]:
    while field in lattice.numbers:
        yield field
        after = [f for f in _bordering(field) if f != before and _strips(f)[strip] == _strips(field)[strip]]
        before, field = field, after[0]


def _ray(way: tuple[int, ...], walls: frozenset[int], stops: frozenset[int]) -> tuple[int, ...]:
    end = next((n for n, f in enumerate(way) if f in walls), len(way))
    stop = next((n + 1 for n, f in enumerate(way) if f in stops), len(way))
    return way[: min(end, stop)]


def _triangles(lattice: _Lattice) -> Iterator[tuple[Triangle, frozenset[int]]]:
    """Yields every triangle of side 2 or more that lies wholly on the board: its corners, its inside."""
    for i, j, down in lattice.coordinates:
        step = -1 if down else 1
        size = 2
        while (i + step * (size - 1), j, down) in lattice.numbers:
            fields = _big(i, j, down, size)
            if all(f in lattice.numbers for f in fields):
                reach = step * (size - 1)
                corners = ((i, j, down), (i + reach, j, down), (i, j + reach, down))
                a, b, c = sorted(_known(lattice, corners))
                yield (a, b, c), frozenset(_known(lattice, fields)) - {a, b, c}
            size += 1


def _big(i: int, j: int, down: int, size: int) -> list[Field]:
    step = -1 if down else 1
    rhombs = [(i + step * a, j + step * b, a + b) for a in range(size) for b in range(size - a)]
    same = [(x, y, down) for x, y, _ in rhombs]
    return same + [(x, y, 1 - down) for x, y, n in rhombs if n < size - 1]


def _goal(board: Board, index: Mapping[str, int], side: int) -> frozenset[int]:
    return frozenset(index[site] for site in board.areas[f"side {(side + 3) % SIDES}"])


def _start(board: Board, index: Mapping[str, int], side: int) -> Mapping[int, str]:
    areas = {"master": f"master {side}", "glider": f"gliders {side}", "jumper": f"jumpers {side}"}
    return {index[site]: kind for kind, area in areas.items() for site in board.areas.get(area, ())}


def _seats(board: Board) -> Mapping[int, tuple[int, ...]]:
    seats = board.tables.get("seats", {"2": (0, 3), "3": (0, 4, 2), "4": (0, 4, 3, 1)})
    return {int(players): tuple(sides) for players, sides in seats.items()}
