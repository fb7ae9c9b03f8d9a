"""Chess: which article of the Laws an illegal move breaks, and what a correction keeps. What is legal is the
library's to know."""

from collections.abc import Iterator

import pytest

from companion.games.chess.position import Position
from companion.games.chess.rules import Chess
from companion.games.text import replay
from companion.referee.evidence.looks import changes

RULES = Chess()


def after(text: str) -> Position:
    """The position after a game of chess, by its text."""
    position: Position = replay(f"chess {text}")[1]
    return position


def broken(at: Position, action: str) -> dict[str, tuple[str, ...]]:
    return {breach.rule: breach.sites for breach in RULES.judge(at, action)}


def spellings() -> Iterator[str]:
    squares = [file + rank for file in "abcdefgh" for rank in "12345678"]
    return (a + b + kind for a in squares for b in squares for kind in ("", *"qrbn"))


@pytest.mark.parametrize(
    ("text", "written", "action"),
    [
        ("", "Nf3", "g1f3"),
        ("", "e4", "e2e4"),
        ("", "e2e4", "e2e4"),
        ("e2e4 d7d5", "exd5", "e4d5"),
        ("fen=r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1", "O-O", "e1g1"),
        ("fen=r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1", "0-0-0", "e1c1"),
        ("fen=8/4P3/8/8/8/k7/8/K7_w_-_-_0_1", "e8=Q", "e7e8q"),
        ("fen=8/4P3/8/8/8/k7/8/K7_w_-_-_0_1", "e8N", "e7e8n"),
        ("fen=k7/8/8/8/8/8/8/KN3N2_w_-_-_0_1", "Nd2", "Nd2"),  # either knight
        ("", "Ne3", "g1e3"),  # which is not allowed, and of the nearer knight
        ("", "dxe3", "d2e3"),
        ("", "O-O", "e1g1"),
        ("", "e5", "e2e5"),
        ("", "--", "--"),
        ("", "Qh5#", "d1h5"),
    ],
)
def test_moves_are_written_as_players_write_them(text: str, written: str, action: str) -> None:
    assert RULES.read(after(text), written) == action


CASTLES = "fen=r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R_{}_KQkq_-_0_1"
WHITE, BLACK = after(CASTLES.format("w")), after(CASTLES.format("b"))


@pytest.mark.parametrize("at", [WHITE, BLACK])
def test_judge_is_empty_exactly_for_what_is_legal_where_both_wings_are_open(at: Position) -> None:
    assert {action for action in spellings() if not RULES.judge(at, action)} == set(RULES.legal(at))


@pytest.mark.parametrize(
    ("at", "castling", "on_the_rook"),
    [
        (WHITE, "e1g1", "e1h1"),
        (WHITE, "e1c1", "e1a1"),
        (BLACK, "e8g8", "e8h8"),
        (BLACK, "e8c8", "e8a8"),
    ],
)
def test_castling_is_written_by_where_the_king_goes(at: Position, castling: str, on_the_rook: str) -> None:
    assert broken(at, castling) == {}
    assert broken(at, on_the_rook) == {"CH-3": (on_the_rook[2:],)}
    assert RULES.read(at, on_the_rook) == on_the_rook


@pytest.mark.parametrize(
    ("text", "action", "rule", "sites"),
    [
        ("e2e4 e7e5", "e1e3", "CH-2", ("e1", "e3")),
        ("e2e4 e7e5", "e1g3", "CH-2", ("e1", "g3")),
        ("e2e4 e7e5 e1e2 e8e7", "e2g2", "CH-3", ("g2",)),
        ("e2e4 e7e5 e1e2 e8e7 e2e3 a7a6", "e3g3", "CH-2", ("e3", "g3")),
        ("e2e4 e7e5 e1e2 e8e7 e2e1", "e7g7", "CH-3", ("g7",)),
        ("fen=4k3/8/8/8/8/8/p7/5K2_w_-_-_0_1", "f1d1", "CH-2", ("f1", "d1")),
        ("fen=4k3/8/8/8/8/8/p7/5K2_b_-_-_0_1", "e8g8", "CH-6", ("e8", "g8")),
        ("fen=8/4K3/8/8/p7/8/8/4k3_b_-_-_0_1", "e1g1", "CH-2", ("e1", "g1")),
        ("e2e4 e7e5 g1f3 b8c6", "e1g1", "CH-6", ("e1", "g1")),
        ("e2e4 e7e5 g1f3 b8c6", "e1c1", "CH-3", ("c1",)),
        ("fen=r3k2r/8/8/8/8/8/8/R2QK2R_w_KQkq_-_0_1", "e1c1", "CH-6", ("e1", "c1")),
        ("fen=r3k2r/8/8/8/8/8/8/R2rK2R_w_KQkq_-_0_1", "e1g1", "CH-6", ("e1", "g1")),
        ("fen=r3kr2/8/8/8/8/8/8/R3K2R_w_KQq_-_0_1", "e1g1", "CH-6", ("e1", "g1")),
        ("fen=r3kr2/8/8/8/8/8/8/R3K2R_w_KQq_-_0_1", "e1f1", "CH-5", ("f1", "f8")),
    ],
)
def test_two_squares_are_castling_where_a_king_castles(
    text: str, action: str, rule: str, sites: tuple[str, ...]
) -> None:
    assert broken(after(text), action) == {rule: sites}


PASSING = after("e2e4 a7a6 e4e5 d7d5")


@pytest.mark.parametrize(
    "text",
    [
        "e2e4 a7a6 e4e5 d7d5",
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5",
        "e2e4 e7e5 e1e2 e8e7 e2e1 e7e8",
        "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    ],
)
def test_a_correction_that_changes_nothing_keeps_what_no_camera_sees(text: str) -> None:
    at = after(text)
    for looks in (RULES.pieces(at), RULES.look(at)):
        same = RULES.arrange(at, looks, at.turn)
        assert same == at
        assert set(RULES.legal(same)) == set(RULES.legal(at))
        assert same.board.is_repetition(3) == at.board.is_repetition(3)


@pytest.mark.parametrize(
    ("change", "turn", "open_"),
    [
        ({"h7": "empty", "h6": "black"}, "white", True),
        ({"a6": "empty"}, "white", True),
        ({"d5": "empty"}, "white", False),
        ({"d5": "empty", "d6": "black"}, "white", False),
        ({"d7": "black/pawn", "a6": "empty"}, "white", False),
        ({"d5": "black/knight"}, "white", False),
        ({}, "black", False),
    ],
)
def test_a_correction_keeps_taking_en_passant_while_the_step_still_shows(
    change: dict[str, str], turn: str, open_: bool
) -> None:
    corrected = RULES.arrange(PASSING, {**RULES.pieces(PASSING), **change}, turn)
    assert corrected.board.has_legal_en_passant() == open_


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ("a7", {"e1g1", "e1c1"}),
        ("h1", {"e1c1"}),
        ("a1", {"e1g1"}),
    ],
)
def test_a_correction_keeps_castling_where_king_and_rook_still_stand(gone: str, left: set[str]) -> None:
    corrected = RULES.arrange(WHITE, {**RULES.pieces(WHITE), gone: "empty"}, "white")
    assert {"e1g1", "e1c1"} & set(RULES.legal(corrected)) == left


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("g1f3 g8f6 f3g1 f6g8", ""),
        ("g1f3 g8f6 f3g1 f6g8 " * 2, "the same position for the third time"),
        ("fen=8/8/4k3/8/8/4K3/8/R7_w_-_-_98_80 a1a2", ""),
        ("fen=8/8/4k3/8/8/4K3/8/R7_w_-_-_99_80 a1a2", "50 moves without a capture or a pawn's move"),
    ],
)
def test_a_third_repetition_and_fifty_moves_are_claimed(text: str, reason: str) -> None:
    assert Chess().claim(after(text)) == reason
    assert Chess().outcome(after(text)) is None


@pytest.mark.parametrize("text", ["g1f3 g8f6 f3g1 f6g8 " * 4, "fen=8/8/4k3/8/8/4K3/8/R7_w_-_-_149_99 a1a2"])
def test_a_fifth_repetition_and_75_moves_end_the_game(text: str) -> None:
    assert Chess().outcome(after(text)) is not None
    assert Chess().claim(after(text)) == ""


@pytest.mark.parametrize(
    ("fen", "action"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R_w_KQkq_-_0_1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R_b_KQkq_-_0_1", "e8c8"),
        ("4k3/8/8/3pP3/8/8/8/4K3_w_-_d6_0_1", "e5d6"),
        ("1n2k3/P7/8/8/8/8/8/4K3_w_-_-_0_1", "a7b8q"),
    ],
)
def test_a_move_is_said_to_change_what_playing_it_changes(fen: str, action: str) -> None:
    game, position, _ = replay(f"chess fen={fen}")
    told = game.rules.change(position, action)
    assert told == changes(
        game.rules.look(position), game.rules.look(game.rules.play(position, action).position)
    )
    assert action in game.rules.legal_at(position, [action[:2]])


@pytest.mark.parametrize(
    ("action", "rules"),
    [
        ("a7a8", ["CH-7"]),
        ("a7b8", ["CH-2", "CH-7"]),
        ("a7b8q", ["CH-2"]),
        ("e1e2q", ["CH-7"]),
        ("e1e4q", ["CH-2", "CH-7"]),
    ],
)
def test_a_pawn_on_the_last_rank_moves_as_pawns_do(action: str, rules: list[str]) -> None:
    assert [*broken(after("fen=4k3/P7/8/8/8/8/8/4K3_w_-_-_0_1"), action)] == rules


def test_what_changes_a_square_is_legal_at_it() -> None:
    position = after("fen=4k3/8/8/3pP3/8/8/8/R3K2R_w_KQ_d6_0_1")
    for place, action in (("f1", "e1g1"), ("d1", "e1c1"), ("d5", "e5d6")):
        assert action in set(RULES.legal_at(position, {place}))


@pytest.mark.parametrize("place", ["e1", "g1"])
def test_castling_is_legal_at_both_places_of_the_king(place: str) -> None:
    game, position, _ = replay("chess fen=4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1")
    assert "e1g1" in set(game.rules.legal_at(position, {place}))
