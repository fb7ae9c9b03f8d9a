"""Magnet: its board, each of its rules kept and broken, and the examples that its rulebook gives in words."""

import json
import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion import games
from companion.core.board import load_board, parse_board
from companion.core.game import GameError, Outcome, PositionError
from companion.core.perft import perft
from companion.games.magnet.audit import audit
from companion.games.magnet.board import net_of
from companion.games.magnet.position import Position
from companion.games.magnet.rules import Magnet
from companion.games.text import Game, read_game, replay
from companion.record.session import ARBITER, Entry, Session, SessionError, begin, restore

MAGNET: Magnet = games.rules("magnet")  # type: ignore[assignment]
DEALT = "=K222333444tT"
START = f"magnet {DEALT} {DEALT}"


def position(pieces: str, turn: str = "red", opening: bool = False) -> Position:
    """Returns the position of `red f6:K1 a2:32 / blue k3:K1`: pieces by vertex, kind and rank."""
    looks = {}
    for group in pieces.split(" / "):
        player, *own = group.split()
        looks |= {vertex: f"{player}/{face}" for vertex, face in (piece.split(":") for piece in own)}
    _, at, _ = replay(START)
    arranged = MAGNET.arrange(at, looks, turn)
    return arranged._replace(turns=0 if opening else 7)


def after(at: Position, *actions: str) -> Position:
    for action in actions:
        assert MAGNET.judge(at, action) == (), action
        at = MAGNET.play(at, action).position
    return at


def broken(at: Position, action: str) -> dict[str, tuple[str, ...]]:
    return {breach.rule: breach.sites for breach in MAGNET.judge(at, action)}


def seen(at: Position) -> Mapping[str, str]:
    return MAGNET.pieces(at)


def legal(at: Position) -> set[str]:
    return set(MAGNET.legal(at))


def test_the_board_agrees_with_the_table(shared: Path) -> None:
    data = json.loads((shared / "boards" / "magnet.json").read_text())
    board = load_board("magnet")
    table = net_of(board)
    assert set(board.sites) == set(data["vertices"])
    for site, (q, r) in data["vertices"].items():
        assert board.sites[site] == pytest.approx((q * 3**0.5 / 2, -r - q / 2), abs=1e-3)
    for player in ("red", "blue"):
        assert list(board.areas[player]) == data["start"][player]
    assert table.names[table.centre] == data["centre"]
    assert table.letters == data["pieces"]


def test_the_lines_of_the_net() -> None:
    """'The board has 91 vertices' ('Components')."""
    table = net_of(load_board("magnet"))
    assert len(table.names) == 91
    assert sum(len(ray) for ray in table.rays[table.centre]) == 30
    line = table.lines[table.centre][table.index["f1"]]
    assert [table.names[vertex] for vertex in line] == ["f2", "f3", "f4", "f5", "f6"]
    assert table.index["a1"] not in table.lines[table.index["b3"]]


def test_blue_starts_where_red_does_turned_by_half() -> None:
    board = load_board("magnet")
    for red, blue in zip(board.areas["red"], board.areas["blue"], strict=True):
        assert board.sites[blue] == pytest.approx([-v for v in board.sites[red]], abs=1e-3)


def test_perft(shared: Path) -> None:
    for line in (shared / "rules" / "perft" / "magnet.txt").read_text().splitlines():
        text, *counts = line.split(";")
        game, at, _ = replay(text)
        for depth, leaves in (count.split() for count in counts):
            assert perft(game.rules, at, int(depth[1:])) == int(leaves), line


# --- setting up


def test_mg1_set_up() -> None:
    at = read_game("magnet").start()
    assert (at.to_act, legal(at), MAGNET.prompt(at)) == ("red", {"=?"}, "set up your pieces")
    for refused in ("=", "=K", "=KK22333444tT", "=K222333444tt", "@f6", "a2", "declare", "reveal:K"):
        assert broken(at, refused) == {"MG-1": ()}, refused
    at = after(at, "=tT444333222K")
    assert at.to_act == "blue"
    at = after(at, DEALT)
    assert at.to_act == "red"
    assert seen(at)["a2"] == "red/t1"
    assert seen(at)["j7"] == "red/K1"
    assert seen(at)["k5"] == "blue/K1"
    assert broken(at, DEALT) == {"MG-1": ()}


def test_mg1_a_dealt_set_up_is_an_action_like_any_other() -> None:
    """'Random variant: allocate pieces into starting spaces at random' ('Setup')."""
    at = read_game("magnet setup=random").start()
    deals = {MAGNET.set_up(at, random.Random(seed)) for seed in range(20)}
    assert len(deals) > 15
    assert all(MAGNET.judge(at, deal) == () for deal in deals)


def dealt(game: Game) -> Session:
    session = begin(game)
    while deal := MAGNET.deal(session.position, game.options, random.Random(len(session.plies))):
        session = session.apply(Entry("action", deal, source="dealt"))
    return session


def test_mg1_what_chance_has_dealt_no_player_takes_back() -> None:
    session = dealt(read_game("magnet setup=random"))
    assert len(session.plies) == 2
    for player, count in (("red", "1"), ("blue", "1"), ("blue", "2")):
        with pytest.raises(SessionError, match="secret"):
            session.apply(Entry("takeback", count, player))
    placed = session.apply(Entry("action", "@c7", "red"))
    assert placed.apply(Entry("takeback", "1", "red")).position == session.position
    with pytest.raises(SessionError, match="secret"):
        placed.apply(Entry("takeback", "2", "red"))
    assert restore(session.game, placed.log).position == placed.position == replay(placed.text)[1]
    assert session.apply(Entry("takeback", "2", ARBITER)).position == session.first


def test_mg1_what_players_have_set_up_they_take_back() -> None:
    session = begin(read_game("magnet")).apply(Entry("action", DEALT, "red"))
    assert session.apply(Entry("takeback", "1", "red")).position == session.first


# --- placing the magnet


def test_mg3_the_closest_own_piece_on_each_line() -> None:
    """'Piece A does not lie on a line radiating from the magnet's position (M), and is not affected by it.
    Piece B lies on a line … and is affected' (first figure)."""
    at = after(position("red b5:31 f2:31 f1:K1 / blue k3:K1"), "@f6")
    assert legal(at) == {"f2", "f2+"}
    assert broken(at, "b5") == {"MG-3": ("b5",)}
    assert broken(at, "k3") == {"MG-3": ("k3",)}


def test_mg3_own_pieces_shield_and_opposing_ones_do_not() -> None:
    """'Piece A is affected … Piece C lies on a line …, but is blocked by piece A and is not affected.
    Piece X is an opposing piece and is not affected. Piece B is affected because opposing pieces do not block
    the magnet' (second figure)."""
    at = after(position("red f9:31 f11:31 f2:31 a1:K1 / blue f4:21 k3:K1"), "@f6")
    assert legal(at) == {"f9", "f9+", "f2", "f2+", "a1"}
    assert broken(at, "f11") == {"MG-3": ("f11",)}
    assert broken(at, "f4") == {"MG-3": ("f4",)}


def test_mg3_a_piece_under_the_magnet_is_not_affected() -> None:
    """'A piece that occupies the same space as the magnet is not affected' ('Placing the Magnet')."""
    at = after(position("red f6:31 f2:31 a2:K1 / blue k3:K1"), "@f6")
    assert legal(at) == {"f2", "f2+"}
    assert broken(at, "f6") == {"MG-3": ("f6",)}


def test_mg2_a_piece_must_move() -> None:
    """'…so long as at least one piece is caused to move' ('Placing the Magnet')."""
    at = position("red a1:K1 a2:31 / blue k3:K1")
    assert broken(at, "@d3") == {"MG-2": ("d3",)}
    assert broken(at, "@a1") == {"MG-2": ("a1",)}, "its neighbour cannot move onto it"
    assert "@a1" in legal(position("red a1:K1 a3:31 / blue k3:K1"))
    assert broken(at, "a2") == {"MG-2": ()}, "the magnet comes first"
    assert "@a3" in legal(at)


# --- moving


def test_mg5_as_many_steps_as_the_rank() -> None:
    """'Piece A (rank 2) … will move two vertices towards the position of the magnet' (third figure)."""
    at = after(position("red f1:32 a3:K1 / blue k3:K1"), "@f6", "f1")
    assert seen(at)["f3"] == "red/32"


def test_mg4_mg5_the_order_is_the_players() -> None:
    """'Red decides to move A first, moving it to the same vertex as the magnet. Red can then move B only two
    vertices even though it is rank 3, because it is blocked by piece A' (fourth figure)."""
    at = after(position("red f4:32 f9:33 a2:K1 / blue k3:K1"), "@f6")
    a_first = after(at, "f4", "f9")
    assert {"f6", "f7"} <= set(seen(a_first))
    b_first = after(at, "f9", "f4")
    assert {"f6", "f5"} <= set(seen(b_first))
    assert a_first.turn == "blue"


def test_mg4_all_that_can_must_move() -> None:
    at = after(position("red f4:32 f9:33 a2:K1 / blue k3:K1"), "@f6", "f4")
    assert at.turn == "red"
    assert broken(at, "@a6") == {"MG-4": ("f9",)}
    assert broken(at, "f6") == {"MG-3": ("f6",)}, "each piece moves once"


def test_mg5_a_piece_without_a_step_is_passed_over() -> None:
    at = after(position("red f4:33 f7:31 a2:K1 / blue k3:K1"), "@f6")
    assert legal(at) == {"f4", "f7", "f7+"}
    assert after(at, "f4").turn == "blue"
    at = after(position("red f6:31 f7:31 f2:31 a2:K1 / blue k3:K1"), "@f6")
    assert broken(at, "f7") == {"MG-5": ("f7",)}


def test_mg6_the_opening_move() -> None:
    """'Red takes the first turn, but may move only one piece, even if more than one piece is affected …
    On Blue's reply, and all turns thereafter, there is no limit' ('Opening Move')."""
    _, at, _ = replay(START)
    at = after(at, "@b6")
    assert {action.rstrip("+") for action in legal(at)} == {"a5", "b7", "g10"}
    at = after(at, "a5")
    assert at.turn == "blue"
    assert broken(at, "b7") == {"MG-2": (), "MG-3": ("b7",), "MG-6": ("b7",)}
    at = after(at, "@i3", "k3")
    assert at.turn == "blue"


# --- capturing


def test_mg7_every_piece_on_the_way_is_captured() -> None:
    """'Piece A (rank 3) will capture both piece X and piece Y on this move. This is true even if X is a trap
    … If neither piece was a trap, piece A would complete its move' (fifth figure)."""
    end = after(position("red f1:43 a2:K1 / blue f2:21 f3:31 k3:K1"), "@f6", "f1")
    assert dict(seen(end)) == {"f4": "red/43", "a2": "red/K1", "k3": "blue/K1"}


def test_mg8_a_trap_destroys_what_captures_it() -> None:
    """'A capturing piece destroyed by a trap still makes every capture in its intended move' ('Capture')."""
    step = MAGNET.play(after(position("red f1:43 a2:K1 / blue f2:t1 f3:31 k3:K1"), "@f6"), "f1+")
    assert dict(seen(step.position)) == {"a2": "red/K1", "k3": "blue/K1"}
    assert [MAGNET.tell(event) for event in step.events] == [
        "Red's piece moves from f1 to f4.",
        "Red captures a trap of value 2 on f2.",
        "Red captures a piece of value 3 on f3.",
        "A trap destroys Red's piece on f4.",
    ]


def test_mg8_a_destroyed_piece_leaves_the_magnets_vertex_free() -> None:
    at = after(position("red f4:42 f8:42 a2:K1 / blue f5:t1 k3:K1"), "@f6", "f4")
    assert at.turn == "red"
    assert seen(after(at, "f8"))["f6"] == "red/42"


def test_mg9_promotion() -> None:
    """'…nor increased beyond the value of the piece'; '(The king's rank is always 1.)'"""
    at = after(position("red f1:32 f11:33 a1:K1 / blue k3:K1"), "@f6")
    assert legal(at) == {"f1", "f1+", "f11", "a1"}
    assert broken(at, "f11+") == {"MG-9": ("f11",)}
    assert broken(at, "a1+") == {"MG-9": ("a1",)}
    assert seen(after(at, "f1+"))["f3"] == "red/33"


def test_mg10_the_king_is_captured() -> None:
    """'If the king is captured, the game ends immediately' ('Capture')."""
    end = after(position("red f1:32 f11:31 a2:K1 / blue f2:K1 h1:21"), "@f6", "f1+")
    assert MAGNET.outcome(end) == Outcome("red", "the king is captured")
    assert seen(end)["f3"] == "red/32", "no promotion once the game is over"
    assert legal(end) == set()
    assert broken(end, "f11") == {"GEN-3": ()}


def test_mg10_a_king_that_captures_a_trap_loses() -> None:
    end = after(position("red f5:K1 / blue f6:T1 k3:K1"), "@f6", "f5")
    assert MAGNET.outcome(end) == Outcome("blue", "the king has captured a trap")


def test_mg10_king_and_trap_in_one_move_win() -> None:
    end = after(position("red f1:43 a2:K1 / blue f2:t1 f3:K1 h1:21"), "@f6", "f1")
    assert MAGNET.outcome(end) == Outcome("red", "the king is captured")


# --- endings


def test_mg11_the_centre() -> None:
    """'At the beginning of a turn, but not at the end, a player may declare victory if his/her king is at the
    center vertex' ('Winning the Game')."""
    at = position("red f5:K1 a2:31 / blue k3:K1 k5:31")
    assert broken(at, "declare") == {"MG-11": ("f6",)}
    at = after(at, "@f6", "f5")
    assert MAGNET.outcome(at) is None
    assert broken(at, "declare") == {"MG-11": ("f6",)}, "Blue has no king there"
    at = after(at, "@k1", "k3", "k5") if "k5" in legal(after(at, "@k1", "k3")) else after(at, "@k1", "k3")
    end = after(at, "declare")
    assert MAGNET.outcome(end) == Outcome("red", "the king holds the centre")
    assert broken(after(at, "@f8"), "declare") == {"MG-11": ("f6",)}, "the magnet is on the board"


def test_mg12_the_first_of_two_kings_on_the_centre_wins() -> None:
    """'If the only pieces left in the game are the two kings, the first king to reach the center vertex wins
    immediately' ('Two-King Victory')."""
    end = after(position("red f5:K1 / blue k3:K1"), "@f6", "f5")
    assert MAGNET.outcome(end) == Outcome("red", "of the last two kings it is the first on the centre")
    more = after(position("red f5:K1 / blue k3:K1 k5:21"), "@f6", "f5")
    assert MAGNET.outcome(more) is None


def test_mg12_a_king_that_stands_there_already() -> None:
    end = after(position("red f6:K1 a1:31 / blue a2:t1 k3:K1"), "@a2", "a1")
    assert MAGNET.outcome(end) == Outcome("red", "of the last two kings it is the first on the centre")
    end = after(position("red a6:K1 a1:31 / blue a2:t1 f6:K1"), "@a2", "a1")
    assert MAGNET.outcome(end) == Outcome("blue", "of the last two kings it is the first on the centre")


def test_mg13_the_third_time_is_a_draw() -> None:
    """'If exactly the same position is reached three times, the game ends in a draw' ('Stalemate')."""
    at = position("red a1:K1 / blue k1:K1 k2:t2")
    there_and_back = ("@a2", "a1", "@k3", "k2", "@a1", "a2", "@k2", "k3")
    for _ in range(2):
        assert MAGNET.outcome(at) is None
        at = after(at, *there_and_back[:-1])
        assert MAGNET.outcome(at) is None
        step = MAGNET.play(at, there_and_back[-1])
        at = step.position
    assert MAGNET.outcome(at) == Outcome(None, "the same position for the third time")
    assert MAGNET.tell(step.events[-1]) == "The game is drawn: the same position for the third time."


def test_mg13_other_ranks_are_another_position() -> None:
    at = position("red f2:K1 a3:31 / blue f10:K1 k4:t1")
    cycle = ("@a5", "a3", "@k6", "k4", "@a3", "a5", "@k4", "k5")
    at = after(at, "@a5", "a3+", "@k6", "k4", "@a3", "a4", "@k4", "k5", *cycle)
    assert seen(at)["a3"] == "red/32"
    assert MAGNET.outcome(at) is None, "the third time, but the first was at another rank"
    assert MAGNET.outcome(after(at, *cycle[:6])) is not None


def test_mg14_no_pass() -> None:
    at = position("red a1:K1 / blue k3:K1 k5:21")
    assert broken(at, "pass") == {"MG-14": ()}
    assert len(legal(at)) > 0


def test_nonsense() -> None:
    _, at, _ = replay(START)
    for text in ("", "@", "@z9", "a0", "a2++", "@a2+", "+", "=K22x", "reveal:5", "declares", "a2-a3", "f06"):
        assert broken(at, text) == {"GEN-1": ()}, text


def test_every_broken_rule_is_named() -> None:
    at = after(position("red b5:33 f2:31 a1:K1 / blue k3:K1"), "@f6")
    assert broken(at, "b5+") == {"MG-3": ("b5",), "MG-9": ("b5",)}


# --- values declared


def declared(pieces: str, turn: str = "red") -> Position:
    looks = {}
    for group in pieces.split(" / "):
        player, *own = group.split()
        looks |= {vertex: f"{player}/{rank}" for vertex, rank in (piece.split(":") for piece in own)}
    return MAGNET.arrange(read_game("magnet values=declared").start(), looks, turn)._replace(turns=7)


def test_declared_there_is_no_set_up() -> None:
    at = read_game("magnet values=declared").start()
    assert at.to_act == "red"
    assert seen(at)["a2"] == "red/1"
    assert broken(at, DEALT) == {"MG-1": ()}
    assert "b7+" in legal(after(at, "@c7"))


def test_declared_captures_are_revealed_one_by_one() -> None:
    at = after(declared("red f1:4 a2:1 / blue f2:2 f4:1 k3:1"), "@f6", "f1")
    assert (at.turn, at.to_act) == ("red", "blue")
    assert legal(at) == {"reveal:2", "reveal:3", "reveal:4", "reveal:t", "reveal:T"}
    assert MAGNET.prompt(at) == "reveal the piece of rank 2 that stood on f2"
    assert broken(at, "reveal:K") == {"MG-7": ("f2",)}, "a king never has rank 2"
    assert broken(at, "@f6") == {"MG-7": ("f2",)}
    at = after(at, "reveal:t")
    assert "f5" in seen(at), "the piece is there until all is known"
    assert "reveal:t" not in legal(at), "there is one trap of value 2"
    assert not MAGNET.reversible(at)
    step = MAGNET.play(at, "reveal:2")
    assert "f5" not in seen(step.position)
    assert (step.position.turn, step.position.to_act) == ("blue", "blue")
    assert broken(step.position, "reveal:2") == {"MG-7": ()}


def test_declared_a_revealed_king_ends_the_game() -> None:
    at = after(declared("red f1:4 a2:1 / blue f2:1 f4:1 k3:1"), "@f6", "f1", "reveal:K")
    assert MAGNET.outcome(at) == Outcome("red", "the king is captured")


def test_declared_a_trap_may_have_taken_a_king() -> None:
    at = after(declared("red f5:1 a3:1 / blue f6:2 k3:1"), "@f6", "f5")
    step = MAGNET.play(at, "reveal:T")
    assert [event.kind for event in step.events] == ["captured", "destroyed", "doubted"]


def test_declared_victory_and_promotion() -> None:
    at = declared("red f6:1 a2:4 / blue k3:1 k5:3")
    assert MAGNET.outcome(after(at, "declare")) == Outcome("red", "the king holds the centre")
    assert broken(declared("red f6:2 a2:4 / blue k3:1"), "declare") == {"MG-11": ("f6",)}
    assert broken(after(at, "@a3"), "a2+") == {"MG-9": ("a2",)}


def test_declared_a_player_without_pieces_has_lost() -> None:
    end = after(declared("red f1:4 / blue f2:2 k3:1"), "@f6", "f1", "reveal:t")
    assert MAGNET.outcome(end) == Outcome("blue", "no opposing piece is left")


def test_declared_two_kings() -> None:
    end = after(declared("red f5:1 / blue k3:1"), "@f6", "f5")
    assert MAGNET.outcome(end) == Outcome("red", "of the last two kings it is the first on the centre")


@pytest.mark.parametrize(
    ("pieces", "magnet", "move", "winner"),
    [
        ("red f5:1 / blue k3:1", "@f6", "f5", "red"),
        ("red f5:1 / blue k3:1", "@f6", "f5+", None),
        ("red f8:3 / blue k3:1", "@f6", "f8", None),
        ("red f6:2 a1:3 / blue a2:1 k3:1", "@a2", "a1", None),
        ("red f6:1 a1:3 / blue a2:1 k3:1", "@a2", "a1", "red"),
    ],
)
def test_declared_two_kings_are_pieces_that_may_be_kings(
    pieces: str, magnet: str, move: str, winner: str | None
) -> None:
    """A king is never promoted (MG-9): a piece of rank 2 and more is none."""
    at = after(declared(pieces), magnet, move)
    at = after(at, "reveal:T") if at.capture else at
    assert (at.over and at.over.winner) == winner


def test_declared_ranks_that_no_letter_fits_do_not_stop_the_game() -> None:
    at = declared("red f1:4 a2:1 / blue f2:4 f3:4 f4:4 f5:4 k3:1")
    at = after(at, "@f6", "f1", "reveal:4", "reveal:4", "reveal:4")
    assert legal(at) == {"reveal:K", "reveal:2", "reveal:3", "reveal:t", "reveal:T"}


# --- the check of a declared game


def played(red: str, blue: str, seed: int) -> tuple[tuple[str, ...], Outcome | None]:
    """Returns a game with values entered, as it would have been recorded with values declared."""
    chance, actions = random.Random(seed), []
    at = after(read_game("magnet").start(), f"={red}", f"={blue}")
    while at.over is None and len(actions) < 120:
        action = chance.choice(sorted(MAGNET.legal(at)))
        at, events = MAGNET.play(at, action)
        actions.append(action)
        actions.extend(f"reveal:{e.details['letter']}" for e in events if e.kind == "captured")
    return tuple(actions), at.over


RED, BLUE = "tK443243T223", "4T4K432323t2"


@pytest.mark.parametrize("seed", range(6))
def test_an_honest_game_passes_the_audit(seed: int) -> None:
    actions, outcome = played(RED, BLUE, seed)
    assert audit(net_of(load_board("magnet")), actions, (RED, BLUE), outcome) is None


def test_an_audit_finds_what_does_not_agree() -> None:
    table, (actions, outcome) = net_of(load_board("magnet")), played(RED, BLUE, 1)
    reveal = next(n for n, action in enumerate(actions) if action.startswith("reveal:"))
    wrong = next(letter for letter in "23" if letter != actions[reveal][-1])
    lied = (*actions[:reveal], f"reveal:{wrong}", *actions[reveal + 1 :])
    found = audit(table, lied, (RED, BLUE), outcome)
    assert found is not None
    assert (found.number, found.words) == (reveal + 1, f"the captured piece was {actions[reveal][-1]}")
    beyond = audit(table, ("@c7", "b7+"), ("4443K32223tT", BLUE))
    assert beyond is not None
    assert [breach.rule for breach in beyond.breaches] == ["MG-9"]
    resigned = audit(table, actions, (RED, BLUE), Outcome("blue" if outcome is None else None, ""))
    assert resigned is not None
    assert "winner" in resigned.words


def kept(seed: int, *ends: Entry) -> Session:
    """Returns the game of that seed, as it was kept with values declared, and how people ended it."""
    session = begin(read_game("magnet values=declared"))
    for action in played(RED, BLUE, seed)[0]:
        session = session.apply(Entry("action", action))
    for entry in ends:
        session = session.apply(entry)
    return session


@pytest.mark.parametrize(
    ("seed", "ends", "words"),
    [
        (1, (), None),
        (0, (Entry("resign", by="red"),), None),
        (0, (Entry("offer", by="red"), Entry("accept", by="blue")), None),
        (24, (Entry("resign", by="red"),), None),
        (24, (Entry("resign", by="blue"),), "the winner was Blue"),
        (24, (), "the winner was Blue"),
    ],
)
def test_a_kept_game_is_audited_with_its_end(seed: int, ends: tuple[Entry, ...], words: str | None) -> None:
    """In the game of seed 24 Red's king has captured a trap, and nobody knows but Red."""
    found = kept(seed, *ends).audit((RED, BLUE))
    assert (found and found.words) == words


CORRECTION = Entry("correction", "turn=red;f6=red/1;a2=empty", ARBITER)


@pytest.mark.parametrize(
    ("session", "told", "words"),
    [
        (begin(read_game("triune")), (RED, BLUE), "Triune has nothing that is checked"),
        (begin(read_game("magnet")), (RED, BLUE), "values=declared"),
        (begin(read_game("magnet values=declared")).apply(CORRECTION), (RED, BLUE), "step 1 is an arbiter's"),
        (kept(1), (RED, BLUE[:-1]), "Blue tells the pieces K222333444tT"),
    ],
)
def test_what_cannot_be_audited(session: Session, told: tuple[str, str], words: str) -> None:
    with pytest.raises(GameError, match=words):
        session.audit(told)


# --- what is shown, and corrections


def test_what_a_camera_sees() -> None:
    at = after(position("red f1:32 a2:K1 / blue k3:K1"), "@f6")
    assert MAGNET.look(at) == {"f1": "red", "a2": "red", "k3": "blue", "f6": "magnet"}
    assert MAGNET.look(after(position("red f6:32 f1:31 a2:K1 / blue k3:K1"), "@f6"))["f6"] == "red"
    assert MAGNET.looks(at) == ("empty", "red", "blue", "magnet")
    assert "f6" not in MAGNET.look(after(at, "f1")), "the pillar goes when the turn is over"
    assert MAGNET.is_transient("@f6")


def test_attempts_are_what_a_player_may_have_meant() -> None:
    _, at, _ = replay(START)
    assert list(MAGNET.attempts(at, {"f6": ("empty", "magnet")})) == ["@f6"]
    moved = {"a2": ("red", "empty"), "b4": ("empty", "red")}
    assert list(MAGNET.attempts(at, moved)) == ["a2", "a2>b4"]
    assert broken(at, "a2>b4") == {"MG-2": ()}


def test_a_piece_put_on_a_wrong_vertex() -> None:
    at = after(position("red f1:32 f11:31 a3:K1 / blue k3:K1"), "@f6")
    assert broken(at, "f1>f5") == {"MG-5": ("f1", "f5")}
    assert broken(at, "k3>j3") == {"MG-3": ("k3",)}
    assert broken(at, "f1>f3") == {"GEN-1": ()}, "it is written f1"


def test_a_promotion_that_is_open_is_likelier_than_none_where_it_tells_no_secret() -> None:
    at = after(declared("red f1:2 f11:4 a3:1 / blue k3:1"), "@f6")
    assert MAGNET.rarity(at, "f1") > MAGNET.rarity(at, "f1+")
    assert MAGNET.rarity(at, "f11") == 0
    hidden = after(position("red f1:32 f11:33 a3:K1 / blue k3:K1"), "@f6")
    assert MAGNET.rarity(hidden, "f1") < MAGNET.rarity(hidden, "f1+")


def test_a_correction_keeps_what_no_camera_sees() -> None:
    _, at, _ = replay(f"{START} @c7 b7+")
    looks = {**MAGNET.look(at)}
    moved = next(site for site, look in seen(at).items() if look == "red/32" or look.endswith("2"))
    del looks[moved]
    corrected = MAGNET.arrange(at, {**looks, "f6": "red"}, "red")
    assert seen(corrected)["f6"] == seen(at)[moved]
    assert corrected.turn == "red"


def test_a_correction_in_the_middle_of_a_turn() -> None:
    at = after(position("red f4:32 f9:33 a2:K1 / blue k3:K1"), "@f6", "f4")
    assert MAGNET.arrange(at, MAGNET.look(at), "red") == at
    looks = {site: look for site, look in MAGNET.look(at).items() if site != "f9"} | {"f10": "red"}
    assert legal(MAGNET.arrange(at, looks, "red")) == {"f10"}
    del looks["f10"]
    off = MAGNET.arrange(at, looks, "red")
    assert {action[0] for action in legal(off)} == {"@"}, "none is left to move: the magnet is off"
    fresh = MAGNET.arrange(at, {"f4": "red/32", "a2": "red", "k3": "blue", "f6": "magnet"}, "red")
    assert legal(fresh) == {"f4", "f4+"}


@pytest.mark.parametrize(
    ("looks", "words"),
    [
        ({"a2": "red/K1"}, "Blue has 1 to 12"),
        ({"a2": "red/K1", "k9": "blue/K1"}, "not a vertex"),
        ({"a2": "red/K1", "k3": "green"}, "not a piece"),
        ({"a2": "red/31", "k3": "blue/K1"}, "one king"),
        ({"a2": "red/K2", "k3": "blue/K1"}, "above its value"),
        ({"a2": "red/K1", "a3": "red/t1", "a4": "red/t1", "k3": "blue/K1"}, "not so many"),
        ({"a2": "red/K1", "k3": "blue/K1", "f6": "magnet", "f7": "magnet"}, "one magnet"),
        ({"a2": "red/K1", "k3": "blue/K1", "c1": "magnet"}, "no piece left to move"),
        ({"f6": "red", "f7": "red", "k3": "blue/K1"}, "one at a time"),
    ],
)
def test_what_cannot_be_arranged(looks: dict[str, str], words: str) -> None:
    with pytest.raises(PositionError, match=words):
        MAGNET.arrange(position("red a2:K1 a3:31 / blue k3:K1"), looks, "red")


def test_nothing_is_arranged_before_both_have_set_up() -> None:
    with pytest.raises(PositionError, match="set up first"):
        MAGNET.arrange(read_game("magnet").start(), {"a2": "red/K1"}, "red")


def test_the_palette_names_what_an_arbiter_may_put() -> None:
    _, at, _ = replay(START)
    assert len(MAGNET.palette(at)) == 2 + 2 * (1 + 2 + 3 + 4 + 2 + 3)
    assert MAGNET.palette(read_game("magnet values=declared").start())[2:4] == ("red/1", "red/2")


def test_counts_tell_what_has_been_revealed() -> None:
    at = after(position("red f1:43 a2:K1 / blue f2:t1 f3:31 k3:K1"), "@f6", "f1")
    counts = {count.name: dict(count.values) for count in MAGNET.counts(at)}
    assert counts["pieces"] == {"red": 1, "blue": 1}
    assert counts["trap of value 2, revealed"] == {"red": 0, "blue": 1}


@pytest.mark.parametrize(
    ("action", "label"),
    [
        ("=?", "set up"),
        ("@f6", "magnet on f6"),
        ("b7+", "b7, promoted"),
        ("declare", "declare victory"),
        ("reveal:t", "trap of value 2"),
        ("b7", "b7"),
    ],
)
def test_labels(action: str, label: str) -> None:
    assert MAGNET.label(action) == label


def test_an_owner_changes_pieces_and_starting_vertices(tmp_path: Path) -> None:
    source = Path(__file__).parents[3] / "companion" / "boards" / "magnet.json"
    data = json.loads(source.read_text())
    data["areas"] |= {"red": ["a1", "a2", "a3"], "blue": ["k1", "k2", "k3"]}
    data["tables"]["letters"] = "K2t"
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(data))
    at = after(read_game(f"magnet board={file}").start(), "=t2K", "=K2t")
    assert seen(at)["a3"] == "red/K1"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"areas": {}}, 'no area "centre"'),
        ({"tables": {"letters": "K22"}}, "not 3 different starting vertices"),
        ({"tables": {"letters": "22"}}, "one K"),
        (
            {
                "sites": {"f6": [0.3, 0]},
                "links": [],
                "areas": {"centre": ["f6"], "red": ["f6"], "blue": ["f6"]},
                "tables": {"letters": "K"},
            },
            "red and blue start",
        ),
        (
            {
                "sites": {"f6": [0.3, 0], "f7": [0, 1]},
                "links": [],
                "tables": {"letters": "K"},
                "areas": {"centre": ["f6"], "red": ["f6"], "blue": ["f7"]},
            },
            "f6 is no vertex of the net",
        ),
    ],
)
def test_a_board_that_does_not_suit(change: dict[str, object], words: str) -> None:
    source = Path(__file__).parents[3] / "companion" / "boards" / "magnet.json"
    board = parse_board({**json.loads(source.read_text()), **change})
    with pytest.raises(GameError, match=words):
        MAGNET.start({"setup": "entered", "values": "entered"}, board)
