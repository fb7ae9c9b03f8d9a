"""Frames to a trace and back."""

from __future__ import annotations

from collections.abc import Iterator

import cv2

from companion.sources import is_sensor
from companion.trace import Moment, TraceError, TraceWriter, read_trace
from vision.sources.files import read_picture
from vision.sources.source import Frame, Source

QUALITY = 95


class Recorder:
    """A source that writes down what it delivers."""

    def __init__(self, source: Source, trace: TraceWriter) -> None:
        self.name, self.live = source.name, source.live
        self._source, self._trace = source, trace

    def read(self) -> Frame | None:
        frame = self._source.read()
        if frame is not None:
            _, encoded = cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            self._trace.picture(frame.time, encoded.tobytes())
        return frame

    def close(self) -> None:
        self._source.close()
        self._trace.close()


class Trace:
    """The pictures of a trace, with the times at which they came."""

    live = False

    def __init__(self, name: str, moments: Iterator[Moment], still: bool) -> None:
        self.name = name
        self._moments, self._still, self._index = moments, still, 0

    def read(self) -> Frame | None:
        for moment in self._moments:
            if moment.picture is not None:
                index = self._index
                self._index += 1
                image = read_picture(moment.picture)
                return Frame(moment.time, image, index, moment.picture.name, self._still)
        return None

    def close(self) -> None:
        self._moments = iter(())


def open_trace(path: str) -> Trace:
    """The frames of a recorded camera, video, folder or virtual table. SourceError for what is none."""
    source, moments = read_trace(path)
    if is_sensor(source):
        raise TraceError(f"trace '{path}' is of {source}: it holds bytes of a sensor grid, no pictures")
    return Trace(f"trace:{path}", moments, still=source.startswith("folder"))
