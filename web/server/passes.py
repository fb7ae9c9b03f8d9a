"""Passes: what browsers were given, a seat or the arbiter's role.

A browser's cookie names its pass and holds no right by itself. So a pass that is ended is ended in every copy
of the cookie.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.wire.codec import part_of

MOST_ALIKE = 32
"""The passes that one seat, or the arbiter, may have at once. One that was not used for long goes first."""


@dataclass(frozen=True)
class Pass:
    """The rights of a browser: a seat in one game of one store, the arbiter's role, or both."""

    seat: str = ""
    number: int | None = None
    """The number of the game."""
    store: str = ""
    """The identity of the store that the game is in."""
    mark: str = ""
    """A mark of the PIN that made its browser the arbiter; '' where none did."""


@dataclass(frozen=True, kw_only=True)
class KeptPass(Pass):
    """What is kept of a pass over a restart."""

    used: float


NO_PASS = Pass()


class Passes:
    """The passes by their names, each with the time at which it was used last. Any thread may call it.

    One that was not used for `lasts` seconds of `now` ends.
    """

    def __init__(
        self, now: Callable[[], float], lasts: float, kept: Mapping[str, KeptPass] | None = None
    ) -> None:
        self._now, self._lasts = now, lasts
        self._lock = threading.Lock()
        self._held = {name: (part_of(held, Pass), held.used) for name, held in (kept or {}).items()}

    def find(self, name: str) -> Pass:
        """Returns the pass with this name, and notes that it was used; `NO_PASS` where it has ended."""
        with self._lock:
            found, used = self._held.get(name, (NO_PASS, 0.0))
            if found == NO_PASS:
                return NO_PASS
            if self._now() - used > self._lasts:
                del self._held[name]
                return NO_PASS
            self._held[name] = found, self._now()
            return found

    def give(self, what: Pass, instead: str = "") -> str:
        """Gives a pass in the place of another one, which ends. Returns its name."""
        name = secrets.token_urlsafe(24)
        with self._lock:
            self._held.pop(instead, None)
            if what == NO_PASS:
                return ""
            alike = [other for other, (held, _) in self._held.items() if held == what]
            for other in sorted(alike, key=lambda other: self._held[other][1])[: 1 - MOST_ALIKE]:
                del self._held[other]
            self._held[name] = what, self._now()
        return name

    def end(self, name: str) -> None:
        """Ends a pass."""
        self.give(NO_PASS, instead=name)

    def kept(self) -> dict[str, KeptPass]:
        with self._lock:
            self._forget()
            return {name: part_of(held, KeptPass, used=round(at)) for name, (held, at) in self._held.items()}

    def _forget(self) -> None:
        since = self._now() - self._lasts
        self._held = {name: held for name, held in self._held.items() if held[1] >= since}
