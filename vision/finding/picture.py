"""A picture as the locator sees it: colours at working size, straight segments, and edges by direction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.lens import Lens
from vision.geometry.view import Floats, Image

WORKING_SIZE = 1000  # pixels of the longer side: enough for a tenth of a pixel in the fit
DIRECTIONS = 8  # of the edge maps, over half a turn
NEIGHBOURHOOD = (81, 81)  # pixels: a cell or two, whose contrast is brought to CONTRAST grey levels
CONTRAST = 40.0
SMOOTH = 1.5  # pixels
NOISE = 2.0  # grey levels of a webcam's noise that are left after SMOOTH
Singles = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture, scaled to working size and, where the lens is known, made straight."""

    colours: Singles  # (height, width, 3), lightly smoothed
    factor: float  # working size to the picture's own
    lens: Lens | None  # at working size
    whole: tuple[int, int]  # its own width and height

    @classmethod
    def of(cls, image: Image, lens: Lens | None = None) -> Picture:
        """From a colour (BGR) or grey picture of any size."""
        colour = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)) if image.ndim == 2 else image
        factor = min(1.0, WORKING_SIZE / max(image.shape[:2]))
        if factor < 1:
            colour = cv2.resize(colour, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        lens = lens.scaled(factor) if lens else None
        if lens:
            colour = cv2.undistort(colour, lens.matrix, lens.coefficients)
        return cls(cv2.GaussianBlur(colour, (0, 0), 0.8).astype(np.float32), factor, lens,
                   (image.shape[1], image.shape[0]))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height at working size."""
        return self.colours.shape[1], self.colours.shape[0]

    @cached_property
    def grey(self) -> Image:
        return np.asarray(cv2.cvtColor(self.colours, cv2.COLOR_BGR2GRAY)).round().astype(np.uint8)

    @cached_property
    def segments(self) -> Floats:
        """(n, 4) straight segments x0, y0, x1, y1, longer than a fortieth of the picture's height.

        Found in the lightness and, where fields differ in hue alone, in the two hues.
        """
        return self._segments(self._layers())

    @cached_property
    def faint_segments(self) -> Floats:
        """(n, 4) the same in the lightness with its local contrast normalised: the lines of dim, dark and
        glaring boards too, and more that are none."""
        return self._segments([_normalised(self.grey)])

    def _segments(self, layers: Sequence[Image]) -> Floats:
        detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD)
        found = [f for f in (detector.detect(layer)[0] for layer in layers) if f is not None]
        segments = np.concatenate([np.asarray(f, dtype=float).reshape(-1, 4) for f in found] or [EMPTY])
        lengths = np.linalg.norm(segments[:, 2:] - segments[:, :2], axis=1)
        return np.asarray(segments[lengths > self.size[1] / 40], dtype=float)

    def _layers(self) -> list[Image]:
        lab = cv2.cvtColor(self.colours / 255, cv2.COLOR_BGR2LAB)
        hues = [cv2.convertScaleAbs(lab[..., i], alpha=1.5, beta=128) for i in (1, 2)]
        return [self.grey, *(np.asarray(h, dtype=np.uint8) for h in hues if float(np.ptp(h)) > 120)]

    @cached_property
    def edges(self) -> Singles:
        """(DIRECTIONS, h/2, w/2): strength of edges, 0 to 1, by the direction of their normal.

        Strength is relative to the neighbourhood's, so that faint lines in a shadow count as others do.
        """
        small = cv2.resize(self.colours, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        grey = small.max(axis=2)
        dx, dy = (np.asarray(cv2.Scharr(grey, cv2.CV_32F, *d)) / 32 for d in ((1, 0), (0, 1)))
        strength = np.hypot(dx, dy)
        usual = cv2.blur(strength, (61, 61)) * 2 + 1.0
        strength = np.minimum(strength / usual, 1.0).astype(np.float32)
        turn = ((np.arctan2(dy, dx) % np.pi) / np.pi * DIRECTIONS).astype(np.float32)
        return np.stack([self._direction(strength, turn, k) for k in range(DIRECTIONS)])

    @staticmethod
    def _direction(strength: Singles, turn: Singles, k: int) -> Singles:
        apart = np.abs(turn - k)
        near = np.maximum(0, 1 - np.minimum(apart, DIRECTIONS - apart))
        spread = cv2.dilate((strength * near).astype(np.float32), np.ones((3, 3), np.uint8))
        return np.asarray(cv2.GaussianBlur(spread, (0, 0), 0.8), dtype=np.float32)


def _normalised(grey: Image) -> Image:
    """A picture in which light and contrast are everywhere alike, noise smoothed away first."""
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), SMOOTH)
    above = smooth - cv2.blur(smooth, NEIGHBOURHOOD)
    variance = np.maximum(cv2.blur(above * above, NEIGHBOURHOOD), 0)  # running sums may end below nought
    spread = np.sqrt(variance)
    return np.clip(128 + CONTRAST * above / (spread + NOISE), 0, 255).astype(np.uint8)


EMPTY: Floats = np.empty((0, 4))
