"""The four printed markers at a board's corners: which way it lies, and a true-to-scale frame around it.

They stand at an unknown distance from the playing area, so they say where south is and how the plane of
the board is tilted; where in it the drawing lies is then found by its lines. Two markers are enough for
that, so a hand or a cup may hide the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from vision.finding.picture import Picture
from vision.geometry.sheets import MARKER_DICTIONARY
from vision.geometry.view import Floats, Image, View

CORNERS = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], dtype=float)  # north-west, -east, south-east, -west
HALF_SPANS = np.geomspace(1.2, 25, 28)  # of the markers' rectangle, in markers
INNER = 0.3  # of a bit: its rim, where small markers blur into the next, is left out on either side
MISFIT = 0.12  # of a marker's side: beyond this the markers do not lie as they should


@dataclass(frozen=True)
class Frame:
    """The plane of the board in markers' sides, x east, y north, its origin between the markers."""

    matrix: Floats  # to pixels
    half: tuple[float, float]  # of the rectangle of the markers' middles


def find_markers(image: Image) -> dict[int, Floats]:
    """Corners (4, 2) in pixels of the markers 0 to 3, clockwise from the marker's own top left."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.perspectiveRemoveIgnoredMarginPerCell = INNER
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(grey)
    if ids is None:
        return {}
    seen = [int(i) for i in np.ravel(ids)]
    found = {i: np.asarray(c, dtype=float).reshape(4, 2) for i, c in zip(seen, corners, strict=True)}
    return {i: c for i, c in found.items() if i < 4 and seen.count(i) == 1}


def at_working_size(markers: Mapping[int, Floats], picture: Picture) -> dict[int, Floats]:
    shift = (picture.factor - 1) / 2
    scaled = {i: corners * picture.factor + shift for i, corners in markers.items()}
    return {i: picture.lens.undistort(c) for i, c in scaled.items()} if picture.lens else scaled


def frame_of(markers: Mapping[int, Floats]) -> Frame | None:
    """The frame that two or more markers imply; None where they do not stand as on a board's corners."""
    if len(markers) < 2:
        return None
    pixels = np.concatenate([markers[i] for i in sorted(markers)])
    half = min(product(HALF_SPANS, HALF_SPANS), key=lambda h: _misfit(h, markers, pixels)[0])
    ratio = HALF_SPANS[1] / HALF_SPANS[0]
    for finer in (1 / 3, 1 / 9, 1 / 27):
        around = [ratio ** (finer * k) for k in (-2, -1, 0, 1, 2)]
        tries = [(half[0] * a, half[1] * b) for a, b in product(around, around)]
        half = min(tries, key=lambda h: _misfit(h, markers, pixels)[0])
    misfit, matrix = _misfit(half, markers, pixels)
    return Frame(matrix, half) if misfit < MISFIT and np.linalg.det(matrix) * matrix[2, 2] < 0 else None


def _misfit(half: tuple[float, float], markers: Mapping[int, Floats], pixels: Floats) -> tuple[float, Floats]:
    """How far the marker corners are from where a rectangle of this size puts them (mean, in markers'
    sides), and the homography."""
    plane = np.concatenate([CORNERS[i] * half + CORNERS / 2 for i in sorted(markers)])
    matrix = _homography(plane, pixels)
    image = np.column_stack((plane, np.ones(len(plane)))) @ matrix.T
    away = np.linalg.norm(image[:, :2] / image[:, 2:] - pixels, axis=1).reshape(-1, 4).mean(axis=1)
    sides = [np.sqrt(abs(cv2.contourArea(markers[i].astype(np.float32)))) for i in sorted(markers)]
    return float(np.mean(away / np.maximum(sides, 1.0))), matrix


def _homography(plane: Floats, pixels: Floats) -> Floats:
    """The direct linear transform, its pixels brought to unit size first."""
    middle, size = pixels.mean(axis=0), float(np.abs(pixels - pixels.mean(axis=0)).max())
    spread = float(np.abs(plane).max())
    (x, y), (u, v) = (plane / spread).T, ((pixels - middle) / size).T
    one, nil = np.ones_like(x), np.zeros_like(x)
    rows = np.concatenate((
        np.column_stack((x, y, one, nil, nil, nil, -u * x, -u * y, -u)),
        np.column_stack((nil, nil, nil, x, y, one, -v * x, -v * y, -v)),
    ))
    flat = np.linalg.svd(rows, full_matrices=False)[2][-1].reshape(3, 3)
    back = np.array([[size, 0, middle[0]], [0, size, middle[1]], [0, 0, 1]])
    matrix: Floats = back @ flat @ np.diag([1 / spread, 1 / spread, 1.0])
    matrix /= matrix[2, 2]
    return matrix


def agrees(view: View, markers: Mapping[int, Floats]) -> bool:
    """Whether each marker lies beyond the corner of the board that it should mark, as the view has it."""
    x0, y0, x1, y1 = view.extent
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    seats = {i: view.board([corners.mean(axis=0)])[0] - middle for i, corners in markers.items()}
    return bool(seats) and all((np.sign(seat) == CORNERS[i]).all() for i, seat in seats.items())
