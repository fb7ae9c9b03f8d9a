"""Displays that follow a page's live stream over the network, and come back when it breaks."""

from __future__ import annotations

import threading
import time

from benchmarks.running.browser import follow

AGAIN_S = 0.2
"""Seconds after which a display that lost its page tries again."""


class Display(threading.Thread):
    """Notes when it was first shown each state, by the state's tag (s, monotonic)."""

    def __init__(self, address: str) -> None:
        super().__init__(name=f"display {address}", daemon=True)
        self._address = address
        self._over = threading.Event()
        self.port: int | None = None
        self.shown: dict[str, float] = {}
        self.latest = ""
        self.connected = 0

    def run(self) -> None:
        while not self._over.is_set():
            port = self.port
            if port is not None:
                self._follow(port)
            self._over.wait(AGAIN_S)

    def stop(self) -> None:
        """Ends it once its stream does."""
        self._over.set()

    def _follow(self, port: int) -> None:
        is_first = True
        for event in follow(port, self._address, since=self.latest):
            self.connected += is_first
            is_first = False
            if event.id:
                self.latest = event.id
                self.shown.setdefault(self.latest, time.monotonic())
