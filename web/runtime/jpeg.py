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
    """Encodes frames, and keeps the JPEG of the newest one, whole and small."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: Picture | None = None
        self._jpegs: dict[bool, bytes | None] = {}

    def jpeg(self, frame: Picture | None, is_small: bool = False) -> bytes | None:
        """Returns the frame as JPEG; None for no frame."""
        with self._lock:
            if frame is not self._frame:
                self._frame, self._jpegs = frame, {}
            if is_small not in self._jpegs and frame is not None:
                scale = SMALL_SIDE / max(frame.image.shape[:2]) if is_small else 1.0
                self._jpegs[is_small] = _encode(scaled(frame.image, scale))
            return self._jpegs.get(is_small)


def _encode(image: Image) -> bytes | None:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes() if done else None
