"""Exports: what goes out comes back the same, and keeps to the forms of others."""

import io
import json
import random
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import chess.pgn
import pytest

from companion import games
from companion.core.board import load_board
from companion.core.game import GameError
from companion.games.text import read_game, split
from companion.record import exports
from companion.record.notations import write_notated
from companion.record.record import Note, Record, RecordError, read_any, read_record, write_record
from companion.record.review import review, say_aside
from companion.record.session import ARBITER, Entry, begin, write_looks
from companion.store.rows import Summary
from companion.table.present import outcome_words
from tests.companion.abstract_play import RECORD, violations
from tests.companion.read_games import read_games

MATE = "chess f2f3 e7e5 g2g4 d8h4"
MATED = "1. f3 e5 2. g4 Qh4# 0-1"
CASTLED = "chess e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1 f6e4 d2d4 e4d6 b5c6 d7c6 d4e5 d6f5 d1d8 e8d8"


def pgn(game: Record) -> str:
    return write_notated(game, "pgn")


def record(text: str, *entries: Entry, **head: str) -> Record:
    game, actions = split(text)
    log = (Entry("action", a, "", "tablet", 1.0, 1_700_000_000.0 + n) for n, a in enumerate(actions))
    return Record(game, (*log, *entries), head)


def random_game(name: str, count: int = 40) -> Record:
    chance = random.Random(name)
    text = "magnet setup=random" if name == "magnet" else name
    session = begin(read_game(text))
    while len(session.plies) < count and not session.outcome:
        dealt = session.rules.deal(session.position, session.game.options, chance)
        action = dealt or chance.choice(list(session.rules.legal(session.position)))
        session = session.apply(Entry("action", action, source="camera:0", certainty=0.5))
    return Record(session.game, session.log, {"game": session.game.head})


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_comes_back_from_record_and_text(name: str) -> None:
    game = random_game(name)
    again = read_record(write_record(game))
    assert again.log == game.log
    played = read_any(exports.text(game)).session()
    assert played.position == game.session().position
    assert played.actions == game.session().actions


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_keeps_to_the_schema_of_abstract_play(name: str) -> None:
    game = random_game(name)
    data = json.loads(exports.abstract_play(game))
    assert list(violations(data, RECORD)) == []
    seats = game.session().players
    assert all(len(turns) == len(seats) for turns in data["moves"])
    in_order = [action for turns in data["moves"] for turn in turns if turn for action in turn.split()]
    assert sorted(in_order) == sorted(game.session().actions)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda data: data.pop("moves"), "record.moves: missing"),
        (lambda data: data.update(more=1), "record.more: not known"),
        (lambda data: data["header"]["players"].clear(), "record.header.players: too few"),
        (lambda data: data["header"]["players"][0].update(result=0.5), "result: not of type integer"),
        (lambda data: data["header"].update({"date-end": "yesterday"}), "date-end: no moment in time"),
        (lambda data: data["header"]["game"].update(variants=["a", "a"]), "variants: an item twice"),
        (lambda data: data["moves"].append([7]), "none of its kinds"),
    ],
)
def test_the_check_of_the_schema_finds_faults(change: Any, found: str) -> None:
    data = json.loads(exports.abstract_play(record(MATE)))
    change(data)
    assert any(line.endswith(found) for line in violations(data, RECORD))


def test_the_head_of_an_abstract_play_record() -> None:
    game = record(MATE, white="Ann", black="Ben", place="the club", event="Cup", round="2")
    data = json.loads(exports.abstract_play(game))
    assert data["header"] == {
        "game": {"name": "Chess", "variants": []}, "site": {"name": "the club"}, "event": "Cup", "round": "2",
        "date-start": "2023-11-14T22:13:20Z", "date-end": "2023-11-14T22:13:23Z",
        "date-generated": "2023-11-14T22:13:23Z",
        "players": [{"name": "Ann", "result": 0}, {"name": "Ben", "result": 1}],
    }  # fmt: skip
    assert data["moves"] == [["f2f3", "e7e5"], ["g2g4", "d8h4"]]


def test_an_event_needs_a_round() -> None:
    assert "event" not in json.loads(exports.abstract_play(record(MATE, event="Cup")))["header"]


def test_a_draw_and_a_game_that_goes_on() -> None:
    drawn = record("triune a2-a3", Entry("offer", "", "red"), Entry("accept", "", "blue"))
    header = json.loads(exports.abstract_play(drawn))["header"]
    assert ([p["result"] for p in header["players"]], "unrated" in header) == ([0, 0], False)
    assert json.loads(exports.abstract_play(record("triune a2-a3")))["header"]["unrated"] is True


def test_a_turn_of_several_actions_is_one_entry() -> None:
    data = json.loads(exports.abstract_play(record("teleporters c1-c2 d1-d2 end c8-c7 end")))
    assert data["moves"] == [["c1-c2 d1-d2 end", "c8-c7 end"]]


@pytest.mark.parametrize(
    ("zone", "began", "day"),
    [
        ("UTC", 1_700_000_000.0, "2023.11.14"),
        ("Asia/Tokyo", 1_700_000_000.0, "2023.11.15"),  # 22:13 in Greenwich
        ("America/New_York", 1_700_010_000.0, "2023.11.14"),  # one in the morning there
        ("Pacific/Auckland", 79_704_000.0, "1972.07.11"),  # noon: the hour is not known
    ],
)
def test_the_date_of_a_game_is_that_of_its_place(
    monkeypatch: pytest.MonkeyPatch, zone: str, began: float, day: str
) -> None:
    """So PGN has it (8.1.1.3), beside UTCDate."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    text = pgn(replace(read_any(MATE), started=began))
    monkeypatch.undo()
    time.tzset()
    assert f'[Date "{day}"]' in text
    assert f'[UTCDate "{datetime.fromtimestamp(began, UTC):%Y.%m.%d}"]' in text


@pytest.mark.parametrize("text", [MATE, CASTLED, "chess"])
def test_pgn_comes_back(text: str) -> None:
    game = record(text, white="Ann", black="Ben", event="Cup", round="3")
    (again,) = read_games(pgn(game))
    assert again.session().text == text
    assert {k: again.head[k] for k in ("white", "black", "event", "round")} == dict(game.head)


def test_pgn_is_read_by_others() -> None:
    read = chess.pgn.read_game(io.StringIO(pgn(record(MATE, white="Ann"))))
    assert read is not None
    assert not read.errors
    assert (read.headers["Result"], read.headers["Date"]) == ("0-1", "2023.11.14")
    assert [move.uci() for move in read.mainline_moves()] == MATE.split()[1:]


@pytest.mark.parametrize(
    "notes",
    [
        (),
        (Note("A game", 0, ARBITER),),
        (Note("Unsigned"), Note("A game", 0, "white"), Note("Why?\n\nWhy not.", 2, "black"), Note("; $1", 4)),
        (Note("one", 1), Note("two", 1, "black"), Note("three", 1, "white")),
        (Note("x" * 300 + " " + "y" * 300, 3, "white"),),
    ],
)
def test_comments_come_back_from_pgn(notes: tuple[Note, ...]) -> None:
    game = replace(record(MATE), notes=notes, started=1_600_000_000.0)
    (again,) = read_games(pgn(game))
    assert (again.notes, again.started) == (notes, game.started)


def test_a_comment_in_braces_does_not_break_pgn() -> None:
    game = replace(record(MATE), notes=(Note("so {it} } is {", 1),))
    (again,) = read_games(pgn(game))
    (note,) = again.notes
    assert note.text == "so (it) ) is ("


def test_only_what_stands_is_in_pgn() -> None:
    notes = (Note("first", 1, "white"), Note("second", 1, "white"), Note("taken back", 2), Note("", 2))
    text = pgn(replace(record(MATE), notes=notes))
    assert ("second" in text, "first" in text, "taken back" in text) == (True, False, False)


@pytest.mark.parametrize(
    ("tags", "winner", "started"),
    [
        ('[Result "1-0"]', "white", 0.0),
        ('[Result "0-1"]\n[Date "1972.07.11"]', "black", 79_704_000.0),
        ('[Result "1/2-1/2"]\n[UTCDate "2023.11.14"]\n[UTCTime "22:13:20"]', None, 1_700_000_000.0),
        ('[Result "1-0"]\n[Date "1972.??.??"]', "white", 0.0),
    ],
)
def test_a_result_that_the_moves_do_not_tell(tags: str, winner: str | None, started: float) -> None:
    (game,) = read_games(f"{tags}\n\n1. e4 e5 *")
    outcome = game.session().outcome
    assert outcome is not None
    assert (outcome.winner, game.started) == (winner, started)
    (again,) = read_games(pgn(game))
    assert again.session().outcome == outcome


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (";", "no game in this PGN"),
        ("1. e4 e5 2. Ke3 *", r"PGN: step 3: 'Ke3' is not allowed \(CH-2\): A king does not .* \(line 1\)"),
        ("1. e4 e5 2. Qd4 *", r"\(CH-4\): The piece on d2 is in the way"),
        ("1. e4 e5 2. Nf3 d6 3. O-O *", r"'O-O' is not allowed \(CH-6\): The piece on f1 is in the way"),
        ("1. e4 e5 2. exd6 *", r"\(CH-2\): A pawn does not move from e4 to d6"),
        ("1. e4 e5 2. Bb5 a6 3. Nf3 Ng4 *", r"'Ng4' is not allowed \(CH-2\): .* from g8 to g4"),
        ("1. e4 d5 2. Bb5 Nf6 *", r"'Nf6' is not allowed \(CH-5\): The king on e8 .* from b5"),
        ('[FEN "4k3/p7/8/8/8/8/8/4K3 w - - 0 1"]\n\n1. Qd4 *', "'Qd4' is not allowed: there is no such"),
        ('[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]\n\n1. Kb1 *', "PGN: the game is over before 'Kb1'"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "no position"),
        ('[FEN "nonsense"]\n\n*', "PGN"),
        ('[Variant "Chess960"]\n[FEN "1r2k3/8/8/8/8/8/8/1R2K3 w Bb - 0 1"]\n\n*', "only common chess"),
        ('[Variant "Atomic"]\n\n1. e4 *', "only common chess"),
        ("1. e4 e5 2. Xf3 Xc6 3. d4 d5 *", "'Xf3' is no move: .* English letters"),
        ("1. e4 e5\n2. Qxh9 *", r"'Qxh9' is no move: .* \(line 2\)"),
        ("1. e4 e9 *", "'e9' is no move"),
        pytest.param("1. e4 " + 90_000 * "+" + "x *", r"'\++' is no move", id="long"),
        ('[Event "x"]\n\nhello2 world', r"'hello2' is no move.* \(line 3\)"),
        ("1. e4 -- 2. d4 *", "'--' is no move: somebody passed"),
        ("1. e4 {never ends", r"a comment has no '}' \(line 1\)"),
        ('[FEN "8/P7/8/8/8/8/8/K1k5 w - - 12 60]\n\n60. a8=R *', "'.FEN .* a whole tag"),
        ("1. e4 (1. d4", "a variation has no '.'"),
        ("1. e4 ) e5 *", "'.' ends no variation"),
        ("1. e4 e5 3. d4 d5 *", "move 2 is due, not 3"),
        ("1. a3 a6\n\n1. h3 h6", r"move 2 is due, not 1: .* result, is missing \(line 3\)"),
        ("1. e4 * *", r"'\*' ends no game"),
        ('[Event "1"]\n\n1. e4 *\n\n[Event "2"]\n\n1. e4 Te8 *', r"'Te8' is no move.* \(line 7\)"),
        ("1. e4 e5 * 2. Nf3 *", "move 1 is due, not 2"),
        ('1. e4 *\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', r"PGN: .* no position .* \(line 2\)"),
    ],
)
def test_damaged_pgn_is_refused_in_a_line(text: str, words: str) -> None:
    with pytest.raises(RecordError, match=words) as caught:
        read_games(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("fen", "moves", "count"),
    [
        ("8/P7/8/8/8/8/8/K1k5 w - - 12 60", "60. a8=R Kd2", 2),
        ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 20", "20... O-O-O 21. O-O", 2),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 5", "5. dxc6", 1),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "1. e4", 1),
    ],
)
def test_a_game_that_begins_in_the_middle_comes_in_and_goes_out(fen: str, moves: str, count: int) -> None:
    (came,) = read_games(f'[SetUp "1"]\n[FEN "{fen}"]\n[White "Ann"]\n\n{moves} *')
    assert len(came.session().plies) == count
    assert came.session().first.board.fen() == fen
    again = read_record(write_record(came))
    assert again.session().position == came.session().position
    assert came.session().game.head == read_any(exports.text(came)).game.head
    assert moves in pgn(again)


@pytest.mark.parametrize(
    ("pgn", "actions"),
    [
        ("1.e4 e5 2.Nf3 1-0", "e2e4 e7e5 g1f3"),
        ("1 e4 e5 2 Nf3", "e2e4 e7e5 g1f3"),
        ("e4 e5\r\nNf3\r\n*\r\n", "e2e4 e7e5 g1f3"),
        ("e4 ; best\re5\rNf3\r*\r", "e2e4 e7e5 g1f3"),
        ("1. e4\n\ne5\n\n2. Nf3 1/2-1/2", "e2e4 e7e5 g1f3"),
        ("1. e4 1... e5 2. ... *", "e2e4 e7e5"),
        ("1. e4 {the {best} e5 {[%clk 0:10:00] [%eval 0.3]} *", "e2e4 e7e5"),
        ("1. e4 {over\nlines; (and 1. Sf3)} e5 ; not Sf6\n% 1... Sf6\n2. Nf3 *", "e2e4 e7e5 g1f3"),
        ("1. e4! e5?! $6 $146 2. Nf3!! ?? = +/- ± *", "e2e4 e7e5 g1f3"),
        ("1. e4 (1. d4 d5 (1... Sf6 *) 2. c4) (e5 $1 {why ) not}) 1... e5 *", "e2e4 e7e5"),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. a5 4. dxe7+ *", "e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 d6e7"),
        ("1. ♙e4 ♟c5 2. ♘f3 ♞c6 3. ♗b5 ♛a5 *", "e2e4 c7c5 g1f3 b8c6 f1b5 d8a5"),
        ("1. e4 a6 2. e5 d5 3. exd6e.p. cxd6 *", "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6"),
        ("1. e2e4 e7-e5 2. Ng1-f3 Pd6 3. Bb5++ *", "e2e4 e7e5 g1f3 d7d6 f1b5"),
        ("1. g3 g6 2. Bg2 Bg7 3. Nf3 Nf6 4. O-O 0-0 *", "g2g3 g7g6 f1g2 f8g7 g1f3 g8f6 e1g1 e8g8"),
        ("1. h4 g5 2. hxg5 h6 3. gxh6 a6 4. h7 a5 5. hxg8Q *",
         "h2h4 g7g5 h4g5 h7h6 g5h6 a7a6 h6h7 a6a5 h7g8q"),
        ('[FEN "8/P7/8/8/8/8/8/K1k5 w - - 12 60"]\n\n1. a8=R Kd2 2. Ra7', "a7a8r c1d2 a8a7"),
        ('[Event "?"] [White "Ann "Queen" B"]\n[Black ""]\n[X_1 "1. Sf3"]\n\n*', ""),
        ('[White "Ann"]', ""),
        (f"{MATED} {{so it goes}}\n\n", "f2f3 e7e5 g2g4 d8h4"),
    ],
)  # fmt: skip
def test_ordinary_pgn_is_read(pgn: str, actions: str) -> None:
    (game,) = read_games(pgn)
    assert game.session().actions == tuple(actions.split())


CLOCKED = """[White "Ann"]
[Result "1-0"]

1. e4 { [%clk 0:09:58] } e5 { [%clk 0:09:57.5] a reply [%eval 0.3] } 2. Nf3 { [%emt 0:00:04] } 1-0
"""


def test_clock_times_of_a_pgn_are_no_comments() -> None:
    (game,) = read_games(CLOCKED)
    assert [entry.clock for entry in game.log] == [598.0, 597.5, None, None]
    assert [(note.line, note.text) for note in game.notes] == [(2, "a reply")]


def test_a_result_that_came_with_a_game_is_as_recorded() -> None:
    (game,) = read_games(CLOCKED)
    outcome = game.session().outcome
    assert outcome
    assert outcome_words(outcome) == "White wins: as recorded."
    (last,) = review(game, game.session())[-1].asides
    assert say_aside(game.game.board, last[1]) == "The result, as recorded: White"


def test_a_pgn_of_several_games() -> None:
    tagged = pgn(record(MATE, white="Ann")) + pgn(record("chess", white="Ben"))
    found = read_games(f"\n{tagged}\n1. e4 (1. d4 *) e5 1-0 {{a win}} 1. d4 *\n\n\n{tagged}")
    assert [len(game.session().plies) for game in found] == [4, 0, 2, 1, 4, 0]
    assert [game.head.get("white") for game in found] == ["Ann", "Ben", None, None, "Ann", "Ben"]
    assert found[2].notes == (Note("a win", 2),)
    assert [game.session().outcome is None for game in found] == [False, True, False, True, False, True]


def test_pgn_is_for_chess() -> None:
    with pytest.raises(RecordError, match="PGN is for chess"):
        pgn(record("triune a2-a3"))


def corrected() -> Record:
    session = begin(read_game("triune"))
    looks = dict(session.rules.pieces(session.position))
    less = {place: look for place, look in looks.items() if place != "a1"}
    return record("triune a2-a3", Entry("correction", write_looks("red", less, looks), ARBITER))


@pytest.mark.parametrize("form", ["text", "abstract"])
def test_a_corrected_game_fits_a_record_alone(form: str) -> None:
    with pytest.raises(GameError, match="--format record"):
        exports.formats()[form].write(corrected())
    assert read_record(write_record(corrected())).session().plies[-1].entry.kind == "correction"


def test_a_takeback_is_in_the_record_and_not_in_the_text() -> None:
    game = record("triune a2-a3", Entry("takeback", "1"), Entry("action", "h2-h3"))
    assert exports.text(game) == "triune h2-h3\n"
    assert "takeback 1" in write_record(game)


def test_a_line_of_the_list() -> None:
    summary = Summary(4, "triune first=blue", {"red": "Ann"}, 1_700_000_000.0, 12, "", False)
    assert summary.to_json() == {
        "number": 4, "game": "triune first=blue", "head": {"red": "Ann"}, "started": "2023-11-14T22:13:20Z",
        "plies": 12, "result": None, "deleted": False,
            "damaged": False,
    }  # fmt: skip
    assert replace(summary, started=0.0).to_json()["started"] is None


def test_a_name_that_cannot_be_printed_is_drawn_without_what_cannot() -> None:
    record = replace(read_any("triune a2-a3"), head={"red": "A\x91nn\x00", "blue": "B\ufeff\u202een"})
    for form in ("gif", "pdf", "svg"):
        assert exports.formats()[form].write(record)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("stop", "The arbiter stops the clock"),
        ("start", "The arbiter lets the clock go on"),
        ("white +120.0", "The arbiter gives White 2:00"),
        ("black -30.5", "The arbiter takes 0:30 from Black"),
    ],
)
def test_changes_of_the_clock_are_told(text: str, words: str) -> None:
    aside = Entry("clock", text, "arbiter", clock=300.0)
    assert say_aside(load_board("chess"), aside) == words
