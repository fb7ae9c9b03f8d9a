"""What a tile is made of, whichever sensors it has: parts, the nets between their pins, and copper.

Lengths are in mm. The first site of the tile is the origin; x runs along the board's files to the right, y
towards the player of rank 1, as KiCad counts it. Tracks follow one rule, so that none needs a search: what
runs along a file is on the front, what runs across files is on the back, and a via joins the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, radians, sin
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.game import Site
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import Wiring
from hardware.kicad.library import KINDS, Box, Kind, Pad

FRONT, BACK = "F.Cu", "B.Cu"
GND, SUPPLY, LAMP_SUPPLY = "GND", "+5V", "+5V_LAMPS"
POWER = (GND, SUPPLY, LAMP_SUPPLY)
RANKS = 8
SIGNAL_WIDTH, POWER_WIDTH = 0.25, 0.4
TRUNK_WIDTH = 0.8
VIA_SIZE, VIA_DRILL = 0.6, 0.3
CLEARANCE = 0.2
"""The least gap between two conductors, and the least width of one: what cheap makers promise is 0.15 mm."""
JOINT = 0.15
"""How far the outline stays within the outer squares, so that tiles lie side by side at the pitch."""
PITCH_MIN = 40.0
FIDUCIAL, FIDUCIAL_MASK = 1.0, 2.0
"""The diameters of a mark's copper, and of what is kept bare around it."""
HOLE = 3.2
"""The holes for the spacers: M3."""


class TileError(CompanionError):
    """A board that no tile can be made for."""


class Point(NamedTuple):
    """A point of the tile, in mm."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Part:
    """A part: its number on the board, what it is, the net of each pin (None: not connected), and its place.

    `rotation` is in degrees, against the clock as seen from above; a part that is not `on_front` sits below.
    """

    reference: str
    kind: Kind
    nets: Mapping[str, str | None]
    at: Point
    rotation: int = 0
    on_front: bool = True
    sheet: str = ""
    site: Site | None = None

    def spot(self, x: float, y: float) -> Point:
        """Returns the point of the tile at which a point of the footprint lies."""
        if not self.on_front:
            y = -y
        turn = radians(self.rotation)
        return Point(
            round(self.at.x + x * cos(turn) + y * sin(turn), 6),
            round(self.at.y - x * sin(turn) + y * cos(turn), 6),
        )

    def pad(self, number: str) -> Pad:
        """Returns the pad of a pin, as the footprint has it."""
        return next(pad for pad in self.kind.footprint.pads if pad.number == number)

    def pin(self, name: str) -> Point:
        """Returns where the pad of the pin of that name lies."""
        pad = self.pad(self.kind.symbol.pin(name))
        return self.spot(pad.x, pad.y)


class Track(NamedTuple):
    """A straight piece of copper."""

    net: str
    start: Point
    end: Point
    width: float
    layer: str


class Via(NamedTuple):
    """A hole with copper that joins both sides."""

    net: str
    at: Point


class Label(NamedTuple):
    """Words that are printed on the board: `at` is their middle."""

    words: str
    at: Point
    size: float = 1.0
    on_front: bool = True


@dataclass
class Tile:
    """A tile while it is laid out, and when that is done."""

    name: str
    title: str
    pitch: float
    files: int
    lamp: float
    """How far north of its site a lamp lies."""
    sites: tuple[Site, ...]
    sensor: Sensor
    parts: list[Part] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    vias: list[Via] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    holes: list[Point] = field(default_factory=list)
    fiducials: list[Point] = field(default_factory=list)
    """The round marks by which a machine finds where the tile lies."""

    @property
    def outline(self) -> Box:
        half = self.pitch / 2 - JOINT
        return Box(-half, -(RANKS - 1) * self.pitch - half, (self.files - 1) * self.pitch + half, half)

    @property
    def sheets(self) -> tuple[str, ...]:
        """The sheets of the schematic besides the first, in order."""
        return tuple(dict.fromkeys(part.sheet for part in self.parts if part.sheet))

    def spot(self, file: int, rank: int) -> Point:
        """Returns where the site in that file and rank lies; both count from 0."""
        return Point(file * self.pitch, -rank * self.pitch)

    @property
    def middle(self) -> float:
        """The y between the fourth and the fifth rank, where the chips and the connectors are."""
        return -(RANKS - 1) / 2 * self.pitch

    def add(self, part: Part) -> Part:
        self.parts.append(part)
        return part

    def run(self, net: str, layer: str, *points: tuple[float, float], width: float = SIGNAL_WIDTH) -> None:
        """Lays a track past these points."""
        spots = [Point(round(x, 6), round(y, 6)) for x, y in points]
        for start, end in pairwise(spots):
            if start != end:
                self.tracks.append(Track(net, start, end, width, layer))

    def via(self, net: str, x: float, y: float) -> None:
        via = Via(net, Point(round(x, 6), round(y, 6)))
        if via not in self.vias:
            self.vias.append(via)

    def across(self, net: str, y: float, *xs: float, width: float = SIGNAL_WIDTH) -> None:
        """Lays a track across the files on the back, with a via at either end."""
        self.run(net, BACK, (xs[0], y), (xs[-1], y), width=width)
        for x in xs:
            self.via(net, x, y)

    def nets(self) -> tuple[str, ...]:
        """Returns all nets, sorted: those of the parts' pins."""
        return tuple(sorted({net for part in self.parts for net in part.nets.values() if net is not None}))


def part(
    reference: str,
    key: str,
    nets: Mapping[str, str | None],
    at: tuple[float, float],
    rotation: int = 0,
    *,
    on_front: bool = True,
    sheet: str = "",
    site: Site | None = None,
) -> Part:
    """Returns a part of that kind, with its nets by the names of the pins. KeyError for a pin it has not."""
    kind = KINDS[key]
    by_number = {kind.symbol.pin(name): net for name, net in nets.items()}
    return Part(reference, kind, by_number, Point(*at), rotation, on_front, sheet, site)


def two_pins(
    reference: str,
    key: str,
    nets: tuple[str, str],
    at: tuple[float, float],
    rotation: int = 0,
    *,
    sheet: str = "",
    site: Site | None = None,
) -> Part:
    """Returns a resistor or capacitor between two nets."""
    return Part(
        reference, KINDS[key], dict(zip("12", nets, strict=True)), Point(*at), rotation, True, sheet, site
    )


def begin(wiring: Wiring, pitch: float, files: int, lamp: float) -> Tile:
    """Returns a bare tile for the first files of a board. TileError when tiles do not make up the board."""
    if files not in (1, 2, 4, 8):
        raise TileError(f"a tile has 1, 2, 4 or 8 files, not {files}")
    of_one = RANKS * files
    spots = wiring.spots
    if len(spots) % of_one:
        raise TileError(f"{wiring.board} has {len(spots)} sites: tiles of {of_one} do not make it up")
    for first in range(0, len(spots), of_one):
        left, bottom = spots[first]
        expected = [(left + i // RANKS, bottom + i % RANKS) for i in range(of_one)]
        if any(
            abs(a - c) + abs(b - d) > 1e-6 for (a, b), (c, d) in zip(spots[first:], expected, strict=False)
        ):
            raise TileError(
                f"{wiring.board} is not made of files with {RANKS} ranks: wire it after its drawing"
            )
    if pitch < PITCH_MIN:
        raise TileError(
            f"{wiring.board}'s sites are {pitch:.3g} mm apart: a tile needs {PITCH_MIN:g} mm or more"
        )
    kind = wiring.sensor.word
    name = f"{wiring.board}-{kind}-{files}x{RANKS}"
    title = f"{wiring.board} {files}x{RANKS}, {kind}, {pitch:g} mm"
    return Tile(name, title, pitch, files, lamp, wiring.sites[:of_one], wiring.sensor)


def names_of(wiring: Wiring, tile: Tile, index: int) -> Iterator[Site]:
    """Yields the sites that the sensor of that number stands for, on each of the board's tiles."""
    yield from wiring.sites[index :: len(tile.sites)]
