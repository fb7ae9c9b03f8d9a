"""Computes the pull between magnets under neighbouring pieces, and whether the pieces stay put.

Each face of a disc magnet is a disc of magnetic charge, north above and south below; the force between two
magnets is the sum over all pairs of small parts of these faces. That is exact for a rigid magnetisation, and
for neodymium within some per cent. The model is that of Vokoun, Beleggia, Heller and Šittner,
"Magnetostatic interactions and forces between cylindrical permanent magnets", Journal of Magnetism and
Magnetic Materials 321 (2009) 3758. Lengths are in mm, weights in g, and forces in gf: the weight of one gram.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board, Face
from hardware.discs import REMANENCE_MT, Disc

BEECH, NEODYMIUM = 0.7e-3, 7.5e-3
"""Densities in g/mm³."""
FILLED = {
    "disc": 1.0,
    "pillar": 1.0,
    "pole": 0.9,
    "pawn": 0.4,
    "piece": 0.4,
    "block": 0.42,
    "port": 0.29,
}
"""The share of the cylinder of its radius and height that a piece of a form fills.

Turned pieces are slim, a block is an upright tile or a frame, and a port two walls.
"""
UNTOLD = Face("pawn", 0.3, 0.8)
"""The piece of a board whose file tells of none."""
FRICTION = 0.25
"""The least usual friction of wood on wood, dry and at rest; tables give 0.25 to 0.5."""
ASTRAY = 0.25
"""The share of the pitch by which two pieces are nearer to each other that both stand off the middle."""
FELT = 1.0
"""The thickness in mm of the felt under a foot."""
_RINGS, _SPOKES = 5, 16
_MU_0 = 4e-7 * pi
_GF_PER_N = 1000 / 9.80665


def _parts(magnet: Disc) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Returns the places x and y of the parts of a face, and their shares of its area (Gauss quadrature)."""
    nodes, weights = np.polynomial.legendre.leggauss(_RINGS)
    radii = magnet.diameter / 2 * np.sqrt((nodes + 1) / 2)
    angles = 2 * pi * (np.arange(_SPOKES) + 0.5) / _SPOKES
    x, y = np.outer(radii, np.cos(angles)).ravel(), np.outer(radii, np.sin(angles)).ravel()
    return x, y, np.repeat(weights / 2 / _SPOKES, _SPOKES)


def _force(magnet: Disc, aside: float, above: float) -> tuple[float, float]:
    """Returns the force away from the other of two such magnets with the same pole up: aside, and upward."""
    x, y, share = _parts(magnet)
    dx, dy = aside + x[None, :] - x[:, None], y[None, :] - y[:, None]
    shares = np.outer(share, share)
    outward = upward = 0.0
    for sign, dz in ((2, above), (-1, above + magnet.thickness), (-1, above - magnet.thickness)):
        cube = (dx**2 + dy**2 + dz**2) ** 1.5
        outward += sign * float((shares * dx / cube).sum())
        upward += sign * float((shares * dz / cube).sum())
    charge = REMANENCE_MT[magnet.grade] * 1e-3 * pi * (magnet.diameter / 2) ** 2 * 1e-6
    scale = charge**2 / (4 * pi * _MU_0) * 1e6 * _GF_PER_N
    return outward * scale, upward * scale


def pull_beside(magnet: Disc, distance: float) -> float:
    """Returns the force between two such magnets that stand beside each other, from axis to axis.

    Opposite poles up attract with it, and the same pole up repels.
    """
    return _force(magnet, distance, 0.0)[0]


def pull_above(magnet: Disc, gap: float) -> float:
    """Returns the force with which a magnet attracts one below it, of the same pole up, across a gap."""
    return -_force(magnet, 0.0, gap + magnet.thickness)[1]


def weight_of_magnet(magnet: Disc) -> float:
    """Returns the weight of a magnet."""
    return NEODYMIUM * pi * (magnet.diameter / 2) ** 2 * magnet.thickness


def weight_of(face: Face, pitch_mm: float) -> float:
    """Returns the weight of a piece of beech without its magnet, estimated from its form."""
    radius, height = face.radius * pitch_mm, face.height * pitch_mm
    return BEECH * FILLED.get(face.form, FILLED["pawn"]) * pi * radius**2 * height


def faces_of(board: Board) -> list[Face]:
    """Returns the forms of a board's pieces; UNTOLD where its file tells of none."""
    faces = board.pieces.faces
    return [face for name, face in faces.items() if name or len(faces) == 1] or [UNTOLD]


def lightest(board: Board) -> Face:
    """Returns the form of a board's lightest piece."""
    return min(faces_of(board), key=lambda face: weight_of(face, board.pitch_mm))


@dataclass(frozen=True, slots=True)
class Stand:
    """A piece of some weight, magnet included, among others like it at a pitch."""

    magnet: Disc
    pitch: float
    weight: float
    friction: float = FRICTION

    @property
    def grip(self) -> float:
        """The force that has to be overcome before the piece slides."""
        return self.friction * self.weight

    @property
    def pull(self) -> float:
        """The force of one neighbour, both standing in the middle."""
        return pull_beside(self.magnet, self.pitch)

    @property
    def pull_astray(self) -> float:
        """The force of one neighbour when both stand an eighth of the pitch off, towards each other."""
        return pull_beside(self.magnet, self.pitch * (1 - ASTRAY))

    @property
    def slides(self) -> bool:
        """Tells whether the piece moves by itself when it stands in the middle of its site."""
        return self.pull > self.grip

    @property
    def snaps(self) -> bool:
        """Tells whether pieces a little off the middle run together, where their poles are opposite."""
        return self.pull_astray > self.grip

    @property
    def lift_gap(self) -> float:
        """The gap between the magnets below which a piece that is carried over this one lifts it."""
        low, high = 0.1, 200.0
        while high - low > 0.05:
            middle = (low + high) / 2
            low, high = (middle, high) if pull_above(self.magnet, middle) > self.weight else (low, middle)
        return low

    def warnings(self, height: float) -> Iterator[str]:
        """Yields what is wrong with the magnet for a piece of some height (mm), the worst first."""
        if self.slides:
            yield "slide"
        elif self.snaps:
            yield "snap"
        if self.lift_gap > height - self.magnet.thickness:
            yield "lift"


def stand_of(board: Board, magnet: Disc, pitch: float, friction: float = FRICTION) -> Stand:
    """Returns how a board's lightest piece stands with a magnet."""
    weight = weight_of(lightest(board), board.pitch_mm) + weight_of_magnet(magnet)
    return Stand(magnet, pitch, weight, friction)
