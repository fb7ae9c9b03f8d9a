"""Videos and folders of pictures as sources, and pictures read from files.

These sources deliver as fast as they are read; their frames have the file's own times.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.sensing.sources import SourceError
from vision.arrays import Image
from vision.sources.source import CameraFrame, SourceLostError

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
"""The endings of files that are pictures."""
RATES = (0.1, 1000.0)
"""Frames a second between which the rate that a video's file names is believed."""
USUAL_RATE = 25.0
"""The rate of a video whose file names none."""
MOST_PIXELS = 50_000_000
"""Pixels of the largest picture that is decoded: a small file may hold one that no memory has room for."""
KINDS = ("BMP", "JPEG", "PNG", "PPM", "TIFF", "WEBP")
"""The kinds of pictures that are read, as Pillow names them."""
TOO_LARGE = f"it has more than {MOST_PIXELS // 1_000_000} megapixels: make it smaller"
SILENT = 0
LOGGING: Any = getattr(cv2.utils, "logging", cv2)
"""Where OpenCV has its `setLogLevel`: version 4 elsewhere than version 5."""
HOLD = 1.0
"""Seconds that each picture of a folder stands for."""


class Video:
    """A video file."""

    live = False

    def __init__(self, path: str) -> None:
        self.name = f"video:{path}"
        self._path, self._index = path, 0
        if not path:
            raise SourceError("a video needs its file: write video:FILE")
        if not Path(path).is_file():
            raise SourceError(f"cannot read video '{path}': there is no such file")
        with quiet_opencv():
            self._device = cv2.VideoCapture(path)
            self._next = self._grab()
        rate = self._device.get(cv2.CAP_PROP_FPS)
        self.rate = rate if RATES[0] < rate < RATES[1] else USUAL_RATE
        if self._next is None:
            raise SourceError(f"cannot read video '{path}': it is no video, or of a kind not known here")

    def read(self) -> CameraFrame | None:
        image = self._next
        if image is None:
            return None
        self._next, index = self._grab(), self._index
        self._index += 1
        return CameraFrame(index / self.rate, image, index, f"{self._path}#{index}")

    def close(self) -> None:
        self._device.release()

    def _grab(self) -> Image | None:
        try:
            ok, image = self._device.read()
        except cv2.error:
            return None
        return np.asarray(image, dtype=np.uint8) if ok else None


class Folder:
    """A folder of pictures, in the order of their names; each is a moment that held."""

    live = False

    def __init__(self, name: str, pictures: Sequence[Path]) -> None:
        self.name = name
        self._pictures, self._index = list(pictures), 0

    def read(self) -> CameraFrame | None:
        if self._index >= len(self._pictures):
            return None
        index, path = self._index, self._pictures[self._index]
        self._index += 1
        try:
            picture = read_picture(path)
        except SourceError as error:
            if path.exists():
                raise
            raise SourceLostError(str(error)) from error  # a stick that was pulled out may come back
        return CameraFrame(index * HOLD, picture, index, path.name, still=True)

    def close(self) -> None:
        self._pictures = []


def open_video(path: str) -> Video:
    """Opens a video. SourceError when there is no such file, or it cannot be read as a video."""
    return Video(path)


def open_folder(path: str) -> Folder:
    """Opens a folder. SourceError when there is no such folder or no picture in it."""
    if not path:
        raise SourceError("a folder needs its path: write folder:DIR")
    if not Path(path).is_dir():
        raise SourceError(f"cannot read folder '{path}': there is no such folder")
    pictures = sorted(p for p in Path(path).iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
    if not pictures:
        raise SourceError(f"folder '{path}' holds no pictures (jpg, png, bmp, webp or tif)")
    return Folder(f"folder:{path}", pictures)


def read_picture(path: Path) -> Image:
    """Returns the picture (h, w, 3; blue, green, red) of a file. SourceError when it cannot be read as
    one."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot read picture '{path}': {error.strerror}") from error
    try:
        return decoded(data)
    except ValueError as error:
        raise SourceError(f"cannot read picture '{path}': {error}") from error


def count_pixels(data: bytes) -> int:
    """Returns how many pixels a picture's file says it has; nothing is decoded. ValueError in words where it
    is no picture, or too large to be one."""
    from PIL import Image as Pillow  # slow to load; a virtual table does without

    with warnings.catch_warnings():
        warnings.simplefilter("error", Pillow.DecompressionBombWarning)
        try:
            with Pillow.open(io.BytesIO(data), formats=KINDS) as picture:
                return picture.width * picture.height
        except (Pillow.DecompressionBombWarning, Pillow.DecompressionBombError) as error:
            raise ValueError(TOO_LARGE) from error
        except Exception as error:  # its readers fail in many ways
            raise ValueError("it is no picture, or it is damaged") from error


def decoded(data: bytes) -> Image:
    """Returns the picture (h, w, 3) that a file's bytes hold. ValueError in words when they hold none, or one
    that is too large."""
    if count_pixels(data) > MOST_PIXELS:
        raise ValueError(TOO_LARGE)
    with quiet_opencv():
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except (cv2.error, MemoryError) as error:
            raise ValueError("it is damaged, or larger than can be read") from error
    if image is None:
        raise ValueError("it is no picture, or it is damaged")
    return np.asarray(image, dtype=np.uint8)


@contextmanager
def quiet_opencv() -> Iterator[None]:
    """Silences OpenCV's own messages: what went wrong is told once, in our words."""
    level = LOGGING.setLogLevel(SILENT)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    try:
        yield
    finally:
        LOGGING.setLogLevel(level)
