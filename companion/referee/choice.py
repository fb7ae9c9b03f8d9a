"""What evidence cannot tell and a player must: questions, one short one after the other.

A belief's sessions begin alike. Where they part they are grouped by what was done next, and the question
is which of these it was; the answer keeps the sessions of its group, and may leave another question.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby, takewhile

from companion.core import Action, Player
from companion.referee.evidence import Evidence
from companion.session import Ply, Session, common_plies

ASK = 2.0
"""Nats: a rival this close to the best story is asked about."""
MANY = 12
"""So many close rivals are asked about before the turn is over: with more there would soon be too many."""
PAST = 24
"""So many beliefs back are remembered."""
Choice = tuple[Action, ...]


@dataclass(frozen=True)
class Belief:
    """The session that was told, and its rivals with how many nats less likely each is.

    `weight` is how unlikely what was told last is (nats); `past` are the beliefs that this one grew from, the
    last first: what refuted their rivals may be taken back, or was misread.
    """

    told: Session
    rivals: tuple[tuple[Session, float], ...] = ()
    weight: float = 0.0
    past: tuple[Memory, ...] = field(default=(), repr=False)

    def followed_by(
        self, told: Session, rivals: tuple[tuple[Session, float], ...], weight: float, seen: Evidence
    ) -> Belief:
        """The next belief, which remembers this one and on what it was given up; what was taken back is
        forgotten."""
        if begins(self.told, told):
            if begins(told, self.told):
                return replace(self, told=told, rivals=rivals)
            kept = [m for m in self.past if len(m.belief.told.plies) < len(told.plies)]
            return Belief(told, rivals, past=tuple(kept))
        memory = Memory(replace(self, past=()), seen)
        return Belief(told, rivals, weight, (memory, *self.past)[:PAST])

    def all(self) -> tuple[tuple[Session, float], ...]:
        return ((self.told, 0.0), *self.rivals)


@dataclass(frozen=True)
class Memory:
    """What was believed, and the board for which it was given up; whether a player's answer about what came
    next has settled it."""

    belief: Belief
    seen: Evidence
    is_answered: bool = False


def choices(belief: Belief, is_asked: bool = False) -> tuple[Choice, ...]:
    """What to choose among, the likeliest first; () where nothing is worth a question, or more of one that
    is asked already.

    An action that may or may not have followed is asked about where a piece was handled, with () for
    nothing; else what comes next tells. Nor is anything asked while the turn goes on (which way a piece went
    makes no difference when it is over), unless another player may have gone on already or has to tell
    something first. Only what one player did is asked: the replies are another's, who may have secrets.
    """
    told, close = belief.told, _close(belief)
    parting = _parting(told, close)
    has_passed = _has_to_tell(told) or any(_passes_on(session, parting) for session in close)
    is_open = _goes_on(told, parting) and not has_passed
    if not close or (len(close) < MANY and is_open and not is_asked):
        return ()
    asked = {_own(session.plies[parting:])[:1] for session in (told, *close)}
    groups: dict[Choice, list[Choice]] = {}
    for session, _ in belief.all():
        rest = _own(session.plies[parting:])
        if rest[:1] in asked and common_plies(session, told) >= parting:
            groups.setdefault(rest[:1], []).append(rest)
    return tuple(_common(group) for group in groups.values())


def asked(belief: Belief) -> Player:
    """The player who knows the answer."""
    close = _close(belief)
    parting = _parting(belief.told, close)
    return next(s.plies[parting].player for s in (belief.told, *close) if len(s.plies) > parting)


def certain(belief: Belief) -> int:
    """How many plies of what is told nothing likely differs from by what hands did."""
    return _parting(belief.told, _close(belief))


def settle(belief: Belief, choice: Choice) -> Belief:
    """The belief after a player chose."""
    parting = _parting(belief.told, _close(belief))
    alike = [(s, cost) for s, cost in belief.all() if common_plies(belief.told, s) >= parting]
    kept = [(s, cost) for s, cost in alike if _has(s.plies[parting:], choice)]
    if not kept:
        return Belief(belief.told)
    told, least = min(kept, key=lambda item: item[1])
    gone = [s for s, _ in belief.all() if all(s is not k for k, _ in kept)]
    past = (_without(memory, gone, [s for s, _ in kept]) for memory in belief.past)
    known = tuple(
        replace(m, is_answered=m.is_answered or len(m.belief.told.plies) <= parting) for m in past if m
    )
    rivals = tuple((s, cost - least) for s, cost in kept if s is not told)
    return Belief(told, rivals, belief.weight + least, known)


def _without(memory: Memory, gone: list[Session], kept: list[Session]) -> Memory | None:
    """What was believed, but for what led to nothing but sessions that are gone; None where all of it did."""
    past = memory.belief
    left = [item for item in past.all() if not _leads(item[0], gone) or _leads(item[0], kept)]
    if not left:
        return None
    told, least = min(left, key=lambda item: item[1])
    rivals = tuple((session, cost - least) for session, cost in left if session is not told)
    return replace(memory, belief=replace(past, told=told, rivals=rivals))


def _leads(session: Session, others: list[Session]) -> bool:
    return any(begins(other, session) for other in others)


def begins(session: Session, earlier: Session) -> bool:
    """Whether a session began with all of another."""
    return common_plies(session, earlier) == len(earlier.plies)


def align(session: Session, told: Session) -> Session:
    """The session with its actions in the order in which others were told, where that makes no difference."""
    common, rules = common_plies(session, told), session.rules
    aligned, left = replace(session, plies=session.plies[:common]), list(session.plies[common:])
    for wanted in (ply.action for ply in told.plies[common:]):
        nearest = [p for p in left if p.action == wanted or rules.path(p.action) == rules.path(wanted)]
        for ply in [p for p in nearest or left[:1] if not aligned.judge(p.action)][:1]:
            left.remove(ply)
            aligned = aligned.apply(ply.entry)
    for ply in left:
        if aligned.judge(ply.action):
            return session
        aligned = aligned.apply(ply.entry)
    same = rules.future(aligned.position) == rules.future(session.position)
    is_alike = same and _turns(aligned, common) == _turns(session, common)
    return replace(aligned, log=session.log) if is_alike else session


def _turns(session: Session, known: int) -> list[set[Action]]:
    """What was done in each turn since so many plies, in whatever order."""
    later = zip(session.positions()[known:], session.plies[known:], strict=False)
    turns = groupby(later, key=lambda item: item[0].turn)
    return [{ply.action for _, ply in turn} for _, turn in turns]


def _close(belief: Belief) -> list[Session]:
    return [s for s, cost in belief.rivals if cost < ASK and _differ(belief.told, s)]


def _differ(a: Session, b: Session) -> bool:
    """Whether two sessions differ in what hands did, and not merely in what follows by itself."""
    short, long = sorted((a, b), key=lambda session: len(session.plies))
    parting = common_plies(a, b)
    return parting < len(short.plies) or bool(long.plies[parting:] and _is_handled(long, parting))


def _is_handled(session: Session, n: int) -> bool:
    action = session.plies[n].action
    return bool(session.rules.path(action)) and not session.rules.is_transient(action)


def _parting(told: Session, close: list[Session]) -> int:
    return min((common_plies(told, session) for session in close), default=len(told.plies))


def _own(plies: tuple[Ply, ...]) -> Choice:
    """The actions until another player's turn to act."""
    return tuple(ply.action for ply in takewhile(lambda ply: ply.player == plies[0].player, plies))


def _goes_on(session: Session, n: int) -> bool:
    """Whether the turn of ply n is not over yet; of the last one, where there is no such ply."""
    if session.outcome or not session.plies or len(session.players) < 2:
        return False
    n = min(n, len(session.plies) - 1)
    turn = session.positions()[n].turn
    return all(ply.after.turn == turn for ply in session.plies[n:])


def _passes_on(session: Session, n: int) -> bool:
    """Whether hands did something since ply n, in a later turn than it."""
    positions = session.positions()
    later = (k for k in range(n, len(session.plies)) if positions[k].turn != positions[n].turn)
    return any(_is_handled(session, k) for k in later)


def _has_to_tell(session: Session) -> bool:
    """Whether another player owes an answer that no board shows."""
    position, rules = session.position, session.rules
    is_owed = not session.outcome and position.to_act != position.turn
    return is_owed and not any(map(rules.path, rules.legal(position)))


def _has(rest: tuple[Ply, ...], choice: Choice) -> bool:
    own = _own(rest)
    return own[: len(choice)] == choice and bool(own) == bool(choice)


def _common(group: list[Choice]) -> Choice:
    """What all of a group begin with."""
    count = 1
    while all(len(rest) > count and rest[count] == group[0][count] for rest in group):
        count += 1
    return group[0][:count]
