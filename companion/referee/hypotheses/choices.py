"""Choices that evidence cannot make and a player must: one short question after the other.

A belief's sessions begin alike. Where they part they are grouped by what was done next, and the question
is which of these it was. The answer keeps the sessions of its group, and may leave another question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from companion.core.game import Action, Player
from companion.record.session import Ply, Session, common_plies
from companion.referee.hypotheses.belief import Belief, FormerBelief, likeliest_first
from companion.referee.hypotheses.histories import begins_with

ASK = 2.0
"""Nats: a rival this close to the best story is asked about."""
MOST_RIVALS = 12
"""With so many close rivals a question does not wait for the end of the turn: they would multiply."""
Choice = tuple[Action, ...]


def choices(belief: Belief, is_asked: bool = False) -> tuple[Choice, ...]:
    """Returns the choices of the question that a belief leaves, the likeliest first; () for no question.

    `is_asked` asks for the choices of a question that stands already, for which less is needed.

    An action that may or may not have followed is asked about where a piece was handled, with () for
    nothing; else what comes next tells. Only what one player did is asked: the replies are another's, who
    may have secrets.
    """
    close = _close_rivals(belief)
    if not close:
        return ()
    accepted, parting = belief.accepted, _parting(belief.accepted, close)
    if not is_asked and len(close) < MOST_RIVALS and _can_wait(accepted, close, parting):
        return ()
    asked = {_own_actions(session.plies[parting:])[:1] for session in (accepted, *close)}
    groups: dict[Choice, list[Choice]] = {}
    for session, _ in belief.all():
        rest = _own_actions(session.plies[parting:])
        if rest[:1] in asked and common_plies(session, accepted) >= parting:
            groups.setdefault(rest[:1], []).append(rest)
    return tuple(_common_beginning(group) for group in groups.values())


def answerer(belief: Belief) -> Player:
    """Returns the player who knows the answer."""
    close = _close_rivals(belief)
    parting = _parting(belief.accepted, close)
    return next(s.plies[parting].player for s in (belief.accepted, *close) if len(s.plies) > parting)


def certain_plies(belief: Belief) -> int:
    """Returns the number of leading plies that the accepted session shares with all likely rivals.

    Rivals that differ only in what no hand did are not counted.
    """
    return _parting(belief.accepted, _close_rivals(belief))


def keep_answered(belief: Belief, choice: Choice) -> Belief:
    """Returns the belief after a player chose: the sessions that agree with the answer."""
    parting = _parting(belief.accepted, _close_rivals(belief))
    kept = [
        (session, cost)
        for session, cost in belief.all()
        if common_plies(belief.accepted, session) >= parting and _agrees(session.plies[parting:], choice)
    ]
    if not kept:
        return Belief(belief.accepted)
    accepted, rivals, least = likeliest_first(kept)
    past = tuple(_past_after_answer(belief, [session for session, _ in kept], parting))
    return Belief(accepted, rivals, belief.cost + least, past)


def _past_after_answer(belief: Belief, kept: list[Session], parting: int) -> Iterator[FormerBelief]:
    """Yields what is remembered once only these sessions are kept.

    An answer settles all beliefs that knew no more plies than those before the sessions part.
    """
    gone = [session for session, _ in belief.all() if all(session is not other for other in kept)]
    for memory in belief.past:
        left = _without(memory, gone, kept)
        if left:
            is_settled = len(left.belief.accepted.plies) <= parting
            yield replace(left, is_answered=left.is_answered or is_settled)


def _without(memory: FormerBelief, gone: list[Session], kept: list[Session]) -> FormerBelief | None:
    """Returns a memory but for what led to nothing but sessions that are gone; None where all of it did."""
    left = [
        (session, cost)
        for session, cost in memory.belief.all()
        if not _leads_to(session, gone) or _leads_to(session, kept)
    ]
    if not left:
        return None
    accepted, rivals, _ = likeliest_first(left)
    return replace(memory, belief=replace(memory.belief, accepted=accepted, rivals=rivals))


def _leads_to(session: Session, others: list[Session]) -> bool:
    return any(begins_with(other, session) for other in others)


def _close_rivals(belief: Belief) -> list[Session]:
    """Returns the rivals that are likely enough to ask about."""
    return [s for s, cost in belief.rivals if cost < ASK and _differ(belief.accepted, s)]


def _differ(a: Session, b: Session) -> bool:
    """Returns whether two sessions differ in what hands did, and not merely in what follows by itself."""
    short, long = sorted((a, b), key=lambda session: len(session.plies))
    parting = common_plies(a, b)
    return parting < len(short.plies) or bool(long.plies[parting:] and _is_handled(long, parting))


def _is_handled(session: Session, n: int) -> bool:
    """Returns whether hands did ply n on the board, and it stays there."""
    action = session.plies[n].action
    return bool(session.rules.path(action)) and not session.rules.is_transient(action)


def _parting(accepted: Session, close: list[Session]) -> int:
    """Returns with how many plies all these sessions begin alike."""
    return min((common_plies(accepted, session) for session in close), default=len(accepted.plies))


def _can_wait(accepted: Session, close: list[Session], parting: int) -> bool:
    """Returns whether a question can wait because the turn goes on.

    Which way a piece went makes no difference when the turn is over. But another player may have gone on
    already, or may have to tell something first; and what nobody sees may decide how the turn can go on.
    """
    has_passed = _has_to_tell(accepted) or any(_passes_on(session, parting) for session in close)
    return not (has_passed or _part_for_a_turn((accepted, *close), parting)) and _goes_on(accepted, parting)


def _part_for_a_turn(sessions: Sequence[Session], parting: int) -> bool:
    """Returns whether sessions part by what stands on the board for a turn: a magnet that a piece hides."""
    actions = (session.plies[parting].action for session in sessions if len(session.plies) > parting)
    rules = sessions[0].rules
    return any(map(rules.is_transient, actions))


def _own_actions(plies: tuple[Ply, ...]) -> Choice:
    """Returns the actions until another player's turn to act."""
    return tuple(ply.action for ply in takewhile(lambda ply: ply.player == plies[0].player, plies))


def _goes_on(session: Session, n: int) -> bool:
    """Returns whether the turn of ply n is not over yet; of the last ply, where there is no such one."""
    if session.outcome or not session.plies or len(session.players) < 2:
        return False
    n = min(n, len(session.plies) - 1)
    turn = session.positions()[n].turn
    return all(ply.after.turn == turn for ply in session.plies[n:])


def _passes_on(session: Session, n: int) -> bool:
    """Returns whether hands did something since ply n, in a later turn."""
    positions = session.positions()
    later = (k for k in range(n, len(session.plies)) if positions[k].turn != positions[n].turn)
    return any(_is_handled(session, k) for k in later)


def _has_to_tell(session: Session) -> bool:
    """Returns whether another player owes an answer that no board shows."""
    position, rules = session.position, session.rules
    is_owed = not session.outcome and position.to_act != position.turn
    return is_owed and not any(map(rules.path, rules.legal(position)))


def _agrees(rest: tuple[Ply, ...], choice: Choice) -> bool:
    """Returns whether these plies begin with what a player chose, or are none where that is nothing."""
    own = _own_actions(rest)
    return own[: len(choice)] == choice and bool(own) == bool(choice)


def _common_beginning(group: list[Choice]) -> Choice:
    """Returns the actions with which all of a group begin: at least the first, which they share."""
    count = 1
    while all(len(rest) > count and rest[count] == group[0][count] for rest in group):
        count += 1
    return group[0][:count]
