"""A picture as the locator sees it.

In goes a picture of any size; out come its colours at working size, the straight segments in it, and maps of
its edges by direction. Each is made when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import Floats, Image, Singles
from vision.geometry.lens import Lens

WORKING_SIZE = 1000
"""Pixels of the longer side: enough for a tenth of a pixel in the fit."""
SOFT = 0.8
"""The smoothing of colours and edge maps (standard deviation); pixels."""
SHORTEST = 40
"""A segment is longer than the picture's height divided by this."""
HUE_GAIN, HUE_MIDDLE, HUE_RANGE = 1.5, 128, 120
"""The scale and shift by which a hue (a* or b* of CIELAB) becomes a grey picture, and the least range of one
in which lines are looked for."""
DIRECTIONS = 8
"""Directions of the edge maps, over half a turn."""
EDGE_NEIGHBOURHOOD, EDGE_USUAL, EDGE_NOISE = (61, 61), 2, 1.0
"""The window that tells how strong edges usually are (pixels of a map); the multiple of its mean that counts
as full strength; and what is added to that, so that noise alone is faint."""
NEIGHBOURHOOD = (81, 81)
"""The window whose contrast is brought to CONTRAST: a cell or two; pixels."""
CONTRAST = 40.0
"""The contrast (standard deviation) of a picture whose contrast is normalised; grey levels."""
SMOOTH = 1.5
"""The smoothing before contrast is normalised (standard deviation); pixels."""
NOISE = 2.0
"""A webcam's noise that is left after SMOOTH; grey levels."""
NO_SEGMENTS: Floats = np.empty((0, 4))


@dataclass(frozen=True, eq=False)
class WorkingPicture:
    """One picture, scaled to working size and, where the lens is known, made straight.

    `colours` (h, w, 3) are lightly smoothed; `factor` takes the picture's own size to the working size;
    `lens` is that of the working size; `whole` is the picture's own width and height.
    """

    colours: Singles
    factor: float
    lens: Lens | None
    whole: tuple[int, int]

    @classmethod
    def of(cls, image: Image, lens: Lens | None = None) -> WorkingPicture:
        """Prepares a colour (h, w, 3; blue, green, red) or grey picture (h, w) of any size."""
        colour = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)) if image.ndim == 2 else image
        factor = min(1.0, WORKING_SIZE / max(image.shape[:2]))
        if factor < 1:
            colour = cv2.resize(colour, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        lens = lens.scaled(factor) if lens else None
        if lens:
            colour = cv2.undistort(colour, lens.matrix, lens.coefficients)
        return cls(
            cv2.GaussianBlur(colour, (0, 0), SOFT).astype(np.float32),
            factor,
            lens,
            (image.shape[1], image.shape[0]),
        )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height at working size."""
        return self.colours.shape[1], self.colours.shape[0]

    @cached_property
    def grey(self) -> Image:
        """The lightness (h, w)."""
        return np.asarray(cv2.cvtColor(self.colours, cv2.COLOR_BGR2GRAY)).round().astype(np.uint8)

    @cached_property
    def segments(self) -> Floats:
        """The straight segments (n, 4: x0, y0, x1, y1; pixels), longer than a fortieth of the picture's
        height.

        They are found in the lightness and, where fields differ in hue alone, in the two hues.
        """
        return self._segments(self._layers())

    @cached_property
    def faint_segments(self) -> Floats:
        """The segments (n, 4) in the lightness with its local contrast normalised: the lines of dim, dark and
        glaring boards too, and more that are none."""
        return self._segments([_normalised(self.grey)])

    def _segments(self, layers: Sequence[Image]) -> Floats:
        detector = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD)
        found = [f for f in (detector.detect(layer)[0] for layer in layers) if f is not None]
        segments = np.concatenate([np.asarray(f, dtype=float).reshape(-1, 4) for f in found] or [NO_SEGMENTS])
        lengths = np.linalg.norm(segments[:, 2:] - segments[:, :2], axis=1)
        return np.asarray(segments[lengths > self.size[1] / SHORTEST], dtype=float)

    def _layers(self) -> list[Image]:
        """Returns the grey pictures in which segments are looked for."""
        lab = cv2.cvtColor(self.colours / 255, cv2.COLOR_BGR2LAB)
        hues = [cv2.convertScaleAbs(lab[..., i], alpha=HUE_GAIN, beta=HUE_MIDDLE) for i in (1, 2)]
        return [self.grey, *(np.asarray(h, dtype=np.uint8) for h in hues if float(np.ptp(h)) > HUE_RANGE)]

    @cached_property
    def edges(self) -> Singles:
        """The strength of edges (DIRECTIONS, h/2, w/2), 0…1, by the direction of their normal.

        Strength is relative to the neighbourhood's, so that faint lines in a shadow count as others do.
        """
        small = cv2.resize(self.colours, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        grey = small.max(axis=2)
        dx, dy = (np.asarray(cv2.Scharr(grey, cv2.CV_32F, *d)) / 32 for d in ((1, 0), (0, 1)))
        strength = np.hypot(dx, dy)
        usual = cv2.blur(strength, EDGE_NEIGHBOURHOOD) * EDGE_USUAL + EDGE_NOISE
        strength = np.minimum(strength / usual, 1.0).astype(np.float32)
        turn = ((np.arctan2(dy, dx) % np.pi) / np.pi * DIRECTIONS).astype(np.float32)
        return np.stack([self._direction(strength, turn, k) for k in range(DIRECTIONS)])

    @staticmethod
    def _direction(strength: Singles, turn: Singles, k: int) -> Singles:
        """Returns the map of one direction: edges whose normal turns by about `k`, each a pixel broader."""
        apart = np.abs(turn - k)
        near = np.maximum(0, 1 - np.minimum(apart, DIRECTIONS - apart))
        spread = cv2.dilate((strength * near).astype(np.float32), np.ones((3, 3), np.uint8))
        return np.asarray(cv2.GaussianBlur(spread, (0, 0), SOFT), dtype=np.float32)


def _normalised(grey: Image) -> Image:
    """Returns a picture in which light and contrast are alike everywhere, its noise smoothed away first."""
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), SMOOTH)
    above = smooth - cv2.blur(smooth, NEIGHBOURHOOD)
    variance = np.maximum(cv2.blur(above * above, NEIGHBOURHOOD), 0)  # running sums may end below nought
    spread = np.sqrt(variance)
    return np.clip(128 + CONTRAST * above / (spread + NOISE), 0, 255).astype(np.uint8)
