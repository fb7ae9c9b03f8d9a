"""Whole games with realistic hands: from switches through bytes to the board and the order of hands."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from benchmarks.simulation.grid_games import PLIES, run
from benchmarks.simulation.grid_stage import NetworkStage, Stage
from benchmarks.simulation.switch_hands import Carry, Habits, act_out, carries, false_contacts
from companion.games import GAMES
from companion.games.text import Game, read_game
from companion.sensing.observation import Touch
from tests.samples import few, first_few

STEADY = Habits(waver=0.0, swap=0.0)


def random_game(stage: Stage, game: Game, rng: random.Random, plies: int) -> None:
    position = game.start()
    stage.lay(game.rules.look(position))
    stage.wait(1.0)
    for _ in range(plies):
        actions = [a for a in game.rules.legal(position) if not a.endswith("~")]
        if not actions or game.rules.outcome(position):
            return
        action = rng.choice(actions)
        before = game.rules.pieces(position)
        position = game.rules.play(position, action).position
        after = game.rules.pieces(position)
        todo = carries(before, after, game.rules.path(action))
        contacts = act_out(todo, stage.now, rng, STEADY)
        at_rest = [s for s in stage.wiring.sites if s not in {c.site for c in contacts}]
        span = (stage.now, contacts[-1].time)
        wrong = false_contacts(at_rest, frozenset(before), span, rng, Habits(wrong_for=0.01))
        told = stage.play(sorted(contacts + wrong))
        assert {s for s, state in stage.grid.states.items() if state} == set(after), action
        check_order(told, todo)


def check_order(told: list[Touch], todo: list[Carry]) -> None:
    """Each lift and placing once; the piece that moves comes down after it rose."""
    assert sorted(t.place for t in told if t.lifted) == sorted(c.start for c in todo if c.start)
    assert sorted(t.place for t in told if not t.lifted) == sorted(c.end for c in todo if c.end)
    times = {t.place: t.time for t in told}
    assert all(times[c.start] < times[c.end] for c in todo if c.start and c.end)


@pytest.mark.parametrize("head", ["triune", "chess"])
@pytest.mark.parametrize("games", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_games_are_felt_as_they_are_played(head: str, games: int) -> None:
    if head == "chess":
        pytest.importorskip("chess")
    game = read_game(head)
    for seed in range(games):
        random_game(Stage(game), game, random.Random(seed), plies=25)


def test_a_slide_is_told_as_a_lift_and_a_placing() -> None:
    stage = Stage(read_game("triune"))
    stage.lay({"a2"})
    stage.wait(1.0)
    hands = act_out([Carry("a2", "a5", ("a3", "a4"))], stage.now, random.Random(1), Habits(slide=1.0))
    assert [(t.place, t.lifted) for t in stage.play(hands)] == [("a2", True), ("a5", False)]


@pytest.mark.parametrize(
    "head", first_few(2, ["triune", "draughts", "chess", "draughts variant=international"])
)
@pytest.mark.parametrize("games", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_games_are_followed_from_occupancy_alone(head: str, games: int) -> None:
    """Every action right or asked for; no more questions than one in twenty actions, flips aside."""
    if head == "chess":
        pytest.importorskip("chess")
    total: Counter[str] = Counter()
    for tally in run(head, games, plies=24 if games < 10 else PLIES, seed=1):
        total += tally.counts
        assert tally.failures == []
    assert total["moves asked"] * 20 <= total["actions"]
    assert head != "triune" or total["flips"] > 0


FELT_WHOLLY = ["triune", "escape", "ternion_factor", "trid", "chess", "draughts", "no_overlap",
               "jump_to_center", "queens", "rooks"]  # fmt: skip
"""The games in which occupancy tells each action, or leaves a question. In the others players enter some."""


@pytest.mark.parametrize("head", few(GAMES, 3))
def test_a_game_of_each_kind_is_played_over_the_network(head: str) -> None:
    if head == "chess":
        pytest.importorskip("chess")
    (tally,) = run(head, games=1, plies=16, seed=1, stage=NetworkStage)
    counts = tally.counts
    assert counts["right"] + counts["asked"] + counts["wrong"] + counts["stuck"] == counts["actions"]
    assert counts["actions"] >= 14
    assert counts["right"] + counts["asked"] >= 4, tally.failures
    assert not counts["lost"], tally.failures  # what players entered, the grid agreed with
    if head in FELT_WHOLLY:
        assert not tally.failures


def test_a_game_over_the_network_is_the_same_as_over_a_cable() -> None:
    (near,) = run("triune", games=1, plies=16, seed=2)
    (far,) = run("triune", games=1, plies=16, seed=2, stage=NetworkStage)
    assert far.counts == near.counts
