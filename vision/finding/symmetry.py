"""Which way the board lies: the turns that its lines leave open, and which of them to take.

A square of lines looks the same from four sides. Where the board file says what is dark and what is
light, and where ornaments lie, the likelier turns come first; which is right the start position or the
user tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, pi, radians

import cv2
import numpy as np

from companion.board import Board, Shape
from vision.finding.picture import Picture
from vision.geometry.view import Floats, View

TONES = {"dark": 0.0, "wall": 0.0, "stop": 0.3, "grey": 0.6, "light": 1.0}
SIDES = {"right": 0.0, "bottom": pi / 2, "left": pi, "top": -pi / 2}  # directions in pixels, y downwards

ASLANT = radians(60)
"""How far from the side that somebody names the south of the board may lie."""


def facing(candidates: Sequence[View], south: str) -> View:
    """The candidate whose south side lies most nearly at that side of the picture: `bottom`, `left`,
    `top` or `right`. ValueError for another word."""
    if south not in SIDES:
        raise ValueError(f"south is one of {', '.join(SIDES)}, not '{south}'")
    return min(candidates, key=lambda view: _apart(southward(view), SIDES[south]))


def towards(candidates: Sequence[View], south: str) -> list[View]:
    """The candidates whose south side lies at that side of the picture or beside it, as people would say of a
    board that lies aslant; at least the nearest. ValueError for another word."""
    nearest = facing(candidates, south)
    return [v for v in candidates if v is nearest or _apart(southward(v), SIDES[south]) < ASLANT]


def southward(view: View) -> float:
    """The direction in pixels in which the south of the board lies from its middle; radians."""
    x0, y0, x1, y1 = view.extent
    middle = (x0 + x1) / 2, (y0 + y1) / 2
    (mx, my), (sx, sy) = view.pixels([middle, (middle[0], y0)])
    return atan2(sy - my, sx - mx)


def _apart(one: float, two: float) -> float:
    return abs((one - two + pi) % (2 * pi) - pi)


def likeness(picture: Picture, board: Board, view: View) -> float:
    """How well fields and ornaments of the board file agree with the picture seen so: -1 to 1."""
    return _tone_likeness(picture, board, view) + 0.5 * _ornament_likeness(picture, board, view)


def _tone_likeness(picture: Picture, board: Board, view: View) -> float:
    """The correlation of what the board file calls dark and light with the picture's lightness."""
    fields = [shape for shape in board.shapes if shape.kind == "polygon" and shape.style in TONES]
    tones = np.array([TONES[shape.style] for shape in fields])
    if len(fields) < 4 or np.ptp(tones) == 0:
        return 0.0
    seen = _lightness(picture, view.pixels(_middles(fields)))
    spread = float(np.std(seen) * np.std(tones))
    return float(np.mean((seen - seen.mean()) * (tones - tones.mean())) / spread) if spread > 1e-6 else 0.0


def _middles(shapes: Iterable[Shape]) -> Floats:
    return np.array([np.mean(np.array(shape.points), axis=0) for shape in shapes])


def _lightness(picture: Picture, pixels: Floats) -> Floats:
    """Of the picture around some pixels, relative to the neighbourhood's: shadows do not count."""
    soft = cv2.GaussianBlur(picture.grey, (0, 0), 2.0).astype(np.float32)
    around = cv2.blur(soft, (101, 101))
    maps = pixels.astype(np.float32).reshape(-1, 1, 2)
    values = cv2.remap(np.asarray(soft / (around + 8)), maps[..., 0], maps[..., 1], cv2.INTER_LINEAR,
                       borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(values, dtype=float).ravel()


def _ornament_likeness(picture: Picture, board: Board, view: View) -> float:
    """How much stronger the picture changes along the circles and strokes of the board file than
    beside them; 0 where it draws none."""
    strokes = [p for shape in board.shapes if (p := _stroke(shape)) is not None]
    if not strokes:
        return 0.0
    inner, outer = (_strength(picture, view.pixels(np.vstack(s))) for s in zip(*strokes, strict=True))
    return float((inner - outer) / (inner + outer + 1e-6))


def _stroke(shape: Shape) -> tuple[Floats, Floats] | None:
    """Points on a stroke that is no cell, and points beside it."""
    if shape.kind == "circle" and shape.radius:
        around = np.linspace(0, 2 * pi, 24, endpoint=False)
        ring = np.column_stack((np.cos(around), np.sin(around)))
        middle = np.array(shape.points[0])
        return middle + shape.radius * ring, middle + (shape.radius + 0.12) * ring
    if shape.kind == "line" and shape.style != "line":
        start, end = np.array(shape.points[0]), np.array(shape.points[-1])
        along = np.linspace(start, end, 9)
        across = np.array([-(end - start)[1], (end - start)[0]]) / max(float(np.hypot(*(end - start))), 1e-9)
        return along, along + 0.15 * across
    return None


def _strength(picture: Picture, pixels: Floats) -> float:
    edges = picture.edges.max(axis=0)
    maps = ((pixels - 0.5) / 2).astype(np.float32).reshape(-1, 1, 2)
    return float(np.mean(cv2.remap(edges, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)))
