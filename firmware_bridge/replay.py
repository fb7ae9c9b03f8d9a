"""Recorded bytes of a grid, as sightings again: the same grid sees what it saw then.

Times are the recording's, in seconds; nothing here waits, so a replay is as fast as its reader. To record,
hand a trace's `data` to `open_grid` as its tap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.board import Board
from companion.observation import Sighting
from companion.sources import SourceError, argument_of
from companion.trace import read_trace
from firmware_bridge.grid import Grid
from firmware_bridge.link import Up
from firmware_bridge.messages import TO_HOST, Hello, Peer
from firmware_bridge.sensors import Calibration
from firmware_bridge.wiring import WiringError, known_boards, wiring_of


class ReplayEye:
    """The sightings of recorded bytes, as a source that is not live."""

    live = False

    def __init__(
        self, moments: Iterable[tuple[float, bytes]], boards: Iterable[Board], name: str = "trace"
    ) -> None:
        self._moments, self._boards, self._name = moments, tuple(boards), name

    def sightings(self) -> Iterator[Sighting]:
        try:
            yield from replay(self._moments, self._boards, None, self._name)
        except WiringError as error:
            raise SourceError(str(error)) from error

    def __enter__(self) -> ReplayEye:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is held open."""


def open_trace(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> ReplayEye:
    """The grid of `trace:FILE`, as `companion.sources.Opener` says."""
    _, moments = read_trace(argument_of(text))
    came = ((moment.time, moment.data) for moment in moments if moment.data)
    return ReplayEye(came, known_boards(board), text)


def replay(
    moments: Iterable[tuple[float, bytes]],
    boards: Iterable[Board],
    calibration: Calibration | None = None,
    name: str = "trace",
) -> Iterator[Sighting]:
    """Sightings of (time, bytes); what comes before the device's `Hello` cannot be understood.

    WiringError when it was recorded from a grid for another board.
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
