"""Reads and draws tables: pictures of one view of a board, from photographs, rendered sequences and the
virtual camera."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import AnyFloats, Image
from vision.hands import WIDTH
from vision.training.occlusion.warp import homography
from vision.training.truth import Entry, corners_of, read_picture, truth_of

DRAWN = 2 * WIDTH
"""Width of the pictures that occluders are drawn on; they are shrunk afterwards."""
PLACES = {"chess": 8.0, "draughts10": 10.0, "go": 18.0, "catan": 10.0}
"""Places along the side of a board, by its game."""
ALIKE = 0.03
"""The part of a picture's width by which corners may differ in pictures that are laid upon each other."""
ABOUT = 0.33
"""Half of the side of a board whose corners are not known; the picture's width is 1."""
MOMENTS = 5
"""Pictures of a drawn table."""


@dataclass(frozen=True, eq=False)
class OcclusionTable:
    """Pictures of one view (h, DRAWN, 3), the board's corners in them (4, 2), places along its side."""

    images: list[Image]
    corners: AnyFloats
    places: float


def side_of(corners: AnyFloats) -> float:
    """Returns the side of a square as large as the board; pixels."""
    return float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))


def sized(image: Image) -> Image:
    """Returns a picture DRAWN wide."""
    height = round(image.shape[0] * DRAWN / image.shape[1])
    return np.asarray(cv2.resize(image, (DRAWN, height), interpolation=cv2.INTER_AREA), np.uint8)


def is_rendered(folder: Path) -> bool:
    """Returns whether a set is a rendered sequence, and not of photographs."""
    return "views" in truth_of(folder)


def photographed(folder: Path, limit: int = 1000) -> list[OcclusionTable]:
    """Returns the tables of a set of photographs; pictures of nearly one view are laid upon each other."""
    tables: list[OcclusionTable] = []
    for entry in truth_of(folder)["pictures"][:limit]:
        image, corners = _photograph(folder, entry)
        like = [t for t in tables if entry["corners"] and _is_alike(t, image, corners)]
        if like:
            like[0].images.append(_laid(image, corners, like[0].corners))
        else:
            tables.append(OcclusionTable([image], corners, PLACES[entry["game"]]))
    return tables


def _photograph(folder: Path, entry: Entry) -> tuple[Image, AnyFloats]:
    """Returns a picture and the board's corners in it; guessed where they are not known."""
    picture = read_picture(folder / entry["file"])
    image = sized(picture)
    if known := corners_of(entry):
        return image, np.array(known) * (DRAWN / picture.shape[1])
    middle = np.array([DRAWN / 2, image.shape[0] / 2])
    return image, middle + ABOUT * DRAWN * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])


def _is_alike(table: OcclusionTable, image: Image, corners: AnyFloats) -> bool:
    off = np.abs(table.corners - corners).max()
    return table.images[0].shape == image.shape and bool(off < ALIKE * DRAWN)


def _laid(image: Image, corners: AnyFloats, others: AnyFloats) -> Image:
    """Returns a picture with its corners moved to where others are."""
    size = image.shape[1], image.shape[0]
    moved = cv2.warpPerspective(image, homography(corners, others), size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def rendered(folder: Path) -> Iterator[OcclusionTable]:
    """Yields the views of a rendered sequence, without its pictures of hands."""
    truth = truth_of(folder)
    scale = DRAWN / truth["width"]
    for n, view in enumerate(truth["views"]):
        files = [i["file"] for i in truth["images"] if i["view"] == n and not i["hand"]]
        if files:
            sites = np.array(list(view["sites"].values()), np.float32) * scale
            box = np.asarray(cv2.boxPoints(cv2.minAreaRect(sites)), np.float32)
            yield OcclusionTable(
                [sized(read_picture(folder / f)) for f in files], box, float(np.sqrt(len(sites)))
            )


def painted(rng: np.random.Generator, count: int) -> Iterator[OcclusionTable]:
    """Yields tables drawn by the virtual camera: random wood, lamps, cameras and pieces."""
    from benchmarks.tables import GAMES, Play
    from vision.virtual.tabletop import Tabletop

    for _ in range(count):
        play = Play(str(rng.choice(GAMES)), int(rng.integers(1 << 20)), 77)
        images = [play.picture(Tabletop(play.setting.board))]
        for image, _ in play.moments():
            images.append(image)
            if len(images) == MOMENTS:
                break
        view = play._painter.view
        corners = np.array(view.pixels(play.setting.board.corners)) * DRAWN / view.size[0]
        yield OcclusionTable(
            [sized(i) for i in images], corners, float(np.sqrt(len(play.setting.board.sites)))
        )
