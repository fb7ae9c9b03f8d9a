"""Traces written: of bytes, and of what a source of frames delivers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import cv2

from companion.sensing.trace import FILE, FORMAT
from vision.sources.source import CameraFrame, Source

QUALITY = 95
"""JPEG's quality of recorded pictures, 0…100: high enough that they are read as the frames were."""


class TraceWriter:
    """Writes a trace into a folder, which is made where there is none; each moment is on disk at once."""

    def __init__(self, folder: str | Path, source: str) -> None:
        self.folder = Path(folder)
        self._start: float | None = None
        self._pictures = 0
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file = (self.folder / FILE).open("x", encoding="utf-8")
        self._write({"format": FORMAT, "source": source})

    def picture(self, time: float, encoded: bytes) -> None:
        """Writes a picture as the bytes of a JPEG file."""
        name = f"{self._pictures:06}.jpg"
        (self.folder / name).write_bytes(encoded)
        self._pictures += 1
        self._write({"time": self._since(time), "picture": name})

    def data(self, time: float, data: bytes) -> None:
        """Writes bytes as they came from a wire."""
        self._write({"time": self._since(time), "bytes": data.hex()})

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> TraceWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _since(self, time: float) -> float:
        if self._start is None:
            self._start = time
        return round(time - self._start, 6)

    def _write(self, line: Mapping[str, object]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


class Recorder:
    """A source that writes the frames of another one to a trace as it delivers them."""

    def __init__(self, source: Source, trace: TraceWriter) -> None:
        self.name, self.live = source.name, source.live
        self._source, self._trace = source, trace

    def read(self) -> CameraFrame | None:
        frame = self._source.read()
        if frame is not None:
            _, encoded = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            self._trace.picture(frame.time, encoded.tobytes())
        return frame

    def close(self) -> None:
        self._source.close()
        self._trace.close()
