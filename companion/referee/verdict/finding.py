"""Findings: the meaning of an observation for a game, made of the sessions that explain it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp, inf
from typing import Any, Literal

from companion.core.game import Action, Breach, Place
from companion.record.session import Session, common_plies
from companion.referee.evidence.evidence import Evidence
from companion.referee.hypotheses.belief import Belief, Candidate
from companion.referee.hypotheses.choices import choices
from companion.referee.hypotheses.histories import align
from companion.referee.verdict.beginning import Beginning
from companion.referee.verdict.guide import GuideStep
from companion.referee.verdict.offence import Reason

KEEP = 6.0
"""Nats: a rival this much less likely than the best story is dropped."""
TELLS = 0.5
"""Nats between misfits: evidence that tells two stories apart."""
UNSURE = 20
"""Nats: how unlikely a story is, by which the certainty falls to a factor of e."""
MOST_CERTAIN = 0.9999
"""The most that is certain of what sensors report: 1 is what somebody entered or answered."""
Kind = Literal["same", "played", "takeback", "begun", "refused", "unclear"]


@dataclass(frozen=True)
class Finding:
    """The referee's conclusion from an observation.

    `withdrawn` plies of the accepted session go, then `played` come; a takeback has only the former.
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
    begun: tuple[Beginning, ...] = ()
    """The actions of which the board may be the beginning; its `steps` are left of all of them."""
    slips: int = 0
    """Places that the nearest legal board leaves unexplained."""
    doubt: float = 0.0
    """Nats that pieces and markers still speak against the accepted board: something is misread."""
    is_ahead: bool = False
    """True if a piece would have come before it left."""
    is_exhaustive: bool = True
    """True if all that could explain the board was looked at."""
    misread: frozenset[Place] = frozenset()
    """The places that are misread if this is so, as they were on the board before, or if a rival is."""
    broken: Evidence | None = None
    """The board before on which hands broke the rules if this is so, and have put that right since."""


def accept_likeliest(
    belief: Belief, evidence: Evidence, candidates: Iterable[Candidate], most: int
) -> Finding:
    """Returns the finding that accepts the likeliest candidate; of the others some are kept as rivals.

    `most` is the number of sessions that are held at once, the accepted one among them.
    """
    best, *others = _distinct(_ranked(belief, candidates))
    kept = [c for c in others if c.cost - best.cost < KEEP][: most - 1]
    rivals = tuple((align(c.session, best.session), c.cost - best.cost) for c in kept)
    after = belief.followed_by(best.session, rivals, max(0.0, best.cost), evidence)

    common = common_plies(belief.accepted, best.session)
    withdrawn = len(belief.accepted.plies) - common
    played = best.session.actions[common:]
    kind: Kind = "played" if played else "takeback" if withdrawn else "same"

    told_apart = [c for c in kept if abs(c.misfit - best.misfit) > TELLS]
    return Finding(
        kind,
        after,
        withdrawn,
        played,
        certainty=certainty(best.cost, [c.cost - best.cost for c in kept]),
        lead=min((c.cost - best.cost for c in told_apart), default=inf),
        choices=() if kind == "same" else choices(after),
        doubt=best.doubt,
        is_ahead=best.is_ahead,
        misread=frozenset[Place]().union(*(c.misread for c in (best, *kept))),
        broken=best.broken,
    )


def _ranked(belief: Belief, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Returns the candidates, the likeliest first.

    Of equals the one goes first of which most was accepted: nothing is withdrawn for an equal.
    """
    return sorted(candidates, key=lambda c: (round(c.cost, 3), -common_plies(c.session, belief.accepted)))


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Returns the likeliest of those candidates from which the same may follow.

    A candidate that merely goes on from another one, unseen, is dropped too: it will be found again.
    """
    found: dict[object, Candidate] = {}
    for candidate in candidates:
        session = candidate.session
        future = session.rules.future
        if all(future(position) not in found for position in _unseen_last(session)):
            found[future(session.position)] = candidate
    return list(found.values())


def _unseen_last(session: Session) -> Iterator[Any]:
    """Yields the positions, from the last one back, between which hands did nothing and nothing shows."""
    rules, plies = session.rules, session.plies
    yield session.position
    for n in reversed(range(len(plies))):
        before = plies[n - 1].after if n else session.first
        if rules.path(plies[n].action) or rules.look(before) != session.look:
            return
        yield before


def certainty(cost: float, rivals: Iterable[float]) -> float:
    """Returns how sure a story of such a cost is beside rivals that cost so much more (nats)."""
    return min(MOST_CERTAIN, exp(-max(0.0, cost) / UNSURE) / (1 + sum(exp(-more) for more in rivals)))
