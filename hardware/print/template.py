"""Draws sheets to print at full size, which show where to drill for sensors and lamps, cut into pages.

`python -m hardware.print.template BOARD [--underside] [--lamps|--tile] [--paper a4|letter] > template.html`
writes those of one board; without arguments those beside this module are written anew. On the sheets for the
underside everything lies as it does when the board is turned over, left to right. Print them from a browser
at 100 % without margins, check the rulers, cut along the dashed edges and tape the pages together.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from companion.core.board import Board, Point, load_board
from firmware_bridge.line.messages import Sensor
from firmware_bridge.setup.sheet import MAGNETS
from hardware.arguments import Parser
from hardware.command_line import board_of, say
from hardware.kicad.layout import tile_for
from hardware.mechanics import DRILLS, LAMP_HOLE, lamps_mm, sites_mm, span_of

FOLDER = Path(__file__).resolve().parent
DRAWN = (
    "triune", "chess", "magnet", "trid", "ternion", "teleporters", "escape", "ternion_spaces", "queens",
    "rooks",
)  # fmt: skip
EDGE = 12.0
"""The margin that is cut off; what lies in it is drawn once more, so that the pages overlap."""
ROUND = 5.0
"""The space around the board's outline."""
RULER = 100.0
OVER = 0.2
"""So much a page ends before the paper; else a browser's rounding makes an empty page of what is over."""


class Paper(NamedTuple):
    """A size of paper in mm, upright, and what the style sheet calls it."""

    width: float
    height: float
    name: str

    @property
    def used(self) -> tuple[float, float]:
        """The width and height between the dashed edges."""
        return self.width - 2 * EDGE, self.height - 2 * EDGE


class Page(NamedTuple):
    """A page by its row and column among the others, and the upper left corner of what it shows."""

    row: int
    column: int
    corner: Point


PAPERS = {"a4": Paper(210.0, 297.0, "A4"), "letter": Paper(215.9, 279.4, "letter")}


@dataclass(frozen=True)
class TemplateSheet:
    """A board's template: drawn from above or for its underside, and with lamps or without."""

    board: Board
    paper: Paper = PAPERS["a4"]
    underside: bool = False
    lamps: bool = False
    tile: bool = False
    """Whether a printed board lies under it: lamps are where that has them, and sensors need no holes."""

    @cached_property
    def lamp_places(self) -> Mapping[str, Point]:
        """Where lamps come through. TileError for a board that no printed board is made for."""
        if self.tile:
            north = tile_for(self.board).lamp
            return {site: (x, y + north) for site, (x, y) in sites_mm(self.board).items()}
        return lamps_mm(self.board) if self.lamps else {}

    @property
    def side(self) -> int:
        """The sign of x on the sheet: it turns round on the underside."""
        return -1 if self.underside else 1

    @property
    def title(self) -> str:
        return f"{self.board.name}, {'underside (mirrored)' if self.underside else 'from above'}"

    def turned(self, points: Mapping[str, Point]) -> dict[str, Point]:
        """Returns points of the board as they lie on the sheet."""
        return {name: (self.side * x, y) for name, (x, y) in points.items()}

    def pages(self) -> list[Page]:
        """Returns the pages on which there is something to drill, row by row."""
        west, south, east, north = span_of(self.board, ROUND)
        left = -east if self.underside else west
        wide, high = self.paper.used
        columns, rows = ceil((east - west) / wide), ceil((north - south) / high)
        pages = (
            Page(row + 1, column + 1, (left + column * wide, north - row * high))
            for row in range(rows)
            for column in range(columns)
        )
        return [page for page in pages if self._drilled(page)]

    def _drilled(self, page: Page) -> bool:
        wide, high = self.paper.used
        holes = [*sites_mm(self.board).values(), *self.lamp_places.values()]
        return any(
            0 <= self.side * x - page.corner[0] <= wide and 0 <= page.corner[1] - y <= high for x, y in holes
        )


def template(sheet: TemplateSheet) -> str:
    """Returns the pages of a board's sheet as one HTML file."""
    pages = sheet.pages()
    lines = [
        "<!doctype html>",
        f'<meta charset="utf-8"><title>{escape(sheet.title)}</title>',
        _style(sheet.paper),
        _marks(sheet.paper),
    ]
    for number, page in enumerate(pages, 1):
        where = f"page {number} of {len(pages)}: row {page.row}, column {page.column}"
        lines += _page(sheet, page.corner, where)
    return "\n".join([*lines, ""])


def _style(paper: Paper) -> str:
    return (
        f"<style>@page{{size:{paper.name} portrait;margin:0}}html,body{{margin:0}}"
        f"svg.page{{display:block;width:{paper.width:g}mm;height:{paper.height - OVER:g}mm;overflow:hidden;"
        "break-after:page}svg.page:last-of-type{break-after:auto}"
        "text{font:3.2px sans-serif;text-anchor:middle}.small{font-size:2.6px}"
        "circle,line,rect,path{stroke:#000;stroke-width:.2;fill:none}.edge{stroke-dasharray:2 2}"
        ".outline{stroke:#777}.wide{stroke-dasharray:.8 .8}.dot{fill:#000;stroke:none}"
        "text{fill:#000;stroke:#fff;stroke-width:.8;paint-order:stroke}</style>"
    )


def _marks(paper: Paper) -> str:
    """Returns what is drawn again and again: the crosses of sensors and lamps, and the rulers."""
    reed, hall, lamp = (d / 2 for d in (DRILLS[Sensor.REED], DRILLS[Sensor.ANALOGUE], LAMP_HOLE))
    return (
        '<svg width="0" height="0" style="position:absolute"><defs>'
        f'<g id="sensor"><circle r="{reed:g}"/><circle class="wide" r="{hall:g}"/>'
        '<path d="M-6 0H6M0 -6V6"/></g>'
        '<g id="site"><path d="M-6 0H6M0 -6V6"/></g>'
        f'<g id="lamp"><circle r="{lamp:g}"/><circle class="dot" r=".5"/></g>'
        f'<path id="ruler" d="{_ruler(paper)}"/></defs></svg>'
    )


def _ruler(paper: Paper) -> str:
    """Returns the path of two rulers: above the upper edge and beside the left one."""
    left, top = (paper.width - RULER) / 2, (paper.height - RULER) / 2
    ticks = range(0, int(RULER) + 1, 10)
    across = "".join(f"M{left + t:g} 10.6V{8.6 if t % 50 else 7.6:g}" for t in ticks)
    down = "".join(f"M10.6 {top + t:g}H{8.6 if t % 50 else 7.6:g}" for t in ticks)
    return f"M{left:g} 10.6h{RULER:g}{across}M10.6 {top:g}v{RULER:g}{down}"


def _page(sheet: TemplateSheet, corner: Point, where: str) -> Iterator[str]:
    paper, pitch = sheet.paper, sheet.board.pitch_mm
    wide, high = (f"{length:g}" for length in paper.used)
    outline = {str(i): (x * pitch, y * pitch) for i, (x, y) in enumerate(sheet.board.outline)}
    path = "L".join(f"{x:.2f} {y:.2f}" for x, y in _on_page(sheet, outline, corner).values())
    yield f'<svg class="page" viewBox="0 0 {paper.width:g} {paper.height - OVER:g}">'
    yield f'<path class="outline" d="M{path}Z"/>'
    yield from _holes(sheet, "site" if sheet.tile else "sensor", sites_mm(sheet.board), corner)
    yield from _holes(sheet, "lamp", sheet.lamp_places, corner)
    yield f'<rect class="edge" x="{EDGE:g}" y="{EDGE:g}" width="{wide}" height="{high}"/><use href="#ruler"/>'
    words = f"{escape(sheet.title)}, {where}. Print at 100 %: each ruler is {RULER:g} mm"
    yield f'<text x="{paper.width / 2:g}" y="6.4">{words}</text>'
    yield f'<text class="small" x="{paper.width / 2:g}" y="{paper.height - 7:g}">{_legend(sheet)}</text>'
    yield f'<text class="small" x="{paper.width / 2:g}" y="{paper.height - 3.4:g}">{escape(MAGNETS)}</text>'
    yield "</svg>"


def _legend(sheet: TemplateSheet) -> str:
    reed, hall = DRILLS[Sensor.REED], DRILLS[Sensor.ANALOGUE]
    sensor = f"Cross: sensor, {reed:g} mm for a reed switch, {hall:g} mm (dashed) for a Hall sensor"
    if sheet.tile:
        sensor = "Cross: the middle of a site, over a sensor of the printed board; nothing is drilled there"
    lamp = f"; ring with a dot: lamp, {LAMP_HOLE:g} mm, through the board too" if sheet.lamp_places else ""
    return f"South is below. {sensor}{lamp}"


def _on_page(sheet: TemplateSheet, points: Mapping[str, Point], corner: Point) -> dict[str, Point]:
    """Returns points of the board in the coordinates of a page, from its upper left corner down."""
    turned = sheet.turned(points)
    return {name: (x - corner[0] + EDGE, corner[1] - y + EDGE) for name, (x, y) in turned.items()}


def _holes(sheet: TemplateSheet, mark: str, points: Mapping[str, Point], corner: Point) -> Iterator[str]:
    for site, (x, y) in _on_page(sheet, points, corner).items():
        if -5 <= x <= sheet.paper.width + 5 and -5 <= y <= sheet.paper.height + 5:
            yield f'<use href="#{mark}" x="{x:.2f}" y="{y:.2f}"/>'
            if mark != "lamp":
                yield f'<text x="{x + 7:.2f}" y="{y - 3:.2f}">{escape(site)}</text>'


def sheet_of(args: Sequence[str]) -> TemplateSheet:
    """Returns the sheet that the words after the command name. CommandError or BoardError for none."""
    parser = Parser("python -m hardware.print.template")
    parser.add_argument("board", metavar="BOARD")
    parser.add_argument("--underside", action="store_true", help="mirrored, for drilling from below")
    parser.add_argument("--lamps", action="store_true", help="with a hole beside each piece")
    parser.add_argument("--tile", action="store_true", help="for a printed board, with a hole for each lamp")
    parser.add_argument("--paper", choices=PAPERS, default="a4")
    words = parser.parse_args(args)
    return TemplateSheet(board_of(words.board), PAPERS[words.paper], words.underside, words.lamps, words.tile)


def main(args: list[str]) -> int:
    if args:
        return say(lambda: template(sheet_of(args)))
    for name in DRAWN:
        (FOLDER / f"{name}.html").write_text(template(TemplateSheet(load_board(name))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
