"""A sensor that feels the board, a grid or an e-board, with its threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from companion.sensing.observation import Sighting
from companion.sensing.sources import BoardFollower
from companion.table import messages
from companion.table.present import present
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from firmware_bridge.sensing.lamps import Lighted, lamps_of
from web.runtime.follower import Follower

ENDS_WITHIN_S = 2.0
"""Seconds that a sensor has to end."""


class SensorSource:
    """A source that delivers sightings by itself, between `start` and `stop`: it is told which lamps to light
    and which game is on, where it has use for that. `sift` says what of a sighting is for the table."""

    def __init__(self, table: Table, text: str, source: Any, sift: Callable[[Sighting], Sighting]) -> None:
        self.text, self.source, self._table, self._sift = text, source, table, sift
        self._followers = list(_followers_of(table, source))
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"sensor {text}", daemon=True)

    def start(self) -> None:
        self.source.__enter__()
        self._thread.start()
        for follower in self._followers:
            follower.start()

    def stop(self) -> None:
        self._stop.set()
        for follower in self._followers:
            follower.stop()
        self.source.__exit__(None, None, None)
        self._thread.join(ENDS_WITHIN_S)  # a recording may be read on for a while

    def _run(self) -> None:
        for sighting in self.source.sightings():
            if self._stop.is_set():
                return
            self._table.post(messages.SightingArrived(self._sift(sighting)))


def _followers_of(table: Table, source: object) -> Iterator[Follower]:
    if isinstance(source, Lighted):
        yield Follower(table, "lamps", partial(shine, source))
    if isinstance(source, BoardFollower):
        yield Follower(table, "board", partial(_expect, source))


def shine(source: Lighted, snapshot: Snapshot) -> bool:
    """Lights the lamps for a snapshot, as the page shows it. Returns False while none are known of."""
    sites, session = source.lit_sites, snapshot.session
    if sites:
        colours = lamps_of(present(snapshot, None), sites)
        source.shine(snapshot.as_laid(session.game.board, colours) if session else colours)
    return bool(sites)


def _expect(source: BoardFollower, snapshot: Snapshot) -> bool:
    """Tells a source on which board the game is played."""
    if snapshot.session is not None:
        source.expect(snapshot.session.game.board)
    return True
