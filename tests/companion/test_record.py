"""Records: what is written reads back, entry for entry; what is damaged is named by its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import GameError
from companion.games.text import read_game
from companion.record.record import FIRST_LINE, Record, RecordError, read_any, read_record, write_record
from companion.record.session import KINDS, Entry
from tests.stores import open_store

GAME = read_game("triune first=blue")
WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), max_size=8).filter(str.isprintable)
SENTENCES = st.lists(WORDS.filter(bool), max_size=4).map(" ".join)
SAID = st.sampled_from([kind for kind in KINDS if kind != "takeback"]).flatmap(
    lambda kind: st.tuples(st.just(kind), SENTENCES)
)
TAKEN_BACK = st.tuples(st.just("takeback"), st.integers(0, 999).map(str))
ENTRIES = st.builds(
    lambda said, **rest: Entry(*said, **rest),
    SAID | TAKEN_BACK,
    by=WORDS,
    source=SENTENCES,
    certainty=st.integers(0, 10_000).map(lambda n: n / 10_000),
    time=st.integers(0, 4_000_000_000_000).map(lambda ms: ms / 1000),
)


@given(st.lists(ENTRIES, max_size=6))
def test_what_is_written_reads_back(log: list[Entry]) -> None:
    record = Record(GAME, tuple(log), {"blue": "Ann", "place": "Club: room 2"})
    again = read_record(write_record(record))
    assert again.log == record.log
    assert again.game.head == "triune first=blue"
    assert {**again.head} == {"blue": "Ann", "place": "Club: room 2"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1"),
        ("Some other file\n", "line 1"),
        (f"{FIRST_LINE}\nred: Ann\n\n", "no line 'game"),
        (f"{FIRST_LINE}\ngame triune\n\n", "line 2"),
        (f"{FIRST_LINE}\ngame: nonsuch\n\n", "there is no game"),
        (f"{FIRST_LINE}\ngame: triune\n\n2026-01-01 action a2-a3\n", "line 4"),
        (f"{FIRST_LINE}\ngame: triune\n\n2026-01-01T10:00:00.000Z dance a2-a3\n", "line 4"),
        (f"{FIRST_LINE}\ngame: triune\n\n2026-13-01T10:00:00.000Z action a2-a3\n", "line 4"),
        (f"{FIRST_LINE}\ngame: triune\n\n2026-01-01T10:00:00.000Z action a2-a3 {{certainty=x}}\n", "line 4"),
    ],
)
def test_damage_is_named(text: str, words: str) -> None:
    with pytest.raises(GameError, match=words):
        read_record(text)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("started: 0001-01-01T00:00:00+23:59", "'started': .* not in the years 1 to 9999"),
        ("started: 9999-12-31T23:59:59-23:00", "'started': .* not in the years 1 to 9999"),
        ("started: 9999-12-31T23:59:59.9999Z", "'started': .* not in the years 1 to 9999"),
        ("started: soon", "'started': "),
        ("clock: 5 s", "'5 s' is no time control"),
        ("clock: ", "'' is no time control"),
        ("clock: 0", "a time control gives"),
    ],
)
def test_a_head_that_cannot_be(head: str, words: str) -> None:
    with pytest.raises(GameError, match=words):
        read_record(f"{FIRST_LINE}\ngame: triune\n{head}\n\n")


@pytest.mark.parametrize("time", ["0000-01-01T10:00:00.000Z", "2026-02-30T10:00:00.000Z"])
def test_an_entry_of_no_day(time: str) -> None:
    with pytest.raises(RecordError, match="line 4: "):
        read_record(f"{FIRST_LINE}\ngame: triune\n\n{time} action a2-a3\n")


@pytest.mark.parametrize("count", ["abc", "", "-1", "1.0", "²", "9" * 5000])
def test_a_takeback_of_no_number(count: str) -> None:
    with pytest.raises(RecordError, match="line 4: 'takeback' needs the number of actions"):
        read_record(f"{FIRST_LINE}\ngame: triune\n\n2026-01-01T10:00:00.000Z takeback {count} {{by=red}}\n")


@pytest.mark.parametrize("mark", [
    "certainty=nan", "certainty=inf", "certainty=-0.5", "certainty=1.0001", "certainty=2", "certainty=all",
    "clock=nan", "clock=inf", "clock=-1", "clock=1e400", "clock=ten",
])  # fmt: skip
def test_a_mark_that_cannot_be(mark: str) -> None:
    key, value = mark.split("=")
    with pytest.raises(RecordError, match=f"line 4: '{key}' is a number from 0 to .*, not '{value}'"):
        read_record(f"{FIRST_LINE}\ngame: triune\n\n2026-01-01T10:00:00.000Z action a2-a3 {{{mark}}}\n")


def test_a_game_text_is_a_record_too() -> None:
    assert read_any("triune a2-a3 b7~").session().text == "triune a2-a3 b7~"


def test_a_torn_record_is_refused() -> None:
    text = write_record(Record(GAME, (Entry("action", "b7~", "blue", time=5.0),)))
    with pytest.raises(RecordError):
        read_record(text[:-10] + "\n{")


WHEN = "2026-01-01T10:00:00.000Z"


@pytest.mark.parametrize(
    "line",
    [
        f"{WHEN} note %20",
        f"{WHEN} note %20two%20%20blanks%20 {{by=red}}",
        f"{WHEN} note a  b",
        f"{WHEN} note %EF%BF%BD",  # a character that stands for one which could not be read
        "9999-12-31T23:59:59.999Z note late",
        "0001-01-01T00:00:00.001Z comment early",
    ],
)
def test_a_record_comes_out_of_the_store_as_it_came_in(line: str) -> None:
    record = read_record(f"{FIRST_LINE}\ngame: triune\n\n{line}\n")
    store = open_store()
    kept = store.load(store.add(record, 5.0))
    assert (kept.log, kept.notes) == (record.log, record.notes)
    again = read_record(write_record(kept))
    assert (again.log, again.notes) == (record.log, record.notes)
