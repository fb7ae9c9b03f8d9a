"""Acceptance: when a board that held is judged, and when what was found is accepted.

A board is judged once when it is new, and once more and thoroughly when it has been shown for long enough. A
finding that nothing speaks against is accepted at once. One that is doubtful, or not allowed, has to wait:
`wait_of` says for how long, by the rows of the table's `Policy`. `decide` takes one board after the other; it
remembers what it needs between them in one immutable value, `Acceptance`.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from companion.core.game import EMPTY, Look, Place, Player
from companion.language import say
from companion.record.session import Session
from companion.referee import Belief, Evidence, Finding
from companion.referee.evidence.evidence import DOUBT
from companion.referee.evidence.looks import bare, changes
from companion.referee.search.limits import STILL, THOROUGH, Limits
from companion.sensing.observation import Observation
from companion.table.policy import Policy
from companion.table.sensor_conflicts import UNEXPLAINED, find_odds
from companion.table.tracker import Held
from companion.table.weighing import (
    BoardToJudge,
    Shown,
    TableKnowledge,
    changed_places,
    find_left_standing,
    keep_lasting,
    touched_places,
    weigh,
)

STEPS = (1.0, 3.0, 5.0)
"""Nats against what should stand on a place: doubt, too much to be let pass, and no mistake."""
NO_WAIT = 0.0, 0.0
Firmness = frozenset[tuple[Place, int]]
"""The firmness with which each place speaks against a board, in STEPS."""


class AcceptedFinding(NamedTuple):
    """A finding that is accepted, on what evidence, and for how long that was seen (seconds)."""

    finding: Finding
    evidence: Evidence
    source: str
    duration: float


class _Board(NamedTuple):
    """The parts of a board that are judged anew when any of them changes."""

    shown: Shown
    touched: frozenset[Place] | None
    odds: Mapping[str, frozenset[Place]]
    firmness: Firmness


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The board that was judged last, what was found, and what is known of misreadings."""

    board: _Board | None = None
    """None where it is judged anew, though it may not have changed."""
    finding: Finding | None = None
    evidence: Evidence = field(default_factory=lambda: Evidence(Observation(0.0, {})))
    firmness: Firmness = frozenset()
    """The firmness with which places spoke against the finding, when it was found."""
    is_dealt_with: bool = False
    """True if nothing more is expected of the board that stands there."""
    is_one_believed: bool = False
    """True if the finding is what one sensor says against the others."""
    shown: Shown = field(default_factory=dict)
    known: TableKnowledge = field(default_factory=TableKnowledge)
    unseen: frozenset[Place] = frozenset()
    """Places of the last still that told nothing, and on which something would have been played, or a piece
    stood beside what nothing explained."""
    plies: int = 0
    """The number of plies for which it is known what is cleared."""

    @property
    def is_clear(self) -> bool:
        """Returns whether the board that was judged last is understood, or known not to be allowed."""
        return self.finding is None or self.finding.kind != "unclear"

    def reopened(self) -> Acceptance:
        """Judges the board anew, though it did not change."""
        return replace(self, board=None)

    def forgotten(self) -> Acceptance:
        """Forgets what was misread and whose turn is over: another game begins."""
        return replace(self, board=None, known=TableKnowledge())

    def ended(self, player: Player) -> Acceptance:
        """Judges the board anew, as that after a whole turn: its player says that the turn is over."""
        return self.knowing(ending=player).reopened()

    def knowing(self, **more: Any) -> Acceptance:
        """Returns the acceptance with more that is known of this game's boards."""
        return replace(self, known=replace(self.known, **more))

    def believed(self, session: Session) -> Acceptance:
        """Leaves out whatever speaks against the game, until it is read otherwise: the board stands right."""
        wrong = self.evidence.wrong(session.look)
        return self.knowing(misread={place: self.shown.get(place) for place in wrong})

    def say_left_out(self) -> str:
        """Says which places are known to be misread; '' for none."""
        named = ", ".join(sorted(self.known.misread))
        return say("Left out until they are read otherwise: {named}.", named=named) if named else ""


class Decision(NamedTuple):
    """The acceptance after a board was judged; the finding that is accepted now, if one is; and a notice for
    the players, '' for none."""

    acceptance: Acceptance
    accepted: AcceptedFinding | None = None
    notice: str = ""


def decide(state: Acceptance, case: BoardToJudge) -> Decision:
    """Decides about one board that held. Nothing is accepted while it has to wait, or when it was before."""
    held, look = case.held, case.belief.accepted.look
    board = _Board(held.told_apart, touched_places(held), find_odds(held.boards, look), _firmness(held, look))
    if board != state.board:
        plies = len(case.belief.accepted.plies)
        state = state.knowing(
            unexplained=keep_lasting(state.known.unexplained, held.told_apart),
            cleared=_cleared(state, held, case.belief.accepted),
        )
        state = replace(
            state, board=board, finding=None, is_dealt_with=False, shown=held.told_apart, plies=plies
        )
    if state.is_dealt_with:
        return Decision(state)
    notice = ""
    if state.finding is None or state.firmness != _firmness(held, state.finding.belief.accepted.look):
        limits = STILL if held.at_once else case.referee.limits
        state, notice = _judged(state, case, limits)
    finding = _finding_of(state)
    required, shown = wait_of(finding, state.evidence, held, case.belief, case.policy)
    if finding.kind == "begun" and case.is_begun:
        required = 0.0  # the card goes with the hands
    if shown < required:
        return Decision(state, notice=notice)
    if required and _may_be_found(finding):
        state, more = _judged(state, case, THOROUGH)
        notice = more or notice
    return _accepted(replace(state, is_dealt_with=True), case, notice)


def wait_of(
    finding: Finding, evidence: Evidence, held: Held, belief: Belief, policy: Policy
) -> tuple[float, float]:
    """Returns how long a finding has to be shown before it is accepted, and for how long it was (seconds):
    what speaks most against it counts."""
    if held.at_once or finding.kind == "same":
        return NO_WAIT
    if _speaks_for_itself(finding, evidence, held, belief, policy):
        return NO_WAIT
    if finding.is_ahead:
        return policy.ahead, _age(finding, held)
    if _is_faint(finding, evidence, held, policy):
        return policy.faint, _age(finding, held)
    if finding.kind not in ("begun", "refused"):
        return policy.grace, held.duration
    shown = _shown_for(finding, evidence, held, belief.accepted.look)
    if finding.slips >= policy.slips:
        return policy.grace, shown
    return (policy.piece_in_hand if _is_in_hand(held) else policy.slight_refusal), shown


def _judged(state: Acceptance, case: BoardToJudge, limits: Limits) -> tuple[Acceptance, str]:
    """Returns the acceptance with the referee's finding, and a notice for the players."""
    found = weigh(case._replace(referee=replace(case.referee, limits=limits)), state.known)
    judged = replace(
        state.knowing(misread=found.misread, ending=""),
        finding=found.finding,
        evidence=found.evidence,
        firmness=_firmness(case.held, found.finding.belief.accepted.look),
        is_one_believed=found.is_one_believed,
    )
    return judged, found.notice


def _cleared(state: Acceptance, held: Held, session: Session) -> frozenset[Place]:
    """Returns the places that hold nothing of an earlier turn any more: what stands there was put there."""
    before = state.known.cleared if state.plies == len(session.plies) else frozenset()
    gone = find_left_standing(session).keys() - session.look.keys()
    return before.union(place for place in gone if held.told_apart.get(place) == EMPTY)


def _finding_of(state: Acceptance) -> Finding:
    if state.finding is None:
        raise ValueError("no board was judged")
    return state.finding


def _accepted(state: Acceptance, case: BoardToJudge, notice: str) -> Decision:
    """Accepts a finding that was shown for long enough, unless a hand or a glimpse speaks against it."""
    held, finding, evidence = case.held, _finding_of(state), state.evidence
    look = case.belief.accepted.look
    unseen = _unseen_ends(finding, held, case.policy)
    is_hidden = bool(unseen - state.unseen)  # no hand stays from still to still
    state = replace(state, unseen=unseen)
    if (held.hand or is_hidden) and not _is_in_sight(finding, evidence, held, case.policy):
        return Decision(state.reopened() if is_hidden else state, notice=notice)
    if finding.kind in UNEXPLAINED:
        before, wrong = state.known.unexplained, evidence.wrong(look)
        state = state.knowing(unexplained={place: state.shown.get(place) for place in wrong})
        is_covered = held.at_once and len(wrong) > case.policy.many
        if is_covered and state.known.unexplained != before:
            finding = Finding("unclear", finding.belief)
    elif held.at_once:
        state = _with_misread(state, finding)
    if finding.kind == "unclear" and held.at_once:
        state = state.reopened()  # the same board on another still tells more
    duration = _shown_for(finding, evidence, held, look)
    return Decision(state, AcceptedFinding(finding, evidence, held.observation.source, duration), notice)


def _with_misread(state: Acceptance, finding: Finding) -> Acceptance:
    """Leaves out the places that speak against what is accepted, until they are read otherwise."""
    misread = finding.misread
    if finding.played:
        misread |= state.evidence.wrong(finding.belief.accepted.look)
    return state.knowing(misread={**state.known.misread, **{p: state.shown.get(p) for p in misread}})


def _may_be_found(finding: Finding) -> bool:
    """Returns whether more may be found by looking longer."""
    return finding.kind == "unclear" or not finding.is_exhaustive


def _is_in_sight(finding: Finding, evidence: Evidence, held: Held, policy: Policy) -> bool:
    """Returns whether something was played, beyond doubt, on places all of which can be seen, and each of
    which speaks for it: nothing else is accepted while a hand is over the board, and throws shadows."""
    if finding.kind != "played" or finding.withdrawn or finding.choices:
        return False
    if finding.lead < policy.doubtful_lead or _is_faint(finding, evidence, held, policy):
        return False
    changed = changed_places(finding).keys()
    return changed <= evidence.places and len(changed) >= policy.explains * len(finding.played)


def _unseen_ends(finding: Finding, held: Held, policy: Policy) -> frozenset[Place]:
    """Returns the places of which a still tells nothing, where something was played on them and hardly
    elsewhere, or where a piece stands while nothing explains the others: a hand that nobody noticed may be
    there."""
    seen = held.observation.readings
    if not held.at_once:
        return frozenset()
    if finding.kind in ("begun", "refused"):
        return frozenset(place for place in finding.belief.accepted.look if place not in seen)
    if finding.kind != "played":
        return frozenset()
    changed = changed_places(finding).keys()
    unseen = frozenset(p for p in changed if p not in seen or seen[p].spread <= DOUBT)
    return unseen if len(changed) - len(unseen) < policy.explains * len(finding.played) else frozenset()


def _speaks_for_itself(
    finding: Finding, evidence: Evidence, held: Held, belief: Belief, policy: Policy
) -> bool:
    """Returns whether nothing speaks for waiting."""
    if finding.kind not in ("played", "takeback"):
        return False
    if held.unaided or finding.is_ahead:
        return False  # no hand was seen, or a piece came before it left: something may be misread
    if finding.lead < policy.doubtful_lead or finding.doubt > DOUBT:
        return False
    if _is_faint(finding, evidence, held, policy) or _rests_on_one_place(evidence, belief.accepted):
        return False
    others_are_likely = bool(belief.rivals) or finding.belief.cost > policy.unlikely_cost
    return finding.is_exhaustive or not others_are_likely


def _rests_on_one_place(evidence: Evidence, session: Session) -> bool:
    """Returns whether one place that nobody is known to have touched is all that changed."""
    return evidence.timeline.touched is None and len(evidence.wrong(session.look)) == 1


def _is_faint(finding: Finding, evidence: Evidence, held: Held, policy: Policy) -> bool:
    """Returns whether a place where a piece would have come or gone hardly speaks for it, or only since the
    hands were gone. A touch that was felt speaks for every place."""
    if evidence.timeline.touched is not None:
        return False
    changed = changed_places(finding).items()
    moved = {place: bare(was) for place, (was, now) in changed if bare(was) != bare(now)}
    seen = moved.keys() & evidence.places
    if any(evidence.misfit(place, moved[place]) < policy.faint_misfit for place in seen):
        return True
    return _is_late(held, seen, policy)


def _is_late(held: Held, places: Collection[Place], policy: Policy) -> bool:
    """Returns whether any of these places changed when hands had been gone for a while."""
    if held.unaided or held.calm_since is None:
        return False
    gone = held.calm_since + policy.hold
    return any(held.seen_since.get(place, gone) > gone for place in places)


def _is_in_hand(held: Held) -> bool:
    """Returns whether the piece that was touched last was lifted, and may still be in a hand."""
    return bool(held.touches and held.touches[-1].lifted)


def _shown_for(finding: Finding, evidence: Evidence, held: Held, look: Mapping[Place, Look]) -> float:
    """Returns for how long the places that a finding rests on were seen so with no hand near (seconds),
    whatever happened elsewhere: those that it changes, or else those that speak against the game."""
    places = changes(look, finding.belief.accepted.look).keys() or evidence.wrong(look)
    if held.calm_since is None or not places:
        return held.duration
    since = (held.seen_since.get(place, held.since) for place in places)
    return max(held.duration, held.observation.time - max(held.calm_since, *since))


def _age(finding: Finding, held: Held) -> float:
    """Returns for how long the places that would have been played were seen so (seconds)."""
    since = (held.seen_since.get(place, held.since) for place in changed_places(finding))
    return held.observation.time - max(since, default=held.since)


def _firmness(held: Held, look: Mapping[Place, Look]) -> Firmness:
    """Returns how firmly each place speaks against this board. Doubt that grows is judged anew."""
    found = set()
    for place, reading in held.observation.readings.items():
        likeliest, expected = held.told_apart[place], look.get(place, EMPTY)
        if likeliest != expected:
            found.add((place, bisect(STEPS, reading.misfit(expected))))
    return frozenset(found)
