"""What hands that broke the rules most likely meant, and the rules that it breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import Literal, TypeAlias

from companion.core import Action, Breach, Changes, GameError, Look, Place, Player
from companion.referee.looks import changes
from companion.session import Entry, Session

Reason: TypeAlias = Literal["refused", "turn", "unfinished"]
ATTEMPTS, SECOND = 200, 60
"""How many spellings are tried: of an action, and of another after one that was allowed."""
ALLOWED = 4
"""After so many allowed actions another is looked for."""


@dataclass(frozen=True, slots=True)
class Untimely:
    """What another player did before it was theirs to do."""

    reason: Reason
    attempt: str
    breaches: tuple[Breach, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Offence:
    """The action that the hands most likely meant, the rules that it breaks, and what they were free to do
    before it."""

    attempt: str
    breaches: tuple[Breach, ...]
    after: tuple[Action, ...] = ()


def blame(session: Session, seen: Mapping[Place, Look]) -> Offence:
    """What the hands most likely meant: one action, or one that was allowed and another after it."""
    changed = _changes(session, seen)
    best, fewest = Offence("", (Breach("GEN-4", tuple(changed)),)), inf
    allowed: list[Action] = []
    for attempt in islice(session.rules.attempts(session.position, changed), ATTEMPTS):
        found, left = _judge_attempt(session, attempt, seen)
        if found and len(found) + 2 * left < fewest:
            best, fewest = Offence(attempt, found), len(found) + 2 * left
        if left and not session.judge(attempt):
            allowed.append(session.rules.read(session.position, attempt))
    for action in allowed[:ALLOWED]:
        further = session.apply(Entry("action", action))
        second, cost = _second(further, seen)
        if cost < fewest:
            best, fewest = replace(second, after=(action,)), cost
    return best


def _second(session: Session, seen: Mapping[Place, Look]) -> tuple[Offence, float]:
    """What else was meant, which broke a rule; how far from it is what is seen."""
    best, fewest = Offence("", ()), inf
    changed = _changes(session, seen)
    for attempt in islice(session.rules.attempts(session.position, changed), SECOND):
        found = session.judge(attempt)
        cost = 1 + len(found) + 2 * max(0, len(changed) - 2)
        if found and cost < fewest:
            best, fewest = Offence(attempt, found), cost
    return best, fewest


def untimely(session: Session, seen: Mapping[Place, Look]) -> Untimely | None:
    """Whether it would be fine, were it only another player's turn."""
    rules, position, owes = session.rules, session.position, session.position.to_act
    changed = _changes(session, seen)
    for player in session.players:
        attempt = "" if player == owes else _legal_for(session, player, changed, seen)
        if attempt:
            begun = bool(session.plies) and session.plies[-1].player == owes
            reason: Reason = "unfinished" if begun else "turn"
            what = "is not finished" if begun else "comes first"
            words = f"{owes.capitalize()}'s turn {what}: {rules.prompt(position)}."
            breaches = (Breach("GEN-2"), *(b for b in session.judge(attempt) if b.rule != "GEN-2"))
            return Untimely(reason, attempt, breaches, words)
    return None


def _legal_for(session: Session, player: Player, changed: Changes, seen: Mapping[Place, Look]) -> str:
    """A legal action of another player that leads to this board; '' where there is none."""
    rules = session.rules
    try:
        other = rules.arrange(session.position, rules.pieces(session.position), player)
    except GameError:
        return ""
    for attempt in islice(rules.attempts(other, changed), ATTEMPTS):
        if not rules.judge(other, attempt):
            action = rules.read(other, attempt)
            if rules.look(rules.play(other, action).position) == seen:
                return action
    return ""


def _changes(session: Session, seen: Mapping[Place, Look]) -> Changes:
    return dict(sorted(changes(session.look, seen).items()))


def _judge_attempt(
    session: Session, attempt: str, seen: Mapping[Place, Look]
) -> tuple[tuple[Breach, ...], int]:
    """The rules that an attempt breaks; of a legal one, what was changed besides it."""
    found = session.judge(attempt)
    rules, position = session.rules, session.position
    if found:
        return found, max(0, len(_unlike(rules.look(position), seen)) - 2)
    after = rules.look(rules.play(position, rules.read(position, attempt)).position)
    rest = _unlike(after, seen)
    return ((Breach("GEN-4", rest),) if rest else ()), len(rest)


def _unlike(a: Mapping[Place, Look], b: Mapping[Place, Look]) -> tuple[Place, ...]:
    return tuple(sorted({p for p, _ in a.items() ^ b.items()}))
