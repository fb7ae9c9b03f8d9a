"""Games as they were published: written as their players write them, move by move and round by round.

The games of chess are famous ones; of draughts it is a published opening. `test_draughts_pdn` has generated
games.
"""

from __future__ import annotations

import re

import pytest

from companion.games.text import read_game
from companion.record.record import Record
from companion.record.review import numbered, numbers, rounds, write_turn
from companion.record.session import Entry, Session
from tests.companion.read_games import read_games

OPERA = """
1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8#
"""
"""Morphy against the Duke of Brunswick and Count Isouard, Paris 1858."""
IMMORTAL = """
1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6
11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+
20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7#
"""
"""Anderssen against Kieseritzky, London 1851."""
WIJK_AAN_ZEE = """
1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5
11. O-O-O Qe7 12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 19. Bh3 d5
20. Qf4+ Ka7 21. Rhe1 d4 22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4 cxd4 25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4
28. Qc3 Qxd5 29. Ra7 Bb7 30. Rxb7 Qc4 31. Qxf6 Kxa3 32. Qxa6+ Kxb4 33. c3+ Kxc3 34. Qa1+ Kd2 35. Qb2+ Kd1
36. Bf1 Rd2 37. Rd7 Rxd7 38. Bxc4 bxc4 39. Qxh8 Rd3 40. Qa8 c3 41. Qa4+ Ke1 42. f4 f5 43. Kc1 Rd2 44. Qa7
"""
"""Kasparov against Topalov, Wijk aan Zee 1999; Black resigned."""

LAIRD_AND_LADY = "1. 11-15 23-19 2. 8-11 22-17 3. 11-16 24-20 4. 16x23 27x11 5. 7x16 20x11"


def session_of(text: str) -> Session:
    (record,) = read_games(text)
    return record.session()


def said(session: Session) -> str:
    """A game as a list of moves shows it."""
    first = session.rules.first_number(session.first)
    lines = enumerate(rounds(session), first)
    return " ".join(
        f"{number}. {' '.join(write_turn(session, turn) or '…' for turn in row)}".removesuffix(" …")
        for number, row in lines
    )


@pytest.mark.parametrize("moves", [OPERA, IMMORTAL, WIJK_AAN_ZEE], ids=["opera", "immortal", "wijk aan zee"])
def test_a_published_game_of_chess_is_written_as_it_was_read(moves: str) -> None:
    session = session_of(moves + " *")
    assert said(session).split() == moves.split()
    assert session.outcome is None or session.outcome.reason == "checkmate"
    assert bool(session.outcome) == moves.strip().endswith("#")
    uci = re.compile("[a-h][1-8][a-h][1-8][qrbn]?")
    assert all(uci.fullmatch(action) for action in session.actions)  # what is recorded stays as it was
    again = Record(session.game, tuple(Entry("action", ply.written) for ply in session.plies), {}, (), 0.0)
    assert again.session().actions == session.actions


def test_a_game_from_the_middle_is_counted_as_its_position_says() -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R_w_KQkq_-_2_3"
    for side, moves, words in (
        ("w", ["f1b5", "a7a6"], "3. Bb5 a6"), ("b", ["a7a6", "f1b5"], "3. … a6 4. Bb5"),
    ):  # fmt: skip
        game = read_game(f"chess fen={fen.replace('_w_', f'_{side}_')}")
        session = Record(game, tuple(Entry("action", move) for move in moves), {}, (), 0.0).session()
        assert said(session) == words
    plies = zip(session.plies, numbers(session), strict=True)
    assert [numbered(session, ply, number) for ply, number in plies] == ["3…", "4."]


def test_a_published_opening_of_draughts_is_written_as_it_was_read() -> None:
    session = session_of(f'[GameType "21"]\n\n{LAIRD_AND_LADY} *')
    assert said(session) == LAIRD_AND_LADY
    assert session.players[0] == "black"
    assert session.actions[7] == "f2xd4xf6"


@pytest.mark.parametrize(("fen", "written"), [
    ("B:W6,7,14,15:BK1", ["1x17", "1x19", "1x3"]),
    ("W:W27:B23,24,15,16", ["27x18x11", "27x20x11"]),
    ("W:W22:B18", ["22x15"]),
])  # fmt: skip
def test_a_capture_is_written_by_its_ends_where_these_tell_it(fen: str, written: list[str]) -> None:
    game = read_game(f"draughts fen={fen}")
    position = game.start()
    assert sorted(game.rules.write(position, action) for action in game.rules.legal(position)) == written


def test_whoever_plays_alone_has_a_round_for_each_action() -> None:
    session = Record(read_game("queens"), (Entry("action", "+a1"), Entry("action", "+b3")), {}, (), 0.0)
    assert said(session.session()) == "1. +a1 2. +b3"
