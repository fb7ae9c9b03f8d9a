"""Takebacks by hand: earlier positions that fit, part of one stop, and what was given up before."""

import pytest

from companion.record.session import Session
from companion.referee import Belief
from companion.referee.evidence.timeline import UNFELT, HandlingTimeline
from companion.referee.hypotheses.belief import Candidate
from companion.referee.search.limits import Limits
from companion.referee.verdict.takeback import (
    DETOUR,
    LONG_AGO,
    OTHER_TURN,
    PARTLY,
    REFUTED,
    RETURN_COST,
    find_partial_takebacks,
    find_takebacks,
)
from tests.companion.referee.boards import play, see, seen_at, session_of

BOARD = """
    BB..
    ....
    r.m."""
FIT = Limits().fit
START = session_of(BOARD)
MOVED = play(START, "a1-a2")
REPLY = play(MOVED, "b3-b2")


def cheapest(candidates: list[Candidate]) -> Candidate:
    return min(candidates, key=lambda candidate: candidate.cost)


def test_a_board_that_is_right_shows_no_takeback() -> None:
    assert not list(find_takebacks(Belief(REPLY), seen_at(REPLY), FIT))


@pytest.mark.parametrize(("earlier", "count"), [(MOVED, 1), (START, 2)])
def test_the_board_is_again_as_it_was_so_many_plies_ago(earlier: Session, count: int) -> None:
    (found,) = find_takebacks(Belief(REPLY), seen_at(earlier), FIT)
    assert found.session.actions == earlier.actions
    assert found.session.log[-1].kind == "takeback"
    assert found.session.log[-1].text == str(count)
    assert found.cost == pytest.approx(RETURN_COST + count * OTHER_TURN)


def test_a_board_that_never_was_so_shows_no_takeback() -> None:
    assert not list(find_takebacks(Belief(REPLY), see("B... .B.. ..m."), FIT))


def test_hands_that_take_back_were_felt() -> None:
    felt = HandlingTimeline(touched=frozenset(["b2", "b3"]))
    unfelt = HandlingTimeline(touched=frozenset())
    (found,) = find_takebacks(Belief(REPLY), seen_at(MOVED, felt), FIT)
    (doubtful,) = find_takebacks(Belief(REPLY), seen_at(MOVED, unfelt), FIT)
    assert doubtful.cost == pytest.approx(found.cost + 2 * UNFELT)


def test_a_piece_that_was_back_before_it_left_is_doubtful() -> None:
    early = HandlingTimeline({"b3": 1.0, "b2": 2.0})
    (found,) = find_takebacks(Belief(REPLY), seen_at(MOVED, early), FIT)
    assert found.is_ahead


def test_many_plies_are_seldom_taken_back_without_a_word() -> None:
    """Discs went there and back: the board was the same every four plies."""
    session = START
    for _ in range(4):
        session = play(session, "a1-b2", "b3-c3", "b2-a1", "c3-b3")
    session = play(session, "c1~", "b3~")
    found = find_takebacks(Belief(session), seen_at(START), FIT)
    costs = {len(session.plies) - len(c.session.plies): c.cost for c in found}
    assert costs[10] == pytest.approx(RETURN_COST + 10 * OTHER_TURN + DETOUR)
    assert costs[14] == pytest.approx(RETURN_COST + 14 * OTHER_TURN + LONG_AGO + DETOUR)


def test_a_rival_goes_back_too_and_costs_what_it_did() -> None:
    rival = play(MOVED, "b3~")
    found = list(find_takebacks(Belief(REPLY, ((rival, 0.5),)), seen_at(MOVED), FIT))
    assert [c.session.actions for c in found] == [("a1-a2",)] * 2
    assert found[1].cost == pytest.approx(found[0].cost + 0.5)


def test_rivals_that_were_held_then_are_held_again() -> None:
    """Perhaps Red had not moved at all; Blue's reply told."""
    before = Belief(MOVED, ((START, 0.5),))
    belief = before.followed_by(REPLY, (), 0.0, seen_at(REPLY))
    found = list(find_takebacks(belief, see("BB.. r... ..m.", a1=("red/solid", 0.1), a2=("empty", 0.1)), FIT))
    assert {c.session.actions for c in found} == {("a1-a2",), ()}


def test_what_was_given_up_for_another_session_may_have_been_right() -> None:
    """It was taken for a flip, then for a move; now the disc is as it was after the flip."""
    flipped = play(START, "a1~")
    belief = Belief(flipped).followed_by(MOVED, (), 0.0, seen_at(MOVED))
    found = cheapest([c for c in find_takebacks(belief, seen_at(flipped), FIT) if c.session == flipped])
    assert found.cost == RETURN_COST + REFUTED


def test_part_of_what_came_at_one_stop_is_taken_back() -> None:
    """Red's disc is back on a1, Blue's stays turned over: nothing else came between."""
    three = play(START, "a1-a2", "b3~", "c1~")
    belief = Belief(START).followed_by(three, (), 0.0, seen_at(three))
    left = play(START, "c1~", "b3~")
    (found,) = find_partial_takebacks(belief, seen_at(left), FIT)
    assert found.session.actions == left.actions
    assert found.cost == pytest.approx(RETURN_COST + 3 * OTHER_TURN + PARTLY)


def test_what_came_at_an_earlier_stop_is_not_taken_back_in_part_alone() -> None:
    belief = Belief(START).followed_by(MOVED, (), 0.0, seen_at(MOVED))
    belief = belief.followed_by(REPLY, (), 0.0, seen_at(REPLY))
    assert not list(find_partial_takebacks(belief, see("B... .B.. r.m."), FIT))
