"""Keeps the lamps of a sensor grid as the page is, in a thread of its own."""

from __future__ import annotations

import threading

from companion.present import present
from companion.table import Table
from firmware_bridge.eye import GridEye
from firmware_bridge.lamps import lamps_of

PERIOD = 0.5


class Lamplighter:
    """Follows the table between `start` and `stop`."""

    def __init__(self, table: Table, eye: GridEye) -> None:
        self._table, self._eye = table, eye
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        seen = -1
        while not self._stop.is_set():
            snapshot = self._table.wait(seen, PERIOD)
            grid = self._eye.grid
            if snapshot is not None and grid is not None:
                seen = snapshot.id
                self._eye.shine(lamps_of(present(snapshot, None), grid.wiring.sites))
            elif not self._table.is_open:
                return
