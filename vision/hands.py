"""Hands: something large over the board that is neither board nor piece nor light.

A small copy of the frame is compared with what it would show were there nothing but what is known (the
background model); a small network tells where it shows an occlusion: a hand, an arm, a sleeve, a glove,
a head, a cup. What is large enough of that over the board is called a hand, and what it hides is not to
be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.view import View
from vision.light.gain import FLOOR
from vision.light.shade import find_shade
from vision.occlusion.background import Background
from vision.occlusion.network import occlusion

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
WIDTH = 240
"""Pixels of the small copies."""
GREY = np.array([0.114, 0.587, 0.299], np.float32)
"""The shares of blue, green and red."""
STIRS = 12.0
"""Grey levels by which what moves changes a pixel."""
AROUND = 0.6
"""Units around the board in which something counts as over it: what stands there leans out."""
CERTAIN = 0.5
"""How certain the network must be of an occlusion."""
LARGE = 0.6
"""Cells from which an occlusion over the board is a hand: fingertips at the rim hide as much."""
CALM = 6.0
"""Grey levels under which, in a board of middling lightness, no difference is an occlusion."""
DISC = np.array(
    [(0, 0)] + [(r * np.cos(t), r * np.sin(t)) for r in (0.4, 0.9) for t in np.arange(6) * np.pi / 3]
)
"""Points, spread over a disc of radius 1, by which it is told how much of it is hidden."""


def shrink(image: Image) -> Image:
    """A small copy; a small copy is its own."""
    if image.shape[1] == WIDTH:
        return image
    size = small_size((image.shape[1], image.shape[0]))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def small_size(size: tuple[int, int]) -> tuple[int, int]:
    """Width and height of a small copy of a picture of a size."""
    return WIDTH, max(1, round(size[1] * WIDTH / size[0]))


@dataclass(frozen=True, eq=False)
class Occlusion:
    """What hides the board in a frame.

    `mask` (small size, uint8): 1 where an occlusion is seen; `hand`: whether one is large enough for a hand
    over the board; `scale`: pixels of the mask to one of the frame.
    """

    hand: bool
    mask: Image
    scale: float

    def hides(self, points: Floats, radius: float | Floats) -> Singles:
        """The share (n), 0…1, that is hidden of discs around points (n, 2), all in the frame's pixels."""
        radii = np.broadcast_to(np.asarray(radius, dtype=float), len(points))
        around = (points[:, None] + radii[:, None, None] * DISC) * self.scale
        height, width = self.mask.shape
        x = np.clip(np.round(around[..., 0]).astype(int), 0, width - 1)
        y = np.clip(np.round(around[..., 1]).astype(int), 0, height - 1)
        return np.asarray(self.mask[y, x].mean(axis=1), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class HandWatch:
    """Knows frames without a hand (small copies), the view they share, and the board's unit in steps; of
    those seen since it was learned it knows the latest."""

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
        x0, y0, x1, y1 = self.view.extent
        return self.view.step_pixels(((x0 + x1) / 2, (y0 + y1) / 2)) * self.unit * self._scale

    @cached_property
    def board(self) -> Image:
        """Mask (small size) of the board and a bit around it."""
        x0, y0, x1, y1 = self.view.extent
        m = AROUND * self.unit
        corners = self.view.pixels([(x0 - m, y0 - m), (x1 + m, y0 - m), (x1 + m, y1 + m), (x0 - m, y1 + m)])
        mask = np.zeros(self.known[0].shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners * self._scale).astype(np.int32), 1)
        return mask

    @cached_property
    def _background(self) -> Background:
        """The latest first: it is likeliest to be as the board is now."""
        frames = [*self.known, *([] if self.latest is None else [self.latest])]
        return Background(frames[::-1], self.board)

    def shade(self, frame: Image) -> Singles | None:
        """Where shadows lie on a frame (small size) that lay on none of those known."""
        small = shrink(frame)
        return find_shade(small, self._greys(small), self._cell)

    def _greys(self, small: Image) -> Iterator[Singles]:
        """Grey pictures of what the known frames would show in the smooth light of this one."""
        return (np.asarray(shown @ GREY) for shown in self._background.lit(small))

    def sees(self, frame: Image) -> Occlusion:
        """What hides the board in a frame."""
        small = shrink(frame)
        expected = self._background.expected(small)
        if self._calm(small, expected):
            return Occlusion(False, np.zeros(small.shape[:2], np.uint8), self._scale)
        sure = occlusion(small, expected, self.board, self._cell) > CERTAIN
        mask = cleaned(np.asarray(sure, dtype=np.uint8))
        return Occlusion(self._is_hand(mask), mask, self._scale)

    def _calm(self, small: Image, expected: Singles) -> bool:
        """Whether the board looks in all its parts as expected."""
        miss = cv2.blur(cv2.absdiff(small.astype(np.float32), expected).max(axis=2), (5, 5)) * self.board
        lightness = float(np.median(expected[self.board > 0])) if self.board.any() else 128.0
        return bool(miss.max() < CALM * (lightness + FLOOR) / 128)

    def _is_hand(self, mask: Image) -> bool:
        """Whether something connected in a mask is large enough over the board."""
        count, labels = cv2.connectedComponents(mask)
        over = np.bincount(labels[self.board > 0], minlength=count)
        return bool((over[1:] > LARGE * self._cell**2).any())


def cleaned(mask: Image) -> Image:
    """Without specks and small holes."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    return np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), dtype=np.uint8)


class MotionWatch:
    """Whether anything moves on the board from one frame of a video to the next, whatever the exposure and
    whoever stirs beside it."""

    def __init__(self, view: View | None = None) -> None:
        """Without a view the whole picture counts."""
        self._view = view
        self._last: Singles | None = None

    def still(self, small: Image, share: float = 0.002) -> bool:
        """False while more than a share of the board changes; the first frame counts as still."""
        grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32), (3, 3), 0)
        last, self._last = self._last, np.asarray(grey, dtype=np.float32)
        if last is None or last.shape != grey.shape:
            return True
        mask = self._area(small)
        now, before = grey[mask], last[mask]
        exposure = float(np.median((now + FLOOR) / (before + FLOOR)))
        return bool((np.abs(now - exposure * before) > STIRS).mean() < share)

    def _area(self, small: Image) -> npt.NDArray[np.bool_]:
        """The board, unless too little of it is in the picture."""
        if self._view is None:
            return np.ones(small.shape[:2], bool)
        x0, y0, x1, y1 = self._view.extent
        corners = self._view.pixels([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]) * (
            small.shape[1] / self._view.size[0]
        )
        mask = np.zeros(small.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
        return np.asarray(mask > 0) if mask.any() else np.ones(small.shape[:2], bool)
