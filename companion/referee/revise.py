"""Other histories that would have looked the same: one earlier action exchanged for its equal to the eye.

Where nothing explains a board from what was told, something that no camera sees may have been told wrong
long ago (a promotion, which of two ways a piece went). Such a history is looked for before anybody is told
that they broke a rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.core import Action, GameError
from companion.session import GUESS, Session

BACK = 40
"""Plies back in which an action is exchanged."""
COST = 0.5
"""Nats: at least so much less likely is a history that was told otherwise."""


def revisions(session: Session) -> Iterator[tuple[Session, float]]:
    """Sessions whose boards looked like this one's all along, latest change first, with their cost."""
    for n in range(len(session.plies) - 1, max(-1, len(session.plies) - 1 - BACK), -1):
        if session.plies[n].entry.kind != "action":
            return
        for revised, rarer in _revised(session, n):
            yield revised, COST + rarer


def guesses(session: Session) -> Iterator[tuple[Session, float]]:
    """What may have been played instead of the last plies that were told by a guess, each with how many nats
    less likely it is: what a question was about that nobody answered."""
    future = session.rules.future
    for n in range(len(session.plies) - 1, -1, -1):
        entry = session.plies[n].entry
        if entry.kind != "action" or entry.certainty >= GUESS:
            return
        for revised, rarer in _revised(session, n):
            if future(revised.position) != future(session.position):
                yield revised, rarer


def _revised(session: Session, n: int) -> Iterator[tuple[Session, float]]:
    """The session with an equal of ply n, and how much rarer that is (nats)."""
    rules, before = session.rules, session.positions()[n]
    usual = rules.rarity(before, session.plies[n].action)
    for action in _equals(session, n):
        revised = _exchange(session, n, action)
        if revised is not None:
            yield revised, max(0.0, rules.rarity(before, action) - usual)


def _equals(session: Session, n: int) -> Iterator[Action]:
    """The actions that would have looked like ply n, and passed the turn as it did."""
    rules, ply, before = session.rules, session.plies[n], session.positions()[n]
    looks = rules.look(ply.after)
    for action in rules.legal(before):
        if action != ply.action and "?" not in action:
            after = rules.play(before, action).position
            if after.turn == ply.after.turn and rules.look(after) == looks:
                yield action


def _exchange(session: Session, n: int, action: Action) -> Session | None:
    """The session with another action at ply n; None where what followed would not have been legal."""
    revised = replace(session, plies=session.plies[:n])
    try:
        revised = revised.apply(replace(session.plies[n].entry, text=action))
        for ply in session.plies[n + 1 :]:
            revised = revised.apply(ply.entry)
    except GameError:
        return None
    same = revised.look == session.look
    return revised if same else None
