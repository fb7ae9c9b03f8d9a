"""Hands and motion over the board.

In goes a frame; out comes an `Occlusion`: where something is between camera and board (a hand, an arm, a
sleeve, a glove, a head, a cup), and whether it is large enough over the board to be called a hand. Places
that an occlusion hides are not read. A small copy of the frame is compared with what it would show without
one (the background model), and a small network tells where they differ by more than light and pieces do.
`python -m benchmarks hands` counts hands that are missed and frames in which one is seen wrongly, with the
limits below. `MotionWatch` tells whether anything moves from one frame to the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import cv2
import numpy as np

from vision.arrays import Floats, Image, Mask, Singles
from vision.geometry.samples import reduced
from vision.geometry.view import View
from vision.light.gain import FLOOR
from vision.occlusion.background import BackgroundModel
from vision.occlusion.network import USUAL_LEVEL, level_of, occlusion

WIDTH = 240
"""The width of the small copies; pixels."""
STIRS = 12.0
"""Grey levels by which a pixel changes where something moves."""
STIRRING = 0.002
"""The share of the board's pixels that must change for something to move: fewer are noise."""
AROUND = 0.6
"""Units around the board in which something counts as over it: pieces at the rim lean out."""
CERTAIN = 0.5
"""The least certainty of the network at which an occlusion is believed, 0…1."""
LARGE = 0.6
"""Cells that an occlusion over the board must cover to be a hand: fingertips at the rim hide as much."""
CALM_FRAME = 6.0
"""Grey levels under which no difference is an occlusion, on a board of usual lightness; on others in
proportion. No network is asked then."""
CALM_WINDOW = 5
"""The side of the window over which these differences are averaged; pixels."""
DISC = np.array(
    [(0, 0)] + [(r * np.cos(t), r * np.sin(t)) for r in (0.4, 0.9) for t in np.arange(6) * np.pi / 3]
)
"""Points (13, 2) spread over a disc of radius 1: they tell how much of it is hidden."""


def shrink(image: Image) -> Image:
    """Returns the small copy of a picture; a picture of its width is returned as it is."""
    if image.shape[1] == WIDTH:
        return image
    return reduced(image, small_size((image.shape[1], image.shape[0])))


def small_size(size: tuple[int, int]) -> tuple[int, int]:
    """Returns width and height of the small copy of a picture of this width and height."""
    return WIDTH, max(1, round(size[1] * WIDTH / size[0]))


@dataclass(frozen=True, eq=False)
class Occlusion:
    """The things that hide the board in a frame.

    `mask` is 1 where an occlusion is seen (the small copy's size); `hand` says whether one over the board is
    large enough for a hand; `scale` is the mask's pixels to one of the frame.
    """

    hand: bool
    mask: Image
    scale: float

    def hides(self, points: Floats, radius: float | Floats) -> Singles:
        """Returns the shares (n), 0…1, of discs around points (n, 2) that are hidden, in the frame's
        pixels."""
        radii = np.broadcast_to(np.asarray(radius, dtype=float), len(points))
        around = (points[:, None] + radii[:, None, None] * DISC) * self.scale
        height, width = self.mask.shape
        x = np.clip(np.round(around[..., 0]).astype(int), 0, width - 1)
        y = np.clip(np.round(around[..., 1]).astype(int), 0, height - 1)
        return np.asarray(self.mask[y, x].mean(axis=1), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class HandWatch:
    """Tells hands by frames without one.

    `known` are small copies of such frames from the calibration, `latest` is one of the game; all share a
    `view`. `unit` is the distance between neighbouring places in steps.
    """

    known: Sequence[Image]
    view: View
    unit: float
    latest: Image | None = None

    @cached_property
    def _scale(self) -> float:
        return WIDTH / self.view.size[0]

    @cached_property
    def _cell(self) -> float:
        """Pixels of a unit on a small copy, in the board's middle."""
        return self.view.step_pixels(self.view.middle) * self.unit * self._scale

    @cached_property
    def board(self) -> Image:
        """A mask (small size): 1 on the board and a bit around it."""
        corners = self.view.pixels(self.view.corners(AROUND * self.unit))
        mask = np.zeros(self.known[0].shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners * self._scale).astype(np.int32), 1)
        return mask

    @cached_property
    def _background(self) -> BackgroundModel:
        """The background model, which prefers the latest frame: it is likeliest to show the board as it
        is."""
        frames = [*self.known, *([] if self.latest is None else [self.latest])]
        return BackgroundModel(frames[::-1], self.board)

    def sees(self, frame: Image) -> Occlusion:
        """Returns what hides the board in a frame."""
        small = shrink(frame)
        nothing = Occlusion(False, np.zeros(small.shape[:2], np.uint8), self._scale)
        # What is as the latest frame was needs no other one.
        lit = self._background.lit(small)
        latest = next(lit)
        if not self._odd(small, latest)[self.board > 0].any():
            return nothing
        expected = self._background.expected(small, chain([latest], lit))
        odd = self._odd(small, expected)
        if not odd[self.board > 0].any():
            return nothing
        sure = occlusion(small, expected, self.board, self._cell, odd) > CERTAIN
        mask = cleaned(np.asarray(sure & odd, dtype=np.uint8))
        return Occlusion(self._is_hand(mask), mask, self._scale)

    def _odd(self, small: Image, expected: Singles) -> Mask:
        """Returns where (h, w) a small copy looks otherwise than expected."""
        window = CALM_WINDOW, CALM_WINDOW
        channels = cv2.split(cv2.subtract(small.astype(np.float32), expected))
        # Averaged with its sign, so that noise does not count.
        blue, green, red = (np.abs(cv2.blur(channel, window)) for channel in channels)
        miss = np.maximum(np.maximum(blue, green), red)
        return np.asarray(miss >= CALM_FRAME * (level_of(expected, self.board) + FLOOR) / USUAL_LEVEL)

    def _is_hand(self, mask: Image) -> bool:
        """Returns whether something connected in a mask is large enough over the board."""
        count, labels = cv2.connectedComponents(mask)
        over = np.bincount(labels[self.board > 0], minlength=count)
        return bool((over[1:] > LARGE * self._cell**2).any())


def cleaned(mask: Image) -> Image:
    """Returns a mask without specks and small holes."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    return np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), dtype=np.uint8)


class MotionWatch:
    """Tells whether anything moves on the board from one frame to the next.

    The exposure may change, and people may move beside the board. Without a view the whole picture counts.
    """

    def __init__(self, view: View | None = None) -> None:
        self._view = view
        self._last: Singles | None = None

    def still(self, small: Image) -> bool:
        """Returns whether nothing moved since the last small copy; the first one counts as still."""
        grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32), (3, 3), 0)
        last, self._last = self._last, np.asarray(grey, dtype=np.float32)
        if last is None or last.shape != grey.shape:
            return True
        mask = self._area(small)
        now, before = grey[mask], last[mask]
        exposure = float(np.median((now + FLOOR) / (before + FLOOR)))
        return bool((np.abs(now - exposure * before) > STIRS).mean() < STIRRING)

    def _area(self, small: Image) -> Mask:
        """Returns a mask of the board, or of all where none of it is in the picture."""
        if self._view is None:
            return np.ones(small.shape[:2], bool)
        corners = self._view.pixels(self._view.corners()) * (small.shape[1] / self._view.size[0])
        mask = np.zeros(small.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
        return np.asarray(mask > 0) if mask.any() else np.ones(small.shape[:2], bool)
