"""Lets one request at a time do what costs much, as a drawing does, and few others wait for their turn.

Each request that waits takes a thread of the server.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from web.server.shared import Shares

PLACES = 4
"""The most requests that have their turn or wait."""
OF_ONE = 2
"""The most of them that come from one address."""
WAIT = 30.0
"""The seconds for which a request waits for its turn."""


class Turns:
    """The turns of those who wait for the same thing. Any thread may call it."""

    def __init__(self, wait: float = WAIT) -> None:
        self._wait = wait
        self._places, self._turn = Shares(OF_ONE, PLACES), threading.Lock()

    @contextmanager
    def turn(self, address: str) -> Iterator[bool]:
        """Waits for the turn of an address, and keeps it. Gives False where there is none for it in time."""
        has_place = self._places.take(address)
        has_turn = has_place and self._turn.acquire(timeout=self._wait)
        try:
            yield has_turn
        finally:
            if has_turn:
                self._turn.release()
            if has_place:
                self._places.give_back(address)
