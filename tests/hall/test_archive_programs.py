"""`companion hall archive` at a real Mosquitto, killed and without its database; `games` and `export`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner

from broker_bridge.link import BrokerLink, Letter, Membership
from broker_bridge.topics import ARCHIVED, EVENT, BoardName, of_all
from companion.cli import cli
from companion.record.exports import find_games
from companion.record.record import write_record
from companion.wire.codec import read, write
from companion.wire.hall import Archived, LogLine
from hall.archive.archive import Archive
from hall.archive.archiver import status_topic
from hall.archive.database import open_database
from hall.archive.listing import record_of
from hall.archive.rows import GameKey
from tests.brokers import OPEN_TO_ALL, Listener, Mosquitto, joined
from tests.databases import Cluster
from tests.hall.archived_games import arrived, game, lines_of

BOARDS = [BoardName("Hall A", str(number)) for number in range(1, 7)]
GAMES = {
    board: lines_of(game(name, 7), 1, f"companion{board.board}")
    for board, name in zip(BOARDS, ("triune", "chess", "teleporters") * 2, strict=True)
}
PROGRAM = "from companion.cli import main; main()"
SETTINGS = (*OPEN_TO_ALL, "max_queued_messages 0", "max_inflight_messages 500")


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path / "mosquitto", SETTINGS) as broker:
        yield broker


@dataclass
class Program:
    """`companion hall archive` in a process of its own."""

    options: tuple[str, ...]
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-c", PROGRAM, "hall", "archive", *self.options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout
        assert "archiving" in self.process.stdout.readline()

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()

    def stop(self) -> int:
        """Ends it in good order; returns its status."""
        self.process.terminate()
        self.process.communicate(timeout=60)
        return self.process.returncode


@contextmanager
def running(*options: str) -> Iterator[Program]:
    program = Program(options)
    try:
        yield program
    finally:
        program.kill()


def counted(listener: Listener) -> int:
    """Returns how many lines boards were told to be archived.

    Of each game the most that was told: of two archivers that tell at the same time, the one that counted
    first may be heard last. A board would then send again, and be told again; these boards are no companions.
    """
    most: Counter[tuple[str, int]] = Counter()
    for topic, payload in listener.heard:
        if topic.endswith(ARCHIVED):
            most |= Counter({(topic, game): lines for game, lines in read(payload, Archived).games.items()})
    return most.total()


def send(link: BrokerLink, part: int, parts: int) -> int:
    """Sends a part of all games; returns how many lines have been sent by then."""
    for board, lines in GAMES.items():
        for line in _upto(lines, part, parts):
            link.publish(Letter(board.topic(EVENT), write(line), is_sure=True))
    return sum(len(lines) * (part + 1) // parts for lines in GAMES.values())


def _upto(lines: list[LogLine], part: int, parts: int) -> list[LogLine]:
    return lines[len(lines) * part // parts : len(lines) * (part + 1) // parts]


def test_two_programs_that_share_and_are_killed_lose_nothing(
    mosquitto: Mosquitto, postgresql: Cluster
) -> None:
    address = postgresql.new_schema()
    common = ("--broker", str(mosquitto.address), "--database", address, "--share")
    hears = Membership("boards", (of_all(ARCHIVED), status_topic("a"), status_topic("b")))
    with (
        running(*common, "--name", "a") as a,
        running(*common, "--name", "b") as b,
        joined(mosquitto, hears) as (link, listener),
    ):

        def status(name: str) -> bytes:
            return dict(listener.heard).get(status_topic(name), b"")

        mosquitto.until(listener, lambda: status("a") == status("b") == b"online")
        send(link, 0, 3)
        a.kill()
        postgresql.stop()
        send(link, 1, 3)
        a.start()
        mosquitto.until(listener, lambda: status("a") == b"waiting")
        b.kill()
        postgresql.start()
        b.start()
        count = send(link, 2, 3)
        mosquitto.until(listener, lambda: counted(listener) == count)
        assert (a.stop(), b.stop()) == (0, 0)
        mosquitto.until(listener, lambda: status("a") == status("b") == b"offline")
    with closing(Archive(open_database(address))) as archive:
        for lines in GAMES.values():
            assert archive.lines(GameKey(lines[0].key.companion, 1)) == lines
        assert archive.database.rows("SELECT * FROM oddities") == []


def test_what_is_stored_outlives_a_database_that_is_killed(postgresql: Cluster) -> None:
    """The tests' server answers before its log is written, unless it is told otherwise."""
    address = postgresql.new_schema()
    lines = GAMES[BOARDS[0]]
    with closing(Archive(open_database(address))) as archive:
        archive.prepare(1.0)
        archive.store(arrived(lines))
        postgresql.stop()
        postgresql.start()
    with closing(Archive(open_database(address))) as archive:
        assert archive.lines(GameKey(lines[0].key.companion, 1)) == lines


def test_a_later_archiver_gets_what_came_while_it_was_killed(mosquitto: Mosquitto, tmp_path: Path) -> None:
    options = ("--broker", str(mosquitto.address), "--data", str(tmp_path), "--name", "c")
    with (
        running(*options) as program,
        joined(mosquitto, Membership("others", (of_all(ARCHIVED), status_topic("c")))) as (link, listener),
    ):
        mosquitto.until(listener, lambda: (status_topic("c"), b"online") in listener.heard)
        send(link, 0, 2)
        program.kill()
        count = send(link, 1, 2)
        program.start()
        mosquitto.until(listener, lambda: counted(listener) == count)
    with closing(Archive(open_database(tmp_path / "hall.sqlite"))) as archive:
        for lines in GAMES.values():
            assert archive.lines(GameKey(lines[0].key.companion, 1)) == lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with an archive of two games."""
    with closing(Archive(open_database(tmp_path / "hall.sqlite"))) as archive:
        archive.prepare(1.0)
        for number, name in enumerate(("triune", "chess"), 1):
            archive.store(arrived(lines_of(game(name, 7), number)))
    return tmp_path


def ask(*words: str) -> str:
    result = CliRunner().invoke(cli, ["hall", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_games_are_listed_and_exported(folder: Path) -> None:
    data = ("--data", str(folder))
    assert [line.split()[0] for line in ask("games", *data).splitlines()] == ["c0ffee/1", "c0ffee/2"]
    (row,) = map(json.loads, ask("games", *data, "--json", "-n", "1").splitlines())
    assert (row["companion"], row["number"], row["game"], row["board"]) == ("c0ffee", 1, "triune", "7")
    with closing(Archive(open_database(folder / "hall.sqlite"))) as archive:
        record = record_of(archive, GameKey("c0ffee", 2))
    assert ask("export", "c0ffee/2", *data) == write_record(record)
    ask("export", "c0f/2", *data, "-o", str(folder / "game.txt"))
    result = CliRunner().invoke(cli, ["replay", str(folder / "game.txt")])
    assert result.exit_code == 0
    several = ask("export", "--board", "Hall A/7", *data)
    assert [record.game.head for record in find_games(several).records] == ["chess", "triune"]
    words = ["hall", "export", "--board", "Hall A/7", "--format", "pgn", *data, "-o", str(folder / "7.pgn")]
    result = CliRunner().invoke(cli, words, standalone_mode=False)
    assert (result.return_value, "game c0ffee/1: PGN is for chess" in result.output) == (1, True)
    assert len(find_games((folder / "7.pgn").read_text()).records) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("archive",), "there is no hall on this machine"),
        (("archive", "--broker", "mqtt://h", "--name", "a/b"), "a name has letters"),
        (("archive", "--broker", "http://h"), "a broker is named mqtt://HOST"),
        (("archive", "--broker", "mqtt://h", "--database", "mysql://h"), "a database is postgresql://"),
        (("games", "--database", "nowhere.sqlite"), "there is no archive at 'nowhere.sqlite'"),
        (("games", "--database", "empty.sqlite"), "there is no archive at 'empty.sqlite'"),
        (("games", "--database", "postgresql://127.0.0.1:1/hall"), "cannot be used"),
        (("export", "c0ffee/9"), "there is no game 'c0ffee/9' in the archive"),
        (("export", "nine"), "a game is named as"),
        (("export",), "name a GAME, or several"),
        (("export", "--round", "1", "--format", "gif"), "name a GAME, or several"),
        (("export", "c0ffee/1", "--format", "x"), "'x' is no format"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    folder: Path, words: tuple[str, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    monkeypatch.chdir(folder)
    (folder / "empty.sqlite").touch()
    result = CliRunner().invoke(cli, ["hall", *words])
    assert result.exit_code
    assert told in result.output + str(result.exception)
