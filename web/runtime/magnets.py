"""Joins the virtual table to a virtual grid: the grid feels the pieces that stand on the table."""

from __future__ import annotations

import threading

from firmware_bridge.sensing.grid_source import VirtualGridSource
from vision.sources.virtual import VirtualTable

PERIOD = 0.04
"""The seconds between two looks at the table."""


class Magnets:
    """Follows the virtual table in a thread of its own, between `start` and `stop`."""

    def __init__(self, virtual: VirtualTable, grid: VirtualGridSource) -> None:
        self._virtual, self._grid = virtual, grid
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="magnets", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def step(self) -> None:
        """Lays a magnet for each piece on a site, unless the page moves magnets by hand."""
        table = self._virtual.table
        if not self._grid.is_busy:
            self._grid.lay(table.board, table.looks().keys() & table.board.sites.keys())

    def _run(self) -> None:
        while not self._stop.wait(PERIOD):
            self.step()
