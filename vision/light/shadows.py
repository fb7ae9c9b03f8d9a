"""Shadows: where the light on a frame differs from the smooth light that was fitted to it.

In go a frame and pictures of what it would show in smooth light; out comes the logarithm of the light's
factor for each pixel, by which `without_shadows` evens the frame before solids are compared with it. A shadow
darkens the board and lets its lines and letters through; a hand or a piece does not. So the frame is compared
with what is expected in a small window around each pixel: where the two agree but for one factor, which
scales mean and contrast alike, the factor is the light's. In between it is taken from what lies around; at
the edge of a shadow it may be anything between the light on both sides. `python -m benchmarks robustness` has
shadows.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from vision.arrays import Image, Singles
from vision.light.gain import FLOOR

WINDOW = 1.2
"""The side of the windows that are compared; cells."""
SPREAD = 0.6
"""The reach within which the light of a pixel tells that of its neighbours (standard deviation); cells."""
LINED = 3.0
"""The least contrast of a window that can be compared (standard deviation); grey levels."""
ALIKE = 0.6
"""The least correlation of windows that show the same thing."""
HONEST = 0.3
"""Logarithm by which the factors of mean and contrast may differ: a veil changes one without the other."""
DARKEST, LIGHTEST = -1.2, 0.6
"""Logarithms between which a factor is the light's."""
SLIGHT = 0.06
"""Logarithm under which a difference of light is none."""
UNSURE = 0.02
"""The weight of no shadow, beside the trust in windows around a pixel, 0…1."""
SHARP = 3
"""The side of the windows that tell where the edge of a shadow runs; pixels."""


def find_shadows(frame: Image, expected: Iterable[Singles], cell: float) -> Singles | None:
    """Returns the log of the light's factor (h, w) on a frame (h, w, 3); None where it is 1 all over.

    `expected` yields grey pictures (h, w) of what the frame would show in smooth light, likeliest first;
    `cell` is the distance between neighbouring sites in pixels.
    """
    seen = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.float32)
    total, weight = np.zeros_like(seen), np.full_like(seen, UNSURE)
    sharp, best = np.zeros_like(seen), np.zeros_like(seen)
    sigma = SPREAD * cell
    for known in expected:
        log, trust = _factor(seen, known, cell)
        total += _blur(log * trust, sigma)
        weight += _blur(trust, sigma)
        np.copyto(sharp, _ratio(seen, known, SHARP), where=trust > best)
        best = np.maximum(best, trust)
        if np.abs(total / weight).max() < 2 * SLIGHT:
            return None
    broad = total / weight
    return _edged(broad, np.where(best > 0, sharp, broad), cell)


def _factor(seen: Singles, known: Singles, cell: float) -> tuple[Singles, Singles]:
    """Returns, for the window around each pixel, the log of the factor between both, and how sure it is,
    0…1."""
    side = 2 * round(WINDOW * cell / 2) + 1
    mean_seen, mean_known = _mean(seen, side), _mean(known, side)
    both = _mean(seen * known, side) - mean_seen * mean_known
    own = np.maximum(_mean(seen * seen, side) - mean_seen**2, 1.0)
    wanted = np.maximum(_mean(known * known, side) - mean_known**2, 1.0)
    log = np.log((mean_seen + FLOOR) / (mean_known + FLOOR))
    contrast = np.log(np.maximum(both / wanted, 1e-3))
    trust = np.clip((both / np.sqrt(own * wanted) - ALIKE) / (1 - ALIKE), 0, 1)
    good = (wanted > LINED**2) & (np.abs(contrast - log) < HONEST) & (log > DARKEST) & (log < LIGHTEST)
    return log.astype(np.float32), np.where(good, trust, 0).astype(np.float32)


def _edged(broad: Singles, sharp: Singles, cell: float) -> Singles:
    """Returns the light with its edges: what a pixel shows, within the light that there is around it."""
    kernel = np.ones((2 * round(0.5 * cell) + 1,) * 2, np.uint8)
    low, high = cv2.erode(broad, kernel), cv2.dilate(broad, kernel)
    light = np.clip(sharp, low, high)
    return np.asarray(np.where(np.abs(light) < SLIGHT, 0, light), dtype=np.float32)


def without_shadows(image: Image, shadows: Singles | None) -> Image:
    """Returns a picture of any size without the shadows, given as logs of factors (h, w) at any size."""
    if shadows is None:
        return image
    factor = cv2.resize(np.exp(-shadows), (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(image, cv2.merge([factor] * 3), dtype=cv2.CV_8U), dtype=np.uint8)


def _ratio(seen: Singles, known: Singles, side: int) -> Singles:
    return np.asarray(np.log((_mean(seen, side) + FLOOR) / (_mean(known, side) + FLOOR)), dtype=np.float32)


def _mean(values: Singles, side: int) -> Singles:
    return np.asarray(cv2.blur(values, (side, side)), dtype=np.float32)


def _blur(values: Singles, sigma: float) -> Singles:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma), dtype=np.float32)
