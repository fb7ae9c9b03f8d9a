"""Board motion: tells on every frame whether the board still lies where it was, in a few milliseconds.

In go a frame and the view that held so far; out comes a `BoardMotion`: whether the board lies there, was
moved or is hidden, and the view in which it lies now as far as patches tell. Small patches of the board's
picture are remembered: corners of lines, letters, markers, chosen where nothing alike lies near, so that a
shift by a whole cell is no match. In a new frame each is looked for around its old place. Pieces that come
and go, or a hand, hide some of them; a bump moves all that are seen, and alike. Beyond their reach
`recognise` finds the board by what is known of it, and `find_again` locates it as at first;
`vision.finding.board_tracker` decides when. `python -m benchmarks locate` measures what a check costs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import cv2
import numpy as np

from companion.core.board import Board
from vision.arrays import Floats, Image, Indices, Mask, Singles
from vision.finding.check import SHIFT_ROUNDS, SURE_FOUND, holds, resolve_shift
from vision.finding.drawing import Drawing, drawing_of
from vision.finding.fit import Pose, final_view, fit
from vision.finding.locate import locate
from vision.finding.picture import WorkingPicture
from vision.geometry.samples import greyed
from vision.geometry.view import View, mapped
from vision.light.focus import blurs, softness

# The patches
PATCHES = 48
"""Patches that are watched at most: each costs time on every frame."""
RADIUS = 8
"""Half the side of a patch; pixels."""
MARGIN = 1.0
"""Steps around the outline that belong to the board."""
REACH, REACHES = 0.3, (4, 12)
"""The distance to each side at which a patch is looked for: steps, and the least and most pixels."""
CANDIDATES, FAINTEST, CORNER_WINDOW = 6, 0.01, 5
"""Corners from which the patches are chosen, as a multiple of them; the strength of the faintest one as a
share of the strongest one's; and the window in which strength is measured (pixels)."""
CORNERS_APART, APART_PIXELS = 0.35, 6
"""The least distance between two corners: steps, and pixels if that is more."""
DOUBLE = 0.8
"""The correlation from which another patch nearby is a double: patches that have one are taken last."""
DOUBLES = (0.4, 2.2)
"""Steps from a patch between which its double is looked for: half a cell to two cells."""

# What they tell
PATCH_ALIKE = 0.72
"""The correlation from which a patch counts as found."""
BUMP = 0.05
"""Steps that a board must be shifted to be read wrongly."""
STILL, STILL_PIXELS = 0.5, 0.7
"""The distance that a patch which did not move may seem to: a share of BUMP, and pixels if that is more."""
RESTING, PERHAPS_RESTING = 0.6, 0.4
"""The share of found patches that must lie still for the board to be at rest, and the share from which it is
taken to be where the patches agree on no motion."""
SEEN = 0.25
"""The share of patches that must be found, lest the board be hidden."""
FEWEST_PATCHES = 6
"""Patches that must be found, or agree on a motion, for it to be believed."""
AGREEING = 0.5
"""The share of found patches that must agree on a motion for it to be believed."""
LEAST = 3
"""Pairs of points that an affine motion needs."""
SPAN, STIFF = 500.0, 0.03
"""Pixels from the middle of the patches at which the bend of a motion is measured, and the weight of its
square beside those of what patches are off: a few of them in one corner tell little but a shift."""
STRAY = 1.5
"""Pixels that a patch may be off the motion on which most agree."""
SAME_VIEW = 0.10
"""Steps between the sites of two views, on average, below which they show the same."""

# Recognising
FEATURES, MATCHES = 1500, 12
"""Features (ORB) of a picture, and pairs of them that must agree on where the board lies."""
FEATURE_EDGE, FEATURE_STRAY = 4, 4.0
"""Pixels beyond a patch that features keep from the border; and that a pair may be off what most agree on."""
CONFIRMING_ROUNDS = (0.3, 0.2, *SHIFT_ROUNDS)
"""Steps that a line may be off in each round of the fit of a recognised view."""
CONFIRMED = 0.3
"""Steps that the fit may move the middle of the drawing: more, and the board would be another cell off."""


class BoardInFrame(Enum):
    """The place of the board in a frame: where it was, elsewhere, or not to be seen."""

    OK = "ok"
    MOVED = "moved"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class BoardMotion:
    """The state of the board in a frame.

    `shift` is the farthest that any site has moved, in steps; `view` the one in which the board lies now, as
    far as the patches tell (`recognise` refines it); `blur` by how much softer the frame is than the
    reference (sigma, pixels).
    """

    state: BoardInFrame
    shift: float
    view: View
    blur: float = 0.0
    motion: Floats | None = None
    """The matrix (3, 3) from pixels of the reference to those of the frame, where most patches agree on one;
    of a board that moved, where those do that have no double."""


@dataclass(frozen=True, eq=False)
class BoardWatch:
    """The patches of one view of a board, as a reference picture shows them.

    `reference` is grey (h, w), `places` are the middles of the patches (n, 2) in pixels, `single` (n) says
    which have no double, and `reach` is how far to each side a patch is looked for, in pixels.
    """

    view: View
    board: Board
    reference: Image
    places: Indices
    single: Mask
    reach: int

    @classmethod
    def of(cls, image: Image, view: View, board: Board) -> BoardWatch:
        """Chooses the patches of a picture in which the view holds."""
        grey = greyed(image)
        step = view.step_pixels(drawing_of(board).middle)
        reach = int(np.clip(REACH * step, *REACHES))
        return cls(view, board, grey, *_places(grey, view, step, reach), reach)

    def check(self, image: Image) -> BoardMotion:
        """Returns whether the board lies where the view says. In a frame of another size it is hidden."""
        grey = greyed(image)
        if grey.shape != self.reference.shape:
            return BoardMotion(BoardInFrame.HIDDEN, 0.0, self.view)
        shifts, likeness = self._shifts(grey)
        found = likeness > PATCH_ALIKE
        if found.sum() < max(FEWEST_PATCHES, SEEN * len(found)):
            return BoardMotion(BoardInFrame.HIDDEN, 0.0, self.view)
        judged = self._judged(self.places[found].astype(float), shifts[found], self.single[found])
        where = self.places[found] + np.round(shifts[found]).astype(int)
        patches = np.array([_patch(grey, place).ravel() for place in where], np.float32)
        return replace(judged, blur=softness(patches, self._blurred[found]))

    @cached_property
    def _blurred(self) -> Singles:
        """The patches (n, blurs, pixels), softer and softer."""
        soft = blurs(self.reference)
        return np.array([[_patch(image, at).ravel() for image in soft] for at in self.places], np.float32)

    def _judged(self, places: Floats, shifts: Floats, single: Mask) -> BoardMotion:
        """Returns what found patches tell, from their old places and their shifts (n, 2; pixels)."""
        still = np.linalg.norm(shifts, axis=1) < max(STILL_PIXELS, STILL * BUMP * self._step)
        motion, agreeing = _motion(places, places + shifts)
        agrees = agreeing.sum() >= max(FEWEST_PATCHES, AGREEING * len(places))
        if still.mean() > RESTING:
            return BoardMotion(BoardInFrame.OK, 0.0, self.view, motion=motion if agrees else None)
        if not agrees:
            state = BoardInFrame.OK if still.mean() > PERHAPS_RESTING else BoardInFrame.HIDDEN
            return BoardMotion(state, 0.0, self.view)
        moved = _shifted(self.view, motion)
        sites = np.array(list(self.board.sites.values()))
        shift = float(np.linalg.norm(self.view.board(moved.pixels(sites)) - sites, axis=1).max())
        if shift <= BUMP:
            return BoardMotion(BoardInFrame.OK, shift, moved, motion=motion)
        # A board that was pushed by a cell seems to have moved less, by patches that have a double.
        is_sure = agreeing.mean() > RESTING and (agreeing & single).sum() > FEWEST_PATCHES
        return BoardMotion(BoardInFrame.MOVED, shift, moved, motion=motion if is_sure else None)

    def registered(self, image: Image, view: View) -> View:
        """Returns a view in which the board was found, made to show the patches exactly where the watched
        view shows them: what was learned in the one then holds in the other. Returns it unchanged where too
        few patches are seen."""
        grey = greyed(image)
        corners = self.view.corners()
        before, after = (v.pixels(corners).astype(np.float32) for v in (self.view, view))
        motion = cv2.getPerspectiveTransform(before, after)
        size = self.reference.shape[1], self.reference.shape[0]
        back = cv2.warpPerspective(grey, motion, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        shifts, likeness = self._shifts(np.asarray(back, dtype=np.uint8))
        found = likeness > PATCH_ALIKE
        places = self.places[found].astype(float)
        rest, agreeing = _motion(places, places + shifts[found])
        if agreeing.sum() < max(FEWEST_PATCHES, AGREEING * len(places)):
            return view
        exact = _shifted(self.view, motion @ rest)
        return exact if _apart(exact, view, drawing_of(self.board).sites) < SAME_VIEW * self._step else view

    def nears(self, view: View) -> bool:
        """Returns whether a view shows the board where the watched one does."""
        sites = drawing_of(self.board).sites
        return _apart(view, self.view, sites) < SAME_VIEW * self._step

    def are_alike(self, one: View, two: View) -> bool:
        """Returns whether the board lies still from one view to the other."""
        return _apart(one, two, drawing_of(self.board).sites) < STILL_PIXELS

    @property
    def _step(self) -> float:
        return self.view.step_pixels(drawing_of(self.board).middle)

    def _shifts(self, grey: Image) -> tuple[Floats, Floats]:
        """Returns the shift of each patch (n, 2; pixels) and how alike it looks there (n; -1 to 1)."""
        found = [_sought(self.reference, grey, place, self.reach) for place in self.places]
        return np.array([f[:2] for f in found]).reshape(-1, 2), np.array([f[2] for f in found])


def recognise(image: Image, watch: BoardWatch, hint: View) -> View | None:
    """Returns the view that holds now, from features that are known again or from a hint, whichever the
    drawing bears out better; None where it bears out neither.

    Features may tell that a board was turned round. It is taken for one that was not, where it is the same
    then: the pieces say from which side they are laid, and a board may be turned without them.
    """
    picture, drawing = WorkingPicture.of(image, watch.view.lens), drawing_of(watch.board)
    matched = _matched(image, watch)
    guesses = (hint, matched and _least_turned(matched, watch.board, hint))
    found = [one for guess in guesses if guess and (one := _confirmed(picture, drawing, guess))]
    if not found:
        return None
    best, _ = max(found, key=lambda one: one[1])
    return watch.registered(image, best)


def _least_turned(view: View, board: Board, before: View) -> View:
    """Returns a view, or that of the board turned round if it is the same then: whichever shows it more as it
    lay before."""
    if not board.half_turn:
        return view
    return min(view, view.turned(), key=lambda one: _apart(one, before, drawing_of(board).sites))


def find_again(image: Image, watch: BoardWatch) -> View:
    """Returns the view after a bump by locating anew, turned as it was. BoardNotFoundError where it is not
    sure."""
    found = locate(image, watch.board, lens=watch.view.lens)
    sites = drawing_of(watch.board).sites
    return min(found.candidates, key=lambda view: _apart(view, watch.view, sites))


def _places(grey: Image, view: View, step: float, reach: int) -> tuple[Indices, Mask]:
    """Returns the places (n, 2) to watch, and which have no double: strong corners on the board, spread out,
    those without a double first."""
    corners = cv2.goodFeaturesToTrack(
        grey,
        CANDIDATES * PATCHES,
        FAINTEST,
        max(CORNERS_APART * step, APART_PIXELS),
        mask=_mask(grey, view, reach),
        blockSize=CORNER_WINDOW,
    )
    if corners is None:
        return np.empty((0, 2), dtype=int), np.empty(0, dtype=bool)
    places = np.round(np.asarray(corners).reshape(-1, 2)).astype(int)
    single = _single(grey, places, step)
    first = np.argsort(~single, kind="stable")[:PATCHES]
    return places[first], single[first]


def _single(grey: Image, places: Indices, step: float) -> Mask:
    """Returns which of some places (n, 2) have no double. That of a corner mostly is another corner, and only
    where none is it is looked for everywhere."""
    far, near = int(DOUBLES[1] * step), int(max(DOUBLES[0] * step, 4))
    patches = np.array([_patch(grey, place).ravel() for place in places], np.float32)
    patches -= patches.mean(axis=1, keepdims=True)
    patches /= np.maximum(np.linalg.norm(patches, axis=1, keepdims=True), 1e-6)
    apart = np.abs(places[:, None] - places).max(axis=2)
    doubled = ((patches @ patches.T > DOUBLE) & (apart > near) & (apart <= far)).any(axis=1)
    return np.array(
        [
            not has_one and _double(grey, place, near, far) <= DOUBLE
            for place, has_one in zip(places, doubled, strict=True)
        ]
    )


def _double(grey: Image, place: Indices, near: int, far: int) -> float:
    """Returns how alike (-1 to 1) the most alike patch is that is so many pixels away."""
    x0, y0 = np.maximum(place - far - RADIUS, 0)
    x1, y1 = place + far + RADIUS + 1
    fits = cv2.matchTemplate(grey[y0:y1, x0:x1], _patch(grey, place), cv2.TM_CCOEFF_NORMED)
    cx, cy = place - (x0, y0) - RADIUS
    fits[max(cy - near, 0) : cy + near + 1, max(cx - near, 0) : cx + near + 1] = -1
    return float(fits.max())


def _mask(grey: Image, view: View, reach: int) -> Image:
    """Returns where patches may lie: on the board and a little around it, whole within the picture."""
    corners = view.pixels(view.corners(MARGIN))
    mask = np.zeros(grey.shape, np.uint8)
    cv2.fillPoly(mask, [corners.round().astype(np.int32)], 255)
    edge = RADIUS + reach + 1
    inside = np.zeros_like(mask)
    inside[edge:-edge, edge:-edge] = mask[edge:-edge, edge:-edge]
    return inside


def _patch(grey: Image, place: Indices) -> Image:
    x, y = place
    return grey[y - RADIUS : y + RADIUS + 1, x - RADIUS : x + RADIUS + 1]


def _sought(reference: Image, grey: Image, place: Indices, reach: int) -> tuple[float, float, float]:
    """Returns the shift (x, y; finer than a pixel) and likeness of a patch's best match around its place. On
    the border of its reach it is none: a better one may lie beyond."""
    x, y = place
    far = RADIUS + reach
    window = grey[y - far : y + far + 1, x - far : x + far + 1]
    matched = cv2.matchTemplate(window, _patch(reference, place), cv2.TM_CCOEFF_NORMED)
    fits = np.asarray(matched, dtype=np.float32)
    row, column = divmod(int(fits.argmax()), fits.shape[1])
    if not (0 < row < 2 * reach and 0 < column < 2 * reach):
        return 0.0, 0.0, -1.0
    across = _top(fits[row], column)
    down = _top(fits[:, column], row)
    return across - reach, down - reach, float(fits[row, column])


def _top(values: Singles, k: int) -> float:
    """Returns where the parabola through a maximum, the value of index k, and its neighbours has its top."""
    before, at, after = (float(v) for v in values[k - 1 : k + 2])
    bow = before - 2 * at + after
    return k + (0.5 * (before - after) / bow if bow < -1e-9 else 0.0)


def _motion(before: Floats, after: Floats) -> tuple[Floats, Mask]:
    """Returns the motion of the picture (3, 3) on which most pairs of points (n, 2) agree, and which do."""
    none = np.eye(3), np.zeros(len(before), bool)
    if len(before) < LEAST:
        return none
    affine, inliers = cv2.estimateAffine2D(before, after, method=cv2.RANSAC, ransacReprojThreshold=STRAY)
    if affine is None:
        return none
    agree = inliers.ravel() > 0
    return homography(before[agree], after[agree]), agree


def homography(before: Floats, after: Floats) -> Floats:
    """Returns the homography (3, 3) that carries some points (n, 2) to others, as stiff as they allow."""
    middle = before.mean(axis=0)
    x, y = ((before - middle) / SPAN).T
    to, by = (after - middle) / SPAN, (after - before) / SPAN
    one, none = np.ones_like(x), np.zeros_like(x)
    across = np.column_stack((one, none, x, y, none, none, to[:, 0] * x, to[:, 0] * y))
    down = np.column_stack((none, one, none, none, x, y, to[:, 1] * x, to[:, 1] * y))
    rows, stiff = np.vstack((across, down)), np.diag([0.0, 0.0, *[STIFF] * 6])
    dx, dy, a, b, c, d, e, f = np.linalg.solve(rows.T @ rows + stiff, rows.T @ by.T.ravel())
    centred = np.array([[SPAN, 0.0, middle[0]], [0.0, SPAN, middle[1]], [0.0, 0.0, 1.0]])
    motion = np.array([[1 + a, b, dx], [c, 1 + d, dy], [-e, -f, 1.0]])
    return np.asarray(centred @ motion @ np.linalg.inv(centred), dtype=float)


def _shifted(view: View, motion: Floats) -> View:
    """Returns the view after its picture moved by a matrix (3, 3)."""
    corners = view.corners()
    flat = mapped(view.pixels(corners), motion)
    flat = view.lens.undistort(flat) if view.lens else flat
    plane = np.array(corners, dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(plane, flat.astype(np.float32))
    return View.of(np.asarray(matrix, dtype=float), view.size, view.extent, view.lens)


def _matched(image: Image, watch: BoardWatch) -> View | None:
    """Returns the view that features of the reference imply where they are found again; None where few
    are."""
    grey = greyed(image)
    if grey.shape != watch.reference.shape:
        return None
    detector = cv2.ORB.create(FEATURES)
    on_board = _mask(watch.reference, watch.view, FEATURE_EDGE)
    known, known_signs = detector.detectAndCompute(watch.reference, on_board)
    seen, seen_signs = detector.detectAndCompute(grey, None)
    if known_signs is None or seen_signs is None:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(known_signs, seen_signs)
    if len(pairs) < MATCHES:
        return None
    before = np.array([known[p.queryIdx].pt for p in pairs])
    after = np.array([seen[p.trainIdx].pt for p in pairs])
    motion, inliers = cv2.findHomography(before, after, cv2.RANSAC, FEATURE_STRAY)
    if motion is None or inliers.sum() < MATCHES:
        return None
    return _shifted(watch.view, np.asarray(motion, dtype=float))


def _confirmed(picture: WorkingPicture, drawing: Drawing, guess: View) -> tuple[View, float] | None:
    """Returns a guess fitted to the drawing, and the share of this that bears it out; None unless it does
    where it is, and the picture holds all of the board."""
    small = guess.scaled(picture.factor)
    pose = fit(picture, drawing, Pose(small.matrix), CONFIRMING_ROUNDS)
    best, lead = resolve_shift(picture, drawing, pose)
    if best.agreement < SURE_FOUND or lead <= 0 or _off(best.pose, pose, drawing) > CONFIRMED:
        return None
    if not holds(picture, drawing, best.pose):
        return None
    return final_view(picture, drawing, best.pose), best.agreement


def _off(one: Pose, two: Pose, drawing: Drawing) -> float:
    """Returns how far apart two poses put the drawing's middle; steps."""
    middle = np.array([*drawing.middle, 1.0])
    place = np.linalg.solve(two.matrix, one.matrix @ middle)
    return float(np.linalg.norm(place[:2] / place[2] - middle[:2]))


def _apart(one: View, two: View, sites: Floats) -> float:
    """Returns how far apart two views put the sites (n, 2), on average; pixels."""
    return float(np.linalg.norm(one.pixels(sites) - two.pixels(sites), axis=1).mean())
