"""Makes tables of photographs of real boards, in sets: folders with a `truth.json`.

It names `pictures`, each with `file`, `game`, `size`, `corners` (pixels of SW, SE, NE, NW) and `position`
(place → look). Pictures of a set that show the board in one place are one table.
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
from companion.core.game import Look, Place
from vision.arrays import Image
from vision.calibration.background_estimate import estimate_background
from vision.finding.locate import BoardNotFoundError, locate_corners
from vision.geometry.view import View
from vision.reading.layout import PlaceLayout
from vision.reading.sight import Sight
from vision.training.places.tables import MARGIN, Frame, Table
from vision.training.truth import corners_of, read_picture, truth_of

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
FILES = "abcdefghijklmnopqrstuvwxyz"
GO_FILES = "ABCDEFGHJKLMNOPQRST"
"""A Go board has no I."""
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Photograph:
    """A picture of a board whose corners (pixels) and position are known."""

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


def tables(folder: Path) -> Iterator[Table]:
    """Yields the tables of one set. A board that is not found where its corners say is left out."""
    for number, group in enumerate(groups(photographs(folder))):
        try:
            yield from _variants(f"photo.{folder.name}.{number}", group)
        except BoardNotFoundError as error:
            log.warning("%s: left out: %s", group[0].file, error.reason)


def photographs(folder: Path) -> list[Photograph]:
    """Returns the pictures of a set whose corners and position are known, and that show no hands."""
    return [
        Photograph(
            folder / p["file"],
            p["game"],
            (p["size"][0], p["size"][1]),
            tuple(corners_of(p)),
            p["position"],
        )
        for p in truth_of(folder)["pictures"]
        if p.get("corners") and p.get("position") is not None and not p.get("hands")
    ]


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
    counts = Counter(picture.position.values())
    return -min(counts.values(), default=0), -len(picture.position), picture.file.name


def _variants(name: str, group: Sequence[Photograph]) -> Iterator[Table]:
    """Yields the group's table with the empty board pieced together from one picture, which comes first, and
    from another one."""
    first = group[0]
    if not first.position:
        return
    layout = PlaceLayout.of(board_of(first.game), parts=False)
    frames = [Frame(p.read(), p.position) for p in group]
    view = view_of(first, frames[0].image, layout.board)
    height = height_of(first.game)
    for variant in range(min(VARIANTS, len(group))):
        chosen = variant * max(1, len(group) // VARIANTS)
        known, others = frames[chosen], [*frames[:chosen], *frames[chosen + 1 :]]
        if known.looks:
            empty = estimate_background(layout, view, height, [known.image], [known.looks])
            some = Random(variant).sample(others, min(len(others), MOST))
            yield Table.of(f"{name}.{variant}", Sight(layout, view, empty, MARGIN), [known, *some])


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
