"""Frames as JPEG, each encoded once, however many displays ask for it."""

from __future__ import annotations

import threading
from typing import Protocol

import cv2

from vision.arrays import Image

QUALITY = 82


class Picture(Protocol):
    """Anything that holds a picture."""

    @property
    def image(self) -> Image:
        """The picture (h, w, 3; BGR)."""


class Pictures:
    """Encodes frames, and keeps the JPEG of the newest one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: Picture | None = None
        self._jpeg: bytes | None = None

    def jpeg(self, frame: Picture | None) -> bytes | None:
        """Returns the frame as JPEG; None for no frame."""
        with self._lock:
            if frame is not self._frame:
                self._frame, self._jpeg = frame, None
            if self._jpeg is None and frame is not None:
                done, data = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
                self._jpeg = data.tobytes() if done else None
            return self._jpeg
