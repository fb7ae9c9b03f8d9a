"""The archive over SQLite and over a real PostgreSQL: the truth, what follows from it, and oddities."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broker_bridge.link import Delivery
from broker_bridge.telling import Telling
from broker_bridge.topics import PAIRING, BoardName
from companion.games.text import read_game
from companion.record.correction import correct_record
from companion.record.record import Record
from companion.record.session import ARBITER, Entry
from companion.store.store import Store
from companion.wire.codec import write
from companion.wire.hall import LogLine, Pairing
from hall.archive import archive as module
from hall.archive.archive import Archive
from hall.archive.arrivals import Arrival, Oddity, read_arrival
from hall.archive.database import Database, DatabaseError, open_database
from hall.archive.listing import ArchiveError, find_game, list_games, record_of
from hall.archive.migrations import LaterVersionError, migrations
from hall.archive.rows import GameKey
from hall.archive.sqlite import SqliteDatabase
from tests.databases import Cluster
from tests.hall.archived_games import BOARD, COMPANION, arrived, delivery_of, dump, game, lines_of

KEY = GameKey(COMPANION, 1)
GAMES = [("triune", 1), ("chess", 2), ("teleporters", 3), ("magnet", 4), ("ternion_factor", 5)]


@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_what_is_asked_equals_the_game_as_the_board_has_it(archive: Archive, name: str, seed: int) -> None:
    record = game(name, seed)
    session = record.session()
    archive.store(arrived(lines_of(record)))
    rows = archive.database.rows

    standing = rows("SELECT player, action, written, n FROM plies WHERE NOT taken_back ORDER BY n")
    told = [
        ("" if p.player == ARBITER else p.player, p.action, p.written, n)
        for n, p in enumerate(session.plies, 1)
    ]
    assert [(row[0] if row[2] else "", *row[1:]) for row in standing] == told
    assert rows("SELECT COUNT(*) FROM plies") == [
        (sum(entry.kind in ("action", "redo", "correction") for entry in record.log),)
    ]
    assert rows("SELECT text, plies, lines FROM games") == [
        (record.game.head, len(session.plies), len(record.log))
    ]
    names = [(player, record.head.get(player)) for player in session.players]
    assert rows("SELECT player, name FROM players ORDER BY seat") == names
    refused = [entry.text for entry in record.log if entry.kind == "refused"]
    assert [text for (text,) in rows("SELECT action FROM refusals ORDER BY line")] == refused
    changes = [entry.text for entry in record.log if entry.kind == "clock"]
    assert [
        text for (text,) in rows("SELECT text FROM rulings WHERE kind = 'clock' ORDER BY line")
    ] == changes


@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_a_game_comes_back_as_the_board_s_own_record(archive: Archive, name: str, seed: int) -> None:
    with closing(Store(":memory:")) as store:
        number = store.add(game(name, seed), now=1_700_000_000.0)
        kept = store.load(number)
    archive.store(arrived(lines_of(kept)))
    assert record_of(archive, KEY) == replace(kept, notes=())


def test_a_head_that_changes_is_followed_also_where_line_0_comes_again(archive: Archive) -> None:
    changes = ("round=3", "round=4", "white=Ann", "event=")
    log = tuple(Entry("head", text, ARBITER, time=1.7e9) for text in changes)
    record = Record(read_game("chess"), log, {"white": "A", "event": "Open"}, started=1.7e9)
    lines = lines_of(record)
    with closing(Store(":memory:")) as store:
        number = store.begin("chess", record.head, record.started)
        for n, entry in enumerate(log):
            store.append(number, n, entry, 0, "")
        board = store.load(number)
    archive.store(arrived(lines[2:]))
    archive.store(arrived(lines[:2]))
    assert archive.store(arrived(lines_of(board))) == []
    assert record_of(archive, KEY) == board
    assert archive.database.rows("SELECT round, event FROM games") == [("4", None)]
    assert archive.database.rows("SELECT name FROM players ORDER BY seat") == [("Ann",), (None,)]


def test_a_corrected_copy_has_the_head_that_it_was_given(archive: Archive) -> None:
    with closing(Store(":memory:")) as store:
        number = store.begin("chess", {"white": "A"}, 1.7e9)
        store.append(number, 0, Entry("head", "white=An", ARBITER, time=1.7e9), 0, "")
        copy = store.correct(number, correct_record(store.load(number), {}, {"white": "Ann"}))
        board = store.load(copy)
    archive.store(arrived(lines_of(board)))
    assert record_of(archive, KEY) == board
    assert archive.database.rows("SELECT corrects FROM games") == [(f"game {number}",)]
    assert archive.database.rows("SELECT name FROM players ORDER BY seat") == [("Ann",), (None,)]


@pytest.mark.parametrize("seed", range(3))
def test_of_a_game_with_secrets_the_beginning_is_there_alone_until_it_is_over(seed: int) -> None:
    record = game("magnet", seed)
    log = [entry for entry in record.log if entry.kind != "result"]
    telling = Telling(COMPANION, 1, Record(record.game, (), record.head))
    with closing(Archive(open_database(":memory:"))) as archive:
        archive.prepare(1.0)
        for entry in log:
            archive.store(arrived(telling.lines[: telling.ready]))
            assert archive.database.rows("SELECT line, kind FROM lines") == [(0, "begin")]
            assert archive.database.rows("SELECT * FROM plies") == []
            telling.add([entry])
        telling.add([Entry("resign", "", record.session().players[0])])
        archive.store(arrived(telling.lines[: telling.ready]))
        assert archive.count(KEY) == len(log) + 2


def test_the_result_is_that_after_the_last_line(archive: Archive) -> None:
    log = (
        Entry("action", "e2e4", "white", time=1010.0),
        Entry("resign", "", "black", time=1020.0),
        Entry("takeback", "1", ARBITER, time=1030.0),
        Entry("resign", "", "white", time=1040.0),
        Entry("note", "a pity", "white", time=1050.0),
    )
    lines = lines_of(Record(read_game("chess"), log, started=1000.0))
    results = [("", None), ("", None), ("white", 20.0), ("", None), ("black", 40.0), ("black", 40.0)]
    for line, result in zip(lines, results, strict=True):
        archive.store(arrived([line]))
        assert archive.database.rows("SELECT result, seconds FROM games") == [result]
    points = archive.database.rows("SELECT player, result, points FROM players ORDER BY seat")
    assert points == [("white", "lost", 0.0), ("black", "won", 1.0)]


def test_thinking_counts_from_the_position_before_or_from_the_clock_s_start(archive: Archive) -> None:
    log = (
        Entry("action", "e2e4", "white", time=1010.0),
        Entry("refused", "e7e3 (CH-1)", "black", time=1015.0),
        Entry("action", "e7e5", "black", time=1030.0),
        Entry("clock", "stop", ARBITER, time=1040.0),
        Entry("clock", "start", ARBITER, time=2000.0),
        Entry("action", "g1f3", "white", time=2003.0),
    )
    archive.store(arrived(lines_of(Record(read_game("chess"), log, started=1000.0))))
    assert archive.database.rows("SELECT action, seconds FROM plies ORDER BY n") == [
        ("e2e4", 10.0),
        ("e7e5", 20.0),
        ("g1f3", 3.0),
    ]
    assert archive.database.rows("SELECT rule FROM broken_rules") == [("CH-1",)]


@pytest.fixture(scope="module")
def reference() -> Iterator[dict[str, object]]:
    """What an archive says after all lines came once, in order."""
    with closing(Archive(open_database(":memory:"))) as archive:
        archive.prepare(1.0)
        archive.store(arrived(line for name, lines in _boards() for line in lines))
        yield dict(dump(archive))


def _boards() -> list[tuple[str, list[LogLine]]]:
    return [(name, lines_of(game(name, seed), number)) for number, (name, seed) in enumerate(GAMES[:3], 1)]


@settings(max_examples=12)
@given(st.data())
def test_order_repetition_and_batches_make_no_difference(
    reference: dict[str, object], data: st.DataObject
) -> None:
    lines = [line for _, lines in _boards() for line in lines]
    mixed = data.draw(st.permutations(lines)) + data.draw(st.lists(st.sampled_from(lines), max_size=30))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(mixed)), max_size=20)))
    with closing(Archive(open_database(":memory:"))) as archive:
        archive.prepare(1.0)
        for first, last in zip([0, *cuts], [*cuts, len(mixed)], strict=True):
            assert archive.store(arrived(mixed[first:last])) == []
        assert dump(archive) == reference
        assert {*archive.database.rows("SELECT * FROM plies")} == {
            *archive.database.rows("SELECT * FROM derived_plies")
        }


def test_two_archivers_at_once_come_to_the_same(postgresql: Cluster) -> None:
    address = postgresql.new_schema()
    batches = [
        [batch for lines in halves for batch in ([*lines[n : n + 7]] for n in range(0, len(lines), 7))]
        for halves in _dealt()
    ]

    def work(lines: list[list[LogLine]]) -> None:
        with closing(Archive(open_database(address))) as archive:
            archive.prepare(1.0)  # both at once, in an empty database
            for batch in lines:
                assert archive.store(arrived(batch)) == []

    threads = [Thread(target=work, args=(lines,)) for lines in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = postgresql.new_schema()
    with closing(Archive(open_database(address))) as a, closing(Archive(open_database(whole))) as b:
        b.prepare(1.0)
        b.store(arrived(line for _, lines in _boards() for line in lines))
        assert dump(a) == dump(b)


def _dealt() -> tuple[list[list[LogLine]], list[list[LogLine]]]:
    """Returns the lines of each board for two archivers: each second one, and some for both."""
    boards = [lines for _, lines in _boards()]
    return [lines[::2] for lines in boards], [lines[1::2] + lines[:9] for lines in reversed(boards)]


def test_lines_are_counted_up_to_the_first_that_is_missing(archive: Archive) -> None:
    lines = arrived(lines_of(game("triune", 1)))
    assert archive.count(KEY) == 0
    archive.store(lines[1:3])
    assert archive.count(KEY) == 0
    archive.store([lines[0], lines[4]])
    assert archive.count(KEY) == archive.count(KEY, 2) == 3
    archive.store(lines)
    assert archive.count(KEY) == archive.count(KEY, 3) == len(lines)
    assert archive.recent(1000.0) == {BOARD: [KEY]}
    assert archive.recent(1000.5) == {}


def test_a_game_that_is_not_whole_is_not_exported(archive: Archive) -> None:
    lines = arrived(lines_of(game("triune", 1)))
    archive.store(lines[:3] + lines[4:])
    with pytest.raises(ArchiveError, match="line 3 of game c0ffee/1 has not come"):
        record_of(archive, KEY)
    with pytest.raises(ArchiveError, match="line 0"):
        record_of(archive, GameKey(COMPANION, 2))


def test_of_two_lines_that_contradict_each_other_the_first_stays(archive: Archive) -> None:
    line = lines_of(game("triune", 1))[1]
    other = replace(line, text="other")
    archive.store(arrived([line]))
    (found,) = archive.store(arrived([other]))
    assert "contradicts line 1" in found.why
    assert archive.store(arrived([other])) == []  # it is told of once
    assert archive.store(arrived([replace(line, written="as later rules write it")])) == []
    assert archive.lines(KEY) == [line]
    assert archive.database.rows("SELECT payload FROM oddities") == [(write(other),)]


def test_of_two_in_one_batch_too(archive: Archive) -> None:
    line = lines_of(game("triune", 1))[1]
    assert len(archive.store(arrived([line, replace(line, text="other")]))) == 1
    assert archive.lines(KEY) == [line]


@pytest.mark.parametrize("statement", ["UPDATE lines SET text = 'x'", "DELETE FROM lines"])
def test_lines_are_never_changed(archive: Archive, statement: str) -> None:
    archive.store(arrived(lines_of(game("triune", 1))))
    before = dump(archive)
    with pytest.raises(DatabaseError, match="an archive only grows"):
        archive.database.run(f"{statement};")
    assert dump(archive) == before


LINE = replace(lines_of(game("triune", 1))[1], kind="note", text="hm", time=1.0)
TOPIC = BOARD.topic("event")
ODD = {
    "no JSON": (TOPIC, b"\xff\x00"),
    "no line": (TOPIC, b"{}"),
    "another topic": (BOARD.topic("state"), write(LINE)),
    "no topic of a board": ("a/b", write(LINE)),
    "half a character": (TOPIC, write(replace(LINE, text="*")).replace(b"*", b"\\ud800")),
    "a NUL": (TOPIC, write(replace(LINE, text="*")).replace(b"*", b"\\u0000")),
    "a NUL in a head": (TOPIC, write(replace(LINE, head={"a": "*"})).replace(b"*", b"\\u0000")),
    "a time of no calendar": (TOPIC, write(replace(LINE, time=1e15))),
    "a name too long for an index": (
        TOPIC,
        write(replace(LINE, companion="c" * 5000)),
    ),
    "a beginning in the middle": (TOPIC, write(replace(LINE, kind="begin"))),
    "too large": (TOPIC, b" " * 300_000),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_no_line_is_set_aside_once_and_blocks_nothing(archive: Archive, name: str) -> None:
    odd = read_arrival(Delivery(*ODD[name]), 1000.0)
    assert isinstance(odd, Oddity)
    assert archive.store([odd, *arrived([LINE])]) == [odd]
    assert archive.store([odd]) == []
    assert archive.lines(KEY) == [LINE]
    assert archive.database.rows("SELECT topic, payload FROM oddities") == [(odd.topic, odd.payload)]


def test_what_the_database_does_not_take_is_set_aside_too(archive: Archive) -> None:
    bad = replace(LINE, text="\ud800", line=2)
    arrival = Arrival(BOARD, bad, 1.0, delivery_of(LINE))
    (odd,) = archive.store([*arrived([LINE]), arrival])
    assert "does not take this" in odd.why
    assert archive.lines(KEY) == [LINE]


def test_a_game_without_rules_here_is_archived_all_the_same(archive: Archive) -> None:
    archive.store(arrived([replace(lines_of(game("triune", 1))[0], text="pebbles size=3")]))
    assert archive.database.rows("SELECT game, text FROM games") == [("pebbles", "pebbles size=3")]
    assert archive.database.rows("SELECT * FROM players") == []


def test_games_are_listed_and_found(archive: Archive) -> None:
    for number, (name, white) in enumerate((("chess", "Ann"), ("triune", "100%"), ("chess", "Hannah")), 1):
        player = "white" if name == "chess" else "red"
        head = {player: white, "round": str(number), "event": "Open"}
        record = Record(read_game(name), (), head, started=1.7e9 + number)
        archive.store(arrived(lines_of(record, number)))

    def listed(**wanted: str) -> list[int]:
        return [row.key.number for row in list_games(archive.database, 50, wanted)]

    assert listed() == [3, 2, 1]
    assert listed(player="ann") == [3, 1]
    assert listed(player="%") == [2]
    assert listed(round="2") == listed(round="2", event="Open", board="Hall A/7") == [2]
    assert listed(board="Hall A/8") == []
    (row,) = list_games(archive.database, 50, {"round": "3"})
    assert (row.seats, row.result, row.to_json()["head"]["white"]) == (("white", "black"), "", "Hannah")
    assert (
        find_game(archive.database, "c0f/2")
        == find_game(archive.database, "c0ffee/2")
        == GameKey(COMPANION, 2)
    )
    for name in ("c0ffee/9", "d/1", "c0ffee", "c0ffee/x"):
        with pytest.raises(ArchiveError):
            find_game(archive.database, name)
    exchanged = Record(read_game("chess"), (), {}, started=1.0)  # the clock of its board is wrong
    later = [replace(arrival, time=arrival.time + 1.0) for arrival in arrived(lines_of(exchanged, 4))]
    archive.store(later)
    assert listed() == [4, 3, 2, 1]
    archive.store(arrived(lines_of(record, 2, "c0ff00")))
    with pytest.raises(ArchiveError, match="several"):
        find_game(archive.database, "c0f/2")


def test_a_database_of_a_later_version_is_refused(archive: Archive) -> None:
    archive.prepare(2.0)  # nothing to do
    dialect = archive.database.dialect
    assert archive.database.rows("SELECT version, applied FROM schema_version ORDER BY version") == [
        (number, 1.0) for number in migrations(dialect)
    ]
    archive.database.insert("INSERT INTO schema_version VALUES (?, ?, ?)", [(999, "later", 3.0)])
    with pytest.raises(LaterVersionError, match="a later version of the companion has changed"):
        archive.prepare(4.0)


def test_both_dialects_have_the_same_migrations() -> None:
    names = [{n: name for n, (name, _) in migrations(d).items()} for d in ("sqlite", "postgresql")]
    assert names[0] == names[1]
    assert [*names[0]] == [*range(1, len(names[0]) + 1)]


def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    def fail() -> None:
        with database.transaction():
            database.run("CREATE TABLE t (n INTEGER);")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with pytest.raises(DatabaseError):
        database.rows("SELECT * FROM t")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mysql://host/hall", "a database is postgresql://"),
        ("postgresql://host:port:port/%zz", "no address of a PostgreSQL database"),
    ],
)
def test_what_is_no_address_of_a_database_is_refused(name: str, words: str) -> None:
    with pytest.raises(DatabaseError, match=words):
        open_database(name)


def test_an_address_is_shown_without_its_password() -> None:
    assert "secret" not in str(open_database("postgresql://ann:secret@host/hall"))


def of_topic(topic: str, n: int) -> Oddity:
    return Oddity(topic, b"%d" % n, "no line", 1000.0)


def test_oddities_are_bounded_by_topic_and_altogether(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_OF_TOPIC", 3)
    monkeypatch.setattr(module, "MOST_ODDITIES", 5)
    first = archive.store([of_topic("a", n) for n in range(9)])
    assert [odd.why for odd in first] == ["no line", "no line", "no line (no more of these is kept)"]
    assert len(archive.store([of_topic("b", n) for n in range(9)])) == 2
    assert archive.store([of_topic("c", 0)]) == []
    assert archive.database.rows("SELECT COUNT(*) FROM oddities") == [(5,)]
    archive.database.run("DELETE FROM oddities;")  # a person has looked at them
    assert len(archive.store([of_topic("c", 0)])) == 1


@pytest.mark.parametrize("value", ["[" + '"x",' * 9000 + "1]", '{"' + "k" * 60_000 + '": 1}', "1e999"])
@pytest.mark.parametrize("member", ["kind", "text", "rules", "game", "time", "head"])
def test_the_reason_is_short(member: str, value: str) -> None:
    values = {"companion": '"c"', "game": "1", "line": "1", "kind": '"action"', member: value}
    payload = "{" + ",".join(f'"{name}":{value}' for name, value in values.items()) + "}"
    odd = read_arrival(Delivery(TOPIC, payload.encode()), 1000.0)
    assert not isinstance(odd, Oddity) or len(odd.why) <= 200


def test_the_board_that_a_pairing_was_given_to_last_is_known(archive: Archive) -> None:
    other = BoardName("Hall A", "9")
    given = [
        read_arrival(Delivery(board.topic(PAIRING), write(Pairing("1", {}, id=id_))), time)
        for time, (board, id_) in enumerate([(BOARD, "x"), (other, "y"), (other, "x")])
    ]
    assert archive.store([g for g in given if g]) == []
    assert archive.given() == {"x": other, "y": other}
    for payload in (b"", write(Pairing("1", {})), write(Pairing("1", {}, id="i" * 999))):
        assert read_arrival(Delivery(BOARD.topic(PAIRING), payload), 0.0) is None


def test_an_archive_of_an_earlier_version_knows_no_pairing(tmp_path: Path) -> None:
    database = SqliteDatabase(tmp_path / "old.sqlite")
    database.run("CREATE TABLE schema_version (version INTEGER PRIMARY KEY);")
    database.insert("INSERT INTO schema_version VALUES (?)", [(2,)])
    assert Archive(database).given() == {}
    database.close()
