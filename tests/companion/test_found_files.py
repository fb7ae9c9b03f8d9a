"""Files of games as they are found: every case of `cases/turn3` that is about them, and their siblings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.cli.records import read_file
from companion.core.game import GameError
from companion.record import exports
from companion.record.notations import write_notated
from companion.record.record import Record, read_record, write_record
from companion.record.session import Session
from tests.companion.command import Command
from tests.companion.read_games import read_games

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
    "ambiguous-capture.pdn": [(("d6xb4xd2", "d4-c5"), None)],
}


@pytest.mark.parametrize("name", FOUND)
def test_a_found_file_comes_in_whole(name: str, shared: Path) -> None:
    assert [told(record) for record in read_file(shared / "cases" / "turn3" / name).records] == FOUND[name]


def test_names_keep_their_letters_and_signs(shared: Path) -> None:
    cases = shared / "cases" / "turn3"

    def players(name: str) -> list[tuple[str, str]]:
        return [(record.head["white"], record.head["black"]) for record in read_file(cases / name).records]

    assert players("windows-1252.pgn") == [("D’Angelo", "Šimek")]
    assert [white for white, _ in players("two-encodings.pgn")] == ["Jörg", "Ján"]
    assert players("escaped-quotes.pgn") == [('Ann "Ace" A', "C:\\Bo")]


@pytest.mark.parametrize("name", ["escaped-quotes.pgn", "backslash-name.txt", "clock-in-draughts.txt"])
def test_what_came_in_goes_out_and_in_again(name: str, shared: Path) -> None:
    (record,) = read_file(shared / "cases" / "turn3" / name).records
    (again,) = read_games(write_notated(record, "pdn" if "draughts" in name else "pgn"))
    assert [entry.clock for entry in again.log] == [entry.clock for entry in record.log]
    names = ("white", "black", "event")
    assert [again.head.get(key) for key in names] == [record.head.get(key) for key in names]


def test_what_people_type_is_no_command(shared: Path) -> None:
    (record,) = read_file(shared / "cases" / "turn3" / "forged-clock.txt").records
    (again,) = read_games(write_notated(record, "pgn"))
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[White "A"]\n[FEN "hello"]\n\n1. e4 *', r"'hello' is no FEN: write one such as .* \(line 2\)"),
        ('[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]\n\n*', r"no position of chess: no black king \(line 1\)"),
        ('[FEN "7k/8/8/8/8/8/8/KN3N2 w - - 0 1"]\n\n1. Nd2 *', "'Nd2' may be two moves: name the square"),
        ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8 *', "'a8' lacks what the pawn becomes: a8=Q"),
        ('[Variant "Suicide"]\n\n1. e4 *', "only common chess is played here, not Suicide"),
        ('[Variant "Nothing"]\n\n1. e4 *', "only common chess is played here, not Nothing"),
        ('[GameType "25"]\n[White "A"]\n\n*', "GameType 25 is not played here"),
        ('[White "A"]\n\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 *', "PDN: these draughts are not played here: only"),
        ("1. 22-17 10-15 2. 17-13 *", "PDN: these draughts are not played here: only"),
        ("1. cd4 dc5 *", "'cd4' is not allowed: there is no such piece"),
        ('[GameType "21"]\n\n1. 11-15 22-18 3. 15x22 *', r"move 2 is due, not 3: .* \(line 3\)"),
        ("1. e4\0 e5 *", "This is no text"),
    ],
)
def test_siblings_that_cannot_come_in_are_told_in_our_words(text: str, words: str) -> None:
    with pytest.raises(GameError, match=words):
        read_games(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[White "A"]\n[Result "won"]\n\n1. e4 e5 *', "the result 'won' in line 2 is not known here"),
        ('[Result "1-0"]\n\n1. e4 e5 0-1', "line 1: the tag Result says 1-0, and the game ends with 0-1"),
        ('[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1-0', "game 1: its moves end it 0-1, not as it is recorded"),
        ('[GameType "21"]\n[Result "2-0"]\n\n1. 11-15 0-2', "line 2: the tag Result says 2-0"),
        ('[GameType "21"]\n\n1. 32-28 *', "GameType 21 in line 1 is not that of the moves: it is 20"),
        ("1. e4 e5 1/2-0", "the result '1/2-0' in line 1 is not known here"),
        (f"1. e4 {{{'many words ' * 200}}} e5 *", "the comment at step 1 is cut: it has 2199 characters"),
    ],
)
def test_what_is_not_kept_as_it_was_is_told(text: str, words: str) -> None:
    found = exports.find_games(text)
    (remark,) = found.remarks
    assert words in remark
    assert not found.wrong


RECORD = "Board Companion record 1\ngame: triune\n\n2026-01-01T00:00:00.000Z action c2-c3\n"


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("triune c2-c3\n\ndraughts f6-e5\n c3-d4\n", [("c2-c3",), ("f6-e5", "c3-d4")]),
        (f"{RECORD}\ufeff{RECORD}triune c2-c4", [("c2-c3",), ("c2-c3",)]),
        (RECORD.replace("\n\n", "\n  \n"), [("c2-c3",)]),
        (RECORD.replace("\n\n", "\n"), [("c2-c3",)]),
        (RECORD.replace("\n", "\n\n"), [("c2-c3",)]),
        ("> " + RECORD.replace("\n", "\n> "), [("c2-c3",)]),
        (RECORD.replace("game:", "Red: Ann\nGame:").replace(".000Z", "Z"), [("c2-c3",)]),
        (f"Hello,\n\n{RECORD}", [("c2-c3",)]),
        ("Triune 1. c2–c3, b7\u200b-b6 2.", [("c2-c3", "b7-b6")]),
        (
            RECORD.replace("action c2-c3", "action c2-c3 {by=red source=camera:0}").replace(" {", "\n{"),
            [("c2-c3",)],
        ),
        (RECORD.replace(" action ", "\u00a0action\t"), [("c2-c3",)]),
    ],
)
def test_records_and_game_texts_that_were_joined_are_all_read(
    text: str, games: list[tuple[str, ...]]
) -> None:
    found = exports.find_games(text)
    assert [record.session().actions for record in found.records] == games
    assert found.wrong == (
        (
            "the game from line 9 on: step 1: 'c2-c4' is not allowed (TR-3):"
            " A solid piece moves exactly one square; c2 to c4 is 2.",
        )
        if "c4" in text
        else ()
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (RECORD.replace("record 1", "record 7"), "a later version wrote 'Board Companion record 7'"),
        (RECORD.replace("game:", "red: A\nred: B\ngame:"), "line 3: 'red' is told a second time"),
        (RECORD.replace("2026-01-01", "2026-13-01"), "line 4: '2026-13-01T00:00:00.000Z' is no time"),
        (RECORD.replace("game:", "started: today\ngame:"), "'started': 'today' is no time, such as 2026-"),
        (f"{RECORD}2026-01-01T00:00:00.000Z action c3-c4", "step 2: 'c3-c4' is not allowed"),
        ("chess draws=claimed draws=ended e2e4", "chess: draws= is given twice"),
    ],
)
def test_what_is_wrong_in_a_record_is_told_with_its_place(text: str, words: str) -> None:
    with pytest.raises(GameError, match=re.escape(words)):
        exports.find_games(text).records[0].session()


def test_clocks_of_both_players_in_one_comment_are_read() -> None:
    moves = "1. 32-28 {[%clock w0:05:00 B0:05:00]} 19-23 {[%clock W0:05:00 b0:04:58]} *"
    (record,) = read_games(f'[GameType "20"]\n\n{moves}')
    assert [entry.clock for entry in record.log] == [300.0, 298.0]


def test_clocks_are_read_as_several_makers_write_them() -> None:
    """Some write a comment for each command, others a comma, or numbers without a 0 before them."""
    first = "1. e4 {[%clk 01:29:44]} {[%emt\n00:00:16]} e5 {[%emt 7]}"
    (record,) = read_games(first + " 2. d4 {[%clk 0:00:09,5]} d5 {[%clk 0:1:2]} *")
    assert [entry.clock for entry in record.log] == [5384.0, None, 9.5, 62.0]
    assert not record.notes


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
    ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O–O *", [((*KINGS, "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"), None)]),
    ('[White "A"]\n\n1. e4 e5 1–0', [(KINGS, "white")]),
    ("1. e4 e5 1 - 0", [(KINGS, "white")]),
    ("1. e4 e5 ½ : ½ 1. d4 d5 1/2 - 1/2", [(KINGS, ""), (QUEENS, "")]),
    ("1. e4 e5 1-0 (on time)\n1. d4 d5 0-1", [(KINGS, "white"), (QUEENS, "black")]),
    ('[White "A"]\n[Result "+/-"]\n\n+/-', [((), "white")]),
    ('[White "A"]\n[Result "-:+"]\n\n-:+', [((), "black")]),
    ('[White "A"]\n[Result "1F-0F"]\n[White "B"]\n\n-/-', [((), "white"), ((), None)]),
    ("1. e4 +/- e5 -/+ *", [(KINGS, None)]),
    ("1. e4 e5 0.5-0.5", [(KINGS, "")]),
    ("[White “Ann”]\n[Result ”0-1“]\n\n1. e4 e5", [(KINGS, "black")]),
    ("[pgn]\n1. e4 e5 1-0\n[/pgn]", [(KINGS, "white")]),
    ('[White "A"]\n[Result "0,5 - 0,5"]\n\n1. e4 e5 0,5 - 0,5', [(KINGS, "")]),
    ("1. e4 e5 1.0-0.0 1. d4 d5 = - =", [(KINGS, "white"), (QUEENS, "")]),
    ("1. e4 e5 -:+", [(KINGS, "black")]),
    ("1. e4⩲ e5‼ +− *", [(KINGS, None)]),
    ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. o-o *", [((*KINGS, "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"), None)]),
    ('[FEN "7k/P7/8/8/8/8/8/K7 W – - 0 1;"]\n\n1. a8=Q+ *', [(("a7a8q",), None)]),
    ("[FEN \"7k/P7/8/8/8/8/8/K7/ w - - bm a8=Q; id '1'\"]\n\n1. a8=Q+ *", [(("a7a8q",), None)]),
    ('[FEN "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1"]\n\n1.0-0 *', [(("e1g1",), None)]),
    (
        '[GameType "21"]\n[FEN "W:W21,22,K30:B17,18,10"]\n\n1. 22x15 15x6 *',
        [(("c3xe5xc7",), None)],
    ),
    ('[GameType "21"]\n\n1. 11-15 22-18 2. 15-22 25-18 *', [(("f6-e5", "c3-d4", "e5xc3", "b2xd4"), None)]),
    ("1. e4 d5 2. e:d5 Qxd5 *", [(("e2e4", "d7d5", "e4d5", "d8d5"), None)]),
    ("1. e4 d5 2. ed5: Q×d5† *", [(("e2e4", "d7d5", "e4d5", "d8d5"), None)]),
    ('[white "A"]\n[RESULT "0-1"]\n\n1. e4 e5', [(KINGS, "black")]),
    ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8-N *', [(("a7a8n",), None)]),
    ("1. e4 e5 *\n\x1a\0\0", [(KINGS, None)]),
    ('[GameType "20"]\n\n1. 32–28 19−23 2. 28 × 19 1–1', [(("d4-e5", "g7-f6", "e5xg7"), "")]),
    ('[GameType "21"]\n\n1. 11 - 15 22 - 18 2. 15X22 *', [(("f6-e5", "c3-d4", "e5xc3"), None)]),
    ('[gametype "21"]\n[White "A"]\n[Result "+/-"]\n\n+/-', [((), "white")]),
    ('[GameType "20"]\n[FEN "w:wk31:b5:H0:F12"]\n\n12. 31-27 *', [(("b4-c5",), None)]),
    ('[GameType "21"]\n\n1. 11-15 (hello) 22-18 0-2 (on time)', [(("f6-e5", "c3-d4"), "black")]),
    ('[GameType "21"]\n[FEN "W:W21:B1"]\n\n7... 21-17 8. 1-6 *', [(("a3-b4", "b8-c7"), None)]),
    ("1. E4 e5 2. NF3 nc6 *", [((*KINGS, "g1f3", "b8c6"), None)]),
    ("E2E4 E7E5", [(KINGS, None)]),
    ("1. e4, e5, 1-0.", [(KINGS, "white")]),
    ("1. \u04354 e5 *", [(KINGS, None)]),
    ("1. e4 d5 2. ed Qxd5 3. Nc3 Qa5 *", [(("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5a5"), None)]),
    ("1. e4 d5 2. exd Nf6 *", [(("e2e4", "d7d5", "e4d5", "g8f6"), None)]),
    ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Kg1 *", [((*KINGS, "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"), None)]),
    ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. OO *", [((*KINGS, "g1f3", "b8c6", "f1c4", "f8c5", "e1g1"), None)]),
    ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8 = Q ch *', [(("a7a8q",), None)]),
    ("1. f3 e5 2. g4 Qh4mate", [(("f2f3", "e7e5", "g2g4", "d8h4"), None)]),
    ('[GameType "21"]\n\n1. 11-15, 22-18+ 0-2', [(("f6-e5", "c3-d4"), "black")]),
    ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8(D)+ *', [(("a7a8q",), None)]),
    ('[FEN "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a7:b8 = S ch *', [(("a7b8n",), None)]),
    ('[FEN "4k2r/8/8/8/8/8/8/4K2R w kK - 0 1"]\n\n1.0-0 Ke7 *', [(("e1g1", "e8e7"), None)]),
    (
        "1. e4 a6 2. e5 d5 3. exd6/ep Qxd6 *",
        [(("e2e4", "a7a6", "e4e5", "d7d5", "e5d6", "d8d6"), None)],
    ),
    ('[GameType "21"]\n\n1. 32-28 19-23 2. 28x19 *', [(("d4-e5", "g7-f6", "e5xg7"), None)]),
    ('[GameType "20,W,10"]\n\n1. 11-15 22-18 2. 15x22 *', [(("f6-e5", "c3-d4", "e5xc3"), None)]),
    ("[White “Ann”] [Black “Bo”]\n1. e4 e5 1-0", [(KINGS, "white")]),
]


@pytest.mark.parametrize(("text", "games"), SIBLINGS)
def test_siblings_of_found_files(text: str, games: list[Told]) -> None:
    assert [told(record) for record in read_games(text)] == games


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 *", (*KINGS, "g1f3", "b8c6", "f1b5", "a7a6")),
        ("1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 *", (*KINGS, "g1f3", "b8c6", "f1b5", "a7a6")),
        ("1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 *", (*KINGS, "g1f3", "b8c6", "f1b5", "a7a6")),
        ("1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 *", (*KINGS, "g1f3", "b8c6", "f1b5", "a7a6")),
        ("1. e4 f5 2. Re2 Rf7 3. Ce3 *", None),
        ("1. e4 f5 2. Re2 Rf7 3. Cc3 De8 *", ("e2e4", "f7f5", "e1e2", "e8f7", "b1c3", "d8e8")),
        ('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8D+ *', ("a7a8q",)),
        ("1. e4 e5 2. Nf3 Sc6 *", None),
    ],
)
def test_pieces_may_have_the_letters_of_one_other_language(text: str, moves: tuple[str, ...] | None) -> None:
    if moves is None:
        with pytest.raises(GameError, match=r"PGN: (step 5: )?'"):
            read_games(text)
        return
    found = exports.find_games(text)
    assert [told(record) for record in found.records] == [(moves, None)]
    assert "the pieces are read by the letters" in found.remarks[0]


PLAIN = '[White "Ann"]\n\n1. e4 e5 1-0'


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"> {line}\n" for line in PLAIN.splitlines()),
        "".join(f">>  {line}\n" for line in PLAIN.splitlines()),
        f"Hi Bo,\nthis is our game 3 of 12.5.:\n\n{PLAIN}\n",
        f"On Monday you wrote:\n> {PLAIN}",
        f"```pgn\n{PLAIN}\n```",
        f"<html><body><pre>{PLAIN}</pre></body></html>",
        PLAIN.replace("\n", "<br>\n").replace('"', "&quot;"),
        PLAIN.replace("\n", "<br/>").replace(" ", "&nbsp;"),
        PLAIN.replace(" ", "\u00a0").replace("e5", "e\u00ad5\u200d"),
        PLAIN.replace("1.", "\u202a1.\u2066"),
        PLAIN.replace('"', "“", 1).replace('"', "’"),
        f"{PLAIN}\nThanks for the game!\n",
    ],
)
def test_a_game_is_read_out_of_what_it_was_sent_in(text: str) -> None:
    (record,) = read_games(text)
    assert (told(record), record.head["white"]) == ((KINGS, "white"), "Ann")


def test_what_is_said_in_a_game_is_no_part_of_what_it_was_sent_in() -> None:
    """Nor is it a move, or a tag."""
    said = "> 5 &amp; <b>8 = B</b>, after a8 (Q) or a1/B"
    (record,) = read_games(f'[Site "Hall a1/B"]\n\n1. e4 {{{said}}} e5 *')
    assert [note.text for note in record.notes] == [said]
    assert record.head["place"] == "Hall a1/B"


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("1. e4 e5\nBlack resigns 1-0", "2 words, the first of them 'Black' in line 2, are no moves"),
        ("1. e4 e5 N 1-0", "'N' in line 1 is no move: it is kept as a comment"),
        (
            '[GameType "21"]\n\n1. 11-15 22-18\nWhite resigns 0-2',
            "2 words, the first of them 'White' in line 4",
        ),
        ("Our game:\n\n1. e4 e5 1-0", "the game begins in line 3: what stands before it is passed over"),
    ],
)
def test_what_is_no_part_of_a_game_is_told(text: str, remark: str) -> None:
    found = exports.find_games(text)
    assert len(found.records) == 1
    assert [words[: len(remark)] for words in found.remarks] == [remark]


@pytest.mark.parametrize(
    "text", ["1. e4 e5 2. Knight f3 *", "1. e4 PxP *", "1. 5254 5755 *", "1. e4 e5 2. {so"]
)
def test_nothing_that_may_be_a_move_is_passed_over(text: str) -> None:
    with pytest.raises(GameError, match="PGN: "):
        read_games(text)


@pytest.mark.parametrize(
    ("fen", "game"),
    [
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "chess fen=8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "chess"),
        ("W:W18,K21:B5,K14.", "draughts fen=W:W18,K21:B5,K14"),
    ],
)
def test_a_position_alone_is_a_game_that_begins_there(fen: str, game: str) -> None:
    (record,) = read_games(f"{fen}\n")
    assert record.game.head == game


def test_no_clock_is_beyond_what_a_record_holds() -> None:
    (record,) = read_games("1. e4 {[%clk 99999999999999:00:00]} e5 {[%CLK 0:05:00] [%draw]} *")
    assert ([entry.clock for entry in record.log], record.notes) == ([None, 300.0], ())
    assert read_record(write_record(record)) == record


@pytest.mark.parametrize("name", ['Ann "Ace" A', "C:\\", '\\"', "[%clk 0:00:01]", "O’Šimek ]"])
def test_any_name_survives_a_notation(name: str) -> None:
    (record,) = read_games("1. e4 *")
    text = write_record(Record(record.game, record.log, {**record.head, "white": name}))
    (again,) = read_games(write_notated(read_record(text), "pgn"))
    assert again.head["white"] == name


WENT_ON = [
    ("over-75-moves.pgn", "chess draws=claimed", "75 moves without a capture"),
    ("after-fivefold.pgn", "chess draws=claimed", "for the fifth time"),
    ("after-third-repetition.pdn", "draughts variant=international draws=claimed", "for the third time"),
]


@pytest.mark.parametrize(("name", "game", "reason"), WENT_ON)
def test_a_game_that_went_on_after_a_draw_is_kept_as_played(
    name: str, game: str, reason: str, shared: Path
) -> None:
    found = read_file(shared / "cases" / "turn3" / name)
    (record,), (remark,) = found.records, found.remarks
    assert re.fullmatch(
        rf"the game went on after a draw \(.*{reason}.*\) in line \d+: kept as played", remark
    )
    assert re.sub(r" fen=\S+", "", record.game.head) == game
    session = record.session()
    assert session.outcome is None or session.outcome.reason == "as recorded"
    form = "pdn" if game.startswith("draughts") else "pgn"
    (again,) = read_games(write_notated(record, form))
    assert again.session().actions == session.actions
    assert again.game.head == record.game.head


@pytest.mark.parametrize(
    ("pasted", "plain"),
    [
        ("chess fen=7k/P7/8/8/8/8/8/K7_W_–_–_0_1;", "chess fen=7k/P7/8/8/8/8/8/K7_w_-_-_0_1"),
        ("draughts fen=w:w21,K22:b1,2:H0:F7", "draughts fen=W:W21,K22:B1,2"),
        ("draughts fen=W:W21,_K22_:_B1,2.", "draughts fen=W:W21,K22:B1,2"),
    ],
)
def test_a_position_that_is_pasted_is_read_as_in_a_file(pasted: str, plain: str) -> None:
    assert read_record_text(pasted).first == read_record_text(plain).first


def test_players_may_choose_that_draws_are_claimed() -> None:
    dead = "chess fen=8/8/8/4k3/8/8/4p3/4K3_w_-_-_0_1 e1e2"
    assert read_record_text(dead).outcome
    open_ = read_record_text(dead.replace("chess", "chess draws=claimed"))
    assert open_.outcome is None
    assert open_.rules.claim(open_.position) == "neither side can give mate"
    assert list(open_.rules.legal(open_.position))


def read_record_text(text: str) -> Session:
    (record,) = read_games(text)
    return record.session()


def test_the_other_games_of_a_file_come_in_all_the_same() -> None:
    for text, lines in (
        ('[White "A"]\n\n1. e4 {so\n\n[White "B"]\n\n1. d4 {fine} d5 1-0\n\n[White "C"]\n\n1. c4 *', [3]),
        ('[GameType "21"]\n1. 11-15 {so *\n\n[GameType "21"]\n1. 11-16 {fine} *', [2]),
        ('[Event "1"]\n\n1. e4 *\n\n[Event "2"]\n\n1. e4 Te8 2. d4 1-0\n\n[Event "3"]\n\n1. d4 *', [7]),
        ('[Event "1"]\n\n1. e4 (1. d4 *\n\n[Event "2"]\n\n1. d4 *\n\n[Event "3"]\n[x\n\n1. d4 *', [3, 10]),
        ("1. e4 e5 1-0 1. e4 e9 2. d4 0-1 1. d4 d5 *", [1]),
        (
            '[GameType "21"]\n\n1. 11-15 *\n\n[GameType "21"]\n\n1. 11-16 3-3 *\n[GameType "21"]\n1. 11-15 *',
            [7],
        ),
        (
            '[GameType "21"]\n\n1. 11-15 oops! 22-99 0-2\n2-0\n\n[GameType "99"]\n\n*\n[GameType "20"]\n*',
            [3, 6],
        ),
    ):
        found = exports.find_games(text)
        assert [int(re.findall(r"line (\d+)", words)[0]) for words in found.wrong] == lines, text
        assert found.records, text
        with pytest.raises(GameError):
            read_games(text)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "games.pgn"
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    file.write_bytes(f'{mark}[White "Jörg"]\r\n\r\n1. e4 *\r\n'.encode(encoding))
    found = read_file(file)
    assert [record.head["white"] for record in found.records] == ["Jörg"]
    assert not found.remarks


def test_the_encoding_that_was_taken_is_told(tmp_path: Path, companion: Command) -> None:
    file = tmp_path / "games.pgn"
    file.write_bytes('[White "Jörg"]\n[Black "Zoë"]\n\n1. e4 *\n'.encode("cp1252"))
    found = read_file(file)
    assert found.remarks == (
        "2 lines, the first of them line 1, are read as Windows-1252: they are not UTF-8",
    )
    result = companion("records", "import", file, "--data", tmp_path / "data")
    assert result.status == 0
    assert "Windows-1252" in result.err


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_known_without_a_mark(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "games.pgn"
    file.write_bytes('[White "Jörg"]\r\n\r\n1. e4 *\r\n'.encode(encoding))
    assert [record.head["white"] for record in read_file(file).records] == ["Jörg"]


@pytest.mark.parametrize(
    ("tags", "written"),
    [
        ('[Date "2023-11-14"]', {"Date": "2023.11.14"}),
        ('[Date "24.12.2023"]', {"Date": "2023.12.24"}),
        ('[Date "2024.2.29"]', {"Date": "2024.02.29"}),
        ('[Date "2023-12-24T20:15:00"]', {"Date": "2023.12.24"}),
        ('[Date "2023"]', {"Date": "2023.??.??"}),
        ('[Date "2023.5"]', {"Date": "2023.05.??"}),
        ('[Date "in May"]', {"Date": "in May"}),
        ('[UTCDate "2023.11.14"]\n[UTCTime "22:13"]', {"Date": "2023.11.14", "UTCTime": "22:13:00"}),
        ('[Date "0000.00.00"]', {"Date": "????.??.??"}),
        ('[Date "1924.??.??"]', {"Date": "1924.??.??"}),
        ('[Date "1924.05.??"]', {"Date": "1924.05.??"}),
        ('[Date "2023.11.14"]', {"Date": "2023.11.14", "UTCTime": None}),
        ('[UTCDate "2023.11.14"]\n[UTCTime "22:13:20"]', {"Date": "2023.11.14", "UTCTime": "22:13:20"}),
        ('[Date "????.??.??"]', {"Date": "????.??.??"}),
        ('[WhiteElo "2400"]\n[ECO "C20"]', {"WhiteElo": "2400", "ECO": "C20"}),
        ('[TimeControl "40/5400+30:1800+30"]', {"TimeControl": "40/5400+30:1800+30"}),
        ('[TimeControl "4500"]', {"TimeControl": "4500"}),
        ('[TimeControl "*60"]', {"TimeControl": "*60"}),
        ('[Termination "time forfeit"]\n[Result "1-0"]', {"Termination": "time forfeit"}),
        ('[Termination "rules infraction"]\n[Result "1-0"]', {"Termination": "rules infraction"}),
        ('[Termination "abandoned"]', {"Termination": "abandoned"}),
        ('[Annotator "Ann \\"A\\" [B]"]', {"Annotator": 'Ann \\"A\\" [B]'}),
    ],
)
def test_tags_go_out_as_they_came_in(tags: str, written: dict[str, str | None]) -> None:
    for moves, form in (("1. e4 e5", "pgn"), ('[GameType "21"]\n\n1. 11-15', "pdn")):
        (record,) = read_games(f"{tags}\n{moves}")
        text = write_notated(read_record(write_record(record)), form)
        told = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE))
        assert {tag: told.get(tag) for tag in written} == written
        assert write_notated(read_games(text)[0], form) == text


def test_a_time_control_of_a_pgn_is_that_of_a_clock_here() -> None:
    (record,) = read_games('[TimeControl "40/5400+30:1800+30"]\n\n1. e4 *')
    assert record.head["clock"] == "40/90:00,30:00+30"
    (record,) = read_games('[TimeControl "600+0"]\n\n1. e4 *')
    assert record.head["clock"] == "10:00"
    assert '[TimeControl "600+0"]' in write_notated(record, "pgn")


AMBIGUOUS = '[GameType "21"]\n[FEN "B:W14,15,18,21,22,23,30:B6,7,8,10,12,13"]\n\n1. 10x26 '


@pytest.mark.parametrize(("reply", "played"), [("30x23", "d6xf4xd2"), ("18-14", "d6xb4xd2")])
def test_the_next_move_tells_which_capture_was_meant(reply: str, played: str) -> None:
    assert read_record_text(f"{AMBIGUOUS}{reply} *").actions[0] == played


def test_a_capture_that_may_mean_two_is_said_to() -> None:
    with pytest.raises(GameError, match=r"move 1, '10x26', may be 10x17x26 or 10x19x26 \(line 4\)"):
        read_games(f"{AMBIGUOUS}*")
    session = read_record_text("draughts fen=B:W14,15,18,21,22,23,30:B6,7,8,10,12,13")
    (breach,) = session.reasons("10x26")
    assert breach.words == "That may be 10x17x26 or 10x19x26: name the squares between, too."
