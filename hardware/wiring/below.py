"""Draws a reed grid's base as its builder sees it, from below and to scale: switches, diodes and wires.

`python -m hardware.wiring.below BOARD CONTROLLER [--step 1|2|3] > below.svg` writes one, with all wires or as
far as a step: 1 the switches in their holes, 2 diodes and the wires of rows, 3 the wires of columns.
Without arguments those of the guide are drawn anew. West and east are exchanged, as on a base that is turned
over.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist, sqrt
from pathlib import Path
from xml.sax.saxutils import escape

from companion.core.board import Board, Point, load_board
from companion.core.game import Site
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import CONTROLLERS, PICO, Controller, Wiring, wire
from hardware.arguments import Parser
from hardware.command_line import board_of, say
from hardware.mechanics import DRILLS, Reed, sites_mm, span_of

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
DRAWN = ("rooks", PICO)
STEPS = {
    1: "the switches in their holes",
    2: "diodes, and a bare wire for each row",
    3: "a wire for each column",
}
ROUND = 5.0
"""The wood around the outline of the board, in mm."""
LEGEND, LINE = 62.0, 4.2
"""The room for the names of wires at the right, and from one to the next."""
COPPER = (1.9, 0.0)
"""From the middle of a site to the copper wire that leads back from the upper leg."""
DIODE = 10.0
"""From the middle of a site to the far end of its diode, to the lower left, where the row's wire is."""
COLOURS = {
    "black": "#111", "brown": "#7b4a1e", "red": "#d32f2f", "orange": "#f57c00", "yellow": "#e0b400",
    "green": "#2e7d32", "blue": "#1565c0", "violet": "#7b1fa2", "grey": "#8a8a8a", "pink": "#ec6fa7",
}  # fmt: skip
"""Colours of wires for the columns, in the order of the colours on resistors; then again, with a mark."""
STYLE = (
    "text{font:2.6px sans-serif;fill:#222}.title{font-size:4px;font-weight:bold}"
    ".site{font-size:3px;font-weight:bold}"
    ".base{fill:#e8d3ac;stroke:#222;stroke-width:.2}.hole{fill:#fffdf4;stroke:#222;stroke-width:.15}"
    ".glass{fill:#cfe6ee;stroke:#222;stroke-width:.15}.copper{fill:#b8692f}.body{fill:#c96b3c;stroke:#222;"
    "stroke-width:.15}.band{fill:#111}.leg{stroke:#777;stroke-width:.5;fill:none}"
    ".row{stroke:#9a9a9a;stroke-width:.9;fill:none}.column{stroke-width:.8;fill:none}"
    ".marked{stroke-dasharray:3 1}"
)


@dataclass(frozen=True)
class Base:
    """A base from below, as far as a step of its wiring."""

    board: Board
    controller: Controller
    step: int = 3

    @cached_property
    def wiring(self) -> Wiring:
        return wire(self.board, Sensor.REED, self.controller)

    @cached_property
    def places(self) -> Mapping[Site, Point]:
        """Where each site lies on the picture: x to the right, y down, in mm."""
        return {site: (-x, -y) for site, (x, y) in sites_mm(self.board).items()}

    def row(self, number: int) -> list[Site]:
        """Returns the sites of a row in an order that makes its wire short."""
        return self._chained([s for s, a in self._addressed() if a[0] == number])

    def column(self, number: int) -> list[Site]:
        return self._chained([s for s, a in self._addressed() if a[1] == number])

    def _addressed(self) -> Iterator[tuple[Site, tuple[int, int]]]:
        return zip(self.wiring.sites, self.wiring.addresses, strict=True)

    def _chained(self, sites: Sequence[Site]) -> list[Site]:
        """Returns sites as a chain: each is followed by the nearest that is left."""
        chain, rest = [sites[0]], list(sites[1:])
        while rest:
            chain.append(min(rest, key=lambda site: dist(self.places[site], self.places[chain[-1]])))
            rest.remove(chain[-1])
        return chain


def colour_of(column: int) -> tuple[str, bool]:
    """Returns the name of the colour of a column's wire, and whether it bears a mark."""
    return list(COLOURS)[column % len(COLOURS)], column >= len(COLOURS)


def draw(base: Base) -> str:
    """Returns the picture as SVG, in mm."""
    west, south, east, north = span_of(base.board, ROUND)
    lines = base.wiring.height * (base.step > 1) + base.wiring.width * (base.step > 2)
    wide, high = east - west + LEGEND, max(north - south, LINE * lines + 20) + 10
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{high:g}mm" '
        f'viewBox="{-east:g} {-north - 10:g} {wide:g} {high:g}">'
    )
    title = f"{base.board.name} from below: {STEPS[base.step]}"
    body = [
        f'<rect class="base" x="{-east:g}" y="{-north:g}" width="{east - west:g}" '
        f'height="{north - south:g}"/>',
        f'<text class="title" x="{2 - east:g}" y="{-north - 4:g}">{escape(title)}</text>',
        *_switches(base),
    ]
    if base.step > 1:
        body += _rows(base)
    if base.step > 2:
        body += _columns(base)
    return "\n".join(
        (head, f"<style>{STYLE}</style>", *body, *_legend(base, -west + 4, 6 - north), "</svg>", "")
    )


def _switches(base: Base) -> Iterator[str]:
    drill, glass = DRILLS[Sensor.REED] / 2, Reed().width / 2
    for site, (x, y) in base.places.items():
        yield f'<circle class="hole" cx="{x:.2f}" cy="{y:.2f}" r="{drill:g}"/>'
        yield f'<circle class="glass" cx="{x:.2f}" cy="{y:.2f}" r="{glass:g}"/>'
        yield f'<circle class="copper" cx="{x + COPPER[0]:.2f}" cy="{y + COPPER[1]:.2f}" r=".45"/>'
        yield f'<text class="site" x="{x + 4:.2f}" y="{y - 6:.2f}">{escape(site)}</text>'


def _rows(base: Base) -> Iterator[str]:
    for number in range(base.wiring.height):
        ends = [_row_end(base.places[site]) for site in base.row(number)]
        yield _line("row", ends, f"row {number}")
    diode = (
        f'<path class="leg" d="M0 1.2V{DIODE:g}"/>'
        '<rect class="body" x="-.9" y="3.6" width="1.8" height="3.6"/>'
        '<rect class="band" x="-.9" y="6.3" width="1.8" height=".6"/>'
    )
    for x, y in base.places.values():
        yield f'<g transform="translate({x:.2f} {y:.2f}) rotate(45)">{diode}</g>'


def _row_end(place: Point) -> Point:
    """Returns where the diode of a site meets the wire of its row: clear of every hole."""
    return place[0] - DIODE / sqrt(2), place[1] + DIODE / sqrt(2)


def _lane(place: Point, column: int) -> Point:
    """Returns where the wire of a column passes a site: columns that share sites lie side by side."""
    aside = 0.9 * (column % 8 - 3.5)
    return place[0] + COPPER[0] + aside, place[1] + COPPER[1] + aside


def _columns(base: Base) -> Iterator[str]:
    for number in range(base.wiring.width):
        name, is_marked = colour_of(number)
        style = "column marked" if is_marked else "column"
        places = [base.places[site] for site in base.column(number)]
        yield _line(style, [_lane(place, number) for place in places], f"column {number}", COLOURS[name])
        for x, y in places:
            yield _line(
                "column", [(x + COPPER[0], y + COPPER[1]), _lane((x, y), number)], colour=COLOURS[name]
            )


def _line(style: str, points: Sequence[Point], words: str = "", colour: str = "") -> str:
    path = "L".join(f"{x:.2f} {y:.2f}" for x, y in points)
    told = f"<title>{words}</title>" if words else ""
    stroke = f' stroke="{colour}"' if colour else ""
    return f'<path class="{style}"{stroke} d="M{path}">{told}</path>'


def _legend(base: Base, x: float, y: float) -> Iterator[str]:
    """Yields what each wire is and where it goes, at the right."""
    words: list[tuple[str, str, str]] = []
    if base.step > 1:
        for row in range(base.wiring.height):
            sites = base.row(row)
            pin = base.controller.rows[row].label
            words.append(("row", "", f"row {row}, bare, to {pin}: {sites[0]} to {sites[-1]}"))
    if base.step > 2:
        for column in range(base.wiring.width):
            name, is_marked = colour_of(column)
            pin = base.controller.columns[column].label
            style = "column marked" if is_marked else "column"
            words.append(
                (style, COLOURS[name], f"column {column}, {name}{' with a mark' * is_marked}, to {pin}")
            )
    for number, (style, colour, text) in enumerate(words):
        top = y + LINE * number
        yield _line(style, [(x, top), (x + 6, top)], colour=colour)
        yield f'<text x="{x + 8:g}" y="{top + 0.9:.2f}">{escape(text)}</text>'
    below = y + LINE * len(words)
    notes = ["West and east are exchanged.", "Brown dot: the copper wire of the upper leg."]
    notes += ["Black band: the end of the diode at the row."] if base.step > 1 else []
    for number, note in enumerate(notes):
        yield f'<text x="{x:g}" y="{below + 3 + LINE * number:.2f}">{note}</text>'


def base_of(args: Sequence[str]) -> Base:
    """Returns the base that the words after the command name. CompanionError when they name none."""
    parser = Parser("python -m hardware.wiring.below")
    parser.add_argument("board", metavar="BOARD")
    parser.add_argument("controller", choices=CONTROLLERS)
    parser.add_argument("--step", type=int, choices=STEPS, default=max(STEPS))
    words = parser.parse_args(args)
    return Base(board_of(words.board), CONTROLLERS[words.controller], words.step)


def main(args: list[str]) -> int:
    if args:
        return say(lambda: draw(base_of(args)))
    board, controller = DRAWN
    for step in STEPS:
        drawn = draw(Base(load_board(board), controller, step))
        (FOLDER / f"below-{board}-{step}.svg").write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
