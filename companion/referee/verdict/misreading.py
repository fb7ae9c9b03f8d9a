"""Misread boards: another story in place of the one that such a board led to, or its withdrawal.

Each belief remembers those that it grew from, and the board on which each was given up. Where what was
accepted looks odd now, the referee asks what else may have been played, had such a board been misread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from math import inf

from companion.core.game import EMPTY
from companion.record.session import Session
from companion.referee.evidence.evidence import Evidence
from companion.referee.evidence.looks import changes
from companion.referee.hypotheses.belief import Belief, Candidate
from companion.referee.hypotheses.histories import begins_with
from companion.referee.hypotheses.paths import ends
from companion.referee.search.limits import Limits
from companion.referee.verdict.continuation import Continuations
from companion.referee.verdict.finding import KEEP, Finding
from companion.referee.verdict.offence import offence_cost

CORRECTED = 3
"""Beliefs back that may have been left because of one misreading."""
UNDONE = 2.0
"""Nats: hands that break the rules undo by chance just what was accepted last, or do what looks allowed."""
ODD = 4.0
"""Nats: where what was played is as unlikely as that, what was accepted before may have been misread."""


def is_odd(belief: Belief, candidates: list[Candidate]) -> bool:
    """Returns whether nothing likely goes on from the accepted session, or that one corrected another."""
    accepted = belief.accepted
    if belief.past and not begins_with(accepted, belief.past[0].belief.accepted):
        return True
    best = min(candidates, key=lambda candidate: candidate.cost, default=None)
    return best is None or best.cost > ODD or not begins_with(best.session, accepted)


def reread(
    belief: Belief, evidence: Evidence, known: list[Candidate], continuations: Continuations
) -> list[Candidate]:
    """Returns the sessions that are possible if the board was misread when the last belief was left.

    The beliefs before it that it corrected count too, but not what a player has answered since. Where
    candidates are known that explain the board, and between stills, hands may also have slipped then, and
    put it right since.
    """
    found: list[Candidate] = []
    boards: list[Evidence] = []
    later, cost = belief, 0.0
    limits, most, slip = continuations.limits, KEEP, 0.0 if known else inf
    if limits.slips and not known:
        most, slip = max(most, offence_cost(limits, evidence, belief.accepted.look)), UNDONE
    for memory in takewhile(lambda memory: not memory.is_answered, belief.past[:CORRECTED]):
        cost += later.cost
        boards.append(memory.seen)
        restored = changes(belief.accepted.look, memory.belief.accepted.look)
        reading = _Rereading(continuations, evidence.untouched(restored), boards, slip, most)
        found += _levelled(list(reading.instead_of(memory.belief, cost)), known)
        if begins_with(later.accepted, memory.belief.accepted):
            break
        later = memory.belief
    return found


@dataclass(frozen=True, slots=True)
class _Rereading:
    """The boards that may have been misread, and the evidence of what stands there now."""

    continuations: Continuations
    evidence: Evidence
    boards: list[Evidence]
    slip: float
    """The cost of hands that broke the rules, and made a board that looks like the accepted one; nats."""
    most: float
    """The most that another story may cost beyond the accepted one; nats."""

    def instead_of(self, before: Belief, cost: float) -> Iterator[Candidate]:
        """Yields what was played since an earlier belief, in place of what was accepted at such a cost."""
        most = self.most + cost + self.evidence.timeline.handless()
        known = len(before.accepted.plies)
        evidence = self.evidence.unread_since(before.accepted.look)
        played = self.continuations.find(before.all(), evidence, self.continuations.limits.beside, most)
        for candidate in played.candidates:
            misreading = max(self._misreading(candidate.session, known, board) for board in self.boards)
            if candidate.cost + misreading <= most:
                yield replace(candidate, cost=candidate.cost + misreading - cost)

    def _misreading(self, session: Session, known: int, board: Evidence) -> float:
        """Returns the least misfit between a board and what a session led to after so many plies."""
        rules, positions = session.rules, session.positions()[known:]
        if not positions:
            return inf  # a rival may be shorter than the session that was accepted
        first_look = rules.look(positions[0])
        least = inf
        for count, position in enumerate(positions):
            look = rules.look(position)
            hands = ends(rules, session.actions[known : known + count])
            misfit = board.board_misfit(look) + board.mark_misfit(rules.marks(position), look)
            misfit += board.timeline.stray(hands, changes(first_look, look))
            misfit = min(misfit, offence_cost(self.continuations.limits, board, look) + self.slip)
            least = min(least, misfit)
        return least


def _levelled(found: list[Candidate], known: list[Candidate]) -> list[Candidate]:
    """Returns the candidates found by rereading, with costs that can be compared to those of the known ones.

    A story that is found in both ways is no likelier for it; the others keep their distance from it.
    """
    costs = {candidate.session.actions: candidate.cost for candidate in known}
    both = [c for c in found if c.session.actions in costs]
    gain = max((costs[c.session.actions] - c.cost for c in both), default=0.0)
    return [replace(c, cost=c.cost + max(0.0, gain)) for c in found]


def withdrawal(belief: Belief, evidence: Evidence, limits: Limits) -> Finding | None:
    """Returns the withdrawal of what was accepted last, where that was more likely misread.

    So it is where all that is wrong now is again as it was before, and no hand was near. What hands did
    against the rules meanwhile is seen after that.
    """
    memory = next(iter(belief.past), None)
    if memory is None or memory.is_answered or not evidence.timeline.is_unaided:
        return None
    before, accepted = memory.belief.accepted, belief.accepted
    if not begins_with(accepted, before):
        return None
    wrong = evidence.wrong(accepted.look)
    if evidence.wrong(before.look) & wrong:
        return None
    misread = sum(memory.seen.misfit(place, before.look.get(place, EMPTY)) for place in wrong)
    stays = (
        belief.cost + offence_cost(limits, evidence, accepted.look) + evidence.timeline.handless() + UNDONE
    )
    if offence_cost(limits, evidence, before.look) + misread >= stays:
        return None
    back = belief.followed_by(before, memory.belief.rivals, 0.0, evidence)
    return Finding("takeback", back, withdrawn=len(accepted.plies) - len(before.plies))
