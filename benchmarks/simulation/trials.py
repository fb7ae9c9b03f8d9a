"""Asks the referee one question at a time: a whole turn, an illegal change, a takeback; and checks its
answer."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from random import Random

from benchmarks.simulation.players import BREAKS, PLIES, Hands, Looks, end_turn, opening, play_on, turn_of
from benchmarks.simulation.senses import Senses
from companion.core.game import EMPTY, Look, Place
from companion.record.knowledge import carry_out
from companion.record.session import Entry, Session, common_plies
from companion.referee import Belief, Evidence, Finding, Referee
from companion.referee.hypotheses.choices import Choice, choices, keep_answered
from companion.referee.search.limits import WHOLE_TURN, Limits
from companion.referee.verdict.guide import GuideStep
from companion.sensing.observation import Observation
from companion.table.desk import Desk
from companion.table.snapshot import Question


@dataclass
class Tally:
    """Counts, the times of explanations (ms), and the first few failures in words; of a machine that is so
    many times slower than this one."""

    slower: float = 1.0
    counts: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def clock(self) -> float:
        """Seconds of such a machine's processor."""
        return self.slower * time.thread_time()

    def add(self, more: Tally) -> None:
        self.counts += more.counts
        self.times += more.times
        self.failures += more.failures

    def fail(self, kind: str, words: str) -> None:
        self.counts[kind] += 1
        if len(self.failures) < 12:
            self.failures.append(f"{kind}: {words}")

    def miss(self, is_alike: bool, words: str) -> None:
        """Counts what was not told: as alike where the senses could not tell the board from the one told."""
        if is_alike:
            self.counts["alike"] += 1
            self.failures.append(f"alike: {words}")
        else:
            self.fail("wrong", words)

    def share(self) -> str:
        """Returns the per cent of all that was told rightly, asked or held; what was open when a game ended
        is left out."""
        of = self.counts["all"] - self.counts["open"]
        found = sum(self.counts[kind] for kind in ("right", "asked", "held"))
        return f"{100 * found / of:.2f}" if of else "-"

    def timing(self) -> str:
        times = sorted(self.times) or [0.0]
        return f"{times[len(times) // 2]:.0f}/{times[len(times) * 95 // 100]:.0f}/{times[-1]:.0f}"


def asked(
    tally: Tally, session: Session, senses: Senses, looks: Mapping[Place, Look], whole: bool = False
) -> Finding:
    """Returns the referee's finding on a board; it is timed."""
    evidence = Evidence(senses.observe(looks))
    began = tally.clock()
    finding = Referee(WHOLE_TURN if whole else Limits(), tally.clock).judge(Belief(session), evidence)
    tally.times.append(1000 * (tally.clock() - began))
    return finding


def whole_turn(tally: Tally, head: str, kind: str, rng: Random) -> None:
    """Shows a turn by nothing but the boards before and after it; a puzzle has none."""
    first = opening(head, rng)
    if len(first.players) < 2:
        return
    session = end_turn(play_on(first, rng.randrange(PLIES), rng), rng)
    if session.outcome:
        return
    turn = turn_of(session, rng)
    after = session.play(*turn)
    senses = Senses(session.game, kind, rng, rate=0.0)
    looks = session.rules.look(after.position)
    finding = asked(tally, session, senses, looks, whole=True)
    tally.counts["all"] += 1
    told = finding.belief.accepted
    if is_told(told, after):
        tally.counts["right"] += 1
    elif is_answered(tally, finding.belief, after):
        tally.counts["asked"] += 1
    else:
        is_alike = senses.same(session.rules.look(told.position), looks)
        tally.miss(is_alike, f"{' '.join(turn)} | {finding.kind} {' '.join(finding.played)}")


def is_pending(told: Session, truth: Session) -> bool:
    """Returns whether all is told but actions that change nothing on the board."""
    rules, look = told.rules, truth.rules.look(truth.position)
    for position in reversed(truth.positions()):
        if rules.look(position) != look:
            return False
        if rules.future(position) == rules.future(told.position):
            return True
    return False


def is_reordered(told: Session, truth: Session) -> bool:
    """Returns whether all is told in another order, but for actions that change nothing on the board (what
    was captured)."""
    common = common_plies(told, truth)
    missing = Counter(truth.actions[common:])
    missing.subtract(told.actions[common:])
    silent = list((+missing).elements())
    if not silent or min(missing.values()) < 0:
        return False
    if any(told.rules.path(action) for action in silent):
        return False
    while allowed := next((action for action in silent if not told.judge(action)), None):
        told = told.play(allowed)
        silent.remove(allowed)
    return not silent and told.rules.future(told.position) == told.rules.future(truth.position)


def play(session: Session, actions: tuple[str, ...]) -> Session:
    return session.play(*actions)


def is_answered(tally: Tally, belief: Belief, truth: Session) -> bool:
    """Returns whether a player who answers truly is led there, by questions of at most three choices."""
    while found := choices(belief):
        tally.counts["questions"] += 1
        reaching = [c for c in found[:3] if reaches(keep_answered(belief, c), truth)]
        if not reaching:
            return False
        belief = keep_answered(belief, reaching[0])
        if is_told(belief.accepted, truth):
            return True
    return False


def reaches(belief: Belief, truth: Session) -> bool:
    """Returns whether the truth is among what is believed."""
    return any(is_told(s, truth) for s, _ in belief.all())


def true_choice(desk: Desk, question: Question, truth: Session) -> Choice | None:
    """Returns the choice of a question that leads to the truth; None where none does."""
    belief = desk.belief
    if belief is None or question is not desk.snapshot.question:
        return owners_choice(desk.session, question, truth)
    return next((c for c in question.choices if is_reached(desk, keep_answered(belief, c), truth)), None)


def is_reached(desk: Desk, belief: Belief, truth: Session) -> bool:
    """Returns whether the truth is among what is believed at a desk. What only its owner can tell of a turn
    is asked when that is over."""
    if desk.belief is None or desk.belief.accepted is desk.session:
        return reaches(belief, truth)
    handled = as_handled(truth)
    held = (carry_out(desk.session, desk.belief.accepted, session) for session, _ in belief.all())
    return any(is_told(session, handled) for session in held if session)


def as_handled(truth: Session) -> Session:
    """Returns the truth with the last turn as it is told before its player says what nobody can see."""
    rules, turn = truth.rules, turn_of_last(truth)
    told = replace(truth, plies=truth.plies[: len(truth.plies) - turn])
    for ply in truth.plies[len(told.plies) :]:
        alike = (a for a in rules.legal(told.position) if rules.path(a) == rules.path(ply.action))
        told = told.apply(Entry("action", next(alike, ply.action)))
    return told


def turn_of_last(session: Session) -> int:
    """Returns how many of the last plies belong to one turn."""
    turns = [position.turn for position in session.positions()[:-1]]
    return sum(1 for _ in takewhile(lambda turn: turn == turns[-1], reversed(turns)))


def owners_choice(told: Session, question: Question, truth: Session) -> Choice:
    """Returns what an owner of secrets says of a turn: that it was told otherwise, or as it was (the first).

    Where the turn was told in another order, the owner chooses what has most in common with it.
    """
    first = question.choices[0]
    starts = [n for n in range(len(told.plies)) if told.actions[n : n + len(first)] == first]
    meant = Counter(truth.actions[starts[-1] :][: len(first)] if starts else first)
    return max(question.choices, key=lambda choice: (meant & Counter(choice)).total())


def is_told(told: Session, truth: Session) -> bool:
    """Returns whether the truth is told, or something from which the same may follow."""
    future = told.rules.future
    if future(told.position) == future(truth.position):
        return True
    return is_pending(told, truth) or is_reordered(told, truth)


def illegal_change(tally: Tally, head: str, kind: str, rng: Random) -> None:
    """Breaks the rules in one of twenty ways."""
    session = play_on(opening(head, rng), rng.randrange(PLIES), rng)
    name = rng.choice(list(BREAKS))
    if session.outcome:
        return
    looks = BREAKS[name](Hands(session, rng))
    senses = Senses(session.game, kind, rng, rate=0.0)
    should = dict(session.rules.look(session.position))
    if looks is None or senses.same(looks, should):
        return
    finding = asked(tally, session, senses, looks)
    if is_explained(finding, senses, looks):
        tally.counts["legal to the eye"] += 1
        return
    if finding.kind == "begun":
        tally.counts["begun"] += 1
        return
    tally.counts["all"] += 1
    if finding.kind != "refused":
        tally.fail("believed", f"{name}: {finding.kind} {' '.join(finding.played)} {finding.withdrawn}")
        return
    _check_named(tally, name, session, finding)
    if finding.after and not _are_two(finding):  # what was allowed may stand
        allowed = session.play(*finding.after)
        should = dict(allowed.rules.look(allowed.position))
    _check_steps(tally, name, senses, (should, looks, seen(senses, should, looks)), finding.steps)


def _are_two(finding: Finding) -> bool:
    """Returns whether two actions were done at once, either of which may stand: both are told back."""
    return any(breach.words.startswith("Two pieces were moved") for breach in finding.breaches)


def is_explained(finding: Finding, senses: Senses, looks: Mapping[Place, Look]) -> bool:
    """Returns whether the board was taken for one that something allowed leads to."""
    told = finding.belief.accepted
    return finding.kind != "refused" and senses.same(told.rules.look(told.position), looks)


def _check_named(tally: Tally, name: str, session: Session, finding: Finding) -> None:
    """Counts whether a refusal names rules that were broken, or at least that the position is not allowed."""
    broken = {"GEN-2"} if finding.reason != "refused" else set[str]()
    if finding.attempt:
        before = session.play(*finding.after)
        broken |= {breach.rule for breach in before.judge(finding.attempt)}
    named = {breach.rule for breach in finding.breaches}
    if named == {"GEN-4"}:
        tally.counts["named"] += 1
    elif named and named <= broken:
        tally.counts["named"] += 1
        tally.counts["by its own rule"] += 1
    else:
        tally.fail("misnamed", f"{name}: {finding.attempt} {named} {broken}")


def seen(senses: Senses, should: Looks, looks: Mapping[Place, Look]) -> Looks:
    """Returns the board as the referee believes that it stands."""
    return Evidence(Observation(0.0, senses.readings(looks))).seen(should)


def _check_steps(
    tally: Tally,
    name: str,
    senses: Senses,
    boards: tuple[Looks, Mapping[Place, Look], Looks],
    steps: tuple[GuideStep, ...],
) -> None:
    should, looks, there = boards
    board, aside = dict(looks), dict[Place, Look]()
    for step in steps:
        take_step(board, step, aside)
    extra = max(0, len(steps) - fewest_steps(should, there))
    restored = senses.same(board, should)
    if extra or not restored:
        tally.fail("long way" if restored else "unrestored", f"{name}: {[s.words for s in steps]}")


def take_step(board: Looks, step: GuideStep, aside: Looks) -> None:
    """Changes a board as a player does when told to; what stands in the way goes `aside` until its turn
    comes."""
    if step.look.startswith("+"):
        place = step.start or step.end or ""
        bare = board.get(place, "").partition("+")[0]
        board[place] = bare + (step.look if step.end else "")
        if not board[place]:
            del board[place]
        return
    if step.start is not None and aside.pop(step.start, None) is None:
        board.pop(step.start, None)
    if step.end is not None:
        if step.end in board and step.end != step.start:
            aside[step.end] = board[step.end]
        board[step.end] = step.look


def fewest_steps(should: Mapping[Place, Look], there: Mapping[Place, Look]) -> int:
    """Returns how many steps restore a board at the least: one hand moves one piece, turning it if need be.

    They are, for each owner, as many as pieces are missing or too many, whichever is more.
    """
    missing, extra = Counter[str](), Counter[str]()
    markers = 0
    for place in {p for p, _ in should.items() ^ there.items()}:
        wanted, found = should.get(place, EMPTY), there.get(place, EMPTY)
        if _bare(wanted) == _bare(found):
            markers += sum(_marker(look) != "" for look in (wanted, found))
            continue
        missing[_owner(wanted)] += 1
        extra[_owner(found)] += 1
    del missing[""], extra[""]
    return markers + sum(max(missing[owner], extra[owner]) for owner in {*missing, *extra})


def _marker(look: Look) -> str:
    return look.partition("+")[2]


def _bare(look: Look) -> str:
    return look.partition("+")[0].replace(EMPTY, "")


def _owner(look: Look) -> str:
    """Returns whose piece it is; of a marker that lies alone the marker itself."""
    return look if look.startswith("+") else _bare(look).partition("/")[0]


def takeback(tally: Tally, head: str, kind: str, rng: Random) -> None:
    """Takes one to ten actions back by moving the pieces back."""
    session = play_on(opening(head, rng), rng.randrange(2, PLIES), rng)
    dealt = len(opening(head, rng).plies)
    count = rng.randint(1, 10)
    positions = session.positions()
    back = len(positions) - 1 - count
    if session.outcome or back < dealt or not _may_take_back(session, count):
        return
    looks = session.rules.look(positions[back])
    senses = Senses(session.game, kind, rng, rate=0.0)
    if senses.same(looks, session.rules.look(session.position)):
        return
    finding = asked(tally, session, senses, looks)
    tally.counts["all"] += 1
    told = finding.belief.accepted
    truth = session.apply(Entry("takeback", str(count)))
    if is_told(told, truth) or is_pending(truth, told):
        tally.counts["right"] += 1
    elif finding.choices:
        tally.counts["asked"] += 1
    elif reaches(finding.belief, truth):
        tally.counts["held"] += 1
    else:
        is_alike = senses.same(session.rules.look(told.position), looks)
        tally.miss(is_alike, f"{count} back: {finding.kind} {finding.played} {finding.withdrawn}")


def _may_take_back(session: Session, count: int) -> bool:
    return all(session.rules.reversible(ply.after) for ply in session.plies[-count:])
