"""Measures what the service holds of a machine: memory, descriptors and threads.

    python -m benchmarks footprint [MALLOC_ARENA_MAX]
    python -m benchmarks footprint games
    python -m benchmarks footprint phone

Runs `companion run --tls self` with a virtual camera and a long game among the records. Prints a line when
its page opens, one with 50 displays (each reads the events, one also the picture, 15 times a second), one
while 20 more ask for exports, and one after them. With `games` all games are played in turn instead, twice,
some actions each, and each has its line. With `phone` Triune is played in front of a phone's camera. Memory
is the share of all its processes (PSS, Linux).
"""

from __future__ import annotations

import os
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import cv2

from benchmarks.running.browser import BROKEN, PICTURE_EVERY, Browser, RefusedError, follow, watch_pictures
from benchmarks.running.companion import Served, serve
from benchmarks.running.figures import with_children
from benchmarks.simulation.players import opening, play_on
from companion import games
from companion.games.text import read_game
from companion.record.record import Record
from companion.record.session import begin
from companion.store.store import Store
from vision.sources.virtual import VirtualTable
from vision.virtual.tabletop import laid_looks
from web.runtime.runtime import lay_virtual

DISPLAYS, EXPORTING, ACTIONS, SETTLED = 50, 20, 600, 5.0
"""The numbers of displays that look on and of those that export, the length of the recorded game, and the
seconds before a figure is taken."""
PLAYED = 3
"""The number of actions that are played of each game in turn."""
EXPORTS, ROUNDS = ("gif", "webp", "pdf", "png", "svg", "pgn"), 3


@dataclass(frozen=True)
class Footprint:
    """The memory (MB), descriptors and threads that some processes hold."""

    memory: float
    descriptors: int
    threads: int

    def __str__(self) -> str:
        return f"{self.memory:4.0f} MB, {self.descriptors} descriptors, {self.threads} threads"


def main(args: list[str]) -> int:
    ways = {"games": _play_all, "phone": _play_before_phone}
    return ways[args[0]]() if args and args[0] in ways else _look_on(args)


def _play_all() -> int:
    """Prints what is held once each game was played for some actions, in two rounds."""
    with tempfile.TemporaryDirectory() as data, _service(Path(data), {}) as served:
        _print("the page is open", served.pid)
        page = Browser(served.port, is_secure=True)
        for turn in range(2):
            for name in games.installed():
                _play_some(page, name)
                _print(f"round {turn + 1}, after {name}", served.pid)
    return 0


def _play_before_phone() -> int:
    """Prints what is held while a phone shows a board on which actions are played."""
    game = read_game("triune")
    session, virtual = begin(game), VirtualTable(game.board, Random(0), size=(1280, 720))
    profile = lay_virtual(virtual, session).profile
    with tempfile.TemporaryDirectory() as data:
        (Path(data) / "profiles").mkdir()
        profile.save(Path(data) / "profiles" / f"{game.board.name}.json")
        with _service(Path(data), {}, "phone") as served, _most(served.pid) as most:
            page = Browser(served.port, is_secure=True, keeps=True)
            key = page.ask("phone", {"ticket": ""})["key"]
            for n in range(PLAYED + 1):
                picture = cv2.imencode(".jpg", virtual.picture())[1].tobytes()
                until = time.monotonic() + 2 * SETTLED
                while time.monotonic() < until:
                    page.ask(f"phone/pictures/{key}", picture)
                    time.sleep(PICTURE_EVERY)
                _print(f"{n} actions laid, {len(page.moves())} read", served.pid)
                action = min(game.rules.legal(session.position))
                session = session.play(action)
                virtual.become(laid_looks(game.rules, session.position))
            print(f"at most: {most()}")
    return 0


def _play_some(page: Browser, name: str) -> None:
    """Begins a game, waits for its picture, and plays some actions through the page's API."""
    game, chance = read_game(name), Random(0)
    position = game.start()
    page.ask("games", {"game": name})
    for _ in range(PLAYED):
        while not page.read("picture.jpg"):
            time.sleep(PICTURE_EVERY)
        time.sleep(SETTLED / 4)
        dealt = game.rules.deal(position, {**game.options, "setup": "random"}, chance)
        action = dealt or chance.choice(sorted(game.rules.legal(position)))
        try:
            page.ask("actions", {"action": action})
        except RefusedError:  # a secret set-up, which its owner alone may give
            return
        position = game.rules.after(position, action)


def _look_on(args: list[str]) -> int:
    arenas = {"MALLOC_ARENA_MAX": args[0]} if args else {}
    with tempfile.TemporaryDirectory() as data, _service(Path(data), arenas) as served:
        pid, port = served.pid, served.port
        _print("the page is open", pid)
        closed = threading.Event()
        for n in range(2, 4):  # one address has 32 displays at most
            _start(DISPLAYS // 2, partial(_look, port, f"127.0.0.{n}", closed))
        _start(1, partial(watch_pictures, port, closed, True))
        time.sleep(SETTLED)
        _print(f"{DISPLAYS} displays, a camera", pid)
        with _most(pid) as most:
            for _ in range(ROUNDS):
                exporting = _start(EXPORTING, partial(_export, port))
                for thread in exporting:
                    thread.join()
        print(f"while they ask for exports, at most: {most()}")
        time.sleep(SETTLED)
        _print("after that", pid)
        closed.set()
    return 0


def _print(when: str, pid: int) -> None:
    print(f"{when}: {_footprint(pid)}", flush=True)


@contextmanager
def _service(data: Path, environment: dict[str, str], source: str = "virtual") -> Iterator[Served]:
    """Starts the service with a long game among its records: the longest of some in which chance plays."""
    games_by_chance = (play_on(opening("draughts", Random(n)), ACTIONS, Random(n)) for n in range(20))
    longest = max(games_by_chance, key=lambda session: len(session.plies))
    with Store(data / "games.sqlite") as store:
        store.add(Record(longest.game, longest.log), 1e9)
    options = ("--game", "triune", "--source", source, "--tls", "self")
    with serve(data, *options, environment=environment) as served:
        time.sleep(SETTLED)
        yield served


def _start(count: int, act: Callable[[], None]) -> list[threading.Thread]:
    threads = [threading.Thread(target=act, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def _look(port: int, address: str, closed: threading.Event) -> None:
    """Reads a display's stream of events, from another address of this machine."""
    for _ in follow(port, address, is_secure=True):
        if closed.is_set():
            return


def _export(port: int) -> None:
    """Asks for every export of the long game; one that is refused because others wait is left out."""
    page = Browser(port, is_secure=True)
    for form in EXPORTS:
        with suppress(RefusedError, *BROKEN):
            page.read(f"records/1/export/{form}")


@contextmanager
def _most(pid: int) -> Iterator[Callable[[], Footprint]]:
    """Notes the largest of each figure while the block runs."""
    seen, ended = [_footprint(pid)], threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            seen.append(_footprint(pid))

    thread = threading.Thread(target=watch)
    thread.start()
    yield lambda: Footprint(
        max(one.memory for one in seen),
        max(one.descriptors for one in seen),
        max(one.threads for one in seen),
    )
    ended.set()
    thread.join()


def _footprint(pid: int) -> Footprint:
    """Returns what a process and those that it started hold together."""
    memory = descriptors = threads = 0
    for each in with_children(pid):
        with suppress(OSError):  # one that ended meanwhile
            rollup = Path(f"/proc/{each}/smaps_rollup").read_text(encoding="ascii")
            memory += sum(int(found) for found in re.findall(r"^Pss: +(\d+) kB", rollup, re.MULTILINE))
            descriptors += len(os.listdir(f"/proc/{each}/fd"))
            threads += len(os.listdir(f"/proc/{each}/task"))
    return Footprint(memory / 1024, descriptors, threads)
