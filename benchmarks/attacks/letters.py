"""Has a board of a hall send letters that are no lines, and lines without end; measures what the hall keeps.

    python -m benchmarks attack letters [--count 1500] [--kilobytes 60]

Letters of a board go to an archive in a file, as its archiver takes them. The archive may grow by 10 MB with
letters that are no lines, and its log by 100 kB; with well formed lines by twice what a day allows.
"""

from __future__ import annotations

import argparse
import io
import logging
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.simulation.virtual_broker import VirtualBroker
from broker_bridge.link import Letter
from broker_bridge.topics import EVENT, BoardName
from companion.wire.codec import write
from companion.wire.hall import LogLine
from hall.archive import allowances
from hall.archive.archive import Archive
from hall.archive.archiver import Archiver, membership_of
from hall.archive.sqlite import SqliteDatabase

BOARD = BoardName("Hall A", "1")
LINE = LogLine("c0ffee", 1, 1, "note", time=1.0)
AT_ONCE = 20
MB = 1_000_000
MOST_OF_ODD, MOST_LOGGED = 10 * MB, 100_000


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks attack letters")
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--kilobytes", type=int, default=60, help="of each letter")
    options = parser.parse_args(args)
    count, text = options.count, "x" * 1000 * options.kilobytes

    def odd(n: int) -> bytes:
        return b'{"companion": "c", "game": 1, "line": 1, "kind": ["%d%s"]}' % (n, text.encode())

    def even(n: int) -> bytes:
        return write(replace(LINE, line=n + 1, text=text))

    log = io.StringIO()
    handler = logging.StreamHandler(log)
    logging.getLogger("hall").addHandler(handler)
    try:
        marks = [
            _tell("that are no lines", _grown(odd, count), MOST_OF_ODD),
            _tell("that are lines", _grown(even, count), 2 * allowances.MOST_BYTES),
        ]
    finally:
        logging.getLogger("hall").removeHandler(handler)
    logged = len(log.getvalue())
    print(f"the log grew by {logged} bytes")
    return 0 if all(marks) and logged < MOST_LOGGED else 1


def _grown(letter: Callable[[int], bytes], count: int) -> int:
    """Sends so many letters to an archive; returns by how much it grew."""
    with tempfile.TemporaryDirectory() as name:
        folder, broker = Path(name), VirtualBroker()
        link = broker.link(membership_of("a"))
        archive = Archive(SqliteDatabase(folder / "hall.sqlite"))
        archiver = Archiver("a", link, archive, lambda: 1e9, lambda: 0.0)
        link.open(archiver)
        archiver.turn()
        before = _size(folder)
        for batch in _batches(count):
            for n in batch:
                broker.put(Letter(BOARD.topic(EVENT), letter(n), is_sure=True))
            broker.settle()
            archiver.turn()
        grown = _size(folder) - before
        archiver.archive.close()
        return grown


def _batches(count: int) -> Iterator[range]:
    return (range(n, min(n + AT_ONCE, count)) for n in range(0, count, AT_ONCE))


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def _tell(words: str, grown: int, most: int) -> bool:
    print(f"the archive grew by {grown / MB:.1f} MB with letters {words}")
    return grown < most
