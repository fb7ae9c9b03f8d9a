"""Hands: something large that is neither board nor piece.

A small copy of the frame is compared with small copies of known frames; where it agrees with none of
them, and no piece that was found explains it, something else is there. If that is large and over the
board, or comes in from the border of the picture and nearly reaches it, it is a hand. Skin may be nearly
of the wood's colour: what differs plainly in places counts as far as it differs a little all around, but not
where the board's lines show through, as they do in shade and glare.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.view import View
from vision.light.gain import FLOOR, fit_gain
from vision.light.shade import find_shade, shown

Image = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]
WIDTH = 240
"""Pixels of the small copies."""
GREY = np.array([0.114, 0.587, 0.299], np.float32)
"""The shares of blue, green and red."""
SOFT = 1.5
"""Pixels over which what lies around a pixel is taken together."""
STIRS = 12.0
"""Grey levels by which what moves changes a pixel."""
NOISE = 3.0
"""Grey levels by which pixels differ in any light."""
SHADE = 0.85
"""How much darker a place may be than the light explains: the shade of somebody who stands by."""
REACHING, LARGE = 1.5, 1.8
"""Cells that something is large from: that comes from the picture's border, and that no piece explains."""
FAINT = 0.45
"""The part of what differs plainly from which a difference counts around such places."""
PLAIN = 0.12
"""The share of something that must differ plainly."""


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
class Comparison:
    """How far a frame of some `size` is from a known one (`miss`, 3 by pixels), and how far pixels `usually`
    are for noise alone, and at `most`."""

    size: tuple[int, ...]
    miss: Singles
    usually: Singles
    most: Singles

    def plain(self) -> Image:
        """Mask of what is neither like it nor a light shade of it."""
        strange = np.abs(self.miss).max(axis=0) > self.most
        return np.asarray(strange.astype(np.uint8).reshape(self.size))

    def faint(self) -> Image:
        """Mask of what on the whole is not quite like it around each pixel."""
        soft = cv2.GaussianBlur(np.ascontiguousarray(self.miss.T).reshape(*self.size, 3), (0, 0), SOFT)
        return np.asarray(np.abs(soft).max(axis=2) > FAINT * self.usually.reshape(self.size), dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Memory:
    """A known frame (small copy), prepared to be compared with others.

    `colours` (3, pixels), `texture` (pixels): how much it changes from a pixel to the next; `design`
    (6, pixels) the terms of a smooth change of light; `some` the pixels by which that is found.
    """

    colours: Singles
    texture: Singles
    design: Singles
    some: npt.NDArray[np.intp]

    @classmethod
    def of(cls, image: Image, design: Singles) -> Memory:
        kernel = np.ones((3, 3), np.uint8)
        edges = np.asarray(cv2.morphologyEx(image, cv2.MORPH_GRADIENT, kernel), dtype=np.uint8)
        height, width = image.shape[:2]
        some = np.arange(height * width).reshape(height, width)[::5, ::5].ravel()
        flat = np.ascontiguousarray(design.reshape(-1, design.shape[-1]).T)
        return cls(_planes(image), _planes(edges).max(axis=0), flat, some)

    @cached_property
    def _lightness(self) -> float:
        return max(1.0, float(np.median(self.colours[:, self.some])))

    def expected(self, seen: Singles) -> Singles:
        """What it would show (3, pixels) in the smooth light of another one."""
        a, b = seen[:, self.some].T, self.colours[:, self.some].T
        gain = fit_gain(a, b, self.design[:, self.some].T, rounds=5)
        return np.asarray(np.exp(gain.T @ self.design) * (self.colours + FLOOR) - FLOOR)

    def compare(self, frame: Image) -> Comparison:
        """With a frame, or a light shade of it."""
        seen = _planes(frame)
        expected = self.expected(seen)
        scale = (seen * expected).sum(axis=0) / np.maximum((expected * expected).sum(axis=0), 1)
        miss = seen - np.clip(scale, SHADE, 1.15) * expected
        dim = min(1.0, float(np.median(expected[:, self.some])) / self._lightness)
        usual = NOISE + dim * 5 + 0.06 * expected.max(axis=0)
        return Comparison(frame.shape[:2], miss, usual, usual + dim * 0.5 * self.texture)


def _planes(image: Image) -> Singles:
    """(3, pixels)."""
    return np.ascontiguousarray(image.reshape(-1, 3).T, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class HandWatch:
    """Knows frames without a hand (small copies), the view they share, and the board's unit in steps; of
    those seen since it was learned it knows the latest. `sure` where one of them shows the empty board in the
    light of a game: only then faint differences tell anything."""

    known: Sequence[Image]
    view: View
    unit: float
    latest: Image | None = None
    sure: bool = True

    @cached_property
    def _scale(self) -> float:
        return WIDTH / self.view.size[0]

    @cached_property
    def _area(self) -> float:
        """Pixels of a cell of one unit."""
        x0, y0, x1, y1 = self.view.extent
        side = self.view.step_pixels(((x0 + x1) / 2, (y0 + y1) / 2)) * self.unit * self._scale
        return side * side

    @cached_property
    def _board(self) -> Image:
        """The board and a bit around it."""
        x0, y0, x1, y1 = self.view.extent
        m = 0.6 * self.unit
        corners = self.view.pixels([(x0 - m, y0 - m), (x1 + m, y0 - m), (x1 + m, y1 + m), (x0 - m, y1 + m)])
        mask = np.zeros(self.known[0].shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners * self._scale).astype(np.int32), 1)
        return mask

    @cached_property
    def _design(self) -> Singles:
        height, width = self.known[0].shape[:2]
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        x, y = x / width * 2 - 1, y / height * 2 - 1
        return np.stack((np.ones_like(x), x, y, x * x, x * y, y * y), axis=-1)

    @cached_property
    def _memories(self) -> list[Memory]:
        """The latest first: it is likeliest to be as the board is now."""
        frames = [*self.known, *([] if self.latest is None else [self.latest])]
        return [Memory.of(frame, self._design) for frame in reversed(frames)]

    def shade(self, frame: Image) -> Singles | None:
        """Where shadows lie on a frame (small size) that lay on none of those known."""
        small = shrink(frame)
        return find_shade(small, self._expected(small), self._area**0.5)

    def sees(self, frame: Image, pieces: Sequence[npt.NDArray[np.int32]]) -> bool:
        """Whether a hand is in the frame; `pieces` are outlines in the frame's pixels."""
        small = shrink(frame)
        compared: list[Comparison] = []
        plain = self._strange(small, compared)
        if self._is_hand(plain, pieces):
            return True
        left = cv2.countNonZero(self._without(plain.copy(), pieces))
        if not self.sure or left < PLAIN * REACHING * self._area:
            return False
        faint = self._faint(small, compared)
        if not self._is_hand(_grown(plain, faint), pieces):
            return False
        return self._is_hand(_grown(plain, faint & ~self._shown(small)), pieces)

    def _strange(self, small: Image, compared: list[Comparison]) -> Image:
        """Mask of what agrees with no known frame; keeps what it compared."""
        mask = np.ones(small.shape[:2], np.uint8)
        for memory in self._memories:
            compared.append(memory.compare(small))
            mask &= compared[-1].plain()
            if cv2.countNonZero(mask) < 0.5 * self._area:
                break
        return mask

    def _faint(self, small: Image, compared: Sequence[Comparison]) -> Image:
        """Mask of what does not quite agree with any known frame, some of which are compared already."""
        mask = np.ones(small.shape[:2], np.uint8)
        for comparison in (*compared, *(m.compare(small) for m in self._memories[len(compared) :])):
            mask &= comparison.faint()
        return mask

    def _shown(self, small: Image) -> Image:
        """Mask of where the lines of a known frame show, in whatever light."""
        greys = self._expected(small)
        return np.asarray(shown(small, greys, self._area**0.5), dtype=np.uint8)

    def _expected(self, small: Image) -> Iterator[Singles]:
        """Grey pictures of what the known frames would show in the smooth light of this one."""
        seen, size = _planes(small), small.shape[:2]
        return ((GREY @ memory.expected(seen)).reshape(size) for memory in self._memories)

    def _is_hand(self, mask: Image, pieces: Sequence[npt.NDArray[np.int32]]) -> bool:
        """Whether something in a mask is a hand, and none of the pieces."""
        mask = cleaned(mask)
        if self._reaches_in(mask):
            return True
        left = cleaned(self._without(mask, pieces))
        return any(over > LARGE * self._area for over, _, _ in self._blobs(left))

    def _without(self, mask: Image, pieces: Sequence[npt.NDArray[np.int32]]) -> Image:
        """The mask, painted over where pieces are and close around them."""
        size = max(1, round(0.25 * self._area**0.5))
        for outline in pieces:
            small = np.round(outline * self._scale).astype(np.int32)
            cv2.fillPoly(mask, [small], 0)
            cv2.polylines(mask, [small], isClosed=True, color=0, thickness=size)
        return mask

    def _reaches_in(self, mask: Image) -> bool:
        """Something large from the picture's border that lies over the board."""
        return any(
            border and area > REACHING * self._area and over > 0 for over, area, border in self._blobs(mask)
        )

    def _blobs(self, mask: Image) -> list[tuple[int, int, bool]]:
        """Of each connected part: pixels over the board, all pixels, and whether it meets the border."""
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
        height, width = mask.shape
        over = np.bincount(labels[self._board > 0], minlength=count)
        blobs = []
        for n in range(1, count):
            x, y, w, h, area = (int(v) for v in stats[n])
            border = x <= 1 or y <= 1 or x + w >= width - 1 or y + h >= height - 1
            blobs.append((int(over[n]), area, border))
        return blobs


def _grown(plain: Image, faint: Image) -> Image:
    """What differs plainly, and what differs faintly all around it."""
    count, labels = cv2.connectedComponents(faint)
    size = np.bincount(labels.ravel(), minlength=count)
    share = np.bincount(labels.ravel(), plain.ravel(), count) / size
    share[0] = 0.0
    return np.asarray(plain | (share > PLAIN)[labels], dtype=np.uint8)


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
