"""Sources of frames: one small contract for cameras, files and the virtual table.

`companion.sources` names what opens each. This module needs neither OpenCV nor a device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from companion.lazy import load
from companion.sources import SourceError, argument_of, find_scheme

Image = npt.NDArray[np.uint8]


class SourceLostError(SourceError):
    """A source that worked and is gone (a cable, a power cut): it may come back."""


def in_a_line(error: BaseException) -> str:
    """What an error says, in one line."""
    return " ".join(str(error).split()) or type(error).__name__


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture (h, w, 3; BGR) and when it was taken, in seconds: of the monotonic clock for a device,
    from the start for a file. `still` says that it is a moment that held, whatever stood before it."""

    time: float
    image: Image
    index: int
    name: str = ""
    still: bool = False


class Source(Protocol):
    """Something that delivers frames, one after the other, to one thread."""

    @property
    def name(self) -> str:
        """As it is written: `camera:0`."""

    @property
    def live(self) -> bool:
        """Whether frames come at their own pace (a device), or as fast as they are read (a file)."""

    def read(self) -> Frame | None:
        """The next frame, as soon as there is one; None at the end. SourceLostError when it is gone."""

    def close(self) -> None:
        """Gives the device or file back; twice does no harm."""


def open_source(text: str) -> Source:
    """The frames of a source's text. SourceError for one that has none, or that cannot be opened."""
    scheme = find_scheme(text)
    if not scheme.frames:
        raise SourceError(f"the source '{text}' has no pictures: give a camera or a file")
    source: Source = load(scheme.frames)(argument_of(text))
    return source
