"""Threads beside the page: for lamps, the grid's board, and what stands on the virtual table."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.table.snapshot import Snapshot
from companion.table.table import Table

PERIOD = 0.5
"""The seconds after which a snapshot that could not be handed on is handed on again."""


class Follower:
    """Hands the newest snapshot to `follow` between `start` and `stop`; again each `period` (s), until that
    returns True."""

    def __init__(
        self, table: Table, name: str, follow: Callable[[Snapshot], bool | None], period: float = PERIOD
    ) -> None:
        self._table, self._follow, self._period = table, follow, period
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._table.wake()
        self._thread.join()

    def _run(self) -> None:
        seen = -1
        while not self._stop.is_set():
            snapshot = self._table.wait(seen, PERIOD, self._stop.is_set)
            if snapshot is None:
                if not self._table.is_open:
                    return
            elif self._follow(snapshot):
                seen = snapshot.id
            else:
                self._stop.wait(self._period)
