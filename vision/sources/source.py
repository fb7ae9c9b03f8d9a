"""Sources of frames: one small contract for cameras, files and the virtual table, and how they are named.

A source is written `SCHEME` or `SCHEME:ARGUMENT`. What a scheme opens is a table, scheme -> opener, that
is handed in: other packages add theirs (`serial`, `virtual`) by joining tables, `{**OPENERS, "serial": …}`.
This module and its errors need neither OpenCV nor a device.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
S = TypeVar("S")


class SourceError(Exception):
    """A source that cannot be opened or read: one line for a person, which says what to do."""


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


def split(text: str) -> tuple[str, str]:
    """A source's scheme and argument, '' for none."""
    scheme, _, argument = text.partition(":")
    return scheme, argument


def open_source(text: str, openers: Mapping[str, Callable[[str], S]]) -> S:
    """What the scheme's opener makes of the argument. SourceError for a scheme that nobody opens."""
    scheme, argument = split(text)
    if scheme not in openers:
        known = ", ".join(WRITTEN.get(name, name) for name in sorted(openers))
        raise SourceError(f"there is no source '{text}': write one of {known}")
    return openers[scheme](argument)


def _opener(module: str, function: str) -> Callable[[str], Source]:
    def opens(argument: str) -> Source:
        source: Source = getattr(import_module(f"vision.sources.{module}"), function)(argument)
        return source
    return opens


OPENERS: Mapping[str, Callable[[str], Source]] = {
    "camera": _opener("camera", "open_camera"),
    "picamera": _opener("picamera", "open_picamera"),
    "video": _opener("files", "open_video"),
    "folder": _opener("files", "open_folder"),
    "trace": _opener("traces", "open_trace"),
}
"""The sources that vision itself opens; their modules, and OpenCV, are loaded when first asked for."""

WRITTEN: Mapping[str, str] = {
    "camera": "camera[:N]", "video": "video:FILE", "folder": "folder:DIR", "trace": "trace:FILE",
    "serial": "serial:PORT[@BAUD]",
}
