"""Findings: the likeliest candidate is accepted, and the next are kept as rivals."""

import pytest

from companion.games.text import read_game
from companion.record.session import begin
from companion.referee import Belief
from companion.referee.hypotheses.belief import Candidate
from companion.referee.verdict.finding import KEEP, MOST_CERTAIN, Finding, accept_likeliest
from companion.referee.verdict.refusal import refuse
from tests.companion.referee.boards import play, see, seen_at, session_of
from tests.companion.referee.patience import PATIENT

BOARD = """
    BB..
    ....
    r.m."""
START = session_of(BOARD)
MOVED, FLIPPED, LEAPT = (play(START, action) for action in ("a1-a2", "a1~", "c1-c4"))
SEEN = see(BOARD)


def found(*candidates: Candidate, before: Belief | None = None, most: int = 9) -> Finding:
    return accept_likeliest(before or Belief(START), SEEN, candidates, most)


def test_the_likeliest_is_accepted_and_others_are_beside_it() -> None:
    finding = found(Candidate(FLIPPED, 1.5), Candidate(MOVED, 1.0), Candidate(LEAPT, 1.0 + KEEP))
    assert (finding.kind, finding.played) == ("played", ("a1-a2",))
    assert finding.belief.all() == ((MOVED, 0.0), (FLIPPED, 0.5))
    assert finding.choices == (("a1-a2",), ("a1~",))


def test_no_more_are_held_than_the_limit() -> None:
    finding = found(Candidate(MOVED, 1.0), Candidate(FLIPPED, 1.1), Candidate(LEAPT, 1.2), most=2)
    assert [session for session, _ in finding.belief.all()] == [MOVED, FLIPPED]


def test_nothing_is_withdrawn_for_an_equal() -> None:
    finding = found(Candidate(FLIPPED, 1.0), Candidate(MOVED, 1.0), before=Belief(MOVED))
    assert (finding.kind, finding.withdrawn) == ("same", 0)


def test_another_session_withdraws_the_accepted_one() -> None:
    finding = found(Candidate(FLIPPED, 1.0), before=Belief(MOVED))
    assert (finding.kind, finding.withdrawn, finding.played) == ("played", 1, ("a1~",))
    assert found(Candidate(START, 1.0), before=Belief(MOVED)).kind == "takeback"


def test_of_sessions_from_which_the_same_may_follow_the_likeliest_is_held() -> None:
    """Red's two discs change places by whichever of the two moves came first."""
    one = play(START, "a1-a2", "b3-b2", "c1-c4")
    other = play(START, "c1-c4", "b3-b2", "a1-a2")
    finding = found(Candidate(other, 1.4), Candidate(one, 1.0))
    assert finding.belief.all() == ((one, 0.0),)


def test_what_goes_on_unseen_from_another_session_is_no_rival_of_it() -> None:
    before = begin(read_game("teleporters"))
    moved = before.play("d1-d2")
    finding = found(Candidate(moved, 1.0), Candidate(moved.play("end"), 1.6), before=Belief(before))
    assert finding.belief.all() == ((moved, 0.0),)


def test_certainty_falls_with_each_rival() -> None:
    alone = found(Candidate(MOVED, 0.0))
    assert alone.certainty == MOST_CERTAIN  # 1 is what somebody entered
    beside = found(Candidate(MOVED, 0.0), Candidate(FLIPPED, 0.0))
    assert beside.certainty == pytest.approx(0.5)


def test_the_lead_counts_only_what_evidence_would_tell_apart() -> None:
    finding = found(Candidate(MOVED, 1.0, misfit=0.2), Candidate(FLIPPED, 2.0, misfit=0.3))
    assert finding.lead == float("inf")
    finding = found(Candidate(MOVED, 1.0, misfit=0.2), Candidate(FLIPPED, 2.0, misfit=1.3))
    assert finding.lead == 1.0


def test_a_refusal_names_the_rule_and_the_way_back() -> None:
    finding = refuse(Belief(START), see("BBr. .... ..m."))
    assert (finding.kind, finding.attempt, [b.rule for b in finding.breaches]) == (
        "refused",
        "a1-c3",
        ["TR-3"],
    )
    assert [step.words for step in finding.steps] == ["Move the solid red piece from c3 to a1."]


def test_a_change_that_is_no_action_is_said_as_it_stands() -> None:
    finding = refuse(Belief(START), see("BB.. .... ..m."))
    assert (finding.breaches[0].words, finding.slips) == ("The solid red piece is missing on a1.", 1)


@pytest.mark.parametrize(
    ("board", "kind"),
    [
        (BOARD, "same"),
        ("BB.. r... ..m.", "played"),
        ("BB.. .... ..m.", "begun"),
        ("BB.. .... ?.m.", "same"),
    ],
    ids=["as it was", "one move", "one piece gone", "one place hidden"],
)
def test_the_referee_judges_a_drawn_board(board: str, kind: str) -> None:
    assert PATIENT.judge(Belief(START), see(board)).kind == kind


def test_a_place_that_is_merely_doubtful_makes_a_board_unclear() -> None:
    doubtful = see("BB.. .... ..m.", a1=("red/solid", 4.0))
    assert PATIENT.judge(Belief(START), doubtful).kind == "unclear"


def test_a_takeback_is_likelier_than_a_move_back() -> None:
    belief = PATIENT.judge(Belief(START), seen_at(MOVED)).belief
    back = PATIENT.judge(belief, seen_at(START))
    assert (back.kind, back.withdrawn, back.belief.accepted.actions) == ("takeback", 1, ())
