"""The example queries of docs/archive.md: both databases answer each of them, and alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from broker_bridge.topics import BoardName
from companion.games.text import read_game
from companion.record.record import Record
from companion.record.session import ARBITER, Entry
from hall.archive.archive import Archive
from hall.archive.database import Row, open_database
from tests.databases import Cluster
from tests.hall.archived_games import arrived, game, lines_of

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "archive.md").read_text(encoding="utf-8")
QUERIES = dict(re.findall(r"\*\*([^*\n]+)\*\*\n```sql\n(.+?)```", TEXT, re.DOTALL))
HEAD = {"white": "Ann", "black": "Bo", "event": "Open", "round": "1", "clock": "5+0"}
MOVES = (("e2e4", 10.0, 290.0), ("e7e5", 20.0, 280.0), ("g1f3", 300.0, 10.5))


def chess(last: Entry, **head: str) -> Record:
    players, clock, log = ("white", "black"), 1000.0, []
    for n, (action, seconds, left) in enumerate(MOVES):
        clock += seconds
        log.append(Entry("action", action, players[n % 2], "camera:0", 0.9 + n / 100, clock, left))
    return Record(read_game("chess"), (*log, last), HEAD | head, started=1000.0)


GAMES = (
    chess(Entry("resign", "", "black", time=1400.0)),
    chess(Entry("result", "", ARBITER, time=1500.0), round="2", white="Bo", black="Ann"),
    chess(Entry("refused", "e5e3 (CH-1)", "black", time=1400.0), round="2", white="Cid", black="Di"),
    game("triune", 1),
    game("teleporters", 3),
)


@pytest.fixture(scope="module")
def archives(postgresql: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Archive]]:
    """The same games in a database of each kind."""
    file = tmp_path_factory.mktemp("archive") / "hall.sqlite"
    with (
        closing(Archive(open_database(file))) as one,
        closing(Archive(open_database(postgresql.new_schema()))) as other,
    ):
        for archive in (one, other):
            archive.prepare(1.0)
            for number, record in enumerate(GAMES, 1):
                board = BoardName("Hall A", str(number))
                archive.store(arrived(lines_of(record, number), board))
        yield [one, other]


@pytest.mark.parametrize("name", QUERIES)
def test_both_databases_answer_alike(archives: list[Archive], name: str) -> None:
    one, other = (told(archive, name) for archive in archives)
    assert one == other
    assert one


def told(archive: Archive, name: str) -> list[Row]:
    return [tuple(map(_plain, row)) for row in archive.database.rows(QUERIES[name])]


def _plain(value: Any) -> Any:
    """Returns a value that is the same from both, up to how sums of floats are rounded."""
    return round(float(value), 9) if isinstance(value, float | Decimal) else value


def test_there_are_ten() -> None:
    assert len(QUERIES) == 10


def test_they_say_what_happened(archives: list[Archive]) -> None:
    archive = archives[0]
    assert told(archive, "The longest thinks")[0] == ("Ann", "white", "Hall A", "1", 3, "Nf3", 300.0)
    assert told(archive, "The rules that are broken most") == [("CH-1", 1)]
    results = {row[0]: row[1:] for row in told(archive, "Results by player")}
    assert (results["Ann"], results["Bo"]) == ((1.5, 2, 1, 1, 0), (0.5, 2, 0, 1, 1))
    assert told(archive, "Won with the least time left")[0] == ("Ann", "white", "Hall A", "1", 1, 10.5)
    assert told(archive, "Draws by round") == [("Open", "1", 1, 0), ("Open", "2", 1, 1)]
    assert told(archive, "Who plays where now")[:2] == [
        ("Hall A", "3", "chess", 3, "white", "Cid"),
        ("Hall A", "3", "chess", 3, "black", "Di"),
    ]
    lasted = {row[0]: row[1:] for row in told(archive, "How long games last")}
    assert lasted["chess"] == (2, 3.0, 7.5)
