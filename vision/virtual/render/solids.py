"""The bodies of pieces, as facets: turned wood (discs, pawns, poles, chess pieces), blocks and walls.

A body stands on the plane z = 0 around the origin; lengths in steps. It is built once for each look and
turned, moved and shaded by the painter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from companion.core.board import Board, Face
from companion.core.game import Look
from vision.arrays import Floats
from vision.virtual.layout import face_of
from vision.virtual.render.finish import Carving
from vision.virtual.render.light import paint

Profile = Sequence[tuple[float, float]]

SIDES = 40
"""Facets around a turned piece."""
CARVED_SIDES = 24
"""The same, where a profile has many points."""
ROUND = np.linspace(0, 2 * np.pi, SIDES + 1)
THREE_CORNERED = np.radians([90.0, 210.0, 330.0, 450.0])
"""The angles of the corners of what lies flat on a piece, the first one twice."""
KEPT_BODIES = 256
"""Bodies that are kept: more than any board has."""
CREAM = np.array([176.0, 217.0, 232.0])
"""The colour of prints on discs: blue, green, red."""
CUT = 0.4
"""The brightness of what lies in a cut, beside that of the wood around it."""
PEARLS = 8
"""The balls on a queen's crown."""
HORSE = (
    (0.2, -0.5, 0.6, 0.42),
    (0.36, -0.3, 0.68, 0.36),
    (0.5, -0.22, 0.7, 0.32),
    (0.57, -0.6, 0.68, 0.28),
    (0.63, -1.0, 0.64, 0.2),
    (0.74, -1.05, 0.58, 0.18),
    (0.84, -0.55, 0.5, 0.3),
    (0.92, -0.1, 0.42, 0.3),
    (1.0, 0.1, 0.3, 0.16),
)
"""A knight's head from below: heights (parts of its own); where nose and mane are, half the width (radii)."""
HORSE_LEVELS, HORSE_SIDES, SQUARENESS = 22, 16, 0.75
"""The levels and sides of its facets; 1 is an ellipse from above, and less is squarer."""
WHITE = np.array([238.0, 242.0, 244.0])
BLACK = np.array([34.0, 28.0, 28.0])


@dataclass(frozen=True, eq=False)
class Facets:
    """Four-cornered facets (n, 4, 3), their outward normals (n, 3), colours (n, 3; BGR) and gloss (n).

    What lies on top of something else has a higher layer (n), and is drawn after it.
    `parts` are bodies whose shadows are convex: index ranges of the facets. `letter` is written on the
    top of a marker: the words, the height at which and the radius in which they lie.
    """

    facets: Floats
    normals: Floats
    colours: Floats
    gloss: Floats
    layers: Floats
    parts: tuple[slice, ...]
    letter: tuple[str, float, float] | None = None

    @property
    def height(self) -> float:
        return float(self.facets[..., 2].max())


@lru_cache(maxsize=KEPT_BODIES)
def solid(board: Board, look: Look, corner: str = "", carving: Carving | None = None) -> Facets:
    """Returns the body of a look of a board; pieces of chess are turned as a carving says."""
    piece, _, marker = look.partition("+")
    face, bodies = face_of(board, look), []
    if piece:
        bodies.append(_piece(face, _colour(board, piece), corner, carving))
    top = max((b.height for b in bodies), default=0.0)
    if marker:
        bodies.append(_marker(board, marker, top, face.radius if piece else 0.0))
    return _stacked(bodies)


def _piece(face: Face, colour: Floats, corner: str, carving: Carving | None) -> Facets:
    if face.form == "port":
        return _port(face, colour, corner or "nw")
    if face.form == "piece":
        return _carved(face, colour, carving) if carving else _chess(face, colour)
    build = {"disc": _disc, "pawn": _pawn, "block": _block, "pole": _pole, "pillar": _pillar, "cross": _cross}
    return build.get(face.form, _pawn)(face, colour)


def _disc(face: Face, colour: Floats) -> Facets:
    r, h = face.radius, face.height
    if face.badge == "stack":
        # The rim of the lower disc's marked face shows around the upper one.
        lower, upper = turned(_disc_profile(r, h / 2), colour), turned(_disc_profile(0.82 * r, h / 2), colour)
        return _stacked([lower, _ring(0.80 * r, 0.91 * r, h / 2, CREAM), _lifted(upper, h / 2)])
    body = turned(_disc_profile(r, h), colour)
    if face.badge == "ring":
        triangle = _ring(0.22 * r, 0.44 * r, h, CREAM, THREE_CORNERED)
        return _stacked([body, _ring(0.54 * r, 0.76 * r, h, CREAM), triangle])
    if face.badge == "dot":
        return _stacked([body, _plate(0.5 * r, h, WHITE)])
    return body


def _disc_profile(r: float, h: float) -> Profile:
    bevel = 0.16 * h
    return [
        (0.95 * r, 0),
        (r, bevel),
        (r, h - 1.6 * bevel),
        (0.965 * r, h - 0.5 * bevel),
        (0.91 * r, h),
        (0.84 * r, h),
        (0.80 * r, h - 0.5 * bevel),
        (0.4 * r, h - 0.5 * bevel),
        (0, h - 0.5 * bevel),
    ]


def _pawn(face: Face, colour: Floats) -> Facets:
    r, h = face.radius, face.height
    ball = 0.58 * r if face.badge != "tall" else 0.64 * r
    neck = h - 1.72 * ball
    body = [
        (0.94 * r, 0),
        (r, 0.06 * h),
        (0.96 * r, 0.13 * h),
        (0.72 * r, 0.20 * h),
        (0.50 * r, 0.34 * h),
        (0.38 * r, 0.8 * neck),
        (0.36 * r, neck - 0.05 * h),
        (0.52 * r, neck - 0.025 * h),
        (0.54 * r, neck),
        (0.40 * r, neck + 0.02 * h),
    ]
    pawn = turned([*body, *_ball(ball, h - ball, 0.72)], colour)
    if face.badge == "dot":
        return _stacked([pawn, turned(_drum(0.46 * r, h - 0.06 * h, h), WHITE)])
    if face.badge == "tall":
        return _joined([pawn, turned(_drum(0.62 * r, 0.78 * neck, 0.86 * neck), colour)])
    return pawn


def _ball(r: float, middle: float, start: float = 0.0) -> list[tuple[float, float]]:
    """Returns the profile of a ball, from `start` of its radius below the middle (or just above the
    bottom)."""
    first = -np.arcsin(start) if start else -1.3
    angles = np.linspace(first, np.pi / 2, 11)
    return [(max(0.0, float(r * np.cos(a))), float(middle + r * np.sin(a))) for a in angles]


def _drum(r: float, low: float, high: float) -> Profile:
    edge = min(0.25 * (high - low), 0.12 * r)
    return [(r, low), (r, high - edge), (r - edge, high), (0, high)]


def _pole(face: Face, colour: Floats) -> Facets:
    return turned(_drum(face.radius, 0, face.height), colour)


def _block(face: Face, colour: Floats) -> Facets:
    """Returns an upright tile; a square frame where it is lower than wide."""
    r, h = face.radius, face.height
    if h >= 1.2 * r:
        return _boxes([(-0.82 * r, -0.4 * r, 0.82 * r, 0.4 * r)], h, colour)
    t = 0.24 * r
    walls = [(-r, r - t, r, r), (-r, -r, r, -r + t), (-r, -r + t, -r + t, r - t), (r - t, -r + t, r, r - t)]
    return _boxes(walls, h, colour)


def _port(face: Face, colour: Floats, corner: str) -> Facets:
    """Returns two walls on the sides of a quadrant that the corner names."""
    r, h, t = face.radius, face.height, 0.24 * face.radius
    north, east = corner[0] == "n", corner[1] == "e"
    level = (r - t, r) if north else (-r, -r + t)
    upright = (r - t, r) if east else (-r, -r + t)
    rest = (-r, r - t) if north else (-r + t, r)
    return _boxes([(-r, level[0], r, level[1]), (upright[0], rest[0], upright[1], rest[1])], h, colour)


def _pillar(face: Face, colour: Floats) -> Facets:
    return turned(_drum(face.radius, 0, face.height), colour, 6)


def _cross(face: Face, colour: Floats) -> Facets:
    r, t = face.radius, 0.22 * face.radius
    return _boxes([(-r, -t, r, t), (-t, -r, t, -t), (-t, t, t, r)], face.height, colour)


def _chess(face: Face, colour: Floats) -> Facets:
    r, h = face.radius, face.height
    match face.badge:
        case "bishop":
            return _slit(_turned_on_stem(face, _mitre(0.58 * r, h), colour), 0.58 * r, h)
        case "rook":
            return _battlements(_turned_on_stem(face, _tower(0.66 * r, h), colour), 0.66 * r, h)
        case "queen":
            crown = _turned_on_stem(face, [*_crown(0.66 * r, 0.95 * h), *_ball(0.2 * r, 0.96 * h)], colour)
            return _joined([crown, *_pearls(0.6 * r, 0.93 * h, 0.12 * r, colour)])
        case "king":
            crown = _turned_on_stem(face, _dome(0.62 * r, 0.84 * h), colour)
            crown = _darkened(crown, crown.facets[..., 2].min(axis=1) > 0.84 * h - 0.1 * r)
            return _stacked([crown, *_king_cross(0.15 * r, 0.82 * h, h, colour)])
        case "knight":
            return _knight(r, h, colour)
    return _turned_on_stem(face, _ball(0.5 * r, h - 0.5 * r, 0.7), colour)


def _turned_on_stem(face: Face, head: list[tuple[float, float]], colour: Floats) -> Facets:
    """Returns a head on the foot and stem that all chess pieces have; all of it is turned."""
    r, h, neck = face.radius, face.height, head[0][1]
    stem = [
        (0.95 * r, 0),
        (r, 0.05 * h),
        (r, 0.1 * h),
        (0.78 * r, 0.15 * h),
        (0.74 * r, 0.19 * h),
        (0.48 * r, 0.34 * h),
        (0.36 * r, neck - 0.09 * h),
        (0.56 * r, neck - 0.05 * h),
        (0.5 * r, neck - 0.01 * h),
    ]
    return turned([*stem, *head], colour)


def _carved(face: Face, colour: Floats, carving: Carving) -> Facets:
    profile = [(r * face.radius, z * face.height) for r, z in carving.profiles[face.badge]]
    return turned(profile, colour, CARVED_SIDES, carving.gloss)


def _mitre(r: float, h: float) -> list[tuple[float, float]]:
    """Returns the profile of a bishop's head: a drop with a small ball on its point."""
    top = h - 0.3 * r
    drop = [
        (float(r * np.sin(t) ** 0.8 * (1 - 0.35 * t / np.pi)), top - 2.1 * r * float(1 + np.cos(t)) / 2)
        for t in np.linspace(0.35, 0.94 * np.pi, 10)
    ]
    return [*drop, *_ball(0.2 * r, h - 0.2 * r, 0.5)]


def _slit(body: Facets, r: float, h: float) -> Facets:
    """Returns a bishop with the slanting cut in its mitre."""
    x, y, z = body.facets.mean(axis=1).T
    across = np.abs(z - (h - 1.15 * r + 0.9 * x))
    return _darkened(body, (across < 0.2 * r) & (y < 0.35 * r) & (x > -0.2 * r) & (z > h - 2.2 * r))


def _battlements(body: Facets, r: float, h: float) -> Facets:
    """Returns a rook with gaps in the wall on its top."""
    x, y, z = body.facets.mean(axis=1).T
    gaps = np.abs((np.arctan2(y, x) + np.pi / 4) % (np.pi / 2) - np.pi / 4) < np.radians(15)
    return _darkened(body, gaps & (z > h - 0.5 * r) & (np.hypot(x, y) > 0.68 * r))


def _darkened(body: Facets, where: npt.NDArray[np.bool_]) -> Facets:
    """Returns a body whose facets lie in shadow where `where` says: cuts that are not modelled."""
    return replace(body, colours=np.where(where[:, None], body.colours * CUT, body.colours))


def _pearls(around: float, height: float, radius: float, colour: Floats) -> list[Facets]:
    """Returns the small balls on the rim of a queen's crown."""
    angles = np.linspace(0, 2 * np.pi, PEARLS, endpoint=False)
    pearl = turned(_ball(radius, 0), colour, 8)
    shifts = (np.array([around * np.cos(angle), around * np.sin(angle), height]) for angle in angles)
    return [replace(pearl, facets=pearl.facets + shift) for shift in shifts]


def _king_cross(arm: float, low: float, high: float, colour: Floats) -> list[Facets]:
    """Returns a cross that is one from every side, and from above."""
    post = _lifted(_boxes([(-arm, -arm, arm, arm)], high - low, colour), low)
    bars = [(-3.2 * arm, -arm, 3.2 * arm, arm), (-arm, -3.2 * arm, arm, -arm), (-arm, arm, arm, 3.2 * arm)]
    return [post, _lifted(_boxes(bars, 1.6 * arm, colour), low + 0.5 * (high - low))]


def _tower(r: float, h: float) -> list[tuple[float, float]]:
    floor = h - 0.25 * r
    return [(0.8 * r, h - 1.1 * r), (r, h - 0.9 * r), (r, h), (0.7 * r, h), (0.66 * r, floor), (0, floor)]


def _crown(r: float, h: float) -> list[tuple[float, float]]:
    return [
        (0.6 * r, h - 1.5 * r),
        (r, h - 0.3 * r),
        (0.9 * r, h - 0.16 * r),
        (0.5 * r, h - 0.1 * r),
        (0.3 * r, h - 0.08 * r),
        (0.2 * r, h),
        (0, h),
    ]


def _dome(r: float, h: float) -> list[tuple[float, float]]:
    """Returns the profile of a king's crown."""
    return [
        (0.6 * r, h - 1.5 * r),
        (r, h - 0.32 * r),
        (0.96 * r, h - 0.2 * r),
        (0.6 * r, h - 0.06 * r),
        (0, h),
    ]


def _knight(r: float, h: float, colour: Floats) -> Facets:
    foot = turned([(0.95 * r, 0), (r, 0.06 * h), (r, 0.14 * h), (0.7 * r, 0.22 * h), (0, 0.22 * h)], colour)
    head = _rounded([(z * h, nose * r, mane * r, half * r) for z, nose, mane, half in HORSE], colour)
    return _stacked([foot, _facing_west(_darkened(head, head.normals[:, 1] > 0.8))])


def _facing_west(body: Facets) -> Facets:
    """Returns a body that faces south turned to the west: players see a knight's head from its side."""
    turn = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]).T
    return replace(body, facets=body.facets @ turn, normals=body.normals @ turn)


def _rounded(levels: Sequence[tuple[float, float, float, float]], colour: Floats) -> Facets:
    """Returns a body with round sides by its levels: the height of each, its southern and northern end, half
    its width. Between them it goes on evenly."""
    known = np.array(levels)
    heights = np.linspace(known[0, 0], known[-1, 0], HORSE_LEVELS)
    south, north, half = (np.interp(heights, known[:, 0], known[:, n]) for n in (1, 2, 3))
    turn = np.linspace(0, 2 * np.pi, HORSE_SIDES, endpoint=False)
    across, along = (np.sign(c) * np.abs(c) ** SQUARENESS for c in (np.cos(turn), np.sin(turn)))
    middle, reach = (south + north) / 2, (north - south) / 2
    rings = np.stack(
        [
            np.outer(half, across),
            middle[:, None] + np.outer(reach, along),
            np.repeat(heights[:, None], HORSE_SIDES, axis=1),
        ],
        axis=2,
    )
    onward = np.roll(rings, -1, axis=1)
    sides = np.stack([rings[:-1], onward[:-1], onward[1:], rings[1:]], axis=2).reshape(-1, 4, 3)
    top = rings[-1]
    lid = np.array([[top[n], top[n + 1], top[-n - 2], top[-n - 1]] for n in range(HORSE_SIDES // 2 - 1)])
    facets = np.concatenate([sides, lid])
    normals = np.cross(facets[:, 1] - facets[:, 0], facets[:, 3] - facets[:, 0])
    return _solid(facets, normals / np.linalg.norm(normals, axis=1, keepdims=True), colour, 0.2)


def _marker(board: Board, marker: str, floor: float, under: float) -> Facets:
    """Returns a small disc with its letter; on a pawn's head it is no wider than the pawn."""
    face = face_of(board, f"+{marker}")
    radius = min(face.radius, 0.85 * under) if under else face.radius
    colour = paint(board.pieces.paint.get(marker, "#f3f0e8"))
    body = _lifted(turned(_drum(radius, 0, face.height), colour), floor)
    letter = (marker, floor + face.height, 0.72 * radius)
    return replace(body, letter=letter)


def _colour(board: Board, piece: str) -> Floats:
    owner = piece.partition("/")[0]
    return paint(board.pieces.paint.get(owner) or board.pieces.paint.get(piece) or "#9a9a9a")


def turned(profile: Profile, colour: Floats, sides: int = SIDES, gloss: float = 0.2) -> Facets:
    """Returns a body turned on a lathe from (radius, height) points, bottom to top."""
    angles = np.linspace(0, 2 * np.pi, sides + 1) + np.pi / sides
    around = np.column_stack((np.cos(angles), np.sin(angles)))
    middle = (around[:-1] + around[1:]) / np.linalg.norm(around[:-1] + around[1:], axis=1, keepdims=True)
    facets, normals = [], []
    for (r0, z0), (r1, z1) in pairwise(profile):
        low0, low1 = _hoop(around[:-1], r0, z0), _hoop(around[1:], r0, z0)
        top0, top1 = _hoop(around[:-1], r1, z1), _hoop(around[1:], r1, z1)
        facets.append(np.stack((low0, low1, top1, top0), axis=1))
        slope = np.array([z1 - z0, r0 - r1]) / (np.hypot(z1 - z0, r0 - r1) or 1)
        normals.append(np.column_stack((middle * slope[0], np.full(sides, slope[1]))))
    return _solid(np.concatenate(facets), np.concatenate(normals), colour, gloss)


def _hoop(around: Floats, radius: float, height: float) -> Floats:
    return np.column_stack((radius * around, np.full(len(around), height)))


def _boxes(floors: Iterable[tuple[float, float, float, float]], height: float, colour: Floats) -> Facets:
    """Returns upright boxes on floors x0, y0, x1, y1. Long ones are cut, so that nearer facets can be drawn
    last."""
    cut = [piece for floor in floors for piece in _cut(floor)]
    return _joined([_box(floor, height, colour) for floor in cut])


def _cut(floor: tuple[float, float, float, float]) -> list[tuple[float, float, float, float]]:
    x0, y0, x1, y1 = floor
    along, across = max(x1 - x0, y1 - y0), min(x1 - x0, y1 - y0)
    count = max(1, round(along / across / 2))
    if x1 - x0 >= y1 - y0:
        xs = np.linspace(x0, x1, count + 1).tolist()
        return [(a, y0, b, y1) for a, b in pairwise(xs)]
    ys = np.linspace(y0, y1, count + 1).tolist()
    return [(x0, a, x1, b) for a, b in pairwise(ys)]


def _box(floor: tuple[float, float, float, float], height: float, colour: Floats) -> Facets:
    x0, y0, x1, y1 = floor
    low = [(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)]
    top = [(x, y, height) for x, y, _ in low]
    sides = [[low[i], low[(i + 1) % 4], top[(i + 1) % 4], top[i]] for i in range(4)]
    normals = [(0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, 0, 1)]
    return _solid(np.array([*sides, top]), np.array(normals, dtype=float), colour, 0.12)


def _ring(inner: float, outer: float, height: float, colour: Floats, angles: Floats = ROUND) -> Facets:
    around = np.column_stack((np.cos(angles), np.sin(angles)))
    a, b = _hoop(around, inner, height), _hoop(around, outer, height)
    return _flat(np.stack((a[:-1], b[:-1], b[1:], a[1:]), axis=1), colour)


def _plate(radius: float, height: float, colour: Floats) -> Facets:
    return _ring(0.0, radius, height, colour)


def _flat(facets: Floats, colour: Floats) -> Facets:
    return _solid(facets, np.tile([0.0, 0.0, 1.0], (len(facets), 1)), colour, 0.0)


def _solid(facets: Floats, normals: Floats, colour: Floats, gloss: float) -> Facets:
    count = len(facets)
    colours, whole = np.tile(colour, (count, 1)), (slice(0, count),)
    return Facets(facets, normals, colours, np.full(count, gloss), np.zeros(count), whole)


def _lifted(body: Facets, height: float) -> Facets:
    facets = body.facets + np.array([0.0, 0.0, height])
    return replace(body, facets=facets)


def _stacked(bodies: Sequence[Facets]) -> Facets:
    """Bodies that lie on one another, the lowest first."""
    below = np.cumsum([0, *(body.layers.max() + 1 for body in bodies)])
    return _joined([replace(b, layers=b.layers + n) for b, n in zip(bodies, below, strict=False)])


def _joined(bodies: Sequence[Facets]) -> Facets:
    """Returns one body of several, whose facets keep their order. Only one of them may have a letter."""
    parts: list[slice] = []
    count, letter = 0, None
    for body in bodies:
        parts += [slice(part.start + count, part.stop + count) for part in body.parts]
        count += len(body.facets)
        letter = letter or body.letter
    return Facets(
        np.concatenate([body.facets for body in bodies]),
        np.concatenate([body.normals for body in bodies]),
        np.concatenate([body.colours for body in bodies]),
        np.concatenate([body.gloss for body in bodies]),
        np.concatenate([body.layers for body in bodies]),
        tuple(parts),
        letter,
    )
