"""Which frames are read: those that may show something new.

A camera sends twenty frames a second, and nearly all show what the last one showed, or a hand that moves.
A frame that shows nothing else than the last one that was read says the same again; the longer a board
rests, the seldomer it is read, but never less often than every few seconds. While something moves over the
board only that is told, for nothing is believed of such frames. Every other frame is read.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf

import cv2
import numpy as np

from companion.observation import Sighting
from vision.calibration.profile import Profile
from vision.geometry.view import View
from vision.hands import MotionWatch, small_size
from vision.light.change import ChangeWatch
from vision.reading.reader import Image, Reader
from vision.sources.source import Frame

REST = 2.0
"""Seconds after which a board at rest is read again: what changes too slowly or too little to be noticed."""
PACE = 0.09
"""Seconds between two readings: of what changes all the time ten are enough, as of a slower camera."""
STIR = 1.0
"""Seconds after which a frame is read though something moves: hands are told from a light that flickers, and
a camera that sways from a hand."""


class Attention:
    """Sees every frame of one source, and reads those that it must; `read` is how. For one thread."""

    def __init__(self, reader: Reader, read: Callable[[Frame], Sighting]) -> None:
        self._reader, self._read = reader, read
        self._said: Sighting | None = None
        self._read_at, self._calm_since = -inf, 0.0
        self._profile: Profile | None = None
        self._change, self._motion = _watches(reader.view)
        self._view = reader.view

    def see(self, frame: Frame) -> Sighting | None:
        """What a frame shows: read, said again, or that something moves. None where a change goes on and was
        read a moment ago."""
        if frame.still:
            return self._read(frame)
        small = _small(frame.image, self._view)
        changed, still = self._change.changed(small), self._motion.still(small)
        said, age = self._said, frame.time - self._read_at
        if said and said.observation and still and not changed and not self._is_due(age):
            self._reader.pass_over(frame.time, still)
            return replace(said, time=frame.time, observation=replace(said.observation, time=frame.time))
        if said and said.observation and not still and 0 <= age < STIR:
            self._reader.pass_over(frame.time, still)
            self._calm_since = frame.time
            return Sighting(frame.time, said.source, None, said.hand, still=False)
        return None if changed and 0 <= age < PACE else self._look(frame, small, still, changed)

    def _is_due(self, age: float) -> bool:
        """Whether a board at rest is to be read again, so many seconds after it was read: each time it rested
        twice as long."""
        rested = self._read_at - self._calm_since
        return not 0 <= age < min(REST, max(PACE, rested)) or self._profile is not self._reader.profile

    def _look(self, frame: Frame, small: Image, still: bool, changed: bool) -> Sighting:
        """Reads a frame, and keeps it."""
        sighting = self._read(frame)
        if self._reader.view is not self._view:
            self._view = self._reader.view
            self._change, self._motion = _watches(self._view)
            self._motion.still(small)
        elif sighting.observation:
            sighting = replace(sighting, still=still)
        if changed or not still:
            self._calm_since = frame.time
        usable = sighting.still and not sighting.trouble
        self._said, self._read_at, self._profile = sighting, frame.time, self._reader.profile
        if usable:
            self._change.keep(small)
        else:
            self._change = ChangeWatch(self._view)
        return sighting


def _watches(view: View) -> tuple[ChangeWatch, MotionWatch]:
    return ChangeWatch(view), MotionWatch(view)


def _small(image: Image, view: View) -> Image:
    """A small copy, as of a picture of the view's size."""
    return np.asarray(cv2.resize(image, small_size(view.size), interpolation=cv2.INTER_AREA), dtype=np.uint8)
