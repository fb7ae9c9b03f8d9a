"""Other histories that would have looked the same: one earlier action replaced by one that looks alike.

Where nothing explains a board from the accepted session, something that no camera sees may have been taken
for something else long ago (a promotion, which of two ways a piece went). The referee looks for such a
history before it says that anybody broke a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.core.game import EMPTY, Action, Changes, GameError, Look, Place
from companion.record.session import GUESS, Session
from companion.referee.evidence.looks import bare

BACK = 40
"""Plies back in which an action is replaced."""
COST = 0.5
"""Nats: a history with another action is at least so much less likely."""


def hidden_alternatives(session: Session) -> Iterator[tuple[Session, float]]:
    """Yields sessions whose boards looked like this one's all along, with their cost, latest change first.

    What was entered, or answered, stands: only what was seen may have been taken for something else.
    """
    latest = len(session.plies) - 1
    for n in range(latest, max(-1, latest - BACK), -1):
        if session.plies[n].entry.kind != "action":
            return
        if not session.plies[n].is_seen:
            continue
        for other, rarity in _replaced(session, n):
            yield other, COST + rarity


def guessed_alternatives(session: Session) -> Iterator[tuple[Session, float]]:
    """Yields sessions with another action in the place of a last ply that was guessed, each with its cost.

    Such a ply is the likeliest answer to a question that nobody answered.
    """
    for n in range(len(session.plies) - 1, -1, -1):
        entry = session.plies[n].entry
        if entry.kind != "action" or entry.certainty >= GUESS:
            return
        for other, rarity in _replaced(session, n):
            if not _same_future(other, session):
                yield other, rarity


def find_meanings(session: Session, n: int) -> tuple[Action, ...]:
    """Returns the other actions that the hands of ply n may have meant, if they lead to another future."""
    again = replace_action(session, n, session.plies[n].action) or session
    others = ((action, replace_action(session, n, action)) for action in _same_hands(session, n))
    return tuple(action for action, other in others if other and not _same_future(other, again))


def _same_hands(session: Session, n: int) -> Iterator[Action]:
    """Yields the other actions that look the same on the board as ply n."""
    rules, told = session.rules, session.plies[n].action
    path = rules.path(told)
    for action in rules.legal(session.positions()[n]):
        is_pattern = "?" in action
        if action != told and not is_pattern and rules.path(action) == path:
            yield action


def _same_future(one: Session, other: Session) -> bool:
    future = one.rules.future
    return future(one.position) == future(other.position)


def _replaced(session: Session, n: int) -> Iterator[tuple[Session, float]]:
    """Yields the session with another action at ply n that looks alike, and how much rarer that is (nats)."""
    rules, before = session.rules, session.positions()[n]
    usual = rules.rarity(before, session.plies[n].action)
    for action in _lookalikes(session, n):
        other = replace_action(session, n, action)
        if other is not None:
            yield other, max(0.0, rules.rarity(before, action) - usual)


def _lookalikes(session: Session, n: int) -> Iterator[Action]:
    """Yields the actions that would have looked like ply n, and passed the turn as it did."""
    rules, ply, before = session.rules, session.plies[n], session.positions()[n]
    looks = rules.look(ply.after)
    for action in rules.legal(before):
        # '?' stands for what is secret.
        if action != ply.action and "?" not in action and _may_look(rules.change(before, action), looks):
            after = rules.after(before, action)
            if after.turn == ply.after.turn and rules.look(after) == looks:
                yield action


def _may_look(changed: Changes | None, looks: Mapping[Place, Look]) -> bool:
    """Returns whether a board may look so after what an action changes; None: that is not known."""
    return all(bare(looks.get(place, EMPTY)) == bare(now) for place, (_, now) in (changed or {}).items())


def replace_action(session: Session, n: int, action: Action) -> Session | None:
    """Returns the session with another action at ply n.

    None where what followed would not have been legal, or the board would look otherwise in the end.
    """
    other = replace(session, plies=session.plies[:n])
    try:
        other = other.apply(replace(session.plies[n].entry, text=action))
        for ply in session.plies[n + 1 :]:
            other = other.apply(ply.entry)
    except GameError:
        return None
    return other if other.look == session.look else None
