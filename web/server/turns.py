"""Lets one request at a time do what costs much, as a drawing does, and few others wait for their turn.

Each request that waits takes a thread of the server.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from web.server.shares import Shares

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
        self._places = threading.BoundedSemaphore(PLACES)
        self._shares = Shares(OF_ONE)
        self._turn = threading.Lock()

    @contextmanager
    def turn(self, address: str) -> Iterator[bool]:
        """Waits for the turn of an address, and keeps it. Gives False where there is none for it in time."""
        with ExitStack() as held:
            yield self._take(address, held)

    def _take(self, address: str, held: ExitStack) -> bool:
        if not self._shares.take(address):
            return False
        held.callback(self._shares.give_back, address)
        if not self._places.acquire(blocking=False):
            return False
        held.callback(self._places.release)
        if not self._turn.acquire(timeout=self._wait):
            return False
        held.callback(self._turn.release)
        return True
