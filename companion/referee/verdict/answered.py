"""Actions that were answered before they were finished: the king has castled, and the reply comes before the
rook has gone; a captured piece still stands there while the next move is made.

The board is then that after both actions but for what is left of the first. Done, both count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from companion.core.game import EMPTY, Action, Look, Place
from companion.language import say, sentences
from companion.record.session import Session
from companion.referee.evidence.evidence import NEW, Evidence
from companion.referee.evidence.looks import bare_looks
from companion.referee.hypotheses.belief import Belief
from companion.referee.hypotheses.paths import path_of, with_sites
from companion.referee.verdict.beginning import Beginning, before_going_on, fits, say_begun, what_is_left
from companion.referee.verdict.finding import Finding
from companion.referee.verdict.guide import GuideStep, guide, owner_of

Looks = Mapping[Place, Look]
MOST_LEFT = 2
"""The steps that may be left of an action: more were no oversight."""
FEWEST_WRONG = 3
"""The places that are wrong at least: two between which a piece was carried, and one of the answer."""
BEGUN = 8
"""The number of actions begun of which an answer is looked for."""


def answered(belief: Belief, evidence: Evidence) -> Finding | None:
    """Returns the finding of an action that is not finished yet and was answered; None where there is none.

    Of several the one of which the least is left is meant, if there is one such but for where it goes on to.
    """
    found = sorted(_from_any(belief, evidence), key=lambda begun: len(begun.left))
    found = [begun for begun in found if len(begun.left) == len(found[0].left)]
    if not found or len({(b.then, *((step.start, step.look) for step in b.left)) for b in found}) > 1:
        return None
    words = sentences(
        say_begun(belief.accepted, evidence, found), say("What was done since counts once this is finished.")
    )
    return Finding(
        "begun",
        belief,
        attempt=found[0].action if len(found) == 1 else "",
        steps=what_is_left(found),
        words=words,
        slips=MOST_LEFT,
        begun=tuple(found),
    )


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
    for action, own, further in islice(_begun(session, wrong, evidence), BEGUN):
        for then, after, pieces in _replies(further, wrong, own, evidence):
            left = _left(session, evidence, action, after, pieces)
            if 0 < len(left) <= MOST_LEFT and {step.end or step.start for step in left} <= own:
                yield Beginning(action, left, further.plies[-1].events, then=then, is_put_down=True)


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


def _begun(
    session: Session, wrong: frozenset[Place], evidence: Evidence
) -> Iterator[tuple[Action, set[Place], Session]]:
    """Yields the actions of which a piece was put down where it belongs, with the places of each and the
    session after it."""
    before = bare_looks(session.look)
    for action in session.rules.legal_at(session.position, with_sites(wrong)):
        after = bare_looks(session.rules.look(session.rules.after(session.position, action)))
        own = _places(session, action, before, after)
        start = {*path_of(session.rules, action)[:1]}
        is_put_down = any(not fits(evidence, place, EMPTY) for place in own & wrong - start)
        has_left = start <= wrong
        is_finished = all(fits(evidence, place, after.get(place, EMPTY)) for place in own)
        if not (is_put_down and has_left) or is_finished:
            continue
        further = session.play(action)
        if not further.outcome:
            yield action, own, further


def _places(session: Session, action: Action, before: Looks, after: Looks) -> set[Place]:
    """Returns the places that an action changes, and those of its way, be they off the board."""
    changed = {place for place, _ in before.items() ^ after.items()}
    return changed | {*path_of(session.rules, action)}


def _left(
    session: Session, evidence: Evidence, action: Action, after: Looks, pieces: Looks
) -> tuple[GuideStep, ...]:
    """Returns the steps that are left: a piece that a grid only feels is the one that stood there, or that
    came there."""
    there = evidence.wrong_pieces(session.look)
    known = {place: look for place, look in bare_looks(session.look).items() if place not in there}
    path = path_of(session.rules, action)
    if path and path[0] in session.look:
        known |= dict.fromkeys(path[1:], bare_looks(session.look)[path[0]])
    seen = bare_looks(evidence.seen(after))
    named = {place: known.get(place, look) if look == NEW else look for place, look in seen.items()}
    return guide(session.game.board, after, named, pieces)
