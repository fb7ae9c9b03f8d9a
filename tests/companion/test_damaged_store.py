"""A file of games that a failing disk damaged: what is whole is shown and read, and what is not is named."""

import random
import sqlite3
from pathlib import Path

import pytest

from companion.games.text import read_game
from companion.record.record import Note, Record, read_any
from companion.store import store as store_module
from companion.store.rows import StoreError
from companion.store.store import Store
from tests.companion.command import Command
from tests.stores import open_store

TEXT = "triune a2-a3 b7~ a3-a4"
DAMAGES = (
    "UPDATE games SET head = '{\"game' WHERE id = 2",
    "UPDATE games SET head = '[]' WHERE id = 2",
    "UPDATE games SET head = x'ff00' WHERE id = 2",
    "UPDATE games SET head = '{\"red\": 7}' WHERE id = 2",
    "UPDATE games SET game = CAST(x'74ff' AS TEXT) WHERE id = 2",
    "UPDATE games SET started = 'soon' WHERE id = 2",
)
IN_THE_LOG = (
    "UPDATE entries SET kind = 'moved' WHERE game = 2 AND n = 1",
    "UPDATE entries SET text = CAST(x'6132ff' AS TEXT) WHERE game = 2 AND n = 1",
    "UPDATE entries SET text = 'a2-a9' WHERE game = 2 AND n = 0",
    "UPDATE entries SET kind = 'takeback', text = 'some' WHERE game = 2 AND n = 1",
    "UPDATE entries SET time = 'noon' WHERE game = 2 AND n = 1",
    "UPDATE entries SET certainty = x'00' WHERE game = 2 AND n = 1",
    "UPDATE entries SET clock = 'much' WHERE game = 2 AND n = 1",
    "DELETE FROM entries WHERE game = 2 AND n = 1",
    "UPDATE notes SET time = 'late' WHERE game = 2",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three games, one of them with a comment."""
    (tmp_path / "data").mkdir()
    path = tmp_path / "data" / "games.sqlite"
    with Store(path) as store:
        for name in ("Ann", "Ben", "Cleo"):
            record = read_any(TEXT)
            store.add(Record(read_game("triune"), record.log, {"red": name}, (Note("fine", 1),)), 50.0)
    return path


def damage(path: Path, statement: str) -> None:
    """Changes the file as no store does."""
    db = sqlite3.connect(path)
    for trigger in ("entries_stay", "entries_remain", "notes_stay"):
        db.execute(f"DROP TRIGGER {trigger}")
    db.execute(statement)
    db.commit()
    db.close()


@pytest.mark.parametrize("statement", DAMAGES)
def test_the_list_shows_which_game_is_damaged(path: Path, statement: str) -> None:
    damage(path, statement)
    with Store(path) as store:
        shown = {game.id: (game.is_damaged, game.head.get("red")) for game in store.list()}
        assert shown.keys() == {1, 2, 3}
        assert shown[1] == (False, "Ann")
        assert shown[2][0]
        assert store.load(3).session().actions


@pytest.mark.parametrize("statement", [*DAMAGES, *IN_THE_LOG])
def test_the_check_names_the_damaged_game(path: Path, companion: Command, statement: str) -> None:
    assert companion("records", "check").status == 0
    damage(path, statement)
    found = companion("records", "check")
    assert found.status == 1
    assert [line[:6] for line in found.lines] == ["game 2"]
    assert companion.refuses("records", "show", 2)
    assert companion("records", "show", 3).status == 0


def test_the_command_lists_a_damaged_game_among_the_others(path: Path, companion: Command) -> None:
    damage(path, DAMAGES[0])
    lines = companion("records", "list").lines
    assert len(lines) == 3
    assert lines[1] == "    2  damaged: 'companion records check' says what"


def refuse(db: sqlite3.Connection) -> None:
    raise sqlite3.OperationalError("attempt to write a readonly database")


@pytest.mark.parametrize("is_journal_left", [False, True])
def test_games_on_a_disk_that_cannot_be_written_are_read(
    path: Path, companion: Command, monkeypatch: pytest.MonkeyPatch, is_journal_left: bool
) -> None:
    if is_journal_left:
        writer = open_store(path)
        writer.note(1, Note("kept in the journal", 1))
    monkeypatch.setattr(store_module, "_prepare", refuse)
    assert len(companion("records", "list").lines) == 3
    exported = companion("records", "export", 1).out
    assert ("kept in the journal" in exported.replace("%20", " ")) is is_journal_left
    assert "readonly" in companion.refuses("records", "note", 1, "x")


def test_no_damage_of_the_file_ends_in_a_traceback(path: Path, companion: Command) -> None:
    """Bytes of the file are changed at random: each command says a line, or goes on with what is left."""
    chance, whole = random.Random(1), path.read_bytes()
    for _ in range(60):
        content = bytearray(whole)
        for _ in range(chance.randint(1, 40)):
            start = chance.randrange(len(content))
            content[start : start + 8] = chance.randbytes(8)
        path.write_bytes(content[: len(whole)])
        for beside in ("-wal", "-shm"):
            Path(f"{path}{beside}").unlink(missing_ok=True)
        for command in (("list",), ("show", 2), ("check",)):
            assert companion("records", *command).status in (0, 1, 2)


def test_a_file_that_is_no_store_is_not_read_either(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError, match="records repair"):
        Store(tmp_path / "games.sqlite")
