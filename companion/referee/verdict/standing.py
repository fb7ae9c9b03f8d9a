"""Works out which pieces stand on a board, also where its sensors tell neither their kind nor whose they are.

That follows from what stood there before, and from how hands carried it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.game import EMPTY, Look, Place
from companion.record.session import Session
from companion.referee.evidence.evidence import NEW, Evidence
from companion.referee.verdict.guide import GuideStep, guide


class Standing(NamedTuple):
    """A board as it stands. `looks` are what a camera would see of it; `pieces` are its pieces with the kinds
    that no sensor tells apart, as far as they are known."""

    looks: Mapping[Place, Look]
    pieces: Mapping[Place, Look]


NOTHING = Standing({}, {})


def standing_in(session: Session) -> Standing:
    """Returns what stands on the board as everybody knows a game."""
    return Standing(session.look, session.rules.pieces(session.public_position))


def steps_to(session: Session, there: Standing) -> tuple[GuideStep, ...]:
    """Returns the steps that put the board as the game has it."""
    should, drawn = standing_in(session)
    return guide(session.game.board, should, there.looks, drawn, there.pieces)


def recognised(before: Standing, evidence: Evidence) -> Standing:
    """Returns what stands on a board that was so before: a piece that was carried is the one that was in the
    hand, be it that a sensor does not tell its kind, or a grid not even whose it is."""
    seen, pieces = evidence.seen(before.looks), dict(before.pieces)
    came = {place: look for place, look in seen.items() if before.looks.get(place, EMPTY) != look}
    went = {place: look for place, look in before.looks.items() if place not in seen}
    for place, starts in _carried(came, went, evidence).items():
        seen[place] = went[starts[0]]
        kinds = {before.pieces.get(start, went[start]) for start in starts}
        if len(kinds) == 1:
            pieces[place] = kinds.pop()
    return Standing(seen, pieces)


def _carried(
    came: Mapping[Place, Look], went: Mapping[Place, Look], evidence: Evidence
) -> dict[Place, list[Place]]:
    """Returns from where each piece may have come, by the order of touches, or in which changes were seen:
    those that look the same, and were in a hand when it was put down. Nothing more once that is not clear."""
    timeline, in_hand, found = evidence.timeline, list[Place](), dict[Place, list[Place]]()
    rose, fell = {**timeline.seen_since, **timeline.lifted}, {**timeline.seen_since, **timeline.placed}
    if not came.keys() <= fell.keys() or not went.keys() <= rose.keys():
        return {}
    lifts = [(rose[place], 0, place) for place in went]
    for _, is_put, place in sorted([*lifts, *((fell[place], 1, place) for place in came)]):
        if not is_put:
            in_hand.append(place)
            continue
        may_be = [start for start in in_hand if came[place] in (NEW, went[start])]
        if len({went[start] for start in may_be}) != 1:
            return found
        found[place] = may_be
        if len(may_be) == 1:
            in_hand.remove(may_be[0])
    return found
