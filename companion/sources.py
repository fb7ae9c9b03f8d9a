"""The sources of sightings: what they have in common, how they are written, and what opens them.

A source is written `SCHEME` or `SCHEME:ARGUMENT`. `SOURCES` is the one table of schemes. What opens a source
is named there as text and loaded when it is asked for: it lives beside the device that it needs, and this
module needs none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from companion.board import Board
from companion.core import Look, Place
from companion.lazy import load
from companion.observation import Sighting


class SourceError(Exception):
    """A source that cannot be opened or read: one line for a person, which says what to do."""


class SightingSource(Protocol):
    """Something that sees the board."""

    @property
    def live(self) -> bool:
        """Whether sightings come at their own pace (a device), or as fast as they are read (a file)."""

    def sightings(self) -> Iterator[Sighting]:
        """What is seen, one after the other; ends when there is no more. A loss is a sighting too.
        SourceError for a file that cannot be read on."""


@runtime_checkable
class Learner(Protocol):
    """A source that learns on while the game goes on."""

    def learn(self, sighting: Sighting, looks: Mapping[Place, Look]) -> None:
        """After this sighting board and game agree that this stands there."""


class Opener(Protocol):
    """Makes a source of its text, for a game on this board, ready to be entered; SourceError in words when
    it cannot. `profile` is the file that a camera was calibrated to; `folder` is where a grid's calibration
    is, where it is not the usual data folder."""

    def __call__(
        self, text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
    ) -> AbstractContextManager[SightingSource]: ...


EYES = "vision.eyes:open_eyes"


class Scheme(NamedTuple):
    """How a scheme's sources are written, and by name the `Opener` of their sightings, that of a trace of
    them, and what opens their frames, for those that have any: it takes the argument."""

    written: str
    sightings: str = EYES
    replay: str = EYES
    frames: str = ""


SOURCES: Mapping[str, Scheme] = {
    "camera": Scheme("camera[:N]", frames="vision.sources.camera:open_camera"),
    "picamera": Scheme("picamera", frames="vision.sources.picamera:open_picamera"),
    "video": Scheme("video:FILE", frames="vision.sources.files:open_video"),
    "folder": Scheme("folder:DIR", frames="vision.sources.files:open_folder"),
    "trace": Scheme("trace:FILE", "companion.trace:open_recorded", frames="vision.sources.traces:open_trace"),
    "serial": Scheme(
        "serial:PORT[@BAUD]", "firmware_bridge.eye:open_eye", replay="firmware_bridge.replay:open_trace"
    ),
}


def scheme_of(text: str) -> str:
    """`camera` of `camera:1`."""
    return text.partition(":")[0]


def argument_of(text: str) -> str:
    """`1` of `camera:1`; '' for none."""
    return text.partition(":")[2]


def find_scheme(text: str) -> Scheme:
    """The scheme of a source's text. SourceError for one that nobody opens."""
    if scheme_of(text) not in SOURCES:
        known = ", ".join(scheme.written for _, scheme in sorted(SOURCES.items()))
        raise SourceError(f"there is no source '{text}': write one of {known}")
    return SOURCES[scheme_of(text)]


def is_sensor(text: str) -> bool:
    """Whether a source delivers sightings by itself, without frames."""
    scheme = SOURCES.get(scheme_of(text))
    return scheme is not None and not scheme.frames


def open_sightings(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> AbstractContextManager[SightingSource]:
    """The source of a text, as `Opener` says."""
    opener: Opener = load(find_scheme(text).sightings)
    return opener(text, board, profile, folder)
