"""How far a magnet reaches: the numbers behind the advice on magnets, depth and spacing.

A disc magnet that is magnetised through its thickness is a solenoid of the same shape, so its field on the
axis is exact in closed form; beside the axis, at more than about its own width, a dipole of the same
moment is good to some per cent. Lengths in mm, fields in mT. `python -m hardware.magnets` prints the
table for every board.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import hypot, pi
from typing import NamedTuple

from companion.board import Board, bundled_boards, load_board

REMANENCE_MT = {"N35": 1190.0, "N42": 1310.0, "N52": 1450.0}
"""Typical remanence of neodymium grades, from the makers' tables (N42: 1280 to 1340 mT)."""


class Disc(NamedTuple):
    """A disc magnet."""

    diameter: float
    thickness: float
    grade: str = "N42"

    @property
    def moment(self) -> float:
        """The dipole moment over 4 pi, in mT mm³."""
        volume = pi * (self.diameter / 2) ** 2 * self.thickness
        return REMANENCE_MT[self.grade] * volume / (4 * pi)


@dataclass(frozen=True, slots=True)
class Part:
    """A sensor: from how many mT on it surely reacts, below how many it surely does not."""

    name: str
    operate: float
    release: float


PARTS = (
    Part("reed switch, 10 to 15 AT", 3.0, 1.0),
    Part("A3144 switch", 35.0, 10.0),
    Part("DRV5032FB switch", 4.8, 1.0),
    Part("SS49E linear", 4.2, 1.4),
)
"""Data sheets' worst cases. SS49E: 14 mV/mT, so the 60 counts of the untuned threshold are 21 mT, but a
calibrated one is half of the swing; 4.2 mT are 12 counts, the least threshold that is used."""


def axial_field(magnet: Disc, distance: float) -> float:
    """The field on the axis at a distance from the face."""
    radius, near, far = magnet.diameter / 2, distance, distance + magnet.thickness
    half = REMANENCE_MT[magnet.grade] / 2
    return half * (far / hypot(radius, far) - near / hypot(radius, near))


def vertical_field(magnet: Disc, below: float, aside: float) -> float:
    """The vertical part of the field at a depth below the face and so far beside the axis (a dipole).

    It changes its sign at about 1.4 times the depth: a neighbour feels less than the distance alone
    would say, or the other pole.
    """
    depth = below + magnet.thickness / 2
    distance = hypot(depth, aside)
    return magnet.moment * (3 * depth**2 / distance**2 - 1) / distance**3


def cross_talk(magnet: Disc, below: float, pitch: float) -> float:
    """What the sensor of the neighbouring site feels, as a share of the field at the magnet's own."""
    return abs(vertical_field(magnet, below, pitch)) / axial_field(magnet, below)


def reach(magnet: Disc, field: float) -> float:
    """The greatest distance from the face at which the field on the axis is that strong."""
    low, high = 0.0, 200.0
    if axial_field(magnet, low) < field:
        return 0.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if axial_field(magnet, middle) >= field else (low, middle)
    return low


def pitch_of(board: Board) -> float:
    """The distance of the nearest two sites."""
    points = list(board.sites.values())
    steps = min(hypot(a - c, b - d) for i, (a, b) in enumerate(points) for c, d in points[:i])
    return steps * board.pitch_mm


MAGNETS = (Disc(6, 3), Disc(8, 3), Disc(10, 3), Disc(10, 5))
DEPTHS = (5.0, 8.0, 12.0)


def table() -> str:
    """Fields and cross-talk for each board, as rows of Markdown."""
    lines = ["| board | pitch | magnet | depth | field | neighbour | share |", "|---|---|---|---|---|---|---|"]
    for name in bundled_boards():
        pitch = pitch_of(load_board(name))
        for magnet in MAGNETS[1:3]:
            for depth in DEPTHS:
                field, share = axial_field(magnet, depth), cross_talk(magnet, depth, pitch)
                lines.append(
                    f"| {name} | {pitch:.0f} mm | {magnet.diameter:g} × {magnet.thickness:g} | {depth:g} mm "
                    f"| {field:.1f} mT | {share * field:.2f} mT | {share:.1%} |"
                )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
