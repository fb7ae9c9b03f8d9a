"""Laws of records: whatever happened in a game of any kind, and whatever was said of it, goes out and comes
back the same; and looking it through leaves nothing out."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

import pytest

from benchmarks.simulation.random_records import random_record
from companion import games
from companion.core.game import GameError
from companion.games.portable import NO_BRACES
from companion.games.text import read_game
from companion.record import exports
from companion.record.clock import parse_controls, write_controls
from companion.record.notations import write_notated
from companion.record.record import (
    Note,
    Record,
    read_any,
    read_record,
    standing_notes,
    write_record,
)
from companion.record.review import review, rounds, standing_lines
from companion.record.session import ARBITER, Entry, begin
from companion.store.store import Store

EACH = 4
CASES = [(name, seed) for name in games.GAMES for seed in range(EACH)]


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_a_game_is_the_same_after_store_record_and_store(name: str, seed: int) -> None:
    record = random_record(name, seed)
    store = Store(":memory:")
    try:
        kept = store.load(store.add(record, 5.0))
        text = write_record(kept)
        again = store.load(store.add(read_record(text), 6.0))
        started = {summary.started for summary in store.list()}
    finally:
        store.close()
    for copy in (kept, again):
        assert (copy.log, copy.notes, copy.started) == (record.log, record.notes, record.started)
        assert {k: v for k, v in copy.head.items() if k != "game"} == record.head
        assert copy.session() == record.session()
    assert started == {record.started}
    assert write_record(again) == text


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_what_stands_is_the_same_after_the_game_text(name: str, seed: int) -> None:
    record = random_record(name, seed)
    session = record.session()
    if "text" in exports.forms_of(record):
        played = read_any(exports.text(record)).session()
        assert (played.actions, played.position) == (session.actions, session.position)
    else:
        assert any(ply.entry.kind == "correction" for ply in session.plies)


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_looking_through_leaves_nothing_out(name: str, seed: int) -> None:
    record = random_record(name, seed)
    session = record.session()
    steps = review(record, session)
    assert [step.ply for step in steps] == [None, *session.plies]
    assert [step.line for step in steps] == [0, *map(session.line, session.plies)]
    assert [entry for step in steps for _, entry in step.lines] == list(record.log)
    assert [note for step in steps for note in step.notes] == list(standing_notes(record.notes))
    assert sorted(n for row in rounds(session) for turn in row for n in turn) == list(
        range(1, len(session.plies) + 1)
    )


CONTROLS = ("10+5", "25b10", "30+5x30", "40/90,30d30", "white=10 black=5+3")


def ended(record: Record, chance: random.Random) -> Record:
    """The record with an end of some kind, where one is possible now, and a clock in its head."""
    session, by = record.session(), chance.choice(("white", "black"))
    ends = [[Entry("resign", by=by)], [Entry("flag", by=by)], [Entry("result", by, ARBITER)], []]
    agreed = [Entry("offer", by="white"), Entry("accept", by="black")]
    for entry in chance.choice([*ends, agreed, [Entry("claim", by=session.position.to_act)]]):
        with suppress(GameError):
            session = session.apply(entry)
    clock = write_controls(parse_controls(chance.choice(CONTROLS), session.players))
    return replace(record, log=session.log, head={**record.head, "clock": clock})


@pytest.mark.parametrize(("name", "form"), [("chess", "pgn"), ("draughts", "pdn")])
def test_a_game_is_the_same_after_its_notation(name: str, form: str) -> None:
    """From the last correction on, with all that was said of it."""
    if name == "chess":
        pytest.importorskip("chess")
    for seed in range(60):
        record = ended(random_record(name, seed), random.Random(seed))
        session = record.session()
        text = write_notated(record, form, session)
        found = exports.find_games(text)
        assert (found.wrong, found.remarks) == ((), ()), text
        (again,) = found.records
        played = again.session()
        corrections = [n for n, ply in enumerate(session.plies, 1) if ply.entry.kind == "correction"]
        plies = session.plies[max(corrections, default=0) :]
        assert played.actions == tuple(ply.action for ply in plies), text
        assert played.position == session.position, text
        assert [ply.entry.clock for ply in played.plies] == [ply.entry.clock for ply in plies], text
        for outcome, told in [(session.outcome, played.outcome)]:
            assert (outcome is None, outcome and outcome.winner) == (told is None, told and told.winner), text
        assert {key: again.head[key] for key in record.head} == record.head, text
        said = {(note.by, line) for note in standing_notes(again.notes) for line in note.text.split("\n")}
        for note in standing_notes(record.notes):
            plain = note.text.replace("[%", "(%").translate(NO_BRACES)
            assert {(note.by, line) for line in plain.split("\n")} <= said, text
        assert write_notated(again, form) == text


def test_the_random_games_hold_what_is_hard() -> None:
    found = {entry.kind for name, seed in CASES for entry in random_record(name, seed).log}
    assert {"action", "takeback", "redo", "refused", "correction", "result", "offer"} <= found


def test_what_is_played_again_keeps_its_line() -> None:
    session = begin(read_game("triune"))
    for kind, text in (("action", "a2-a3"), ("action", "b7~"), ("takeback", "2"), ("redo", ""), ("redo", "")):
        session = session.apply(Entry(kind, text))
    assert standing_lines(session) == (0, 1, 2)
    again = session.apply(Entry("takeback", "1")).apply(Entry("action", "h7~"))
    assert standing_lines(again) == (0, 1, 7)


@pytest.mark.parametrize(
    ("notes", "stand"),
    [
        ((), []),
        ((Note("a"), Note("b")), ["b"]),
        ((Note("a", by="red"), Note("b", by="blue")), ["a", "b"]),
        ((Note("a"), Note("")), []),
        ((Note("a"), Note(""), Note("c")), ["c"]),
        ((Note("a", 2), Note("b", 1)), ["b", "a"]),
    ],
)
def test_what_an_author_said_last_stands(notes: tuple[Note, ...], stand: list[str]) -> None:
    assert [note.text for note in standing_notes(notes)] == stand
