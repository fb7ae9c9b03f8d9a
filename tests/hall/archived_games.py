"""Games as they come to an archive, and an archive as it can be compared with another."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from benchmarks.simulation.random_records import random_record
from broker_bridge.link import Delivery
from broker_bridge.telling import Telling
from broker_bridge.topics import EVENT, BoardName
from companion.record.record import Record
from companion.wire.codec import write
from companion.wire.hall import LogLine
from hall.archive.archive import Archive
from hall.archive.arrivals import Arrival
from hall.archive.database import Row

BOARD = BoardName("Hall A", "7")
COMPANION = "c0ffee"
TABLES = ("summaries", "seats", "lines", "plies")
VIEWS = ("games", "players", "refusals", "broken_rules", "rulings", "clocks", "boards")


@cache
def game(name: str, seed: int) -> Record:
    """Returns a game in which much happened."""
    return random_record(name, seed)


def lines_of(record: Record, number: int = 1, companion: str = COMPANION) -> list[LogLine]:
    """Returns the lines that a board sends of a game that is over."""
    return Telling(companion, number, record).lines


def delivery_of(line: LogLine, board: BoardName = BOARD, number: int = 0) -> Delivery:
    return Delivery(board.topic(EVENT), write(line), number)


def arrived(lines: Iterable[LogLine], board: BoardName = BOARD, time: float = 1000.0) -> list[Arrival]:
    """Returns lines as they arrive from a board."""
    return [Arrival(board, line, time, delivery_of(line, board)) for line in lines]


def dump(archive: Archive) -> dict[str, list[Row]]:
    """Returns all that can be asked of an archive. What JSON and truth values are called does not matter."""
    return {
        name: sorted(
            (tuple(map(_plain, row)) for row in archive.database.rows(f"SELECT * FROM {name}")), key=repr
        )
        for name in (*TABLES, *VIEWS)
    }


def _plain(value: Any) -> Any:
    return repr(value) if isinstance(value, dict | list) else value
