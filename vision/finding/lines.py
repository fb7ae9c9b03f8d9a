"""Guesses where a board lies, from its lines.

In go a picture's straight segments and a drawing; out come `Guess`es, homographies with a score, best first.
Lines that are parallel on the board meet in one point of the picture. Two such vanishing points give the
horizon, and with it a frame in which the lines of both families are rulings, true to scale along each axis.
Only one scale and one shift for each axis are then unknown: they are found by laying the drawing's offsets
over the lines that are seen, and the best pairs are judged in two dimensions. This works for squares,
triangles and nets alike, and for any focal length. Where markers tell how the plane is tilted,
`guesses_within` and `guesses_amid` use that. `python -m benchmarks locate` measures what comes of the
guesses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from vision.arrays import Floats, Mask
from vision.finding.drawing import BINS, Drawing, Family
from vision.finding.markers import MarkerPlane
from vision.finding.picture import DIRECTIONS, WorkingPicture
from vision.geometry.view import focal_length, mapped

# Vanishing points
GUESSES, GUESSES_OF_MARKERS = 12, 6
"""The best guesses that are looked at: of a board by its lines alone, and by a board's markers."""
SLOPE = np.radians(2.5)
"""The greatest angle by which a segment points past its vanishing point, since lenses bend; radians."""
VANISHING_POINTS = 6
"""Vanishing points that are looked for."""
TRIALS = 900
"""Pairs of segments that are tried for a vanishing point."""
REFINEMENTS = 3
"""Rounds in which a vanishing point is refined by all segments that point at it."""
FEWEST_SEGMENTS, FEWEST_LINES = 6, 3
"""Segments among which a vanishing point is looked for, and segments that must point at it."""

# Rulings
RULINGS = 10
"""Rulings of each sign that are kept for an axis."""
SPANS = np.geomspace(0.16, 1.5, 46)
"""Sizes of the board that are tried, as a share of the lines seen."""
SHIFTS = 3
"""Shifts that are kept at one scale."""
TOOTH = (0.25, 0.7, 1.0, 0.7, 0.25)
"""The weights of a line that is seen in the bins around its own: lenses bend."""
BUNCH = 0.3
"""Steps within which two rulings are alike."""
STEEPEST = 0.3
"""The nearest that the horizon may come to the picture's middle: the ratio of its numbers, frame centred."""
CROSSING = 0.2
"""The least sine of the angle between both directions in the picture's middle."""
SHALLOWEST = 0.1
"""The least depth of a segment's ends, as a share of the median: nearer to the horizon nothing is told."""

# Guesses by markers
AMID_SPANS = np.geomspace(0.75, 1.05, 40)
"""Sizes of the drawing that are tried, as a share of the markers' rectangle."""
OFF_MIDDLE = (-0.12, 0.0, 0.12)
"""The distances from the middle between the markers at which the drawing is tried; markers' sides."""
BESIDE_MARKERS = 0.5
"""The greatest distance of a segment beyond the markers' middles; markers' sides."""
SAME_SCALE = 0.15
"""The log by which the scales of both axes may differ where markers tell the plane."""

# Judging
POINTS = 160
"""Samples of the drawing by which a guess is judged."""
BESIDE = 0.3
"""Steps beside a line at which none should be."""
NEARBY = 0.05
"""Steps along a normal or a line by which its direction in the picture is measured."""
DEPTHS = 6
"""The largest ratio of the depths of two sites."""
SLACK = 0.02
"""The greatest distance of a site outside the picture, as a share of its longer side."""
SKEWED, SQUASHED, SMALLEST = 0.2, 1.25, 64
"""The largest cosine of a cell's angle, the largest ratio of its sides, and its least area (pixels)."""
DISTINCT, DISTINCT_GUESSES = 0.2, 30
"""Steps between the corners of two guesses from which they are two, and distinct guesses that are kept."""
FROM_EACH_CORNER = (np.arange(4)[:, None] + np.arange(4)) % 4
"""The corners of a quadrilateral in their order, from each of them on."""

Ruling = tuple[float, float]
"""A scale and a shift that take steps to an axis of the ruled frame."""


@dataclass(frozen=True)
class Guess:
    """A homography (3, 3; steps to pixels) and by how much it fits better than its surroundings."""

    matrix: Floats
    score: float


@dataclass(frozen=True)
class Pencil:
    """Segments (n, 4) that meet in one point (3; homogeneous), in the numbers of `_frame`."""

    point: Floats
    segments: Floats


def guesses(picture: WorkingPicture, drawing: Drawing, segments: Floats) -> list[Guess]:
    """Returns the best guesses from segments (n, 4) of a picture, best first; none where they are too few."""
    pencils = _pencils(_centred(picture, segments))
    found: list[Guess] = []
    for both, families in product(combinations(pencils, 2), drawing.pairs):
        found += _from_pencils(picture, drawing, both, families)
    return _distinct(sorted(found, key=lambda g: -g.score), drawing)[:GUESSES]


def _frame(picture: WorkingPicture) -> Floats:
    """Returns the matrix (3, 3) from pixels to numbers about -1 to 1, whose origin is the picture's
    middle."""
    width, height = picture.size
    half = max(width, height) / 2
    x, y = (width - 1) / 2, (height - 1) / 2
    return np.array([[1 / half, 0, -x / half], [0, 1 / half, -y / half], [0, 0, 1]])


def _centred(picture: WorkingPicture, segments: Floats) -> Floats:
    """Returns segments (n, 4) in these numbers."""
    frame = _frame(picture)
    ends = segments.reshape(-1, 2) @ frame[:2, :2].T + frame[:2, 2]
    return ends.reshape(-1, 4)


def _lines(segments: Floats) -> Floats:
    """Returns the lines (n, 3) through segments, their normals of unit length."""
    dx, dy = (segments[:, 2:] - segments[:, :2]).T
    length = np.maximum(np.hypot(dx, dy), 1e-12)
    a, b = -dy / length, dx / length
    return np.column_stack((a, b, -a * segments[:, 0] - b * segments[:, 1]))


def _pencils(segments: Floats) -> list[Pencil]:
    """Returns the largest families of segments that meet in a point each, largest first."""
    chance = np.random.default_rng(1)
    found: list[Pencil] = []
    rest = segments
    while len(found) < VANISHING_POINTS and len(rest) >= FEWEST_SEGMENTS:
        pencil, used = _pencil(rest, chance)
        if len(pencil.segments) < FEWEST_LINES:
            break
        found.append(pencil)
        rest = rest[~used]
    return found


def _pencil(segments: Floats, chance: np.random.Generator) -> tuple[Pencil, Mask]:
    """Returns the largest family of segments that meet in a point, and which segments are in it.

    The point is the one of TRIALS crossings, of long segments rather than short ones, that has most support.
    """
    lengths = np.linalg.norm(segments[:, 2:] - segments[:, :2], axis=1)
    lines = _lines(segments)
    pairs = chance.choice(len(segments), size=(TRIALS, 2), p=lengths / lengths.sum())
    points = np.cross(lines[pairs[:, 0]], lines[pairs[:, 1]])
    points = points[np.linalg.norm(points, axis=1) > 1e-9]
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    support = _towards(segments, points) @ lengths
    point = points[support.argmax()]
    for _ in range(REFINEMENTS):
        near = _towards(segments, point[None])[0]
        point = _meeting(lines[near], lengths[near])
    used = _towards(segments, point[None])[0]
    return Pencil(point, segments[used]), used


def _towards(segments: Floats, points: Floats) -> Mask:
    """Returns (points, segments) whether a segment points at a point, however far away that is."""
    middle = (segments[:, :2] + segments[:, 2:]) / 2
    along = segments[:, 2:] - segments[:, :2]
    to_x = points[:, :1] - points[:, 2:] * middle[:, 0]
    to_y = points[:, 1:2] - points[:, 2:] * middle[:, 1]
    sine = np.abs(to_x * along[:, 1] - to_y * along[:, 0])
    size = np.hypot(to_x, to_y) * np.hypot(along[:, 0], along[:, 1])
    return np.asarray(sine < np.sin(SLOPE) * size)


def _meeting(lines: Floats, lengths: Floats) -> Floats:
    """Returns the point (3) nearest to all lines (n, 3), the longer ones counting more."""
    weighted = lines * lengths[:, None]
    point: Floats = np.linalg.eigh(weighted.T @ weighted)[1][:, 0]
    return point


def guesses_within(
    picture: WorkingPicture, drawing: Drawing, segments: Floats, plane: MarkerPlane
) -> list[Guess]:
    """Returns the best guesses in a plane that says how the board is turned and tilted, best first."""
    flat = np.asarray(np.linalg.inv(plane.matrix), dtype=float)
    segments = _inside(segments, flat, plane)
    found: list[Guess] = []
    for families in drawing.pairs:
        normals = np.array([family.normal for family in families])
        to_rulers = np.vstack((normals @ flat[:2], flat[2]))
        across, up = (
            _rulings(_seen(to_rulers, _parallel(segments, flat, family), axis), family)
            for axis, family in enumerate(families)
        )
        upright = product([x for x in across if x[0] > 0], [y for y in up if y[0] > 0])
        pairs = [(x, y) for x, y in upright if abs(np.log(abs(x[0] / y[0]))) < SAME_SCALE]
        found += judge(picture, drawing, _homographies(to_rulers, families, pairs))
    return _distinct(sorted(found, key=lambda g: -g.score), drawing)[:GUESSES_OF_MARKERS]


def guesses_amid(picture: WorkingPicture, drawing: Drawing, plane: MarkerPlane) -> list[Guess]:
    """Returns the best guesses whose drawing lies in the middle between the markers, whatever its size.

    They need no segments: the drawing's lines may be too faint or too short for these.
    """
    x0, y0, x1, y1 = drawing.extent
    widest = 2 * min(plane.half[0] / (x1 - x0), plane.half[1] / (y1 - y0))
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    matrices = [
        plane.matrix @ np.array([[s, 0, s * (dx - x)], [0, s, s * (dy - y)], [0, 0, 1]])
        for s, dx, dy in product(widest * AMID_SPANS, OFF_MIDDLE, OFF_MIDDLE)
    ]
    found = judge(picture, drawing, np.array(matrices))
    return _distinct(sorted(found, key=lambda g: -g.score), drawing)[:GUESSES_OF_MARKERS]


def _inside(segments: Floats, flat: Floats, plane: MarkerPlane) -> Floats:
    """Returns the segments that lie between the markers; `flat` (3, 3) takes pixels to the plane."""
    middle = mapped((segments[:, :2] + segments[:, 2:]) / 2, flat)
    return np.asarray(segments[(np.abs(middle) < np.array(plane.half) + BESIDE_MARKERS).all(axis=1)])


def _parallel(segments: Floats, flat: Floats, family: Family) -> Floats:
    """Returns the segments that run along the lines of a family in the plane of the board."""
    along = mapped(segments[:, 2:], flat) - mapped(segments[:, :2], flat)
    sine = np.abs(along @ np.array(family.normal)) / np.maximum(np.linalg.norm(along, axis=1), 1e-9)
    return np.asarray(segments[sine < np.sin(2 * SLOPE)])


def _from_pencils(
    picture: WorkingPicture, drawing: Drawing, pencils: tuple[Pencil, Pencil], families: tuple[Family, Family]
) -> Iterator[Guess]:
    """Yields guesses that take two families of the drawing's lines for two pencils of the picture's."""
    rectified = _ruled_frame(pencils[0].point, pencils[1].point)
    if rectified is None:
        return
    to_rulers = rectified @ _frame(picture)
    across, up = (
        _rulings(_seen(rectified, pencil.segments, axis), family)
        for axis, (pencil, family) in enumerate(zip(pencils, families, strict=True))
    )
    if len(drawing.turns) > 1:  # the half turn, if it is one, is the first of them
        across = [(scale, shift) for scale, shift in across if scale > 0]
    yield from judge(picture, drawing, _homographies(to_rulers, families, list(product(across, up))))


def _ruled_frame(one: Floats, two: Floats) -> Floats | None:
    """Returns a homography (3, 3) that makes lines through `one` upright and lines through `two` level; None
    where the horizon cuts the picture's middle."""
    horizon = np.cross(one, two)
    size = np.linalg.norm(horizon)
    if size < 1e-6 or abs(horizon[2]) < STEEPEST * np.linalg.norm(horizon[:2]):
        return None
    horizon = horizon / horizon[2]
    middle = np.array([0.0, 0.0, 1.0])
    upright, level = np.cross(one, middle), np.cross(two, middle)
    rows = [line / np.linalg.norm(line[:2]) for line in (upright, level)]
    if abs(rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]) < CROSSING:
        return None
    return np.array([*rows, horizon])


def _seen(rectified: Floats, segments: Floats, axis: int) -> Floats:
    """Returns (n, 2) where each segment of a family lies on its axis, and its length there."""
    if not len(segments):
        return np.empty((0, 2))
    ends = np.column_stack((segments.reshape(-1, 2), np.ones(2 * len(segments)))) @ rectified.T
    depth = ends[:, 2] * np.sign(np.median(ends[:, 2]) or 1.0)
    before = (depth > SHALLOWEST * np.median(depth)).reshape(-1, 2).all(axis=1)
    flat = (ends[:, :2] / np.where(np.abs(ends[:, 2:]) < 1e-6, 1e-6, ends[:, 2:])).reshape(-1, 2, 2)[before]
    places = flat[..., axis].mean(axis=1)
    return np.column_stack((places, np.linalg.norm(flat[:, 0] - flat[:, 1], axis=1)))


def _rulings(seen: Floats, family: Family) -> list[Ruling]:
    """Returns the rulings by which offsets of a family come to lie on the lines seen (n, 2), best first."""
    if len(seen) < FEWEST_LINES:
        return []
    reach = float(np.ptp(seen[:, 0]))
    width = float(np.ptp(family.offsets))
    if reach < 1e-3 or width < 1e-3:
        return []
    found: list[tuple[float, float, float]] = []
    for scale in SPANS * reach / width:
        found += _shifts(seen, family, float(scale))
    return _spread(sorted(found, reverse=True), width)


def _shifts(seen: Floats, family: Family, scale: float) -> list[tuple[float, float, float]]:
    """Returns (score, scale, shift) of the best shifts at one scale (a step in the ruler's units), of the
    family as it is and turned round.

    The lines seen are counted in the bins of the family's combs, and each comb is laid over them at every
    shift.
    """
    unit = scale * (1 / BINS)
    low = seen[:, 0].min() - 2 * unit
    bins = np.round((seen[:, 0] - low) / unit).astype(int)
    counts = np.bincount(bins, weights=seen[:, 1], minlength=int(bins.max()) + 3)
    heights = np.convolve(counts, TOOTH, mode="same")
    heights = np.minimum(heights / (scale * family.mean_length), 1.0)
    found: list[tuple[float, float, float]] = []
    for sign, (comb, start) in family.combs.items():
        fits = np.correlate(heights, comb, mode="full")
        best = np.argpartition(fits, -SHIFTS)[-SHIFTS:]
        shifts = low + unit * (best - len(comb) + 1) - start * scale
        found += [(fit, sign * scale, shift) for fit, shift in zip(fits[best], shifts, strict=True)]
    return found


def _spread(found: list[tuple[float, float, float]], width: float) -> list[Ruling]:
    """Returns the best ruling of each bunch of like ones, as many of each sign."""
    kept: dict[bool, list[Ruling]] = {True: [], False: []}
    for _, scale, shift in found:
        bunch, slack = kept[scale > 0], BUNCH * abs(scale)
        if len(bunch) == RULINGS:
            continue
        if not any(abs(scale - s) * width < slack and abs(shift - t) < slack for s, t in bunch):
            bunch.append((scale, shift))
    return kept[True] + kept[False]


def _homographies(
    to_rulers: Floats, families: tuple[Family, Family], pairs: list[tuple[Ruling, Ruling]]
) -> Floats:
    """Returns the homographies (n, 3, 3; steps to pixels) of rulings on both axes, without those that would
    mirror the board."""
    scales_shifts = np.array(pairs, dtype=float).reshape(-1, 2, 2)
    rows = np.zeros((len(pairs), 3, 3))
    rows[:, :2, :2] = scales_shifts[..., :1] * np.array([family.normal for family in families])
    rows[:, :2, 2] = scales_shifts[..., 1]
    rows[:, 2, 2] = 1.0
    matrices = np.asarray(np.linalg.solve(to_rulers, rows), dtype=float)
    return np.asarray(matrices[np.linalg.det(matrices) * matrices[:, 2, 2] < 0])


def judge(picture: WorkingPicture, drawing: Drawing, matrices: Floats) -> Iterator[Guess]:
    """Yields the homographies (n, 3, 3) that could be a board in this picture as guesses, each with its
    score."""
    plausible = _regular(_in_picture(matrices, drawing, picture.size), drawing, picture.size)
    if not len(plausible):
        return
    samples = drawing.samples[:: max(1, len(drawing.samples) // POINTS)]
    on = np.mean(_strengths(picture, plausible, samples, 0.0), axis=1)
    off = np.mean(
        [np.mean(_strengths(picture, plausible, samples, s), axis=1) for s in (-BESIDE, BESIDE)], axis=0
    )
    for matrix, score in zip(plausible, on - off, strict=True):
        yield Guess(matrix, float(score))


def _in_picture(matrices: Floats, drawing: Drawing, size: tuple[int, int]) -> Floats:
    """Returns those homographies by which all sites are in front of the camera, about as far, and in the
    picture."""
    sites = np.column_stack((drawing.sites, np.ones(len(drawing.sites)))) @ matrices.transpose(0, 2, 1)
    depth = sites[..., 2]
    far, near = np.abs(depth).max(axis=1), np.abs(depth).min(axis=1)
    before = ((depth > 0).all(axis=1) | (depth < 0).all(axis=1)) & (far <= DEPTHS * near)
    pixels = sites[before, :, :2] / depth[before, :, None]
    slack = SLACK * max(size)
    inside = ((pixels > -slack) & (pixels < np.array(size) + slack)).all(axis=(1, 2))
    return np.asarray(matrices[before][inside])


def _regular(matrices: Floats, drawing: Drawing, size: tuple[int, int]) -> Floats:
    """Returns those homographies whose cells are as square in space as they allow any camera, and 8 pixels or
    more."""
    x, y = drawing.centre
    local = matrices @ np.array([[1, 0, x], [0, 1, y], [0, 0, 1]])
    local = local / local[:, 2:, 2:]
    width, height = size
    cameras = np.tile(
        np.array([[0, 0, (width - 1) / 2], [0, 0, (height - 1) / 2], [0, 0, 1]]), (len(local), 1, 1)
    )
    cameras[:, 0, 0] = cameras[:, 1, 1] = focal_length(local, size)
    space = np.linalg.solve(cameras, local)
    east, north = space[:, :, 0], space[:, :, 1]
    long, broad = np.linalg.norm(east, axis=1), np.linalg.norm(north, axis=1)
    skew = np.abs((east * north).sum(axis=1)) / (long * broad)
    area = np.abs(np.linalg.det(local[:, :2, :2] - local[:, :2, 2:] * local[:, 2:, :2]))
    square = (skew < SKEWED) & (long / broad > 1 / SQUASHED) & (long / broad < SQUASHED)
    return np.asarray(matrices[square & (area > SMALLEST)])


def _strengths(picture: WorkingPicture, matrices: Floats, samples: Floats, shift: float) -> Floats:
    """Returns (matrices, samples) the strength of edges in the right direction at the samples (n, 4), shifted
    along their normals by `shift` steps."""
    points = samples[:, :2] + shift * samples[:, 2:]
    ends = np.concatenate((points - NEARBY * samples[:, 2:], points + NEARBY * samples[:, 2:]))
    image = np.column_stack((ends, np.ones(len(ends)))) @ matrices.transpose(0, 2, 1)
    flat = image[..., :2] / image[..., 2:]
    before, after = np.split(flat, 2, axis=1)
    # The normal of the line's picture is at right angles to the picture of its direction.
    along = np.column_stack((samples[:, 3], -samples[:, 2])) * NEARBY
    ahead = np.column_stack((points + along, np.ones(len(points)))) @ matrices.transpose(0, 2, 1)
    where = (before + after) / 2
    direction = ahead[..., :2] / ahead[..., 2:] - where
    turn = (np.arctan2(direction[..., 0], -direction[..., 1]) % np.pi) / np.pi * DIRECTIONS
    return _look_up(picture, where, turn)


def _look_up(picture: WorkingPicture, where: Floats, turn: Floats) -> Floats:
    """Returns the strength of edges at pixels (…, 2) whose normal has a direction (…; in DIRECTIONS),
    interpolated between directions; 0 outside the picture."""
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
    """Returns the best of each bunch of guesses that put the board at about the same pixels, turned or
    not."""
    kept: list[Guess] = []
    forms: list[Floats] = []
    x0, y0, x1, y1 = drawing.extent
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    for guess in found:
        form = mapped(corners, guess.matrix)
        size = np.linalg.norm(np.ptp(form, axis=0)) / (x1 - x0)
        if all(_apart(form, other) > DISTINCT * size for other in forms):
            kept.append(guess)
            forms.append(form)
        if len(kept) >= DISTINCT_GUESSES:
            break
    return kept


def _apart(one: Floats, two: Floats) -> float:
    """Returns how far two quadrilaterals (4, 2) are apart, whichever corner comes first; pixels."""
    return float(np.abs(one - two[FROM_EACH_CORNER]).max(axis=(1, 2)).min())
