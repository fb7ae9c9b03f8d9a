"""Reads many points of a picture at once, their colours or labels; makes smaller and grey copies of it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Image, Labels, Singles


class SampleMap:
    """Points (n, 2) in pixels, prepared to be read in any number of pictures."""

    def __init__(self, pixels: Floats) -> None:
        width = 1024  # the points stand in rows, since `remap` takes no side over 32767
        padded = np.zeros((max(1, -(-len(pixels) // width)) * width, 2), np.float32)
        padded[: len(pixels)] = np.clip(pixels, -9e3, 9e3)
        x, y = padded[:, 0].reshape(-1, width), padded[:, 1].reshape(-1, width)
        self._count = len(pixels)
        self._maps = cv2.convertMaps(x, y, cv2.CV_16SC2)

    def read_labels(self, canvas: Labels) -> Labels:
        """Returns the labels (n) of the nearest pixels of a canvas (h, w)."""
        read = cv2.remap(canvas, *self._maps, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(read, dtype=np.uint16).reshape(-1)[: self._count]

    def read(self, image: Image) -> Singles:
        """Returns the colours (n, channels) at the points, in the picture's values; past its border as at
        it."""
        channels = image.shape[2] if image.ndim == 3 else 1
        if not self._count:
            return np.empty((0, channels), np.float32)
        read = cv2.remap(image, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(read.reshape(-1, channels)[: self._count], dtype=np.float32)


def reduced(image: Image, size: tuple[int, int]) -> Image:
    """Returns a smaller copy of a picture, of this width and height. It is halved as often as can be, which
    costs a tenth of what other factors cost."""
    while image.shape[1] >= 2 * size[0] and image.shape[0] >= 2 * size[1]:
        half = image.shape[1] // 2, image.shape[0] // 2
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def greyed(image: Image) -> Image:
    """Returns a picture without its colours; one that has none as it is."""
    return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
