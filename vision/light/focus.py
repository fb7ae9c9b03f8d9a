"""Focus: tells how much softer a frame is than the picture that was learned, and sharpens it as much.

Fine detail is fainter than when the board was learned where glass is fogged, a lens was touched, or a picture
was scaled up or compressed. `vision.finding.board_motion` compares patches of the board with the learned ones
at several blurs; `vision.reading.reader` has the frame sharpened. A known blur can be undone as far as noise
allows (a Wiener filter). `python -m benchmarks robustness` measures what it gains on blurred pictures.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.arrays import Image, Singles

SIGMAS = np.arange(0.0, 3.6, 0.25)
"""The blurs that are told apart: standard deviations of a Gaussian; pixels."""
SLIGHT = 0.8
"""The least blur that counts as one: below it sharpening adds more noise than detail; pixels."""
NOISE = 0.02
"""The power of noise as a share of the picture's, in each direction: how far the Wiener filter dares to
go."""
TAPS = 31
"""The length of the sharpening filter, in each direction; pixels. Odd, and wide enough for the largest
blur."""


def blurs(grey: Image) -> list[Image]:
    """Returns a grey picture (h, w) once for each of SIGMAS, blurred by it."""
    soft = [cv2.GaussianBlur(grey, (0, 0), sigma) if sigma else grey for sigma in SIGMAS]
    return [np.asarray(image, dtype=np.uint8) for image in soft]


def softness(patches: Singles, known: Singles) -> float:
    """Returns the blur (pixels) of patches (n, pixels) beside known ones, given at all blurs
    (n, SIGMAS, pixels); 0 where they are hardly softer."""
    if not len(patches):
        return 0.0
    likeness = np.einsum("np,nsp->s", _even(patches), _even(known))
    sigma = float(SIGMAS[int(likeness.argmax())])
    return sigma if sigma >= SLIGHT else 0.0


def _even(patches: Singles) -> Singles:
    """Returns patches brought to the same lightness and contrast."""
    level = patches - patches.mean(axis=-1, keepdims=True)
    return np.asarray(level / np.maximum(np.linalg.norm(level, axis=-1, keepdims=True), 1e-3))


def sharpened(image: Image, sigma: float) -> Image:
    """Returns a picture (h, w, 3) with a blur (pixels) undone; the picture itself where that is 0."""
    if not sigma:
        return image
    kernel = _inverse(sigma)
    return np.asarray(cv2.sepFilter2D(image, -1, kernel, kernel), dtype=np.uint8)


@lru_cache(maxsize=len(SIGMAS))
def _inverse(sigma: float) -> Singles:
    """Returns the filter (TAPS) that undoes a blur in one direction: Wiener's, cut off smoothly at its
    ends."""
    frequencies = np.fft.fftfreq(8 * TAPS)
    blur = np.exp(-2 * (np.pi * frequencies * sigma) ** 2)
    whole = np.fft.ifft(blur * (1 + NOISE) / (blur**2 + NOISE)).real
    kernel = np.roll(whole, TAPS // 2)[:TAPS] * np.hanning(TAPS + 2)[1:-1] ** 0.5
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)
