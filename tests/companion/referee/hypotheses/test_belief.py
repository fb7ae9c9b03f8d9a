"""Belief: the accepted session with its rivals, and what it remembers."""

from companion.referee import Belief
from companion.referee.hypotheses.belief import likeliest_first
from tests.companion.referee.boards import play, see, session_of

BOARD = """
    BB..
    ....
    r.m."""
START = session_of(BOARD)
MOVED = play(START, "a1-a2")
FLIPPED = play(START, "a1~")
SEEN = see(BOARD)


def test_a_belief_that_goes_on_remembers_the_one_before() -> None:
    before = Belief(START, ((FLIPPED, 1.0),))
    after = before.followed_by(MOVED, (), 0.5, SEEN)
    assert (after.accepted, after.rivals, after.cost) == (MOVED, (), 0.5)
    (memory,) = after.past
    assert memory.belief == before
    assert memory.seen is SEEN


def test_a_belief_in_the_same_session_stays_as_likely_and_remembers_nothing_new() -> None:
    before = Belief(START).followed_by(MOVED, (), 0.5, SEEN)
    after = before.followed_by(MOVED, ((FLIPPED, 1.0),), 3.0, SEEN)
    assert (after.cost, len(after.past), after.rivals) == (0.5, 1, ((FLIPPED, 1.0),))


def test_what_was_taken_back_is_forgotten() -> None:
    belief = Belief(START).followed_by(MOVED, (), 0.5, SEEN)
    belief = belief.followed_by(play(MOVED, "b3-b2"), (), 0.5, SEEN)
    assert [len(memory.belief.accepted.plies) for memory in belief.past] == [1, 0]
    back = belief.followed_by(MOVED, (), 0.1, SEEN)
    assert [len(memory.belief.accepted.plies) for memory in back.past] == [0]


def test_the_sessions_that_went_back_are_held_until_anything_is_played() -> None:
    belief = Belief(START).followed_by(MOVED, (), 0.5, SEEN)
    further = play(MOVED, "b3-b2")
    belief = belief.followed_by(further, (), 0.5, SEEN)
    back = belief.followed_by(MOVED, (), 0.1, SEEN).followed_by(START, (), 0.1, SEEN)
    assert back.undone == (MOVED, further)
    assert back.followed_by(FLIPPED, (), 0.1, SEEN).undone == ()


def test_costs_are_beside_the_likeliest() -> None:
    assert likeliest_first([(MOVED, 2.0), (FLIPPED, 0.5)]) == (FLIPPED, ((MOVED, 1.5),), 0.5)
