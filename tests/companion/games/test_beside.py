"""What stands beside the board: pieces that have left it, and the mark on a piece in check."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion import games
from companion.games.text import read_game, replay
from companion.record.record import read_any
from companion.record.session import Session, restore


def session_of(text: str) -> Session:
    record = read_any(text)
    return restore(record.game, record.log)


@pytest.mark.parametrize(("text", "gone"), [
    ("chess e2e4 d7d5", []),
    ("chess e2e4 d7d5 e4d5 d8d5", ["white/pawn", "black/pawn"]),
    ("chess e2e4 d7d5 e4e5 f7f5 e5f6", ["black/pawn"]),  # en passant
    # A pawn takes two pieces on its way and becomes a queen: it is not off the board.
    ("chess a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 d7d6 b7a8q",
     ["black/rook", "black/bishop", "black/pawn", "black/pawn"]),
    ("chess fen=8/P7/8/8/8/8/7p/K1k5_w_-_-_0_1 a7a8q", []),
    ("draughts 11-15 22-18 15x22", []),  # the counts tell
    ("escape", []),
    ("queens +a1", []),
])  # fmt: skip
def test_pieces_that_left_the_board(text: str, gone: list[str]) -> None:
    session = session_of(text)
    assert sorted(session.rules.gone(session.first, session.position)) == sorted(gone)


@pytest.mark.parametrize("name", games.GAMES)
def test_what_is_off_the_board_was_on_it_and_has_a_face(name: str) -> None:
    game = read_game("magnet values=declared" if name == "magnet" else name)
    chance, position = random.Random(name), game.start()
    first = position
    assert game.rules.gone(first, first) == ()
    owners = Counter(look.partition("/")[0] for look in game.rules.look(first).values())
    for _ in range(120):
        if game.rules.outcome(position):
            break
        position = game.rules.play(position, chance.choice(list(game.rules.legal(position)))).position
        gone = game.rules.gone(first, position)
        assert all(game.board.pieces.has_face(look) for look in gone)
        left = Counter(look.partition("/")[0] for look in (*game.rules.look(position).values(), *gone))
        assert not gone or all(left[player] == owners[player] for player in game.rules.players(first))


def test_a_king_in_check_is_marked_and_said() -> None:
    _, position, _ = replay("chess e2e4 e7e5 d1h5 b8c6 h5f7")
    rules = games.rules("chess")
    assert rules.checked(position) == ("e8",)
    assert rules.prompt(position).startswith("check")
    _, position, _ = replay("chess e2e4")
    assert rules.checked(position) == ()


def test_a_magnet_player_learns_nothing_from_what_is_off_the_board() -> None:
    """The kinds of captured pieces are told to all; of others only the number is."""
    game = read_game("magnet setup=random")
    for seed in range(5):
        chance, position = random.Random(seed), game.start()
        first = position
        for _ in range(200):
            action = game.rules.deal(position, game.options, chance)
            if game.rules.outcome(position):
                break
            action = action or chance.choice(list(game.rules.legal(position)))
            position = game.rules.play(position, action).position
            seen = {game.rules.gone(first, game.rules.view(position, who)) for who in (None, "red", "blue")}
            assert seen == {game.rules.gone(first, position)}
