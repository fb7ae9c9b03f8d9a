"""Asks for one long record by many connections of one address, again and again.

    python -m benchmarks attack records [--actions 20000] [--count 90] [--seconds 30]

At a whole companion in a process of its own. Meanwhile 127.0.0.3 acts at the table, which has to take less
than a second, and the server's memory has to stay below 400 MB. Each connection reads what it is sent. At
the end the record has to come whole, part by part.
"""

from __future__ import annotations

import argparse
import http.client
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from benchmarks.attacks.flood import FLOODER, OTHER, ask, at_once, connect
from benchmarks.running.browser import Browser
from benchmarks.running.companion import Companion, companion
from benchmarks.running.figures import memory

RECORD = "/api/v1/records/1"
MOST_BYTES, ACTS_WITHIN = 400 * 1024**2, 1.0
PAUSE = 0.2
ACTION = "a2-a3"


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks attack records")
    parser.add_argument("--actions", type=int, default=20_000, help="of the record")
    parser.add_argument("--count", type=int, default=90, help="connections of one address")
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args(args)
    with tempfile.TemporaryDirectory() as name, companion(Path(name)) as server:
        return 0 if attack(server, options.actions, options.count, options.seconds) else 1


def attack(server: Companion, actions: int, count: int, seconds: float) -> bool:
    """Asks for a record, prints what was measured, and returns whether the marks are kept."""
    port = server.port()
    assert port is not None, "the companion did not start"
    page = Browser(port, OTHER)
    page.ask("records", {"record": "triune " + "a1~ a8~ " * (actions // 2)})
    page.ask("games", {"game": "triune"})
    most, times = 0, list[float]()
    with crowd(port, count) as answers:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            times.append(_act(page))
            most = max(most, memory([server.process.pid or 0]))
            time.sleep(PAUSE)
    begun, steps = time.perf_counter(), _steps(page)
    print(f"{count} connections, {actions} actions: {dict(answers)}")
    print(f"  memory at most {most / 1024**2:.0f} MB; acting at most {1000 * max(times):.0f} ms")
    print(f"  then {steps} steps in {time.perf_counter() - begun:.1f} s")
    return most < MOST_BYTES and max(times) < ACTS_WITHIN and steps == actions + 1


@contextmanager
def crowd(port: int, count: int) -> Iterator[Counter[int]]:
    """Asks by so many connections at once, until the end; counts the answers by their status."""
    over, answers = threading.Event(), Counter[int]()

    def ask_on() -> None:
        while not over.is_set():
            with suppress(OSError, http.client.HTTPException), closing(connect(port, FLOODER)) as line:
                line.settimeout(60)
                answers[ask(line, RECORD)[0]] += 1
            over.wait(PAUSE)

    with at_once(ask_on, count, over):
        yield answers


def _act(page: Browser) -> float:
    """Plays an action, and takes it back; returns the seconds that the slower of both took."""
    times = []
    for path, body in (("actions", {"action": ACTION}), ("takebacks", {"count": 1})):
        begun = time.perf_counter()
        page.ask(path, body)
        times.append(time.perf_counter() - begun)
    return max(times)


def _steps(page: Browser) -> int:
    """Returns how many steps the record has, if it is asked for part by part."""
    steps, more = 0, True
    while more:
        answer = page.ask(f"records/1?from={steps}")
        steps, more = steps + len(answer["steps"]), answer["more"]
    return steps
