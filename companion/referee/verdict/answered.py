"""Actions that were answered before they were finished: the king has castled, and the reply comes before the
rook has gone; a captured piece still stands there while the next move is made.

The board is then that after both actions but for what is left of the first. Done, both count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from companion.core.game import EMPTY, Action, Look, Place
from companion.record.session import Session
from companion.referee.evidence.evidence import NEW, Evidence
from companion.referee.evidence.looks import bare_looks
from companion.referee.hypotheses.belief import Belief
from companion.referee.hypotheses.paths import with_sites
from companion.referee.verdict.beginning import Beginning, Parts, before_going_on, board_of, fits, legal_near
from companion.referee.verdict.guide import GuideStep, guide, owner_of

Looks = Mapping[Place, Look]
MOST_LEFT = 2
"""The steps that may be left of an action: more were no oversight."""
FEWEST_WRONG = 3
"""The places that are wrong at least: two between which a piece was carried, and one of the answer."""
BEGUN = 8
"""The number of actions begun of which an answer is looked for."""


def answered(belief: Belief, evidence: Evidence) -> tuple[Beginning, ...]:
    """Returns the actions of which one is not finished yet and was answered; () where there is none.

    Of several the one of which the least is left is meant, if there is one such but for where it goes on to.
    """
    found = _from_any(belief, evidence)
    fewest = min((len(begun.left) for begun in found), default=0)
    nearest = tuple(begun for begun in found if len(begun.left) == fewest)
    ways = {(begun.then, *((step.start, step.look) for step in begun.left)) for begun in nearest}
    return nearest if len(ways) == 1 else ()


def _from_any(belief: Belief, evidence: Evidence) -> list[Beginning]:
    """Returns what may have been begun and answered: by who is to act, or else what was told to be another
    action of the last player's because the piece was in a hand. What came to rest and was answered stands."""
    there = bare_looks(belief.accepted.look).items()
    lifted = (before for before, _ in before_going_on(belief) if there <= bare_looks(before.look).items())
    told = (
        session
        for session in (belief.accepted, *lifted)
        if not session.outcome and not session.rules.form(session.position)
    )
    return next((found for session in told if (found := list(_answered(session, evidence)))), [])


def _answered(session: Session, evidence: Evidence) -> Iterator[Beginning]:
    wrong = evidence.wrong_pieces(session.look)
    if len(wrong) < FEWEST_WRONG:
        return
    for parts, own, further in islice(_begun(session, evidence), BEGUN):
        for then, after, pieces in _replies(further, wrong, own, evidence):
            left = _left(parts, evidence, after, pieces)
            if 0 < len(left) <= MOST_LEFT and {step.end or step.start for step in left} <= own:
                yield Beginning(parts.action, left, further.plies[-1].events, then=then, is_put_down=True)


def _replies(
    session: Session, wrong: frozenset[Place], own: set[Place], evidence: Evidence
) -> Iterator[tuple[tuple[Action, ...], Looks, Looks]]:
    """Yields the replies that are seen beside the places of an action, each with the board and the pieces
    after it; where there is none, the board on which the pieces for one are lifted."""
    rules, between, is_replied = session.rules, bare_looks(session.look), False
    for reply in rules.legal_at(session.position, with_sites(wrong)):
        position = rules.after(session.position, reply)
        after = bare_looks(rules.look(position))
        changed = {place for place, _ in between.items() ^ after.items()}
        if not changed or not changed <= wrong or not wrong <= own | changed:
            continue
        if all(fits(evidence, place, after.get(place, EMPTY)) for place in changed):
            is_replied = True
            yield (reply,), after, rules.pieces(position)
    lifted = wrong - own
    if not is_replied and lifted and all(_is_lifted(session, place, evidence) for place in lifted):
        rest = {place: look for place, look in between.items() if place not in lifted}
        yield (), rest, rules.pieces(session.position)


def _is_lifted(session: Session, place: Place, evidence: Evidence) -> bool:
    """Returns whether who is to reply has lifted a piece from a place."""
    owner = owner_of(session.look.get(place, EMPTY))
    return owner == session.position.to_act and fits(evidence, place, EMPTY)


def _begun(session: Session, evidence: Evidence) -> Iterator[tuple[Parts, set[Place], Session]]:
    """Yields the actions of which a piece was put down where it belongs, each with the places that it changes
    and those of its way, be they off the board, and the session after it."""
    board = board_of(session, evidence)
    for action in legal_near(session, board.wrong):
        parts = Parts(session, action, board)
        own, start = parts.touched | {*parts.path}, {*parts.path[:1]}
        is_put_down = any(not board.fits(place, EMPTY) for place in own & board.wrong - start)
        has_left = start <= board.wrong
        is_finished = all(board.fits(place, parts.after.get(place, EMPTY)) for place in own)
        if not (is_put_down and has_left) or is_finished:
            continue
        further = session.play(action)
        if not further.outcome:
            yield parts, own, further


def _left(parts: Parts, evidence: Evidence, after: Looks, pieces: Looks) -> tuple[GuideStep, ...]:
    """Returns the steps that are left: a piece that a grid only feels is the one that stood there, or that
    came there."""
    known = {place: look for place, look in parts.before.items() if place not in parts.board.wrong}
    start, *way = parts.path or ("",)
    if start in parts.before:
        known |= dict.fromkeys(way, parts.before[start])
    seen = bare_looks(evidence.seen(after))
    named = {place: known.get(place, look) if look == NEW else look for place, look in seen.items()}
    return guide(parts.session.game.board, after, named, pieces)
