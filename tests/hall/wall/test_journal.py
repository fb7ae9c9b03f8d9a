"""The hall's own files: rulings that only grow, and addresses with tokens for their owner alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from broker_bridge.topics import BoardName
from hall.wall.board_addresses import AddressError, BoardAddress, BoardAddresses, read_board_address
from hall.wall.journal import Journal, JournalError, Ruling
from hall.wall.rulings import RulingError, request_of

SEVEN = BoardName("Hall A", "7")
RULING = Ruling("a", 1.0, "home", "Hall A/7", 3, "result", {"winner": "white"})


def test_rulings_are_kept_with_their_answers(tmp_path: Path) -> None:
    path = tmp_path / "rulings.jsonl"
    journal = Journal(path)
    journal.note(RULING)
    assert Journal(path).rulings == [RULING]  # the power went before the board answered
    answered = replace(RULING, status=200, answer="done")
    journal.note(answered)
    journal.note(replace(RULING, id="b"))
    journal.tick("need", "home", 2.0, True)
    journal.tick("other", "home", 2.0, True)
    journal.tick("other", "home", 3.0, False)
    again = Journal(path)
    assert again.rulings == [replace(RULING, id="b"), answered]
    assert again.seen == {"need"}
    assert again.count == 6
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_line_that_a_power_cut_left_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "rulings.jsonl"
    Journal(path).note(RULING)
    with path.open("ab") as file:
        file.write(b'{"ruling": {"id": "b", "at"')
    journal = Journal(path)
    journal.note(replace(RULING, id="c"))
    assert [ruling.id for ruling in Journal(path).rulings] == ["c", "a"]


def test_what_cannot_be_written_is_not_ruled(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="nothing was done"):
        Journal(tmp_path / "missing" / "rulings.jsonl").note(RULING)


def test_addresses_are_kept_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "boards.json"
    addresses = BoardAddresses(path)
    addresses.set(SEVEN, read_board_address("http://pi7.local:8000/", " secret "))
    addresses.set(SEVEN, read_board_address("http://pi7.local:8000"))  # without a token that stays
    assert path.stat().st_mode & 0o777 == 0o600
    assert BoardAddresses(path).known == {SEVEN: BoardAddress("http://pi7.local:8000", "secret")}
    addresses.set(SEVEN, read_board_address("http://pi8.local:8000"))  # never with another address
    assert addresses.known[SEVEN].token == ""
    addresses.forget(SEVEN)
    assert BoardAddresses(path).known == {}


@pytest.mark.parametrize(
    ("address", "token", "fingerprint"),
    [
        ("pi7.local", "", ""),
        ("mqtt://pi7.local", "", ""),
        ("http://pi7.local:8000/table", "", ""),
        ("http://me@pi7.local", "", ""),
        ("http://pi7.local:99999", "", ""),
        ("http://pi7.local", "", "ab" * 32),
        ("https://pi7.local", "", "ab"),
        ("https://pi7.local", "a\nb", ""),
    ],
)
def test_what_is_no_address(address: str, token: str, fingerprint: str) -> None:
    with pytest.raises(AddressError):
        read_board_address(address, token, fingerprint)


@pytest.mark.parametrize("text", ["[]", "{", '{"Hall": {}}', '{"a/b": {"address": "x"}}', '{"a/b": 1}'])
def test_a_damaged_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "boards.json"
    path.write_text(text)
    with pytest.raises(AddressError, match="mend it"):
        BoardAddresses(path)


@pytest.mark.parametrize(
    ("kind", "values", "path"),
    [
        ("result", {"winner": ""}, "results"),
        ("takeback", {"count": 1, "plies": 3}, "takebacks"),
        ("correction", {"looks": {}, "turn": "red", "plies": 0}, "corrections"),
        ("give", {"player": "white", "seconds": -60}, "times/give"),
        ("stop", {}, "clock/stop"),
        ("answer", {"question": 1, "choice": ["a1-a2"]}, "answers"),
        ("board", {}, "beliefs"),
    ],
)
def test_rulings_as_requests(kind: str, values: dict[str, object], path: str) -> None:
    assert request_of(kind, values, 7) == (path, {**values, "number": 7})
    with pytest.raises(RulingError):
        request_of(kind, {**values, "more": 1}, 7)


@pytest.mark.parametrize(
    ("kind", "values"),
    [("tea", {}), ("takeback", {"count": True, "plies": 1}), ("takeback", {"count": "1", "plies": 1})],
)
def test_what_is_no_ruling(kind: str, values: dict[str, object]) -> None:
    with pytest.raises(RulingError):
        request_of(kind, values, 7)


def test_the_journal_is_lines_of_json(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "rulings.jsonl")
    journal.note(RULING)
    (line,) = (tmp_path / "rulings.jsonl").read_text().splitlines()
    assert json.loads(line)["ruling"]["board"] == "Hall A/7"
