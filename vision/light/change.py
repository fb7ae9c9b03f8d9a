"""Whether a frame shows anything else than a known one, for a millisecond or two.

Small copies are compared. What is noise alone averages out over a part of a field; a small piece does not.
The whole picture may be a little lighter or darker: a bit of light is no change, more of it is.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.view import View

Image = npt.NDArray[np.uint8]
PART = 0.25
"""Steps over which differences are averaged: about as far as the smallest pieces and markers reach."""
DIFFERENT = 8
"""Grey levels by which a piece, or a camera that was pushed, changes some part at least. Compressed videos
of a board at rest stay below."""
LIGHTER = 2.0
"""Grey levels by which all of a picture may change before the light counts as another one."""
AROUND = 2.0
"""Steps around the board that are looked at, too: heads of pieces, and hands on their way."""
SPARSE = 4
"""Every so many pixels of a small copy tell how much lighter it is."""


class ChangeWatch:
    """Compares small copies of frames, all of one view, with the one that was kept."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._kept: Image | None = None
        self._size = 0

    def keep(self, small: Image) -> None:
        """The frame that others are compared with from now on."""
        self._kept = self._part(small).copy()
        step = self._view.step_pixels(_middle(self._view)) * small.shape[1] / self._view.size[0]
        self._size = max(3, 2 * round(PART * step / 2) + 1)

    def changed(self, small: Image) -> bool:
        """Whether a frame shows anything else than the one that was kept; True where none was."""
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
        """The board and what lies around it."""
        height, width = small.shape[:2]
        x0, y0, x1, y1 = self._view.extent
        x0, y0, x1, y1 = x0 - AROUND, y0 - AROUND, x1 + AROUND, y1 + AROUND
        corners = self._view.pixels([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]) * width / self._view.size[0]
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        part = small[max(0, int(top)) : int(min(height, bottom)), max(0, int(left)) : int(min(width, right))]
        return part if part.size else small


def _middle(view: View) -> tuple[float, float]:
    x0, y0, x1, y1 = view.extent
    return (x0 + x1) / 2, (y0 + y1) / 2
