"""Whole games with realistic hands: from switches through bytes to the board and the order of hands."""

from __future__ import annotations

import random

import pytest
from grid_stage import HABITS, Stage, carries

from companion import messages
from companion.desk import Desk
from companion.observation import Touch
from companion.store import Store
from companion.text import Game, read_game
from firmware_bridge.hands import Carry, Habits, act_out, false_contacts
from firmware_bridge.messages import State
from firmware_bridge.touches import Slide, slides


def random_game(stage: Stage, game: Game, rng: random.Random, plies: int) -> None:
    position = game.start()
    stage.device.arrange(dict.fromkeys(game.rules.look(position), State.NORTH))
    stage.wait(1.0)
    for _ in range(plies):
        actions = [a for a in game.rules.legal(position) if not a.endswith("~")]
        if not actions or game.rules.outcome(position):
            return
        action = rng.choice(actions)
        before = dict(game.rules.look(position))
        position = game.rules.play(position, action).position
        after = dict(game.rules.look(position))
        todo = carries(before, after, game.rules.path(action))
        contacts = act_out(todo, stage.now, rng, HABITS)
        at_rest = [s for s in stage.wiring.sites if s not in {c.site for c in contacts}]
        wrong = false_contacts(at_rest, frozenset(before), stage.now, rng, HABITS)
        told = slides(stage.play(sorted(contacts + wrong)))
        assert {s for s, state in stage.grid.states.items() if state} == set(after), action
        if not wrong:
            check_order(told, todo)


def check_order(told: list[Touch | Slide], todo: list[Carry]) -> None:
    """Each lift and placing once; the piece that moves comes down last, and after it rose."""
    lifted = [t.place for t in told if isinstance(t, Touch) and t.lifted]
    placed = [t.place for t in told if isinstance(t, Touch) and not t.lifted]
    assert sorted(lifted) == sorted(c.start for c in todo if c.start)
    assert placed == [c.end for c in todo if c.end]
    if len(todo) == 2 and todo[0].end is None:
        assert isinstance(told[-1], Touch)
        assert told[-1].place == todo[1].end


@pytest.mark.parametrize("head", ["triune", "chess"])
@pytest.mark.parametrize("games", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_games_are_felt_as_they_are_played(head: str, games: int) -> None:
    if head == "chess":
        pytest.importorskip("chess")
    game = read_game(head)
    for seed in range(games):
        random_game(Stage(game), game, random.Random(seed), plies=25)


def test_a_slide_is_told_as_one() -> None:
    stage = Stage(read_game("triune"))
    stage.device.arrange({"a2": State.NORTH})
    stage.wait(1.0)
    hands = act_out([Carry("a2", "a5", ("a3", "a4"))], stage.now, random.Random(1), Habits(slide=1.0))
    (slide,) = slides(stage.play(hands))
    assert isinstance(slide, Slide)
    assert slide.way == ("a2", "a3", "a4", "a5")


def follow(head: str, seed: int, plies: int) -> tuple[int, int]:
    """A random game on a table that knows occupancy only: actions played, and how many it had to ask about.

    What it plays by itself has to be right; the game ends at its first question.
    """
    game, rng, desk = read_game(head), random.Random(seed), Desk(Store(":memory:"))
    desk.handle(messages.NewGame(head))
    stage = Stage(game, lambda sighting: desk.handle(messages.Seen(sighting)))
    position = game.start()
    stage.device.arrange(dict.fromkeys(game.rules.look(position), State.NORTH))
    stage.wait(2.0)
    for ply in range(plies):
        actions = [a for a in game.rules.legal(position) if not a.endswith("~")]
        if not actions or game.rules.outcome(position):
            return ply, 0
        action = rng.choice(actions)
        before = dict(game.rules.look(position))
        position = game.rules.play(position, action).position
        todo = carries(before, dict(game.rules.look(position)), game.rules.path(action))
        stage.play(act_out(todo, stage.now, rng, HABITS))
        stage.wait(1.5)
        if desk.snapshot.question is not None:
            return ply + 1, 1
        assert desk.session.text.split()[-1] == action
    return plies, 0


@pytest.mark.parametrize("head", ["triune", "chess"])
@pytest.mark.parametrize("games", [2, pytest.param(100, marks=pytest.mark.soak)])
def test_games_are_followed_from_occupancy_alone(head: str, games: int) -> None:
    if head == "chess":
        pytest.importorskip("chess")
    counts = [follow(head, seed, plies=12) for seed in range(games)]
    assert sum(asked for _, asked in counts) * 20 <= sum(played for played, _ in counts)
