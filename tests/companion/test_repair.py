"""A damaged store is repaired: what can be read is saved, losses are told, and nothing is overwritten."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from companion.record.correction import correct_record
from companion.record.record import CORRECTS, read_any
from companion.store.opening import find_file_damage, set_aside
from companion.store.repair import repair
from companion.store.rows import DAMAGED, StoreError
from companion.store.store import Store
from tests.companion.command import Command
from tests.companion.test_damaged_store import DAMAGES, IN_THE_LOG, damage, path

__all__ = ["path"]  # the fixture: three games of three lines, each with a comment
LOSSES = (
    (
        "UPDATE games SET head = '[]' WHERE id = 2",
        ("a2-a3", "b7~", "a3-a4"),
        "its names or its date are lost",
    ),
    ("UPDATE games SET started = 'soon' WHERE id = 2", ("a2-a3", "b7~", "a3-a4"), "its names or its date"),
    ("UPDATE games SET game = x'ff' WHERE id = 2", ("a2-a3", "b7~", "a3-a4"), "from the list of games alone"),
    ("UPDATE entries SET text = 'a9' WHERE game = 2 AND n = 1", ("a2-a3",), "only 1 lines of its log"),
    ("DELETE FROM entries WHERE game = 2 AND n = 1", ("a2-a3",), "only 1 lines of its log are whole"),
    ("UPDATE entries SET time = x'00' WHERE game = 2 AND n = 0", (), "only 0 lines of its log are whole"),
    ("UPDATE notes SET time = 'late' WHERE game = 2", ("a2-a3", "b7~", "a3-a4"), "comments are lost"),
)


def contents(path: Path) -> list[tuple[object, ...]]:
    """All that is stored of each game that can be read."""
    with Store(path) as store:
        return [(n, *vars(store.load(n)).values()) for n in (s.id for s in store.list())]


def test_a_store_that_is_whole_is_left_alone(path: Path, companion: Command) -> None:
    before = path.read_bytes()
    assert companion("records", "repair").out == "nothing is damaged, and nothing was changed\n"
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.damaged*"))


@pytest.mark.parametrize("statement", [*DAMAGES, *IN_THE_LOG])
def test_whole_games_stay_as_they_are_beside_a_damaged_one(
    path: Path, companion: Command, statement: str
) -> None:
    before = contents(path)
    damage(path, statement)
    damaged = path.read_bytes()
    found = companion("records", "repair")
    assert found.status == 0
    assert "2 games were saved whole" in found.lines
    aside = path.with_name("games.sqlite.damaged")
    assert f"the damaged store is now '{aside}': nothing in it was changed" in found.lines
    assert aside.read_bytes() == damaged
    assert [game for game in contents(path) if game[0] != 2] == [game for game in before if game[0] != 2]
    assert companion("records", "check").status == 0
    assert "nothing is damaged" in companion("records", "repair").out


@pytest.mark.parametrize(("statement", "actions", "words"), LOSSES)
def test_a_damaged_game_is_kept_as_far_as_it_can_be_read_and_shown_as_damaged(
    path: Path, companion: Command, statement: str, actions: tuple[str, ...], words: str
) -> None:
    damage(path, statement)
    companion("records", "repair")
    with Store(path) as store:
        assert {game.id: game.is_damaged for game in store.list()} == {1: False, 2: True, 3: False}
        record = store.load(2)
        assert record.session().actions == actions
        assert words in record.head[DAMAGED]
    assert f"damaged: {record.head[DAMAGED]}" in companion("records", "list").out
    assert companion("records", "show", 2).status == 0


def test_lines_that_cannot_be_replayed_are_kept_as_notes(path: Path) -> None:
    damage(path, "UPDATE entries SET text = 'a9' WHERE game = 2 AND n = 1")
    repair(path, 60.0)
    with Store(path) as store:
        log = store.load(2).log
    assert [(entry.kind, entry.text) for entry in log] == [
        ("action", "a2-a3"),
        ("note", "action a9"),
        ("note", "action a3-a4"),
    ]


def test_a_game_of_which_nothing_is_known_is_named(path: Path, companion: Command) -> None:
    damage(path, "DELETE FROM games WHERE id = 2")
    damage_again = sqlite3.connect(path)
    damage_again.execute("DELETE FROM summaries WHERE game = 2")
    damage_again.commit()
    damage_again.close()
    assert (
        "game 2 could not be saved: it is not known which game it is" in companion("records", "repair").lines
    )


@pytest.mark.parametrize("content", [b"no database at all" * 300, b"SQLite format 3\0" + bytes(5000)])
def test_a_file_that_is_no_database_is_set_aside(path: Path, companion: Command, content: bytes) -> None:
    for name in ("damaged", "damaged2"):
        path.write_bytes(content)
        assert "companion records repair" in companion.refuses("records", "list")
        assert companion("records", "repair").status == 0
        assert path.with_name(f"games.sqlite.{name}").read_bytes() == content
        assert companion("records", "list").out == ""


def test_games_of_a_store_that_was_set_aside_are_brought_back(path: Path, companion: Command) -> None:
    aside = set_aside(path)
    with Store(path) as store:
        store.add(read_any("triune h2-h3"), 70.0)
    assert companion("records", "repair", aside).lines == ["game 1 is game 4 now", "3 games were saved whole"]
    with Store(path) as store:
        assert [store.load(n).session().actions[0] for n in (1, 2, 3, 4)] == [
            "h2-h3",
            "a2-a3",
            "a2-a3",
            "a2-a3",
        ]
        assert store.load(4).head["red"] == "Ann"


def test_games_of_two_companions_come_together_once(tmp_path: Path, companion: Command) -> None:
    """The number of a game that is corrected goes with it, and a game without a date stays without one."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder, games in (
        (ours, ("triune h2-h3", "triune b2-b3")),
        (theirs, ("triune a2-a3", "triune c2-c3")),
    ):
        folder.mkdir()
        with Store(folder / "games.sqlite") as store:
            for text in games:
                store.add(read_any(text))
            store.correct(1, correct_record(store.load(1), {}, {"red": "Ann"}))
    words = ("records", "repair", theirs / "games.sqlite", "--data", ours)
    moved = [f"game {number} is game {number + 3} now" for number in (1, 2, 3)]
    assert companion(*words).lines == [*moved, "3 games were saved whole"]
    assert companion(*words).lines == ["0 games were saved whole", "3 games were there already"]
    with Store(ours / "games.sqlite") as store:
        assert [store.load(number).head.get(CORRECTS) for number in range(1, 7)] == [
            None, None, "game 1", None, None, "game 4",
        ]  # fmt: skip
        assert {summary.started for summary in store.list()} == {0.0}


def test_a_page_that_is_zero_costs_no_more_than_what_was_on_it(path: Path) -> None:
    whole = path.read_bytes()
    kept = []
    for page in range(1, len(whole) // 4096):
        damaged = bytearray(whole)
        damaged[4096 * page : 4096 * page + 4096] = bytes(4096)
        path.write_bytes(damaged)
        if find_file_damage(path):
            done = repair(path, 60.0)
            done.aside.unlink()
            with Store(path) as store:
                kept.append(len([store.load(game.id).session() for game in store.list()]))
        for beside in ("-wal", "-shm"):
            Path(f"{path}{beside}").unlink(missing_ok=True)
    assert kept.count(3) > len(kept) // 2


HOLD = "import sys; from companion.store.store import Store; s = Store(sys.argv[1]); print(s.list()); input()"


def test_a_store_that_is_in_use_is_not_repaired(path: Path, companion: Command) -> None:
    damage(path, DAMAGES[0])
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        other.stdout.readline()
        assert "another program holds" in companion.refuses("records", "repair")
        other.communicate(b"\n")
    assert companion("records", "repair").status == 0


def test_a_store_of_a_later_version_is_not_set_aside(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 9")
    db.close()
    with pytest.raises(StoreError, match="later version"):
        find_file_damage(path)
