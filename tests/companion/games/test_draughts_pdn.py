"""PDN: games of draughts go out and come in without loss, and what others write is read."""

import random
from dataclasses import replace

import pytest

from companion.games.text import read_game, replay
from companion.record import exports
from companion.record.notations import write_notated
from companion.record.record import Note, Record, RecordError, read_any, read_record, write_record
from companion.record.session import ARBITER, Entry
from tests.companion.read_games import read_games

GAMES = 25
LONGEST = 160
SHORT = "draughts f6-g5 c3-d4 g5-h4 b2-c3"


def pdn(game: Record) -> str:
    return write_notated(game, "pdn")


def record(text: str, *more: Entry, **head: str) -> Record:
    """A record of a game text, and what happened besides."""
    game, _, actions = replay(text)
    log = (*(Entry("action", action) for action in actions), *more)
    return Record(game, log, head, (), 1_700_000_000.0)


def random_game(number: int) -> Record:
    """A game of random legal moves, whole or given up; every other one international."""
    chance = random.Random(f"draughts {number}")
    text = "draughts variant=international" if number % 2 else "draughts"
    game = read_game(text)
    position, actions = game.start(), list[str]()
    while len(actions) < LONGEST and not game.rules.outcome(position):
        actions.append(chance.choice(list(game.rules.legal(position))))
        position = game.rules.play(position, actions[-1]).position
    ruled = Entry("result", chance.choice(("white", "black", "")))
    given_up = () if game.rules.outcome(position) else (ruled,)
    return record(game.text(actions), *given_up, white=f"Ann {number}", black="Ben", round=str(number))


def test_many_games_come_back_from_one_file() -> None:
    played = [random_game(number) for number in range(GAMES)]
    found = read_games("\n".join(map(pdn, played)))
    assert len(found) == GAMES
    winners = set()
    for game, again in zip(played, found, strict=True):
        session, other = game.session(), again.session()
        assert other.text == session.text
        assert other.position == session.position
        assert session.outcome
        assert other.outcome
        assert other.outcome.winner == session.outcome.winner
        winners.add(session.outcome.winner)
        assert {k: again.head[k] for k in ("white", "black", "round")} == dict(game.head)
        assert again.started == game.began
        assert pdn(again) == pdn(game)
    assert winners >= {"white", "black"}


def test_pdn_is_written_as_others_write_it() -> None:
    text = pdn(record(f"{SHORT} h6-g5", Entry("resign", "", "white"), white="Ann"))
    assert text.splitlines()[-1] == "1. 11-16 22-18 2. 16-20 25-22 3. 12-16 0-1"
    assert '[GameType "21"]' in text
    assert '[Result "0-1"]' in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("notes", [
    (),
    (Note("A game", 0, ARBITER),),
    (Note("Unsigned"), Note("A game", 0, "white"), Note("Why?\n\nWhy not.", 2, "black"), Note("; $1", 4)),
    (Note("x" * 300 + " " + "y" * 300, 3, "white"), Note("1. 11-15 *", 1)),
])  # fmt: skip
def test_comments_come_back(notes: tuple[Note, ...]) -> None:
    game = replace(record(SHORT), notes=notes)
    (again,) = read_games(pdn(game))
    assert set(again.notes) == set(notes)


@pytest.mark.parametrize("fen", [
    "W:W18:B5,14", "B:W20,K32:B5,K9", "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3",
])  # fmt: skip
def test_a_game_from_the_middle_comes_back(fen: str) -> None:
    game = read_game(f"draughts fen={fen}")
    action = next(iter(game.rules.legal(game.start())))
    text = pdn(record(f"draughts fen={fen} {action}"))
    assert f'[FEN "{fen}"]' in text
    (again,) = read_games(text)
    assert exports.text(again) == f"draughts fen={fen} {action}\n"
    assert read_record(write_record(again)).session().position == again.session().position


def test_after_a_correction_the_game_begins_there() -> None:
    game = record(SHORT, Entry("correction", "turn=white;c3=white/king", ARBITER))
    text = pdn(game)
    assert "K22" in text
    (again,) = read_games(text)
    assert again.session().position == game.session().position
    assert exports.forms_of(game) == ("record", "pdn", "svg", "png", "gif", "webp", "pdf")


@pytest.mark.parametrize(("pdn", "text"), [
    ("1. 11-15 22-18 2. 15x22 *", "draughts f6-e5 c3-d4 e5xc3"),
    ("1.11-15 22-18 2.15:22 25x18", "draughts f6-e5 c3-d4 e5xc3 b2xd4"),
    ("1. 11-15! {good (1. 9-13)} 22-18 $3 (22-17 9-13 (9-14)) 2. 15x22 ; and so on\n*",
     "draughts f6-e5 c3-d4 e5xc3"),
    ('[GameType "21,B,8,8,N1,0"]\n\n1. f6-e5 c3-d4 2. e5xc3 *', "draughts f6-e5 c3-d4 e5xc3"),
    ('[GameType "20"]\n\n1. 32-28 19-23 2. 28x19 14x23 2-0', "draughts variant=international "
     "d4-e5 g7-f6 e5xg7 h8xf6"),
    ("1. 32-28 19-23 2. 28x19 1-1", "draughts variant=international d4-e5 g7-f6 e5xg7"),
    ('[FEN "W:W18:B14,6."]\n1. 18x9x2 *', "draughts fen=W:W18:B6,14 d4xb6xd8"),
    ('[FEN "W:W18:B15,5"]\n1. 18x11 *', "draughts fen=W:W18:B5,15 d4xf6"),
    ('[FEN "B:W21-32:B1-12"]\n1. 11-15 *', "draughts f6-e5"),
    ('[Event "Cup"]\n[GameType "20"]\n\n*', "draughts variant=international"),
])  # fmt: skip
def test_ordinary_pdn_is_read(pdn: str, text: str) -> None:
    (game,) = read_games(pdn)
    assert game.session().text == text


@pytest.mark.parametrize(("pdn", "words"), [
    (
        "1. 11-15 22-18\n2. 9-13 *",
        r"PDN: step 3: '9-13' is not allowed \(DR-4\): Black has to capture, .* on 15. \(line 2\)",
    ),
    ("1. 11-16 22-18 2. 8-4 *", r"'8-4' is not allowed \(DR-11\): 4 is occupied."),
    ("1. 11-15 22-18 2. 15-0 *", r"PDN: step 3: '15-0' is not allowed \(GEN-1\)"),
    ("1. 11-15 hello2 *", r"'hello2' is neither a move .* \(line 1\)"),
    ("1. 11-15 (22-18 *", "a variation has no '.'"),
    ("1. 11-15 ) 22-18 *", "'.' ends no variation"),
    ('[GameType "25"]\n\n1. 11-15 *', "GameType 25 is not played here"),
    ('[GameType "21"]\n[FEN "W:W20:B20"]\n\n*', "one square"),
    ("1. 11-15 {never ends", r"a comment has no '}' \(line 1\)"),
])  # fmt: skip
def test_damaged_pdn_is_refused_in_a_line(pdn: str, words: str) -> None:
    with pytest.raises(RecordError, match=words) as caught:
        read_games(pdn)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("pgn", ["1. e4 e5 *", '[Event "x"]\n\n1. d4 {11-15} *', '[Result "1-0"]\n\n1-0'])
def test_pgn_of_chess_is_not_taken_for_pdn(pgn: str) -> None:
    pytest.importorskip("chess")
    (game,) = read_games(pgn)
    assert game.game.rules.name == "chess"


def test_pdn_is_for_draughts() -> None:
    with pytest.raises(RecordError, match="PDN is for draughts"):
        pdn(record("triune a2-a3"))


def test_other_forms_hold_draughts_as_well() -> None:
    game = record(SHORT)
    assert read_any(exports.text(game)).session().text == SHORT
    assert "pdn" in exports.forms_of(game)
    assert "pgn" not in exports.forms_of(game)
