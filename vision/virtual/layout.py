"""The lie of a board on its table: its wood, where pieces can stand on it, where they lie beside it.

Lengths are steps of the board, x to the east, y to the north. Lengths that belong to the size of pieces are
measured in the distance of the nearest two sites, `spacing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count, pairwise
from math import dist
from typing import NamedTuple

from companion.core.board import Board, Face, Point
from companion.core.game import Look, Place, Site

CORNERS = ("nw", "sw", "se", "ne")
"""The corners of a quadrant, anticlockwise: a Port turns from each to the next."""
REACH = 0.72
"""The greatest distance from a site at which a piece stands on it, in distances of neighbouring sites."""
MARKER_REACH = 0.3
"""The same for a marker alone, which is small and may lie between sites, on a line."""
BORDER = 0.95
"""The breadth of the wood beyond the playing field: room for a printed marker; distances of sites."""
LABEL_ROOM = 0.35
"""The breadth of the wood beyond the middle of a label; steps."""


class Plank(NamedTuple):
    """The board's wood (or mat), a rectangle in steps."""

    west: float
    south: float
    east: float
    north: float

    @property
    def corners(self) -> list[Point]:
        """The corners: south-west, south-east, north-east, north-west."""
        west, south, east, north = self
        return [(west, south), (east, south), (east, north), (west, north)]

    def holds(self, point: Point) -> bool:
        return self.west <= point[0] <= self.east and self.south <= point[1] <= self.north


@cache
def spacing(board: Board) -> float:
    """Returns the distance of the nearest two sites, in steps."""
    points = sorted(board.sites.values())
    near = min((dist(a, b) for a, b in pairwise(points) if a != b), default=1.0)
    return min([near, *(dist(a, b) for i, a in enumerate(points) for b in points[i + 1 : i + 30])])


@cache
def plank(board: Board) -> Plank:
    """Returns the wood of a board: its outline, its drawing, and a border to print markers on."""
    border = BORDER * spacing(board)
    points = [(point, border) for point in board.outline]
    for shape in board.shapes:
        room = LABEL_ROOM if shape.kind == "text" else 0.0
        points += [(point, room) for point in shape.points]
    return Plank(
        west=min(x - room for (x, _), room in points),
        south=min(y - room for (_, y), room in points),
        east=max(x + room for (x, _), room in points),
        north=max(y + room for (_, y), room in points),
    )


def corner_offset(corner: str) -> Point:
    """Returns the way from the middle of a quadrant to where a Port in this corner is seen; (0, 0) for ''."""
    if not corner:
        return 0.0, 0.0
    return (0.3 if corner[1] == "e" else -0.3), (0.3 if corner[0] == "n" else -0.3)


def face_of(board: Board, look: Look) -> Face:
    """Returns how a piece is made; a marker alone is a small disc with its letter."""
    piece, _, marker = look.partition("+")
    if not piece:
        return board.pieces.faces.get(f"+{marker}") or Face("disc", 0.2 * spacing(board), 0.07, marker)
    try:
        return board.pieces.face(look)
    except KeyError:
        return next(iter(board.pieces.faces.values()), Face("disc", 0.36 * spacing(board), 0.2))


def nearest_site(board: Board, at: Point, *, marker: bool = False) -> Site | None:
    """Returns where a piece (or a marker alone) at a point stands; None where it lies beside or between."""
    points = _standing_points(board, marker)
    name = min(points, key=lambda n: (points[n][0] - at[0]) ** 2 + (points[n][1] - at[1]) ** 2)
    reach = MARKER_REACH if marker else REACH
    return name if dist(points[name], at) <= reach * spacing(board) else None


@cache
def _standing_points(board: Board, markers: bool) -> Mapping[str, Point]:
    """Returns where a piece can stand; a marker alone can also lie on places that are no Port's corner."""
    parts = {n: p for n, p in board.places.items() if not corner_of(board, n)} if markers else {}
    return {**board.sites, **parts}


def corner_of(board: Board, place: Place) -> str:
    """Returns the corner in the name of a part of a square, `nw` of `b2nw`; '' for other places."""
    corner = place[-2:]
    return corner if corner in CORNERS and place[:-2] in board.sites else ""


def spots(board: Board, owner: str) -> Iterator[Point]:
    """Yields the spots beside the board where things of an owner are laid, in the order in which they are
    used: the first paint's in the east from the south, the second's in the west from the north, and so on;
    markers, which are nobody's, in the west from the south."""
    wood, pitch = plank(board), spot_pitch(board)
    painted = [*board.pieces.paint]
    turn = painted.index(owner) if owner in painted else 3
    east, upwards = turn % 2 == 0, turn % 4 in (0, 3)
    rows = max(1, int((wood.north - wood.south) / pitch))
    for n in count():
        column, row = divmod(n, rows)
        x, y = (0.9 + column) * pitch, (0.5 + row) * pitch
        yield (wood.east + x if east else wood.west - x, wood.south + y if upwards else wood.north - y)


@cache
def spot_pitch(board: Board) -> float:
    """Returns how far apart things lie beside a board, in steps."""
    widest = max((face.radius for face in board.pieces.faces.values()), default=0.3)
    return min(max(2.2 * widest, 0.62 * spacing(board)), 1.1 * spacing(board))
