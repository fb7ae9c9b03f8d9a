"""Attempts at the PIN, and how many are allowed.

Each address may try a few times in a while. Addresses that were never right share one slow allowance, however
many they are: that is what makes guessing slow. The machine itself, and an address that was right before, do
not depend on it: strangers who guess do not shut the arbiter out.

What this comes to for a PIN of so many digits is in docs/privacy.md.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from companion.wire.values import Wire

WINDOW, OF_ONE = 300.0, 5
"""The seconds in which one address may try this often."""
EVERY, AT_ONCE = 72.0, 50
"""The seconds after which all strangers together may try once more, and how often they may at first."""
KNOWN = 16
"""The number of addresses that are remembered for having been right."""
ITSELF = "this machine"
"""The address of whoever sits at the machine itself."""


class KeptAttempts(Wire):
    """What is kept of attempts over a restart."""

    tried: Mapping[str, Sequence[float]] = field(default_factory=dict)
    known: Sequence[str] = ()
    free_at: float = 0.0


NOTHING_KEPT = KeptAttempts()


class Attempts:
    """The latest attempts. Any thread may call it. Times are seconds of `now`.

    An attempt counts as wrong until it is known to be right: of many at the same moment no more are compared.
    """

    def __init__(self, now: Callable[[], float], kept: KeptAttempts = NOTHING_KEPT) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._tried = {address: list(times) for address, times in kept.tried.items()}
        self._known = list(kept.known)
        self._free_at = kept.free_at
        """The time at which strangers would have all their attempts again."""

    def take(self, address: str) -> float:
        """Counts an attempt from an address. Returns 0, or the seconds after which it may be made."""
        with self._lock:
            now = self._now()
            self._forget(now)
            wait = max(self._own_wait(address, now), 0.0 if self._knows(address) else self._shared_wait(now))
            if wait > 0:
                return wait
            self._tried.setdefault(address, []).append(now)
            if not self._knows(address):
                self._free_at = max(self._free_at, now) + EVERY
            return 0.0

    def succeed(self, address: str) -> None:
        """Notes that the attempt from an address, which was counted, was right."""
        with self._lock:
            self._tried.pop(address, None)
            if address != ITSELF:
                if address not in self._known:
                    self._free_at -= EVERY
                self._known = [*(other for other in self._known if other != address), address][-KNOWN:]

    def kept(self) -> KeptAttempts:
        with self._lock:
            return KeptAttempts(dict(self._tried), tuple(self._known), self._free_at)

    def _knows(self, address: str) -> bool:
        return address == ITSELF or address in self._known

    def _own_wait(self, address: str, now: float) -> float:
        own = self._tried.get(address, [])
        return own[-OF_ONE] + WINDOW - now if len(own) >= OF_ONE else 0.0

    def _shared_wait(self, now: float) -> float:
        return self._free_at - now - (AT_ONCE - 1) * EVERY

    def _forget(self, now: float) -> None:
        recent = {address: [t for t in times if t > now - WINDOW] for address, times in self._tried.items()}
        self._tried = {address: times for address, times in recent.items() if times}
