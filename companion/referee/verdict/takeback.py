"""Actions taken back by moving pieces back: to an earlier position, or part of what was seen at one stop.

A stop is a board that held still and was judged; several actions may have come since the one before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

from companion.core.game import Action, Place
from companion.record.session import Entry, Ply, Session, common_plies
from companion.referee.evidence.evidence import Evidence
from companion.referee.evidence.looks import changes
from companion.referee.hypotheses.belief import Belief, Candidate
from companion.referee.hypotheses.histories import begins_with
from companion.referee.hypotheses.paths import ahead, ends, origins_of

RETURN_COST = 0.5
"""Nats: a board that is again as it was, besides what is due for each ply that went back."""
SAME_TURN = 0.2
"""Nats for each ply that went back in the turn of the ply after it."""
OTHER_TURN = 0.7
"""Nats for each ply that went back in another turn."""
REFUTED = 1.0
"""Nats: what speaks against a rival that was given up for what is taken back now."""
PART = 12
"""Plies of which some may be taken back and others not."""
PARTLY = 1.2
"""Nats: how much less likely that is than a takeback of them all."""
TAKEBACKS = 60
"""Plies back in which an earlier position is looked for."""
TAKEN = 12
"""Plies that hands take back at most without a word."""
DETOUR = 2.0
"""Nats: a piece would have gone back, and again to where it stands, and nobody saw or felt it there."""
LONG_AGO = 3.0
"""Nats: how much less likely it is that they took back more."""


def find_takebacks(belief: Belief, evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """Yields earlier positions of what is held that fit, with the rivals that they had then."""
    accepted = list(_earlier(belief.accepted, evidence, fit))
    yield from accepted
    for session, cost in belief.rivals:
        for candidate in _earlier(session, evidence.retold(session.look), fit):
            yield replace(candidate, cost=candidate.cost + cost)
    for candidate in accepted:
        yield from _remembered_rivals(belief, candidate, evidence, fit)
    yield from _corrected(belief, evidence, fit)


def _remembered_rivals(
    belief: Belief, back: Candidate, evidence: Evidence, fit: float
) -> Iterator[Candidate]:
    """Yields the rivals of a session that is gone back to, as they were held beside it then."""
    for memory in belief.past:
        held = memory.belief.all()
        cost_then = next((cost for session, cost in held if _is_same(session, back.session)), None)
        if cost_then is None:
            continue
        for session, cost in held:
            misfit = evidence.unread_since(session.look).board_misfit(session.look)
            if misfit <= fit:
                yield Candidate(session, back.cost + max(0.0, cost - cost_then) + REFUTED, misfit)


def _is_same(one: Session, other: Session) -> bool:
    return begins_with(one, other) and begins_with(other, one)


def _corrected(belief: Belief, evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """Yields sessions that were given up for another one, where the board is again as it was then."""
    if not evidence.wrong(belief.accepted.look):
        return
    for memory in belief.past:
        before = memory.belief.accepted
        misfit = evidence.unread_since(before.look).board_misfit(before.look)
        if misfit <= fit and not begins_with(belief.accepted, before):
            yield Candidate(before, RETURN_COST + REFUTED + misfit, misfit)


def _earlier(session: Session, evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """Yields earlier positions of the game that fit, where the present one does not quite."""
    rules, positions = session.rules, session.positions()
    for back, cost in _costs_of_return(session, evidence):
        position = positions[-1 - back]
        looks = rules.look(position)
        misfit = evidence.board_misfit(looks)
        if misfit <= fit:
            marks = evidence.mark_misfit(rules.marks(position), looks)
            undone = [ply.action for ply in session.plies[-back:] if ply.entry.kind == "action"]
            early = _ahead(session, position, undone, evidence)
            cost += misfit + marks + _handling(session, undone, position, evidence) + early
            yield Candidate(_back(session, back, evidence), cost, misfit, marks=marks, is_ahead=early > 0)


def _handling(session: Session, undone: list[Action], position: Any, evidence: Evidence) -> float:
    """Returns the cost of touches that do not fit actions undone by hand, back to a position."""
    looks = session.rules.look(position)
    hands, changed = ends(session.rules, undone), changes(session.look, looks)
    handling = evidence.timeline.stray(hands, changed) + evidence.unfelt(hands)
    return handling + evidence.timeline.hanging(looks) + _detour(hands - changed.keys(), evidence)


def _detour(places: frozenset[Place], evidence: Evidence) -> float:
    """Returns the cost of hands that were at places which are as they were, and were not felt there.

    Who goes back to an earlier position moves what differs, and nothing else: whether those plies were taken
    back or the last of them was answered looks the same, and play goes on more often.
    """
    return DETOUR * bool(places - (evidence.timeline.touched or frozenset()))


def _ahead(session: Session, position: Any, undone: Iterable[Action], evidence: Evidence) -> float:
    """Returns the cost of pieces that these actions moved, and that were seen back before they left."""
    returned = {start: end for end, start in origins_of(session.rules, undone).items()}
    return ahead(session.rules, evidence.timeline, returned, session.position, position)


def _costs_of_return(session: Session, evidence: Evidence) -> Iterator[tuple[int, float]]:
    """Yields how many plies may have been taken back, the fewest first, and how unlikely that is.

    None may where the board is as it was, and none from the last one on that has revealed a secret.
    """
    before = session.position
    if not evidence.wrong(session.rules.look(before)):
        return
    cost = RETURN_COST
    for back, position in enumerate(islice(reversed(session.positions()), 1, TAKEBACKS), 1):
        cost += SAME_TURN if position.turn == before.turn else OTHER_TURN
        before = position
        if session.has_revealed(session.plies[-back]):
            return
        yield back, cost + (LONG_AGO if back > TAKEN else 0.0)


def _back(session: Session, count: int, evidence: Evidence) -> Session:
    return session.apply(Entry("takeback", str(count), source=evidence.source, time=evidence.time))


def find_partial_takebacks(belief: Belief, evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """Yields sessions of which some actions that came at one stop are taken back, and others of them not.

    They were done in any order. All that came after that stop is taken back with them.
    """
    stops = [len(memory.belief.accepted.plies) for memory in belief.past]
    for session, cost in belief.all():
        shared = common_plies(session, belief.accepted)
        for candidate in _partly(session, [n for n in stops if n <= shared], evidence, fit):
            yield replace(candidate, cost=candidate.cost + cost)


def _partly(session: Session, stops: Iterable[int], evidence: Evidence, fit: float) -> Iterator[Candidate]:
    """Yields the session with what came after a stop taken back in part; stops are numbers of plies, the
    last first."""
    costs = dict(islice(_costs_of_return(session, evidence), PART))
    if not costs:
        return
    wrong, touched = evidence.wrong(session.look), set[Place]()
    end = len(session.plies)
    for begin in stops:
        back = len(session.plies) - begin
        if back > len(costs):
            return
        touched |= changed_by(session, begin, end)
        # All that is wrong now must be where these actions changed the board.
        if back and wrong <= touched:
            left = _replayed(_back(session, back, evidence), session.plies[begin:end], evidence)
            misfit = evidence.board_misfit(left.look)
            if misfit <= fit and left.actions != session.actions:
                undone = [*(Counter(session.actions[begin:]) - Counter(left.actions[begin:])).elements()]
                early = _ahead(session, left.position, undone, evidence)
                hands = ends(session.rules, undone) - changes(session.look, left.look).keys()
                cost = costs[back] + misfit + PARTLY + early + _detour(hands, evidence)
                yield Candidate(left, cost, misfit, is_ahead=early > 0)
        end = begin


def changed_by(session: Session, begin: int, end: int) -> set[Place]:
    """Returns the places that changed with any of these plies, by number."""
    looks = [session.rules.look(position) for position in session.positions()[begin : end + 1]]
    return {place for was, now in pairwise(looks) for place in changes(was, now)}


def _replayed(session: Session, plies: Iterable[Ply], evidence: Evidence) -> Session:
    """Returns the session with as many of these actions as are seen, in whatever order."""
    gone = [ply.entry for ply in plies if ply.entry.kind == "action"]
    while kept := _next_seen(session, gone, evidence):
        entry, session = kept
        gone.remove(entry)
    return session


def _next_seen(session: Session, gone: list[Entry], evidence: Evidence) -> tuple[Entry, Session] | None:
    """Returns an action that is seen and may follow, with what it leads to; None where there is none.

    One that changes the board goes before one that changes nothing.
    """
    misfit = evidence.board_misfit(session.look)
    silent: tuple[Entry, Session] | None = None
    for entry in gone:
        if session.judge(entry.text):
            continue
        after = session.apply(entry)
        growth = evidence.board_misfit(after.look) - misfit
        if growth < 0:
            return entry, after
        if growth == 0 and silent is None:
            silent = entry, after
    return silent
