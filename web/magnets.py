"""The magnets under the pieces of the virtual table, over a virtual grid: what stands there is felt there."""

from __future__ import annotations

import threading

from firmware_bridge.eye import VirtualEye
from vision.sources.virtual import VirtualTable

PERIOD = 0.04
"""Seconds between two looks at the table."""


class Magnets:
    """Follows the table in a thread of its own, between `start` and `stop`."""

    def __init__(self, virtual: VirtualTable, eye: VirtualEye) -> None:
        self._virtual, self._eye = virtual, eye
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="magnets", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def step(self) -> None:
        """One look: each piece on a site is felt, unless the page plays the hands on the grid itself."""
        table = self._virtual.table
        if not self._eye.is_busy:
            self._eye.lay(table.board, table.looks().keys() & table.board.sites.keys())

    def _run(self) -> None:
        while not self._stop.wait(PERIOD):
            self.step()
