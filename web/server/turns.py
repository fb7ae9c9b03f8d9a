"""Turns at what costs much, as a drawing: one has its turn at a time, and few wait.

Each that waits takes a thread of the server.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from web.server.shares import Shares

PLACES = 4
"""Those who have their turn or wait at once."""
OF_ONE = 2
"""Those of one address."""
WAIT = 30.0
"""The seconds for which one waits for its turn."""


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
        if not self._shares.take(address):
            yield False
            return
        try:
            with self._place() as has_place:
                yield has_place
        finally:
            self._shares.give_back(address)

    @contextmanager
    def _place(self) -> Iterator[bool]:
        if not self._places.acquire(blocking=False):
            yield False
            return
        try:
            has_turn = self._turn.acquire(timeout=self._wait)
            try:
                yield has_turn
            finally:
                if has_turn:
                    self._turn.release()
        finally:
            self._places.release()
