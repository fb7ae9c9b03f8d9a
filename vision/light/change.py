"""Tells whether a frame shows anything else than a known one, in a millisecond or two.

In goes a small copy of each frame; out comes whether it is to be read again (`vision.attention` asks).
Colours are averaged over parts of a field: noise averages out, a small piece does not. The whole picture may
be a little lighter or darker; more light than that is a change too. `python -m benchmarks costs` measures
what this costs, and `tests/vision/test_attention.py` holds the limits to what must be noticed and what must
not.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Image
from vision.geometry.view import View

PART = 0.25
"""Steps over which differences are averaged: about the size of the smallest pieces and markers."""
DIFFERENT = 8
"""Grey levels by which a piece, or a camera that was pushed, changes at least one part. Compressed videos of
a board at rest stay below."""
LIGHTER = 2.0
"""Grey levels by which all of a picture may change before the light counts as changed."""
AROUND = 2.0
"""Steps around the board that are compared too: heads of pieces, and hands on their way."""
SPARSE = 4
"""Pixels of a small copy from one sample of its lightness to the next."""


class ChangeWatch:
    """Compares small copies of frames, all of one view, with the one that was kept last."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._kept: Image | None = None
        self._size = 0

    def keep(self, small: Image) -> None:
        """Keeps a frame (h, w, 3), with which the others are compared from now on."""
        self._kept = self._part(small).copy()
        step = self._view.step_pixels(self._view.middle) * small.shape[1] / self._view.size[0]
        self._size = max(3, 2 * round(PART * step / 2) + 1)

    def changed(self, small: Image) -> bool:
        """Returns whether a frame (h, w, 3) shows anything else than the kept one; True where none was
        kept."""
        now = self._part(small)
        if self._kept is None or now.shape != self._kept.shape:
            return True
        differences = cv2.subtract(now, self._kept, dtype=cv2.CV_16S)
        parts = cv2.blur(differences, (self._size, self._size))
        light = np.median(parts[::SPARSE, ::SPARSE].reshape(-1, 3), axis=0)
        if np.abs(light).max() > LIGHTER:
            return True
        alike = cv2.inRange(parts, light - DIFFERENT, light + DIFFERENT)
        return cv2.countNonZero(alike) < alike.size

    def _part(self, small: Image) -> Image:
        """Returns the part of a small copy that shows the board and what lies around it."""
        height, width = small.shape[:2]
        corners = self._view.pixels(self._view.corners(AROUND)) * width / self._view.size[0]
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        part = small[max(0, int(top)) : int(min(height, bottom)), max(0, int(left)) : int(min(width, right))]
        return part if part.size else small
