"""Measures what drawn files cost the page's server: its memory, the time of each, what others wait meanwhile.

    python -m benchmarks exports [GAMES [ROUNDS]]

A spectator asks a real `companion run` for the GIF, WebP, PDF and PNG of games of 131 to 600 actions, one
after the other, in several rounds.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from pathlib import Path
from threading import Event, Thread

from benchmarks.running.browser import Browser
from benchmarks.running.companion import serve
from benchmarks.running.figures import MB, memory, spread
from benchmarks.simulation.players import opening, play_on
from companion.record.record import Record
from companion.store.store import Store

GAMES, ROUNDS, SHORTEST, LONGEST = 9, 1, 131, 600
NAMES = ("escape", "teleporters", "ternion_spaces")
KEPT = 50
"""MB that the server may keep, for what it loads and buffers at the first requests."""
FORMS = ("gif", "webp", "pdf", "png")


def main(args: list[str]) -> int:
    """Prints memory and times. Returns 1 where more memory than `KEPT` was not given back."""
    count, rounds = (int(args[n]) if len(args) > n else usual for n, usual in enumerate((GAMES, ROUNDS)))
    with tempfile.TemporaryDirectory() as folder:
        lengths = _fill(Path(folder), count)
        print(f"{count} games of {lengths[0]} to {lengths[-1]} actions")
        with serve(folder, "--source", "none") as server:
            page = Browser(server.port)
            page.read("records/1")  # all that a first request loads
            before = memory([server.pid]) / MB
            for n in range(rounds):
                print(f"the state asked for meanwhile: {spread(_ask_beside(page, server.port, count))}")
                held = memory([server.pid]) / MB
                print(f"server: {before:.0f} MB before, {held:.0f} MB after round {n + 1}")
            kept = held - before
    return int(kept > KEPT)


def _ask_beside(page: Browser, port: int, count: int) -> list[float]:
    """Asks for all files, and returns the times of another one's requests meanwhile."""
    took: list[float] = []
    is_over, other = Event(), Browser(port)

    def ask() -> None:
        while not is_over.wait(0.1):
            begun = time.perf_counter()
            other.state()
            took.append(time.perf_counter() - begun)

    beside = Thread(target=ask)
    beside.start()
    try:
        for form in FORMS:
            print(f"  {form}: {_ask(page, form, count)}")
    finally:
        is_over.set()
        beside.join()
    return took


def _ask(page: Browser, form: str, count: int) -> str:
    seconds, sizes = [], []
    for number in range(1, count + 1):
        begun = time.perf_counter()
        sizes.append(len(page.read(f"records/{number}/export/{form}")))
        seconds.append(time.perf_counter() - begun)
    middle, largest = statistics.median(seconds), max(sizes) / 1e6
    return f"median {middle:.1f} s, worst {max(seconds):.1f} s, up to {largest:.1f} MB"


def _fill(folder: Path, count: int) -> list[int]:
    """Stores games that chance plays, the first the shortest. Returns how long they are."""
    chance = random.Random(7)
    with Store(folder / "games.sqlite") as store:
        lengths = [SHORTEST + (LONGEST - SHORTEST) * n // max(1, count - 1) for n in range(count)]
        for n, length in enumerate(lengths):
            played = play_on(opening(NAMES[n % len(NAMES)], chance), length, chance)
            store.add(Record(played.game, played.log), 1e9)
    return lengths
