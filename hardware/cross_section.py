"""Draws a cut through a site, to scale: the piece's foot with its magnet, felt, board, base, sensor and lamp.

`python -m hardware.cross_section BOARD reed|digital|analogue [--wood MM] [--magnet DxT] [--glass 14] >
section.svg` writes one; without arguments those of the guide are drawn anew. The measures are those of the
drilling sheets and of the printed parts, and the field at the sensor is computed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import dist
from pathlib import Path
from xml.sax.saxutils import escape

from companion.core.board import Board, load_board
from firmware_bridge.line.messages import Sensor
from hardware.arguments import Parser, number
from hardware.command_line import CommandError, board_of, say
from hardware.discs import Disc, axial_field
from hardware.forces import FELT, lightest
from hardware.magnets import SensorPart, advised, feels, pitch_of, size_of
from hardware.mechanics import (
    BASE,
    DRILLS,
    GLASS,
    GLASSES,
    LAMP_HOLE,
    HallSensorCase,
    foot_diameter,
    lamps_mm,
    part_of,
    reed_of,
    room_of,
    sites_mm,
    usual_wood,
)

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures"
DRAWN = (("chess", Sensor.REED), ("triune", Sensor.DIGITAL), ("ternion", Sensor.ANALOGUE))
LEFT, RIGHT, SHOWN = 34.0, 69.0, 13.0
"""The room for words on both sides of the wood, and how much of a piece's height is shown."""
SCALE = 8
"""Pixels for a millimetre, as the picture is shown."""
STYLE = (
    "text{font:2.3px sans-serif}.title{font-size:3px;font-weight:bold}.end{text-anchor:end}"
    ".mid{text-anchor:middle}.wood{fill:#e3c08d}.base{fill:#c49a5f}.piece{fill:#a8744a}.felt{fill:#2f6b3f}"
    ".north{fill:#c62828}.south{fill:#1e56b0}.glue{fill:#f5edc8}.case{fill:#333}"
    ".glass{fill:#cfe6ee}.rod{fill:#fff3a8}.lamp{fill:#f4f4f4}.print{fill:#2e7d5b}"
    ".leg{fill:none;stroke:#777;stroke-width:.5}.line{stroke:#222;stroke-width:.15;fill:none}"
    ".wire{stroke:#b03030;stroke-width:.6;fill:none}"
    ".axis{stroke:#222;stroke-width:.12;stroke-dasharray:1.2 .6;"
    "fill:none}.paper{fill:#fff}"
    "rect,.piece{stroke:#222;stroke-width:.12}.pole{fill:#fff;font-weight:bold}"
)


@dataclass(frozen=True)
class Section:
    """A site that is cut from the middle through its lamp, with what is mounted there. Lengths are in mm."""

    board: Board
    sensor: Sensor
    magnet: Disc
    wood: float
    glass: float = GLASS

    @property
    def part(self) -> SensorPart:
        return part_of(self.sensor, self.glass)

    @property
    def room(self) -> float:
        """The room under the base: the height of the frame."""
        return room_of(self.glass)

    @property
    def depth(self) -> float:
        """From the magnet's lower face to the sensing element."""
        return FELT + self.wood + self.part.below

    @property
    def foot(self) -> float:
        return foot_diameter(self.board)

    @property
    def lamp(self) -> float:
        """From the middle of the site to that of its lamp."""
        site = next(iter(self.board.sites))
        return dist(sites_mm(self.board)[site], lamps_mm(self.board)[site])

    @property
    def field(self) -> float:
        """The field at the sensing element in mT, with the piece in the middle."""
        return axial_field(self.magnet, self.depth)


def draw(section: Section) -> str:
    """Returns the drawing as SVG."""
    top, bottom = section.wood + FELT + SHOWN + 10, BASE + section.room + 10
    start, end = (side + room for side, room in zip(_edges(section), (LEFT, RIGHT), strict=True))
    wide, high = start + end, top + bottom
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide * SCALE:.0f}" height="{high * SCALE:.0f}" '
        f'viewBox="{-start:.2f} {-top:g} {wide:.2f} {high:g}">'
    )
    paper = _box("paper", -start, top, wide, high)
    words = f"{section.board.name}: {section.part.name}, magnet {size_of(section.magnet)} mm"
    title = _text(2 - start, top - 4.5, words, "title")
    parts = (*_layers(section), *_piece(section), *_MOUNTS[section.sensor](section), *_lamp(section))
    notes = (*_measures(section), *_labels(section), *_scale(section, 2 - start, -bottom + 3))
    return "\n".join((head, f"<style>{STYLE}</style>", paper, title, *parts, *notes, "</svg>", ""))


def _box(style: str, left: float, top: float, wide: float, high: float) -> str:
    """Returns a box by its upper left corner, heights measured up from the base's upper face."""
    return f'<rect class="{style}" x="{left:.2f}" y="{-top:.2f}" width="{wide:.2f}" height="{high:.2f}"/>'


def _text(x: float, z: float, words: str, style: str = "", size: float = 0) -> str:
    sized = f' style="font-size:{size:g}px"' if size else ""
    return f'<text class="{style}" x="{x:.2f}" y="{-z:.2f}"{sized}>{escape(words)}</text>'


def _path(style: str, *points: tuple[float, float]) -> str:
    return f'<path class="{style}" d="M{"L".join(f"{x:.2f} {-z:.2f}" for x, z in points)}"/>'


def _edges(section: Section) -> tuple[float, float]:
    """Returns how far the wood is shown to the left and right of the middle."""
    return section.foot / 2 + 7, section.lamp + 8


def _layers(section: Section) -> Iterator[str]:
    left, right = _edges(section)
    drill = DRILLS[section.sensor]
    yield _box("wood", -left, section.wood, left + right, section.wood)
    yield _box("base", -left, 0, left + right, BASE)
    yield _box("glue", -drill / 2, 0, drill, BASE)
    yield _box("rod", section.lamp - LAMP_HOLE / 2, section.wood, LAMP_HOLE, section.wood + BASE)


def _piece(section: Section) -> Iterator[str]:
    height = lightest(section.board).height * section.board.pitch_mm
    low, wide, magnet = section.wood + FELT, section.foot, section.magnet
    yield _box("felt", -wide / 2, low, wide, FELT)
    if height <= SHOWN:
        yield _box("piece", -wide / 2, low + height, wide, height)
    else:
        teeth = [(wide * (i / 8 - 0.5), low + SHOWN - (1.2 if i % 2 else 0)) for i in range(9)]
        yield _path("piece", (-wide / 2, low), *teeth, (wide / 2, low), (-wide / 2, low))
    half = magnet.thickness / 2
    yield _box("north", -magnet.diameter / 2, low + 2 * half, magnet.diameter, half)
    yield _box("south", -magnet.diameter / 2, low + half, magnet.diameter, half)
    for pole, z in (("N", low + 1.5 * half), ("S", low + 0.5 * half)):
        yield _text(0, z - 0.42 * half, pole, "pole mid", 1.2 * half)


def _reed(section: Section) -> Iterator[str]:
    reed, side = reed_of(section.glass), DRILLS[Sensor.REED] / 2 - 0.6
    top, end = -reed.loop, -reed.loop - reed.glass
    yield _path("leg", (0, top), (0, -0.6))
    yield _path("wire", (0.3, top + 0.6), (0.3, -0.9), (side / 2, -0.4), (side, -0.9), (side, end - 3))
    yield _path("leg", (0, end), (0, end - 3))
    yield _box("glass", -reed.width / 2, top, reed.width, reed.glass)
    yield _path("leg", (-0.25, top), (-0.25, top - reed.glass / 2 - 1)) + _path(
        "leg", (0.3, end), (0.3, end + reed.glass / 2 - 1)
    )
    yield _path(
        "wire", (side, end - 3), (side, -BASE - section.room + 1), (side + 9, -BASE - section.room + 1)
    )
    yield _path("wire", (0, end - 3), (0, -BASE - section.room), (-9, -BASE - section.room))


def _hall(section: Section) -> Iterator[str]:
    hall = HallSensorCase()
    half = hall.length / 2
    leg = half + hall.bend - hall.leg / 2
    yield _path(
        "leg", (half, -hall.sunk - hall.height / 2), (leg, -hall.sunk - hall.height / 2), (leg, -BASE - 4)
    )
    yield _box("case", -half, -hall.sunk, hall.length, hall.height)
    yield _path("wire", (leg, -BASE - 4), (leg, -BASE - 7), (leg + 9, -BASE - 7))


_MOUNTS = {Sensor.REED: _reed, Sensor.DIGITAL: _hall, Sensor.ANALOGUE: _hall}


def _lamp(section: Section) -> Iterator[str]:
    x = section.lamp
    yield _box("lamp", x - 2.5, -BASE, 5, 1.6) + _box("print", x - 5, -BASE - 1.6, 10, 1)
    yield _path("wire", (x + 3.5, -BASE - 2.6), (x + 3.5, -BASE - 7), (x + 9, -BASE - 7))


def _measures(section: Section) -> Iterator[str]:
    """Yields the heights, on the left."""
    left, _ = _edges(section)
    low, deep = section.wood + FELT, -section.part.below
    yield from _height(-left - 3, low, section.wood, f"felt {FELT:g} mm", left)
    yield from _height(-left - 3, section.wood, 0, f"board {section.wood:g} mm", left)
    yield from _height(-left - 3, 0, -BASE, f"base {BASE:g} mm", left)
    yield from _height(-left - 3, -BASE, -BASE - section.room, f"frame {section.room:g} mm", left)
    x = -section.foot / 2 - 3
    yield _path("line", (x, low), (x, deep)) + _arrow(x, low, 1) + _arrow(x, deep, -1)
    yield _path("axis", (x - 0.8, deep), (4, deep)) + _path("axis", (0, section.wood - 0.5), (0, deep - 1.5))
    yield f'<circle class="line" cx="0" cy="{-deep:.2f}" r="0.5"/>'
    yield _text(-section.foot / 2 - 0.8, low + 1.2, f"depth {section.depth:g} mm", "end")


def _height(x: float, top: float, low: float, words: str, left: float) -> Iterator[str]:
    for z in (top, low):
        yield _path("line", (x - 1, z), (-left, z))
    yield _path("line", (x, top), (x, low))
    if top - low > 2.5:
        yield _arrow(x, top, 1) + _arrow(x, low, -1)
    yield _text(x - 1.6, (top + low) / 2 - 0.8, words, "end")


def _arrow(x: float, z: float, way: int) -> str:
    return _path("line", (x - 0.5, z - way), (x, z), (x + 0.5, z - way))


def _labels(section: Section) -> Iterator[str]:
    """Yields the words on the right, each with a line to its thing."""
    _, right = _edges(section)
    low, magnet = section.wood + FELT, section.magnet
    drill = DRILLS[section.sensor]
    hall = section.sensor is not Sensor.REED
    size, rod = size_of(magnet), f"{LAMP_HOLE:g} mm, {section.lamp:.1f} mm off the middle"
    labels = [
        (low + SHOWN - 2, (section.foot / 2 - 1, low + magnet.thickness + 2), f"foot, {section.foot:.0f} mm"),
        (low + SHOWN - 6.5, (magnet.diameter / 2 - 0.5, low + 1), f"disc magnet {size} mm, N42"),
        (section.wood + 2, (section.lamp, section.wood - 0.6), f"clear rod {rod}"),
        (section.wood - 3.5, (right - 2, section.wood / 2), "board"),
        (-2, (right - 2, -BASE / 2), "base, plywood"),
        (-6.5, (section.lamp + 4, -BASE - 2.1), "lamp WS2812B, glued under its hole"),
        (-11, (drill / 2 - 0.4, -BASE + 0.4), f"hole {drill:g} mm, filled with hot glue"),
        (-15.5, (0.5, -section.part.below), _sensor_words(section)),
    ]  # fmt: skip
    for z, at, words in labels:
        yield _path("line", at, (right + 3, z + 0.8), (right + 4.5, z + 0.8)) + _text(right + 5, z, words)
    reacts = f"{section.field:.1f} mT there; it surely reacts at {section.part.operate:g} mT"
    yield _text(right + 5, -18.5, reacts)
    if hall:
        yield _text(right + 5, -21.5, "branded face up; legs bent down, held with pliers")
    else:
        yield _text(right + 5, -21.5, "upright; upper leg cut, and a copper wire leads back")


def _sensor_words(section: Section) -> str:
    below = f"element {section.part.below:g} mm under the board"
    return f"{section.part.name.split(',')[0]}, {below}"


def _scale(section: Section, x: float, z: float) -> Iterator[str]:
    yield _path("line", (x, z + 1), (x, z), (x + 10, z), (x + 10, z + 1)) + _text(x + 11, z, "10 mm")
    where = f"cut from the middle of a site through its lamp; sites {pitch_of(section.board):.1f} mm apart"
    yield _text(x + 24, z, where)


def magnet_of(text: str) -> Disc:
    """Returns a disc magnet by its diameter and thickness in mm, `8x3`."""
    try:
        diameter, thickness = (float(side) for side in text.split("x"))
    except ValueError as error:
        raise ArgumentTypeError(f"'{text}' is no magnet: write it as 8x3, in mm") from error
    if not (2 <= diameter <= 30 and 1 <= thickness <= 20):
        raise ArgumentTypeError(f"{text} mm is no magnet for a piece: 2 to 30 mm wide, 1 to 20 mm thick")
    return Disc(diameter, thickness)


def add_glass(parser: Parser) -> None:
    """Adds the length of a reed switch's glass to what a command takes."""
    parser.add_argument("--glass", type=float, choices=GLASSES, metavar="|".join(f"{g:g}" for g in GLASSES))


def glass_of(parser: Parser, words: Namespace) -> float:
    """Returns the length of the glass that was asked for. CommandError for sensors that have none."""
    if words.glass is not None and words.sensor != Sensor.REED.name.lower():
        parser.error("--glass goes with reed")
    return words.glass or GLASS


def section_of(
    board: Board,
    sensor: Sensor,
    wood: float | None = None,
    magnet: Disc | None = None,
    glass: float = GLASS,
) -> Section:
    """Returns a section, with what is advised where nothing is named. CommandError if it would not work."""
    disc = magnet or advised(board)
    thickness = usual_wood(board, sensor, glass) if wood is None else wood
    section = Section(board, sensor, disc, thickness, glass)
    if not feels(section.part, disc, section.depth, pitch_of(board)):
        raise CommandError(
            f"through {section.wood:g} mm of wood a {section.part.name} does not feel a magnet of "
            f"{size_of(disc)} mm well: see 'python -m hardware.magnets {board.name}'"
        )
    return section


def _text_of(args: Sequence[str]) -> str:
    parser = Parser("python -m hardware.cross_section")
    parser.add_argument("board", metavar="BOARD")
    parser.add_argument("sensor", choices=[sensor.word for sensor in Sensor])
    parser.add_argument("--wood", type=number(0.5, 40), metavar="MM")
    parser.add_argument("--magnet", type=magnet_of, metavar="DxT")
    add_glass(parser)
    words = parser.parse_args(args)
    sensor, glass = Sensor[words.sensor.upper()], glass_of(parser, words)
    return draw(section_of(board_of(words.board), sensor, words.wood, words.magnet, glass))


def main(args: list[str]) -> int:
    if args:
        return say(lambda: _text_of(args))
    for board, sensor in DRAWN:
        drawn = draw(section_of(load_board(board), sensor))
        (FOLDER / f"cross-section-{sensor.word}.svg").write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
