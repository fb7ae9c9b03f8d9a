"""Measures how fast the archive stores lines, and answers the queries of docs/archive.md.

    python -m benchmarks hall archive [--games 10000] [--postgresql ADDRESS]

Into SQLite, and into PostgreSQL: that of an address, whose database must be empty, or else a cluster of its
own that is thrown away, with fsync as a real one has it. Lines are stored one by one, as from a single board;
in batches of a line from each of 100 boards, as from a hall; and 500 of one board at once, as after an hour
without a network.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from benchmarks.halls import programs
from benchmarks.running.figures import spread
from benchmarks.simulation.random_records import random_record
from broker_bridge.link import Delivery
from broker_bridge.telling import Telling
from broker_bridge.topics import EVENT, BoardName
from companion.wire.codec import write
from companion.wire.hall import LogLine
from hall.archive.archive import Archive
from hall.archive.arrivals import read_arrival
from hall.archive.database import open_database

KINDS = ("triune", "chess", "teleporters", "ternion_factor")
SEEDS, ENTRIES = 8, 110
BOARDS = 100
SINGLE, ROUNDS, AT_ONCE, CATCH_UP = 200, 60, 500, 20
QUERY = re.compile(r"\*\*([^*\n]+)\*\*\n```sql\n(.+?)```", re.DOTALL)


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks hall archive")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--postgresql", help="the address of an empty database; else a cluster of its own")
    given = parser.parse_args(args)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o711)  # where root runs this, the database is another user's
        address = given.postgresql or stack.enter_context(programs.database(folder)).new_schema()
        for name in (str(folder / "hall.sqlite"), address):
            with closing(Archive(open_database(name))) as archive:
                archive.prepare(time.time())
                _measure(archive, given.games)
    return 0


def _measure(archive: Archive, games: int) -> None:
    print(f"\n{archive.database.dialect}")
    played = [
        Telling("", 0, random_record(kind, seed, ENTRIES)).lines for kind in KINDS for seed in range(SEEDS)
    ]
    numbers = count(1)
    single = islice((line for lines in _games(played, numbers) for line in lines), SINGLE)
    _tell("one by one", archive, ([line] for line in single))
    _tell(f"a line of each of {BOARDS} boards at a time", archive, _hall(_games(played, numbers)))
    one_board = (line for lines in _games(played, numbers, boards=1) for line in lines)
    _tell("500 of one board at a time", archive, islice(_batched(one_board), CATCH_UP))
    rest = (line for lines in islice(_games(played, numbers), games) for line in lines)
    _tell(f"{games} games, 500 lines at a time", archive, _batched(rest))
    _tell_queries(archive)


def _games(
    played: list[list[LogLine]], numbers: Iterator[int], boards: int = BOARDS
) -> Iterator[list[LogLine]]:
    """Yields games without end, each under a number of its own, at one board after the other."""
    for number in numbers:
        companion = f"companion{number % boards}"
        lines = played[number % len(played)]
        yield [replace(line, companion=companion, game=number) for line in lines]


def _batched(lines: Iterator[LogLine]) -> Iterator[list[LogLine]]:
    while batch := list(islice(lines, AT_ONCE)):
        yield batch


def _hall(games: Iterator[list[LogLine]]) -> Iterator[list[LogLine]]:
    """Yields batches of a line from each board."""
    tables = [lines[:ROUNDS] for lines in islice(games, BOARDS)]
    for n in range(ROUNDS):
        yield [lines[n] for lines in tables if n < len(lines)]


def _tell(what: str, archive: Archive, batches: Iterable[Iterable[LogLine]]) -> None:
    """Stores batches of letters, and tells how fast that was."""
    spent, lines, waits = 0.0, 0, []
    for batch in batches:
        letters = [Delivery(_topic(line), write(line)) for line in batch]
        begin = time.perf_counter()
        archive.store([arrival for letter in letters if (arrival := read_arrival(letter, 1e9))])
        waits.append(time.perf_counter() - begin)
        spent, lines = spent + waits[-1], lines + len(letters)
    print(f"  {what}: {lines / spent:.0f} lines a second; a batch {spread(waits)}")


def _topic(line: LogLine) -> str:
    return BoardName("Hall", line.companion).topic(EVENT)


def _tell_queries(archive: Archive) -> None:
    ((lines,),) = archive.database.rows("SELECT COUNT(*) FROM lines")
    archive.database.run("ANALYZE;")
    print(f"  the queries of docs/archive.md over {lines} lines, in ms:")
    text = (Path(__file__).parents[2] / "docs" / "archive.md").read_text(encoding="utf-8")
    for name, query in QUERY.findall(text):
        begin = time.perf_counter()
        archive.database.rows(query)
        print(f"    {1000 * (time.perf_counter() - begin):6.0f}  {name}")
