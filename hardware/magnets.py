"""Computes how far a magnet reaches: the numbers behind the advice on magnets, depth and spacing.

A disc magnet that is magnetised through its thickness has the field of a solenoid of the same shape, which is
known exactly on the axis. Beside the axis, at more than about its own width, that of a dipole with the same
moment is right to some per cent. Lengths are in mm, fields in mT. `python -m hardware.magnets` prints the
table for every board.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from math import hypot, pi
from typing import NamedTuple

from companion.core.board import Board, bundled_boards, load_board
from firmware_bridge.sensors import PRESS_SHARE

REMANENCE_MT = {"N35": 1190.0, "N42": 1310.0, "N52": 1450.0}
"""Typical remanence of neodymium grades, from the makers' tables (N42: 1280 to 1340 mT)."""


class Disc(NamedTuple):
    """A disc magnet."""

    diameter: float
    thickness: float
    grade: str = "N42"

    @property
    def moment(self) -> float:
        """Returns the dipole moment over 4 pi, in mT mm³."""
        volume = pi * (self.diameter / 2) ** 2 * self.thickness
        return REMANENCE_MT[self.grade] * volume / (4 * pi)


@dataclass(frozen=True, slots=True)
class Part:
    """A sensor: from `operate` mT on it surely reacts, below `release` mT it surely does not.

    It looks at the field `samples` times a second; 0 stands for always.
    """

    name: str
    operate: float
    release: float
    samples: int = 0


PARTS = (
    Part("reed switch, 10 to 15 AT", 3.0, 1.0),
    Part("A3144 switch", 35.0, 10.0),
    Part("DRV5033FA switch", 6.8, 0.5),
    Part("SS49E linear", 4.2, 1.4),
)
"""The worst cases of data sheets. SS49E: 14 mV/mT, so that 4.2 mT are 12 counts, the least threshold."""
UNFIT = (Part("DRV5032FB switch", 4.8, 1.0, samples=5),)
"""Sensors that feel enough and look too seldom: two changes between two looks arrive in any order."""


def axial_field(magnet: Disc, distance: float) -> float:
    """Returns the field on the axis at a distance from the face."""
    radius, near, far = magnet.diameter / 2, distance, distance + magnet.thickness
    half = REMANENCE_MT[magnet.grade] / 2
    return half * (far / hypot(radius, far) - near / hypot(radius, near))


def vertical_field(magnet: Disc, below: float, aside: float) -> float:
    """Returns the vertical part of a dipole's field, `below` the face and `aside` of the axis.

    It changes its sign at about 1.4 times the depth: a neighbour feels less than the distance alone would
    say, or the other pole.
    """
    depth = below + magnet.thickness / 2
    distance = hypot(depth, aside)
    return magnet.moment * (3 * depth**2 / distance**2 - 1) / distance**3


def cross_talk(magnet: Disc, below: float, pitch: float) -> float:
    """Returns the field at the neighbouring site's sensor, as a share of that at the magnet's own."""
    return abs(vertical_field(magnet, below, pitch)) / axial_field(magnet, below)


def reach(magnet: Disc, field: float) -> float:
    """Returns the greatest distance from the face at which the field on the axis is that strong."""
    low, high = 0.0, 200.0
    if axial_field(magnet, low) < field:
        return 0.0
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if axial_field(magnet, middle) >= field else (low, middle)
    return low


def pitch_of(board: Board) -> float:
    """Returns the distance of the two sites that are nearest to each other."""
    points = list(board.sites.values())
    steps = min(hypot(a - c, b - d) for i, (a, b) in enumerate(points) for c, d in points[:i])
    return steps * board.pitch_mm


def felt_up_to(magnet: Disc, below: float, share: float = PRESS_SHARE) -> float:
    """Returns how far beside the sensor the magnet may stand: there the field has sunk to that share of the
    most.

    The usual share, a quarter, is the threshold of a calibrated sensor.
    """
    least, aside = share * vertical_field(magnet, below, 0), 0.0
    while vertical_field(magnet, below, aside) >= least:
        aside += 0.1
    return aside


MAGNETS = (Disc(6, 3), Disc(8, 3), Disc(10, 3), Disc(10, 5))
SHOWN = (Disc(8, 3), Disc(10, 5))
DEPTHS = (5.0, 8.0, 12.0, 15.0)
HEAD = ("board", "pitch", "magnet", "depth", "field", "felt up to", "neighbour")


def table() -> str:
    """Returns rows of Markdown for each board.

    They hold the field at the middle of a site, how far off it is still felt, and the field at the next site.
    """
    lines = [HEAD, ("---",) * len(HEAD)]
    for name in bundled_boards():
        pitch = pitch_of(load_board(name))
        lines += [_row(name, pitch, magnet, depth) for magnet in SHOWN for depth in DEPTHS]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(name: str, pitch: float, magnet: Disc, depth: float) -> tuple[str, ...]:
    field, share = axial_field(magnet, depth), cross_talk(magnet, depth, pitch)
    return (
        name,
        f"{pitch:.0f} mm",
        f"{magnet.diameter:g} × {magnet.thickness:g}",
        f"{depth:g} mm",
        f"{field:.1f} mT",
        f"{felt_up_to(magnet, depth):.0f} mm",
        f"{share * field:.2f} mT ({share:.1%})",
    )


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
