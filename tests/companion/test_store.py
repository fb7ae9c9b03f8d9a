"""The store: nothing changes or is lost once it is written, and what was deleted comes back."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.core.comments import tidy_comment, tidy_line
from companion.core.game import GameError, IllegalActionError
from companion.games.text import read_game
from companion.record.clock import Times
from companion.record.record import Note, Record, read_any, read_record, write_record
from companion.record.session import Entry
from companion.store.rows import StoreError, Summary, read_entry
from companion.store.store import Store
from tests.stores import open_store

TEXT = "triune a2-a3 b7~ a3-a4"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


def play(store: Store, text: str = TEXT, started: float = 100.0, **head: str) -> int:
    """A game played entry by entry."""
    record = read_any(text)
    number = store.begin(record.game.head, head, started)
    for n, entry in enumerate(record.log):
        store.append(number, n, entry, n + 1, "")
    return number


def test_what_was_written_is_read(store: Store) -> None:
    number = play(store, red="Ann", blue="Ben")
    record = store.load(number)
    assert record.session().text == TEXT
    assert record.head == {"red": "Ann", "blue": "Ben"}
    assert [entry.source for entry in record.log] == ["text"] * 3


def test_a_second_store_reads_what_the_first_wrote(store: Store, path: Path) -> None:
    reader = open_store(path)
    number = play(store)
    assert reader.load(number).session().text == TEXT


def test_every_part_of_an_entry_is_kept(store: Store) -> None:
    entry = Entry("note", "späte Züge – 'quoted' \"words\" ☃", "red", "camera:0", 0.9731, 1700000000.123)
    number = store.begin("triune", {}, 1.0)
    store.append(number, 0, entry, 0, "")
    assert store.load(number).log == (entry,)


def pragma(path: Path, name: str) -> object:
    db = sqlite3.connect(path)
    try:
        return db.execute(f"PRAGMA {name}").fetchone()[0]
    finally:
        db.close()


def test_written_ahead_and_through(store: Store, path: Path) -> None:
    play(store)
    assert pragma(path, "journal_mode") == "wal"
    assert store._db.execute("PRAGMA synchronous").fetchone()[0] == 2  # FULL


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET text = 'h2-h3' WHERE n = 0",
        "DELETE FROM entries WHERE n = 2",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries (game, n, kind, text, by, source, certainty, time)"
        " VALUES (1, 0, 'action', 'h2-h3', '', '', 1, 0)",
    ],
)
def test_a_log_only_grows(store: Store, statement: str) -> None:
    number = play(store)
    with pytest.raises(sqlite3.IntegrityError):
        store._db.execute(statement)
    assert store.load(number).session().text == TEXT


def test_an_entry_is_written_once(store: Store) -> None:
    number = play(store)
    with pytest.raises(sqlite3.IntegrityError):
        store.append(number, 2, Entry("action", "h2-h3"), 3, "")
    assert store.load(number).session().text == TEXT
    assert store.list()[0].plies == 3


def test_an_entry_belongs_to_a_game(store: Store) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        store.append(7, 0, Entry("action", "a2-a3"), 1, "")


def test_the_list_is_newest_first_and_paged(store: Store) -> None:
    numbers = [play(store, "triune", started=float(t)) for t in (30, 10, 20, 20, 30)]
    ordered = [numbers[n] for n in (4, 0, 3, 2, 1)]
    assert [s.id for s in store.list()] == ordered
    pages: list[Summary] = []
    before: int | None = None
    while page := store.list("triune", limit=2, before=before):
        pages += page
        before = page[-1].id
    assert [s.id for s in pages] == ordered
    assert store.list(before=max(numbers) + 1) == []


@pytest.mark.parametrize("started", [-62_135_683_140.0, 253_402_383_599.0, 1e300, float("-inf")])
def test_a_game_begun_in_no_year_is_listed_and_read(store: Store, started: float) -> None:
    """Earlier versions took such games in."""
    number = play(store, started=started)
    play(store, started=100.0)
    assert {summary.id: summary.started for summary in store.list()} == {number: 0.0, number + 1: 100.0}
    assert store.load(number).started == 0.0


@pytest.mark.parametrize(
    "words",
    ["muller", "MÜLLER", "mu\u0308ller", "ipek isik", "IŞIK", "zak lukasz", "GROSS", "o’brien", "νικος"],
)
def test_a_search_needs_no_marks_and_no_capitals(store: Store, words: str) -> None:
    """A name is looked for on the keyboard of a tablet."""
    for name in ("Müller", "İpek Işık", "Łukasz Żak", "Groß", "O'Brien", "Νίκος"):
        play(store, TEXT, 1.0, red=name)
    assert len(store.list(words)) == 1


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("", [3, 2, 1]),
        ("ann", [2, 1]),
        ("ANN triune", [1]),
        ("ann ben", [1]),
        ("players=3", [2]),
        ("100%", [3]),
        ("a_n", []),
        ("%", [3]),
        ("\\", []),
        ("nobody", []),
        ("'; DROP TABLE games; --", []),
    ],
)
def test_search(store: Store, words: str, found: list[int]) -> None:
    play(store, TEXT, 1.0, red="Ann", blue="Ben")
    play(store, "ternion_factor players=3", 2.0, black="Anna")
    play(store, "escape", 3.0, event="100% wood")
    assert [s.id for s in store.list(words)] == found


def test_the_games_of_a_player(store: Store) -> None:
    play(store, TEXT, 1.0, red="Ann", blue="Ben")
    play(store, "ternion_factor players=3", 2.0, black="ben", event="Ann")
    play(store, TEXT, 3.0, red="Zoë", blue="Ann")
    store.delete(play(store, TEXT, 4.0, red="Gone"), 200.0)
    assert [s.id for s in store.list(player="Ann")] == [3, 1]
    assert [s.id for s in store.list("zoë", player="Ann")] == [3]
    assert store.list(player="An") == []
    assert store.players() == ("Ann", "Ben", "ben", "Zoë")
    assert store.players(limit=2) == ("Ann", "Zoë")


def test_a_deleted_game_comes_back(store: Store) -> None:
    number = play(store)
    store.delete(number, 200.0)
    assert store.list() == []
    assert [s.deleted for s in store.list(deleted=True)] == [True]
    assert store.latest() is None
    assert store.load(number).session().text == TEXT
    store.undelete(number)
    assert [s.id for s in store.list()] == [number]


@pytest.mark.parametrize("number", [0, -1, 99, 2**63 - 1, 2**63, -(2**63) - 1, 10**40])
def test_games_that_are_not_there(store: Store, number: int) -> None:
    asked = (store.load, lambda n: store.delete(n, 1.0), store.undelete, lambda n: store.note(n, Note("x")))
    for ask in asked:
        with pytest.raises(StoreError, match=f"there is no game {number}"):
            ask(number)


def test_the_latest_game_that_is_not_over(store: Store) -> None:
    assert store.latest() is None
    first = play(store)
    assert store.latest() == first
    second = store.begin("triune", {}, 1.0)
    store.append(second, 0, Entry("resign", "", "red"), 0, "blue")
    assert store.latest() is None


def test_an_import_is_stored_whole(store: Store) -> None:
    record = Record(read_game("triune"), read_any(TEXT).log, {"red": "Ann", "place": "the club"})
    number = store.add(record, 50.0)
    kept = store.load(number)
    assert (kept.log, kept.head) == (record.log, record.head)
    (summary,) = store.list("club")
    assert (summary.plies, summary.result, summary.started) == (3, "", 50.0)


def test_an_import_that_breaks_the_rules_leaves_nothing(store: Store) -> None:
    with pytest.raises(IllegalActionError):
        store.add(read_any("triune a2-a3 a3-a4"), 1.0)
    assert store.list() == []


def test_an_import_that_fails_in_the_middle_leaves_nothing(store: Store) -> None:
    store._db.execute(
        "CREATE TEMP TRIGGER full BEFORE INSERT ON entries WHEN NEW.n = 2 BEGIN"
        " SELECT RAISE(ABORT, 'disk full'); END"
    )
    with pytest.raises(sqlite3.Error, match="disk full"):
        store.add(read_any(TEXT), 1.0)
    assert store.list() == []
    store._db.execute("DROP TRIGGER full")
    assert store.load(store.add(read_any(TEXT), 1.0)).session().text == TEXT


@example(certainty=0.99999, time=0.0, clock=None, name="", said="")
@given(
    st.floats(0, 1),
    st.floats(0, 4e9),
    st.none() | st.floats(0, 1e6),
    st.text("éA %{}", max_size=9),
    st.text(),
)
def test_a_game_that_was_played_is_known_by_its_record(
    certainty: float, time: float, clock: float | None, name: str, said: str
) -> None:
    entry = Entry("action", "a2-a3", "red", "camera:0", certainty, round(time, 3), clock)
    said = tidy_comment(said)
    head = {key: words for key, words in (("red", tidy_line(name)), ("round", "3")) if words}
    notes = (Note(said, 1, "red", 5.0),) if said else ()
    with Store(":memory:") as store:
        number = store.add(Record(read_game("triune"), (entry,), head, notes, round(time, 3)))
        assert store.find(read_record(write_record(store.load(number)))) == number


@pytest.mark.parametrize(
    ("kept", "given", "is_known"),
    [
        ({}, {}, True),
        ({"log": read_any(TEXT).log[:2]}, {}, False),
        ({}, {"log": read_any(TEXT).log[:2]}, False),
        ({"started": 9.0}, {"started": 9.0, "log": read_any(TEXT).log[:2]}, True),
        ({"started": 9.0}, {}, False),
        ({"head": {"red": "Ann"}}, {}, False),
        ({"notes": (Note("Oh"),)}, {}, True),
        ({}, {"notes": (Note("Oh"),)}, False),
    ],
)
def test_a_game_is_known_that_holds_all_of_another(
    store: Store, kept: dict[str, Any], given: dict[str, Any], is_known: bool
) -> None:
    game = read_any(TEXT)
    number = store.add(replace(game, **kept))
    assert store.find(replace(game, **given)) == (number if is_known else None)


def test_games_of_a_file_that_are_there_are_not_added(store: Store) -> None:
    games = [read_any(TEXT), read_any(TEXT), read_any("triune b2-b3")]
    assert list(store.add_new(games)) == [(1, True), (2, True), (3, True)]
    store.delete(2, 1.0)
    store._db.executescript("DROP TRIGGER entries_remain; DELETE FROM entries WHERE game = 1 AND n = 0")
    assert list(store.add_new([*games, read_any("triune")])) == [(2, False), (4, True), (3, False), (5, True)]
    assert not store.is_deleted(2)


@pytest.mark.parametrize("content", [b"this is no database" * 50, b"\x00" * 8192])
def test_a_file_that_is_no_store(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match="records repair"):
        Store(path)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="--data"):
        Store(tmp_path / "missing" / "games.sqlite")


def test_a_store_of_a_later_version(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(StoreError, match="later version"):
        Store(path)
    assert pragma(path, "user_version") == 99


def test_a_store_of_the_first_version_is_taken_over(path: Path) -> None:
    store = Store(path)
    number = play(store)
    for table in ("notes", "settings"):
        store._db.execute(f"DROP TABLE {table}")
    store._db.execute("PRAGMA user_version = 1")
    store.close()
    again = open_store(path)
    again.note(number, Note("still here", 2, "red", 5.0))
    assert again.load(number).session().text == TEXT
    assert again.load(number).notes == (Note("still here", 2, "red", 5.0),)
    again.close()


@pytest.mark.parametrize("statement", ["UPDATE notes SET text = 'x'", "DELETE FROM notes"])
def test_comments_only_grow(store: Store, statement: str) -> None:
    number = play(store)
    store.note(number, Note("first", 0, "red"))
    store.note(number, Note("second", 0, "red"))
    with pytest.raises(sqlite3.IntegrityError, match="comments only grow"):
        store._db.execute(statement)
    assert [note.text for note in store.load(number).notes] == ["first", "second"]


@pytest.mark.parametrize("line", [-1, 4])
def test_a_comment_is_about_a_line_that_is_there(store: Store, line: int) -> None:
    number = play(store)
    with pytest.raises(StoreError, match=f"there is no line {line}"):
        store.note(number, Note("x", line))
    with pytest.raises(StoreError, match="there is no game 9"):
        store.note(9, Note("x"))


def test_a_comment_is_taken_while_a_game_is_read_and_another_played(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number, table = play(store), open_store(path)

    def read(game: int, line: int, row: Any) -> Entry:
        if line == 0:
            monkeypatch.undo()
            play(table)
            store.note(number, Note("meanwhile"))
        return read_entry(game, line, row)

    monkeypatch.setattr("companion.store.store.read_entry", read)
    assert store.load(number).session().text == TEXT
    assert [note.text for note in store.load(number).notes] == ["meanwhile"]


def test_threads_that_write_at_once_lose_nothing(store: Store) -> None:
    number = play(store)

    def comment(by: str) -> None:
        for n in range(8):
            store.note(number, Note(f"{by} {n}", 1, by))
            store.delete(number, 1.0)
            store.undelete(number)

    threads = [threading.Thread(target=comment, args=(by,)) for by in ("red", "blue", "arbiter")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.load(number).notes) == 24
    assert not store._db.in_transaction


def test_a_commit_that_fails_leaves_no_transaction_open(store: Store) -> None:
    def write() -> None:
        with store.transaction:
            store._db.execute("PRAGMA defer_foreign_keys = ON")  # found when it is committed
            store._db.execute("INSERT INTO notes (game, line, text, by, time) VALUES (99, 0, 'x', '', 0)")

    number = play(store)
    with pytest.raises(sqlite3.IntegrityError):
        write()
    store.note(number, Note("goes on"))
    assert [note.text for note in store.load(number).notes] == ["goes on"]


WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=20).map(
    lambda words: " ".join(words.split())
)
ENTRIES = st.builds(
    Entry,
    st.sampled_from(("note", "refused")),
    WORDS,
    st.sampled_from(("", "red", "arbiter")),
    st.sampled_from(("", "camera:0", "serial:/dev/tty ACM0", "camera:0+serial:")),
    st.integers(0, 10_000).map(lambda n: n / 10_000),
    st.integers(0, 2_000_000_000_000).map(lambda ms: ms / 1000),
    st.none() | st.integers(0, 36_000).map(lambda tenths: tenths / 10),
)


@given(st.lists(ENTRIES, max_size=6))
def test_a_log_is_the_same_after_store_and_text(log: list[Entry]) -> None:
    store = Store(":memory:")
    try:
        kept = store.load(store.add(Record(read_game("triune"), tuple(log)), 1.0))
    finally:
        store.close()
    assert kept.log == tuple(log)
    assert read_record(write_record(kept)).log == tuple(log)


def test_errors_of_the_store_are_said_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(GameError) as caught:
        Store(tmp_path)
    assert "\n" not in str(caught.value)


def test_the_game_on_the_table_is_gone_on_with(store: Store) -> None:
    first, second = play(store), play(store)
    store.put_on(first)
    assert store.latest() == first
    store.put_on(second)
    store.delete(second, 9.0)
    assert store.latest() is None
    store.put_on(None)
    assert store.latest() is None


def test_what_a_clock_showed_counts_for_its_line_alone(store: Store) -> None:
    times = {"red": Times(61.5, 0.0), "blue": Times(50.0, 4.0)}
    number = play(store)
    assert store.times(number, 3) == {}
    store.keep_times(number, 2, times)
    store.keep_times(number, 3, times)
    assert (store.times(number, 3), store.times(number, 2), store.times(number + 1, 3)) == (times, {}, {})


def test_what_a_clock_showed_is_not_known_where_it_is_damaged(store: Store, path: Path) -> None:
    number = play(store)
    store.keep_times(number, 3, {"red": Times(61.5, 0.0), "blue": Times(50.0, 4.0)})
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE clocks SET remaining = x'ff' WHERE player = 'red'")
        db.commit()
    assert store.times(number, 3) == {"blue": Times(50.0, 4.0)}
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE clocks")
    assert store.times(number, 3) == {}


def test_a_store_is_closed_with_its_context(path: Path) -> None:
    with Store(path) as store:
        play(store)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        store.list()


def test_a_file_that_cannot_be_used_is_not_kept_open(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(b"no games " * 100)
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def connected(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **kwargs))
        return opened[0]

    monkeypatch.setattr(sqlite3, "connect", connected)
    with pytest.raises(StoreError):
        Store(path)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


def test_a_store_is_another_one_after_its_file_was_deleted(path: Path) -> None:
    with Store(path) as store:
        first = store.identity
    with Store(path) as store:
        assert first == store.identity != ""
    for file in path.parent.iterdir():
        file.unlink()
    with Store(path) as store:
        assert store.identity not in ("", first)


def test_a_store_made_before_gets_an_identity_and_keeps_its_games(path: Path) -> None:
    with Store(path) as store:
        number = play(store)
        store._db.execute("DELETE FROM settings")
    with Store(path) as store, Store(path) as second:
        assert store.identity == second.identity != ""
        assert store.load(number).session().text == TEXT
        assert store.begin("triune", {}, 1.0) == number + 1
