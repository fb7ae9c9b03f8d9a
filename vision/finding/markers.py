"""Finds the four printed markers at a board's corners, which tell how it lies and how its plane is tilted.

In goes a picture; out come the markers' corners, and the `MarkerPlane` that they imply. They stand at an
unknown distance from the playing area: where in their plane the drawing lies is then found by its lines. Two
markers are enough, so that a hand or a cup may hide the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from vision.arrays import Floats, Image
from vision.finding.picture import WorkingPicture
from vision.geometry.samples import greyed
from vision.geometry.view import View, mapped

MARKER_DICTIONARY = cv2.aruco.DICT_4X4_50
CORNERS = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)], dtype=float)
"""The directions of the markers 0 to 3 from the middle: north-west, north-east, south-east, south-west."""
HALF_SPANS = np.geomspace(1.2, 25, 28)
"""Half sides of the markers' rectangle that are tried; markers' sides."""
FINER = (1 / 3, 1 / 9, 1 / 27)
"""The steps of the finer tries around the best of these, as parts of their own step (a ratio)."""
INNER = 0.3
"""The rim of a marker's bit that is left out on either side, as a share of the bit: small markers blur
there."""
MISFIT = 0.12
"""The greatest mean distance of markers from a rectangle; markers' sides."""


@dataclass(frozen=True)
class MarkerPlane:
    """The plane of the board in markers' sides, x east, y north, with its origin between the markers.

    `matrix` (3, 3) takes it to pixels; `half` are the half sides of the rectangle of the markers' middles.
    """

    matrix: Floats
    half: tuple[float, float]


def find_markers(image: Image) -> dict[int, Floats]:
    """Returns the corners (4, 2; pixels) of the markers 0 to 3 that are seen, clockwise from a marker's own
    top left. A number that is seen twice is left out."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.perspectiveRemoveIgnoredMarginPerCell = INNER
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(greyed(image))
    if ids is None:
        return {}
    seen = [int(i) for i in np.ravel(ids)]
    found = {i: np.asarray(c, dtype=float).reshape(4, 2) for i, c in zip(seen, corners, strict=True)}
    return {i: c for i, c in found.items() if i < 4 and seen.count(i) == 1}


def at_working_size(markers: Mapping[int, Floats], picture: WorkingPicture) -> dict[int, Floats]:
    """Returns points of the picture, such as markers' corners, at its working size and made straight."""
    shift = (picture.factor - 1) / 2
    scaled = {i: corners * picture.factor + shift for i, corners in markers.items()}
    return {i: picture.lens.undistort(c) for i, c in scaled.items()} if picture.lens else scaled


def plane_of(markers: Mapping[int, Floats]) -> MarkerPlane | None:
    """Returns the plane that two or more markers imply; None where they do not stand as on a board's
    corners."""
    if len(markers) < 2:
        return None
    seen = sorted(markers)
    seats, corners = CORNERS[seen], np.array([markers[i] for i in seen])
    areas = [abs(cv2.contourArea(marker.astype(np.float32))) for marker in corners]
    sides = np.maximum(np.sqrt(areas), 1.0)

    def misfit_of(half: tuple[float, float]) -> float:
        return _misfit(half, seats, corners, sides)[0]

    half = min(product(HALF_SPANS, HALF_SPANS), key=misfit_of)
    ratio = HALF_SPANS[1] / HALF_SPANS[0]
    for finer in FINER:
        around = [ratio ** (finer * k) for k in (-2, -1, 0, 1, 2)]
        tries = [(half[0] * a, half[1] * b) for a, b in product(around, around)]
        half = min(tries, key=misfit_of)
    misfit, matrix = _misfit(half, seats, corners, sides)
    return MarkerPlane(matrix, half) if misfit < MISFIT and np.linalg.det(matrix) * matrix[2, 2] < 0 else None


def _misfit(half: tuple[float, float], seats: Floats, corners: Floats, sides: Floats) -> tuple[float, Floats]:
    """Returns how far markers' corners (n, 4, 2) are from where a rectangle of this size puts them (mean;
    markers' sides), and the homography (3, 3)."""
    plane, pixels = (seats[:, None] * half + CORNERS / 2).reshape(-1, 2), corners.reshape(-1, 2)
    matrix = np.asarray(cv2.findHomography(plane, pixels)[0], dtype=float)
    away = np.linalg.norm(mapped(plane, matrix) - pixels, axis=1).reshape(-1, 4).mean(axis=1)
    return float(np.mean(away / sides)), matrix


def agrees(view: View, markers: Mapping[int, Floats]) -> bool:
    """Returns whether each marker lies, as the view has it, beyond the corner of the board that it marks."""
    middle = np.array(view.middle)
    seats = {i: view.board([corners.mean(axis=0)])[0] - middle for i, corners in markers.items()}
    return bool(seats) and all((np.sign(seat) == CORNERS[i]).all() for i, seat in seats.items())
