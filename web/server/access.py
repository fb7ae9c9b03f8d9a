"""Who may act here: passes, and attempts at the PIN, kept over a restart in one file.

A pass is what a browser was given: a seat, or the arbiter's role. Its cookie names the pass and holds no
right by itself. So a pass that is ended is ended in every copy of the cookie.

Each address may try the PIN a few times in a while. Addresses that were never right share one slow allowance,
however many they are: that is what makes guessing slow. The machine itself, and an address that was right
before, do not depend on it: strangers who guess do not shut the arbiter out. What this comes to for a PIN of
so many digits is in docs/privacy.md.

Their ages count in the time for which the server has run, in all its runs together. A machine without a
battery for its clock begins in some other year, and jumps once it has a network: by the time of day,
everybody would lose the seat.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.core.damaged_files import set_file_aside
from companion.core.private_files import write_private
from companion.wire.codec import WireError, decode, write
from companion.wire.values import Wire

log = logging.getLogger(__name__)
FILE = "access.json"
SAVED_EVERY = 600.0
"""The seconds after which the time that passed is saved: so much at most is not counted when the program
ends without a word."""

MOST_ALIKE = 32
"""The passes that one seat, or the arbiter, may have at once. One that was not used for long goes first."""
WINDOW, OF_ONE = 300.0, 5
"""The seconds in which one address may try this often."""
EVERY, AT_ONCE = 72.0, 50
"""The seconds after which all strangers together may try once more, and how often they may at first."""
KNOWN = 16
"""The number of addresses that are remembered for having been right."""
ITSELF = "this machine"
"""The address of whoever sits at the machine itself."""


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
    used: float = field(default=0.0, compare=False)
    """When its browser came last."""


NO_PASS = Pass()


class Passes:
    """The passes by their names. Any thread may call it.

    One that was not used for `lasts` seconds of `now` ends.
    """

    def __init__(
        self, now: Callable[[], float], lasts: float, kept: Mapping[str, Pass] | None = None
    ) -> None:
        self._now, self._lasts = now, lasts
        self._lock = threading.Lock()
        self._held = dict(kept or {})

    def find(self, name: str) -> Pass:
        """Returns the pass with this name, and notes that it was used; `NO_PASS` where it has ended."""
        with self._lock:
            self._forget()
            found = self._held.get(name, NO_PASS)
            if found != NO_PASS:
                self._held[name] = replace(found, used=self._now())
            return found

    def give(self, what: Pass, instead: str = "") -> str:
        """Gives a pass in the place of another one, which ends. Returns its name."""
        name = secrets.token_urlsafe(24)
        with self._lock:
            self._held.pop(instead, None)
            if what == NO_PASS:
                return ""
            alike = [other for other, held in self._held.items() if held == what]
            for other in sorted(alike, key=lambda other: self._held[other].used)[: 1 - MOST_ALIKE]:
                del self._held[other]
            self._held[name] = replace(what, used=self._now())
        return name

    def end(self, name: str) -> None:
        """Ends a pass."""
        self.give(NO_PASS, instead=name)

    def kept(self) -> dict[str, Pass]:
        """Returns what is kept of them over a restart."""
        with self._lock:
            self._forget()
            return {name: replace(held, used=round(held.used)) for name, held in self._held.items()}

    def _forget(self) -> None:
        since = self._now() - self._lasts
        self._held = {name: held for name, held in self._held.items() if held.used >= since}


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


class Kept(Wire):
    """What the file holds."""

    ran: float = 0.0
    passes: Mapping[str, Pass] = field(default_factory=dict)
    attempts: KeptAttempts = NOTHING_KEPT


class Access:
    """The passes and attempts of one server. `clock` gives seconds that never jump; without a path nothing is
    kept.
    """

    def __init__(self, clock: Callable[[], float], lasts: float, path: Path | None = None) -> None:
        self._clock, self._path = clock, path
        self._begun = clock()
        self._writing = threading.Lock()
        kept = _read(path)
        self._ran_before = self._saved_at = kept.ran
        self.passes = Passes(self.ran, lasts, kept.passes)
        self.attempts = Attempts(self.ran, kept.attempts)

    def ran(self) -> float:
        """Returns the seconds for which the server has run, in all its runs."""
        return self._ran_before + self._clock() - self._begun

    def find(self, name: str) -> Pass:
        """Returns the pass with this name, `NO_PASS` where it has ended.

        Now and then it saves how old all are.
        """
        if self.ran() - self._saved_at >= SAVED_EVERY:
            self.save()
        return self.passes.find(name)

    def holds(self, name: str) -> bool:
        """Returns whether the pass with this name goes on; True for '', which is none."""
        return not name or self.find(name) != NO_PASS

    def save(self) -> None:
        """Writes the file. Where the disk takes none, that is tried again later."""
        if self._path is None:
            return
        self._saved_at = self.ran()
        with self._writing:
            kept = Kept(self.ran(), self.passes.kept(), self.attempts.kept())
            try:
                write_private(self._path, write(kept))
            except OSError as error:
                log.warning("cannot write '%s' (%s): who has a seat is not kept", self._path, error.strerror)


def _read(path: Path | None) -> Kept:
    """Returns what a file holds; nothing where there is none, or it was damaged."""
    try:
        return decode(path.read_bytes(), Kept) if path else Kept()
    except WireError:
        assert path  # nothing else is decoded
        with suppress(OSError):
            set_file_aside(path)
        log.warning("'%s' was damaged, and is set aside: everybody has to take a seat anew", path)
    except FileNotFoundError:
        pass
    except OSError as error:
        log.warning("cannot read '%s' (%s): everybody has to take a seat anew", path, error.strerror)
    return Kept()
