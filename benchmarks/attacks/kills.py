"""Kills the whole server again and again (`kill -9`) while clients act: what was acknowledged is there.

    python -m benchmarks attack kills [--count 1000] [--seed 1]

Four clients play, take back, comment and begin games, all at the same table, and a display follows. The next
start goes on with the same games. Then each acknowledged action must be in the store, nothing may be there
that nobody sent, and what the display showed last must have stood in its game. Every tenth life is killed
while it starts. The mark is no loss and no fault.
"""

from __future__ import annotations

import argparse
import itertools
import random
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.running.browser import BROKEN, Browser, RefusedError, states
from benchmarks.running.companion import companion
from companion.record.record import Record
from companion.record.session import Session, begin
from companion.store.store import Store

COUNT, CLIENTS = 1000, 4
LONGEST = 40
"""Actions after which a game is given up for the next one."""
AT_START = 10
"""One life in so many is killed while it starts."""
LIVES_S, STARTS_S = 0.5, 0.3
"""Seconds within which a life is killed after its first page, or after its start."""
Line = tuple[str, str]
"""A deed of a client, by kind and text; a comment's text is unique."""


@dataclass
class Acts:
    """The deeds of clients in one life: those acknowledged, and those without an answer."""

    answered: Counter[Line] = field(default_factory=Counter)
    open: Counter[Line] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    """The server's own faults that were answered (500)."""

    def add(self, more: Acts) -> None:
        self.answered += more.answered
        self.open += more.open
        self.faults += more.faults


class Client(threading.Thread):
    """Acts at the page until the line breaks."""

    def __init__(self, port: int, chance: random.Random, name: str) -> None:
        super().__init__(name=name, daemon=True)
        self._port, self._chance = port, chance
        self._comments = (f"{name} {n}" for n in itertools.count())
        self.acts = Acts()

    def run(self) -> None:
        try:
            browser = Browser(self._port)
            while True:
                self._act(browser)
        except (*BROKEN, ValueError):  # the server is killed, perhaps in the middle of an answer
            return

    def _act(self, browser: Browser) -> None:
        state = browser.state()
        roll = self._chance.random()
        if state["state"] == "empty" or state["outcome"] or len(state["moves"]) >= LONGEST:
            self._send(browser, ("game", "triune"), "games", {"game": "triune"})
        elif roll < 0.1 and state["moves"]:
            self._send(browser, ("takeback", "1"), "takebacks", {})
        elif roll < 0.2:
            text = next(self._comments)
            self._send(browser, ("comment", text), f"records/{state['number']}/notes", {"text": text})
        else:
            action = self._chance.choice(state["legal"])["action"]
            self._send(browser, ("action", action), "actions", {"action": action})

    def _send(self, browser: Browser, line: Line, path: str, body: dict[str, Any]) -> None:
        """Sends it. What is refused, because another client acted first, was not done."""
        self.acts.open[line] += 1
        try:
            browser.ask(path, body)
        except RefusedError as refusal:
            if refusal.status >= 500:  # it may be done all the same
                self.acts.faults += [str(refusal)] if refusal.status == 500 else []
                return
        else:
            self.acts.answered[line] += 1
        self.acts.open[line] -= 1


class Display(threading.Thread):
    """Follows the live stream, and keeps the game and the moves that it showed last."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self.shown: tuple[int, list[str]] | None = None

    def run(self) -> None:
        for state in states(self._port):
            if state.get("number") is not None:
                self.shown = state["number"], [move["action"] for move in state["moves"]]


@dataclass
class Life:
    """One life of the companion, from its start to its death."""

    acts: Acts = field(default_factory=Acts)
    shown: tuple[int, list[str]] | None = None
    has_served: bool = False


@dataclass
class Toll:
    """The sums over all lives of the server."""

    kills: int = 0
    at_start: int = 0
    acts: Acts = field(default_factory=Acts)
    states: int = 0
    lost: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        answered, unanswered = self.acts.answered.total(), self.acts.open.total()
        return (
            f"{self.kills} kills ({self.at_start} before a page was served), {answered} acknowledged actions,"
            f" {unanswered} sent without an answer, {self.states} states shown last: {len(self.lost)} lost,"
            f" {len(self.acts.faults)} answered by a fault"
        )


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks attack kills")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(args)
    with tempfile.TemporaryDirectory() as folder:
        toll = attack(Path(folder), options.count, random.Random(options.seed))
    print(toll)
    wrong = toll.lost + toll.acts.faults
    print("\n".join(wrong))
    return 1 if wrong else 0


def attack(folder: Path, count: int, chance: random.Random) -> Toll:
    """Kills a companion so many times, and checks its games after each start and at the end."""
    toll, ledger = Toll(), Ledger(folder / "games.sqlite")
    for n in range(count):
        life = live(folder, chance, n, ledger, toll)
        toll.kills += 1
        toll.at_start += not life.has_served
        if not toll.kills % 100:
            print(toll, flush=True)
    live(folder, chance, count, ledger, toll)
    toll.lost += [f"game {number} is damaged: {words}" for number, words in ledger.damaged()]
    return toll


def live(folder: Path, chance: random.Random, n: int, ledger: Ledger, toll: Toll) -> Life:
    """Starts a companion, checks what the one before left, acts, and kills it."""
    life, is_killed_at_start = Life(), n % AT_START == AT_START - 1
    with companion(folder) as running:
        if is_killed_at_start:
            time.sleep(chance.uniform(0.0, STARTS_S))
            running.kill()
        port = running.port()
        if port is None:
            return life
        life.has_served = True
        toll.lost += ledger.missing()
        display = Display(port)
        clients = [Client(port, random.Random(chance.random()), f"{n}-{k}") for k in range(CLIENTS)]
        for thread in (display, *clients):
            thread.start()
        time.sleep(chance.uniform(0.0, LIVES_S))
        running.kill()
        for thread in (display, *clients):
            thread.join()
    for client in clients:
        life.acts.add(client.acts)
    life.shown = display.shown
    toll.acts.add(life.acts)
    toll.states += life.shown is not None
    ledger.note(life)
    return life


class Ledger:
    """The lines that the store has to hold beside those of the last look."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._due = Life()
        self._known: Counter[Line] = Counter()
        self._since = 0
        """The newest game at the last look. Those before it change no more."""

    def note(self, life: Life) -> None:
        self._due = life

    def missing(self) -> list[str]:
        """Returns what is missing since the last look, and what is there that nobody sent."""
        if not self._path.exists():
            return []
        with Store(self._path) as store:
            newest = max([*(summary.id for summary in store.list(limit=1)), 0])
            games = {number: store.load(number) for number in range(max(self._since, 1), newest + 1)}
        found = Counter({("game", "triune"): newest - self._since})
        lines = Counter(line for record in games.values() for line in _lines(record))
        found += lines - self._known
        acts = self._due.acts
        lost = [f"lost: {line}" for line in acts.answered - found]
        lost += [f"nobody sent: {line}" for line in found - acts.answered - acts.open]
        lost += self._unshown(games)
        self._known, self._since = Counter(_lines(games[newest]) if newest else ()), newest
        self._due = Life()
        return lost

    def damaged(self) -> list[tuple[int, str]]:
        with Store(self._path) as store:
            return list(store.check())

    def _unshown(self, games: dict[int, Record]) -> list[str]:
        """Returns what a display showed last and never stood in that game."""
        if self._due.shown is None:
            return []
        number, moves = self._due.shown
        if number in games and tuple(moves) in {session.actions for session in _history(games[number])}:
            return []
        log = [entry.text for entry in games[number].log] if number in games else "none"
        return [f"shown in game {number}, and not there: {moves} of {log}"]


def _lines(record: Record) -> list[Line]:
    comments = [("comment", note.text) for note in record.notes]
    return [(entry.kind, entry.text) for entry in record.log] + comments


def _history(record: Record) -> list[Session]:
    """Returns the session after each entry of a game's log."""
    sessions = [begin(record.game)]
    for entry in record.log:
        sessions.append(sessions[-1].apply(entry))
    return sessions
