"""Fits a view to the picture, and says how well the drawing agrees with it.

Across each edge of the drawing a short profile of the picture is taken. Where it changes most, there is
the line or the border: the view moves until they meet (iterated least squares, outliers such as pieces
weighted down), and with it the lens's first bend, which no homography can imitate. Afterwards the share
of edges that have their strongest change where the drawing says it, beyond what chance would give, is
the score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.finding.drawing import Drawing
from vision.finding.picture import Picture, Singles
from vision.geometry.lens import Lens, usual_lens
from vision.geometry.view import Floats, View, focal_length

REACH = 0.32  # steps to either side of an edge that its profile covers
BINS = 41
ALONG = np.linspace(-REACH, REACH, BINS)
BESIDE = 0.2  # steps to either side, where no line is expected
WEAK = 0.35  # of the usual strength: a fainter line is another thing
HIT = 0.07  # steps: a change this near to the drawn edge is the edge
FAINT = 1.5  # grey levels per pixel: what changes less is no line
BEND_SPREAD = 0.12  # how far k1 is expected from 0
ROUNDS = (0.30, 0.25, 0.20, 0.16, 0.13, 0.10, 0.08, 0.07)  # steps: how far an edge may be off in each

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Profiles:
    """The changes of the picture across the samples of a drawing.

    `offsets` (n,) steps from where the drawing says to the strongest change, `strength` (n,) of it in
    grey levels per pixel; `centre` (n,) strength of a line just where the drawing says it, `beside`
    (n, 2) of one beside it, 0 for none; `seen` (n,) False where the sample lies outside the picture.
    """

    offsets: Floats
    strength: Floats
    centre: Floats
    beside: Floats
    seen: Flags
    pixels: Floats
    normals: Floats
    scale: Floats

    @property
    def usual(self) -> float:
        """The strength that most of the lines have."""
        lines = self.centre[self.seen & (self.centre > FAINT)]
        return float(np.median(lines)) if len(lines) else FAINT

    def hits(self, usual: float) -> Flags:
        """Which samples have a line where the drawing says it, when lines are as strong as `usual`."""
        return self.seen & (self.centre > max(FAINT, WEAK * usual))

    @property
    def chance(self) -> float:
        """The share of samples that have a line beside them, where none is drawn: texture, noise."""
        usual = self.usual
        found = self.beside[self.seen] > max(FAINT, WEAK * usual)
        return min(float(found.mean()), 0.9) if len(found) else 0.0

    @property
    def agreement(self) -> float:
        """The share of hits beyond chance: about 0 for any picture, 1 for a perfect fit."""
        if self.seen.sum() < 12:
            return 0.0
        chance = self.chance
        return float((self.hits(self.usual)[self.seen].mean() - chance) / (1 - chance))


def profiles(picture: Picture, view: View, samples: Floats, expected: float = 1.0) -> Profiles:
    """Profiles across samples (n, 4: point and unit normal); `expected` is how far (steps) the change
    is thought to be off: farther ones count less in the choice of the strongest."""
    points, normals = samples[:, :2], samples[:, 2:]
    middle = view.pixels(points)
    across = (view.pixels(points + 0.1 * normals) - view.pixels(points - 0.1 * normals)) / 0.2
    scale = np.maximum(np.linalg.norm(across, axis=1), 1e-6)
    where = (middle[:, None] + ALONG[None, :, None] * across[:, None]).astype(np.float32)
    change = _changes(picture, where, scale)
    offsets, strength = _peaks(change, expected)
    width, height = picture.size
    seen = np.asarray(((where > 1) & (where < (width - 2, height - 2))).all(axis=(1, 2)))
    near = np.maximum(HIT, 1.2 / scale)
    centre, *beside = (_lines_at(change, at, near) for at in (0.0, -BESIDE, BESIDE))
    return Profiles(offsets, strength, centre, np.column_stack(beside), seen, middle, across / scale[:, None],
                    scale)


def _changes(picture: Picture, where: Singles, scale: Floats) -> Singles:
    """(n, BINS): squared change of colour per pixel along each profile."""
    x, y = where[..., 0], where[..., 1]
    colours = cv2.remap(picture.colours, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    change = colours[:, 2:] - colours[:, :-2]
    pixels = np.maximum(scale * 4 * REACH / (BINS - 1), 0.4).astype(np.float32)
    energy = np.zeros(where.shape[:2], np.float32)
    energy[:, 1:-1] = np.einsum("nbc,nbc->nb", change, change) / 3 / pixels[:, None] ** 2
    return np.asarray(cv2.GaussianBlur(energy, (13, 1), 2.2, borderType=cv2.BORDER_REPLICATE))


def _peaks(change: Singles, expected: float) -> tuple[Floats, Floats]:
    """Offset (steps) and strength of the strongest change of each profile."""
    weighted = change * np.exp(-0.5 * (ALONG / expected) ** 2).astype(np.float32)
    best = np.clip(weighted.argmax(axis=1), 4, BINS - 5)
    window = best[:, None] + np.arange(-4, 5)
    near = np.take_along_axis(change, window, axis=1).astype(float)
    total = near.sum(axis=1)
    offsets = (near * ALONG[window]).sum(axis=1) / np.maximum(total, 1e-9)
    return offsets, np.sqrt(near.max(axis=1))


def _lines_at(change: Singles, at: float, near: Floats) -> Floats:
    """The strength of the strongest peak of each profile within `near` of an offset; 0 for none."""
    inner = change[:, 1:-1]
    peaks = (inner >= change[:, :-2]) & (inner > change[:, 2:])
    there = np.abs(ALONG[1:-1] - at)[None] < near[:, None]
    return np.asarray(np.sqrt(np.where(peaks & there, inner, 0).max(axis=1)), dtype=float)


@dataclass(frozen=True)
class Pose:
    """What the fit moves: a homography (steps to undistorted pixels) and the lens's first bend."""

    matrix: Floats
    bend: float = 0.0

    def view(self, picture: Picture, drawing: Drawing) -> View:
        """At the picture's working size."""
        lens = picture_lens(picture, self.bend)
        return View.of(self.matrix, picture.size, drawing.extent, lens)


def picture_lens(picture: Picture, bend: float) -> Lens | None:
    """The lens that is left to the fit: none in a picture already made straight."""
    return replace(usual_lens(picture.size), k1=bend) if bend and not picture.lens else None


def fit_within(
    picture: Picture, drawing: Drawing, pose: Pose, frame: Floats, rounds: tuple[float, ...] = ROUNDS
) -> Pose:
    """The pose moved in its plane only, by scale and shift: `frame` (plane to pixels) is kept."""
    for reach in rounds:
        pose = _move(picture, drawing, pose, reach, False, _ways(drawing, pose, frame))
    return pose


def _ways(drawing: Drawing, pose: Pose, frame: Floats) -> Floats:
    """(8, 3): the nudges of a pose that scale the drawing in the plane of a frame, and shift it there."""
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


def fit(picture: Picture, drawing: Drawing, pose: Pose, rounds: tuple[float, ...] = ROUNDS) -> Pose:
    """The pose moved so that the drawing lies on the picture's lines."""
    for step, reach in enumerate(rounds):
        bending = picture.lens is None and step >= 2
        pose = _move(picture, drawing, pose, reach, bending)
    return pose


def _move(
    picture: Picture, drawing: Drawing, pose: Pose, reach: float, bending: bool, ways: Floats | None = None
) -> Pose:
    """One step of iterated least squares, along some nudges only where `ways` (8, k) are given; the pose
    unchanged where too little is seen."""
    found = profiles(picture, pose.view(picture, drawing), drawing.samples, expected=reach)
    weights = _weights(found, reach) * drawing.trust
    if (weights > 0.05).sum() < 16:
        return pose
    wanted = found.offsets * found.scale
    slopes = _slopes(picture, drawing, pose, found, bending)
    return _solved(drawing, pose, slopes, wanted, weights, np.eye(slopes.shape[1]) if ways is None else ways)


def _weights(found: Profiles, reach: float) -> Floats:
    """Tukey's: none beyond `reach`; changes as strong as the usual ones count fully."""
    robust = np.maximum(0, 1 - (found.offsets / reach) ** 2) ** 2
    usual = max(float(np.median(found.strength[found.seen])) if found.seen.any() else 0.0, FAINT)
    weights: Floats = robust * np.minimum(found.strength / usual, 1) * found.seen
    return weights


def _slopes(picture: Picture, drawing: Drawing, pose: Pose, found: Profiles, bending: bool) -> Floats:
    """(n, 8 or 9): by how many pixels each sample moves along its normal for a unit of each parameter."""
    basis, back = _basis(drawing)
    sizes = np.array([0.1] * 6 + [1e-3] * 2)
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
    bent = replace(lens or usual_lens(picture.size), k1=pose.bend + 1e-3).distort(flat[-len(points):])
    return np.column_stack((slopes, ((bent - found.pixels) * found.normals).sum(axis=1) / 1e-3))


def _basis(drawing: Drawing) -> tuple[Floats, Floats]:
    """Board points to numbers about -1 to 1, in which all parameters weigh alike; and the way back."""
    x0, y0, x1, y1 = drawing.extent
    half = max(x1 - x0, y1 - y0) / 2
    to = np.array([[1 / half, 0, -(x0 + x1) / 2 / half], [0, 1 / half, -(y0 + y1) / 2 / half], [0, 0, 1]])
    return to, np.linalg.inv(to)


def _applied(matrix: Floats, nudge: Floats, basis: Floats, back: Floats) -> Floats:
    scaled = matrix @ back
    moved: Floats = (scaled / scaled[2, 2] + nudge) @ basis
    return moved


def _solved(
    drawing: Drawing, pose: Pose, slopes: Floats, wanted: Floats, weights: Floats, ways: Floats
) -> Pose:
    """The pose after one damped Gauss-Newton step."""
    weighted = slopes * weights[:, None]
    normal, right = slopes.T @ weighted, weighted.T @ wanted
    if slopes.shape[1] > 8:
        normal[8, 8] += 1 / BEND_SPREAD**2
        right[8] -= pose.bend / BEND_SPREAD**2
    normal, right = ways.T @ normal @ ways, ways.T @ right
    damped = normal + 1e-9 * np.diag(np.diag(normal)) + 1e-9 * np.eye(len(normal))
    step = ways @ np.linalg.solve(damped, right)
    nudge = np.append(step[:8], 0.0).reshape(3, 3)
    bend = float(np.clip(pose.bend + step[8], -0.4, 0.4)) if len(step) > 8 else pose.bend
    return Pose(_applied(pose.matrix, nudge, *_basis(drawing)), bend)


def final_view(picture: Picture, drawing: Drawing, pose: Pose) -> View:
    """The view at the picture's own size, its bend told for the focal length that the pose implies."""
    if picture.lens:
        view = View.of(pose.matrix, picture.size, drawing.extent, picture.lens)
    else:
        focal = focal_length(pose.matrix, picture.size)
        bend = pose.bend * (focal / usual_lens(picture.size).fx) ** 2
        lens = replace(usual_lens(picture.size, focal), k1=bend)
        view = View.of(pose.matrix, picture.size, drawing.extent, lens)
    return replace(view.scaled(1 / picture.factor), size=picture.whole)  # which rounding may miss by one
