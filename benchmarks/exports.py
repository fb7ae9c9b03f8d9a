"""Measures what drawn files cost the page's server: its memory, the time of each, what others wait meanwhile.

    python -m benchmarks exports [GAMES [ROUNDS]]

A spectator asks a real `companion run` for the GIF, WebP, PDF and PNG of games of 131 to 600 actions, one
after the other, in several rounds.
"""

from __future__ import annotations

import json
import random
import re
import statistics
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

from benchmarks.costs import COMPANION, page_port
from companion.games.text import read_game
from companion.record.record import read_any
from companion.store.store import Store

GAMES, ROUNDS, SHORTEST, LONGEST = 9, 1, 131, 600
NAMES = ("escape", "teleporters", "ternion_spaces")
KEPT = 50
"""MB that the server may keep, for what it loads and buffers at the first requests."""
FORMS = ("gif", "webp", "pdf", "png")


@dataclass(frozen=True)
class Server:
    """A running server, by its process and its address."""

    process: int
    address: str

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"{self.address}api/v1/{path}", timeout=300) as answer:
            body: bytes = answer.read()
        return body

    def memory(self) -> float:
        """Returns the memory that it holds, in MB. Linux only."""
        status = Path(f"/proc/{self.process}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return int(found[1]) / 1024


def main(args: list[str]) -> int:
    """Prints memory and times. Returns 1 where more memory than `KEPT` was not given back."""
    count, rounds = (int(args[n]) if len(args) > n else usual for n, usual in enumerate((GAMES, ROUNDS)))
    with tempfile.TemporaryDirectory() as folder:
        lengths = _fill(Path(folder), count)
        print(f"{count} games of {lengths[0]} to {lengths[-1]} actions")
        with _serving(folder) as server:
            json.loads(server.get("records/1"))  # all that a first request loads
            before = server.memory()
            for n in range(rounds):
                waits = _ask_beside(server, count)
                print(f"the state asked for meanwhile: median {waits[0]:.0f} ms, worst {waits[1]:.0f} ms")
                print(f"server: {before:.0f} MB before, {server.memory():.0f} MB after round {n + 1}")
            kept = server.memory() - before
    return int(kept > KEPT)


def _ask_beside(server: Server, count: int) -> tuple[float, float]:
    """Asks for all files, and returns the median and the worst time of other requests meanwhile; ms."""
    took: list[float] = []
    is_over = Event()

    def ask() -> None:
        while not is_over.wait(0.1):
            begun = time.perf_counter()
            server.get("state")
            took.append(1000 * (time.perf_counter() - begun))

    beside = Thread(target=ask)
    beside.start()
    try:
        for form in FORMS:
            print(f"  {form}: {_ask(server, form, count)}")
    finally:
        is_over.set()
        beside.join()
    return statistics.median(took), max(took)


def _ask(server: Server, form: str, count: int) -> str:
    seconds, sizes = [], []
    for number in range(1, count + 1):
        begun = time.perf_counter()
        sizes.append(len(server.get(f"records/{number}/export/{form}")))
        seconds.append(time.perf_counter() - begun)
    middle, largest = statistics.median(seconds), max(sizes) / 1e6
    return f"median {middle:.1f} s, worst {max(seconds):.1f} s, up to {largest:.1f} MB"


def _fill(folder: Path, count: int) -> list[int]:
    """Stores games that chance plays, the first the shortest. Returns how long they are."""
    chance = random.Random(7)
    with Store(folder / "games.sqlite") as store:
        lengths = [SHORTEST + (LONGEST - SHORTEST) * n // max(1, count - 1) for n in range(count)]
        for n, length in enumerate(lengths):
            store.add(read_any(_play(NAMES[n % len(NAMES)], length, chance)), 1e9)
    return lengths


def _play(name: str, length: int, chance: random.Random) -> str:
    game = read_game(name)
    position = game.start()
    actions: list[str] = []
    while len(actions) < length and game.rules.outcome(position) is None:
        actions.append(chance.choice(list(game.rules.legal(position))))
        position = game.rules.play(position, actions[-1]).position
    return game.text(actions)


@contextmanager
def _serving(folder: str) -> Iterator[Server]:
    command = [COMPANION, "run", "--source", "none", "--port", "0", "--data", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Server(process.pid, f"http://127.0.0.1:{page_port(process)}/")
        finally:
            process.terminate()
