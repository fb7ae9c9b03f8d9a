"""The sources of sightings: their common interface, how they are written, and the table of their openers.

A source is written `SCHEME` or `SCHEME:ARGUMENT`. `SOURCES` is the one table of schemes. It names each opener
as text, which is loaded when it is asked for: openers live beside the devices that they need, and this module
needs none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from pkgutil import resolve_name
from typing import NamedTuple, Protocol, runtime_checkable

from companion.core.board import Board
from companion.core.errors import CompanionError
from companion.core.game import Look, Place
from companion.sensing.observation import Sighting


class SourceError(CompanionError):
    """A source that cannot be opened or read."""


class SightingSource(Protocol):
    """Something that sees the board."""

    @property
    def live(self) -> bool:
        """True if sightings come at their own pace (a device), False if as fast as they are read (a file)."""

    def sightings(self) -> Iterator[Sighting]:
        """Yields one sighting after the other, until there are no more. A loss is a sighting too. Raises
        SourceError for a file that cannot be read on."""


@runtime_checkable
class Learner(Protocol):
    """A source that learns on while the game goes on."""

    def learn(
        self, sighting: Sighting, looks: Mapping[Place, Look], left_open: Collection[Place] = ()
    ) -> None:
        """Learns from a sighting after which board and game agree: these looks stand there, but for places of
        which that is still open."""


@runtime_checkable
class BoardFollower(Protocol):
    """A source that is told on which board the game is played."""

    def expect(self, board: Board) -> None:
        """Takes note that a game is on this board."""


class Opener(Protocol):
    """Makes a source of its text, for a game on this board, ready to be entered; SourceError in words when
    it cannot. `profile` is the file that a camera was calibrated to; `folder` is where a grid's calibration
    is, where it is not the usual data folder."""

    def __call__(
        self, text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
    ) -> AbstractContextManager[SightingSource]: ...


EYES = "vision.sighting_streams:open_stream"


class Scheme(NamedTuple):
    """The way in which a scheme's sources are written, and its openers by name: the `Opener` of their
    sightings, the `Opener` of a trace of them, and the opener of their frames, for those that have any: it
    takes the argument."""

    written: str
    sightings: str = EYES
    replay: str = EYES
    frames: str = ""


SOURCES: Mapping[str, Scheme] = {
    "camera": Scheme("camera[:N or URL]", frames="vision.sources.network_camera:open_any_camera"),
    "picamera": Scheme("picamera", frames="vision.sources.picamera:open_picamera"),
    "video": Scheme("video:FILE", frames="vision.sources.files:open_video"),
    "folder": Scheme("folder:DIR", frames="vision.sources.files:open_folder"),
    "trace": Scheme(
        "trace:FILE", "companion.sensing.trace:open_recorded", frames="vision.sources.traces:open_trace"
    ),
    "serial": Scheme(
        "serial:PORT[@BAUD]",
        "firmware_bridge.sensing.grid_source:open_grid_source",
        replay="firmware_bridge.sensing.replay:open_trace",
    ),
    "chessnut": Scheme(
        "chessnut[:PATH]",
        "firmware_bridge.eboards.source:open_eboard",
        replay="firmware_bridge.eboards.source:open_trace",
    ),
    "millennium": Scheme(
        "millennium:PORT",
        "firmware_bridge.eboards.source:open_eboard",
        replay="firmware_bridge.eboards.source:open_trace",
    ),
}


def scheme_of(text: str) -> str:
    """Returns `camera` of `camera:1`."""
    return text.partition(":")[0]


def argument_of(text: str) -> str:
    """Returns `1` of `camera:1`; '' for none."""
    return text.partition(":")[2]


def without_secrets(text: str) -> str:
    """Returns the text of a source, or an address, as it is shown and logged: without user and password, and
    without what follows a `?`, where cameras have them too."""
    before, mark, address = text.partition("://")
    host, slash, path = address.partition("?")[0].partition("/")
    return f"{before}{mark}{host.rpartition('@')[2]}{slash}{path}" if mark else text


def find_scheme(text: str, besides: tuple[str, ...] = ()) -> Scheme:
    """Returns the scheme of a source's text. Raises SourceError for one that nobody opens, which names those
    that may be written; `besides` are more of them."""
    if scheme_of(text) not in SOURCES:
        known = ", ".join((*besides, *(scheme.written for _, scheme in sorted(SOURCES.items()))))
        raise SourceError(f"there is no source '{without_secrets(text)}': write one of {known}")
    return SOURCES[scheme_of(text)]


def is_sensor(text: str) -> bool:
    """Returns whether a source delivers sightings by itself, without frames."""
    scheme = SOURCES.get(scheme_of(text))
    return scheme is not None and not scheme.frames


def open_sightings(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> AbstractContextManager[SightingSource]:
    """Opens the source of a text, as `Opener` says."""
    opener: Opener = resolve_name(find_scheme(text).sightings)
    return opener(text, board, profile, folder)
