"""Continuations: finds what may have been played since, from each session that the game may be.

Sessions with their costs and the evidence of a board go in; `search` looks for stories that explain the
board; the sessions that these lead to come out as candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from companion.record.session import Entry, Session
from companion.referee.evidence.evidence import Evidence
from companion.referee.hypotheses.belief import Candidate
from companion.referee.hypotheses.histories import in_order_of_undone
from companion.referee.hypotheses.paths import carried, grip
from companion.referee.search.best_first import explain
from companion.referee.search.limits import Limits
from companion.referee.search.stories import Story


class Continued(NamedTuple):
    """Candidates, and whether these are all that there may be."""

    candidates: list[Candidate]
    is_exhaustive: bool


@dataclass(frozen=True)
class Continuations:
    """Finds how sessions may have gone on, within limits and by a clock."""

    limits: Limits
    clock: Callable[[], float]

    def find(
        self,
        sessions: Iterable[tuple[Session, float]],
        evidence: Evidence,
        seconds: float,
        most: float = inf,
    ) -> Continued:
        """Returns the candidates that go on from any of these sessions, none of them dearer than `most`.

        Each session comes with the nats that are known to speak against it. One that is over does not go on,
        but may fit as it is.
        """
        over: list[Candidate] = []
        going: list[tuple[Session, float]] = []
        for session, cost in sessions:
            if not session.outcome:
                going.append((session, cost))
                continue
            misfit = evidence.retold(session.look).board_misfit(session.look)
            if misfit <= self.limits.fit:
                # What was touched since speaks against it as against those that go on.
                timeline = evidence.timeline
                handling = timeline.astray(timeline.touched or ()) + timeline.hanging(session.look)
                over.append(Candidate(session, cost + misfit + handling, misfit))
        if not going:
            return Continued(over, True)

        began = self.clock()

        def spent() -> float:
            return (self.clock() - began) / seconds

        rules = going[0][0].rules
        roots = [(session.position, cost) for session, cost in going]
        explained = explain(rules, roots, evidence, self.limits, spent, most)
        played = [self._follow(*going[story.root], story, evidence) for story in explained.stories]
        return Continued([*over, *played], explained.is_exhaustive)

    def _follow(self, session: Session, cost: float, story: Story, evidence: Evidence) -> Candidate:
        """Returns a session, of such a cost, that goes on with a story."""
        again = _went_on(session, story, evidence)
        for action in in_order_of_undone(session, story.actions, story.position):
            session = session.apply(Entry("action", action, source=evidence.source, time=evidence.time))
        return Candidate(
            session,
            story.cost + again,
            story.misfit,
            is_chosen=story.cost_so_far - cost >= self.limits.first,
            marks=story.marks,
            is_ahead=story.ahead > 0,
        )


def _went_on(session: Session, story: Story, evidence: Evidence) -> float:
    """Returns what touches say against pieces that go on in a story from where they came to rest last."""
    rules = session.rules
    moves = carried(rules, story.actions)
    rests = {grip(rules, action)[-1:] for action in (*session.actions[-1:], *story.actions)}
    return sum(evidence.timeline.went_on(place, moves) for rest in rests for place in rest)
