"""Actions taken back by moving pieces back: to an earlier position, or part of what was seen at one stop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

from companion.core import Action, Place
from companion.referee.candidate import Candidate
from companion.referee.choice import Belief, begins
from companion.referee.evidence import Evidence
from companion.referee.looks import changes
from companion.referee.paths import ahead, ends, origins_of
from companion.session import Entry, Ply, Session, common_plies

AGAIN = 0.5
"""Nats: a board that is again as it was, besides what is due for each ply that went back."""
REFUTED = 1.0
"""Nats: what speaks against a rival that was given up for what is taken back now."""
PART, PARTLY = 12, 1.2
"""Plies of which some may be taken back and others not, and how much less likely that is (nats)."""
TAKEBACKS = 60
"""Plies back in which an earlier position is looked for."""
TAKEN, LONG_AGO = 12, 3.0
"""Plies that hands take back at most without a word, and how much less likely it is that they took back more
(nats)."""


def taken_back(belief: Belief, evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """Earlier positions of what is told, or of a rival, that fit, with the rivals that they had then."""
    told = list(_earlier(belief.told, evidence, fit))
    yield from told
    for session, cost in belief.rivals:
        for candidate in _earlier(session, evidence, fit):
            yield replace(candidate, weight=candidate.weight + cost)
    for candidate in told:
        yield from _remembered(belief, candidate, evidence, fit)
    yield from _corrected(belief, evidence, fit)


def _remembered(
    belief: Belief, back: Candidate, evidence: Evidence, fit: float
) -> Iterator[Candidate]:
    """The rivals of a session that is gone back to, as they were held when it was told."""
    for past in (memory.belief for memory in belief.past):
        costs = [cost for s, cost in past.all() if begins(back.session, s) and begins(s, back.session)]
        for session, cost in past.all() if costs else ():
            misfit = evidence.total(session.look)
            if misfit <= fit:
                weight = back.weight + max(0.0, cost - costs[0]) + REFUTED
                yield Candidate(session, weight, misfit)


def _corrected(belief: Belief, evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """What was told before something else was told instead of it, where the board is again as it was then."""
    if not evidence.wrong(belief.told.look):
        return
    for told in (memory.belief.told for memory in belief.past):
        misfit = evidence.total(told.look)
        if misfit <= fit and not begins(belief.told, told):
            yield Candidate(told, AGAIN + REFUTED + misfit, misfit)


def _earlier(session: Session, evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """Earlier positions of the game that fit, where the present one does not quite: a takeback by hand."""
    positions = session.positions()
    for back, weight in _costs_of_return(session, evidence):
        position = positions[-1 - back]
        misfit = evidence.total(session.rules.look(position))
        if misfit <= fit:
            marks = evidence.mark_misfit(session.rules.marks(position), session.rules.look(position))
            undone = [ply.action for ply in session.plies[-back:] if ply.entry.kind == "action"]
            changed = changes(session.look, session.rules.look(position))
            hands = ends(session.rules, undone)
            handling = evidence.course.stray(hands, changed) + evidence.unfelt(hands)
            handling += evidence.course.hanging(session.rules.look(position))
            early = _ahead(session, position, undone, evidence)
            weight += misfit + marks + handling + early
            yield Candidate(_back(session, back, evidence), weight, misfit, is_ahead=early > 0)


def _ahead(session: Session, position: Any, undone: Iterable[Action], evidence: Evidence) -> float:
    """What speaks against pieces that these actions had moved, and that were back before they left."""
    returned = {start: end for end, start in origins_of(session.rules, undone).items()}
    return ahead(session.rules, evidence.course, returned, session.position, position)


def _costs_of_return(session: Session, evidence: Evidence) -> Iterator[tuple[int, float]]:
    """How many plies may have been taken back, the fewest first, and how unlikely that is: none where the
    board is as it was."""
    weight, before = AGAIN, session.position
    if not evidence.wrong(session.rules.look(before)):
        return
    for back, position in enumerate(islice(reversed(session.positions()), 1, TAKEBACKS), 1):
        weight += 0.2 if position.turn == before.turn else 0.7
        before = position
        if session.has_revealed(session.plies[-back]):
            return
        yield back, weight + (LONG_AGO if back > TAKEN else 0.0)


def _back(session: Session, count: int, evidence: Evidence) -> Session:
    return session.apply(Entry("takeback", str(count), source=evidence.source, time=evidence.time))


def partly_taken_back(belief: Belief, evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """Some of the actions that were seen at one stop taken back, with all later ones, and others of them not:
    they were done in any order."""
    stops = [len(memory.belief.told.plies) for memory in belief.past]
    for session, cost in belief.all():
        shared = common_plies(session, belief.told)
        for candidate in _partly(session, [n for n in stops if n <= shared], evidence, fit):
            yield replace(candidate, weight=candidate.weight + cost)


def _partly(session: Session, stops: Iterable[int], evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """The session with what came after one of these numbers of plies, the last first, taken back in part."""
    costs, end = dict(islice(_costs_of_return(session, evidence), PART)), len(session.plies)
    if not costs:
        return
    wrong, touched = evidence.wrong(session.look), set[Place]()
    for begin in stops:
        back = len(session.plies) - begin
        if back > len(costs):
            return
        touched |= _touched(session, begin, end)
        if back and wrong <= touched:
            left = _replayed(_back(session, back, evidence), session.plies[begin:end], evidence)
            misfit = evidence.total(left.look)
            if misfit <= fit and left.actions != session.actions:
                undone = (Counter(session.actions[begin:]) - Counter(left.actions[begin:])).elements()
                early = _ahead(session, left.position, undone, evidence)
                yield Candidate(left, costs[back] + misfit + PARTLY + early, misfit, is_ahead=early > 0)
        end = begin


def _touched(session: Session, begin: int, end: int) -> set[Place]:
    """The places that changed with any of these plies, by number."""
    looks = [session.rules.look(position) for position in session.positions()[begin : end + 1]]
    return {place for was, now in pairwise(looks) for place in changes(was, now)}


def _replayed(session: Session, plies: Iterable[Ply], evidence: Evidence) -> Session:
    """The session with as many of these actions as are seen, in whatever order."""
    gone = [ply.entry for ply in plies if ply.entry.kind == "action"]
    while kept := _kept(session, gone, evidence):
        entry, session = kept
        gone.remove(entry)
    return session


def _kept(session: Session, gone: list[Entry], evidence: Evidence) -> tuple[Entry, Session] | None:
    """An action that may follow, with what it leads to: first what is seen, then what changes nothing."""
    misfit = evidence.total(session.look)
    after = {n: session.apply(entry) for n, entry in enumerate(gone) if not session.judge(entry.text)}
    grown = {n: evidence.total(later.look) - misfit for n, later in after.items()}
    fitting = (n for n, more in grown.items() if more <= 0)
    best = min(fitting, key=lambda n: grown[n] >= 0, default=None)
    return None if best is None else (gone[best], after[best])
