"""A table plays on, whatever has become of the stored games; that is shown, and nothing is overwritten."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.text import read_game
from companion.record.record import read_any
from companion.store import store as store_module
from companion.store.connection import connect_to_read
from companion.store.opening import open_to_play
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from tests.companion.sensor import Sensor
from tests.companion.test_damaged_store import path
from tests.shown import present

__all__ = ["path"]


def spoilt(whole: bytes, how: str) -> bytes:
    return {
        "no database": b"x" * len(whole),
        "cut off": whole[: len(whole) // 2],
        "a page of zeros": whole[:8192] + bytes(4096) + whole[12288:],
        "empty": b"",
    }[how]


def words_on_the_page(desk: Desk) -> str:
    return " ".join(source["words"] for source in present(desk.snapshot)["sources"])


@pytest.mark.parametrize("how", ["no database", "cut off", "a page of zeros", "empty"])
def test_a_damaged_store_is_set_aside_and_play_goes_on_with_a_new_one(
    path: Path, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    damaged = spoilt(path.read_bytes(), how)
    path.write_bytes(damaged)
    with open_to_play(path) as (store, warning):
        desk = Desk(store, warning=warning)
        assert "now 'games.sqlite.damaged'" in words_on_the_page(desk)
        assert "companion records repair" in caplog.text
        assert desk.handle(m.NewGame("triune a2-a3"))[0].ok
        assert "now 'games.sqlite.damaged'" in words_on_the_page(desk)
    assert path.with_name("games.sqlite.damaged").read_bytes() == damaged
    with open_to_play(path) as (store, warning):
        assert warning == ""
        assert store.load(1).session().actions == ("a2-a3",)


def test_a_whole_store_is_opened_without_a_word(path: Path) -> None:
    with open_to_play(path) as (store, warning):
        assert (len(store.list()), warning) == (3, "")


PICTURES = """
CREATE TABLE pictures (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, line INTEGER NOT NULL,
    size INTEGER NOT NULL, jpeg BLOB NOT NULL, UNIQUE (game, line));
CREATE INDEX pictures_by_size ON pictures (size);
CREATE TRIGGER pictures_stay BEFORE UPDATE ON pictures BEGIN
    SELECT RAISE(ABORT, 'a picture is kept as it is'); END;
INSERT INTO settings VALUES ('keep pictures', 'on');
"""
"""What an earlier version made in the file for pictures of doubtful actions."""
LOOK = b"how the board looked" * 1000


@pytest.fixture
def with_pictures(path: Path) -> Path:
    """A store of three games that has pictures too."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(PICTURES)
        for line in (1, 2):
            db.execute("INSERT INTO pictures VALUES (NULL, 1, ?, ?, ?)", (line, len(LOOK), LOOK))
        db.commit()
    assert b"how the board looked" in path.read_bytes()
    return path


def test_pictures_of_an_earlier_version_are_erased_for_good(with_pictures: Path) -> None:
    with open_to_play(with_pictures) as (store, warning):
        assert all(b"board looked" not in file.read_bytes() for file in with_pictures.parent.iterdir())
        assert not store.transaction.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%pictures%'")
        assert store.transaction.rows("SELECT name FROM settings") == [("identity",)]
        assert (len(store.list()), warning, list(store.check())) == (3, "", [])


def test_pictures_that_cannot_be_erased_do_not_stop_play(
    with_pictures: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def connect(name: str) -> sqlite3.Connection:
        db = sqlite3.connect(name, isolation_level=None)
        drop = sqlite3.SQLITE_DROP_TABLE
        db.set_authorizer(lambda deed, *_: sqlite3.SQLITE_DENY if deed == drop else sqlite3.SQLITE_OK)
        return db

    monkeypatch.setattr(store_module, "connect", connect)
    with open_to_play(with_pictures) as (store, _):
        assert Desk(store).handle(m.NewGame("triune a2-a3"))[0].ok
    assert "not erased yet" in caplog.text
    monkeypatch.undo()
    with open_to_play(with_pictures) as (store, _):
        assert not store.transaction.rows("SELECT name FROM sqlite_schema WHERE name LIKE '%pictures%'")


@pytest.fixture
def read_only(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of three games, the second of which is on the table, on a disk that cannot be written."""
    with Store(path) as store:
        store.put_on(2)
    connect = store_module.connect
    monkeypatch.setattr(
        store_module, "connect", lambda name: connect_to_read(name) if name == str(path) else connect(name)
    )
    return path


def test_on_a_disk_that_cannot_be_written_play_is_watched(
    read_only: Path, caplog: pytest.LogCaptureFixture
) -> None:
    before = read_only.read_bytes()
    with caplog.at_level(logging.ERROR), open_to_play(read_only) as (store, warning):
        desk = Desk(store, warning=warning)
        assert "cannot be written" in words_on_the_page(desk)
        assert "cannot be written" in caplog.text
        assert store.latest() == 2
        assert desk.handle(m.OpenGame(2))[0].ok
        assert desk.handle(m.NewGame("triune"))[0].ok
        assert desk.snapshot.number == 4, "no stored game has this number"
        sensor = Sensor(read_game("triune"))
        sensor.move("a2", "a3")
        for _ in range(30):
            desk.handle(m.SightingArrived(sensor.sight()))
        assert desk.session.actions == ("a2-a3",)
        with Store(read_only) as kept:
            assert len(kept.list()) == 3
            assert kept.load(3).session().actions == read_any("triune a2-a3 b7~ a3-a4").session().actions
    assert read_only.read_bytes() == before
