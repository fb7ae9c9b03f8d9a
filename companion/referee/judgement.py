"""What an observation means for a game: played, taken back, not allowed, or not clear yet.

The referee believes in one session, the one that it has told, and keeps others that the evidence so far
cannot tell from it (a promotion that no camera sees). What comes next settles them: when another fits
better, what was told is withdrawn and said anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from math import exp, inf
from typing import Any, Literal

from companion.core import EMPTY, Action, Breach, Look, Place
from companion.referee.blame import Reason, blame, untimely
from companion.referee.candidate import Candidate
from companion.referee.choice import Belief, align, begins, choices
from companion.referee.evidence import DOUBT, Evidence
from companion.referee.explain import Story, explain
from companion.referee.guide import GuideStep, guide, say_differences
from companion.referee.limits import Limits
from companion.referee.looks import changes
from companion.referee.paths import ends
from companion.referee.revise import revisions
from companion.referee.takeback import partly_taken_back, taken_back
from companion.session import Entry, Session, common_plies

FIRM = 5.0
"""Nats: a place that speaks so strongly against what should stand there is believed."""
KEEP = 6.0
"""Nats: a rival this much less likely than the best story is dropped."""
TELLS = 0.5
"""Nats between misfits: evidence that tells two stories apart."""
RETURN = 1.1
"""Nats: players who mean to be where they were take back more often than they play on to it."""
CORRECTED = 3
"""Beliefs back that may have been left because of one misreading."""
UNDONE = 2.0
"""Nats: hands that break the rules undo by chance just what was told last."""
ODD = 4.0
"""Nats: where what was played is as unlikely as that, what was told before may have been misread."""
Kind = Literal["same", "played", "takeback", "refused", "unclear"]


@dataclass(frozen=True)
class Finding:
    """What the referee makes of an observation.

    `withdrawn` plies of the told session go, then `played` come; a takeback has only the former.
    `choices` are the equals that a player should choose among, the likeliest first; `lead` is how many nats
    the story is ahead of the next that evidence, with time, would tell from it. A refusal has the
    `attempt` that it was taken for, the `breaches`, and the `steps` that put the board right; `reason` and
    `words` where it would have been another player's to do.
    """

    kind: Kind
    belief: Belief
    withdrawn: int = 0
    played: tuple[Action, ...] = ()
    certainty: float = 1.0
    lead: float = inf
    choices: tuple[tuple[Action, ...], ...] = ()
    attempt: str = ""
    breaches: tuple[Breach, ...] = ()
    steps: tuple[GuideStep, ...] = ()
    reason: Reason = "refused"
    words: str = ""
    after: tuple[Action, ...] = ()
    """Actions before the attempt that were allowed."""
    facts: str = ""
    """What stands otherwise than it should, in words, where that is no action at all."""
    slips: int = 0
    """Places that the nearest legal board leaves unexplained."""
    doubt: float = 0.0
    """Nats that pieces and markers still speak against what is told: something is misread."""
    is_ahead: bool = False
    """Whether a piece would have come before it left."""
    is_whole: bool = True
    """Whether all that could explain the board was looked at."""


@dataclass(frozen=True)
class Referee:
    """Explains observations; stateless but for its limits and the clock that measures its budget: its own
    thread's, so that it finds the same on a busy machine."""

    limits: Limits = field(default_factory=Limits)
    clock: Callable[[], float] = time.thread_time

    def judge(self, belief: Belief, evidence: Evidence) -> Finding:
        """What the observation means, given what is believed so far."""
        candidates, is_whole = self._explained(belief, evidence)
        if candidates:
            found = _told(belief, evidence, _ranked(belief, candidates), self.limits.rivals)
            return replace(found, is_whole=is_whole)
        looks = belief.told.look
        if all(evidence.misfit(p, looks.get(p, EMPTY)) < FIRM for p in evidence.places):
            return Finding("unclear", belief)
        found = self._unsaid(belief, evidence) or refuse(belief, evidence.seen(looks))
        return replace(found, is_whole=is_whole)

    def _unsaid(self, belief: Belief, evidence: Evidence) -> Finding | None:
        """The withdrawal of what was told last, where that was rather misread: what no hand touched since is
        again as it was before. What hands did against the rules is seen then."""
        memory = next(iter(belief.past), None)
        if memory is None or memory.is_answered or not evidence.course.is_unaided:
            return None
        before, told = memory.belief.told, belief.told
        if not begins(told, before):
            return None
        looks, wrong = before.look, evidence.wrong(told.look)
        again = all(evidence.misfit(place, looks.get(place, EMPTY)) <= DOUBT for place in wrong)
        misread = sum(memory.seen.misfit(place, looks.get(place, EMPTY)) for place in wrong)
        stays = belief.weight + self._offence(evidence, told.look) + evidence.course.handless() + UNDONE
        if not again or self._offence(evidence, looks) + misread >= stays:
            return None
        back = belief.followed_by(before, memory.belief.rivals, 0.0, evidence)
        return Finding("takeback", back, withdrawn=len(told.plies) - len(before.plies))

    def _explained(self, belief: Belief, evidence: Evidence) -> tuple[list[Candidate], bool]:
        """What may have happened, and whether all of it that goes on from what is held was found."""
        limits, told = self.limits, belief.told
        earlier = [] if limits.whole else self._earlier(belief, evidence)
        seconds = limits.beside if earlier else limits.seconds
        forward, is_whole = self._forward(belief.all(), evidence, seconds)
        candidates = [*earlier, *forward]
        if earlier:
            candidates = [_unlike_return(c) for c in candidates]
        candidates = [c for c in candidates if self._is_likelier(c, told, evidence)]
        if not limits.whole and _is_odd(belief, candidates):
            doubt = KEEP if candidates else self._offence(evidence, told.look) + evidence.course.handless()
            reread = self._reread(belief, evidence, candidates)
            candidates += [c for c in reread if c.weight <= doubt]
        revised = [] if candidates else self._revised(told, evidence)[:1]
        return [*candidates, *(c for c in revised if self._is_likelier(c, told, evidence))], is_whole

    def _earlier(self, belief: Belief, evidence: Evidence) -> list[Candidate]:
        """What may have been taken back by hand, wholly or in part."""
        fit = self.limits.fit
        return [*taken_back(belief, evidence, fit), *partly_taken_back(belief, evidence, fit)]

    def _is_likelier(self, candidate: Candidate, told: Session, evidence: Evidence) -> bool:
        """Whether it is at least about as likely as that hands broke the rules: not where markers speak
        against it that fit what is told."""
        marks = evidence.mark_misfit(told.rules.marks(told.position), told.look)
        worse = max(0.0, candidate.doubt - candidate.misfit - marks)
        most = self._offence(evidence, told.look) + max(0.0, self.limits.fit - worse)
        return candidate.weight <= most

    def _offence(self, evidence: Evidence, looks: Mapping[Place, Look]) -> float:
        """How unlikely it is that hands broke the rules, where this board should stand."""
        return self.limits.broken(evidence.wrong(looks))

    def _forward(
        self,
        sessions: Iterable[tuple[Session, float]],
        evidence: Evidence,
        seconds: float,
        most: float = inf,
    ) -> tuple[list[Candidate], bool]:
        """What was played, from any of these sessions, of which so many nats are known to speak against; and
        whether that is all that may have been."""
        found: list[Candidate] = []
        going: list[tuple[Session, float]] = []
        for session, cost in sessions:
            if not session.outcome:
                going.append((session, cost))
            elif (misfit := evidence.total(session.look)) <= self.limits.fit:
                found.append(Candidate(session, cost + misfit, misfit))
        if not going:
            return found, True
        began = self.clock()

        def spent() -> float:
            return (self.clock() - began) / seconds

        rules, roots = going[0][0].rules, [(session.position, cost) for session, cost in going]
        explained = explain(rules, roots, evidence, self.limits, spent, most)
        stories = [self._follow(*going[story.root], story, evidence) for story in explained.stories]
        return [*found, *stories], explained.is_whole

    def _follow(self, session: Session, cost: float, story: Story, evidence: Evidence) -> Candidate:
        """The session, of such a cost, that goes on with a story."""
        for action in story.actions:
            session = session.apply(Entry("action", action, source=evidence.source, time=evidence.time))
        return Candidate(
            session,
            story.weight,
            story.misfit,
            is_chosen=story.cost - cost >= self.limits.first,
            doubt=story.misfit + story.marks,
            is_ahead=story.ahead > 0,
        )

    def _reread(self, belief: Belief, evidence: Evidence, known: list[Candidate]) -> list[Candidate]:
        """What was played, had the board been misread, or (where anything is known to explain it) hands
        slipped, when the last belief was left, or those before it that it corrected; but for what a player
        has answered since."""
        found: list[Candidate] = []
        boards: list[Evidence] = []
        later, weight = belief, 0.0
        for memory in takewhile(lambda memory: not memory.is_answered, belief.past[:CORRECTED]):
            weight += later.weight
            boards.append(memory.seen)
            restored = changes(belief.told.look, memory.belief.told.look)
            felt = evidence.untouched(restored)
            instead = list(self._instead(memory.belief, boards, weight, felt, slips=bool(known)))
            found += _levelled(instead, known)
            if begins(later.told, memory.belief.told):
                break
            later = memory.belief
        return found

    def _instead(
        self, before: Belief, boards: list[Evidence], weight: float, evidence: Evidence, slips: bool
    ) -> Iterator[Candidate]:
        """What was played since an earlier belief, beside what is told by `weight`."""
        most, known = KEEP + weight + evidence.course.handless(), len(before.told.plies)
        for candidate in self._forward(before.all(), evidence, self.limits.beside, most)[0]:
            doubt = max(self._misreading(candidate.session, known, seen, slips) for seen in boards)
            if candidate.weight + doubt <= most:
                yield replace(candidate, weight=candidate.weight + doubt - weight)

    def _misreading(self, session: Session, known: int, seen: Evidence, slips: bool) -> float:
        """How badly what was seen and felt before fits the best board of a session from so many plies on."""
        rules, before = session.rules, session.positions()[known:]
        doubts = []
        for count, position in enumerate(before):
            look = rules.look(position)
            hands = ends(rules, session.actions[known : known + count])
            doubt = seen.total(look) + seen.mark_misfit(rules.marks(position), look)
            doubt += seen.course.stray(hands, changes(rules.look(before[0]), look))
            doubts.append(min(doubt, self._offence(seen, look)) if slips else doubt)
        return min(doubts, default=inf)

    def _revised(self, told: Session, evidence: Evidence) -> list[Candidate]:
        """What was played, had something that nobody could see been otherwise."""
        half = self.limits.revision / 2
        end = self.clock() + half
        others = list(takewhile(lambda _: self.clock() < end, revisions(told)))
        return self._forward(others, evidence, half)[0]


def _levelled(reread: list[Candidate], known: list[Candidate]) -> list[Candidate]:
    """What was read anew, weighed as what goes on from what is told: a story that is found in both ways is
    no likelier for it, and others are as far from it as they were read."""
    weights = {candidate.session.actions: candidate.weight for candidate in known}
    both = [c for c in reread if c.session.actions in weights]
    gain = max((weights[c.session.actions] - c.weight for c in both), default=0.0)
    return [replace(c, weight=c.weight + max(0.0, gain)) for c in reread]


def _is_odd(belief: Belief, candidates: list[Candidate]) -> bool:
    """Whether nothing likely goes on from what is told, or that was told instead of something else."""
    told, best = belief.told, min(candidates, key=lambda c: c.weight, default=None)
    corrects = bool(belief.past) and not begins(told, belief.past[0].belief.told)
    return corrects or best is None or best.weight > ODD or not begins(best.session, told)


def _ranked(belief: Belief, candidates: list[Candidate]) -> list[Candidate]:
    """The likeliest first; of equals the one of which most was told: nothing is withdrawn for an equal."""
    return sorted(candidates, key=lambda c: (round(c.weight, 3), -common_plies(c.session, belief.told)))


def _unlike_return(candidate: Candidate) -> Candidate:
    """Where the board shows an earlier position, a story of free choices that leads there is less likely
    than a takeback; an answer that was owed is not."""
    return replace(candidate, weight=candidate.weight + RETURN) if candidate.is_chosen else candidate


def refuse(belief: Belief, seen: Mapping[Place, Look]) -> Finding:
    """The refusal of a board that no legal action explains: `seen` is what stands there."""
    told = belief.told
    should = told.look
    steps = guide(told.game.board, should, seen)
    if early := untimely(told, seen):
        return Finding("refused", belief, attempt=early.attempt, breaches=early.breaches, steps=steps,
                       reason=early.reason, words=early.words, slips=2)  # fmt: skip
    found = blame(told, seen)
    first = found.breaches[0]
    slips = len(first.sites) if first.rule == "GEN-4" else len(steps) + 1
    facts = say_differences(should, seen, first.sites) if first.rule == "GEN-4" else ""
    return Finding("refused", belief, attempt=found.attempt, breaches=found.breaches, steps=steps,
                   slips=slips, after=found.after, facts=facts)  # fmt: skip


def _told(belief: Belief, evidence: Evidence, candidates: list[Candidate], most: int) -> Finding:
    """The finding for the likeliest of several sessions, of which so many are held at most."""
    best, *others = _distinct(candidates)
    kept = [c for c in others if c.weight - best.weight < KEEP][: most - 1]
    rivals = ((align(c.session, best.session), c.weight - best.weight) for c in kept)
    after = belief.followed_by(best.session, tuple(rivals), max(0.0, best.weight), evidence)
    before = belief.told
    common = common_plies(before, best.session)
    withdrawn, played = len(before.plies) - common, best.session.actions[common:]
    kind: Kind = "played" if played else "takeback" if withdrawn else "same"
    return Finding(
        kind,
        after,
        withdrawn,
        played,
        certainty=_certainty(best, kept),
        lead=min((c.weight - best.weight for c in kept if abs(c.misfit - best.misfit) > TELLS), default=inf),
        choices=() if kind == "same" else choices(after),
        doubt=best.doubt,
        is_ahead=best.is_ahead,
    )


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Of candidates from which the same may follow the likeliest; what merely goes on from one of them,
    unseen, will be found again."""
    found: dict[object, Candidate] = {}
    for candidate in candidates:
        session = candidate.session
        future = session.rules.future
        if all(future(position) not in found for position in _unseen_last(session)):
            found[future(session.position)] = candidate
    return list(found.values())


def _unseen_last(session: Session) -> Iterator[Any]:
    """The positions, from the last one back, that differ by nothing that hands did or a camera sees."""
    rules, plies = session.rules, session.plies
    yield session.position
    for n in reversed(range(len(plies))):
        before = plies[n - 1].after if n else session.first
        if rules.path(plies[n].action) or rules.look(before) != session.look:
            return
        yield before


def _certainty(best: Candidate, kept: list[Candidate]) -> float:
    rivals = sum(exp(best.weight - c.weight) for c in kept)
    return exp(-max(0.0, best.weight) / 20) / (1 + rivals)
