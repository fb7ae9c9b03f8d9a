"""Points of a picture, read many at a time."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]


class SampleMap:
    """Pixel points (n, 2), prepared for reading any number of pictures."""

    def __init__(self, pixels: Floats) -> None:
        width = 1024  # rows, since `remap` takes no side over 32767
        padded = np.zeros((max(1, -(-len(pixels) // width)) * width, 2), np.float32)
        padded[: len(pixels)] = np.clip(pixels, -9e3, 9e3)
        x, y = padded[:, 0].reshape(-1, width), padded[:, 1].reshape(-1, width)
        self._count = len(pixels)
        self._maps = cv2.convertMaps(x, y, cv2.CV_16SC2)

    def read_labels(self, canvas: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
        """(n): the nearest pixel's label."""
        read = cv2.remap(canvas, *self._maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(read, dtype=np.uint16).reshape(-1)[: self._count]

    def read(self, image: Image) -> Singles:
        """(n, channels), in the picture's own values; past its border as at the border."""
        channels = image.shape[2] if image.ndim == 3 else 1
        if not self._count:
            return np.empty((0, channels), np.float32)
        read = cv2.remap(image, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(read.reshape(-1, channels)[: self._count], dtype=np.float32)
