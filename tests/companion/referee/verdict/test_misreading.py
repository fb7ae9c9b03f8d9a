"""Misreadings: what else was played, had a board been misread, and when that is asked."""

import pytest

from companion.referee import Belief, Evidence
from companion.referee.evidence.timeline import HandlingTimeline
from companion.referee.hypotheses.belief import Candidate
from companion.referee.search.limits import Limits
from companion.referee.verdict.continuation import Continuations
from companion.referee.verdict.misreading import ODD, is_odd, reread, withdrawal
from tests.companion.referee.boards import play, see, seen_at, session_of

BOARD = """
    BB..
    ....
    r.m."""
START = session_of(BOARD)
MOVED, FLIPPED = play(START, "a1-a2"), play(START, "a1~")
LIMITS = Limits()
FOREVER = Continuations(LIMITS, lambda: 0.0)
UNAIDED = HandlingTimeline(is_unaided=True)


def accepted(seen: Evidence) -> Belief:
    """The belief that Red moved, on such a board."""
    return Belief(START).followed_by(MOVED, (), 0.5, seen)


def test_what_goes_on_from_the_accepted_session_is_not_odd() -> None:
    belief = Belief(START)
    assert not is_odd(belief, [Candidate(MOVED, 1.0)])
    assert is_odd(belief, [Candidate(MOVED, ODD + 0.1)])
    assert is_odd(belief, [])


def test_a_session_that_corrected_another_stays_odd() -> None:
    belief = Belief(FLIPPED).followed_by(MOVED, (), 0.5, seen_at(MOVED))
    assert is_odd(belief, [Candidate(play(MOVED, "b3-b2"), 1.0)])


def test_another_move_explains_a_board_that_was_misread() -> None:
    """The piece seemed to stand on a2, with some doubt; it stands on b2, where it may have gone too."""
    misread = see("BB.. r... ..m.", a2=("empty", 0.5), b2=("red/solid", 0.5))
    now = see("BB.. .r.. ..m.")
    found = reread(accepted(misread), now, [], FOREVER)
    assert "a1-b2" in {c.session.actions[0] for c in found if c.session.actions}


def test_a_board_that_was_sure_is_not_read_anew() -> None:
    found = reread(accepted(seen_at(MOVED)), see("BB.. .r.. ..m."), [], FOREVER)
    assert not [c for c in found if c.cost < LIMITS.offence]


def test_what_a_player_answered_is_not_read_anew() -> None:
    belief = accepted(see("BB.. r... ..m.", a2=("empty", 0.5)))
    (memory,) = belief.past
    answered = Belief(MOVED, past=(type(memory)(memory.belief, memory.seen, is_answered=True),))
    assert reread(answered, see("BB.. .r.. ..m."), [], FOREVER) == []


@pytest.mark.parametrize(("doubt", "is_withdrawn"), [(0.5, True), (9.0, False)])
def test_a_move_is_withdrawn_where_no_hand_took_it_back_and_it_was_doubtful(
    doubt: float, is_withdrawn: bool
) -> None:
    belief = accepted(see("BB.. r... ..m.", a1=("red/solid", doubt), a2=("empty", doubt)))
    found = withdrawal(belief, see(BOARD, UNAIDED), LIMITS)
    assert (found is not None) is is_withdrawn
    if found:
        assert (found.kind, found.withdrawn, found.belief.accepted) == ("takeback", 1, START)


def test_a_move_is_not_withdrawn_where_a_hand_was_seen() -> None:
    belief = accepted(see("BB.. r... ..m.", a1=("red/solid", 0.5), a2=("empty", 0.5)))
    assert withdrawal(belief, see(BOARD), LIMITS) is None
