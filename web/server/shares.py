"""The share of a server that one address may use, so that one device cannot shut the page for all others."""

from __future__ import annotations

import threading
from collections import Counter


class Shares:
    """Counts the places that each address holds, and gives none more than `most`. Any thread may call it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def held(self) -> int:
        """Returns how many places are held, by all addresses together."""
        with self._lock:
            return self._held.total()

    def take(self, address: str) -> bool:
        """Takes a place for an address. Returns whether there was one left for it."""
        with self._lock:
            if self._held[address] >= self._most:
                return False
            self._held[address] += 1
            return True

    def give_back(self, address: str) -> None:
        """Gives a place back that was taken."""
        with self._lock:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]
