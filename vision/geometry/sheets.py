"""A sheet to print, to scale: four markers for a board's corners.

A `PaperSheet` is black rectangles and lines of text on A4 paper; `Sheet.pdf` writes it as a PDF file. For so
little the format needs a page of code and no library. `vision.finding.markers` sees the markers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.errors import CompanionError

MARKER_DICTIONARY = cv2.aruco.DICT_4X4_50
MODULES = 6
"""The black and white squares along a side of a marker, with those of its frame."""
MARKER_SEATS = ("north-west", "north-east", "south-east", "south-west")
"""The corners of the board at which the markers 0 to 3 belong."""
MARKER_MM = (10.0, 60.0)
"""The least and greatest side of a marker: it must be read from a mast, and four must fit on the paper;
mm."""
A4_MM = (210.0, 297.0)
POINTS_PER_MM = 72 / 25.4
CUT_MM = 0.2
"""The width of a line to cut along; mm."""

Rectangle = tuple[float, float, float, float]
"""A rectangle's left, top, width and height; mm."""


class SheetError(CompanionError, ValueError):
    """A sheet that cannot be printed so; one line, which says why."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text: the left end of its base line, and its height; mm."""

    left: float
    base: float
    text: str
    size: float = 3.5


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """A sheet of A4 paper with black rectangles and text; mm from its top left corner."""

    rectangles: tuple[Rectangle, ...]
    words: tuple[TextLine, ...]

    def pdf(self) -> bytes:
        """Returns the sheet as a PDF file of one page."""
        return _pdf("\n".join((*map(_fill, self.rectangles), *map(_show, self.words))).encode("cp1252"))


def marker_sheet(size_mm: float = 30.0) -> PaperSheet:
    """Returns a sheet of the markers 0 to 3 with the white margin that they need, lines to cut along, and
    words that say where each belongs. SheetError for a size out of MARKER_MM."""
    low, high = MARKER_MM
    if not low <= size_mm <= high:
        raise SheetError(f"a marker measures {low:.0f} to {high:.0f} mm, not {size_mm:g}")
    margin = size_mm / 6
    pitch = size_mm + 2 * margin + 12
    left, top = (A4_MM[0] - 2 * pitch) / 2 + 6, 45.0
    places = [(left + pitch * (k in (1, 2)), top + pitch * (k in (2, 3))) for k in range(4)]
    rectangles = [r for k, place in enumerate(places) for r in _marker(k, place, size_mm, margin)]
    words = [
        TextLine(x, y + size_mm + 2 * margin + 4, f"{k}: {MARKER_SEATS[k]}")
        for k, (x, y) in enumerate(places)
    ]
    below = top + 2 * pitch + 12
    return PaperSheet(
        (*rectangles, *_ruler(left, below)), (*_marker_words(), *words, _ruler_words(left, below))
    )


def _marker(number: int, place: tuple[float, float], size: float, margin: float) -> Iterator[Rectangle]:
    """Yields a marker within its margin, and the frame to cut along."""
    x, y = place
    whole = size + 2 * margin
    yield from _modules(number, (x + margin, y + margin), size)
    yield from ((x, y, whole, CUT_MM), (x, y + whole, whole, CUT_MM))
    yield from ((x, y, CUT_MM, whole), (x + whole, y, CUT_MM, whole))


def _modules(number: int, place: tuple[float, float], size: float) -> Iterator[Rectangle]:
    """Yields the black runs of a marker, each run in one piece."""
    dictionary = cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY)
    image = cv2.aruco.generateImageMarker(dictionary, number, MODULES)
    side = size / MODULES
    for row, line in enumerate(np.asarray(image) == 0):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], line, [False])).astype(np.int8)))
        for start, end in edges.reshape(-1, 2).tolist():
            yield place[0] + start * side, place[1] + row * side, (end - start) * side, side


def _ruler(left: float, top: float) -> tuple[Rectangle, ...]:
    return (left, top, 50.0, 0.4), (left, top - 1.5, 0.4, 3.4), (left + 49.6, top - 1.5, 0.4, 3.4)


def _ruler_words(left: float, top: float) -> TextLine:
    return TextLine(left + 53, top + 1.2, "50 mm: measure this; if it differs, print at 100 %")


def _marker_words() -> tuple[TextLine, ...]:
    return (
        TextLine(20, 20, "Markers for the corners of the board", 5),
        TextLine(
            20, 28, "Cut along the lines and glue each straight on the board, outside the play area, in"
        ),
        TextLine(20, 33, "the corner that it names as the south player sees it, upright for that player."),
    )


def _fill(rectangle: Rectangle) -> str:
    left, top, width, height = rectangle
    x, y = left * POINTS_PER_MM, (A4_MM[1] - top - height) * POINTS_PER_MM
    return f"{x:.3f} {y:.3f} {width * POINTS_PER_MM:.3f} {height * POINTS_PER_MM:.3f} re f"


def _show(words: TextLine) -> str:
    x, y = words.left * POINTS_PER_MM, (A4_MM[1] - words.base) * POINTS_PER_MM
    text = words.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {words.size * POINTS_PER_MM:.1f} Tf {x:.3f} {y:.3f} Td ({text}) Tj ET"


def _pdf(content: bytes) -> bytes:
    """Returns a file of one page with a content stream (PDF 1.4)."""
    box = " ".join(f"{side * POINTS_PER_MM:.3f}" for side in A4_MM)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {box}] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>".encode(),
        f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    file, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(file))
        file += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    count = len(objects) + 1
    tail = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(file)}\n%%EOF\n"
    return file + f"xref\n0 {count}\n0000000000 65535 f \n{table}".encode() + tail.encode()
