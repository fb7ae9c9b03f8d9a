"""Displays that follow a page's live stream over the network, and come back when it breaks."""

from __future__ import annotations

import http.client
import threading
import time

BROKEN = (OSError, http.client.HTTPException)
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
        connection = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=30, source_address=(self._address, 0)
        )
        try:
            connection.request("GET", "/api/v1/events", headers={"Last-Event-ID": self.latest})
            answer = connection.getresponse()
            self.connected += answer.status == 200
            for line in answer:
                if line.startswith(b"id: "):
                    self.latest = line[4:].decode().strip()
                    self.shown.setdefault(self.latest, time.monotonic())
        except BROKEN:
            return
        finally:
            connection.close()
