"""Acceptance: for how long a finding has to be shown, by what speaks against it, and what happens then."""

from dataclasses import dataclass, replace

import pytest

from companion.games.text import read_game
from companion.record.session import Entry, Session, begin
from companion.referee import Belief, Evidence, Finding, Referee
from companion.referee.evidence.timeline import HandlingTimeline
from companion.sensing.observation import Observation, Touch
from companion.table.acceptance import Acceptance, decide, wait_of
from companion.table.policy import POLICY
from companion.table.tracker import Held
from companion.table.weighing import BoardToJudge
from tests.companion.sensor import reading

TRIUNE = read_game("triune")
BEFORE = begin(TRIUNE)
MOVED = BEFORE.apply(Entry("action", "a2-a3"))
FLIPPED = BEFORE.apply(Entry("action", "a2~"))
KNOWN = BEFORE.rules.looks(BEFORE.position)
NOW = 100.0
PLAYED = Finding("played", Belief(MOVED), played=("a2-a3",))
REFUSED = Finding("refused", Belief(BEFORE))
LIFTED = (Touch(NOW - 1, "a2", lifted=True),)
MISREAD = Finding("refused", Belief(BEFORE), slips=2)
RIVAL = (MOVED, 9.0)


@dataclass(frozen=True)
class Board:
    """How a board came about: what stands there, whether hands were seen, and which touches were felt."""

    session: Session = MOVED
    unaided: bool = False
    touches: tuple[Touch, ...] | None = None
    calm_since: float | None = None
    seen_since: float = NOW - 0.5
    at_once: bool = False
    margin: float = 8.0

    def held(self, seconds: float = 0.5) -> Held:
        """The board after it held for so many seconds."""
        looks = self.session.look
        readings = {p: reading(looks.get(p, "empty"), KNOWN) for p in TRIUNE.board.sites}
        if self.margin < 8.0:
            there = {"red/solid": 0.0, "empty": -self.margin}
            readings["a3"] = replace(readings["a3"], looks=there)
        since = dict.fromkeys(("a2", "a3"), self.seen_since)
        told_apart = {place: found.best() for place, found in readings.items()}
        return Held(
            Observation(NOW, readings, "sensor"),
            NOW - seconds,
            told_apart,
            at_once=self.at_once,
            seen_since=since,
            touches=self.touches,
            unaided=self.unaided,
            calm_since=self.calm_since,
        )


def evidence_of(held: Held) -> Evidence:
    touched = None if held.touches is None else frozenset(touch.place for touch in held.touches)
    timeline = HandlingTimeline(touched=touched, is_unaided=held.unaided)
    return Evidence(held.observation, timeline=timeline)


BY_HAND = Board()
UNAIDED = Board(unaided=True)
WAITS = [
    # what was found, and how the board came about: the seconds for which it has to be shown
    (Finding("same", Belief(BEFORE)), Board(BEFORE), 0.0),
    (Finding("same", Belief(BEFORE)), Board(BEFORE, unaided=True), 0.0),
    (PLAYED, BY_HAND, 0.0),
    (PLAYED, UNAIDED, POLICY.grace),
    (replace(PLAYED, kind="takeback"), BY_HAND, 0.0),
    (replace(PLAYED, kind="takeback"), UNAIDED, POLICY.grace),
    (replace(PLAYED, lead=2.4), BY_HAND, POLICY.grace),
    (replace(PLAYED, lead=2.6), BY_HAND, 0.0),
    (replace(PLAYED, doubt=1.1), BY_HAND, POLICY.grace),
    (replace(PLAYED, doubt=0.9), BY_HAND, 0.0),
    (replace(PLAYED, is_ahead=True), BY_HAND, POLICY.ahead),
    (replace(PLAYED, is_exhaustive=False), BY_HAND, 0.0),
    (replace(PLAYED, is_exhaustive=False, belief=Belief(MOVED, cost=6.1)), BY_HAND, POLICY.grace),
    (replace(PLAYED, belief=Belief(MOVED, cost=6.1)), BY_HAND, 0.0),
    (PLAYED, Board(margin=3.9), POLICY.faint),
    (PLAYED, Board(margin=4.1), 0.0),
    (PLAYED, Board(margin=3.9, touches=()), 0.0),
    (PLAYED, Board(calm_since=NOW - 1.0), POLICY.faint),
    (PLAYED, Board(calm_since=NOW - 1.0, seen_since=NOW - 0.7), 0.0),
    (PLAYED, Board(calm_since=NOW - 1.0, unaided=True), POLICY.grace),
    (replace(PLAYED, belief=Belief(FLIPPED), played=("a2~",)), Board(FLIPPED), POLICY.grace),
    (replace(PLAYED, belief=Belief(FLIPPED), played=("a2~",)), Board(FLIPPED, touches=()), 0.0),
    (Finding("unclear", Belief(BEFORE)), BY_HAND, POLICY.grace),
    (REFUSED, BY_HAND, POLICY.slight_refusal),
    (replace(REFUSED, slips=1), BY_HAND, POLICY.slight_refusal),
    (replace(REFUSED, slips=1), Board(touches=LIFTED), POLICY.piece_in_hand),
    (MISREAD, BY_HAND, POLICY.grace),
    (MISREAD, Board(touches=LIFTED), POLICY.grace),
    # a still is a board at once
    (PLAYED, Board(at_once=True, unaided=True), 0.0),
    (REFUSED, Board(at_once=True), 0.0),
]


@pytest.mark.parametrize(("finding", "board", "seconds"), WAITS)
def test_a_finding_waits_by_what_speaks_against_it(finding: Finding, board: Board, seconds: float) -> None:
    held = board.held()
    assert wait_of(finding, evidence_of(held), held, Belief(BEFORE), POLICY)[0] == seconds


def test_a_rival_makes_what_was_not_wholly_searched_wait() -> None:
    held, finding = BY_HAND.held(), replace(PLAYED, is_exhaustive=False)
    required, _ = wait_of(finding, evidence_of(held), held, Belief(BEFORE, (RIVAL,)), POLICY)
    assert required == POLICY.grace


@pytest.mark.parametrize(
    ("finding", "board", "shown"),
    [
        (Finding("unclear", Belief(BEFORE)), BY_HAND, 0.5),
        # a refusal rests on its own places, from when hands were gone
        (REFUSED, Board(calm_since=NOW - 9.0, seen_since=NOW - 5.0), 5.0),
        (REFUSED, Board(calm_since=NOW - 3.0, seen_since=NOW - 5.0), 3.0),
        (REFUSED, Board(seen_since=NOW - 5.0), 0.5),
        # so does what a piece did that was seen before it left
        (replace(PLAYED, is_ahead=True), Board(seen_since=NOW - 5.0), 5.0),
    ],
)
def test_a_finding_was_shown_for_as_long_as_its_places(finding: Finding, board: Board, shown: float) -> None:
    held = board.held()
    assert wait_of(finding, evidence_of(held), held, Belief(BEFORE), POLICY)[1] == shown


ILLEGAL = (
    BEFORE.apply(Entry("action", "a2-a3")).apply(Entry("action", "b7-b6")).apply(Entry("action", "a3-a4"))
)


@pytest.mark.parametrize(
    ("board", "accepted"),
    [
        (BY_HAND, [(0.4, "played")]),
        (Board(BEFORE), [(0.4, "same")]),
        (UNAIDED, [(0.9, None), (1.0, "played")]),
        (Board(FLIPPED), [(0.9, None), (1.0, "played")]),
        (Board(margin=3.9, seen_since=NOW - 2.9), [(5.0, None)]),
        (Board(margin=3.9, seen_since=NOW - 3.0), [(0.5, "played")]),
    ],
)
def test_a_board_is_accepted_once_it_was_shown_for_long_enough(
    board: Board, accepted: list[tuple[float, str | None]]
) -> None:
    state, found = Acceptance(), []
    for seconds, _ in accepted:
        heard = decide(state, case_of(board.held(seconds)))
        state = heard.acceptance
        found.append((seconds, heard.accepted.finding.kind if heard.accepted else None))
    assert found == accepted


def case_of(held: Held) -> BoardToJudge:
    referee = Referee(clock=lambda: 0.0)
    return BoardToJudge(
        held, Belief(BEFORE), frozenset(), False, False, False, referee=referee, policy=POLICY
    )


def test_what_was_accepted_is_not_accepted_again_until_the_board_changes() -> None:
    heard = decide(Acceptance(), case_of(BY_HAND.held()))
    assert heard.accepted
    assert heard.acceptance.is_dealt_with
    assert decide(heard.acceptance, case_of(BY_HAND.held(9.0))).accepted is None
    again = decide(heard.acceptance.reopened(), case_of(BY_HAND.held()))
    assert again.accepted
    other = decide(heard.acceptance, case_of(Board(BEFORE).held()))
    assert other.accepted
    assert other.accepted.finding.kind == "same"


@pytest.mark.parametrize("board", [BY_HAND, Board(BEFORE)])
def test_under_a_hand_only_what_was_played_in_sight_is_accepted(board: Board) -> None:
    held = replace(board.held(), at_once=True, hand=True)
    heard = decide(Acceptance(), case_of(held))
    assert (heard.accepted is not None) == (board is BY_HAND)


def test_what_players_say_is_misread_is_left_out_until_it_is_read_otherwise() -> None:
    board = Board(FLIPPED)
    state = decide(Acceptance(), case_of(board.held(2.0))).acceptance.believed(BEFORE)
    assert state.say_left_out() == "Left out until they are read otherwise: a2."
    heard = decide(state.reopened(), case_of(board.held(2.0)))
    assert heard.accepted
    assert heard.accepted.finding.kind == "same"
    heard = decide(heard.acceptance, case_of(Board(BEFORE).held()))
    assert heard.acceptance.say_left_out() == ""
