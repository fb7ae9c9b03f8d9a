"""Makes shapes of pieces, as meshes: turned on a lathe or cut from a plate. Lengths are squares of the board.

A mesh is its corners (n, 3) and its faces, each a tuple of corners. Pieces stand on z = 0 around (0, 0).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from random import Random
from typing import NamedTuple

Corner = tuple[float, float, float]
Profile = Sequence[tuple[float, float]]
"""Radius and height, from the foot to the top."""

SEGMENTS = 28
"""Faces around a turned piece."""
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
TALL: Mapping[str, tuple[float, float]] = {
    "pawn": (0.45, 0.6),
    "knight": (0.58, 0.8),
    "bishop": (0.65, 0.9),
    "rook": (0.5, 0.7),
    "queen": (0.8, 1.0),
    "king": (0.95, 1.05),
}
"""Heights beside the king's."""


class Mesh(NamedTuple):
    corners: list[Corner]
    faces: list[tuple[int, ...]]

    def joined(self, other: Mesh) -> Mesh:
        """Joins two meshes; where they meet, one goes through the other."""
        first = len(self.corners)
        faces = [tuple(first + n for n in face) for face in other.faces]
        return Mesh([*self.corners, *other.corners], [*self.faces, *faces])


def turned(profile: Profile) -> Mesh:
    """Returns a piece turned on a lathe; its profile is closed at both ends."""
    corners = [
        (r * cos(2 * pi * k / SEGMENTS), r * sin(2 * pi * k / SEGMENTS), z)
        for r, z in profile
        for k in range(SEGMENTS)
    ]
    faces: list[tuple[int, ...]] = []
    for ring in range(len(profile) - 1):
        for k in range(SEGMENTS):
            a, b = ring * SEGMENTS + k, ring * SEGMENTS + (k + 1) % SEGMENTS
            faces.append((a, b, b + SEGMENTS, a + SEGMENTS))
    top = (len(profile) - 1) * SEGMENTS
    faces.append(tuple(range(top, top + SEGMENTS)))
    return Mesh(corners, faces)


def cut(outline: Sequence[tuple[float, float]], thick: float) -> Mesh:
    """Returns a plate in the plane of x and z, cut along an outline that goes around to the left."""
    count = len(outline)
    corners = [(x, side * thick / 2, z) for side in (-1, 1) for x, z in outline]
    around = [(k, (k + 1) % count, count + (k + 1) % count, count + k) for k in range(count)]
    front, back = tuple(range(count - 1, -1, -1)), tuple(range(count, 2 * count))
    return Mesh(corners, [front, back, *around])


def chess_set(chance: Random) -> dict[str, Mesh]:
    """Returns all kinds of one maker: they share the foot and how slender they are."""
    king = chance.uniform(1.15, 2.1)
    broad = chance.uniform(0.26, 0.4)
    slender = chance.uniform(0.3, 0.62)
    out: dict[str, Mesh] = {}
    for kind in KINDS:
        height = king * chance.uniform(*TALL[kind])
        foot = broad * (chance.uniform(0.75, 0.9) if kind == "pawn" else chance.uniform(0.9, 1.05))
        out[kind] = _piece(kind, height, foot, slender, chance)
    return out


def disc_set(chance: Random) -> dict[str, Mesh]:
    """Makes flat pieces of one kind: draughts, or blocks that are a little higher."""
    radius, height = chance.uniform(0.3, 0.46), chance.uniform(0.08, 0.4)
    rim, hollow = chance.uniform(0.6, 0.95), chance.choice([0.0, 0.02, 0.05])
    profile = [
        (radius * 0.97, 0.0),
        (radius, 0.1 * height),
        (radius, 0.9 * height),
        (radius * 0.96, height),
        (radius * rim, height),
        (radius * rim * 0.96, height - hollow),
        (0.001, height - hollow),
    ]
    return {"pawn": turned(profile)}


def _piece(kind: str, height: float, foot: float, slender: float, chance: Random) -> Mesh:
    stem = foot * slender
    base = [(foot * 0.96, 0.0), (foot, 0.03), (foot, 0.08), (foot * 0.88, 0.12), (foot * 0.8, 0.18)]
    if kind == "knight":
        neck = [*base, (foot * 0.75, 0.22), (0.001, 0.23)]
        return turned(neck).joined(_horse(height, foot, chance))
    collar = height * chance.uniform(0.58, 0.72)
    body = [
        *base,
        (stem * 1.35, 0.12 + 0.15 * (collar - 0.12)),
        (stem * 1.05, 0.12 + 0.5 * (collar - 0.12)),
        (stem * 0.92, collar - 0.05),
        (stem * chance.uniform(1.3, 1.8), collar - 0.02),
        (stem * chance.uniform(1.2, 1.6), collar + 0.03),
        (stem * 0.9, collar + 0.05),
    ]
    room = height - collar - 0.05
    head = {
        "pawn": lambda: _ball(collar + 0.05, room, foot * chance.uniform(0.5, 0.66)),
        "bishop": lambda: _mitre(collar + 0.05, room, foot * chance.uniform(0.45, 0.6)),
        "rook": lambda: _tower(collar + 0.05, room, foot * chance.uniform(0.6, 0.8)),
        "queen": lambda: _crown(collar + 0.05, room, foot * chance.uniform(0.55, 0.8)),
        "king": lambda: _crown(collar + 0.05, 0.72 * room, foot * chance.uniform(0.55, 0.75)),
    }[kind]()
    piece = turned([*body, *head])
    if kind == "king" and chance.random() < 0.85:
        piece = piece.joined(_cross(height - 0.3 * room, 0.3 * room, chance))
    return piece


def _ball(low: float, room: float, radius: float) -> Profile:
    steps = [pi * k / 9 for k in range(1, 10)]
    return [(max(0.001, radius * sin(a)), low + room * (1 - cos(a)) / 2) for a in steps]


def _mitre(low: float, room: float, radius: float) -> Profile:
    return [
        (radius * 0.8, low),
        (radius, low + 0.3 * room),
        (radius * 0.75, low + 0.62 * room),
        (radius * 0.25, low + 0.85 * room),
        (radius * 0.3, low + 0.93 * room),
        (0.001, low + room),
    ]


def _tower(low: float, room: float, radius: float) -> Profile:
    return [
        (radius, low + 0.1 * room),
        (radius * 1.05, low + room),
        (radius * 0.75, low + room),
        (radius * 0.7, low + 0.75 * room),
        (0.001, low + 0.75 * room),
    ]


def _crown(low: float, room: float, radius: float) -> Profile:
    return [
        (radius * 0.6, low),
        (radius * 0.75, low + 0.5 * room),
        (radius, low + 0.85 * room),
        (radius * 0.85, low + 0.88 * room),
        (radius * 0.3, low + 0.93 * room),
        (0.001, low + room),
    ]


def _cross(low: float, high: float, chance: Random) -> Mesh:
    arm, half = high * chance.uniform(0.35, 0.5), high * 0.16
    up = [(-half, low), (half, low), (half, low + high), (-half, low + high)]
    across = [
        (-arm, low + 0.5 * high),
        (arm, low + 0.5 * high),
        (arm, low + 0.8 * high),
        (-arm, low + 0.8 * high),
    ]
    return cut(up, 2 * half).joined(cut(across, 2 * half))


def _horse(height: float, foot: float, chance: Random) -> Mesh:
    """Returns a head and neck seen from the side, thick as a finger."""
    rough = [
        (-0.7, 0.0),
        (0.75, 0.0),
        (0.45, 0.3),
        (0.4, 0.45),
        (0.95, 0.5),
        (1.0, 0.66),
        (0.45, 0.88),
        (0.2, 1.0),
        (0.05, 0.9),
        (-0.35, 0.8),
        (-0.65, 0.5),
    ]
    wobble = [(x * chance.uniform(0.85, 1.15), z) for x, z in rough]
    outline = [(0.8 * foot * x, 0.2 + (height - 0.2) * z) for x, z in wobble]
    return cut(outline, foot * chance.uniform(0.55, 0.85))
