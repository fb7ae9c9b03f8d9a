"""Frames as JPEG, each encoded once, however many displays ask for it."""

from __future__ import annotations

import threading
from typing import Protocol

import cv2

from vision.arrays import Image
from vision.calibration.calibrate import scaled

QUALITY = 82
SMALL_SIDE = 480
"""Pixels of a small picture's longer side."""


class Picture(Protocol):
    """Anything that holds a picture."""

    @property
    def image(self) -> Image:
        """The picture (h, w, 3; BGR)."""


class Pictures:
    """Encodes pictures, and keeps the JPEG of the newest one, whole and small."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._image: Image | None = None
        self._jpegs: dict[bool, bytes | None] = {}

    def jpeg(self, image: Image | None, is_small: bool = False) -> bytes | None:
        """Returns a picture as JPEG; None for none."""
        with self._lock:
            if image is not self._image:
                self._image, self._jpegs = image, {}
            if is_small not in self._jpegs and image is not None:
                scale = SMALL_SIDE / max(image.shape[:2]) if is_small else 1.0
                self._jpegs[is_small] = _encode(scaled(image, scale))
            return self._jpegs.get(is_small)


def _encode(image: Image) -> bytes | None:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if done else None
