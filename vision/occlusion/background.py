"""The background model: what a frame would show were there nothing but what is known.

Known frames (small copies, without a hand) are brought into the light of the frame, and of each pixel that
one counts which is nearest to what is seen around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.light.gain import FLOOR, fit_gain, terms

Image = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]
STRIDE = 4
"""Of so many pixels one tells the light, in each direction."""
COARSE = 32
"""Points, in each direction, at which a smooth change of light is computed."""
AROUND = 5
"""Side of the window in which known frames are compared with the frame; pixels."""


@dataclass(frozen=True, eq=False)
class Background:
    """Known frames (h, w, 3) of one view, likeliest first, and where the board lies in them (h, w)."""

    known: Sequence[Image]
    board: Image

    @cached_property
    def _samples(self) -> npt.NDArray[np.intp]:
        """The pixels that tell the light: some of those on the board, and a few of those around it."""
        raster = np.zeros_like(self.board)
        raster[::STRIDE, ::STRIDE] = self.board[::STRIDE, ::STRIDE]
        raster[:: 2 * STRIDE, :: 2 * STRIDE] = 1
        return np.flatnonzero(raster)

    @cached_property
    def _design(self) -> Singles:
        """The terms (samples, 6) of a smooth change of light."""
        height, width = self.board.shape
        rows, columns = np.divmod(self._samples, width)
        return terms(np.column_stack((columns + 0.5, rows + 0.5)), (0, 0, width, height))

    @cached_property
    def _coarse(self) -> Singles:
        """The terms (COARSE, COARSE, 6) all over the picture."""
        middles = (np.arange(COARSE) + 0.5) / COARSE
        return terms(np.stack(np.meshgrid(middles, middles), axis=-1), (0, 0, 1, 1))

    @cached_property
    def _known(self) -> list[Singles]:
        return [np.asarray(k, dtype=np.float32) for k in self.known]

    def lit(self, frame: Image) -> Iterator[Singles]:
        """What each known frame would show (h, w, 3) in the smooth light of a frame."""
        height, width = self.board.shape
        seen = frame.reshape(-1, 3)[self._samples].astype(np.float32)
        for known in self._known:
            gain = fit_gain(seen, known.reshape(-1, 3)[self._samples], self._design, rounds=5)
            factor = cv2.resize(np.exp(self._coarse @ gain), (width, height))
            yield np.asarray(np.clip(factor * (known + FLOOR) - FLOOR, 0, 255), dtype=np.float32)

    def expected(self, frame: Image) -> Singles:
        """What the frame would show (h, w, 3) without an occlusion."""
        best: Singles | None = None
        least: Singles | None = None
        seen = frame.astype(np.float32)
        for shown in self.lit(frame):
            miss = cv2.blur(cv2.absdiff(seen, shown).max(axis=2), (AROUND, AROUND))
            if best is None or least is None:
                best, least = shown, np.asarray(miss, np.float32)
                continue
            nearer = miss < least
            best[nearer] = shown[nearer]
            np.minimum(least, miss, out=least)
        assert best is not None
        return best
