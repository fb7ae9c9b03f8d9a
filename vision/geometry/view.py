"""A view: where a board lies in the pictures of one camera.

It takes points of the board to pixels and back. A homography takes points of the board's plane (steps, x
east, y north) to pixels of the undistorted picture; a lens bends these to the real ones. A piece stands up
from the board and leans away from the camera in the picture: its head is found through the camera's pose,
which the homography tells once the focal length is known. `vision.finding` makes views; all that reads a
frame uses them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil
from typing import Any

import cv2
import numpy as np

from companion.core.json_value import JsonValue, JsonValueError
from companion.language import say
from vision.arrays import AnyFloats, Floats, Image
from vision.geometry.lens import Lens, LensError, usual_lens

Points = Floats | Sequence[Sequence[float]] | Iterable[tuple[float, float]]
Box = tuple[float, float, float, float]
SIDES = (64, 16_000)
"""The least and most pixels of a picture's side."""
FARTHEST = 1000.0
"""Steps from a board's origin within which all of it lies."""
OUTSIDE = 1.5
"""The greatest distance of the board's corners from the picture's middle, as a share of its sides."""
FOCAL_SPREAD = 0.5
"""The expected distance of 1/f² from the usual camera's, as a share of that (standard deviation)."""
FOCAL_DOUBT = 0.004
"""The error of the constraints on 1/f² by small errors of a homography, as a share of the usual 1/f²."""
FOCAL_RANGE = (1 / 2, 6.0)
"""The shortest and longest focal length that is believed, as multiples of the usual one."""
BAND = 32
"""The rows of a rectified picture whose pixels are worked out at once."""


class ViewError(ValueError):
    """Numbers that are no view of a board; one line that says why."""


@dataclass(frozen=True)
class View:
    """The place of a board in pictures of `size` (width, height).

    `homography` holds 9 numbers, row by row, that take steps to undistorted pixels; `extent` is the board's
    outline as x0, y0, x1, y1 in steps, the part that `rectify` shows.
    """

    homography: tuple[float, ...]
    size: tuple[int, int]
    extent: Box
    lens: Lens | None = None

    @classmethod
    def of(cls, matrix: Floats, size: tuple[int, int], extent: Box, lens: Lens | None = None) -> View:
        """Returns the view of a homography (3, 3) of any scale."""
        scaled = np.asarray(matrix, dtype=float) / np.linalg.norm(matrix)
        return cls(tuple(float(v) for v in scaled.ravel()), size, extent, lens)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the board's outline; steps."""
        x0, y0, x1, y1 = self.extent
        return (x0 + x1) / 2, (y0 + y1) / 2

    def turned(self) -> View:
        """Returns the view of the board turned round about its middle."""
        x, y = self.middle
        half_turn = np.array([(-1, 0, 2 * x), (0, -1, 2 * y), (0, 0, 1)], float)
        return View.of(self.matrix @ half_turn, self.size, self.extent, self.lens)

    def corners(self, margin: float = 0.0) -> list[tuple[float, float]]:
        """Returns the corners of the outline, `margin` steps wider on every side: south-west, south-east,
        north-east, north-west."""
        x0, y0, x1, y1 = self.extent
        west, south, east, north = x0 - margin, y0 - margin, x1 + margin, y1 + margin
        return [(west, south), (east, south), (east, north), (west, north)]

    @cached_property
    def matrix(self) -> Floats:
        """The homography as an array (3, 3), positive where the board lies before the camera."""
        matrix: Floats = np.array(self.homography, dtype=float).reshape(3, 3)
        depth: float = matrix[2] @ (*self.middle, 1)
        return matrix if depth > 0 else np.negative(matrix)

    @cached_property
    def camera(self) -> Lens:
        """The lens, or the likeliest pinhole where none is known."""
        return self.lens or usual_lens(self.size, float(focal_length(self.matrix, self.size)))

    @cached_property
    def projection(self) -> Floats:
        """The matrix (3, 4) that takes board points with heights (x, y, z, 1; steps) to undistorted
        pixels."""
        camera = self.camera.matrix
        east, north, origin = np.linalg.solve(camera, self.matrix).T
        scale = np.sqrt(np.linalg.norm(east) * np.linalg.norm(north))
        up = np.cross(east, north)
        up *= scale / np.linalg.norm(up)
        return np.asarray(camera @ np.column_stack((east, north, up, origin)))

    @cached_property
    def eye(self) -> tuple[float, float, float]:
        """The point above the board at which the camera is (x, y, z); steps."""
        matrix = self.projection
        x, y, z = np.linalg.solve(matrix[:, :3], -matrix[:, 3])
        return float(x), float(y), float(z)

    def behind(self, points: Floats) -> Floats:
        """Returns where the lines of sight through points (…, 3) meet the board (…, 2); steps."""
        eye = np.array(self.eye)
        stretch = eye[2] / np.maximum(eye[2] - points[..., 2:], 0.05 * eye[2])
        return np.asarray(eye[:2] + (points[..., :2] - eye[:2]) * stretch)

    def pixels(self, points: Points, heights: float | Sequence[float] | Floats = 0.0) -> Floats:
        """Returns pixels (n, 2) of board points (n, 2), each `heights` steps above the board."""
        flat = _rows(points)
        if isinstance(heights, int | float) and heights == 0:
            image = np.column_stack((flat, np.ones(len(flat)))) @ self.matrix.T
        else:
            z = np.broadcast_to(np.asarray(heights, dtype=float), len(flat))
            image = np.column_stack((flat, z, np.ones(len(flat)))) @ self.projection.T
        return self._distort(image[:, :2] / np.where(np.abs(image[:, 2:]) < 1e-12, 1e-12, image[:, 2:]))

    def board(self, pixels: Points) -> Floats:
        """Returns the points (n, 2) of the board's plane that pixels (n, 2) show; steps."""
        flat = _rows(pixels)
        flat = self.lens.undistort(flat) if self.lens else flat
        return mapped(flat, np.linalg.inv(self.matrix))

    def step_pixels(self, point: tuple[float, float]) -> float:
        """Returns the pixels of a step at a board point: the square root of the area of a cell there."""
        x, y = point
        half = 0.25
        around = self.pixels([(x - half, y), (x + half, y), (x, y - half), (x, y + half)])
        east, north = (around[1] - around[0]) / (2 * half), (around[3] - around[2]) / (2 * half)
        return float(np.sqrt(abs(east[0] * north[1] - east[1] * north[0])))

    def rectified_size(self, px_per_step: float, margin: float) -> tuple[int, int]:
        """Returns width and height of `rectify`'s picture."""
        x0, y0, x1, y1 = self.extent
        return ceil((x1 - x0 + 2 * margin) * px_per_step), ceil((y1 - y0 + 2 * margin) * px_per_step)

    def rectified(self, points: Points, px_per_step: float, margin: float) -> Floats:
        """Returns pixels (n, 2) of board points in the picture that `rectify` makes."""
        x0, _, _, y1 = self.extent
        flat = _rows(points)
        across, down = flat[:, 0] - x0 + margin, y1 + margin - flat[:, 1]
        return np.column_stack((across, down)) * px_per_step - 0.5

    def rectify(self, image: Image, px_per_step: float, margin: float) -> Image:
        """Returns the board as seen from straight above, north up, with `margin` steps around its outline."""
        map_x, map_y = _rectifying_maps(self, px_per_step, margin)
        return np.asarray(cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR), dtype=np.uint8)

    def scaled(self, factor: float) -> View:
        """Returns the same view in pictures scaled by `factor`."""
        shift = (factor - 1) / 2
        scale = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1]])
        size = round(self.size[0] * factor), round(self.size[1] * factor)
        return View.of(scale @ self.matrix, size, self.extent, self.lens and self.lens.scaled(factor))

    def to_json(self) -> dict[str, object]:
        """Returns the view as a profile holds it."""
        data: dict[str, object] = {
            "homography": list(self.homography),
            "size": list(self.size),
            "extent": list(self.extent),
        }
        return data | ({"lens": self.lens.to_json()} if self.lens else {})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> View:
        """Returns the view that a profile holds. ViewError when a value is missing or cannot be a view's."""
        entry = JsonValue(data)
        try:
            homography = entry["homography"].numbers(9, -1e9, 1e9)
            x0, y0, x1, y1 = entry["extent"].numbers(4, -FARTHEST, FARTHEST)
            width, height = entry["size"].wholes(2, *SIDES)
            lens = Lens.from_json(data["lens"]) if data.get("lens") is not None else None
        except (JsonValueError, LensError) as error:
            raise ViewError(say("not a view: {problem}", problem=str(error))) from error
        _check_homography(homography)
        view = cls(homography, (width, height), (x0, y0, x1, y1), lens)
        view.check_sight()
        return view

    def check_sight(self) -> None:
        """Raises a ViewError unless a camera above the board could see it so, whole or nearly so."""
        x0, y0, x1, y1 = self.extent
        outline = np.array([*self.corners(), self.middle])
        depths = np.column_stack((outline, np.ones(5))) @ self.matrix[2]
        if not (x0 < x1 and y0 < y1 and (depths > 0).all()):
            raise ViewError(say("not a view: homography and extent do not show a board before the camera"))
        with np.errstate(all="ignore"):
            off = np.abs(self.pixels(outline) / self.size - 0.5).max(axis=1)
            above = np.isfinite(self.eye).all() and self.eye[2] > 0
        if not (off[:4] <= OUTSIDE).all() or not off[4] <= 0.5 or not above:
            raise ViewError(say("not a view: homography, size and lens do not show the board in the picture"))

    def _distort(self, pixels: Floats) -> Floats:
        return self.lens.distort(pixels) if self.lens else pixels


@lru_cache(maxsize=4)
def _rectifying_maps(view: View, px_per_step: float, margin: float) -> tuple[Any, Any]:
    """Returns the pixels of a view, across and down, that a rectified picture shows; a board is rectified
    again and again."""
    width, height = view.rectified_size(px_per_step, margin)
    x0, _, _, y1 = view.extent
    x = x0 - margin + (np.arange(width) + 0.5) / px_per_step
    y = y1 + margin - (np.arange(height) + 0.5) / px_per_step
    pixels = np.empty((height, width, 2), np.float32)
    for top in range(0, height, BAND):  # all at once takes ten times as much memory as its result
        grid = np.stack(np.meshgrid(x, y[top : top + BAND]), axis=-1)
        pixels[top : top + BAND] = view.pixels(grid).reshape(grid.shape)
    return pixels[..., 0], pixels[..., 1]


def mapped(points: Floats, matrix: AnyFloats) -> Floats:
    """Returns points (n, 2) after a homography (3, 3)."""
    image = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    return np.asarray(image[:, :2] / image[:, 2:])


def focal_length(homographies: Floats, size: tuple[int, int]) -> Floats:
    """Returns the focal lengths in pixels that homographies (…, 3, 3) of the plane imply.

    Pixels are taken for square and the principal point for the picture's middle; Zhang's two constraints on
    1/f² are solved by least squares. From near overhead they say little: the answer leans to the usual focal
    length as far as a small error of the homography would shake it.
    """
    width, height = size
    usual = 1 / usual_lens(size).fx ** 2
    shift = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1]])
    axes = (shift @ homographies)[..., :2]
    ratio = np.sqrt(np.sum(axes[..., :2, :] ** 2, axis=(-2, -1)))
    (a1, b1), (a2, b2), (a3, b3) = np.moveaxis(axes / ratio[..., None, None], (-2, -1), (0, 1))
    known = np.array([a1 * b1 + a2 * b2, (a1 * a1 + a2 * a2 - b1 * b1 - b2 * b2) / 2])
    wanted = -np.array([a3 * b3, (a3 * a3 - b3 * b3) / 2])
    spread, doubt = FOCAL_SPREAD * usual, FOCAL_DOUBT * usual
    weight = (known * known).sum(axis=0) / doubt**2
    inverse = ((known * wanted).sum(axis=0) / doubt**2 + usual / spread**2) / (weight + 1 / spread**2)
    shortest, longest = FOCAL_RANGE
    return np.asarray(1 / np.sqrt(np.clip(inverse, usual / longest**2, usual / shortest**2)))


def _check_homography(values: tuple[float, ...]) -> None:
    matrix = np.array(values).reshape(3, 3)
    if abs(np.linalg.det(matrix)) <= 1e-15 * np.linalg.norm(matrix) ** 3:
        raise ViewError(say("not a view: the homography is flat"))


def _rows(points: Points) -> Floats:
    array = np.asarray(points if isinstance(points, np.ndarray) else list(points), dtype=float)
    return array.reshape(-1, 2)
