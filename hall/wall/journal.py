"""Keeps the rulings of the arbiter's desk, and the needs ticked off there: a file to which lines are added.

Each line is a JSON object. A line that a power cut left half written is passed over.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.core.errors import CompanionError
from companion.core.private_files import open_private
from companion.language import say
from companion.wire.codec import WireError, decode, write
from companion.wire.values import Wire

FILE = "rulings.jsonl"
RULED = b'{"ruling":'
"""How a line with a ruling begins."""
SHOWN_RULINGS = 200
"""The rulings that the desk shows."""


class JournalError(CompanionError):
    """The journal cannot be written: nothing was ruled."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling: when it was sent (seconds since 1970), by whom, to which board, and what that answered.

    A ruling is written twice, before it is sent (`answer` and `status` are None) and when it is answered, so
    that none is lost whatever happens in between.
    """

    id: str
    at: float
    by: str
    board: str
    number: int | None
    kind: str
    values: Mapping[str, object]
    status: int | None = None
    answer: str | None = None


class Ruled(Wire):
    """A line of the file: a ruling."""

    ruling: Ruling


class NeedLine(Wire):
    """A line of the file: somebody has seen a need, or has not after all."""

    need: str
    by: str
    at: float
    seen: bool


class Journal:
    """The rulings and ticks of one hall. Any thread may call it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._rulings: dict[str, Ruling] = {}
        self._seen: frozenset[str] = frozenset()
        self._count = 0
        for line in _lines(path):
            self._take(line)

    @property
    def rulings(self) -> list[Ruling]:
        """The latest rulings, the newest first."""
        with self._lock:
            return list(self._rulings.values())[: -SHOWN_RULINGS - 1 : -1]

    @property
    def count(self) -> int:
        """Returns the number of lines, which tells whether anything is new."""
        return self._count

    @property
    def seen(self) -> frozenset[str]:
        """The needs that were ticked off."""
        return self._seen

    def note(self, ruling: Ruling) -> None:
        """Writes a ruling. JournalError where the disk takes none."""
        self._add(Ruled(ruling))

    def tick(self, need: str, by: str, at: float, is_seen: bool) -> None:
        """Notes that somebody has seen a need, or has not after all. JournalError where the disk is full."""
        self._add(NeedLine(need, by, at, is_seen))

    def _add(self, line: Ruled | NeedLine) -> None:
        with self._lock:
            try:
                with open(self._path, "ab", opener=open_private) as file:
                    if file.tell() and not _ends_whole(self._path):
                        file.write(b"\n")
                    file.write(write(line) + b"\n")
                    file.flush()
                    os.fsync(file.fileno())
            except OSError as error:
                raise JournalError(
                    say(
                        "the hall's journal cannot be written ({reason}): nothing was done",
                        reason=error.strerror or "",
                    )
                ) from error
            self._take(line)

    def _take(self, line: Ruled | NeedLine) -> None:
        self._count += 1
        if isinstance(line, Ruled):
            self._rulings[line.ruling.id] = line.ruling
        elif line.seen:
            self._seen |= {line.need}
        else:
            self._seen -= {line.need}


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _lines(path: Path) -> Iterator[Ruled | NeedLine]:
    """Yields the whole lines of the file, oldest first."""
    for line in path.read_bytes().splitlines() if path.exists() else ():
        with suppress(WireError):
            yield decode(line, Ruled) if line.startswith(RULED) else decode(line, NeedLine)
