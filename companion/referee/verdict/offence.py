"""Offences: what hands that broke the rules most likely meant, and the rules that it breaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any, Literal, TypeAlias

from companion.core.game import EMPTY, Action, Breach, Changes, GameError, Look, Place, Player
from companion.core.players import say_player
from companion.core.rules import Rules
from companion.language import NamedPhrases, say
from companion.record.session import Session
from companion.referee.evidence.evidence import Evidence
from companion.referee.evidence.looks import changes
from companion.referee.hypotheses.paths import grip
from companion.referee.search.limits import Limits
from companion.referee.verdict.guide import owner_of

Reason: TypeAlias = Literal["refused", "turn"]
UNTIMELY: NamedPhrases = {
    "turn": "It is {player}'s turn: {prompt}.",
    "unfinished": "{player}'s turn is not finished: {prompt}.",
}
ATTEMPTS = 200
"""The number of spellings of an action that are tried."""
SECOND = 60
"""The number of spellings of a second action that are tried, after a first one that was allowed."""
ALLOWED = 4
"""The number of allowed actions after which another is looked for."""
FARTHEST_ATTEMPT = 8
"""An attempt that is so far from the board is none: by rules broken, and twice for each place unexplained."""


@dataclass(frozen=True, slots=True)
class Offence:
    """The action that the hands most likely meant, the rules it breaks, and what was allowed before it."""

    attempt: str
    breaches: tuple[Breach, ...]
    after: tuple[Action, ...] = ()


def offence_cost(limits: Limits, evidence: Evidence, looks: Mapping[Place, Look]) -> float:
    """Returns how unlikely it is that hands broke the rules, where this board should stand (nats)."""
    return limits.offence_cost(evidence.wrong(looks), evidence)


def likeliest_offence(session: Session, seen: Mapping[Place, Look]) -> Offence:
    """Returns the action that the hands most likely meant, or one that was allowed and another after it.

    Likeliest is what breaks the fewest rules and leaves the fewest places of the board unexplained. Where one
    piece was moved it is a way of that piece. Where no attempt comes near, the offence is a change that is no
    action (GEN-4).
    """
    changed = _changes(session, seen)
    best, fewest = Offence("", (Breach("GEN-4", tuple(changed)),)), FARTHEST_ATTEMPT
    allowed: list[Action] = []
    for attempt in _likely_attempts(session, changed, ATTEMPTS):
        breaches, left = _judge_attempt(session, attempt, seen)
        slips = _rules(breaches) + 2 * left
        is_allowed = not session.judge(attempt)
        action = session.rules.read(session.position, attempt) if is_allowed else ""
        if is_allowed and _with_another_piece(session, action, seen):
            continue  # it was not done: it does not stand
        if breaches and slips < fewest:  # what is allowed is no offence: what was changed besides is one
            best = Offence("", breaches, (action,)) if is_allowed else Offence(attempt, breaches)
            fewest = slips
        if left and is_allowed:
            allowed.append(action)
    for action in allowed[:ALLOWED]:
        further = session.play(action)
        second, second_slips = _second_offence(further, seen, frozenset(changed))
        if second_slips < fewest:
            best, fewest = replace(second, after=(action,)), second_slips
    return _explained(session, best)


def _rules(breaches: Sequence[Breach]) -> int:
    """Returns how many rules are broken: a piece that is in the way of three others breaks one of them."""
    return len({breach.rule for breach in breaches})


def _explained(session: Session, offence: Offence) -> Offence:
    """Returns the offence with what is wrong said of each breach, as the board was when it came to it."""
    before = session.play(*offence.after)
    return replace(offence, breaches=before.explain(offence.attempt, offence.breaches))


def _second_offence(
    session: Session, seen: Mapping[Place, Look], moved: frozenset[Place]
) -> tuple[Offence, int]:
    """Returns the likeliest single offence after an allowed action, and how far from it the board is.

    It ends where something changed on the board (`moved`), not where the allowed action left something to do.
    """
    best, fewest = Offence("", ()), FARTHEST_ATTEMPT
    changed = _changes(session, seen)
    # One more than a first offence; an action explains two places that changed.
    beside = 1 + 2 * max(0, len(changed) - 2)
    for attempt in _likely_attempts(session, changed, SECOND):
        if not moved.issuperset(session.rules.path(attempt)[-1:]):
            continue
        breaches = session.judge(attempt)
        slips = beside + _rules(breaches)
        if breaches and slips < fewest:
            best, fewest = Offence(attempt, breaches), slips
    return best, fewest


def _likely_attempts(session: Session, changed: Changes, most: int) -> list[str]:
    """Returns the attempts at a change that are spelled as actions are; of one moved piece only its ways."""
    rules, position = session.rules, session.position
    spelled = [
        attempt
        for attempt in islice(rules.attempts(position, changed), most)
        if all(breach.rule != "GEN-1" for breach in session.judge(attempt))
    ]
    ends = _ends_of_move(changed)
    return [attempt for attempt in spelled if {*grip(rules, attempt)} == ends] or spelled


def _ends_of_move(changed: Changes) -> set[Place]:
    """Returns from where to where a piece was moved, where only one was; what it took may be gone too."""
    came = {place: owner_of(now) for place, (_, now) in changed.items() if now != EMPTY}
    if len(came) != 1:
        return set()
    [(end, owner)] = came.items()
    left = [place for place, (was, now) in changed.items() if now == EMPTY and owner_of(was) == owner]
    return {left[0], end} if len(left) == 1 else set()


def _judge_attempt(
    session: Session, attempt: str, seen: Mapping[Place, Look]
) -> tuple[tuple[Breach, ...], int]:
    """Returns the rules that an attempt breaks, and how many places it leaves unexplained.

    A legal attempt that leaves any of them is a change that is no action (GEN-4).
    """
    breaches = session.judge(attempt)
    rules, position = session.rules, session.position
    if breaches:
        # An action explains the two places between which it moves a piece, or the one that it names.
        explained = min(2, len(rules.path(attempt)) or 2)
        return breaches, max(0, len(changes(session.look, seen)) - explained)
    after = rules.after(position, rules.read(position, attempt))
    left = tuple(sorted(changes(rules.look(after), seen)))
    return ((Breach("GEN-4", left),) if left else ()), len(left)


def find_doubled(session: Session, seen: Mapping[Place, Look]) -> Offence | None:
    """Returns the second of two actions that were done at once, each of which was allowed; else None."""
    rules, position = session.rules, session.position
    changed, done = _changes(session, seen), dict[Action, set[Place]]()
    for action in _allowed(rules, position, changed):
        after = rules.look(rules.after(position, action))
        places = {*changes(session.look, after)}
        if places <= changed.keys() and all(seen.get(p, EMPTY) == after.get(p, EMPTY) for p in places):
            done[action] = places
    for first, second in combinations(done, 2):
        if done[first].isdisjoint(done[second]) and done[first] | done[second] == changed.keys():
            breaches = session.play(first).judge(second)
            words = say("Two pieces were moved: put one of them back.")
            told = tuple(replace(b, sites=tuple(sorted(changed)), words=words) for b in breaches[:1])
            return Offence(second, told, (first,)) if told else None
    return None


def _allowed(rules: Rules[Any], position: Any, changed: Changes) -> Iterator[Action]:
    """Yields the legal actions that may have been meant by a change."""
    for attempt in islice(rules.attempts(position, changed), ATTEMPTS):
        if not rules.judge(position, attempt):
            yield rules.read(position, attempt)


def find_untimely(session: Session, seen: Mapping[Place, Look]) -> Offence | None:
    """Returns an action that another player did too early; None where it is not legal in their turn."""
    rules, position, owes = session.rules, session.position, session.position.to_act
    changed = _changes(session, seen)
    for player in session.players:
        if player == owes:
            continue
        attempt = _legal_for(session, player, changed, seen) or _placed_for(session, player, changed, seen)
        if attempt:
            has_begun = bool(session.plies) and session.plies[-1].player == owes
            template = UNTIMELY["unfinished" if has_begun else "turn"]
            words = say(template, player=say_player(owes), prompt=rules.prompt(position))
            return Offence(attempt, (Breach("GEN-2", words=words),))
    return None


def _legal_for(session: Session, player: Player, changed: Changes, seen: Mapping[Place, Look]) -> str:
    """Returns a legal action of another player that leads to this board; '' where there is none."""
    rules = session.rules
    try:
        other = rules.arrange(session.position, rules.pieces(session.position), player)
    except GameError:
        return ""
    legal = _allowed(rules, other, changed)
    return next((action for action in legal if rules.look(rules.after(other, action)) == seen), "")


def _placed_for(session: Session, player: Player, changed: Changes, seen: Mapping[Place, Look]) -> str:
    """Returns the action that puts a piece on the board, but was done with one of this other player's; ''
    where there is none. Whether the place is allowed says nothing then: it is not theirs to do."""
    rules, position = session.rules, session.position
    if [owner_of(now) for _, now in changed.values()] != [player]:
        return ""
    place, (was, _) = next(iter(changed.items()))
    for attempt in islice(rules.attempts(position, changed), ATTEMPTS):
        breaches = rules.judge(position, attempt)
        if not breaches:
            action = rules.read(position, attempt)
            if _with_another_piece(session, action, seen):
                return action
        elif was == EMPTY and rules.path(attempt) == (place,) and all(place in b.sites for b in breaches):
            kind = rules.kind(attempt)
            if any(rules.kind(action) == kind for action in rules.legal(position)):
                return attempt
    return ""


def _with_another_piece(session: Session, action: Action, seen: Mapping[Place, Look]) -> bool:
    """Returns whether a piece of another player came where a legal action puts one of its player's."""
    before, after = session.look, session.rules.look(session.rules.after(session.position, action))
    came = {place: look for place, (_, look) in changes(before, seen).items() if look != EMPTY}
    put = {place: look for place, (_, look) in changes(before, after).items() if look != EMPTY}
    owners = {(owner_of(came[place]), owner_of(put[place])) for place in came.keys() & put.keys()}
    return any(own != other and other in session.players for other, own in owners)


def _changes(session: Session, seen: Mapping[Place, Look]) -> Changes:
    """Returns the changes of the board, sorted by place."""
    return dict(sorted(changes(session.look, seen).items()))
