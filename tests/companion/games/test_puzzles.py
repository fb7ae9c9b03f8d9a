"""The puzzles: conflicts named, solved or not, hints, and the counts that the rulebooks give."""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from companion import games
from companion.core.board import Board, load_board
from companion.core.game import PositionError, Site
from companion.core.puzzle import Puzzle
from companion.games.jumping import plan
from companion.games.placing import solve
from companion.games.text import read_game, replay
from tests.samples import first_few

EIGHT = "+a1 +b5 +c8 +d6 +e3 +f7 +g2 +h4"
PATIENCE = 20.0


def lay(text: str) -> tuple[Puzzle[Any], Any]:
    game, position, _ = replay(text)
    assert isinstance(game.rules, Puzzle)
    return game.rules, position


def broken(text: str, action: str) -> list[tuple[str, ...]]:
    rules, position = lay(text)
    assert (action in set(rules.legal(position))) == (not rules.judge(position, action))
    return [(breach.rule, *breach.sites) for breach in rules.judge(position, action)]


@pytest.mark.parametrize(
    ("text", "kept", "forbidden", "breaches"),
    [
        ("queens +a1", "+b3", "+a1", [("PZ-1", "a1")]),
        ("queens +a1", "-a1", "-b3", [("PZ-1", "b3")]),
        ("queens +a1", "+b3", "+a8", [("PZ-3", "a8", "a1")]),
        ("queens +a1", "+b3", "+h1", [("PZ-3", "h1", "a1")]),
        ("queens +a1 +b3", "+c5", "+c3", [("PZ-3", "c3", "a1"), ("PZ-3", "c3", "b3")]),
        ("queens +a1 +b3", "+c5", "+c4", [("PZ-3", "c4", "b3")]),
        ("queens n=5 +a1 +b5 +c8 +d6 +e3", "-a1", "+f7", [("PZ-4", "f7")]),
        ("rooks +a1", "+b2", "+a4", [("PZ-5", "a4", "a1")]),
        ("rooks +a1 +b2", "+c3", "+b1", [("PZ-5", "b1", "a1"), ("PZ-5", "b1", "b2")]),
        ("no_overlap +f4", "+a4", "+f2", [("PZ-2", "f2", "f4", "f1", "f3")]),
        ("no_overlap reach=neighbour +f4", "+c4", "+f6", [("PZ-2", "f6", "f4", "e5", "g5")]),
        ("jump_to_center B8-b8", "b8-b9", "C6-c5", [("PZ-7", "C6", "b8")]),
        ("jump_to_center", "B8-b8", "f6-f5", [("PZ-7", "f6")]),
        ("jump_to_center", "B8-b8", "B8-C6", [("PZ-8", "B8", "C6"), ("PZ-8", "C6")]),
        ("jump_to_center", "B8-b7", "B8-b6", [("PZ-8", "B8", "b6")]),
        ("jump_to_center B8-b7 b7-b6", "b6xC6-c5", "b6xc6-c7", [("PZ-9", "c6"), ("PZ-9", "b6", "c6")]),
        ("jump_to_center B8-b7 b7-b6", "b6xC6-c6", "b6xC6-D4", [("PZ-9", "C6", "D4"), ("PZ-9", "D4")]),
        ("queens", "+a1", "+a9", [("GEN-1",)]),
        ("jump_to_center", "B8-b8", "B8-z9", [("GEN-1",)]),
        ("rooks", "+a1", "a1", [("GEN-1",)]),
    ],
)
def test_a_rule_kept_and_broken(
    text: str, kept: str, forbidden: str, breaches: list[tuple[str, ...]]
) -> None:
    assert broken(text, kept) == []
    assert broken(text, forbidden) == breaches


def test_pz_6_four_teleports_and_no_more() -> None:
    """With four the quest is solved, so that a fifth comes too late."""
    rules, position = lay("rooks +a1 +b2 +c3")
    assert not rules.outcome(position)
    assert broken("rooks +a1 +b2 +c3 +d4", "-d4") == [("GEN-3",)]
    with pytest.raises(PositionError, match="there are 4 Teleports"):
        rules.arrange(position, dict.fromkeys(("a1", "b2", "c3", "d4", "d1"), "solver/teleport"), "solver")


def symmetries(board: Board) -> list[Callable[[Site], Site]]:
    """The eight ways to turn and mirror a square board."""
    size = max(x for x, _ in board.sites.values())
    at = {point: site for site, point in board.sites.items()}
    ways: list[Callable[[float, float], tuple[float, float]]] = [
        lambda x, y: (x, y),
        lambda x, y: (size - x, y),
        lambda x, y: (x, size - y),
        lambda x, y: (size - x, size - y),
        lambda x, y: (y, x),
        lambda x, y: (size - y, x),
        lambda x, y: (y, size - x),
        lambda x, y: (size - y, size - x),
    ]
    return [lambda site, way=way: at[way(*board.sites[site])] for way in ways]  # type: ignore[misc]


def distinct(solutions: Iterable[frozenset[Site]], board: Board) -> int:
    """How many there are up to symmetry."""
    ways = symmetries(board)
    return len({frozenset(frozenset(map(way, solution)) for way in ways) for solution in solutions})


@pytest.mark.parametrize(("name", "count", "patterns"), [("queens", 92, 12), ("rooks", 24, 7)])
def test_the_number_of_solutions(name: str, count: int, patterns: int) -> None:
    """'The 4 Rooks problem': 'There are 7 solutions. Can you find them all?'; 92 and 12 for eight queens."""
    solutions = list(solve.solutions(read_game(name).start().task, math.inf, time.monotonic))
    assert len(set(solutions)) == len(solutions) == count
    assert distinct(solutions, load_board(name)) == patterns


@pytest.mark.parametrize(
    ("reach", "best"),
    first_few(0, [("line", (12, 12)), ("neighbour", (17, 17))]),
)
def test_the_best_of_challenge_1_is_what_the_board_says(reach: str, best: tuple[int, int]) -> None:
    task = read_game(f"no_overlap reach={reach}").start().task
    pieces, unclaimed = best
    assert (task.pieces, task.unclaimed) == best
    assert next(solve.solutions(task, math.inf, time.monotonic))
    for better in (replace(task, pieces=pieces + 1, unclaimed=None), replace(task, unclaimed=unclaimed - 1)):
        assert not next(solve.solutions(better, math.inf, time.monotonic), None)


@pytest.mark.parametrize(
    "head",
    ["queens", "queens n=7", "queens n=6", "queens n=5", "rooks", "no_overlap", "no_overlap reach=neighbour"],
)
def test_following_the_hints_solves_it(head: str) -> None:
    rules, position = lay(head)
    for _ in range(20):
        if rules.outcome(position):
            break
        advice = rules.advise(position, PATIENCE)
        assert advice.solvable
        assert advice.action
        assert not rules.judge(position, advice.action)
        position = rules.play(position, advice.action).position
    outcome = rules.outcome(position)
    assert outcome
    assert outcome.winner == "solver"
    assert rules.advise(position, PATIENCE).words == "Solved."


@pytest.mark.parametrize("text", ["queens +a1 +b3", "queens n=5 +a1 +b5 +c8 +d6 +e3", "no_overlap +f6 +a4"])
def test_what_can_no_longer_be_solved_is_said_and_undone(text: str) -> None:
    rules, position = lay(text)
    assert rules.advise(position, PATIENCE).solvable is False
    for _ in range(10):
        advice = rules.advise(position, PATIENCE)
        if advice.solvable:
            break
        assert advice.solvable is False
        assert advice.action
        assert advice.action.startswith("-")
        assert advice.words.startswith("This can no longer be solved: take away the ")
        position = rules.play(position, advice.action).position
    assert rules.advise(position, PATIENCE).solvable


def test_a_board_whose_best_is_not_known_is_never_solved_but_has_hints() -> None:
    game = read_game("no_overlap")
    task = game.start().task
    unknown = type(task)(task.piece, task.claims, None, limit=False)
    rules, position = lay("no_overlap")
    position = position._replace(task=unknown)
    while action := rules.advise(position, 1.0).action:
        position = rules.play(position, action).position
    assert len(position.placed) >= 10  # how near to the best 12 depends on the time that a hint has
    assert rules.outcome(position) is None
    assert rules.advise(position, 1.0).words == "No further pawn fits."


def test_no_time_is_no_proof() -> None:
    rules, position = lay("queens n=7")
    assert rules.advise(position, -1.0).solvable is None
    assert lay("jump_to_center")[0].advise(lay("jump_to_center")[1], 0.0).solvable is None


@pytest.mark.parametrize(("looks", "words"), [(5_000, ""), (40_000, ": take away the pawn on ")])
def test_what_was_proved_is_said_even_where_time_ends(looks: int, words: str) -> None:
    """After a proof that there is no solution time may end before one is found that keeps some pieces."""
    _, position = lay("no_overlap reach=neighbour +f6 +a4 +d12 +k9")
    times = iter(range(10**9))
    advice = solve.advise(position, looks, lambda: next(times))
    assert advice.solvable is False
    assert advice.words.startswith(f"This can no longer be solved{words or '.'}")


@pytest.mark.parametrize(
    ("text", "solved"),
    [
        (f"queens {EIGHT}", True),
        (f"queens {EIGHT[:-4]}", False),
        ("queens n=7 " + EIGHT[:-4], False),  # an eighth one would fit
        ("queens n=5 +a1 +b5 +c8 +d6 +e3", False),
        ("rooks +a2 +b1 +c4 +d3", True),
        ("no_overlap", False),
    ],
)
def test_solved_or_not(text: str, solved: bool) -> None:
    rules, position = lay(text)
    assert bool(rules.outcome(position)) == solved
    assert any(rules.legal(position)) != solved


def test_what_a_pawn_owns() -> None:
    """Challenge 1: 'each line that makes up that intersection' is owned, and the intersections it passes."""
    claims = read_game("no_overlap").start().task.claims
    near = read_game("no_overlap reach=neighbour").start().task.claims
    board = load_board("ternion")
    joined = {site: {b if a == site else a for a, b in board.links if site in (a, b)} for site in board.sites}
    for site in board.sites:
        assert near[site] == {site, *joined[site]}
        assert near[site] <= claims[site]
        for owned in claims[site] - near[site]:
            (x, y), (a, b) = board.sites[owned], board.sites[site]
            assert 0 in (x - a, y - b)


def test_the_scores_of_challenge_1() -> None:
    rules, position = lay("no_overlap +f4 +a4")
    assert [(c.name, c.values["solver"], c.total) for c in rules.counts(position)] == [
        ("pawns placed", 2, 12),
        ("intersections unclaimed", 96 - len(position.claimed), 96),
    ]


IN_11_TURNS = (
    "B8-b7 b7-b6 b6xC6-c5 D4-c4 c4xc5-d5 d5-e5 F5xe5-e6 e6xE7-e7 e7-e8 "
    "D9-d8 d8xe8-e9 e9xF10-f9 H11-g10 g10-g9 g9xf9-f8 f8xG8-g8 g8-h8 h8xI9-i8 "
    "i8-i7 i7xJ7-i6 i6-i5 K5-j5 j5xi5-i4 i4xI4-h3 E2-e2 e2-f2 f2xG3-g3 "
    "h3xg3-g4 g4-g5 g5xH6-g6 g6-f6 f6-e6 e6-f6"
)
IN_10_TURNS = (
    "C6-c5 c5-c4 c4xD4-d3 E2-d2 d2xd3-e3 e3-f3 G3xf3-f4 f4xF5-e5 e5-e6 "
    "E7xe6-f6 f6-g6 g6xH6-h5 I4-h4 h4xh5-i5 i5-j5 K5xj5-j6 j6xJ7-i7 i7-i8 "
    "i8xI9-h9 h9-h10 h10xH11-g10 B8-b8 b8-c8 c8xD9-d9 d9-e9 e9xF10-f10 f10xg10-g9 "
    "g9-g8 g8xG8-f7 f7-f6"
)


@pytest.mark.parametrize(("line", "turns"), [(IN_11_TURNS, 11), (IN_10_TURNS, 10)])
def test_solutions_of_challenge_2(line: str, turns: int) -> None:
    """Challenge 2: 'Can you remove all but one pawn from the board and leave [it] in the center square?'"""
    rules, position = lay(f"jump_to_center {line}")
    assert len(line.split()) == 3 * turns
    assert rules.look(position) == {"f6": "solver"}
    outcome = rules.outcome(position)
    assert outcome
    assert outcome.winner == "solver"


def test_the_turn_of_challenge_2_is_made_to_its_end() -> None:
    """A pawn moves 'three times': standing on the centre after the first of them solves nothing."""
    rules, position = lay(f"jump_to_center {' '.join(IN_11_TURNS.split()[:-2])}")
    assert rules.look(position) == {"f6": "solver"}
    assert rules.outcome(position) is None
    assert rules.prompt(position) == "move the pawn on f6: 2 of 3 moves left"


def test_a_plan_is_found_and_solves_challenge_2() -> None:
    rules, position = lay(f"jump_to_center {' '.join(IN_11_TURNS.split()[:13])}")
    actions = plan.plan(position, PATIENCE, _ticking_clock(120))
    assert actions
    for action in actions:
        assert rules.judge(position, action) == ()
        position = rules.play(position, action).position
    assert rules.outcome(position)


def _ticking_clock(steps: int) -> Callable[[], float]:
    """A clock on which `PATIENCE` has passed after so many looks at it."""
    times = iter(range(10**9))
    return lambda: next(times) * PATIENCE / steps


def test_the_last_pawn_finds_the_centre() -> None:
    rules, position = lay("jump_to_center")
    alone = rules.arrange(position, {"a4": "solver"}, "solver")
    advice = rules.advise(alone, PATIENCE)
    assert advice.solvable
    assert advice.words.endswith("moves to go.")


@pytest.mark.parametrize(
    ("name", "looks", "turn", "words"),
    [
        ("queens", {"a1": "south/pole"}, "solver", "cannot stand"),
        ("queens", {"a1": "solver/pole", "a2": "solver/pole"}, "solver", "in conflict"),
        ("rooks", {}, "south", "does not play"),
        ("jump_to_center", {}, "solver", "1 to 16 pawns"),
        ("jump_to_center", {"a4": "white"}, "solver", "cannot stand"),
    ],
)
def test_what_cannot_be_a_position_is_refused(
    name: str, looks: dict[str, str], turn: str, words: str
) -> None:
    rules, position = lay(name)
    with pytest.raises(PositionError, match=words):
        rules.arrange(position, looks, turn)


def test_too_many_poles_are_refused() -> None:
    rules, position = lay("queens n=5")
    six = {"a1", "b3", "c5", "d2", "f6", "g8"}
    with pytest.raises(PositionError, match="there are 5 Poles"):
        rules.arrange(position, dict.fromkeys(six, "solver/pole"), "solver")


@pytest.mark.parametrize(
    ("text", "action", "changed"),
    [
        ("queens +a1", "+a2", {"a2": ("empty", "solver/pole")}),
        ("queens +a1", "-a1", {"a1": ("solver/pole", "empty")}),
        ("jump_to_center", "B8-C6", {"B8": ("solver", "empty"), "C6": ("empty", "solver")}),
        (
            "jump_to_center B8-b7 b7-b6",
            "b6xC6-c7",
            {"b6": ("solver", "empty"), "C6": ("solver", "empty"), "c7": ("empty", "solver")},
        ),
    ],
)
def test_what_was_meant_is_among_the_attempts(
    text: str, action: str, changed: dict[str, tuple[str, str]]
) -> None:
    rules, position = lay(text)
    assert action in list(rules.attempts(position, changed))


@pytest.mark.parametrize(
    ("name", "action", "path", "label"),
    [
        ("queens", "+a1", ("a1",), "put a Pole on a1"),
        ("rooks", "-a1", ("a1",), "take away the Teleport on a1"),
        ("jump_to_center", "B8-b8", ("B8", "b8"), "move from B8 to b8"),
        ("jump_to_center", "b8xC6-c7", ("b8", "C6", "c7"), "jump from b8 over C6 to c7"),
    ],
)
def test_paths_and_labels(name: str, action: str, path: tuple[str, ...], label: str) -> None:
    assert games.rules(name).path(action) == path
    assert games.rules(name).label(action) == label


def test_a_hint_that_takes_a_piece_away_does_not_wait_for_the_best_one() -> None:
    _, position = lay("no_overlap reach=neighbour +d1 +h3 +b5 +c8")
    looks = count(1)
    advice = solve.advise(position, 6.0, lambda: next(looks) / 10_000)
    assert advice.solvable is False
    assert next(looks) < 40_000  # without an end to the search for a better one it is 60,000, all its time
