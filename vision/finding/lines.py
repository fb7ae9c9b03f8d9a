"""Guesses of where a board lies, from its lines alone.

Lines that are parallel on the board meet in one point of the picture. Two such vanishing points give
the horizon, and with it a frame in which lines of both families are straight rulings, true to scale
along each axis: what remains is, for each axis, one scale and one shift. These are found by laying the
drawing's offsets over the lines that were seen; the best pairs are then judged in two dimensions.
Works for squares, triangles and nets alike, for any focal length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from vision.finding.drawing import Drawing, Family
from vision.finding.markers import Frame
from vision.finding.picture import DIRECTIONS, Picture
from vision.geometry.view import Floats, focal_length

SLOPE = np.radians(2.5)  # how far a segment may point past its vanishing point: lenses bend
VANISHING_POINTS = 6
TRIALS = 900
RULINGS = 10  # guesses kept for each axis
SPANS = np.geomspace(0.16, 1.5, 46)  # sizes of the board tried, as a share of the ruler
AMID_SPANS = np.geomspace(0.75, 1.05, 40)  # sizes tried, as a share of the markers' rectangle
OFF_MIDDLE = (-0.12, 0.0, 0.12)  # steps: how far off the middle between the markers it is tried
POINTS = 160  # of the drawing, for judging a guess


Flags = npt.NDArray[np.bool_]
Ruling = tuple[float, float]  # scale and shift: steps to an axis of the ruled frame


@dataclass(frozen=True)
class Guess:
    """A homography (steps to pixels) and how much better it fits than its surroundings."""

    matrix: Floats
    score: float


@dataclass(frozen=True)
class Pencil:
    """Segments that meet in one point (homogeneous, pixels from the picture's middle, scaled to 1)."""

    point: Floats
    segments: Floats


def guesses(picture: Picture, drawing: Drawing, segments: Floats, count: int = 12) -> list[Guess]:
    """The best guesses from segments of a picture, best first; [] where they are too few."""
    segments = _centred(picture, segments)
    pencils = _pencils(segments)
    found = [g for one, two in combinations(pencils, 2) for pair in drawing.pairs
             for g in _from_pencils(picture, drawing, (one, two), pair)]
    return _distinct(sorted(found, key=lambda g: -g.score), drawing)[:count]


def _frame(picture: Picture) -> Floats:
    """Pixels to numbers about -1 to 1."""
    width, height = picture.size
    half = max(width, height) / 2
    x, y = (width - 1) / 2, (height - 1) / 2
    return np.array([[1 / half, 0, -x / half], [0, 1 / half, -y / half], [0, 0, 1]])


def _centred(picture: Picture, segments: Floats) -> Floats:
    frame = _frame(picture)
    ends = segments.reshape(-1, 2) @ frame[:2, :2].T + frame[:2, 2]
    return ends.reshape(-1, 4)


def _lines(segments: Floats) -> Floats:
    """(n, 3) lines through the segments, their normals of unit length."""
    dx, dy = (segments[:, 2:] - segments[:, :2]).T
    length = np.maximum(np.hypot(dx, dy), 1e-12)
    a, b = -dy / length, dx / length
    return np.column_stack((a, b, -a * segments[:, 0] - b * segments[:, 1]))


def _pencils(segments: Floats) -> list[Pencil]:
    """The largest families of segments that meet in a point each, largest first."""
    chance = np.random.default_rng(1)
    found: list[Pencil] = []
    rest = segments
    while len(found) < VANISHING_POINTS and len(rest) >= 6:
        pencil, used = _pencil(rest, chance)
        if len(pencil.segments) < 3:
            break
        found.append(pencil)
        rest = rest[~used]
    return found


def _pencil(segments: Floats, chance: np.random.Generator) -> tuple[Pencil, Flags]:
    lengths = np.linalg.norm(segments[:, 2:] - segments[:, :2], axis=1)
    lines = _lines(segments)
    pairs = chance.choice(len(segments), size=(TRIALS, 2), p=lengths / lengths.sum())
    points = np.cross(lines[pairs[:, 0]], lines[pairs[:, 1]])
    points = points[np.linalg.norm(points, axis=1) > 1e-9]
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    support = _towards(segments, points) @ lengths
    point = points[support.argmax()]
    for _ in range(3):
        near = _towards(segments, point[None])[0]
        point = _meeting(lines[near], lengths[near])
    used = _towards(segments, point[None])[0]
    return Pencil(point, segments[used]), used


def _towards(segments: Floats, points: Floats) -> Flags:
    """(points, segments): whether a segment points at a point that lies off the board."""
    middle = (segments[:, :2] + segments[:, 2:]) / 2
    along = segments[:, 2:] - segments[:, :2]
    to_x = points[:, :1] - points[:, 2:] * middle[:, 0]
    to_y = points[:, 1:2] - points[:, 2:] * middle[:, 1]
    sine = np.abs(to_x * along[:, 1] - to_y * along[:, 0])
    size = np.hypot(to_x, to_y) * np.hypot(along[:, 0], along[:, 1])
    return np.asarray(sine < np.sin(SLOPE) * size)


def _meeting(lines: Floats, lengths: Floats) -> Floats:
    """The point nearest to all lines."""
    weighted = lines * lengths[:, None]
    point: Floats = np.linalg.eigh(weighted.T @ weighted)[1][:, 0]
    return point


def guesses_within(
    picture: Picture, drawing: Drawing, segments: Floats, frame: Frame, count: int = 6
) -> list[Guess]:
    """The best guesses in a frame that says how the board is turned and tilted."""
    flat = np.asarray(np.linalg.inv(frame.matrix), dtype=float)
    segments = _inside(segments, flat, frame)
    found: list[Guess] = []
    for families in drawing.pairs:
        normals = np.array([family.normal for family in families])
        to_rulers = np.vstack((normals @ flat[:2], flat[2]))
        across, up = (
            _rulings(_seen(to_rulers, _parallel(segments, flat, family), axis), family)
            for axis, family in enumerate(families)
        )
        pairs = [(x, y) for x, y in product(across, up) if x[0] > 0 and abs(np.log(abs(x[0] / y[0]))) < 0.15]
        matrices = [_homography(to_rulers, families, x, y) for x, y in pairs if y[0] > 0]
        found += judge(picture, drawing, [m for m in matrices if m is not None])
    return _distinct(sorted(found, key=lambda g: -g.score), drawing)[:count]


def guesses_amid(picture: Picture, drawing: Drawing, frame: Frame, count: int = 6) -> list[Guess]:
    """The best guesses whose drawing lies in the middle between the markers, whatever its size: they need
    no segments, so that lines may be too faint or too short for these."""
    x0, y0, x1, y1 = drawing.extent
    widest = 2 * min(frame.half[0] / (x1 - x0), frame.half[1] / (y1 - y0))
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    matrices = [
        frame.matrix @ np.array([[s, 0, s * (dx - x)], [0, s, s * (dy - y)], [0, 0, 1]])
        for s, dx, dy in product(widest * AMID_SPANS, OFF_MIDDLE, OFF_MIDDLE)
    ]
    found = judge(picture, drawing, matrices)
    return _distinct(sorted(found, key=lambda g: -g.score), drawing)[:count]


def _inside(segments: Floats, flat: Floats, frame: Frame) -> Floats:
    """The segments that lie between the markers."""
    middle = _mapped((segments[:, :2] + segments[:, 2:]) / 2, flat)
    return np.asarray(segments[(np.abs(middle) < np.array(frame.half) + 0.5).all(axis=1)])


def _parallel(segments: Floats, flat: Floats, family: Family) -> Floats:
    """The segments that run along the lines of a family, in the plane of the board."""
    along = _mapped(segments[:, 2:], flat) - _mapped(segments[:, :2], flat)
    sine = np.abs(along @ np.array(family.normal)) / np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    return np.asarray(segments[sine < np.sin(2 * SLOPE)])


def _mapped(points: Floats, matrix: Floats) -> Floats:
    image = np.column_stack((points, np.ones(len(points)))) @ matrix.T
    mapped: Floats = image[:, :2] / image[:, 2:]
    return mapped


def _from_pencils(
    picture: Picture, drawing: Drawing, pencils: tuple[Pencil, Pencil], families: tuple[Family, Family]
) -> Iterator[Guess]:
    """Guesses that take two families of the drawing's lines for two of the picture's."""
    rectified = _ruled_frame(pencils[0].point, pencils[1].point)
    if rectified is None:
        return
    to_rulers = rectified @ _frame(picture)
    across, up = (
        _rulings(_seen(rectified, pencil.segments, axis), family)
        for axis, (pencil, family) in enumerate(zip(pencils, families, strict=True))
    )
    if len(drawing.turns) > 1:  # the half turn is the first of them
        across = [(scale, shift) for scale, shift in across if scale > 0]
    matrices = [_homography(to_rulers, families, x, y) for x, y in product(across, up)]
    yield from judge(picture, drawing, [m for m in matrices if m is not None])


def _ruled_frame(one: Floats, two: Floats) -> Floats | None:
    """A homography that makes lines through `one` upright and lines through `two` level; None where
    the horizon cuts the picture's middle."""
    horizon = np.cross(one, two)
    size = np.linalg.norm(horizon)
    if size < 1e-6 or abs(horizon[2]) < 0.3 * np.linalg.norm(horizon[:2]):
        return None
    horizon = horizon / horizon[2]
    middle = np.array([0.0, 0.0, 1.0])
    upright, level = np.cross(one, middle), np.cross(two, middle)
    rows = [line / np.linalg.norm(line[:2]) for line in (upright, level)]
    if abs(rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]) < 0.2:
        return None
    return np.array([*rows, horizon])


def _seen(rectified: Floats, segments: Floats, axis: int) -> Floats:
    """(n, 2): where each segment of a family lies on its axis, and its length there."""
    ends = np.column_stack((segments.reshape(-1, 2), np.ones(2 * len(segments)))) @ rectified.T
    depth = ends[:, 2] * np.sign(np.median(ends[:, 2]) or 1.0) if len(ends) else ends[:, 2]
    before = (depth > 0.1 * np.median(depth) if len(ends) else depth > 0).reshape(-1, 2).all(axis=1)
    flat = (ends[:, :2] / np.where(np.abs(ends[:, 2:]) < 1e-6, 1e-6, ends[:, 2:])).reshape(-1, 2, 2)[before]
    places = flat[..., axis].mean(axis=1)
    return np.column_stack((places, np.linalg.norm(flat[:, 0] - flat[:, 1], axis=1)))


def _rulings(seen: Floats, family: Family) -> list[Ruling]:
    """(scale, shift) pairs by which offsets of the family come to lie on the lines seen, best first."""
    if len(seen) < 3:
        return []
    reach = float(np.ptp(seen[:, 0]))
    width = float(np.ptp(family.offsets))
    if reach < 1e-3 or width < 1e-3:
        return []
    scales = [float(scale) for scale in SPANS * reach / width]
    found = [f for sign in (1.0, -1.0) for scale in scales for f in _shifts(seen, family, sign, scale)]
    return _spread(sorted(found, reverse=True), width)


def _shifts(seen: Floats, family: Family, sign: float, scale: float) -> list[tuple[float, float, float]]:
    """(score, scale, shift) of the best shifts at one scale (a step in the ruler's units)."""
    unit = 0.1 * scale
    comb, start = family.combs[sign]
    low = seen[:, 0].min() - 2 * unit
    bins = np.round((seen[:, 0] - low) / unit).astype(int)
    counts = np.bincount(bins, weights=seen[:, 1], minlength=int(bins.max()) + 3)
    heights = np.convolve(counts, (0.25, 0.7, 1.0, 0.7, 0.25), mode="same")
    heights = np.minimum(heights / (scale * np.mean(family.lengths)), 1.0)
    fits = np.correlate(heights, comb, mode="full")
    shifts = low + unit * (np.arange(len(fits)) - len(comb) + 1) - start * scale
    return [(float(fits[k]), sign * scale, float(shifts[k])) for k in np.argpartition(fits, -3)[-3:]]


def _spread(found: list[tuple[float, float, float]], width: float) -> list[Ruling]:
    """The best of each bunch of like pairs, as many of each sign."""
    kept: dict[bool, list[Ruling]] = {True: [], False: []}
    for _, scale, shift in found:
        bunch, slack = kept[scale > 0], 0.3 * abs(scale)
        like = any(abs(scale - s) * width < slack and abs(shift - t) < slack for s, t in bunch)
        if not like and len(bunch) < RULINGS:
            bunch.append((scale, shift))
    return kept[True] + kept[False]


def _homography(
    to_rulers: Floats, families: tuple[Family, Family], x: Ruling, y: Ruling
) -> Floats | None:
    """Steps to pixels, from a scale and shift on each axis; None where it would mirror the board."""
    rows = [[scale * f.normal[0], scale * f.normal[1], shift]
            for f, (scale, shift) in zip(families, (x, y), strict=True)]
    matrix: Floats = np.linalg.solve(to_rulers, np.array([*rows, [0.0, 0.0, 1.0]]))
    return matrix if np.linalg.det(matrix) * matrix[2, 2] < 0 else None


def judge(picture: Picture, drawing: Drawing, matrices: list[Floats]) -> Iterator[Guess]:
    """The guesses among the homographies that could be a board in this picture, each with its score."""
    plausible = [m for m in matrices if _plausible(m, drawing, picture.size)]
    if not plausible:
        return
    stack = np.stack(plausible)
    samples = drawing.samples[:: max(1, len(drawing.samples) // POINTS)]
    on = np.mean(_strengths(picture, stack, samples, 0.0), axis=1)
    off = np.mean([np.mean(_strengths(picture, stack, samples, s), axis=1) for s in (-0.3, 0.3)], axis=0)
    for matrix, score in zip(plausible, on - off, strict=True):
        yield Guess(matrix, float(score))


def _plausible(matrix: Floats, drawing: Drawing, size: tuple[int, int]) -> bool:
    """Whether a camera could see the board so: all sites in the picture, no cell too small or askew."""
    sites = np.column_stack((drawing.sites, np.ones(len(drawing.sites)))) @ matrix.T
    depth = sites[:, 2]
    if not ((depth > 0).all() or (depth < 0).all()) or np.abs(depth).max() > 6 * np.abs(depth).min():
        return False
    pixels = sites[:, :2] / depth[:, None]
    slack = 0.02 * max(size)
    inside = (pixels > -slack).all() and (pixels < np.array(size) + slack).all()
    return bool(inside) and _regular(matrix, drawing, size)


def _regular(matrix: Floats, drawing: Drawing, size: tuple[int, int]) -> bool:
    """Whether cells are as square in space as the homography allows any camera, and 8 pixels or more."""
    x, y = drawing.centre
    middle = np.array([[1, 0, x], [0, 1, y], [0, 0, 1]])
    local = matrix @ middle
    local = local / local[2, 2]
    width, height = size
    focal = focal_length(local, size)
    camera = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    east, north = np.linalg.solve(camera, local)[:, :2].T
    long, broad = np.linalg.norm(east), np.linalg.norm(north)
    skew = abs(east @ north) / (long * broad)
    area = abs(np.linalg.det(local[:2, :2] - np.outer(local[:2, 2], local[2, :2])))
    return bool(skew < 0.2 and 0.8 < long / broad < 1.25 and area > 64)


def _strengths(picture: Picture, matrices: Floats, samples: Floats, shift: float) -> Floats:
    """(matrices, samples): the strength of edges in the right direction at the samples, shifted along
    their normals by `shift` steps."""
    points = samples[:, :2] + shift * samples[:, 2:]
    ends = np.concatenate((points - 0.05 * samples[:, 2:], points + 0.05 * samples[:, 2:]))
    image = np.column_stack((ends, np.ones(len(ends)))) @ matrices.transpose(0, 2, 1)
    flat = image[..., :2] / image[..., 2:]
    before, after = np.split(flat, 2, axis=1)
    # the normal of the line's picture is at right angles to the picture of its direction
    along = np.column_stack((samples[:, 3], -samples[:, 2])) * 0.05
    ahead = np.column_stack((points + along, np.ones(len(points)))) @ matrices.transpose(0, 2, 1)
    where = (before + after) / 2
    direction = ahead[..., :2] / ahead[..., 2:] - where
    turn = (np.arctan2(direction[..., 0], -direction[..., 1]) % np.pi) / np.pi * DIRECTIONS
    return _look_up(picture, where, turn)


def _look_up(picture: Picture, where: Floats, turn: Floats) -> Floats:
    edges = picture.edges
    _, height, width = edges.shape
    x, y = np.round((where[..., 0] - 0.5) / 2).astype(int), np.round((where[..., 1] - 0.5) / 2).astype(int)
    inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    x, y = np.where(inside, x, 0), np.where(inside, y, 0)
    low = np.floor(turn).astype(int)
    part = turn - low
    found = edges[low % DIRECTIONS, y, x] * (1 - part) + edges[(low + 1) % DIRECTIONS, y, x] * part
    return np.where(inside, found, 0.0)


def _distinct(found: list[Guess], drawing: Drawing) -> list[Guess]:
    """The best of each bunch of guesses that put the sites at about the same pixels, turned or not."""
    kept: list[Guess] = []
    forms: list[Floats] = []
    x0, y0, x1, y1 = drawing.extent
    corners = np.array([(x0, y0, 1), (x1, y0, 1), (x1, y1, 1), (x0, y1, 1)])
    for guess in found:
        image = corners @ guess.matrix.T
        form = image[:, :2] / image[:, 2:]
        size = np.linalg.norm(np.ptp(form, axis=0)) / (x1 - x0)
        if all(_apart(form, other) > 0.2 * size for other in forms):
            kept.append(guess)
            forms.append(form)
        if len(kept) >= 30:
            break
    return kept


def _apart(one: Floats, two: Floats) -> float:
    """How far two quadrilaterals are from each other, whichever corner comes first; pixels."""
    return min(float(np.abs(one - np.roll(two, k, axis=0)).max()) for k in range(4))
