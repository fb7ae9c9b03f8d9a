"""Sources of sightings: a camera or file with its reader.

Files are seen frame by frame, none left out. A live source has a thread of its own that reads the newest
frame as often as it can, so that a slow reader sees the present and not a queue of the past.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType

from companion.board import Board
from companion.core import Look, Place
from companion.observation import Sighting
from companion.sources import SourceError
from vision.attention import Attention
from vision.calibration.profile import ProfileError, load_profile
from vision.reading.picture import small_picture
from vision.reading.reader import Reader
from vision.sources.capture import Capture
from vision.sources.source import Frame, Source, in_a_line, open_source

log = logging.getLogger(__name__)
NEEDS_PROFILE = "the source '{}' needs a profile: make one with `companion calibrate` and give --profile FILE"


DOUBTFUL = 10.0
"""Nats by which a frame may speak against what is believed and still be a lesson: one place misread."""
RELEARN = 5.0
"""Seconds between two looks at how the light changed."""


class Pupil:
    """A reader that learns on from frames of which all is known: how the light changes, how the board is
    where a piece stood, and looks that it never saw before."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._last: float | None = None
        self._looks: Mapping[Place, Look] = {}

    def learn(self, frame: Frame, sighting: Sighting, looks: Mapping[Place, Look]) -> None:
        """From a frame after which board and game agree that this stands there."""
        due = self._last is None or frame.time - self._last >= RELEARN
        if (due or looks != self._looks) and agrees(sighting, looks):
            self.reader.learn(frame.image, looks)
            self._last, self._looks = frame.time, looks


def agrees(sighting: Sighting, looks: Mapping[Place, Look]) -> bool:
    """Whether a calm sighting may well be of this."""
    observation = sighting.observation
    calm = sighting.still and not sighting.hand and not sighting.trouble
    return calm and observation is not None and observation.surprise(looks) < DOUBTFUL


class FileEye:
    """Every frame of a file."""

    live = False

    def __init__(self, source: Source, reader: Reader) -> None:
        self._source, self._pupil = source, Pupil(reader)
        self._attention = attend(reader, source.name)
        self._latest: tuple[Frame, Sighting] | None = None

    def sightings(self) -> Iterator[Sighting]:
        while frame := self._source.read():
            sighting = self._attention.see(frame)
            if sighting:
                self._latest = frame, sighting
                yield sighting

    def learn(self, sighting: Sighting, looks: Mapping[Place, Look]) -> None:
        """After the sighting that it gave last board and game agree that this stands there."""
        if self._latest and sighting is self._latest[1]:
            self._pupil.learn(*self._latest, looks)

    def __enter__(self) -> FileEye:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._source.close()


class LiveEye:
    """The newest frame of a device, read again and again; says so when the device is lost."""

    live = True

    def __init__(self, capture: Capture, reader: Reader) -> None:
        self._capture, self._attention = capture, attend(reader, capture.name)
        self._fault = ""

    def sightings(self) -> Iterator[Sighting]:
        while not self._capture.over:
            frame = self._capture.take(timeout=1.0)
            if frame is not None:
                if sighting := self._read(frame):
                    yield sighting
            elif self._capture.status.state != "ok":
                words = self._capture.status.words
                yield Sighting(time.monotonic(), self._capture.name, None, still=False, trouble=words)

    def _read(self, frame: Frame) -> Sighting | None:
        try:
            sighting, self._fault = self._attention.see(frame), ""
        except Exception as error:
            sighting = unread(frame, self._capture.name, error, self._fault)
            self._fault = sighting.trouble
        return sighting

    def __enter__(self) -> LiveEye:
        self._capture.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._capture.stop()


def attend(reader: Reader, name: str) -> Attention:
    """Sees the frames of a source by this reader."""
    return Attention(reader, lambda frame: read_frame(reader, frame, name))


def read_frame(reader: Reader, frame: Frame, name: str) -> Sighting:
    """A frame's sighting; a picture that stands for a moment that held is believed at once."""
    seen = reader.read(frame.image, frame.time, name)
    picture = partial(small_picture, frame.image, seen.view, reader.board, seen.sighting.observation)
    sighting = replace(seen.sighting, picture=picture)
    return replace(sighting, still=True, held=True) if frame.still else sighting


def unread(frame: Frame, name: str, error: Exception, before: str) -> Sighting:
    """What is said of a frame whose reading broke; logged, unless the same was said before."""
    words = f"the picture cannot be read: {in_a_line(error)}"
    if words != before:
        log.error("a frame of %s cannot be read", name, exc_info=error)
    return Sighting(frame.time, name, None, still=False, trouble=words)


def open_eyes(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> LiveEye | FileEye:
    """A source of frames with its reader, as `companion.sources.Opener` says."""
    reader = None if profile is None else _make_reader(profile, board)
    source = open_source(text)
    if reader is None:
        source.close()
        raise SourceError(NEEDS_PROFILE.format(text))
    if source.live:
        return LiveEye(Capture(source, reopen=lambda: open_source(text)), reader)
    return FileEye(source, reader)


def _make_reader(profile: str | Path, board: Board) -> Reader:
    try:
        return Reader(load_profile(profile), board)
    except ProfileError as error:
        raise SourceError(str(error)) from error
