"""Doubtful stories: what may have been played, had a few places of a board been misread.

A board that no likely story explains is not forgotten. The stories that explain all but a few of its places
are held until the next one: what goes on from one of them confirms it, and what goes on from none does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.core.game import Look, Place
from companion.record.session import common_plies
from companion.referee.evidence.evidence import CAP, Evidence
from companion.referee.hypotheses.belief import Belief, Candidate, Weighed
from companion.referee.search.limits import Limits
from companion.referee.verdict.continuation import Continuations, Continued
from companion.referee.verdict.offence import offence_cost
from companion.referee.verdict.takeback import find_takebacks

MOST_STORIES = 12
"""So many stories are held."""
Misread = Mapping[Place, Look]


def beside_misreadings(belief: Belief, evidence: Evidence, continuations: Continuations) -> Continued:
    """Returns what may have been played from each story that is held in doubt."""
    found: list[Candidate] = []
    is_exhaustive = True
    since = evidence.as_believed()
    for misread, sessions in _held(belief, evidence):
        played = continuations.find(sessions, since.without(misread), continuations.limits.beside)
        found += [replace(candidate, misread=misread) for candidate in played.candidates]
        is_exhaustive = is_exhaustive and played.is_exhaustive
    return Continued(found, is_exhaustive)


def misread_stories(belief: Belief, evidence: Evidence, continuations: Continuations) -> list[Candidate]:
    """Returns what may have been played or taken back, had a few places been misread, beside those that are
    known; the likeliest first."""
    limits = continuations.limits
    wider = replace(continuations, limits=replace(limits, fit=limits.fit + CAP * limits.slips))
    found: dict[object, Candidate] = {}
    for misread, sessions in ({}, belief.all()), *_held(belief, evidence):
        # Stories that are held agree on the last board that was believed: they went on from it.
        rest = evidence.as_believed().without(misread) if misread else evidence
        back = [] if misread else find_takebacks(belief, rest, wider.limits.fit)
        for story in (*wider.find(sessions, rest, limits.beside).candidates, *back):
            session, wrong = story.session, rest.wrong(story.session.look)
            if not misread:
                story = beside_unexplained(story, belief, limits)
            future = session.rules.future(session.position)
            known = found.get(future)
            if known is None or story.cost <= known.cost:
                found[future] = replace(story, misread={**misread, **rest.read_at(wrong)})
    return sorted(found.values(), key=lambda story: story.cost)


def held_in_doubt(belief: Belief, evidence: Evidence, stories: list[Candidate], broken: float) -> Belief:
    """Returns the belief that holds these stories, the likeliest first, on a board on which it costs so much
    that hands broke the rules (nats)."""
    if not stories:
        return belief.without_doubt()
    least = min([broken, *(story.cost for story in stories)])
    held = tuple(replace(story, cost=story.cost - least) for story in stories[:MOST_STORIES])
    boards = (*belief.unexplained, evidence)
    return replace(belief, doubtful=held, unexplained=boards, least=belief.least + least)


def beside_unexplained(story: Candidate, belief: Belief, limits: Limits) -> Candidate:
    """Returns a story that was found on the last board alone, with what the boards before it say of the way
    there: one that they contradict is no likelier than that hands broke the rules then, and put it right. It
    costs what one that was held since then would."""
    if not belief.unexplained:
        return story
    session, accepted = story.session, belief.accepted
    known = common_plies(session, accepted)
    looks = [accepted.look, *(session.rules.look(ply.after) for ply in session.plies[known:]), session.look]

    def cost(board: Evidence) -> tuple[float, float]:
        misfit = min(board.board_misfit(look) for look in looks)
        return min(misfit, offence_cost(limits, board, accepted.look)), misfit

    dearest = max(belief.unexplained, key=cost)
    spoken, misfit = cost(dearest)
    # Where something else is likelier, that was done, and then taken back.
    broken = dearest if spoken < misfit and spoken <= belief.least else None
    return replace(story, cost=story.cost + spoken - belief.least, broken=broken)


def _held(belief: Belief, evidence: Evidence) -> Iterator[tuple[Misread, list[Weighed]]]:
    """Yields the stories that are held, with the places that are read as wrongly as before."""
    groups: dict[frozenset[tuple[Place, Look]], list[Weighed]] = {}
    for story in belief.doubtful:
        lasting = frozenset((p, story.misread[p]) for p in evidence.shows(story.misread))
        groups.setdefault(lasting, []).append((story.session, story.cost))
    yield from ((dict(lasting), sessions) for lasting, sessions in groups.items())
