"""Choices: what a player is asked where sessions part, and what an answer keeps."""

import pytest

from companion.referee import Belief
from companion.referee.hypotheses.choices import ASK, answerer, certain_plies, choices, keep_answered
from tests.companion.referee.boards import play, see, session_of

BOARD = """
    BB..
    ....
    r.m."""
START = session_of(BOARD)
MOVED, FLIPPED = play(START, "a1-a2"), play(START, "a1~")
REPLY, OTHER_REPLY = play(MOVED, "b3-b2"), play(MOVED, "b3~")


def test_a_belief_without_rivals_asks_nothing() -> None:
    belief = Belief(MOVED)
    assert choices(belief) == ()
    assert certain_plies(belief) == 1


@pytest.mark.parametrize(("cost", "is_asked"), [(ASK - 0.1, True), (ASK, False)])
def test_a_rival_is_asked_about_where_it_is_close(cost: float, is_asked: bool) -> None:
    belief = Belief(MOVED, ((FLIPPED, cost),))
    assert choices(belief) == ((("a1-a2",), ("a1~",)) if is_asked else ())
    assert certain_plies(belief) == (0 if is_asked else 1)


def test_nothing_is_a_choice_too() -> None:
    belief = Belief(MOVED, ((START, 1.0),))
    assert choices(belief) == (("a1-a2",), ())
    assert keep_answered(belief, ()).accepted == START


def test_whoever_acted_is_asked_and_only_of_their_own_actions() -> None:
    belief = Belief(REPLY, ((OTHER_REPLY, 0.5),))
    assert choices(belief) == (("b3-b2",), ("b3~",))
    assert answerer(belief) == "blue"
    assert answerer(Belief(REPLY, ((play(FLIPPED, "b3-b2"), 0.5),))) == "red"
    assert choices(Belief(REPLY, ((play(FLIPPED, "b3-b2"), 0.5),))) == (("a1-a2",), ("a1~",))


def test_an_answer_keeps_what_agrees_with_it_and_leaves_the_next_question() -> None:
    belief = Belief(play(FLIPPED, "b3~"), ((REPLY, 0.2), (OTHER_REPLY, 0.7)), cost=1.0)
    answered = keep_answered(belief, ("a1-a2",))
    assert answered.accepted == REPLY
    assert [(session, pytest.approx(cost)) for session, cost in answered.rivals] == [(OTHER_REPLY, 0.5)]
    assert answered.cost == pytest.approx(1.2)
    assert choices(answered) == (("b3-b2",), ("b3~",))


def test_an_answer_that_nothing_agrees_with_leaves_what_was_accepted() -> None:
    assert keep_answered(Belief(MOVED, ((FLIPPED, 0.5),)), ("c1-c4",)) == Belief(MOVED)


def test_an_answer_settles_what_was_remembered() -> None:
    belief = Belief(START).followed_by(MOVED, ((FLIPPED, 0.5),), 0.0, see(BOARD))
    (memory,) = keep_answered(belief, ("a1~",)).past
    assert memory.is_answered


def test_what_led_only_to_other_sessions_is_forgotten_with_them() -> None:
    before = Belief(MOVED, ((FLIPPED, 0.5),))
    after = before.followed_by(REPLY, ((play(FLIPPED, "b3-b2"), 0.5),), 0.0, see(BOARD))
    (memory,) = keep_answered(after, ("a1~",)).past
    assert memory.belief.all() == ((FLIPPED, 0.0),)
