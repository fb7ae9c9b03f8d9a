"""Fits a view to a picture, and measures how well the drawing agrees with it.

In go a picture, a drawing and a rough `Pose`; out come the pose that fits best and the `Profiles` across its
lines. A profile is taken of the picture across each edge of the drawing. The line, or the border of two
fields, is where it changes most: the pose moves until both meet (iterated least squares, in which outliers
such as pieces weigh little), and with it the lens's first bend, which no homography can imitate. Afterwards
the score is the share of edges that have a change where the drawing says it, beyond what chance would give.
`python -m benchmarks locate` measures how exact the fitted views are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Floats, Mask, Singles
from vision.finding.drawing import Drawing
from vision.finding.picture import WorkingPicture
from vision.geometry.lens import Lens, usual_lens
from vision.geometry.view import View, focal_length

REACH = 0.32
"""Steps to either side of an edge that its profile covers."""
BINS = 41
"""Points of a profile."""
ALONG = np.linspace(-REACH, REACH, BINS)
"""The distances of these points from the edge; steps."""
SMOOTHING, SMOOTHING_WINDOW = 2.2, 13
"""The smoothing of a profile (standard deviation) and its window; points."""
PEAK = 4
"""Points to either side of the strongest change whose middle is where the line is."""
BESIDE = 0.2
"""Steps to either side of an edge at which no line is expected: they tell what chance gives."""
WEAK = 0.35
"""The strength of a line that is one, as a share of the usual strength: a fainter one is another thing."""
HIT, HIT_PIXELS = 0.07, 1.2
"""The greatest distance from the drawn edge at which a change is that edge: steps, and pixels if more."""
FAINT = 1.5
"""The least change that is a line; grey levels per pixel."""
MOST_CHANCE = 0.9
"""The largest share of lines by chance that is believed."""
FEWEST, FEWEST_WEIGHED, WEIGHED = 12, 16, 0.05
"""Samples in the picture from which an agreement is told; samples from which a pose is moved, and the weight
from which one counts for that."""
BEND_SPREAD, BEND_LIMIT = 0.12, 0.4
"""The expected distance of k1 from 0 (standard deviation), and the greatest."""
BENDING = 2
"""The round from which the bend is fitted too: before that it would follow outliers."""
ROUNDS = (0.30, 0.25, 0.20, 0.16, 0.13, 0.10, 0.08, 0.07)
"""Steps that an edge may be off in each round of a fit."""
NUDGE_AFFINE, NUDGE_PERSPECTIVE, NUDGE_BEND = 0.1, 1e-3, 1e-3
"""The nudges of parameters by which slopes are measured: of a homography's first six numbers, its last two,
and the bend."""
DAMPING = 1e-9
"""The damping of the normal equations (Levenberg-Marquardt's), relative and absolute."""


@dataclass(frozen=True)
class Profiles:
    """The changes of the picture across the samples of a drawing.

    `offsets` (n) are the steps from where the drawing says to the strongest change, `strength` (n) is that
    change in grey levels per pixel. `centre` (n) is the strength of a line just where the drawing says it,
    `beside` (n, 2) that of one beside it, 0 for none. `seen` (n) is False where the sample lies outside the
    picture. `pixels` (n, 2) are the samples in the picture, `normals` (n, 2) the unit normals there, and
    `scale` (n) is the pixels of a step along them.
    """

    offsets: Floats
    strength: Floats
    centre: Floats
    beside: Floats
    seen: Mask
    pixels: Floats
    normals: Floats
    scale: Floats

    @property
    def usual(self) -> float:
        """The strength that most of the lines have; grey levels per pixel."""
        lines = self.centre[self.seen & (self.centre > FAINT)]
        return float(np.median(lines)) if len(lines) else FAINT

    def hits(self, usual: float) -> Mask:
        """Returns which samples have a line where the drawing says it, if lines are as strong as `usual`."""
        return self.seen & (self.centre > max(FAINT, WEAK * usual))

    @property
    def chance(self) -> float:
        """The share of samples with a line beside them, where none is drawn: texture and noise."""
        usual = self.usual
        found = self.beside[self.seen] > max(FAINT, WEAK * usual)
        return min(float(found.mean()), MOST_CHANCE) if len(found) else 0.0

    @property
    def agreement(self) -> float:
        """The share of hits beyond chance: about 0 for any picture, 1 for a perfect fit."""
        if self.seen.sum() < FEWEST:
            return 0.0
        chance = self.chance
        return float((self.hits(self.usual)[self.seen].mean() - chance) / (1 - chance))


def profiles(picture: WorkingPicture, view: View, samples: Floats, expected: float = 1.0) -> Profiles:
    """Returns the profiles across samples (n, 4: point and unit normal).

    `expected` is how far (steps) the change is thought to be off: farther ones count less in the choice of
    the strongest.
    """
    points, normals = samples[:, :2], samples[:, 2:]
    middle = view.pixels(points)
    across = (view.pixels(points + 0.1 * normals) - view.pixels(points - 0.1 * normals)) / 0.2
    scale = np.maximum(np.linalg.norm(across, axis=1), 1e-6)
    where = (middle[:, None] + ALONG[None, :, None] * across[:, None]).astype(np.float32)
    change = _changes(picture, where, scale)
    offsets, strength = _peaks(change, expected)
    width, height = picture.size
    ends = where[:, [0, -1]]
    seen = np.asarray(((ends > 1) & (ends < (width - 2, height - 2))).all(axis=(1, 2)))
    near = np.maximum(HIT, HIT_PIXELS / scale)
    peaks = _lines(change)
    centre, *beside = (_strongest(peaks, at, near) for at in (0.0, -BESIDE, BESIDE))
    return Profiles(
        offsets, strength, centre, np.column_stack(beside), seen, middle, across / scale[:, None], scale
    )


def _changes(picture: WorkingPicture, where: Singles, scale: Floats) -> Singles:
    """Returns the squared change of colour per pixel (n, BINS) along profiles at pixels (n, BINS, 2)."""
    x, y = where[..., 0], where[..., 1]
    colours = cv2.remap(picture.colours, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    change = colours[:, 2:] - colours[:, :-2]
    pixels = np.maximum(scale * 4 * REACH / (BINS - 1), 0.4).astype(np.float32)
    energy = np.zeros(where.shape[:2], np.float32)
    energy[:, 1:-1] = np.einsum("nbc,nbc->nb", change, change) / 3 / pixels[:, None] ** 2
    return np.asarray(
        cv2.GaussianBlur(energy, (SMOOTHING_WINDOW, 1), SMOOTHING, borderType=cv2.BORDER_REPLICATE)
    )


def _peaks(change: Singles, expected: float) -> tuple[Floats, Floats]:
    """Returns the offset (n; steps) and strength (n) of the strongest change of each profile (n, BINS)."""
    weighted = change * np.exp(-0.5 * (ALONG / expected) ** 2).astype(np.float32)
    best = np.clip(weighted.argmax(axis=1), PEAK, BINS - 1 - PEAK)
    window = best[:, None] + np.arange(-PEAK, PEAK + 1)
    near = np.take_along_axis(change, window, axis=1).astype(float)
    total = near.sum(axis=1)
    offsets = (near * ALONG[window]).sum(axis=1) / np.maximum(total, 1e-9)
    return offsets, np.sqrt(near.max(axis=1))


def _lines(change: Singles) -> Singles:
    """Returns the change (n, BINS - 2) where a profile has a peak; 0 elsewhere."""
    inner = change[:, 1:-1]
    return np.where((inner >= change[:, :-2]) & (inner > change[:, 2:]), inner, np.float32(0))


def _strongest(peaks: Singles, at: float, near: Floats) -> Floats:
    """Returns the strength (n) of each profile's strongest peak within `near` (n; steps) of an offset; 0 for
    none."""
    there = np.abs(ALONG[1:-1] - at)[None] < near[:, None]
    return np.asarray(np.sqrt(np.where(there, peaks, 0).max(axis=1)), dtype=float)


@dataclass(frozen=True)
class Pose:
    """The numbers that a fit moves: a homography (3, 3; steps to undistorted pixels) and the lens's first
    bend."""

    matrix: Floats
    bend: float = 0.0

    def view(self, picture: WorkingPicture, drawing: Drawing) -> View:
        """Returns the view of this pose at the picture's working size."""
        lens = picture_lens(picture, self.bend)
        return View.of(self.matrix, picture.size, drawing.extent, lens)


def picture_lens(picture: WorkingPicture, bend: float) -> Lens | None:
    """Returns the lens that is left to the fit: none in a picture that was made straight."""
    return replace(usual_lens(picture.size), k1=bend) if bend and not picture.lens else None


def fit_within(picture: WorkingPicture, drawing: Drawing, pose: Pose, frame: Floats) -> Pose:
    """Returns a pose moved in its plane only, by scale and shift: `frame` (3, 3; plane to pixels) is kept."""
    for reach in ROUNDS:
        pose = _move(picture, drawing, pose, reach, False, _ways(drawing, pose, frame))
    return pose


def _ways(drawing: Drawing, pose: Pose, frame: Floats) -> Floats:
    """Returns the nudges (8, 3) of a pose that scale the drawing in the plane of a frame, and shift it
    there."""
    back = _basis(drawing)[1]
    scaled = pose.matrix @ back
    inside = np.linalg.solve(frame, scaled)
    moves = np.zeros((3, 3, 3))
    moves[0, :2] = inside[:2]
    moves[0, :, 2] = 0  # about the drawing's middle
    moves[1, 0], moves[2, 1] = inside[2], inside[2]
    nudges = frame @ moves / scaled[2, 2]
    nudges -= nudges[:, 2:, 2:] * scaled / scaled[2, 2]
    return np.asarray(nudges.reshape(3, 9)[:, :8].T)


def fit(picture: WorkingPicture, drawing: Drawing, pose: Pose, rounds: tuple[float, ...] = ROUNDS) -> Pose:
    """Returns a pose moved so that the drawing lies on the picture's lines."""
    for step, reach in enumerate(rounds):
        bending = picture.lens is None and step >= BENDING
        pose = _move(picture, drawing, pose, reach, bending)
    return pose


def _move(
    picture: WorkingPicture,
    drawing: Drawing,
    pose: Pose,
    reach: float,
    bending: bool,
    ways: Floats | None = None,
) -> Pose:
    """Returns a pose after one step of iterated least squares, along some nudges only where `ways` (8, k) are
    given; the pose itself where too little is seen."""
    found = profiles(picture, pose.view(picture, drawing), drawing.samples, expected=reach)
    weights = _weights(found, reach) * drawing.trust
    if (weights > WEIGHED).sum() < FEWEST_WEIGHED:
        return pose
    wanted = found.offsets * found.scale
    slopes = _slopes(picture, drawing, pose, found, bending)
    return _solved(drawing, pose, slopes, wanted, weights, np.eye(slopes.shape[1]) if ways is None else ways)


def _weights(found: Profiles, reach: float) -> Floats:
    """Returns the weights (n) of samples: Tukey's, 0 beyond `reach`; strong changes count fully."""
    robust = np.maximum(0, 1 - (found.offsets / reach) ** 2) ** 2
    usual = max(float(np.median(found.strength[found.seen])) if found.seen.any() else 0.0, FAINT)
    weights: Floats = robust * np.minimum(found.strength / usual, 1) * found.seen
    return weights


def _slopes(picture: WorkingPicture, drawing: Drawing, pose: Pose, found: Profiles, bending: bool) -> Floats:
    """Returns the pixels (n, 8 or 9) that each sample moves along its normal for a unit of each parameter."""
    basis, back = _basis(drawing)
    sizes = np.array([NUDGE_AFFINE] * 6 + [NUDGE_PERSPECTIVE] * 2)
    nudges = np.zeros((8, 9))
    np.fill_diagonal(nudges, sizes)
    moved = [_applied(pose.matrix, nudge.reshape(3, 3), basis, back) for nudge in nudges]
    points = np.column_stack((drawing.samples[:, :2], np.ones(len(drawing.samples))))
    image = (points @ np.stack([*moved, pose.matrix]).transpose(0, 2, 1)).reshape(-1, 3)
    flat = image[:, :2] / image[:, 2:]
    lens = picture_lens(picture, pose.bend)
    pixels = (lens.distort(flat) if lens else flat).reshape(9, -1, 2)[:8]
    slopes = ((pixels - found.pixels) * found.normals).sum(axis=2).T / sizes
    if not bending:
        return np.asarray(slopes)
    bent = replace(lens or usual_lens(picture.size), k1=pose.bend + NUDGE_BEND).distort(flat[-len(points) :])
    return np.column_stack((slopes, ((bent - found.pixels) * found.normals).sum(axis=1) / NUDGE_BEND))


def _basis(drawing: Drawing) -> tuple[Floats, Floats]:
    """Returns matrices (3, 3) from board points to numbers about -1 to 1, in which all parameters weigh
    alike, and back."""
    x0, y0, x1, y1 = drawing.extent
    half = max(x1 - x0, y1 - y0) / 2
    to = np.array([[1 / half, 0, -(x0 + x1) / 2 / half], [0, 1 / half, -(y0 + y1) / 2 / half], [0, 0, 1]])
    return to, np.linalg.inv(to)


def _applied(matrix: Floats, nudge: Floats, basis: Floats, back: Floats) -> Floats:
    """Returns a homography after a nudge (3, 3) in the numbers of `_basis`."""
    scaled = matrix @ back
    moved: Floats = (scaled / scaled[2, 2] + nudge) @ basis
    return moved


def _solved(
    drawing: Drawing, pose: Pose, slopes: Floats, wanted: Floats, weights: Floats, ways: Floats
) -> Pose:
    """Returns the pose after one damped Gauss-Newton step."""
    weighted = slopes * weights[:, None]
    normal, right = slopes.T @ weighted, weighted.T @ wanted
    if slopes.shape[1] > 8:
        normal[8, 8] += 1 / BEND_SPREAD**2
        right[8] -= pose.bend / BEND_SPREAD**2
    normal, right = ways.T @ normal @ ways, ways.T @ right
    damped = normal + DAMPING * np.diag(np.diag(normal)) + DAMPING * np.eye(len(normal))
    step = ways @ np.linalg.solve(damped, right)
    nudge = np.append(step[:8], 0.0).reshape(3, 3)
    bend = float(np.clip(pose.bend + step[8], -BEND_LIMIT, BEND_LIMIT)) if len(step) > 8 else pose.bend
    return Pose(_applied(pose.matrix, nudge, *_basis(drawing)), bend)


def final_view(picture: WorkingPicture, drawing: Drawing, pose: Pose) -> View:
    """Returns the view at the picture's own size, its bend told for the focal length that the pose
    implies."""
    if picture.lens:
        view = View.of(pose.matrix, picture.size, drawing.extent, picture.lens)
    else:
        focal = float(focal_length(pose.matrix, picture.size))
        bend = pose.bend * (focal / usual_lens(picture.size).fx) ** 2
        lens = replace(usual_lens(picture.size, focal), k1=bend)
        view = View.of(pose.matrix, picture.size, drawing.extent, lens)
    return replace(view.scaled(1 / picture.factor), size=picture.whole)  # rounding may miss it by one
