"""The sensor grid under the table: told which board each game is on, in a thread of its own."""

from __future__ import annotations

import threading

from companion.table import Table
from firmware_bridge.eye import GridEye

PERIOD = 0.5


class Underlay:
    """Follows the table between `start` and `stop`."""

    def __init__(self, table: Table, eye: GridEye) -> None:
        self._table, self._eye = table, eye
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="underlay", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        seen = -1
        while not self._stop.is_set():
            snapshot = self._table.wait(seen, PERIOD)
            if snapshot is not None:
                seen = snapshot.id
                if snapshot.session is not None:
                    self._eye.expect(snapshot.session.game.board)
            elif not self._table.is_open:
                return
