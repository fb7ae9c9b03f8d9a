"""Views of a virtual camera: on a mast beside the board, with a lens of known make."""

from __future__ import annotations

from math import cos, radians, sin, tan

import numpy as np

from companion.core.board import Board
from vision.arrays import Floats
from vision.geometry.lens import Lens
from vision.geometry.view import View
from vision.virtual.layout import plank, spacing


def overlook(
    board: Board,
    elevation: float = 68.0,
    azimuth: float = -90.0,
    *,
    size: tuple[int, int] = (640, 480),
    field_of_view: float = 44.0,
    room: float = 1.6,
    zoom: float = 1.0,
    bend: float = 0.0,
) -> View:
    """Returns the view from `elevation` degrees above the horizon and from the side of `azimuth` (-90 is the
    south), with the whole plank in the picture and `room` steps of table to its left and right.

    `zoom` brings the camera nearer (1: it fits just), `bend` is the lens's k1 (below 0: a barrel).
    """
    focal = size[0] / 2 / tan(radians(field_of_view) / 2)
    lens = Lens(focal, focal, (size[0] - 1) / 2, (size[1] - 1) / 2, bend)
    wood, unit = plank(board), spacing(board)
    room *= unit
    corners = np.array(
        [[x, y] for x in (wood.west - room, wood.east + room) for y in (wood.south, wood.north)]
    )
    middle, distance = corners.mean(axis=0), 30.0
    for _ in range(12):
        view = look(board, lens, size, Mast(middle, distance, elevation, azimuth))
        low, high = _frame(view, corners)
        spread = (high - low) / (0.96 * np.array(size))
        distance *= float(spread.max())
        seen, centre = view.board(np.stack([(low + high) / 2, np.array(size) / 2]))
        middle = middle + seen - centre
    return look(board, lens, size, Mast(middle, distance / zoom, elevation, azimuth))


def shifted(view: View, across: float, down: float, turn: float = 0.0) -> View:
    """Returns the view after the camera was bumped: the picture moves by pixels and turns by degrees."""
    width, height = view.size
    angle, x, y = radians(turn), (width - 1) / 2, (height - 1) / 2
    c, s = cos(angle), sin(angle)
    bump = np.array([[c, -s, x - c * x + s * y + across], [s, c, y - s * x - c * y + down], [0, 0, 1]])
    return View.of(bump @ view.matrix, view.size, view.extent, view.lens)


class Mast:
    """The stand of a camera: the point that it looks at, its distance (steps) and direction."""

    def __init__(self, middle: Floats, distance: float, elevation: float, azimuth: float) -> None:
        e, a = radians(elevation), radians(azimuth)
        self.back = np.array([cos(e) * cos(a), cos(e) * sin(a), sin(e)])
        self.up = np.array([-sin(e) * cos(a), -sin(e) * sin(a), cos(e)])
        self.place = np.array([*middle, 0.0]) + distance * self.back


def look(board: Board, lens: Lens, size: tuple[int, int], mast: Mast) -> View:
    """Returns the view of a camera on a mast, with pictures of `size` (width, height)."""
    rotation = np.stack([np.cross(mast.up, mast.back), -mast.up, -mast.back])
    shift = -rotation @ mast.place
    homography = lens.matrix @ np.column_stack((rotation[:, 0], rotation[:, 1], shift))
    xs, ys = [p[0] for p in board.outline], [p[1] for p in board.outline]
    return View.of(homography, size, (min(xs), min(ys), max(xs), max(ys)), lens)


def _frame(view: View, corners: Floats) -> tuple[Floats, Floats]:
    pixels = view.pixels(corners)
    return pixels.min(axis=0), pixels.max(axis=0)
