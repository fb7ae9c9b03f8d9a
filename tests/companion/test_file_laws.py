"""Laws of files of games: whatever stands in one is read, and goes out and comes in again the same."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest

from benchmarks.simulation.made_files import Made, made_file
from companion.cli.records import read_file
from companion.record import exports
from companion.record.notations import write_notated
from companion.record.record import Record, read_record, standing_notes, write_record
from tests.companion.read_games import read_games

pytest.importorskip("chess")

SOAKED = int(os.environ.get("MADE_FILES", "5000"))
"""Files of each dialect in the soak."""


def check_file(form: str, seed: int) -> None:
    """All games of a file say what it says, and say it again after they were written."""
    chance = random.Random(f"{form} {seed}")
    text, made = made_file(form, chance, chance.choice((1, 1, 2, 3)))
    found = exports.find_games(text)
    assert (found.wrong, len(found.records)) == ((), len(made)), text
    for record, game in zip(found.records, made, strict=True):
        check_told(record, game, text)
        again = read_games(written := write_notated(record, form))
        assert again == (record,), (text, written)
        assert read_record(write_record(record)) == record, text


def check_told(record: Record, game: Made, text: str) -> None:
    session = record.session()
    assert session.actions == game.actions, text
    assert {seat: record.head[seat] for seat in ("white", "black") if seat in record.head} == game.names, text
    assert (session.outcome and (session.outcome.winner or "")) == game.winner, text
    assert [entry.clock for entry in record.log if entry.kind == "action"] == game.clocks, text
    assert {note.line: note.text for note in standing_notes(record.notes)} == game.comments, text


def check_broken(form: str, seed: int) -> None:
    """Of a file in which one game cannot be read all others come in, and that one is named with its line."""
    chance = random.Random(f"broken {form} {seed}")
    text, made = made_file(form, chance, 3)
    text = re.sub("\r\n?", "\n", text)
    broken = chance.randrange(3)
    at = text.index(made[broken].text) + len(made[broken].text)
    word = chance.choice(("Te9", "9y9", "@", "{never ends"[:1] + "so} )"))
    end = len(re.findall(r"\S+$", text[:at])[0])
    text = f"{text[: at - end]} {word} {text[at - end :]}"
    found = exports.find_games(text)
    kept = [game for n, game in enumerate(made) if n != broken]
    assert [record.session().actions for record in found.records] == [game.actions for game in kept], text
    (wrong,) = found.wrong
    assert f"(line {text.count(chr(10), 0, at - end) + 1})" in wrong, (wrong, text)


@pytest.mark.parametrize("form", ["pgn", "pdn"])
def test_files_say_what_they_say_and_say_it_again(form: str) -> None:
    for seed in range(60):
        check_file(form, seed)


@pytest.mark.parametrize("form", ["pgn", "pdn"])
def test_a_game_that_cannot_be_read_takes_no_other_with_it(form: str) -> None:
    for seed in range(40):
        check_broken(form, seed)


@pytest.mark.parametrize("form", ["pgn", "pdn"])
def test_files_of_any_encoding_are_read(form: str, tmp_path: Path) -> None:
    for seed in range(40):
        chance = random.Random(f"bytes {form} {seed}")
        text, made = made_file(form, chance, 2)
        lines = text.splitlines(keepends=True)
        content = b"".join(encoded(line, chance) for line in lines)
        (tmp_path / "games").write_bytes(content)
        records = read_file(tmp_path / "games").records
        for record, game in zip(records, made, strict=True):
            check_told(record, game, text)


def encoded(line: str, chance: random.Random) -> bytes:
    """A line in one or the other encoding, as files are that were joined."""
    if chance.random() < 0.5:
        try:
            return line.encode("cp1252")
        except UnicodeEncodeError:
            pass
    return line.encode()


@pytest.mark.soak
@pytest.mark.parametrize("form", ["pgn", "pdn"])
def test_many_files_keep_the_laws(form: str) -> None:
    for seed in range(SOAKED):
        check_file(form, 10_000 + seed)
        check_broken(form, 10_000 + seed)
