"""The drawing of a board as the locator uses it: the edges between its crossings, and where to look for them.

In goes a board file's geometry; out come samples, points at which a line should be seen in a picture. Only
the main strokes count (cells, nets of lines): ornaments differ from one owner's board to the next. No colours
are used: a line may be dark on light, light on dark, or the border of two fields. The drawing also knows its
symmetries: turns that leave it as it is, and shifts by which a wrong answer could hide among right lines. All
lengths are in steps; the numbers below are geometry of the boards that there are, not measured.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, permutations

import numpy as np

from companion.core.board import Board, Point, Shape
from vision.arrays import Floats, Mask
from vision.geometry.view import Box

ALONG = (0.3, 0.5, 0.7)
"""The parts of an edge's length at which it is looked at: away from its crossings."""
ASIDE = 0.15
"""Steps from all edges at which none of them is seen."""
NEAR_EDGE = 0.3
"""Steps from an edge at which another one of its direction counts as drawn there."""
SAME_POINT = 0.02
"""Steps within which two points of a drawing are one."""
MAIN_STROKE = 1 / 3
"""The length of a main stroke's style, as a share of the most drawn style's."""
MAIN_FAMILY = 0.1
"""The length of a family of parallel lines that counts, as a share of the drawing's."""
RIM_TRUST = 0.4
"""The trust in lines of the rim: a frame pulls at them, but without them the fit reaches less far."""
UPRIGHT, ALIKE = 0.05, 0.99
"""The cosine of two directions below which they are at right angles, and that above which they are one."""
TURNS = (0, 180, 90, 270, 60, 120, 240, 300)
"""Turns that may leave a drawing as it is; degrees. The first does nothing, the second is the half turn."""
ITSELF, OVERLAPPING = 0.97, 0.35
"""The share of a drawing that lies on itself after a turn that leaves it as it is, and after a shift by which
a wrong view may hide."""
SHIFTS = (0.3, 2.3)
"""The shortest and longest of these shifts; steps."""
BINS = 10
"""Bins of a comb to a step."""
COMB_MARGIN, COMB_TOOTH, COMB_PENALTY = 1.2, 5, 0.6
"""The reach of a comb beyond its lines (steps), the breadth of a tooth (bins), and the weight of all bins
between and beyond the teeth, which speak against it, beside 1 for all teeth."""

Edges = Floats
"""Edges (n, 4): x0, y0, x1, y1 in steps."""


@dataclass(frozen=True, eq=False)
class Family:
    """Parallel lines of a drawing: their unit normal, and the offset and drawn length of each line."""

    normal: tuple[float, float]
    offsets: Floats
    lengths: Floats

    @cached_property
    def mean_length(self) -> float:
        return float(np.mean(self.lengths))

    @cached_property
    def combs(self) -> dict[float, tuple[Floats, float]]:
        """The offsets as teeth of a comb, and the offset of its first bin; for the family as it is (1) and
        turned round (-1).

        Between and beyond its lines a comb is negative: a line seen there speaks against it.
        """
        return {sign: self._comb(sign) for sign in (1.0, -1.0)}

    def _comb(self, sign: float) -> tuple[Floats, float]:
        offsets = sign * self.offsets
        start = offsets.min() - COMB_MARGIN
        teeth = np.zeros(round((float(np.ptp(offsets)) + 2 * COMB_MARGIN) * BINS) + 1)
        np.add.at(teeth, np.round((offsets - start) * BINS).astype(int), self.lengths / self.lengths.sum())
        near = np.convolve(teeth > 0, np.ones(COMB_TOOTH), mode="same") > 0
        teeth[~near] = -COMB_PENALTY / max(int((~near).sum()), 1)
        return teeth, float(start)


@dataclass(frozen=True, eq=False)
class Drawing:
    """The main strokes of a board, cut at their crossings into `edges`.

    `extent` is the board's outline (x0, y0, x1, y1), `sites` are its sites (n, 2); steps.
    """

    edges: Edges
    extent: Box
    sites: Floats

    @cached_property
    def centre(self) -> Floats:
        """The middle (2) of all edges, the longer ones counting more."""
        middle: Floats = np.average(_middles(self.edges), axis=0, weights=_lengths(self.edges))
        return middle

    @property
    def middle(self) -> Point:
        """The same as a point."""
        x, y = self.centre
        return float(x), float(y)

    @cached_property
    def samples(self) -> Floats:
        """The samples (m, 4): points on the edges and the unit normals there."""
        start, along = self.edges[:, :2], self.edges[:, 2:] - self.edges[:, :2]
        unit = along / np.linalg.norm(along, axis=1, keepdims=True)
        normal = np.column_stack((-unit[:, 1], unit[:, 0]))
        normal *= np.where((normal[:, :1] > 1e-9) | ((normal[:, :1] > -1e-9) & (normal[:, 1:] > 0)), 1, -1)
        return np.vstack([np.hstack((start + f * along, normal)) for f in ALONG])

    @cached_property
    def trust(self) -> Floats:
        """The trust (m) in each sample's line, 0…1: less on the drawing's rim, which often runs beside a
        frame."""
        points, normals = self.samples[:, :2], self.samples[:, 2:]
        across = points @ normals.T - (points * normals).sum(axis=1)
        rim = (across.max(axis=0) < SAME_POINT) | (across.min(axis=0) > -SAME_POINT)
        return np.where(rim, RIM_TRUST, 1.0)

    @cached_property
    def ghosts(self) -> Floats:
        """Samples (m, 4) where the drawing's lines would run on beyond its edge, and do not.

        A line found there speaks for a view shifted by a step. New lines beside the edge say nothing: boards
        have frames.
        """
        return np.unique(np.vstack([*self._beyond, np.empty((0, 4))]), axis=0)

    @cached_property
    def sides(self) -> Mask:
        """Masks (k, m): the ghosts that lie at the same side, for each side that has some."""
        rows = {tuple(ghost): i for i, ghost in enumerate(self.ghosts)}
        sides = np.zeros((len(self._beyond), len(rows)), dtype=bool)
        for flags, ghosts in zip(sides, self._beyond, strict=True):
            flags[[rows[tuple(ghost)] for ghost in ghosts]] = True
        return sides[sides.any(axis=1)]

    @cached_property
    def _beyond(self) -> list[Floats]:
        """The ghosts of each shift."""
        moved = [np.round(self.samples + np.append(shift[:2, 2], (0, 0)), 2) + 0.0 for shift in self.shifts]
        samples, where = np.unique(np.vstack([*moved, np.empty((0, 4))]), axis=0, return_inverse=True)
        beyond = self._on_lines(samples)
        beyond[beyond] = ~self._draws(samples[beyond])
        sides = where.reshape(len(moved), len(self.samples))
        return [samples[side[beyond[side]]] for side in map(np.unique, sides)]

    @cached_property
    def between(self) -> Floats:
        """Samples (m, 4) halfway between the drawing's lines, where it draws none: a line found there speaks
        for a board of smaller cells."""
        halfway = self.samples.copy()
        halfway[:, :2] += 0.5 * halfway[:, 2:]
        return halfway[~self._draws(halfway) & (self._gaps(halfway) > ASIDE).all(axis=1)]

    def _on_lines(self, samples: Floats) -> Mask:
        """Returns which samples lie on an edge of their direction, prolonged."""
        apart = (samples[:, None, :2] - self.edges[None, :, :2]) @ np.array([[0, -1], [1, 0]])
        along = self.edges[:, 2:] - self.edges[:, :2]
        away = np.abs((apart * along).sum(axis=2)) / _lengths(self.edges)
        alike = np.abs(samples[:, 2:] @ along.T) < 0.1 * _lengths(self.edges)
        return np.asarray((alike & (away < 2 * SAME_POINT)).any(axis=1))

    def _draws(self, samples: Floats) -> Mask:
        """Returns which samples an edge of about their direction passes near."""
        along = self.edges[:, 2:] - self.edges[:, :2]
        alike = np.abs(samples[:, 2:] @ along.T) < 0.5 * _lengths(self.edges)
        return np.asarray(((self._gaps(samples) < NEAR_EDGE) & alike).any(axis=1))

    def _gaps(self, samples: Floats) -> Floats:
        """Returns the distance (samples, edges) of each sample from each edge."""
        points, start = samples[:, None, :2], self.edges[:, :2]
        along = self.edges[:, 2:] - start
        part = np.clip(((points - start) * along).sum(axis=2) / _lengths(self.edges) ** 2, 0, 1)
        gaps: Floats = np.linalg.norm(start + part[..., None] * along - points, axis=2)
        return gaps

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The families of parallel lines that make up a tenth of the drawing or more, longest first."""
        normals = self.samples[: len(self.edges), 2:]
        angles = np.round(np.degrees(np.arctan2(normals[:, 1], normals[:, 0]))) % 180
        lengths = _lengths(self.edges)
        shares = {a: lengths[angles == a].sum() for a in np.unique(angles)}
        main = sorted(
            (a for a in shares if shares[a] > MAIN_FAMILY * lengths.sum()), key=lambda a: -shares[a]
        )
        return tuple(self._family(angles == a) for a in main)

    def _family(self, members: Mask) -> Family:
        normal = self.samples[: len(self.edges), 2:][members][0]
        offsets = _middles(self.edges[members]) @ normal
        keys = np.round(offsets / SAME_POINT).astype(int)
        lines, where = np.unique(keys, return_inverse=True)
        lengths = np.bincount(where, weights=_lengths(self.edges[members])).astype(float)
        return Family(
            (float(normal[0]), float(normal[1])), np.asarray(lines * SAME_POINT, dtype=float), lengths
        )

    @cached_property
    def pairs(self) -> tuple[tuple[Family, Family], ...]:
        """Pairs of families from which a view can be found: at right angles, where there are such.

        Of pairs that a turn of the drawing takes to each other, only the first is there.
        """
        found = list(permutations(self.families, 2))
        square = [(a, b) for a, b in found if abs(np.dot(a.normal, b.normal)) < UPRIGHT]
        kept: list[tuple[Family, Family]] = []
        for pair in square or found:
            if not any(self._turned(pair, other) for other in kept):
                kept.append(pair)
        return tuple(kept)

    def _turned(self, one: tuple[Family, Family], two: tuple[Family, Family]) -> bool:
        """Returns whether a turn that leaves the drawing as it is takes one pair of families to the other."""
        return any(
            all(abs(np.dot(turn[:2, :2] @ a.normal, b.normal)) > ALIKE for a, b in zip(one, two, strict=True))
            for turn in self.turns
        )

    @cached_property
    def turns(self) -> tuple[Floats, ...]:
        """The rotations of board points (3, 3) that leave the drawing as it is; the first does nothing."""
        turns = map(self.turn, TURNS)
        return tuple(t for t in turns if self._overlap(t) > ITSELF)

    def turn(self, degrees: float) -> Floats:
        """Returns the rotation (3, 3) of board points about the drawing's centre, anticlockwise."""
        cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        (x, y) = self.centre
        return np.array([[cos, -sin, x - cos * x + sin * y], [sin, cos, y - sin * x - cos * y], [0, 0, 1]])

    @cached_property
    def shifts(self) -> tuple[Floats, ...]:
        """The small translations (3, 3) after which a third of the drawing or more still lies on itself."""
        middles = _middles(self.edges)
        steps = middles - middles[np.argmin(np.linalg.norm(middles - self.centre, axis=1))]
        lengths = np.linalg.norm(steps, axis=1)
        near = steps[(lengths > SHIFTS[0]) & (lengths < SHIFTS[1])]
        moves = (np.array([[1, 0, x], [0, 1, y], [0, 0, 1]]) for x, y in near)
        return tuple(m for m in moves if self._overlap(m) > OVERLAPPING)

    @cached_property
    def steps(self) -> tuple[Floats, ...]:
        """The shifts that are not made of two shorter ones."""
        ways = np.array([shift[:2, 2] for shift in self.shifts]).reshape(-1, 2)
        long = np.hypot(*ways.T)
        return tuple(
            shift
            for shift, way, size in zip(self.shifts, ways, long, strict=True)
            if not _sum_of_two(way, ways[long < size - SAME_POINT])
        )

    def _overlap(self, move: Floats) -> float:
        """Returns the share of edges that lie on edges again after a rigid motion (3, 3) of the board."""
        ends = np.concatenate((self.edges[:, :2], self.edges[:, 2:]))
        moved = np.hstack(np.split(ends @ move[:2, :2].T + move[:2, 2], 2))
        apart = np.abs(_form(moved)[:, None] - _form(self.edges)[None]).max(axis=2)
        return float((apart.min(axis=1) < 3 * SAME_POINT).mean())


@lru_cache(maxsize=16)
def drawing_of(board: Board) -> Drawing:
    """Returns the drawing of a board: its links, or its outline, where the board file draws nothing."""
    strokes = _main_strokes(board.shapes) or [(board.sites[a], board.sites[b]) for a, b in board.links]
    strokes = strokes or list(_closed(board.outline))
    outline = np.array(board.outline)
    edges = _cut(np.array([(*a, *b) for a, b in strokes], dtype=float))
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    return Drawing(edges, (float(x0), float(y0), float(x1), float(y1)), np.array(list(board.sites.values())))


def _main_strokes(shapes: Iterable[Shape]) -> list[tuple[Point, Point]]:
    """Returns the lines, and sides of polygons, in the styles in which most of the drawing is made."""
    styles: dict[str, dict[object, tuple[Point, Point]]] = defaultdict(dict)
    for shape in shapes:
        for a, b in _sides(shape):
            styles[shape.style].setdefault(_key(np.array(a), np.array(b)), (a, b))
    drawn = {
        s: sum(float(np.hypot(b[0] - a[0], b[1] - a[1])) for a, b in sides.values())
        for s, sides in styles.items()
    }
    return [
        side
        for s, sides in styles.items()
        if drawn[s] > MAIN_STROKE * max(drawn.values())
        for side in sides.values()
    ]


def _sides(shape: Shape) -> Iterator[tuple[Point, Point]]:
    if shape.kind == "polygon":
        yield from _closed(shape.points)
    elif shape.kind == "line":
        yield from pairwise(shape.points)


def _closed(points: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    return zip(points, points[1:] + points[:1], strict=True)


def _cut(strokes: Edges) -> Edges:
    """Returns the strokes cut where others cross or touch them; an edge that is drawn twice counts once."""
    pieces: dict[object, tuple[float, ...]] = {}
    for stroke in strokes:
        start, end = stroke[:2], stroke[2:]
        for a, b in pairwise(_cuts(stroke, strokes)):
            piece = start + a * (end - start), start + b * (end - start)
            pieces.setdefault(_key(*piece), (*map(float, piece[0]), *map(float, piece[1])))
    return np.array(list(pieces.values()))


def _cuts(stroke: Floats, strokes: Edges) -> list[float]:
    """Returns where along a stroke (0…1) others cross, touch or end, its own ends included."""
    start, along = stroke[:2], stroke[2:] - stroke[:2]
    length = float(np.hypot(*along))
    other, across = strokes[:, :2], strokes[:, 2:] - strokes[:, :2]
    turn = along[0] * across[:, 1] - along[1] * across[:, 0]
    apart = other - start
    crossing = np.abs(turn) > 1e-3 * length * np.linalg.norm(across, axis=1)
    safe = np.where(crossing, turn, 1.0)
    t = (apart[:, 0] * across[:, 1] - apart[:, 1] * across[:, 0]) / safe
    u = (apart[:, 0] * along[1] - apart[:, 1] * along[0]) / safe
    slack = SAME_POINT / np.linalg.norm(across, axis=1)
    at = [0.0, 1.0, *t[crossing & (u > -slack) & (u < 1 + slack)]]
    ends = np.concatenate((apart, apart + across))
    on = np.abs(ends[:, 0] * along[1] - ends[:, 1] * along[0]) < SAME_POINT * length
    at += list((ends[on] @ along) / length**2)
    return _apart(sorted(v for v in at if -1e-9 <= v <= 1 + 1e-9), SAME_POINT / length)


def _apart(values: list[float], gap: float) -> list[float]:
    kept = values[:1]
    for value in values[1:]:
        if value - kept[-1] > gap:
            kept.append(value)
    return kept


def _key(a: Floats, b: Floats) -> tuple[tuple[int, int], tuple[int, int]]:
    first, second = sorted(
        ((round(float(x) / SAME_POINT / 2), round(float(y) / SAME_POINT / 2)) for x, y in (a, b))
    )
    return first, second


def _sum_of_two(way: Floats, others: Floats) -> bool:
    sums = (others[:, None] + others[None]).reshape(-1, 2)
    return bool((np.linalg.norm(sums - way, axis=1) < 3 * SAME_POINT).any())


def _form(edges: Edges) -> Floats:
    """Returns numbers (n, 4) that are the same for an edge drawn either way: its middle, and its direction
    with the angle doubled."""
    along = edges[:, 2:] - edges[:, :2]
    length = np.maximum(_lengths(edges), 1e-9)
    x, y = along[:, 0], along[:, 1]
    return np.column_stack((_middles(edges), (x * x - y * y) / length, 2 * x * y / length))


def _middles(edges: Edges) -> Floats:
    return (edges[:, :2] + edges[:, 2:]) / 2


def _lengths(edges: Edges) -> Floats:
    lengths: Floats = np.linalg.norm(edges[:, 2:] - edges[:, :2], axis=1)
    return lengths
