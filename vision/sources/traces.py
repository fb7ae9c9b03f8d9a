"""Traces of cameras, read as a source."""

from __future__ import annotations

from collections.abc import Iterator

from companion.sensing.sources import is_sensor, scheme_of
from companion.sensing.trace import TraceError, TraceMoment, read_trace
from vision.sources.files import read_picture
from vision.sources.source import CameraFrame


class Trace:
    """The pictures of a trace, with the times at which they came; `still` as in `CameraFrame`."""

    live = False

    def __init__(self, name: str, moments: Iterator[TraceMoment], still: bool) -> None:
        self.name = name
        self._moments, self._still, self._index = moments, still, 0

    def read(self) -> CameraFrame | None:
        for moment in self._moments:
            if moment.picture is not None:
                index = self._index
                self._index += 1
                image = read_picture(moment.picture)
                return CameraFrame(moment.time, image, index, moment.picture.name, self._still)
        return None

    def close(self) -> None:
        self._moments = iter(())


def open_trace(path: str) -> Trace:
    """Opens the trace of a camera, video, folder or virtual table. SourceError for what is none."""
    source, moments = read_trace(path)
    if is_sensor(source):
        raise TraceError(f"trace '{path}' is of {source}: it holds bytes of a sensor grid, no pictures")
    return Trace(f"trace:{path}", moments, still=scheme_of(source) == "folder")
