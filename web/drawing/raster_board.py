"""Draws a board in pixels many times: wood and looks are drawn once, and then only pasted.

resvg renders the page's own SVG. Fonts are given by file: the picture is the same on every machine, and a Pi
need not look through its fonts.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import reportlab
import resvg_py
from PIL import Image
from reportlab.pdfbase.ttfonts import TTFontFile

from companion.core.board import Board
from web.drawing.board import draw_board, draw_mark, draw_symbol, frame, look_id, turned
from web.drawing.svg import Value, tag

PAPER = "#f4f1ea"
"""The colour of what a board lies on."""
FOLDER = Path(__file__).parent / "fonts"
OWN = FOLDER / "alegreya-sans-400.ttf", FOLDER / "alegreya-sans-700.ttf"
"""The page's own type, regular and bold."""
FACE = "Alegreya Sans"
REACH = 1.0
"""The reach of a look's drawing from its middle, in steps."""


def fonts(words: str = "") -> tuple[Path, Path]:
    """Returns the font files in which these words are written, regular and bold: the page's own if it can."""
    return OWN if letters_of(OWN[0]).issuperset(words) else of_many_scripts()


@cache
def letters_of(font: Path) -> frozenset[str]:
    """Returns the letters that a font has."""
    return frozenset(map(chr, TTFontFile(str(font)).charToGlyph))


@cache
def of_many_scripts() -> tuple[Path, Path]:
    """Returns the font files of DejaVu, regular and bold; else of its forebear Vera, that of ReportLab."""
    for folder in (Path("/usr/share/fonts/truetype/dejavu"), Path("/usr/share/fonts/dejavu-sans-fonts")):
        found = folder / "DejaVuSans.ttf", folder / "DejaVuSans-Bold.ttf"
        if all(file.exists() for file in found):
            return found
    own = Path(reportlab.__file__).parent / "fonts"
    return own / "Vera.ttf", own / "VeraBd.ttf"


def pixels(drawing: str) -> bytes:
    """Returns an SVG document as PNG, in its own size."""
    files = [str(file) for file in (*OWN, *of_many_scripts())]
    return resvg_py.svg_to_bytes(
        drawing, skip_system_fonts=True, font_files=files, font_family=FACE, sans_serif_family=FACE
    )


def size_of(board: Board, side: int) -> dict[str, Value]:
    """Returns the width and height of a board's drawing, with this many pixels on its longer side."""
    _, _, width, height = frame(board)
    scale = side / max(width, height)
    return {"width": round(width * scale), "height": round(height * scale)}


class RasterBoard:
    """A board drawn this many pixels wide."""

    def __init__(self, board: Board, width: int) -> None:
        self.board = board
        self._left, self._top, across, down = frame(board)
        self._scale = width / across
        self.size = width, round(down * self._scale)
        self._wood = _image(draw_board(board, (), width=self.size[0], height=self.size[1]))
        self._drawn: dict[tuple[str, float], Image.Image] = {}

    def show(self, pieces: Mapping[str, str], last: Iterable[str] = ()) -> Image.Image:
        """Returns the board with these looks on it and these places marked."""
        picture = self._wood.copy()
        for place in last:
            self._lay(picture, place, self._sprite("", 0.0))
        for place, look in pieces.items():
            self._lay(picture, place, self._sprite(look, turned(self.board, place)))
        sheet = Image.new("RGB", picture.size, PAPER)
        sheet.paste(picture, mask=picture)  # the corners of the wood are round
        return sheet

    def _lay(self, picture: Image.Image, place: str, sprite: Image.Image) -> None:
        x, y = self.board.where(place)
        left = round((x - REACH - self._left) * self._scale)
        top = round((-y - REACH - self._top) * self._scale)
        picture.paste(sprite, (left, top), sprite)

    def _sprite(self, look: str, turn: float) -> Image.Image:
        """Returns the picture of a look, turned by so many degrees; for '' the mark of the last action."""
        if (look, turn) not in self._drawn:
            use = tag("use", href=f"#{look_id(look)}", transform=f"rotate({turn:g})")
            drawn = draw_symbol(self.board, look) + use if look else draw_mark(self.board)
            side = round(2 * REACH * self._scale)
            box = f"{-REACH:g} {-REACH:g} {2 * REACH:g} {2 * REACH:g}"
            svg = tag("svg", drawn, xmlns="http://www.w3.org/2000/svg", viewBox=box, width=side, height=side)
            self._drawn[look, turn] = _image(svg)
        return self._drawn[look, turn]


def _image(drawing: str) -> Image.Image:
    return Image.open(io.BytesIO(pixels(drawing))).convert("RGBA")
