"""Everything in a hall fails again and again while boards play: nothing may be lost, doubled or out of order.

    python -m benchmarks hall faults [--boards 6] [--broker-kills 20] [--archiver-kills 50] [--powercuts 50]
                                     [--away 600] [--pace 0.5]

Boards publish recorded games (`publishers.py`) while the broker is killed and started again, then an archiver
of two, then the boards themselves (`kill -9` each time, at any moment), and the database stays away. At the
end each board's store is compared with the database, line by line. How long actions took at the tables is
shown beside the same boards without a hall.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import psycopg

from benchmarks.halls import programs
from benchmarks.halls.programs import Program
from benchmarks.halls.publishers import STORE, folder_of
from benchmarks.running.figures import spread
from companion.store.store import Store
from tests.brokers import Mosquitto
from tests.databases import Cluster

LIVES_S = (0.2, 3.0)
"""The least and the most seconds between two faults."""
AWAY_S = (0.0, 2.0)
"""The least and the most seconds for which what was killed stays away."""
REST_S = 1e6
"""The pace of boards that do not play any more, and only send what they have."""
CATCHES_UP_S = 240.0
Line = tuple[str, int, int, str, str]
"""A line of a log: the store, the game, the line's number, its kind and its text."""


@dataclass
class Hall:
    """The programs of a hall, each of which can be killed and started again."""

    folder: Path
    boards: int
    pace: float
    broker: Mosquitto
    database: Cluster
    rng: Random
    archivers: list[Program] = field(default_factory=list)
    tables: list[Program] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.broker.port}"

    def start_archiver(self, n: int) -> Program:
        data = ("--data", str(self.folder / f"archiver-{n}"))
        options = ("--broker", self.url, "--database", self.database.address, *data)
        return programs.companion_program(self.folder / "archive.log", "hall", "archive", *options)

    def start_tables(self) -> Program:
        return start_tables(self.folder, self.boards, self.pace, self.url)

    def kill_broker(self) -> None:
        self.broker.kill()
        self._wait(AWAY_S)
        self.broker.start()

    def kill_archiver(self) -> None:
        n = self.rng.randrange(len(self.archivers))
        self.archivers[n].kill()
        self._wait(AWAY_S)
        self.archivers[n] = self.start_archiver(n)

    def cut_power(self) -> None:
        self.tables.pop().kill()
        self._wait(AWAY_S)
        self.tables.append(self.start_tables())

    def take_database_away(self, seconds: float) -> None:
        self.database.stop()
        time.sleep(seconds)
        self.database.start()

    def repeat(self, name: str, fault: Callable[[], None], count: int) -> None:
        for _ in range(count):
            self._wait(LIVES_S)
            fault()
        self.faults[name] = count
        print(f"{name}: {count}", flush=True)

    def stop(self) -> None:
        for program in (*self.tables, *self.archivers):
            program.stop()

    def _wait(self, between: tuple[float, float]) -> None:
        time.sleep(self.rng.uniform(*between))


def start_tables(folder: Path, boards: int, pace: float, broker: str | None) -> Program:
    """Starts the boards; without a broker they tell nobody."""
    where = ("--broker", broker) if broker else ()
    options = ("--count", str(boards), "--folder", str(folder / "boards"), "--pace", str(pace))
    return programs.publishers(folder / "boards.log", *where, *options)


def stored_at_boards(folder: Path, boards: int) -> list[Line]:
    """Returns all lines of all boards' games, by game and line."""
    lines: list[Line] = []
    for number in range(1, boards + 1):
        with Store(folder_of(folder / "boards", number) / STORE) as store:
            for game in range(1, store.highest + 1):
                record = store.load(game)
                lines.append((store.identity, game, 0, "begin", record.game.head))
                for n, entry in enumerate(record.log, 1):
                    lines.append((store.identity, game, n, entry.kind, entry.text))
    return sorted(lines)


def stored_in_archive(database: Cluster) -> list[Line]:
    """Returns all lines that the archive has, in their order."""
    with psycopg.connect(database.address) as db:
        return sorted(db.execute("SELECT companion, game, line, kind, text FROM lines").fetchall())


def oddities_in(database: Cluster) -> int:
    """Returns how much arrived at the archive that is no line, or contradicts one."""
    with psycopg.connect(database.address) as db:
        row = db.execute("SELECT count(*) FROM oddities").fetchone()
    return int(row[0]) if row else 0


def wait_until_archived(hall: Hall) -> tuple[list[Line], list[Line]]:
    """Waits until the archive has what the boards have, or for long enough; returns what both have."""
    boards = stored_at_boards(hall.folder, hall.boards)
    until = time.monotonic() + CATCHES_UP_S
    while (archived := stored_in_archive(hall.database)) != boards and time.monotonic() < until:
        time.sleep(1.0)
    return boards, archived


def delays(folder: Path, boards: int, pace: float, broker: str | None, seconds: float) -> list[float]:
    """Returns how long actions took at the tables, in seconds, sorted."""
    tables = start_tables(folder, boards, pace, broker)
    time.sleep(seconds)
    tables.process.terminate()
    took = json.loads(tables.line(lambda line: line.startswith("[")))
    tables.stop()
    return [each / 1000 for each in took]


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks hall faults")
    parser.add_argument("--boards", type=int, default=6)
    parser.add_argument("--broker-kills", type=int, default=20)
    parser.add_argument("--archiver-kills", type=int, default=50)
    parser.add_argument("--powercuts", type=int, default=50)
    parser.add_argument("--away", type=float, default=600.0)
    parser.add_argument("--pace", type=float, default=0.5)
    parser.add_argument("--seconds", type=float, default=40.0, help="of play, to time actions at the tables")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(args)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hall-")))
        folder.chmod(0o755)  # the database runs as another user
        broker = stack.enter_context(programs.broker(folder))
        database = stack.enter_context(programs.database(folder))
        rng = Random(given.seed)
        hall = Hall(folder, given.boards, given.pace, broker, database, rng)
        stack.callback(hall.stop)
        hall.archivers += [hall.start_archiver(n) for n in range(2)]
        hall.tables.append(hall.start_tables())
        hall.repeat("the broker was killed", hall.kill_broker, given.broker_kills)
        hall.repeat("an archiver was killed", hall.kill_archiver, given.archiver_kills)
        hall.repeat("the boards' power was cut", hall.cut_power, given.powercuts)
        print(f"the database goes away for {given.away:.0f} s", flush=True)
        hall.take_database_away(given.away)
        time.sleep(rng.uniform(*LIVES_S))
        hall.tables.pop().stop()
        hall.tables.append(start_tables(folder, given.boards, REST_S, hall.url))
        boards, archived = wait_until_archived(hall)
        oddities = oddities_in(database)
    lost, added = len(set(boards) - set(archived)), len(set(archived) - set(boards))
    doubled = len(archived) - len(set(archived))
    print(f"{len(boards)} lines at the boards, {len(archived)} in the archive:", end=" ")
    print(f"{lost} lost, {doubled} doubled, {added} that no board has, {oddities} oddities")
    tell_delays(given.boards, given.pace, given.seconds)
    return int(bool(lost or added or doubled or oddities))


def tell_delays(boards: int, pace: float, seconds: float) -> None:
    """Times actions at the tables without a hall, with one, and with one whose broker is never there."""
    for name in ("without a hall", "with a hall", "with a broker that never answers"):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hall-")))
            url = None
            if name == "with a hall":
                url = f"mqtt://127.0.0.1:{stack.enter_context(programs.broker(folder)).port}"
            elif name != "without a hall":
                url = "mqtt://127.0.0.1:9"
            took = delays(folder, boards, pace, url, seconds)
        print(f"an action {name:32} {spread(took)} of {len(took)}")
