"""Computes the field of a disc magnet: on its axis, beside it, and how far it is felt.

A disc magnet that is magnetised through its thickness has the field of a solenoid of the same shape, which is
known exactly on the axis. Beside the axis, at more than about its own width, that of a dipole with the same
moment is right to some per cent. Lengths are in mm, fields in mT.
"""

from __future__ import annotations

from math import hypot, pi
from typing import NamedTuple

from firmware_bridge.sensing.calibration import PRESS_SHARE

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


def felt_up_to(magnet: Disc, below: float, share: float = PRESS_SHARE) -> float:
    """Returns how far beside the sensor the magnet may stand: there the field has sunk to that share of the
    most.

    The usual share, a quarter, is the threshold of a calibrated sensor.
    """
    least, aside = share * vertical_field(magnet, below, 0), 0.0
    while vertical_field(magnet, below, aside) >= least:
        aside += 0.1
    return aside
