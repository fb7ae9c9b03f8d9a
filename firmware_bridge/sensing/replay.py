"""Makes sightings of the recorded bytes of a grid: the same ones as when they were recorded.

Times are those of the recording, in seconds. Nothing here waits, so that a replay is as fast as its reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.core.board import Board
from companion.sensing.observation import Sighting
from companion.sensing.sources import argument_of
from companion.sensing.trace import Recorded, read_bytes
from firmware_bridge.line.messages import TO_HOST, Hello, Peer
from firmware_bridge.line.wiring import wiring_of
from firmware_bridge.sensing.grid import Grid


def open_trace(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> Recorded:
    """Returns the grid of `trace:FILE`, as `companion.sensing.sources.Opener` says."""
    _, came = read_bytes(argument_of(text))
    return Recorded(replay(came, board, text))


def replay(moments: Iterable[tuple[float, bytes]], board: Board, name: str) -> Iterator[Sighting]:
    """Yields the sightings of times and bytes; bytes before the device's `Hello` are passed over.

    WiringError when they were recorded from a grid for another board than this.
    """
    peer, grid = Peer(TO_HOST), None
    for time, data in moments:
        for event in peer.events(data):
            if isinstance(event, Hello) and grid is None:
                grid = Grid(wiring_of(event, [board]), name=name)
            sighting = grid.receive(event, time) if grid else None
            if sighting is not None:
                yield sighting
