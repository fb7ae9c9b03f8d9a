"""Whole games on e-boards whose bytes are made from the formats: the table believes what was played."""

from __future__ import annotations

import itertools
import random

import chess
import pytest

from companion.record.session import Entry
from companion.table import messages as m
from tests.firmware_bridge.made_eboards import MadeChessnut, MadeMillennium, Sitting, squares_of
from tests.samples import first_few
from web.runtime.sensor import shine

START = squares_of(chess.Board())
MAKERS = pytest.mark.parametrize("maker", [MadeChessnut, MadeMillennium])
Maker = type[MadeChessnut] | type[MadeMillennium]
UNDERPROMOTION, CASTLES, IN_PASSING = map(
    str.split,
    (
        "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8n d8a8 h2h4 a8a1",
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 d7d6 d2d4 c8g4 c1e3 d8d7 b1c3 e8c8",
        "e2e4 a7a6 e4e5 d7d5 e5d6 c7d6",
    ),
)


@MAKERS
@pytest.mark.parametrize("moves", [UNDERPROMOTION, CASTLES, IN_PASSING])
def test_a_game_is_followed_without_a_question(maker: Maker, moves: list[str]) -> None:
    game = Sitting(maker(START))
    game.wait(1)
    for move in moves:
        game.play(move)
        game.check()
    assert not {"ask", "refused", "begun"} & {*game.told}


@MAKERS
@pytest.mark.parametrize("seed", first_few(1, range(2)))
def test_a_long_game_is_followed(maker: Maker, seed: int) -> None:
    rng, game = random.Random(seed), Sitting(maker(START))
    game.wait(1)
    while not game.truth.is_game_over() and len(game.truth.move_stack) < 100:
        promotions = [move for move in game.truth.legal_moves if move.promotion]
        game.play(rng.choice(promotions or list(game.truth.legal_moves)).uci())
        game.check()


@MAKERS
@pytest.mark.parametrize("letter", "QRBN")
def test_a_pawn_that_rests_on_the_last_row_is_still_to_be_exchanged(maker: Maker, letter: str) -> None:
    game = Sitting(maker(START))
    game.wait(1)
    for move in UNDERPROMOTION[:8]:
        game.play(move)
    game.put("a8", ".")
    game.carry("b7", "a8", "P")
    game.wait(4)
    assert len(game.actions) == 8
    verdict = game.desk.snapshot.verdict
    assert verdict
    assert verdict.kind == "unfinished"
    assert [(step.start, step.end) for step in verdict.steps] == [("a8", "a8")]
    game.put("a8", ".")
    game.put("a8", letter)
    game.wait(2)
    game.truth.push_uci(f"b7a8{letter.lower()}")
    game.check()
    assert not {"ask", "refused"} & {*game.told}


@MAKERS
def test_a_pawn_that_stays_there_is_asked_about_once_play_goes_on(maker: Maker) -> None:
    game = Sitting(maker(START))
    game.wait(1)
    for move in UNDERPROMOTION[:8]:
        game.play(move)
    game.put("a8", ".")
    game.carry("b7", "a8", "P")
    game.wait(4)
    game.carry("g7", "g6", "p")
    game.wait(3)
    assert game.actions[8:] == ("b7a8q", "g7g6")
    assert game.desk.snapshot.question
    assert ("b7a8n",) in game.desk.snapshot.question.choices


@MAKERS
def test_moves_are_taken_back_by_hand_and_so_is_a_promotion(maker: Maker) -> None:
    game = Sitting(maker(START))
    game.wait(1)
    for move in UNDERPROMOTION[:9]:
        game.play(move)
    game.put("a8", ".")
    game.put("b7", "P")
    game.put("a8", "r")
    game.wait(3)
    game.truth.pop()
    game.check()
    game.put("c6", ".")
    game.put("b8", "n")
    game.wait(3)
    game.truth.pop()
    game.check()
    for move in ("g8f6", "b7a8b"):
        game.play(move)
        game.check()


@pytest.mark.parametrize("end", ["e7e8n", "e7e8q", "e7e8r", "e7e8b"])
def test_a_promotion_that_may_be_mate_is_what_stands_there(end: str) -> None:
    """With a queen or a rook the game is over, and with a knight or a bishop it goes on."""
    fen = "7k/p3P3/6K1/8/8/8/P7/8 w - - 0 1"
    game = Sitting(MadeChessnut("." * 64), f"chess fen={fen.replace(' ', '_')}")
    game.truth = chess.Board(fen)
    game.lay(game.truth)
    game.wait(1)
    game.play(end)
    game.wait(2)
    game.check()
    session = game.desk.snapshot.session
    assert session
    assert bool(session.outcome) == (end[-1] in "qr")
    if not session.outcome:
        game.play("h8g8")
        game.check()


@MAKERS
def test_a_king_and_queen_that_stand_in_for_each_other_are_no_trouble(maker: Maker) -> None:
    game = Sitting(maker(START.replace("QK", "KQ")))
    game.wait(1)
    for move in ("e2e4", "e7e5", "g1f3"):
        game.play(move)
    session = game.desk.snapshot.session
    assert session
    assert session.actions == ("e2e4", "e7e5", "g1f3")
    assert min(ply.entry.certainty for ply in session.plies) > 0.9


@MAKERS
def test_a_board_that_lies_the_other_way_round_is_noticed(maker: Maker) -> None:
    game = Sitting(maker(START[::-1]))
    game.is_turned = True
    game.wait(1)
    for move in UNDERPROMOTION[:5]:
        game.play(move)
        game.check()
    shine(game.source, game.desk.snapshot)
    game.wait(1)
    assert game.made.lamps() == {"g4", "h3"}
    again = Sitting(game.made, f"chess {' '.join(game.actions)}")
    again.truth, again.is_turned = game.truth, True
    again.wait(1)
    again.play(UNDERPROMOTION[5])
    again.check()
    again.made.squares = START
    again.desk.handle(m.NewGame("chess"))
    again.wait(1)
    assert not again.desk.snapshot.is_turned


@MAKERS
@pytest.mark.parametrize("lost", ["plugged", "mute"])
def test_a_board_that_is_lost_in_mid_move_says_so_and_goes_on(maker: Maker, lost: str) -> None:
    game = Sitting(maker(START))
    game.wait(1)
    game.play("e2e4")
    game.put("e7", ".")
    game.made.plugged, game.made.mute = lost != "plugged", lost == "mute"
    game.wait(5)
    (source,) = game.desk.snapshot.sources
    assert source.state == "lost"
    assert ("not connected" if lost == "plugged" else "nothing any more") in source.words
    game.made.plugged, game.made.mute = True, False
    game.put("e5", "p")
    game.truth.push_uci("e7e5")
    game.wait(2)
    game.check()
    assert game.desk.snapshot.sources[0].state == "ok"


@MAKERS
def test_a_move_made_while_the_board_was_lost_is_found(maker: Maker) -> None:
    game = Sitting(maker(START))
    game.wait(1)
    game.made.plugged = False
    game.wait(2)
    game.play("e2e4")
    game.made.plugged = True
    game.wait(3)
    game.check()


@MAKERS
@pytest.mark.parametrize("seed", range(3))
def test_half_messages_and_noise_are_no_moves(maker: Maker, seed: int) -> None:
    rng = random.Random(seed)

    def damage(data: bytes) -> bytes:
        kind = rng.random()
        if kind < 0.1:
            return data[: rng.randrange(len(data))]
        if kind < 0.2:
            return rng.randbytes(rng.randrange(1, 90))
        if kind < 0.3 and maker is MadeMillennium:
            at = rng.randrange(len(data))
            return data[:at] + bytes((data[at] ^ 1 << rng.randrange(8),)) + data[at + 1 :]
        return data

    game = Sitting(maker(START, damage))
    game.wait(1)
    for move in CASTLES:
        game.play(move)
        game.wait(1)
        game.check()
    assert "refused" not in game.told


@MAKERS
def test_a_piece_that_is_hard_to_feel_stops_no_game(maker: Maker) -> None:
    game = Sitting(maker(START))
    scan, count = game.made.scan, itertools.count()

    def flickering() -> None:
        laid = game.made.squares
        if next(count) % 5 < 2:
            game.made.squares = f"{laid[:56]}.{laid[57:]}"  # a1
        scan()
        game.made.squares = laid

    game.made.scan = flickering  # type: ignore[method-assign]
    game.wait(3)
    for move in CASTLES[:6]:
        game.play(move)
        game.wait(2)
        game.check()
    assert "refused" not in game.told


@MAKERS
def test_another_board_on_the_port_is_told(maker: Maker) -> None:
    game = Sitting(maker(START))
    game.made.scan = lambda: game.made.send(b":1 0 2 0 0\r\n")  # type: ignore[method-assign]
    game.made.mute = True
    game.wait(8)
    (source,) = game.desk.snapshot.sources
    assert source.state == "lost"
    assert "does not answer on this port" in source.words


@MAKERS
def test_on_other_games_it_is_a_switch_at_each_square(maker: Maker) -> None:
    """What stands there may be any piece that the board feels: here each man is a white king of chess."""
    laid = "".join(
        "." if (row + file) % 2 == 0 or row in (3, 4) else "K" for row in range(8) for file in range(8)
    )
    rng, game = random.Random(1), Sitting(maker(laid), "draughts")
    game.wait(1)
    truth = game.desk.snapshot.session
    assert truth
    for _ in range(20):
        action = rng.choice(list(truth.rules.legal(truth.position)))
        after = truth.apply(Entry("action", action))
        start, *_ = truth.rules.path(action)
        game.put(start, ".")
        for site in after.look.keys() - truth.look.keys():
            game.put(site, "K")
        for site in truth.look.keys() - after.look.keys() - {start}:
            game.put(site, ".")
        game.wait(2)
        truth = after
        assert game.actions == truth.actions
    assert not {"ask", "refused"} & {*game.told}


@MAKERS
def test_on_a_board_of_another_form_it_says_what_it_is(maker: Maker) -> None:
    game = Sitting(maker(START), "magnet")
    game.wait(2)
    (source,) = game.desk.snapshot.sources
    assert source.state == "lost"
    assert "8×8 squares" in source.words
    assert game.source.lit_sites == ()


@MAKERS
def test_a_board_laid_from_its_other_side_is_read_and_lit_from_there(maker: Maker) -> None:
    game = Sitting(maker(START[::-1]))
    game.wait(2)
    game.carry("d7", "d5", "P")
    game.wait(2)
    assert game.actions == ("e2e4",)
    assert not {"ask", "refused", "setup"} & {*game.told}
    shine(game.source, game.desk.snapshot)
    game.wait(1)
    assert game.made.lamps() == {"d7", "d5"}


@MAKERS
def test_lamps_show_the_last_action_what_is_wrong_and_the_way_back(maker: Maker) -> None:
    game = Sitting(maker(START))
    game.wait(1)

    def lit() -> set[str]:
        shine(game.source, game.desk.snapshot)
        game.wait(1)
        return game.made.lamps()

    game.play("e2e4")
    assert lit() == {"e2", "e4"}
    game.carry("b8", "b6", "n")
    game.wait(4)
    assert "refused" in game.told
    assert lit() == {"b6", "b8"}
    game.made.plugged = False
    game.wait(1)
    game.made.plugged = True
    game.wait(2)
    assert lit() == {"b6", "b8"}
    game.carry("b6", "b8", "n")
    game.wait(2)
    assert lit() == {"e2", "e4"}
    game.check()
