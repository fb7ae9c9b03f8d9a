"""Videos and folders of pictures as sources. They deliver as fast as they are read, with the file's times."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.sources import SourceError
from vision.sources.source import Frame, Image

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
USUAL_RATE = 25.0
HOLD = 1.0  # seconds that each picture of a folder stands for


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
        self.rate = rate if 0.1 < rate < 1000 else USUAL_RATE
        if self._next is None:
            raise SourceError(f"cannot read video '{path}': it is no video, or of a kind not known here")

    def read(self) -> Frame | None:
        image = self._next
        if image is None:
            return None
        self._next, index = self._grab(), self._index
        self._index += 1
        return Frame(index / self.rate, image, index, f"{self._path}#{index}")

    def close(self) -> None:
        self._device.release()

    def _grab(self) -> Image | None:
        try:
            ok, image = self._device.read()
        except cv2.error:
            return None
        return np.asarray(image, dtype=np.uint8) if ok else None


class Folder:
    """Pictures in the order of their names, each a moment that held."""

    live = False

    def __init__(self, name: str, pictures: Sequence[Path]) -> None:
        self.name = name
        self._pictures, self._index = list(pictures), 0

    def read(self) -> Frame | None:
        if self._index >= len(self._pictures):
            return None
        index, path = self._index, self._pictures[self._index]
        self._index += 1
        return Frame(index * HOLD, read_picture(path), index, path.name, still=True)

    def close(self) -> None:
        self._pictures = []


def open_video(path: str) -> Video:
    """SourceError when there is no such file, or it cannot be read as a video."""
    return Video(path)


def open_folder(path: str) -> Folder:
    """SourceError when there is no such folder or no picture in it."""
    if not path:
        raise SourceError("a folder needs its path: write folder:DIR")
    if not Path(path).is_dir():
        raise SourceError(f"cannot read folder '{path}': there is no such folder")
    pictures = sorted(p for p in Path(path).iterdir() if p.suffix.lower() in SUFFIXES and p.is_file())
    if not pictures:
        raise SourceError(f"folder '{path}' holds no pictures (jpg, png, bmp, webp or tif)")
    return Folder(f"folder:{path}", pictures)


def read_picture(path: Path) -> Image:
    """A picture (h, w, 3; BGR). SourceError when the file cannot be read as one."""
    try:
        data = np.fromfile(path, dtype=np.uint8)
    except OSError as error:
        raise SourceError(f"cannot read picture '{path}': {error.strerror}") from error
    try:
        return decoded(data)
    except ValueError as error:
        raise SourceError(f"cannot read picture '{path}': {error}") from error


def decoded(data: bytes | npt.NDArray[np.uint8]) -> Image:
    """The picture that a file's bytes hold. ValueError in words when they hold none."""
    with quiet_opencv():
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if len(data) else None
        except (cv2.error, MemoryError) as error:
            raise ValueError("it is damaged, or larger than can be read") from error
    if image is None:
        raise ValueError("it is no picture, or it is damaged")
    return np.asarray(image, dtype=np.uint8)


@contextmanager
def quiet_opencv() -> Iterator[None]:
    """Without OpenCV's own messages: what went wrong is told once, in our words."""
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)
