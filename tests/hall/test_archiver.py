"""The archiver between a broker and a database: nothing is accepted before it is stored, nothing is lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from benchmarks.simulation.virtual_broker import VirtualBroker
from broker_bridge.link import BrokerLink, Delivery, Letter, Membership
from broker_bridge.rights import rights_of_board, rights_of_hall
from broker_bridge.topics import ARCHIVED, EVENT, PAIRING, BoardName
from companion.games.text import read_game
from companion.record.record import Record
from companion.record.session import Entry
from companion.wire.codec import read, write
from companion.wire.hall import Archived, LogLine, Pairing
from hall.archive import allowances
from hall.archive import archiver as module
from hall.archive.archive import Archive
from hall.archive.archiver import Archiver, membership_of, status_topic
from hall.archive.database import DatabaseAwayError
from hall.archive.listing import find_game, list_games, record_of
from hall.archive.migrations import LaterVersionError
from hall.archive.rows import GameKey
from hall.archive.sqlite import SqliteDatabase
from tests.brokers import Listener
from tests.hall.archived_games import BOARD, COMPANION, delivery_of, game, lines_of

STATUS = status_topic("a")
RECEIPT = BOARD.topic(ARCHIVED)
LINES = lines_of(game("triune", 1))
KEY = GameKey(COMPANION, 1)
FORGED = lines_of(game("triune", 2))[:3]


class Database(SqliteDatabase):
    """A file of SQLite that can be away, from its start or at the end of a transaction."""

    is_away = fails_at_commit = False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        if self.is_away:
            raise DatabaseAwayError("the cable is pulled")
        with super().transaction():
            yield
            if self.fails_at_commit:
                raise DatabaseAwayError("the disk is full")


@dataclass
class Stage:
    """An archiver at a broker in memory, on a clock of its own."""

    folder: Path
    name: str = "a"
    broker: VirtualBroker = field(default_factory=VirtualBroker)
    now: float = 100.0

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Starts an archiver, in place of one that was there."""
        self.database = Database(self.folder / "hall.sqlite")
        self.link = self.broker.link(membership_of(self.name))
        self.archiver = Archiver(
            name=self.name,
            link=self.link,
            archive=Archive(self.database),
            wall=lambda: 1_000_000.0 + self.now,
            steady=lambda: self.now,
        )
        self.link.open(self.archiver)
        self.settle()

    def settle(self) -> float:
        """Lets all come to rest; returns for how long."""
        for _ in range(5):
            self.broker.settle()
            wait = self.archiver.turn()
        self.broker.settle()
        return wait

    def send(self, *lines: LogLine, board: BoardName = BOARD) -> None:
        for line in lines:
            self.broker.put(Letter(board.topic(EVENT), write(line), is_sure=True))

    def receipts(self) -> list[int]:
        """Returns what the board was told of game 1, in order."""
        letters = [letter for letter in self.broker.seen if letter.topic == RECEIPT]
        return [read(letter.payload, Archived).games[1] for letter in letters]

    @property
    def unread(self) -> int:
        """The letters that the broker has still to get rid of."""
        return len(self.broker._memory.queues[f"archive-{self.name}"])


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.database.close()


def test_what_boards_send_is_stored_accepted_and_told_of(stage: Stage) -> None:
    assert stage.broker.kept[STATUS] == b"online"
    stage.send(*LINES)
    stage.settle()
    assert stage.archiver.archive.lines(KEY) == LINES
    assert stage.unread == 0
    assert read(stage.broker.kept[RECEIPT], Archived) == Archived(COMPANION, {1: len(LINES)})


def test_nothing_is_accepted_before_it_is_stored(stage: Stage) -> None:
    stage.database.fails_at_commit = True
    stage.send(*LINES[:3])
    stage.settle()
    assert stage.unread == 3
    assert stage.archiver.archive.lines(KEY) == []
    assert RECEIPT not in stage.broker.kept
    stage.database.fails_at_commit = False
    stage.now += 1.0
    stage.settle()
    assert stage.archiver.archive.lines(KEY) == LINES[:3]
    assert stage.unread == 0


def test_a_database_that_is_away_is_tried_again_ever_more_rarely(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    stage.database.is_away = True
    stage.send(*LINES[:2])
    waits = []
    for _ in range(9):
        waits.append(stage.settle())
        stage.now += waits[-1]
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0]
    assert stage.broker.kept[STATUS] == b"waiting"
    assert caplog.messages == ["the cable is pulled; trying again until it can"]
    stage.send(*LINES[2:])
    stage.database.is_away = False
    stage.settle()
    assert stage.broker.kept[STATUS] == b"online"
    assert caplog.messages[1:] == [f"the database {stage.database} answers again"]
    assert stage.archiver.archive.lines(KEY) == LINES
    assert stage.unread == 0


def test_an_archiver_begins_also_without_its_database(tmp_path: Path) -> None:
    Database.is_away = True
    try:
        stage = Stage(tmp_path)
        assert stage.broker.kept[STATUS] == b"waiting"
        stage.send(*LINES)
    finally:
        Database.is_away = False
    stage.now += 1.0
    stage.settle()
    assert stage.archiver.archive.lines(KEY) == LINES
    stage.database.close()


def test_a_database_of_a_later_version_ends_it(stage: Stage) -> None:
    stage.database.insert("INSERT INTO schema_version VALUES (?, ?, ?)", [(999, "later", 3.0)])
    with pytest.raises(LaterVersionError):
        stage.start()
    with pytest.raises(LaterVersionError):
        stage.archiver.run()
    assert stage.broker.kept[STATUS] == b"offline"


def test_receipts_are_rare_but_come_at_once_at_the_end_of_a_game(stage: Stage) -> None:
    for line in LINES[:4]:
        stage.send(line)
        wait = stage.settle()
    assert stage.receipts() == [1]
    assert wait == 1.0
    stage.now += wait
    stage.settle()
    assert stage.receipts() == [1, 4]
    log = (Entry("resign", "", "white", time=1010.0),)
    stage.send(*lines_of(Record(read_game("chess"), log, started=1000.0), 2))
    stage.settle()
    assert read(stage.broker.kept[RECEIPT], Archived).games == {1: 4, 2: 2}


def test_a_line_that_comes_again_is_answered_too(stage: Stage) -> None:
    stage.send(*LINES)
    stage.settle()
    stage.broker.put(Letter(RECEIPT, b"", is_kept=True))  # the broker has lost it
    stage.now += 1.0
    stage.send(LINES[3])
    stage.settle()
    assert read(stage.broker.kept[RECEIPT], Archived).games == {1: len(LINES)}


def test_after_a_start_boards_are_told_of_the_games_of_the_last_days(stage: Stage) -> None:
    stage.send(*LINES[:2], *LINES[3:])
    stage.settle()
    stage.broker.put(Letter(RECEIPT, b"", is_kept=True))
    stage.start()
    assert read(stage.broker.kept[RECEIPT], Archived).games == {1: 2}
    stage.broker.put(Letter(RECEIPT, b"", is_kept=True))
    stage.now += module.RECENT_S + 1
    stage.start()
    assert RECEIPT not in stage.broker.kept


def test_a_receipt_is_of_the_store_that_the_board_has_now(stage: Stage) -> None:
    stage.send(*LINES[:3])
    stage.send(*lines_of(game("chess", 2), 1, "decade"))
    stage.now += 1.0
    stage.settle()
    receipt = read(stage.broker.kept[RECEIPT], Archived)
    assert receipt.companion == "decade"


def test_what_is_no_line_blocks_nothing(stage: Stage) -> None:
    stage.broker.put(Letter(BOARD.topic(EVENT), b"\xff", is_sure=True))
    stage.broker.put(Letter(BOARD.topic(EVENT), b"\xff", is_sure=True))
    stage.send(*LINES)
    stage.settle()
    assert stage.unread == 0
    assert stage.archiver.archive.lines(KEY) == LINES
    assert stage.database.rows("SELECT payload FROM oddities") == [(b"\xff",)]


def test_what_came_while_the_archiver_or_the_broker_was_away_is_not_lost(stage: Stage) -> None:
    stage.send(*LINES[:5])
    stage.broker.step()  # one of them is at the archiver when the cable is pulled
    stage.broker.cut("archive-a")
    stage.send(*LINES[5:10])
    assert stage.broker.kept[STATUS] == b"offline"
    stage.settle()
    stage.broker.mend("archive-a")
    stage.settle()
    assert stage.broker.kept[STATUS] == b"online"
    stage.send(*LINES[10:])
    stage.broker.stop()
    stage.broker.start()
    stage.settle()
    assert stage.archiver.archive.lines(KEY) == LINES
    assert stage.unread == 0


@pytest.mark.parametrize("seed", range(4))
def test_kills_at_any_moment_lose_nothing(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    stage = Stage(tmp_path)
    stage.send(*LINES)
    for _ in range(25):
        for _ in range(chance.randrange(12)):
            stage.broker.step()
        stage.database.fails_at_commit = chance.random() < 0.3
        stage.now += chance.random()
        stage.archiver.turn()
        if chance.random() < 0.5:
            stage.broker.drop("archive-a")  # as power cuts do: nobody is told, nothing is accepted any more
            stage.database.close()
            stage.start()
    stage.database.fails_at_commit = False
    stage.now += 60.0
    stage.settle()
    assert record_of(stage.archiver.archive, KEY).log == game("triune", 1).log
    assert stage.unread == 0
    stage.database.close()


def test_a_stop_in_good_order_says_so(stage: Stage) -> None:
    stage.send(*LINES)
    stage.archiver.stop()
    stage.archiver.run()
    assert stage.broker.kept[STATUS] == b"offline"


def test_the_user_of_the_hall_may_do_all_that_an_archiver_does(tmp_path: Path) -> None:
    board_rights = rights_of_board(BOARD)
    broker = VirtualBroker(lambda name: rights_of_hall() if name == "archive-a" else board_rights)
    stage = Stage(tmp_path, broker=broker)
    board, listener = broker.link(Membership("board", (RECEIPT,))), Listener()
    board.open(listener)
    broker.settle()
    for line in LINES:
        board.publish(Letter(BOARD.topic(EVENT), write(line), is_sure=True))
    stage.settle()
    assert broker.kept[STATUS] == b"online"
    assert [topic for topic, _ in listener.heard] == [RECEIPT]
    assert stage.archiver.archive.lines(KEY) == LINES
    stage.database.close()


class Deaf:
    """A link that only counts what is accepted."""

    def __init__(self) -> None:
        self.accepted: list[int] = []

    def open(self, client: object) -> None: ...
    def close(self, last: Letter | None = None) -> None: ...

    def publish(self, letter: Letter) -> int:
        return 0

    def accept(self, delivery: Delivery) -> None:
        self.accepted.append(delivery.number)


def test_what_comes_during_a_commit_is_stored_together_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_AT_ONCE", 6)
    link: BrokerLink = (deaf := Deaf())
    database = Database(tmp_path / "hall.sqlite")
    archiver = Archiver("a", link, Archive(database), lambda: 1e9, lambda: 5.0)
    for number, line in enumerate(LINES[:16], 1):
        archiver.received(delivery_of(line, number=number))
    done = []
    for _ in range(3):
        archiver.turn()
        done.append(len(deaf.accepted))
    assert done == [6, 12, 16]
    assert deaf.accepted == list(range(1, 17))
    for number, line in enumerate(LINES[:16], 17):
        archiver.received(delivery_of(line, number=number))
    archiver.parted("gone")  # all of it comes again: none of it stays in memory
    archiver.turn()
    assert len(deaf.accepted) == 16
    database.close()


def test_whose_a_pairing_is_is_kept_also_once_it_is_withdrawn(stage: Stage) -> None:
    topic, pairing = BOARD.topic(PAIRING), Pairing("1", {"white": "Ann"}, id="r1")
    stage.broker.put(Letter(topic, write(pairing), is_sure=True, is_kept=True))
    stage.settle()
    stage.broker.put(Letter(topic, b"", is_sure=True, is_kept=True))
    stage.settle()
    assert stage.archiver.archive.given() == {"r1": BOARD}
    assert (stage.unread, stage.archiver.stored) == (0, 0)


def test_a_board_that_brings_too_much_in_a_day_waits_and_others_do_not(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(allowances, "MOST_BYTES", sum(len(write(line)) for line in LINES[:3]))
    other = BoardName("Hall A", "9")
    stage.send(*LINES)
    others = lines_of(game("triune", 1), 2)
    stage.send(*others, board=other)
    stage.settle()
    assert stage.archiver.archive.lines(KEY) == LINES[:3]
    assert stage.unread == 0
    assert stage.archiver.archive.lines(GameKey(COMPANION, 2)) == others[:3]
    said = [record.message for record in caplog.records]
    assert len(said) == 2  # once for each board
    stage.now += allowances.DAY_S
    stage.send(*LINES[3:6])  # the board sends again what no receipt names
    stage.settle()
    assert stage.archiver.archive.lines(KEY) == LINES[:6]


def test_lines_that_wait_for_the_database_are_brought_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it is tried in a day to store them."""
    monkeypatch.setattr(allowances, "MOST_BYTES", sum(len(write(line)) for line in LINES))
    stage.database.fails_at_commit = True
    stage.send(*LINES)
    for _ in range(20):
        stage.settle()
        stage.now += 60.0
    stage.database.fails_at_commit = False
    stage.settle()
    assert stage.archiver.archive.lines(KEY) == LINES


@pytest.mark.parametrize("told_before", [0, 1, 4, len(LINES)])
def test_another_board_s_lines_of_a_game_leave_it_as_it_is(stage: Stage, told_before: int) -> None:
    """Before its first line, between two, or after its last: who claims a game has one of their own."""
    other = BoardName("Hall A", "66")
    stage.send(*LINES[:told_before])
    stage.settle()
    stage.send(*FORGED, board=other)
    stage.settle()
    stage.send(*LINES[told_before:])
    stage.now += 10
    stage.settle()
    assert read(stage.broker.kept[RECEIPT], Archived) == Archived(COMPANION, {1: len(LINES)})
    assert read(stage.broker.kept[other.topic(ARCHIVED)], Archived) == Archived(COMPANION, {1: len(FORGED)})
    archive = stage.archiver.archive
    for board, lines in ((BOARD, LINES), (other, FORGED)):
        rows = list_games(archive.database, 9, {"board": str(board)})
        (found,) = (archive.lines(find_game(archive.database, row.key.short)) for row in rows)
        assert [(line.kind, line.text) for line in found] == [(line.kind, line.text) for line in lines]


def test_no_board_names_a_game_as_the_archive_does(stage: Stage) -> None:
    line = LINES[0]
    stage.send(replace(line, companion=f"{COMPANION}@{BOARD}"))
    stage.settle()
    assert stage.archiver.archive.database.rows("SELECT why FROM oddities") == [
        ("the identity of no companion has a '@'",)
    ]
