"""Sources of frames: the contract that cameras, files, traces and the virtual table keep.

`open_source` makes a source of its text; `companion.sensing.sources` names what opens each scheme. Out come
`CameraFrame`s, one after the other. This module needs neither OpenCV nor a device.
"""

from __future__ import annotations

from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Protocol, runtime_checkable

from companion.sensing.sources import SourceError, argument_of, find_scheme, without_secrets
from vision.arrays import Image


class SourceLostError(SourceError):
    """A device that is not there (not plugged in, without power, used by another program) and may come."""


def in_a_line(error: BaseException) -> str:
    """Returns the text of an error as one line; its type where it has none."""
    text = str(error)
    line = " ".join(text.split())
    return text if line == text != "" else line or type(error).__name__


@dataclass(frozen=True, slots=True, eq=False)
class CameraFrame:
    """A picture (h, w, 3; blue, green, red) and the time at which it was taken.

    `time` is seconds: of the monotonic clock for a device, from the start for a file. `index` counts the
    frames of a source from 0. `still` says that the picture is a moment that held, so that what it shows is
    believed at once.
    """

    time: float
    image: Image
    index: int
    name: str = ""
    still: bool = False


class Source(Protocol):
    """A device or file that delivers frames, one after the other, to one thread."""

    @property
    def name(self) -> str:
        """The source as users write it: `camera:0`."""

    @property
    def live(self) -> bool:
        """True if frames come at their own pace (a device), False if as fast as they are read (a file)."""

    def read(self) -> CameraFrame | None:
        """Returns the next frame as soon as there is one, None at the end. SourceLostError when the device is
        gone."""

    def close(self) -> None:
        """Gives the device or file back. To close it twice does no harm."""


@runtime_checkable
class AdjustingSource(Protocol):
    """A source whose device adjusts exposure, white balance and focus by itself, and holds them else."""

    def adjust(self) -> None:
        """Lets the device adjust itself again, for some seconds. Called by the thread that reads."""


class AwaitedSource:
    """A device that is not there yet: a read says so."""

    live = True

    def __init__(self, name: str, words: str) -> None:
        self.name, self._words = name, words

    def read(self) -> CameraFrame | None:
        raise SourceLostError(self._words)

    def close(self) -> None:
        """There is nothing to give back."""


def open_or_await(text: str) -> Source:
    """Opens the source of a text as `open_source` does, but waits for a device that is not there.

    Whoever reads the source that is returned then is told that the device is lost, and opens it later.
    """
    try:
        return open_source(text)
    except SourceLostError as error:
        return AwaitedSource(without_secrets(text), str(error))


def open_source(text: str) -> Source:
    """Opens the source of a text. SourceError for one that has no frames, or that cannot be opened.

    It is a SourceLostError where a device is not there now.
    """
    scheme = find_scheme(text)
    if not scheme.frames:
        raise SourceError(f"the source '{without_secrets(text)}' has no pictures: give a camera or a file")
    source: Source = resolve_name(scheme.frames)(argument_of(text))
    return source
