"""Is the board still where it was? Checked on every frame, for a few milliseconds.

Small patches of the board's picture are remembered: corners of lines, letters, markers, chosen where
nothing alike lies near, so that a shift by a whole cell is no match. In a new frame each is looked for
around its old place. Pieces that come and go, or a hand, hide some; a bump moves all that are seen, and
alike. Where too little is seen the board is hidden, and if that lasts it is looked for anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.board import Board
from vision.finding.check import SETTLE, SURE, settle
from vision.finding.drawing import Drawing, drawing_of
from vision.finding.fit import Pose, final_view, fit
from vision.finding.locate import BoardNotFoundError, locate
from vision.finding.picture import Picture
from vision.geometry.view import Floats, Image, View
from vision.light.focus import blurs, softness

PATCHES = 48
RADIUS = 8  # pixels: half a patch
MARGIN = 1.0  # steps around the outline that belong to the board
ALIKE = 0.72  # correlation from which a patch counts as found
BUMP = 0.05  # steps: a shift of the board that matters for reading
SAME = 0.10  # steps: views that are nearer to each other than this show the same
LEAST = 3  # pairs that tell a motion
FEW = 6  # patches from which a shift is believed
STRENGTH = 40.0  # of a corner worth a patch (smallest eigenvalue, grey levels squared)


class State(Enum):
    """What a frame says about the board's place."""

    OK = "ok"
    MOVED = "moved"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Presence:
    """The state of the board in a frame; `shift` is the farthest that any site has moved, in steps.

    `view` is where the board lies now, as far as the patches tell (to be refined by `recognise`); `blur` by
    how much softer the frame is than the reference (sigma, pixels).
    """

    state: State
    shift: float
    view: View
    blur: float = 0.0
    motion: Floats | None = None
    """3x3, from pixels of the reference picture to those of the frame, where most patches agree on one."""

    @property
    def words(self) -> str:
        if self.state is State.MOVED:
            return f"the board or the camera has moved by {self.shift:.1f} fields"
        return "the board is hidden" if self.state is State.HIDDEN else ""


@dataclass(frozen=True, eq=False)
class Watch:
    """The patches of one view of a board, as a reference picture shows them."""

    view: View
    board: Board
    reference: Image  # grey
    places: npt.NDArray[np.int_]  # (n, 2) pixels
    reach: int  # pixels to each side within which a patch is looked for

    @classmethod
    def of(cls, image: Image, view: View, board: Board) -> Watch:
        """From a picture in which the view holds."""
        grey = _grey(image)
        step = view.step_pixels(drawing_of(board).middle)
        reach = int(np.clip(0.3 * step, 4, 12))
        return cls(view, board, grey, _places(grey, view, step, reach), reach)

    def check(self, image: Image) -> Presence:
        """Whether the board lies in this frame where the view says. A frame of another size has moved."""
        grey = _grey(image)
        if grey.shape != self.reference.shape:
            return Presence(State.HIDDEN, 0.0, self.view)
        shifts, likeness = self._shifts(grey)
        found = likeness > ALIKE
        if found.sum() < max(FEW, 0.25 * len(found)):
            return Presence(State.HIDDEN, 0.0, self.view)
        judged = self._judged(self.places[found].astype(float), shifts[found])
        where = self.places[found] + np.round(shifts[found]).astype(int)
        patches = np.array([_patch(grey, place).ravel() for place in where], np.float32)
        return replace(judged, blur=softness(patches, self._blurred[found]))

    @cached_property
    def _blurred(self) -> npt.NDArray[np.float32]:
        """(n, blurs, pixels): the patches, softer and softer."""
        soft = blurs(self.reference)
        return np.array([[_patch(image, at).ravel() for image in soft] for at in self.places], np.float32)

    def _judged(self, places: Floats, shifts: Floats) -> Presence:
        still = np.linalg.norm(shifts, axis=1) < max(0.7, 0.5 * BUMP * self._step)
        motion, agreed = _motion(places, places + shifts)
        agrees = agreed >= max(FEW, 0.5 * len(places))
        if still.mean() > 0.6:
            return Presence(State.OK, 0.0, self.view, motion=motion if agrees else None)
        if not agrees:
            return Presence(State.OK if still.mean() > 0.4 else State.HIDDEN, 0.0, self.view)
        moved = _shifted(self.view, motion)
        sites = np.array(list(self.board.sites.values()))
        shift = float(np.linalg.norm(self.view.board(moved.pixels(sites)) - sites, axis=1).max())
        if shift > BUMP:
            return Presence(State.MOVED, shift, moved)
        return Presence(State.OK, shift, moved, motion=motion)

    def registered(self, image: Image, view: View) -> View:
        """A view in which the board was found, made to show the patches exactly where the watched view shows
        them: what was learned in the one then holds in the other. The same view where too few are seen."""
        grey = _grey(image)
        x0, y0, x1, y1 = self.view.extent
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        before, after = (v.pixels(corners).astype(np.float32) for v in (self.view, view))
        motion = cv2.getPerspectiveTransform(before, after)
        size = self.reference.shape[1], self.reference.shape[0]
        back = cv2.warpPerspective(grey, motion, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        shifts, likeness = self._shifts(np.asarray(back, dtype=np.uint8))
        found = likeness > ALIKE
        places = self.places[found].astype(float)
        rest, agreed = _motion(places, places + shifts[found])
        if agreed < max(FEW, 0.5 * len(places)):
            return view
        exact = _shifted(self.view, motion @ rest)
        return exact if _apart(exact, view, drawing_of(self.board).sites) < SAME * self._step else view

    def nears(self, view: View) -> bool:
        """Whether a view is hardly another one."""
        sites = drawing_of(self.board).sites
        return _apart(view, self.view, sites) < SAME * self._step

    @property
    def _step(self) -> float:
        return self.view.step_pixels(drawing_of(self.board).middle)

    def _shifts(self, grey: Image) -> tuple[Floats, Floats]:
        """Where each patch lies now, relative to its place (pixels), and how alike it is (-1 to 1)."""
        found = [_sought(self.reference, grey, place, self.reach) for place in self.places]
        return np.array([f[:2] for f in found]).reshape(-1, 2), np.array([f[2] for f in found])


def recognise(image: Image, watch: Watch, hint: View | None = None) -> View | None:
    """The view after a bump, from the hint or from features that are known again, where the drawing bears
    it out."""
    picture, drawing = Picture.of(image, watch.view.lens), drawing_of(watch.board)
    view = hint and _confirmed(picture, drawing, hint)
    if view is None and (guess := _matched(image, watch)):
        view = _confirmed(picture, drawing, guess)
    return view and watch.registered(image, view)


def find_again(image: Image, watch: Watch) -> View:
    """The view after a bump by locating anew, turned as it was. BoardNotFoundError where that is not sure."""
    found = locate(image, watch.board, lens=watch.view.lens)
    sites = drawing_of(watch.board).sites
    return min(found.candidates, key=lambda view: _apart(view, watch.view, sites))


def trouble(image: Image, view: View) -> str:
    """What is wrong with the light or the focus on the board, in words; "" when nothing is."""
    inner = _inner(_grey(image), view)
    if float(np.percentile(inner, 95)) < 45:
        return "too dark: put a lamp on, or let the camera expose longer"
    if float((inner >= 252).mean()) > 0.12:
        return "glare: part of the board is blank with light; move the lamp or the camera"
    if _softness(inner) > max(3.0, 0.09 * view.step_pixels(_middle(view))):
        return "blurred: focus the camera on the board, or clean its lens"
    return ""


def drifting(levels: Sequence[float]) -> bool:
    """Whether the lightness of frames (mean grey levels, oldest first) keeps changing as when the camera
    sets its exposure by itself: a trend over all of them, or up and down again and again."""
    if len(levels) < 8:
        return False
    values = np.log(np.maximum(np.asarray(levels, dtype=float), 1.0))
    parts = [float(np.median(part)) for part in np.array_split(values, 6)]
    trend, steps = parts[-1] - parts[0], np.diff(parts)
    creeping = abs(trend) > 0.15 and np.abs(steps).max() < 0.45 * abs(trend)
    return bool(creeping or np.std(np.diff(values)) > 0.08)


def level(image: Image, view: View) -> float:
    """The mean lightness of the board in a frame, for `drifting`."""
    return float(_inner(_grey(image), view).mean())


def _places(grey: Image, view: View, step: float, reach: int) -> npt.NDArray[np.int_]:
    """The patches to watch: strong corners on the board, spread out, least like their surroundings first."""
    corners = cv2.goodFeaturesToTrack(
        grey, 6 * PATCHES, 0.01, max(0.35 * step, 6), mask=_mask(grey, view, reach), blockSize=5
    )
    if corners is None:
        return np.empty((0, 2), dtype=int)
    places = np.round(np.asarray(corners).reshape(-1, 2)).astype(int)
    return places[_order(grey, places, step)][:PATCHES]


def _order(grey: Image, places: npt.NDArray[np.int_], step: float) -> list[int]:
    """Places sorted by how alike the most alike patch a cell away is, in bands, stronger corners first."""
    doubles = [_double(grey, place, step) > 0.8 for place in places]
    return sorted(range(len(places)), key=lambda k: (doubles[k], k))


def _double(grey: Image, place: npt.NDArray[np.int_], step: float) -> float:
    """How alike the most alike patch is at half a step to two steps away."""
    far, near = int(2.2 * step), int(max(0.4 * step, 4))
    x0, y0 = np.maximum(place - far - RADIUS, 0)
    x1, y1 = place + far + RADIUS + 1
    fits = cv2.matchTemplate(grey[y0:y1, x0:x1], _patch(grey, place), cv2.TM_CCOEFF_NORMED)
    cx, cy = place - (x0, y0) - RADIUS
    fits[max(cy - near, 0):cy + near + 1, max(cx - near, 0):cx + near + 1] = -1
    return float(fits.max())


def _mask(grey: Image, view: View, reach: int) -> Image:
    """Where patches may lie: on the board and a little around it, whole within the picture."""
    x0, y0, x1, y1 = view.extent
    x0, y0, x1, y1 = x0 - MARGIN, y0 - MARGIN, x1 + MARGIN, y1 + MARGIN
    corners = view.pixels([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillPoly(mask, [corners.round().astype(np.int32)], 255)
    edge = RADIUS + reach + 1
    inside = np.zeros_like(mask)
    inside[edge:-edge, edge:-edge] = mask[edge:-edge, edge:-edge]
    return inside


def _patch(grey: Image, place: npt.NDArray[np.int_]) -> Image:
    x, y = place
    return grey[y - RADIUS:y + RADIUS + 1, x - RADIUS:x + RADIUS + 1]


def _sought(
    reference: Image, grey: Image, place: npt.NDArray[np.int_], reach: int
) -> tuple[float, float, float]:
    """Shift (x, y) and likeness of the best match of a patch around its place, finer than a pixel."""
    x, y = place
    far = RADIUS + reach
    window = grey[y - far:y + far + 1, x - far:x + far + 1]
    fits = np.asarray(cv2.matchTemplate(window, _patch(reference, place), cv2.TM_CCOEFF_NORMED))
    row, column = divmod(int(fits.argmax()), fits.shape[1])
    across = _top(fits[row], column)
    down = _top(fits[:, column], row)
    return across - reach, down - reach, float(fits[row, column])


def _top(values: npt.NDArray[Any], k: int) -> float:
    """The top of the parabola through a maximum and its neighbours."""
    if not 0 < k < len(values) - 1:
        return float(k)
    before, at, after = (float(v) for v in values[k - 1:k + 2])
    bow = before - 2 * at + after
    return k + (0.5 * (before - after) / bow if bow < -1e-9 else 0.0)


def _motion(before: Floats, after: Floats) -> tuple[Floats, int]:
    """The motion of the picture that most pairs agree on (3x3), and how many do."""
    if len(before) < LEAST:
        return np.eye(3), 0
    affine, inliers = cv2.estimateAffine2D(before, after, method=cv2.RANSAC, ransacReprojThreshold=1.5)
    if affine is None:
        return np.eye(3), 0
    return np.vstack((affine, (0.0, 0.0, 1.0))), int(inliers.sum())


def _shifted(view: View, motion: Floats) -> View:
    """The view after its picture moved."""
    x0, y0, x1, y1 = view.extent
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    pixels = np.column_stack((view.pixels(corners), np.ones(4))) @ motion.T
    flat = pixels[:, :2] / pixels[:, 2:]
    flat = view.lens.undistort(flat) if view.lens else flat
    plane = np.array(corners, dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(plane, flat.astype(np.float32))
    return View.of(np.asarray(matrix, dtype=float), view.size, view.extent, view.lens)


def _matched(image: Image, watch: Watch) -> View | None:
    """The view that features of the reference picture imply where they are found again; None if few are."""
    grey = _grey(image)
    if grey.shape != watch.reference.shape:
        return None
    detector = cv2.ORB.create(1500)
    ours, their = (detector.detectAndCompute(g, m) for g, m in
                   ((watch.reference, _mask(watch.reference, watch.view, 4)), (grey, None)))
    if ours[1] is None or their[1] is None:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(ours[1], their[1])
    if len(pairs) < 12:
        return None
    before = np.array([ours[0][p.queryIdx].pt for p in pairs])
    after = np.array([their[0][p.trainIdx].pt for p in pairs])
    motion, inliers = cv2.findHomography(before, after, cv2.RANSAC, 4.0)
    good = motion is not None and inliers.sum() >= 12
    return _shifted(watch.view, np.asarray(motion, dtype=float)) if good else None


def _confirmed(picture: Picture, drawing: Drawing, guess: View) -> View | None:
    """The guess fitted to the drawing; None unless the drawing bears it out where it is."""
    small = guess.scaled(picture.factor)
    pose = fit(picture, drawing, Pose(small.matrix), (0.3, 0.2, *SETTLE))
    best, lead = settle(picture, drawing, pose)
    if best.agreement < SURE or lead <= 0 or _off(best.pose, pose, drawing) > 0.3:
        return None
    return final_view(picture, drawing, best.pose)


def _off(one: Pose, two: Pose, drawing: Drawing) -> float:
    """How far apart (steps) two poses put the drawing's middle."""
    middle = np.array([*drawing.middle, 1.0])
    place = np.linalg.solve(two.matrix, one.matrix @ middle)
    return float(np.linalg.norm(place[:2] / place[2] - middle[:2]))


def _apart(one: View, two: View, sites: Floats) -> float:
    return float(np.linalg.norm(one.pixels(sites) - two.pixels(sites), axis=1).mean())


def _inner(grey: Image, view: View) -> Image:
    """The upright rectangle of the picture around the board."""
    x0, y0, x1, y1 = view.extent
    corners = view.pixels([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    inner = grey[max(int(top), 0):int(bottom) + 1, max(int(left), 0):int(right) + 1]
    return inner if inner.size else grey


def _softness(grey: Image) -> float:
    """The width of the sharpest edges in pixels (sigma): by how much they fade when smoothed more."""
    fine, coarse = (_steepness(grey, sigma) for sigma in (1.0, 2.0))
    fade = min((coarse / max(fine, 1e-6)) ** 2, 0.999)
    return float(np.sqrt(max(4 * fade - 1, 0.0) / (1 - fade)))


def _steepness(grey: Image, sigma: float) -> float:
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma)
    slope = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    return float(np.percentile(slope, 98))


def _middle(view: View) -> tuple[float, float]:
    x0, y0, x1, y1 = view.extent
    return (x0 + x1) / 2, (y0 + y1) / 2


def _grey(image: Image) -> Image:
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


__all__ = ["BoardNotFoundError", "Presence", "State", "Watch", "drifting", "find_again", "level", "recognise",
           "trouble"]
