"""Makes sightings of the recorded bytes of a grid: the same ones as when they were recorded.

Times are those of the recording, in seconds. Nothing here waits, so that a replay is as fast as its reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.core.board import Board
from companion.sensing.observation import Sighting
from companion.sensing.sources import argument_of
from companion.sensing.trace import read_trace
from firmware_bridge.line.link import Up
from firmware_bridge.line.messages import TO_HOST, Hello, Peer
from firmware_bridge.line.wiring import wiring_of
from firmware_bridge.sensing.calibration import Calibration
from firmware_bridge.sensing.grid import Grid


class GridReplay:
    """The sightings of recorded bytes, as a source that is not live."""

    live = False

    def __init__(
        self, moments: Iterable[tuple[float, bytes]], boards: Iterable[Board], name: str = "trace"
    ) -> None:
        self._moments, self._boards, self._name = moments, tuple(boards), name

    def sightings(self) -> Iterator[Sighting]:
        return replay(self._moments, self._boards, None, self._name)

    def __enter__(self) -> GridReplay:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is held open."""


def open_trace(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> GridReplay:
    """Returns the grid of `trace:FILE`, as `companion.sensing.sources.Opener` says."""
    _, moments = read_trace(argument_of(text))
    came = ((moment.time, moment.data) for moment in moments if moment.data)
    return GridReplay(came, [board], text)


def replay(
    moments: Iterable[tuple[float, bytes]],
    boards: Iterable[Board],
    calibration: Calibration | None = None,
    name: str = "trace",
) -> Iterator[Sighting]:
    """Yields the sightings of times and bytes; bytes before the device's `Hello` are passed over.

    WiringError when they were recorded from a grid for another board.
    """
    peer, grid, known = Peer(TO_HOST), None, tuple(boards)
    for time, data in moments:
        for event in peer.events(data):
            if isinstance(event, Hello) and grid is None:
                grid = Grid(wiring_of(event, known), calibration, name)
            told = Up(event) if isinstance(event, Hello) else event
            sighting = grid.receive(told, time) if grid else None
            if sighting is not None:
                yield sighting
