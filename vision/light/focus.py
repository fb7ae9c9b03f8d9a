"""Focus: how much softer a frame is than the picture that is known, and sharpening it as much.

Glass that is fogged, a lens that was touched, a picture scaled up or compressed by the way: fine detail is
fainter than when the board was learned. A blur that is known can be undone as far as noise allows (Wiener).
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Singles = npt.NDArray[np.float32]

SIGMAS = np.arange(0.0, 3.6, 0.25)
"""The blurs that are told from each other; pixels."""
SLIGHT = 0.8
"""Blurs under this are none; pixels."""
NOISE = 0.02
"""The power of noise beside that of the picture, in each direction."""
TAPS = 31


def blurs(grey: Image) -> list[Image]:
    """The picture (h, w) with each of the blurs."""
    soft = [cv2.GaussianBlur(grey, (0, 0), sigma) if sigma else grey for sigma in SIGMAS]
    return [np.asarray(image, dtype=np.uint8) for image in soft]


def softness(patches: Singles, known: Singles) -> float:
    """The blur (pixels) by which patches (n, pixels) differ from known ones, given at all blurs
    (n, SIGMAS, pixels); 0 where they hardly do."""
    if not len(patches):
        return 0.0
    likeness = np.einsum("np,nsp->s", _even(patches), _even(known))
    sigma = float(SIGMAS[int(likeness.argmax())])
    return sigma if sigma >= SLIGHT else 0.0


def _even(patches: Singles) -> Singles:
    """Whatever their lightness and contrast."""
    level = patches - patches.mean(axis=-1, keepdims=True)
    return np.asarray(level / np.maximum(np.linalg.norm(level, axis=-1, keepdims=True), 1e-3))


def sharpened(image: Image, sigma: float) -> Image:
    """The picture with a blur undone."""
    if not sigma:
        return image
    kernel = _inverse(sigma)
    return np.asarray(cv2.sepFilter2D(image, -1, kernel, kernel), dtype=np.uint8)


@lru_cache(maxsize=len(SIGMAS))
def _inverse(sigma: float) -> Singles:
    """(TAPS): the filter that undoes a blur in one direction."""
    frequencies = np.fft.fftfreq(8 * TAPS)
    blur = np.exp(-2 * (np.pi * frequencies * sigma) ** 2)
    whole = np.fft.ifft(blur * (1 + NOISE) / (blur**2 + NOISE)).real
    kernel = np.roll(whole, TAPS // 2)[:TAPS] * np.hanning(TAPS + 2)[1:-1] ** 0.5
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)
