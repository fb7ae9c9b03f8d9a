"""Watches a hall as a display at its wall and as a reader of its database, and notes when each saw what.

Times are seconds since 1970; all programs are on one machine, and go by one clock.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass

import psycopg

from benchmarks.running.browser import follow

Ply = tuple[str, int, int]
"""A board's name, the number of a game, and how many actions stand."""
LOOK_S = 0.02
"""Seconds between two looks into the database."""


class WallWatcher(threading.Thread):
    """A display at the wall: `seen` says when it was told of each board's actions first."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self.seen: dict[Ply, float] = {}
        self.bytes = 0
        self._is_over = threading.Event()

    def stop(self) -> None:
        self._is_over.set()
        self.join()

    def run(self) -> None:
        for event in follow(self._port):
            self.bytes += event.size
            if event.kind == "boards":
                self._note(event.data)
            if self._is_over.is_set():
                return

    def _note(self, data: str) -> None:
        now = time.time()
        for board in json.loads(data)["boards"]:
            if (last := board["last"]) and board["number"]:
                self.seen.setdefault((board["name"], board["number"], last["n"]), now)


@dataclass(frozen=True, slots=True)
class Stored:
    """An action in the database: when the board had it, and when it was found there."""

    ply: Ply
    acted: float
    found: float


class ArchiveWatcher(threading.Thread):
    """Asks the database again and again for lines that it has not seen."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self._address = address
        self.stored: list[Stored] = []
        self._is_over = threading.Event()

    def stop(self) -> None:
        self._is_over.set()
        self.join()

    def run(self) -> None:
        known: set[tuple[str, int, int]] = set()
        since = time.time() - 1
        with psycopg.connect(self._address, autocommit=True) as db:
            while not self._is_over.is_set():
                asked = (
                    "SELECT site, board, companion, game, line, plies, kind, time, arrived"
                    " FROM lines WHERE arrived >= %s ORDER BY arrived"
                )
                rows = db.execute(asked, (since,)).fetchall()
                now = time.time()
                for site, board, companion, game, line, plies, kind, acted, _ in rows:
                    if (key := (companion, game, line)) in known:
                        continue
                    known.add(key)
                    if kind == "action":
                        self.stored.append(Stored((f"{site}/{board}", game, plies), acted, now))
                since = max(since, now - 5.0)
                self._is_over.wait(LOOK_S)
