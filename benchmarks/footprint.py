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

import json
import os
import re
import ssl
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http.client import HTTPSConnection
from pathlib import Path
from random import Random
from urllib.parse import urlsplit
from urllib.request import urlopen

import cv2

from benchmarks.costs import COMPANION, PICTURE_EVERY, page_port, watch_pictures
from companion import games
from companion.games.text import read_game
from companion.record.session import Entry, begin
from vision.sources.virtual import VirtualTable
from vision.virtual.tabletop import laid_looks
from web.runtime.runtime import lay_virtual

DISPLAYS, EXPORTING, ACTIONS, SETTLED = 50, 20, 600, 5.0
"""The numbers of displays that look on and of those that export, the length of the recorded game, and the
seconds before a figure is taken."""
PLAYED = 3
"""The number of actions that are played of each game in turn."""
EXPORTS, ROUNDS = ("gif", "webp", "pdf", "png", "svg", "pgn"), 3
UNTRUSTED = ssl._create_unverified_context()


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
    with tempfile.TemporaryDirectory() as data, _service(Path(data), {}) as (pid, address):
        _print("the page is open", pid)
        ask = _asker(address)
        for turn in range(2):
            for name in games.installed():
                _play_some(ask, name)
                _print(f"round {turn + 1}, after {name}", pid)
    return 0


def _play_before_phone() -> int:
    """Prints what is held while a phone shows a board on which actions are played."""
    game = read_game("triune")
    session, virtual = begin(game), VirtualTable(game.board, Random(0), size=(1280, 720))
    profile = lay_virtual(virtual, session).profile
    with tempfile.TemporaryDirectory() as data:
        (Path(data) / "profiles").mkdir()
        profile.save(Path(data) / "profiles" / f"{game.board.name}.json")
        with _service(Path(data), {}, "phone") as (pid, address), _most(pid) as most:
            ask = _asker(address)
            key = json.loads(ask("/phone", ticket=""))["key"]
            for n in range(PLAYED + 1):
                picture = cv2.imencode(".jpg", virtual.picture())[1].tobytes()
                until = time.monotonic() + 2 * SETTLED
                while time.monotonic() < until:
                    ask(f"/phone/pictures/{key}", picture)
                    time.sleep(PICTURE_EVERY)
                read = len(json.loads(ask("/state"))["moves"])
                _print(f"{n} actions laid, {read} read", pid)
                action = min(game.rules.legal(session.position))
                session = session.apply(Entry("action", action))
                virtual.become(laid_looks(game.rules, session.position))
            print(f"at most: {most()}")
    return 0


def _asker(address: str) -> Callable[..., bytes]:
    """Returns a function that asks a path of the API, as a page does, on one connection; b"" where it
    fails."""
    line, path_of_api = _line_to(address)
    head = {"Content-Type": "application/json"}

    def ask(path: str, jpeg: bytes = b"", **body: str) -> bytes:
        data = jpeg or (json.dumps(body).encode() if body else None)
        head["Content-Type"] = "image/jpeg" if jpeg else "application/json"
        line.request("POST" if data else "GET", path_of_api + path, data, head)
        with line.getresponse() as answer:
            head.setdefault("Cookie", (answer.getheader("Set-Cookie") or "").partition(";")[0])
            said = answer.read()
        return said if answer.status < 300 else b""

    head["X-CSRF-Token"] = json.loads(ask("/session"))["csrf"]
    return ask


def _play_some(ask: Callable[..., bytes], name: str) -> None:
    """Begins a game, waits for its picture, and plays some actions through the page's API."""
    game, chance = read_game(name), Random(0)
    position = game.start()
    assert ask("/games", game=name), name
    for _ in range(PLAYED):
        while not ask("/picture.jpg"):
            time.sleep(PICTURE_EVERY)
        time.sleep(SETTLED / 4)
        dealt = game.rules.deal(position, {**game.options, "setup": "random"}, chance)
        action = dealt or chance.choice(sorted(game.rules.legal(position)))
        if not ask("/actions", action=action):
            return  # a secret set-up, which its owner alone may give
        position = game.rules.after(position, action)


def _look_on(args: list[str]) -> int:
    arenas = {"MALLOC_ARENA_MAX": args[0]} if args else {}
    with tempfile.TemporaryDirectory() as data, _service(Path(data), arenas) as (pid, address):
        _print("the page is open", pid)
        closed = threading.Event()
        for n in range(2, 4):  # one address has 32 displays at most
            _start(DISPLAYS // 2, partial(_look, address, f"127.0.0.{n}", closed))
        _start(1, lambda: watch_pictures(_line_to(address)[0], closed))
        time.sleep(SETTLED)
        _print(f"{DISPLAYS} displays, a camera", pid)
        with _most(pid) as most:
            for _ in range(ROUNDS):
                exporting = _start(EXPORTING, lambda: _export(address))
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
def _service(data: Path, environment: dict[str, str], source: str = "virtual") -> Iterator[tuple[int, str]]:
    """Starts the service with a long game among its records; yields its process and its address."""
    (data / "game.txt").write_text(_long_game(), encoding="utf-8")
    subprocess.run([COMPANION, "records", "import", "--data", data, data / "game.txt"], check=True)
    options = ["--port", "0", "--data", str(data), "--game", "triune", "--source", source, "--tls", "self"]
    process = subprocess.Popen(
        [COMPANION, "run", *options], stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    try:
        port = page_port(process)
        time.sleep(SETTLED)
        yield process.pid, f"https://127.0.0.1:{port}/api/v1"
    finally:
        process.terminate()
        process.wait()


def _long_game() -> str:
    """Returns the text of a game in which chance plays: the longest of some."""
    return max((_random_game(Random(seed)) for seed in range(20)), key=len)


def _random_game(chance: Random) -> str:
    game = read_game("draughts")
    position, text = game.start(), "draughts"
    for _ in range(ACTIONS):
        actions = sorted(game.rules.legal(position))
        if not actions:
            break
        action = chance.choice(actions)
        position, text = game.rules.play(position, action).position, f"{text} {action}"
    return text + "\n"


def _start(count: int, act: Callable[[], None]) -> list[threading.Thread]:
    threads = [threading.Thread(target=act, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads


def _look(address: str, source: str, closed: threading.Event) -> None:
    """Reads a display's stream of events, from another address of this machine."""
    line, path_of_api = _line_to(address, source)
    with suppress(OSError), closing(line):
        line.request("GET", f"{path_of_api}/events")
        stream = line.getresponse()
        while not closed.is_set() and stream.readline():
            pass


def _line_to(address: str, source: str = "127.0.0.1") -> tuple[HTTPSConnection, str]:
    """Returns a connection to the service from an address of this machine, and the path of its API."""
    found = urlsplit(address)
    line = HTTPSConnection("127.0.0.1", found.port, source_address=(source, 0), context=UNTRUSTED)
    return line, found.path


def _export(address: str) -> None:
    """Asks for every export of the long game; one that is refused because others wait is left out."""
    for form in EXPORTS:
        with suppress(OSError), urlopen(f"{address}/records/1/export/{form}", context=UNTRUSTED) as answer:
            answer.read()


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
    for each in _family(pid):
        with suppress(OSError):  # one that ended meanwhile
            rollup = Path(f"/proc/{each}/smaps_rollup").read_text(encoding="ascii")
            memory += sum(int(found) for found in re.findall(r"^Pss: +(\d+) kB", rollup, re.MULTILINE))
            descriptors += len(os.listdir(f"/proc/{each}/fd"))
            threads += len(os.listdir(f"/proc/{each}/task"))
    return Footprint(memory / 1024, descriptors, threads)


def _family(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text(encoding="ascii").split():
                yield from _family(int(child))
