"""A sheet to print, to scale: four markers for a board's corners, on A4 paper, as a PDF file.

`vision.finding.markers` sees the markers.
"""

from __future__ import annotations

import io

import cv2
import numpy as np
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.core.errors import CompanionError
from vision.finding.markers import MARKER_DICTIONARY

MODULES = 6
"""The black and white squares along a side of a marker, with those of its frame."""
MARKER_SEATS = ("north-west", "north-east", "south-east", "south-west")
"""The corners of the board at which the markers 0 to 3 belong."""
MARKER_MM = (10.0, 60.0)
"""The least and greatest side of a marker: it must be read from a mast, and four must fit on the paper;
mm."""
CUT_MM = 0.2
"""The width of a line to cut along; mm."""
INTRODUCTION = (
    "Cut along the lines and glue each straight on the board, outside the play area, in",
    "the corner that it names as the south player sees it, upright for that player.",
)


class SheetError(CompanionError, ValueError):
    """A sheet that cannot be printed so; one line, which says why."""


def marker_sheet(size_mm: float = 30.0) -> bytes:
    """Returns a PDF file of the markers 0 to 3 with the white margin that they need, lines to cut along, and
    words that say where each belongs. SheetError for a size out of MARKER_MM."""
    low, high = MARKER_MM
    if not low <= size_mm <= high:
        raise SheetError(f"a marker measures {low:.0f} to {high:.0f} mm, not {size_mm:g}")
    file = io.BytesIO()
    canvas = Canvas(file, A4, bottomup=0, pageCompression=0, invariant=1)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.scale(mm, mm)  # all that is drawn is in mm from the top left corner
    _write(canvas, 20, 20, "Markers for the corners of the board", 5)
    for k, line in enumerate(INTRODUCTION):
        _write(canvas, 20, 28 + 5 * k, line)
    margin = size_mm / 6
    pitch = size_mm + 2 * margin + 12
    left, top = (A4[0] / mm - 2 * pitch) / 2 + 6, 45.0
    for k, seat in enumerate(MARKER_SEATS):
        x, y = left + pitch * (k in (1, 2)), top + pitch * (k in (2, 3))
        _draw_marker(canvas, k, (x, y), size_mm, margin)
        _write(canvas, x, y + size_mm + 2 * margin + 4, f"{k}: {seat}")
    _draw_ruler(canvas, left, top + 2 * pitch + 12)
    canvas.save()
    return file.getvalue()


def _draw_marker(canvas: Canvas, number: int, place: tuple[float, float], size: float, margin: float) -> None:
    """Draws a marker within its margin, and the frame to cut along."""
    x, y = place
    whole = size + 2 * margin
    _draw_modules(canvas, number, (x + margin, y + margin), size)
    for down in (0, whole):
        _fill(canvas, x, y + down, whole, CUT_MM)
    for right in (0, whole):
        _fill(canvas, x + right, y, CUT_MM, whole)


def _draw_modules(canvas: Canvas, number: int, place: tuple[float, float], size: float) -> None:
    """Draws the black runs of a marker, each run in one piece: no hairlines within it."""
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    image = cv2.aruco.generateImageMarker(dictionary, number, MODULES)
    side = size / MODULES
    for row, line in enumerate(np.asarray(image) == 0):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], line, [False])).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            _fill(canvas, place[0] + start * side, place[1] + row * side, (end - start) * side, side)


def _draw_ruler(canvas: Canvas, left: float, top: float) -> None:
    _fill(canvas, left, top, 50.0, 0.4)
    for end in (left, left + 49.6):
        _fill(canvas, end, top - 1.5, 0.4, 3.4)
    _write(canvas, left + 53, top + 1.2, "50 mm: measure this; if it differs, print at 100 %")


def _fill(canvas: Canvas, left: float, top: float, width: float, height: float) -> None:
    canvas.rect(left, top, width, height, stroke=0, fill=1)


def _write(canvas: Canvas, left: float, base: float, text: str, size: float = 3.5) -> None:
    canvas.setFont("Helvetica", size)
    canvas.drawString(left, base, text)
