"""Slips for the boards of a hall, as a PDF to cut up: a board's name, its line, and that as a QR code."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping
from pathlib import Path

import segno
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from broker_bridge.topics import BoardName
from companion.core.private_files import write_private

COLUMNS, ROWS = 2, 5
MARGIN, PAD, CODE = 10 * mm, 5 * mm, 28 * mm
NAME, LINE = ("Times-Bold", 16), ("Courier", 8)
ADVANCE, LEADING = 0.6, 1.35
"""The width of Courier's characters, and the distance of its lines, by its size."""


def write_slips(file: Path, lines: Mapping[BoardName, str]) -> None:
    """Writes the slips of boards, for the file's owner alone: they hold passwords. OSError where that cannot
    be."""
    content = io.BytesIO()
    canvas = Canvas(content, pagesize=A4, invariant=1)
    width, height = ((size - 2 * MARGIN) / n for size, n in zip(A4, (COLUMNS, ROWS), strict=True))
    for n, (board, line) in enumerate(lines.items()):
        place = n % (COLUMNS * ROWS)
        if n and not place:
            canvas.showPage()
        row, column = divmod(place, COLUMNS)
        left, top = MARGIN + column * width, A4[1] - MARGIN - row * height
        canvas.rect(left, top - height, width, height)
        _draw_code(canvas, line, left + width - PAD - CODE, top - PAD - CODE)
        canvas.setFont(*NAME)
        at = top - PAD
        for part in simpleSplit(str(board), *NAME, width - 3 * PAD - CODE):
            at -= NAME[1]
            canvas.drawString(left + PAD, at, part)
        # The line stands below the code, for the whole width: what is typed is best not broken.
        words = canvas.beginText(left + PAD, top - PAD - CODE - LINE[1] * LEADING)
        words.setFont(*LINE, LINE[1] * LEADING)
        letters = int((width - 2 * PAD) / (ADVANCE * LINE[1]))
        for part in textwrap.wrap(line, letters, break_on_hyphens=False):
            words.textLine(part)
        canvas.drawText(words)
    canvas.save()
    write_private(file, content.getvalue())


def _draw_code(canvas: Canvas, text: str, left: float, bottom: float) -> None:
    rows = [list(row) for row in segno.make(text, error="m", micro=False).matrix]
    side = CODE / len(rows)
    for y, row in enumerate(rows):
        for x, is_dark in enumerate(row):
            if is_dark:
                canvas.rect(left + x * side, bottom + CODE - (y + 1) * side, side, side, stroke=0, fill=1)
