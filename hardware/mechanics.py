"""Holds the measures of a grid's wood and holes: how sensors and lamps are mounted under a board.

The cross-section, the drilling sheets and the printed parts are all made from these. Lengths are in mm; in
the board's plane x goes to the east and y to the north, from the origin of the board's file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, dist, radians, sin, sqrt

from companion.core.board import Board, Face, Point
from companion.core.errors import CompanionError
from firmware_bridge.line.messages import Sensor
from hardware.forces import faces_of
from hardware.magnets import LONG_REED, MOUNTED, SensorPart, advised, pitch_of, woods

SITES_APART = 14.0
"""How near sites may be to each other: wood is left between holes of 8 mm, and pieces stand apart."""
BASE = 3.0
"""The thickness of the base under the board, in which sensors and lamps are held."""
ROOM = 16.0
"""The room under the base for reed switches of the usual GLASS, legs, lamps and wires."""
GLASS, GLASSES = 10.0, (10.0, 14.0)
"""The length of the glass of the bill's reed switch, and those that there are measures for."""
USUAL_WOOD = 6.0
"""The thickness of a usual board; thinner where the sensor would not feel the magnet through it."""
LAMP_HOLE = 5.0
"""The drill for a lamp: through board and base, so that the light comes up beside the piece."""
LAMP_SIZE = 10.5
"""How far lamps are apart at least: one on a round board of its own is 10 mm wide."""
RIM = 1.0
"""How far the edge of a lamp's hole stays off the widest piece."""
DRILLS = {Sensor.REED: 5.0, Sensor.DIGITAL: 8.0, Sensor.ANALOGUE: 8.0}
"""The drill for a sensor: through the base. A reed's hole takes the wire too that leads back, and that of a
Hall sensor its body, which lies flat, with the legs bent down."""


class RoomError(CompanionError):
    """A board whose sites are too close to each other."""


@dataclass(frozen=True, slots=True)
class Reed:
    """The measures of a reed switch that stands upright (Standex ORD211: glass of 10 by 1.8 mm)."""

    glass: float = GLASS
    width: float = 1.8
    leg: float = 0.5
    loop: float = 3.0
    """From the base's upper face to the glass: there the upper leg ends, and a wire leads back down."""


@dataclass(frozen=True, slots=True)
class HallSensorCase:
    """The measures of a Hall sensor in a flat TO-92 case (TI LPG: 4.0 by 3.15 by 1.5 mm; SS49E alike)."""

    width: float = 4.0
    length: float = 3.15
    height: float = 1.5
    leg: float = 0.5
    bend: float = 1.3
    """From the case to the outside of the legs that are bent down."""
    sunk: float = 0.3
    """How far the branded face lies under the base's upper face, so that the board does not press on it."""


def reed_of(glass: float) -> Reed:
    """Returns the measures of a reed switch whose glass is so long, one of GLASSES."""
    return Reed() if glass == GLASS else Reed(glass, width=2.3)


def part_of(sensor: Sensor, glass: float = GLASS) -> SensorPart:
    """Returns the part of the bill for a kind of sensor, or a reed switch of another length."""
    if sensor is Sensor.REED and glass != GLASS:
        return LONG_REED
    return dict(zip((Sensor.REED, Sensor.DIGITAL, Sensor.ANALOGUE), MOUNTED, strict=True))[sensor]


def room_of(glass: float) -> float:
    """Returns the room under the base, which is the height of the frame, for reed switches of that length."""
    return ROOM + glass - GLASS


def usual_wood(board: Board, sensor: Sensor, glass: float = GLASS) -> float:
    """Returns the thickness of the wood over sensors: the usual one, or the most they feel through."""
    span = woods(part_of(sensor, glass), advised(board), pitch_of(board))
    return USUAL_WOOD if span is None else min(USUAL_WOOD, span[1])


def reach_of(face: Face) -> float:
    """Returns how far a piece reaches from its middle at most, in steps: a square one at its corners."""
    square = face.form == "port" or (face.form == "block" and face.height < 1.2 * face.radius)
    return face.radius * (sqrt(2) if square else 1.0)


def foot_diameter(board: Board) -> float:
    """Returns the diameter of the foot under the narrowest piece of a board."""
    return 2 * min(face.radius for face in faces_of(board)) * board.pitch_mm


def sites_mm(board: Board) -> Mapping[str, Point]:
    """Returns the middle of each site. RoomError where sites are too close for the holes of sensors."""
    if pitch_of(board) < SITES_APART:
        words = f"sites lie {pitch_of(board):.1f} mm from each other: sensors need {SITES_APART:g} mm"
        raise RoomError(f"{board.name}: {words}")
    return {site: (x * board.pitch_mm, y * board.pitch_mm) for site, (x, y) in board.sites.items()}


@cache
def lamps_mm(board: Board) -> Mapping[str, Point]:
    """Returns the middle of each site's lamp: beside the widest piece, within the outline where it can be.

    It lies to the north-east, or as near to that as it is far enough off all neighbours and their lamps, so
    that it is plain whose it is. Where pieces fill their fields it lies at a corner of its field. RoomError
    where sites are too close for lamps.
    """
    sites = sites_mm(board)
    widest = max(reach_of(face) for face in faces_of(board)) * board.pitch_mm
    aside = min(widest + RIM + LAMP_HOLE / 2, pitch_of(board) / sqrt(2))
    ways = [radians(45 + side * turn) for turn in range(0, 181, 15) for side in (1, -1)]
    lamps: dict[str, Point] = {}
    for site, at in sites.items():
        places = [(at[0] + aside * cos(way), at[1] + aside * sin(way)) for way in ways]
        free = [place for place in places if _off(place, lamps.values()) >= LAMP_SIZE]
        if not free:
            raise RoomError(f"there is no room for lamps: sites lie {pitch_of(board):.1f} mm from each other")
        near = [other for name, other in sites.items() if name != site and dist(other, at) < 4 * aside + 40]
        lamps[site] = _roomiest(board, free, near, aside)
    return lamps


def _roomiest(board: Board, places: Sequence[Point], neighbours: Sequence[Point], aside: float) -> Point:
    """Returns the place within the outline that is farthest off the neighbours, if any is far enough off."""
    room = {place: round(min(_off(place, neighbours), 1.5 * aside), 3) for place in places}
    clear = [place for place in places if room[place] >= round(aside, 3)]
    outline = [(x * board.pitch_mm, y * board.pitch_mm) for x, y in board.outline]
    inside = [place for place in clear if _is_within(place, outline, LAMP_HOLE / 2 + RIM)]
    return max(inside, key=room.__getitem__) if inside else (clear or places)[0]


def _off(place: Point, others: Iterable[Point]) -> float:
    return min((dist(place, other) for other in others), default=1000.0)


def _is_within(place: Point, outline: Sequence[Point], margin: float) -> bool:
    """Tells whether a place lies inside a polygon that turns either way, and so far off its edge."""
    inside = False
    for (ax, ay), (bx, by) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (ay > place[1]) != (by > place[1]) and place[0] < ax + (place[1] - ay) / (by - ay) * (bx - ax):
            inside = not inside
        along = ((place[0] - ax) * (bx - ax) + (place[1] - ay) * (by - ay)) / dist((ax, ay), (bx, by)) ** 2
        along = min(max(along, 0.0), 1.0)
        if dist(place, (ax + along * (bx - ax), ay + along * (by - ay))) < margin:
            return False
    return inside


def span_of(board: Board, round_mm: float) -> tuple[float, float, float, float]:
    """Returns west, south, east and north of a board's outline and sites, with so much around them."""
    points = [*board.outline, *board.sites.values()]
    xs, ys = [x * board.pitch_mm for x, _ in points], [y * board.pitch_mm for _, y in points]
    return min(xs) - round_mm, min(ys) - round_mm, max(xs) + round_mm, max(ys) + round_mm
