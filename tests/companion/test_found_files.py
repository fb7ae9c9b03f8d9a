"""Files of games as they are found: every case of `cases/turn3` that is about them, and their siblings."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.records import read_file
from companion.core.game import GameError
from companion.record import exports
from companion.record.notations import write_notated
from companion.record.record import Record, read_record, write_record

chess = pytest.importorskip("chess")

Told = tuple[tuple[str, ...], str | None]
"""The first moves of a game, and who won: '' for a draw, None where nobody knows."""
QUEENS = ("d2d4", "d7d5")
KINGS = ("e2e4", "e7e5")


def told(record: Record) -> Told:
    moves = tuple(entry.text for entry in record.log if entry.kind == "action")
    results = [entry.text for entry in record.log if entry.kind == "result"]
    return moves, results[0] if results else None


FOUND: dict[str, list[Told]] = {
    "leading-escape.pgn": [(QUEENS, None)],
    "leading-comment.pgn": [(QUEENS, None)],
    "leading-semicolon.pgn": [(QUEENS, None)],
    "no-numbers.pdn": [(("d4-e5", "g7-f6", "e5xg7", "h8xf6"), None)],
    "tag-then-unnumbered.pdn": [(("d4-e5", "g7-f6"), None)],
    "algebraic.pdn": [(("f6-e5", "c3-d4", "e5xc3", "b2xd4"), None)],
    "forfeit-without-moves.pgn": [((), "white"), (QUEENS, "black")],
    "joined-with-marks.pgn": [(KINGS, "white"), (QUEENS, "black")],
    "zero-width-space.pgn": [((*KINGS, "g1f3", "b8c6"), None)],
    "double-forfeit.pgn": [((), None)],
    "colon-result.pgn": [(KINGS, "white")],
    "promotion-in-brackets.pgn": [(("a7a8q", "h8h7"), None)],
    "empty-fen.pgn": [(KINGS, None)],
    "two-encodings.pgn": [(KINGS, None), (QUEENS, None)],
    "forced-move-star.pdn": [(("d4-e5", "a7-b6", "b4-a5", "e7-d6"), "")],
    "forced-move-star-white.pdn": [(("f6-e5", "c3-b4", "g7-f6", "b4-a5", "b6-c5"), "white")],
    "algebraic-colon.pdn": [(("c3xe5",), None)],
    "man-on-the-king-row.pdn": [((), None)],
}


@pytest.mark.parametrize("name", FOUND)
def test_a_found_file_comes_in_whole(name: str, shared: Path) -> None:
    assert [told(record) for record in read_file(shared / "cases" / "turn3" / name)] == FOUND[name]


def test_names_keep_their_letters_and_signs(shared: Path) -> None:
    cases = shared / "cases" / "turn3"

    def players(name: str) -> list[tuple[str, str]]:
        return [(record.head["white"], record.head["black"]) for record in read_file(cases / name)]

    assert players("windows-1252.pgn") == [("D’Angelo", "Šimek")]
    assert [white for white, _ in players("two-encodings.pgn")] == ["Jörg", "Ján"]
    assert players("escaped-quotes.pgn") == [('Ann "Ace" A', "C:\\Bo")]


@pytest.mark.parametrize("name", ["escaped-quotes.pgn", "backslash-name.txt", "clock-in-draughts.txt"])
def test_what_came_in_goes_out_and_in_again(name: str, shared: Path) -> None:
    (record,) = read_file(shared / "cases" / "turn3" / name)
    (again,) = exports.read_games(write_notated(record, "pdn" if "draughts" in name else "pgn"))
    assert [entry.clock for entry in again.log] == [entry.clock for entry in record.log]
    names = ("white", "black", "event")
    assert [again.head.get(key) for key in names] == [record.head.get(key) for key in names]


def test_what_people_type_is_no_command(shared: Path) -> None:
    (record,) = read_file(shared / "cases" / "turn3" / "forged-clock.txt")
    (again,) = exports.read_games(write_notated(record, "pgn"))
    assert [entry.clock for entry in again.log] == [300.0]
    assert [note.by for note in again.notes] == ["black"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("chess960-untold.pgn", "not Chess960"),
        ("move-after-mate.pgn", "the game is over before 'Ke2'"),
    ],
)
def test_what_cannot_come_in_is_said_in_our_words(name: str, words: str, shared: Path) -> None:
    with pytest.raises(GameError, match=words):
        read_file(shared / "cases" / "turn3" / name)


SIBLINGS: list[tuple[str, list[Told]]] = [
    ("e4 e5 *", [(KINGS, None)]),
    ("% a line for programs\n%another\n{a comment} ; and another\n1. e4 e5 *", [(KINGS, None)]),
    ('\u200b[White "Ann"]\n\n1.\u2060 e4 e5\u200e 0:1', [(KINGS, "black")]),
    ("1. e4 e5 0-0", [(KINGS, None)]),
    ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 *", [((*KINGS, "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"), None)]),
    ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8(=R)+ *', [(("a7a8r",), None)]),
    ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8/N *', [(("a7a8n",), None)]),
    ('[White "A"]\n[Result "1-0"]\n[White "B"]\n[Result "0-1"]', [((), "white"), ((), "black")]),
    ('[GameType "21"]\n\n1. 11- 15 22-18 2. 15:22 *', [(("f6-e5", "c3-d4", "e5xc3"), None)]),
    ('[GameType "21"]\n\n1. 11-15* 22-18* 0:2', [(("f6-e5", "c3-d4"), "black")]),
]


@pytest.mark.parametrize(("text", "games"), SIBLINGS)
def test_siblings_of_found_files(text: str, games: list[Told]) -> None:
    assert [told(record) for record in exports.read_games(text)] == games


@pytest.mark.parametrize("name", ['Ann "Ace" A', "C:\\", '\\"', "[%clk 0:00:01]", "O’Šimek ]"])
def test_any_name_survives_a_notation(name: str) -> None:
    (record,) = exports.read_games("1. e4 *")
    text = write_record(Record(record.game, record.log, {**record.head, "white": name}))
    (again,) = exports.read_games(write_notated(read_record(text), "pgn"))
    assert again.head["white"] == name
