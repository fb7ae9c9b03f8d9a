"""Who may act here: passes, and attempts at the PIN, kept over a restart in one file.

Their ages count in the time for which the server has run, in all its runs together. A machine without a
battery for its clock begins in some other year, and jumps once it has a network: by the time of day,
everybody would lose the seat.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field
from pathlib import Path

from companion.core.damaged_files import set_file_aside
from companion.core.private_files import write_private
from companion.wire.codec import WireError, decode, write
from companion.wire.values import Wire
from web.server.attempts import NOTHING_KEPT, Attempts, KeptAttempts
from web.server.passes import NO_PASS, KeptPass, Pass, Passes

log = logging.getLogger(__name__)
FILE = "access.json"
SAVED_EVERY = 600.0
"""The seconds after which the time that passed is saved: so much at most is not counted when the program
ends without a word."""


class Kept(Wire):
    """What the file holds."""

    ran: float = 0.0
    passes: Mapping[str, KeptPass] = field(default_factory=dict)
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
