"""Makes tables of photographs of real boards, in sets: folders with a `truth.json`.

It names `pictures`, each with `file`, `game`, `size`, `corners` (pixels of SW, SE, NE, NW) and what stands
where: `position` (place → look, what is not named is empty), `looks` (place → look, also EMPTY, what is not
named is not known) or, without corners, `sites` ([x, y, look] of crossings of lines `step` pixels apart).
Pictures of a set that show the board in one place are one table, pictures with `sites` one each. Where the
camera was moved the pictures are also put straight by their corners, and all together are one table more.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np

from companion.core.board import Board, Face, PieceSet, Point, Shape, load_board
from companion.core.game import EMPTY, Look, Place
from vision.arrays import Image
from vision.calibration.background_estimate import estimate_background
from vision.finding.locate import BoardNotFoundError, locate_corners
from vision.geometry.view import View
from vision.known.layout import PlaceLayout
from vision.reading.sight import Sight
from vision.training.places.tables import MARGIN, UNKNOWN, CropTable, KnownFrame
from vision.training.truth import Entry, corners_of, read_picture, truth_of

ALIKE = 0.01
"""The part of a picture's width by which the corners of a board that was not moved may differ."""
WIDEST = 1000
"""Pixels to which pictures are scaled down."""
VARIANTS = 3
"""Pictures of a group from each of which the empty board is pieced together."""
MOST = 60
"""Further pictures in a variant."""
TALLEST = {"chess": 1.6}
LOW = 0.3
"""The heights of pieces, and of discs and stones; steps."""
MANY_BOARDS = ("go",)
"""Games whose sets show several boards: pictures of different boards are not put together."""
STRAIGHT, RIM = 480, 90
"""Pixels of a side of a picture that was put straight, and of what is kept beside the board."""
SQUARE: tuple[Point, ...] = tuple(
    (float(x), float(y))
    for x, y in (
        (RIM, STRAIGHT - RIM),
        (STRAIGHT - RIM, STRAIGHT - RIM),
        (STRAIGHT - RIM, RIM),
        (RIM, RIM),
    )
)
"""The corners of the board in it, south down."""
MOST_SITES = 160
"""Crossings without names that are taken of a picture."""
FILES = "abcdefghijklmnopqrstuvwxyz"
GO_FILES = "ABCDEFGHJKLMNOPQRST"
"""A Go board has no I."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Photograph:
    """A picture of a board whose corners (pixels) and position are known; places of which it is not known
    what stands there are UNKNOWN."""

    file: Path
    game: str
    size: tuple[int, int]
    corners: tuple[Point, ...]
    position: Mapping[Place, Look]

    def like(self, other: Photograph) -> bool:
        """Returns whether the board lies where it does in another picture."""
        off = np.abs(np.array(self.corners) - np.array(other.corners)).max()
        return self.size == other.size and bool(off <= ALIKE * self.size[0])

    def read(self) -> Image:
        """Returns the picture, no wider than WIDEST."""
        image = read_picture(self.file)
        scale = WIDEST / image.shape[1]
        if scale < 1:
            image = np.asarray(
                cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
            )
        return image


def tables(folder: Path) -> Iterator[CropTable]:
    """Yields the tables of one set. A board that is not found where its corners say is left out."""
    found = groups(photographs(folder))
    for number, group in enumerate(found):
        try:
            yield from _variants(f"photo.{folder.name}.{number}", group)
        except BoardNotFoundError as error:
            log.warning("%s: left out: %s", group[0].file, error.reason)
    if len(found) > 1 and found[0][0].game not in MANY_BOARDS:
        yield from straightened(f"photo.{folder.name}.straight", [p for group in found for p in group])
    for entry in truth_of(folder)["pictures"]:
        if entry.get("sites"):
            name = f"photo.{folder.name}.{Path(entry['file']).stem}.0"
            yield _of_sites(name, read_picture(folder / entry["file"]), entry)


def photographs(folder: Path) -> list[Photograph]:
    """Returns the pictures of a set whose corners and position are known, and that show no hands."""
    return [
        Photograph(
            folder / p["file"], p["game"], (p["size"][0], p["size"][1]), tuple(corners_of(p)), _position(p)
        )
        for p in truth_of(folder)["pictures"]
        if p.get("corners") and _is_known(p) and not p.get("hands")
    ]


def _is_known(entry: Entry) -> bool:
    return entry.get("position") is not None or entry.get("looks") is not None


def _position(entry: Entry) -> Mapping[Place, Look]:
    """Returns what stands on the places of a picture that are not empty; UNKNOWN where that is not known."""
    if entry.get("position") is not None:
        return dict(entry["position"])
    known = entry["looks"]
    looks = {place: known.get(place, UNKNOWN) for place in board_of(entry["game"]).sites}
    return {place: look for place, look in looks.items() if look != EMPTY}


def straightened(name: str, pictures: Sequence[Photograph]) -> Iterator[CropTable]:
    """Yields the tables of pictures of one board by cameras in different places, each put straight.

    The first picture is that with most pieces. Nobody knows any more where its camera was.
    """
    shown = sorted((p for p in pictures if p.position), key=_fewest)
    chosen = [shown[0], *Random(name).sample(shown[1:], min(len(shown) - 1, MOST))]
    images = {p.file: straight(p) for p in chosen}
    turned = [replace(p, size=(STRAIGHT, STRAIGHT), corners=SQUARE) for p in chosen]
    yield from _variants(name, turned, images)


def straight(photograph: Photograph) -> Image:
    """Returns a picture put straight: the board's corners are SQUARE."""
    square = np.array(SQUARE, np.float32)
    image = photograph.read()
    scale = image.shape[1] / photograph.size[0]
    corners = np.array([((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) for x, y in photograph.corners])
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    return np.asarray(
        cv2.warpPerspective(
            image, matrix, (STRAIGHT, STRAIGHT), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )


def _of_sites(name: str, image: Image, entry: Entry) -> CropTable:
    """Makes the table of one picture of crossings without names: the board is taken to be seen from straight
    above, one step of it as long as the entry says."""
    step = float(entry["step"])
    some = Random(name).sample(entry["sites"], min(len(entry["sites"]), MOST_SITES))
    sites = {str(n): (x / step, -y / step) for n, (x, y, _) in enumerate(some)}
    looks = {str(n): look for n, (_, _, look) in enumerate(some) if look != EMPTY}
    points = np.array([*sites.values()])
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    board = replace(_plain("go", sites, 1.0, []), outline=((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    layout = PlaceLayout.of(board, parts=False)
    height, width = image.shape[:2]
    view = View.of(np.diag((step, -step, 1.0)), (width, height), (x0, y0, x1, y1))
    empty = estimate_background(layout, view, LOW, [image], [looks])
    return CropTable.of(name, Sight(layout, view, empty, MARGIN), [KnownFrame(image, looks)])


def groups(pictures: Sequence[Photograph]) -> list[list[Photograph]]:
    """Groups pictures with the board in the same place; the first of each group shows the most of every
    colour."""
    found: list[list[Photograph]] = []
    for picture in pictures:
        group = next((g for g in found if picture.like(g[0])), None)
        if group is None:
            found.append([picture])
        else:
            group.append(picture)
    return [sorted(group, key=_fewest) for group in found]


def _fewest(picture: Photograph) -> tuple[int, int, str]:
    counts = Counter(look for look in picture.position.values() if look != UNKNOWN)
    return -min(counts.values(), default=0), -len(picture.position), picture.file.name


def _variants(
    name: str, group: Sequence[Photograph], images: Mapping[Path, Image] | None = None
) -> Iterator[CropTable]:
    """Yields the group's table with the empty board pieced together from one picture, which comes first, and
    from another one. `images` are the pictures by their files, where they are not as the files have them."""
    first = group[0]
    if not first.position:
        return
    layout = PlaceLayout.of(board_of(first.game), parts=False)
    frames = [KnownFrame(p.read() if images is None else images[p.file], p.position) for p in group]
    view = view_of(first, frames[0].image, layout.board)
    height = height_of(first.game)
    for variant in range(min(VARIANTS, len(group))):
        chosen = variant * max(1, len(group) // VARIANTS)
        known, others = frames[chosen], [*frames[:chosen], *frames[chosen + 1 :]]
        if known.looks:
            empty = estimate_background(layout, view, height, [known.image], [known.looks])
            some = Random(variant).sample(others, min(len(others), MOST))
            yield CropTable.of(f"{name}.{variant}", Sight(layout, view, empty, MARGIN), [known, *some])


def height_of(game: str) -> float:
    """Returns how high the pieces of a game are taken to be; steps."""
    return TALLEST.get(game, LOW)


def view_of(picture: Photograph, image: Image, board: Board) -> View:
    """Returns the view of a photograph as a calibration by its corners finds it."""
    scale = image.shape[1] / picture.size[0]
    corners = [((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) for x, y in picture.corners]
    return locate_corners(image, board, corners).view


@cache
def board_of(game: str) -> Board:
    """Returns the board of a game of the sets: `chess`, `draughts10` or `go`."""
    return {"draughts10": lambda: chequered(10), "go": lambda: lined(GO_FILES)}.get(
        game, lambda: load_board(game)
    )()


def chequered(count: int) -> Board:
    """Returns a board of draughts: count × count squares, a1 dark."""
    cells = [(i, j) for i in range(count) for j in range(count)]
    sites = {f"{FILES[i]}{j + 1}": (i + 0.5, j + 0.5) for i, j in cells}
    squares = [
        Shape("polygon", ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)), "light" if (i + j) % 2 else "dark")
        for i, j in cells
    ]
    return _plain(f"draughts{count}", sites, float(count), squares)


def lined(files: str) -> Board:
    """Returns a board whose sites are the crossings of as many lines each way as there are names."""
    count = len(files)
    sites = {f"{name}{j + 1}": (float(i), float(j)) for i, name in enumerate(files) for j in range(count)}
    end = count - 1.0
    lines = [line for i in range(count) for line in (((i, 0), (i, end)), ((0, i), (end, i)))]
    return _plain("go", sites, end, [Shape("line", points, "line") for points in lines])


def _plain(name: str, sites: Mapping[Place, Point], side: float, shapes: Sequence[Shape]) -> Board:
    """Returns a square board with discs that have no faces."""
    corners = (0.0, 0.0), (side, 0.0), (side, side), (0.0, side)
    return replace(
        load_board("chess"),
        name=name,
        sites=sites,
        places={},
        marks={},
        links=(),
        areas={},
        corners=corners,
        outline=corners,
        shapes=tuple(shapes),
        pieces=PieceSet({}, {"": Face("disc", 0.4, 0.25)}),
    )
