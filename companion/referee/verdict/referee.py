"""The referee: it judges what an observation means for a game.

The referee accepts one session, and keeps others that the evidence so far cannot tell from it (a promotion
that no camera sees). What comes next settles them: when another fits better, the accepted plies that differ
are withdrawn, and the other's take their place.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import inf

from companion.core.game import EMPTY
from companion.record.session import Session
from companion.referee.evidence.evidence import Evidence
from companion.referee.evidence.looks import bare, changes
from companion.referee.hypotheses.belief import Belief, Candidate
from companion.referee.hypotheses.choices import ASK
from companion.referee.hypotheses.hidden_alternatives import hidden_alternatives
from companion.referee.search.limits import Limits
from companion.referee.verdict.beginning import gone_on
from companion.referee.verdict.continuation import Continuations, Continued
from companion.referee.verdict.doubt import (
    beside_misreadings,
    beside_unexplained,
    held_in_doubt,
    misread_stories,
)
from companion.referee.verdict.finding import KEEP, Finding, accept_likeliest
from companion.referee.verdict.misreading import is_odd, reread, withdrawal
from companion.referee.verdict.offence import offence_cost
from companion.referee.verdict.refusal import begun, not_exchanged, refuse
from companion.referee.verdict.takeback import changed_by, find_partial_takebacks, find_takebacks

FIRM_MISFIT = 5.0
"""Nats: a place that speaks so strongly against what should stand there is believed."""
LITTLE = 1e-6
"""Nats: what costs less is as likely."""
RETURN = 1.1
"""Nats: players who mean to be where they were take back more often than they play on to it."""


@dataclass(frozen=True)
class Referee:
    """Explains observations.

    It has no state but its limits and the clock that measures its budget. That is its own thread's, so that
    the referee finds the same on a busy machine.
    """

    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = time.thread_time
    allows: Callable[[Session], bool] = lambda session: True
    """Tells of the likeliest session whether it may be. What only an owner of secrets knows is asked here, at
    last: it makes no other session likelier. What may not be is refused, as all see it."""

    def judge(self, belief: Belief, evidence: Evidence) -> Finding:
        """Returns what the observation means, given what is believed so far."""
        found = self._candidates(belief, evidence)
        stories = self._doubtful(belief, evidence, found.candidates)
        explained = self._explained(belief, evidence, found, stories)
        return explained or self._unexplained(belief, evidence, found, stories)

    def explain(self, belief: Belief, evidence: Evidence) -> Finding | None:
        """Returns what was done, where something that is allowed explains the board; None where nothing does.
        What was begun then, or which rule was broken, is not asked: that takes as long again."""
        found = self._candidates(belief, evidence)
        stories = self._doubtful(belief, evidence, found.candidates)
        return self._explained(belief, evidence, found, stories)

    def _explained(
        self, belief: Belief, evidence: Evidence, found: Continued, stories: list[Candidate]
    ) -> Finding | None:
        """Returns the finding of the likeliest candidate, where no story of misread places is likelier."""
        best = min((candidate.cost for candidate in found.candidates), default=inf)
        if not found.candidates or any(best > story.cost for story in stories):
            return None
        finding = accept_likeliest(belief, evidence, found.candidates, self.limits.rivals)
        finding = not_exchanged(finding, belief, evidence) or finding
        is_misread = bool(evidence.wrong_pieces(finding.belief.accepted.look) - finding.misread)
        if not self.limits.slips and (is_misread or _are_several_unseen(finding, evidence)):
            # Likelier than a whole action and a misread place is one of which each place shows a stage,
            # and likelier than several of one player's is one for which pieces were lifted. But not on a
            # still: a hand that holds a piece would be in the picture.
            started = begun(belief, evidence)
            if started and not started.after and (is_misread or not started.slips):
                finding = started
        if not self.allows(finding.belief.accepted):
            finding = refuse(belief, evidence)
        return replace(finding, is_exhaustive=found.is_exhaustive)

    def _unexplained(
        self, belief: Belief, evidence: Evidence, found: Continued, stories: list[Candidate]
    ) -> Finding:
        """Returns what the board means that nothing allowed explains well enough."""
        broken = offence_cost(self.limits, evidence, belief.accepted.look)
        belief = held_in_doubt(belief, evidence, stories, broken)
        if not _is_firm(belief, evidence):
            return Finding("unclear", belief)
        other = withdrawal(belief, evidence, self.limits)
        if other is None and _is_near(belief):
            return Finding("unclear", belief)
        other = other or begun(belief, evidence)
        if other is None and found.candidates:
            return Finding("unclear", belief)
        return replace(other or refuse(belief, evidence), is_exhaustive=found.is_exhaustive)

    def _candidates(self, belief: Belief, evidence: Evidence) -> Continued:
        """Returns all that may have happened, and whether all that may have been played was found."""
        back = self._taken_back(belief, evidence)
        played, is_exhaustive = self._played(belief, evidence, may_be_back=bool(back))
        beside, _ = beside_misreadings(belief, evidence, self._continuations)
        fresh = [beside_unexplained(story, belief, self.limits) for story in (*back, *played)]
        candidates = self._likely([*fresh, *beside], belief, evidence)
        candidates += self._played_instead(belief, evidence, candidates)
        if not candidates:
            candidates = self._played_otherwise(belief, evidence)
        return Continued(_with_kinds(candidates, evidence), is_exhaustive)

    def _taken_back(self, belief: Belief, evidence: Evidence) -> list[Candidate]:
        """Returns the candidates in which hands took plies back; none for a turn that is over."""
        if self.limits.turn_is_over:
            return []
        fit = self.limits.fit
        return [*find_takebacks(belief, evidence, fit), *find_partial_takebacks(belief, evidence, fit)]

    def _played(self, belief: Belief, evidence: Evidence, may_be_back: bool) -> Continued:
        """Returns what may have been played from any session that is held.

        Where the board shows an earlier position, there is less time, and free choices that lead there are
        less likely than a takeback; an answer that was owed is not.
        """
        seconds = self.limits.beside if may_be_back else self.limits.seconds
        played, is_exhaustive = self._continuations.find(belief.all(), evidence, seconds)
        further = [*gone_on(belief, evidence)]
        if further:
            # Their players hold what is believed of the last board, and have gone on since.
            seconds = min(seconds, self.limits.revision)
            found = self._continuations.find(further, evidence.as_believed(), seconds)
            played, is_exhaustive = [*played, *found.candidates], is_exhaustive and found.is_exhaustive
        if may_be_back:
            played = [replace(c, cost=c.cost + RETURN) if c.is_chosen else c for c in played]
        return Continued(played, is_exhaustive)

    def _doubtful(self, belief: Belief, evidence: Evidence, known: list[Candidate]) -> list[Candidate]:
        """Returns what may have been played had a few places been misread, where nothing likely explains the
        board."""
        if not self.limits.slips or not is_odd(belief, known):
            return []
        most = offence_cost(self.limits, evidence, belief.accepted.look) + 2 * KEEP
        stories = misread_stories(belief, evidence, self._continuations)
        return [story for story in stories if story.cost <= most]

    def _played_instead(self, belief: Belief, evidence: Evidence, known: list[Candidate]) -> list[Candidate]:
        """Returns the candidates that replace what was accepted on a board that may have been misread."""
        if self.limits.turn_is_over or not is_odd(belief, known):
            return []
        most = KEEP
        if not known:
            most = offence_cost(self.limits, evidence, belief.accepted.look) + evidence.timeline.handless()
        return [c for c in reread(belief, evidence, known, self._continuations) if c.cost <= most]

    def _played_otherwise(self, belief: Belief, evidence: Evidence) -> list[Candidate]:
        """Returns the likeliest candidate that assumes another choice where no sensor tells choices apart."""
        half = self.limits.revision / 2
        end = self.clock() + half
        alternatives = hidden_alternatives(belief.accepted)
        others = list(takewhile(lambda _: self.clock() < end, alternatives))
        played = self._continuations.find(others, evidence, half).candidates
        return self._likely(played[:1], belief, evidence)

    @property
    def _continuations(self) -> Continuations:
        return Continuations(self.limits, self.clock)

    def _likely(self, candidates: list[Candidate], belief: Belief, evidence: Evidence) -> list[Candidate]:
        """Returns the candidates that are at least about as likely as that hands broke the rules."""
        accepted = belief.accepted
        broken = offence_cost(self.limits, evidence, accepted.look)
        marks = evidence.mark_misfit(accepted.rules.marks(accepted.position), accepted.look)

        def is_likely(candidate: Candidate) -> bool:
            # Markers that fit the accepted board no better speak against broken rules there as well.
            worse = max(0.0, candidate.marks - marks)
            cost = candidate.cost - candidate.marks + worse
            return cost <= broken + max(0.0, self.limits.fit - worse)

        return [candidate for candidate in candidates if is_likely(candidate)]


def _with_kinds(candidates: list[Candidate], evidence: Evidence) -> list[Candidate]:
    """Returns the candidates with the costs of pieces of other kinds than a sensor tells, where these differ.

    It tells stories apart that end alike, and refuses none: a queen may stand in for a king.
    """
    if not evidence.kinds:
        return candidates
    costs = [evidence.kind_misfit(c.session.rules.pieces(c.session.position)) for c in candidates]
    least = min(costs, default=0.0)
    return [replace(c, cost=c.cost + cost - least) for c, cost in zip(candidates, costs, strict=True)]


def _are_several_unseen(finding: Finding, evidence: Evidence) -> bool:
    """Returns whether several actions that move pieces were found, all of one player, and nothing was seen
    between them. To pass the turn, or to say which ternion is meant, takes no hand."""
    session, count = finding.belief.accepted, len(finding.played)
    known = len(session.plies) - count
    done = [n for n in range(known, len(session.plies)) if _moves_pieces(session, n)]
    if len(done) < 2 or len({session.plies[n].player for n in done}) > 1:
        return False
    wrong = evidence.wrong_pieces(session.rules.look(session.positions()[known]))
    between = changed_by(session, known, len(session.plies)) - wrong
    return not any(evidence.timeline.was_there(place, wrong) for place in between)


def _moves_pieces(session: Session, n: int) -> bool:
    """Returns whether ply n moves pieces; markers alone are laid in passing."""
    before, after = (session.rules.look(position) for position in session.positions()[n : n + 2])
    return any(bare(was) != bare(now) for was, now in changes(before, after).values())


def _is_near(belief: Belief) -> bool:
    """Returns whether something that may have been done on the board is about as likely as that hands broke
    the rules, or that nothing was done is likelier."""
    look = belief.accepted.look
    return any(story.cost < (ASK if story.session.look != look else LITTLE) for story in belief.doubtful)


def _is_firm(belief: Belief, evidence: Evidence) -> bool:
    """Returns whether any place speaks so strongly against the accepted board that it is believed."""
    looks = belief.accepted.look
    return any(evidence.misfit(place, looks.get(place, EMPTY)) >= FIRM_MISFIT for place in evidence.places)
