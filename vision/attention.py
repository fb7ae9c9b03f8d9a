"""Attention: chooses the frames that are worth reading.

In go the frames of one source; out come sightings. A camera sends twenty frames a second, and nearly all show
what the last one showed, or a hand that moves. A frame that shows nothing new gets the sighting of the last
one that was read, at its own time; the longer a board rests, the less often it is read, but at least every
REST seconds. While something moves over the board only that is told, since nothing is believed of such
frames. Every other frame is read. `python -m benchmarks costs` measures what this saves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf

from companion.sensing.observation import Observation, Sighting
from vision.arrays import Image
from vision.calibration.profile import Profile
from vision.geometry.samples import reduced
from vision.geometry.view import View
from vision.hands import MotionWatch, small_size
from vision.light.change import ChangeWatch
from vision.reading.reader import Reader
from vision.sources.source import CameraFrame

REST = 2.0
"""Seconds after which a board at rest is read again: some changes are too slow or too slight to be
noticed."""
LONGER = 4.0
"""How many times as long as it had rested when it was read last a board must rest on to be read again. So one
that changed is read twice, and no more until it was believed: on a slow computer that would come later."""
PACE = 0.09
"""Seconds between two readings of a board that changes all the time: ten a second are enough, as of a slow
camera."""
STIR = 1.0
"""Seconds for which something moves until a frame is read all the same: only a reading tells a hand from a
light that flickers or a camera that sways."""


class Attention:
    """Sees every frame of one source, and has `read` read those that it must. For one thread."""

    def __init__(self, reader: Reader, read: Callable[[CameraFrame], Sighting]) -> None:
        self._reader, self._read = reader, read
        self._said: Sighting | None = None
        """The sighting of the frame that was read last."""
        self._read_at, self._calm_since = -inf, 0.0
        self._known_at = -inf
        """The time of the last frame that was read, or said again."""
        self._profile: Profile | None = None
        self._change, self._motion = _watches(reader.view)
        self._view = reader.view

    def see(self, frame: CameraFrame) -> Sighting | None:
        """Returns a frame's sighting: read, said again, or that something moves. Returns None where a change
        goes on and was read a moment ago."""
        if frame.still:
            return self._read(frame)
        small = _small(frame.image, self._view)
        changed, still = self._change.changed(small), self._motion.still(small)
        age = frame.time - self._read_at
        if self._said and self._said.observation:
            if still and not changed and not self._is_due(age):
                return self._repeat(frame.time, self._said, self._said.observation)
            if not still and 0 <= frame.time - self._known_at < STIR:
                return self._tell_motion(frame.time, self._said)
        if changed and 0 <= age < PACE:
            return None
        return self._look(frame, small, still, changed)

    def _is_due(self, age: float) -> bool:
        """Returns whether a board at rest is to be read again, `age` seconds after it was read: each time
        only after several times as long."""
        rested = self._read_at - self._calm_since
        return (
            not 0 <= age < min(REST, max(PACE, LONGER * rested)) or self._profile is not self._reader.profile
        )

    def _repeat(self, time: float, said: Sighting, observation: Observation) -> Sighting:
        """Returns the last sighting once more: nothing has changed since."""
        self._reader.pass_over(time, still=True)
        self._known_at = time
        return replace(said, time=time, observation=replace(observation, time=time))

    def _tell_motion(self, time: float, said: Sighting) -> Sighting:
        """Returns a sighting that says only that something moves."""
        self._reader.pass_over(time, still=False)
        self._calm_since = time
        return Sighting(time, said.source, None, said.hand, still=False)

    def _look(self, frame: CameraFrame, small: Image, still: bool, changed: bool) -> Sighting:
        """Reads a frame, and keeps it and its sighting."""
        sighting = self._read(frame)
        if self._reader.view is not self._view:
            # The board was moved: small copies of the old view tell nothing any more.
            self._view = self._reader.view
            self._change, self._motion = _watches(self._view)
            self._motion.still(small)
        elif sighting.observation:
            sighting = replace(sighting, still=still)
        if changed or not still:
            self._calm_since = frame.time
        self._said, self._profile = sighting, self._reader.profile
        self._read_at = self._known_at = frame.time
        if sighting.still and not sighting.trouble:
            self._change.keep(small)
        else:
            self._change = ChangeWatch(self._view)
        return sighting


def _watches(view: View) -> tuple[ChangeWatch, MotionWatch]:
    return ChangeWatch(view), MotionWatch(view)


def _small(image: Image, view: View) -> Image:
    """Returns a small copy of a picture of any size, as large as that of a picture of the view's size."""
    return reduced(image, small_size(view.size))
