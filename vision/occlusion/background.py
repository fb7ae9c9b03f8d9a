"""The background model: what a frame would show were no hand over the board.

In go small copies of known frames without a hand, and of the frame that is seen; out comes a picture of the
same size, with which `vision.occlusion.network` compares the frame. The known frames are brought into the
light of the frame; each pixel is then taken from the known frame that is nearest to what is seen around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import Image, Indices, Singles
from vision.light.gain import FLOOR, fit_gain, terms

STRIDE = 8
"""Pixels from one sample of the light to the next, in each direction; beside the board twice as many."""
COARSE = 32
"""Points, in each direction, at which a smooth change of light is computed; between them it is
interpolated."""
AROUND = 5
"""The side of the window in which known frames are compared with the frame; pixels."""
ROUNDS = 5
"""Rounds of the fit of the light, for each known frame: fewer than for a reading, since they are many."""


def difference(seen: Singles, shown: Singles) -> Singles:
    """Returns (h, w) by how much two pictures (h, w, 3) differ at the most in any colour."""
    blue, green, red = cv2.split(cv2.absdiff(seen, shown))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


@dataclass(frozen=True, eq=False)
class BackgroundModel:
    """Known frames (h, w, 3) of one view, likeliest first, and a mask (h, w) of the board in them."""

    known: Sequence[Image]
    board: Image

    @cached_property
    def _samples(self) -> Indices:
        """The indices of pixels that tell the light: some on the board, and a few of those around it."""
        raster = np.zeros_like(self.board)
        raster[::STRIDE, ::STRIDE] = self.board[::STRIDE, ::STRIDE]
        raster[:: 2 * STRIDE, :: 2 * STRIDE] = 1
        return np.flatnonzero(raster)

    @cached_property
    def _design(self) -> Singles:
        """The terms (samples, 6) of a smooth change of light, at the samples."""
        height, width = self.board.shape
        rows, columns = np.divmod(self._samples, width)
        return terms(np.column_stack((columns + 0.5, rows + 0.5)), (0, 0, width, height))

    @cached_property
    def _coarse(self) -> Singles:
        """The same terms (COARSE, COARSE, 6), all over the picture."""
        middles = (np.arange(COARSE) + 0.5) / COARSE
        return terms(np.stack(np.meshgrid(middles, middles), axis=-1), (0, 0, 1, 1))

    @cached_property
    def _known(self) -> list[Singles]:
        return [np.asarray(k, dtype=np.float32) for k in self.known]

    def lit(self, frame: Image) -> Iterator[Singles]:
        """Yields what each known frame would show (h, w, 3) in the smooth light of a frame (h, w, 3)."""
        height, width = self.board.shape
        seen = frame.reshape(-1, 3)[self._samples].astype(np.float32)
        for known in self._known:
            gain = fit_gain(seen, known.reshape(-1, 3)[self._samples], self._design, ROUNDS)
            factor = cv2.resize(np.exp(self._coarse @ gain), (width, height))
            yield np.asarray(np.clip(factor * (known + FLOOR) - FLOOR, 0, 255), dtype=np.float32)

    def expected(self, frame: Image, lit: Iterable[Singles] | None = None) -> Singles:
        """Returns what a frame (h, w, 3) would show without an occlusion, pixel by pixel the likeliest.

        `lit` is what `lit` yields, where that is known already.
        """
        best: Singles | None = None
        least: Singles | None = None
        seen = frame.astype(np.float32)
        for shown in self.lit(frame) if lit is None else lit:
            miss = np.asarray(cv2.blur(difference(seen, shown), (AROUND, AROUND)), np.float32)
            if best is None or least is None:
                best, least = shown, miss
                continue
            cv2.copyTo(shown, np.asarray(miss < least, np.uint8), best)
            np.minimum(least, miss, out=least)
        assert best is not None
        return best
