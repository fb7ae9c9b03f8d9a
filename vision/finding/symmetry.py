"""The symmetry of a board: chooses which way it lies, among the turns that its lines leave open.

A square of lines looks the same from four sides. In go the views that are left; out comes how likely each is
by what the board file says of dark and light fields and of ornaments, or the one that has south where
somebody says. The start position, or the user, has the last word.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, pi, radians

import cv2
import numpy as np

from companion.core.board import Board, Shape
from vision.arrays import Floats
from vision.finding.picture import WorkingPicture
from vision.geometry.view import View

TONES = {"dark": 0.0, "wall": 0.0, "stop": 0.3, "grey": 0.6, "light": 1.0}
"""The lightness of fields by the style that the board file gives them, 0…1."""
SIDES = {"right": 0.0, "bottom": pi / 2, "left": pi, "top": -pi / 2}
"""The directions of a picture's sides; radians, y downwards."""
ASLANT = radians(60)
"""The greatest angle between the side that somebody names and the south of the board; radians."""
FEWEST_FIELDS = 4
"""Fields with a tone from which tones tell anything."""
ORNAMENTS = 0.5
"""The weight of ornaments beside tones: they differ more from board to board."""
SOFT, NEIGHBOURHOOD, FLOOR = 2.0, (101, 101), 8
"""The smoothing of a field's lightness (standard deviation, pixels), the window beside which it is told
(pixels), and grey levels added to that."""
BESIDE_CIRCLE, BESIDE_LINE = 0.12, 0.15
"""Steps beside an ornament at which it is not."""


def facing(candidates: Sequence[View], south: str) -> View:
    """Returns the candidate whose south lies most nearly at a side of the picture: `bottom`, `left`, `top` or
    `right`. ValueError for another word."""
    if south not in SIDES:
        raise ValueError(f"south is one of {', '.join(SIDES)}, not '{south}'")
    return min(candidates, key=lambda view: _apart(southward(view), SIDES[south]))


def towards(candidates: Sequence[View], south: str) -> list[View]:
    """Returns the candidates whose south lies at a side of the picture or next to it, as people would say of
    a board that lies aslant; at least the nearest one. ValueError for another word."""
    nearest = facing(candidates, south)
    return [v for v in candidates if v is nearest or _apart(southward(v), SIDES[south]) < ASLANT]


def southward(view: View) -> float:
    """Returns the direction in the picture in which the south of the board lies from its middle; radians."""
    (mx, my), (sx, sy) = view.pixels([view.middle, (view.middle[0], view.extent[1])])
    return atan2(sy - my, sx - mx)


def _apart(one: float, two: float) -> float:
    """Returns the angle between two directions; radians, 0…π."""
    return abs((one - two + pi) % (2 * pi) - pi)


def likeness(picture: WorkingPicture, board: Board, view: View) -> float:
    """Returns how well fields and ornaments of the board file agree with a picture seen so: about -1 to 1."""
    return _tone_likeness(picture, board, view) + ORNAMENTS * _ornament_likeness(picture, board, view)


def _tone_likeness(picture: WorkingPicture, board: Board, view: View) -> float:
    """Returns the correlation of what the board file calls dark and light with the picture's lightness; 0
    where the file says too little."""
    fields = _toned_fields(board)
    tones = np.array([TONES[field.style] for field in fields])
    if len(fields) < FEWEST_FIELDS or np.ptp(tones) == 0:
        return 0.0
    middles = np.array([np.mean(np.array(field.points), axis=0) for field in fields])
    seen = _lightness(picture, view.pixels(middles))
    return _correlation(seen, tones)


def _toned_fields(board: Board) -> list[Shape]:
    """Returns the fields whose tone the board file tells."""
    return [shape for shape in board.shapes if shape.kind == "polygon" and shape.style in TONES]


def _correlation(one: Floats, two: Floats) -> float:
    """Returns the correlation of two rows of numbers; 0 where one of them hardly varies."""
    spread = float(np.std(one) * np.std(two))
    if spread <= 1e-6:
        return 0.0
    return float(np.mean((one - one.mean()) * (two - two.mean())) / spread)


def _lightness(picture: WorkingPicture, pixels: Floats) -> Floats:
    """Returns the lightness (n) at pixels (n, 2), relative to the neighbourhood's: shadows do not count."""
    soft = cv2.GaussianBlur(picture.grey, (0, 0), SOFT).astype(np.float32)
    around = cv2.blur(soft, NEIGHBOURHOOD)
    maps = pixels.astype(np.float32).reshape(-1, 1, 2)
    values = cv2.remap(
        np.asarray(soft / (around + FLOOR)),
        maps[..., 0],
        maps[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(values, dtype=float).ravel()


def _ornament_likeness(picture: WorkingPicture, board: Board, view: View) -> float:
    """Returns how much more strongly the picture changes along the circles and strokes of the board file than
    beside them, -1 to 1; 0 where it draws none."""
    strokes = [p for shape in board.shapes if (p := _stroke(shape)) is not None]
    if not strokes:
        return 0.0
    inner, outer = (_strength(picture, view.pixels(np.vstack(s))) for s in zip(*strokes, strict=True))
    return float((inner - outer) / (inner + outer + 1e-6))


def _stroke(shape: Shape) -> tuple[Floats, Floats] | None:
    """Returns points (n, 2) on a stroke that is no cell, and points beside it; None for another shape."""
    if shape.kind == "circle" and shape.radius:
        around = np.linspace(0, 2 * pi, 24, endpoint=False)
        ring = np.column_stack((np.cos(around), np.sin(around)))
        middle = np.array(shape.points[0])
        return middle + shape.radius * ring, middle + (shape.radius + BESIDE_CIRCLE) * ring
    if shape.kind == "line" and shape.style != "line":
        start, end = np.array(shape.points[0]), np.array(shape.points[-1])
        along = np.linspace(start, end, 9)
        across = np.array([-(end - start)[1], (end - start)[0]]) / max(float(np.hypot(*(end - start))), 1e-9)
        return along, along + BESIDE_LINE * across
    return None


def _strength(picture: WorkingPicture, pixels: Floats) -> float:
    """Returns the mean strength of edges at pixels (n, 2), whatever their direction."""
    edges = picture.edges.max(axis=0)
    maps = ((pixels - 0.5) / 2).astype(np.float32).reshape(-1, 1, 2)
    return float(np.mean(cv2.remap(edges, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)))
