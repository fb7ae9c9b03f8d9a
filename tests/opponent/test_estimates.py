"""How well a game stands, by its own estimate: rows of positions, from the worst for a seat to the best."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import games
from companion.core.game import Count
from companion.games.teleporters.board import NEIGHBOURS
from companion.games.teleporters.estimate import RANK, SHUT, STEP, estimate
from companion.games.teleporters.position import WALLS, Squares
from companion.games.text import replay
from companion.games.triune.rules import Triune
from opponent.search import lead

ROWS = {
    "a pawn, a knight, a rook, a queen": (
        "white",
        [f"chess fen=4k3/8/8/8/8/8/{piece}7/4K3_w_-_-_0_1" for piece in ("P", "N", "R", "Q")],
    ),
    "a knight in the corner, at the edge, in the centre": (
        "white",
        [
            f"chess fen=4k3/8/8/{row}/8/8/8/{edge}_w_-_-_0_1"
            for row, edge in (
                ("8", "N3K3"),
                ("8", "3NK3"),
                ("3N4", "4K3"),
            )
        ],
    ),
    "fewer men, as many, a man more, a king more": (
        "white",
        [f"draughts fen=W:W{white}:B1,2,3" for white in ("21,22", "21,22,23", "21,22,23,24", "21,22,23,K24")],
    ),
    "a man at home, advanced, a king": (
        "white",
        [f"draughts variant=international fen=W:W{man}:B1,2" for man in ("41", "21", "K21")],
    ),
    "a lead counts for more when less is left": (
        "white",
        ["draughts fen=W:W21,22,23,24,25,26,27,28:B1,2,3,4,5,6,7", "draughts fen=W:W21,22:B1"],
    ),
    "a Triune captured by nobody, a piece captured": (
        "red",
        ["triune", "triune a2-a3 h7-h6 a3-a4 h6-h5 a4-a5 h5-h4 a5-a6 h4-g4 a6xa7"],
    ),
    "nobody has moved, a piece has come nearer to a target corner": ("red", ["triune", "triune a2-a3"]),
    "nobody has moved, a pawn has gone a line": ("south", ["escape", "escape c3~c5"]),
    "no step adds two pawns, one does, two do": (
        "black",
        [
            f"ternion_factor pawns=4 {placed}"
            for placed in (
                "f8 h3 c5 f4 j10 g10 e10 e6",
                "e5 i8 i10 d6 h4 g9 g6 j6",
                "i6 g9 e8 f6 c10 c5 c8 g7",
            )
        ],
    ),
    "Poles at home, a rank ahead": ("south", ["teleporters", "teleporters c1-c2 end"]),
    "Poles behind a wall, beside it": (
        "north",
        ["teleporters c3nw-d3 end", "teleporters c3nw-a3 end"],
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_positions_stand_in_their_order(name: str) -> None:
    seat, texts = ROWS[name]
    leads = []
    for text in texts:
        game, position, _ = replay(text)
        leads.append(lead(game.rules, position, seat))
    assert all(worse < better for worse, better in pairwise(leads)), leads


@pytest.mark.parametrize("name", games.GAMES)
def test_a_game_that_begins_evenly_is_even(name: str) -> None:
    game, position, _ = replay(name)
    estimate = game.rules.estimate(position)
    assert set(estimate) == set(game.rules.players(position))
    assert max(estimate.values()) - min(estimate.values()) < 0.5


def test_a_game_that_says_nothing_is_judged_by_its_scoreboard() -> None:
    class Bare(Triune):
        estimate = Triune.__mro__[1].estimate
        takes = Triune.__mro__[1].takes

        def counts(self, position: object) -> tuple[Count, ...]:
            return (Count("moves", {"": 3}), Count("pieces", {"red": 5, "blue": 7}))

    assert lead(Bare(), replay("triune")[1], "blue") == 2


@given(st.integers(0, 10_000))
def test_a_pole_of_teleporters_is_as_far_from_its_goal_as_its_steps_around_walls(seed: int) -> None:
    rules, rng = games.rules("teleporters"), Random(seed)
    position = replay("teleporters")[1]
    for _ in range(rng.randrange(40)):
        if not rules.outcome(position):
            position = rules.after(position, rng.choice(list(rules.legal(position))))
    steps = _steps_to_rank_8(position.squares)
    poles = [square for square, there in enumerate(position.squares) if there & 3 == 1]
    far = sum(RANK * (7 - pole // 8) + STEP * steps[pole] for pole in poles)
    assert estimate(position)["south"] == pytest.approx(-far)


def _steps_to_rank_8(squares: Squares) -> list[int]:
    """Returns the steps from each square, searched one by one from the Goal on."""
    steps, newest = dict.fromkeys(range(56, 64), 0), set(range(56, 64))
    farthest = 0
    while newest:
        farthest += 1
        newest = {
            entered
            for square in newest
            for out, into, entered in NEIGHBOURS[square]
            if entered not in steps and not (WALLS[squares[square]] & out or WALLS[squares[entered]] & into)
        }
        steps |= dict.fromkeys(newest, farthest)
    return [steps.get(square, farthest + SHUT) for square in range(64)]


@pytest.mark.parametrize(
    ("vertex", "is_in_reach"),
    [("a1", True), ("b2", True), ("f6", False), ("d4", False)],
)
def test_a_king_within_reach_of_a_piece_is_as_good_as_taken(vertex: str, is_in_reach: bool) -> None:
    """Red's king stands on a2, and Blue, who moves next, has brought a piece of rank 1 to a vertex."""
    game, position, _ = replay("magnet =K2T2324t3434 =43t3TK434222")
    index, pieces = position.net.index, bytearray(position.pieces)
    pieces[index[vertex]], pieces[index["b1"]] = pieces[index["b1"]], 0
    after = position._replace(pieces=bytes(pieces), side=1)
    assert (lead(game.rules, after, "blue") > 10) == is_in_reach
