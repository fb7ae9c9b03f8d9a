"""Measures how long actions take from boards to wall and database, and what a hall of boards costs.

    python -m benchmarks hall [--boards 10 25 50 100] [--whole 20] [--seconds 60] [--pace 6] [--whole-pace 45]

Some boards are whole companions at virtual tables, whose players choose by chance and enter at the page;
the others publish recorded games (`publishers.py`). The paces are the seconds between two actions at a
table. In a hall each companion has a computer of its own; here they share one with everything else, and
drawing what their cameras see takes most of it. Mosquitto, PostgreSQL (with its usual durability), the
archive and the wall are real programs of their own. An action's time is the board's, before it goes to disk;
the wall's is when a display's stream brings it. Marks: 300 ms to the wall and 1 s to the database, for 95 of
100.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.halls import programs
from benchmarks.halls.programs import Program
from benchmarks.halls.publishers import GAMES, SITE
from benchmarks.halls.watchers import ArchiveWatcher, WallWatcher
from benchmarks.running.browser import Browser, RefusedError
from benchmarks.running.companion import companion
from benchmarks.running.figures import memory, percentile, processor_seconds, spread, with_children

WALL_S, ARCHIVE_S = 0.3, 1.0
SETTLES_S = 10.0
"""Seconds that a new hall has before it is measured."""
PER_PROCESS = 20


@dataclass(frozen=True)
class Measured:
    """The figures of a hall of so many boards: seconds of each action, and what each program used."""

    boards: int
    seconds: float
    to_wall: tuple[float, ...]
    to_archive: tuple[float, ...]
    missed: int
    """Actions that reached the database, and did not show on the wall by themselves: a later one did."""
    processor: dict[str, float]
    """Seconds of a core."""
    memory: dict[str, int]
    stream: int
    """Bytes that a display was sent."""


@dataclass(frozen=True)
class Paces:
    """The seconds between two actions at a board that publishes, and at a whole companion, on average."""

    published: float
    whole: float


class Player(threading.Thread):
    """Plays at the page of a whole companion, by chance."""

    def __init__(self, port: int, game: str, pace: float, seed: int) -> None:
        super().__init__(daemon=True)
        self._browser, self._game, self._pace = Browser(port), game, pace
        self._rng = Random(seed)
        self._is_over = threading.Event()

    def stop(self) -> None:
        self._is_over.set()
        self.join()

    def run(self) -> None:
        self._begin()
        while not self._is_over.wait(self._rng.expovariate(1 / self._pace)):
            state = self._browser.state()
            if state["state"] == "over":
                self._begin()
                continue
            actions = [entry["action"] for entry in state["legal"] if "?" not in entry["action"]]
            if not actions:
                continue
            try:
                self._browser.ask("actions", {"action": self._rng.choice(actions)})
            except RefusedError as error:
                if error.status >= 500:
                    raise

    def _begin(self) -> None:
        self._browser.ask("games", {"game": self._game})


@dataclass(frozen=True)
class Hall:
    """The programs that serve all boards."""

    broker: str
    archive: Program
    wall: Program
    wall_port: int
    database: str
    pids: dict[str, list[int]]


@contextmanager
def hall(folder: Path, address: str | None = None) -> Iterator[Hall]:
    """Runs broker, database, archive and wall."""
    with ExitStack() as stack:
        broker = stack.enter_context(programs.broker(folder))
        url = f"mqtt://127.0.0.1:{broker.port}"
        pids = {"broker": [broker.process.pid if broker.process else 0]}
        if address is None:
            cluster = stack.enter_context(programs.database(folder))
            address = cluster.address
            pids["database"] = [cluster.pid]
        log = folder / "hall.log"
        data = ("--data", str(folder / "hall"))
        archive = programs.companion_program(
            log, "hall", "archive", "--broker", url, "--database", address, *data
        )
        stack.callback(archive.stop)
        wall = programs.companion_program(log, "hall", "wall", "--broker", url, "--port", "0", *data)
        stack.callback(wall.stop)
        greeting = wall.line(lambda line: "http://" in line)
        port = int(greeting.rpartition(":")[2].strip("/"))
        pids |= {"archive": [archive.pid], "wall": [wall.pid]}
        yield Hall(url, archive, wall, port, address, pids)


def measure(folder: Path, count: int, whole: int, paces: Paces, seconds: float, seed: int) -> Measured:
    """Runs a hall of so many boards for a while."""
    with ExitStack() as stack:
        found = stack.enter_context(hall(folder))
        pids = dict(found.pids)
        players = []
        for n in range(1, whole + 1):
            options = ("--broker", found.broker, "--board", f"{SITE}/{n}")
            place = folder / f"whole-{n}"
            table = stack.enter_context(companion(place, *options, source="virtual"))
            port = table.port()
            if port is None:
                raise SystemExit(f"companion {n} does not start: see {place}")
            pids.setdefault("whole companions", []).append(table.process.pid or 0)
            players.append(Player(port, GAMES[n % len(GAMES)], paces.whole, seed + n))
        for first in range(whole + 1, count + 1, PER_PROCESS):
            share = min(PER_PROCESS, count + 1 - first)
            args = ("--broker", found.broker, "--first", str(first), "--count", str(share))
            more = ("--folder", str(folder / "boards"), "--pace", str(paces.published), "--seed", str(seed))
            program = programs.publishers(folder / "boards.log", *args, *more)
            stack.callback(program.stop)
            pids.setdefault("publishers", []).append(program.pid)
        for player in players:
            player.start()
            stack.callback(player.stop)
        time.sleep(SETTLES_S)
        wall, archive = WallWatcher(found.wall_port), ArchiveWatcher(found.database)
        wall.start()
        archive.start()
        before = {name: processor_seconds(_all(each)) for name, each in pids.items()}
        begun = time.time()
        time.sleep(seconds)
        took = {name: processor_seconds(_all(each)) - before[name] for name, each in pids.items()}
        held = {name: memory(_all(each)) for name, each in pids.items()}
        ended = time.time()
        time.sleep(2.0)
        archive.stop()
        wall.stop()
    stored = [each for each in archive.stored if begun <= each.acted < ended - 1.0]
    shown = {each.ply: wall.seen[each.ply] - each.acted for each in stored if each.ply in wall.seen}
    return Measured(
        boards=count,
        seconds=ended - begun,
        to_wall=tuple(shown.values()),
        to_archive=tuple(each.found - each.acted for each in stored),
        missed=len(stored) - len(shown),
        processor=took,
        memory=held,
        stream=wall.bytes,
    )


def _all(pids: Sequence[int]) -> list[int]:
    return [each for pid in pids for each in with_children(pid)]


def tell(measured: Measured, whole: int) -> None:
    """Prints a hall's figures."""
    count = len(measured.to_archive)
    rate = count / measured.seconds
    print(f"\n{measured.boards} boards, {whole} of them whole companions: {rate:.1f} actions a second")
    for name, values in (("wall", measured.to_wall), ("archive", measured.to_archive)):
        print(f"  to the {name:8} {spread(values)} of {len(values)}")
    if measured.missed:
        print(f"  {measured.missed} actions were overtaken on the wall by later ones")
    for name, seconds in measured.processor.items():
        each = 1000 * seconds / max(1, count)
        share, megabytes = 100 * seconds / measured.seconds, measured.memory[name] / 2**20
        print(f"  {name:17} {share:6.1f} % of a core   {each:6.2f} ms an action   {megabytes:7.0f} MB")
    print(
        f"  a display of the wall is sent {measured.stream / measured.seconds / 1024:.1f} KiB a second",
        flush=True,
    )


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks hall boards")
    parser.add_argument("--boards", type=int, nargs="+", default=[10, 25, 50, 100])
    parser.add_argument("--whole", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--pace", type=float, default=6.0)
    parser.add_argument("--whole-pace", type=float, default=45.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(args)
    paces, missed = Paces(given.pace, given.whole_pace), False
    for count in given.boards:
        with tempfile.TemporaryDirectory(prefix="hall-") as folder:
            place = Path(folder)
            place.chmod(0o755)  # the database runs as another user
            whole = min(given.whole, count)
            measured = measure(place, count, whole, paces, given.seconds, given.seed)
        tell(measured, whole)
        missed |= not percentile(measured.to_wall, 0.95) <= WALL_S
        missed |= not percentile(measured.to_archive, 0.95) <= ARCHIVE_S
    return int(missed)
