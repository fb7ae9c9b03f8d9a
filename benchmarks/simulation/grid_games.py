"""Plays whole games on a simulated grid that knows occupancy alone, with hands as people have them.

The player's truth is a session of its own. After each action the desk has a few seconds. Then its record is
compared with the truth, its question is answered truly, and what it got wrong is entered by hand, so that the
game goes on. A flip that is told on the page or by a button is entered when the disc is down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from random import Random

from benchmarks.simulation.grid_stage import Stage
from benchmarks.simulation.players import opening
from benchmarks.simulation.switch_hands import Carry, Contact, Habits, act_out, carries, false_contacts
from benchmarks.simulation.trials import true_choice
from companion.core.board import Point
from companion.core.game import Action, Look, Place, Site
from companion.record.session import Entry, Session, common_plies
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.refusals import REFUSALS

HABITS = Habits()
PLIES = 80
FLIPS, CAPTURES = 0.2, 0.35
"""The shares of actions in which a player flips, and captures where that is possible: about as in real
games."""
QUICK, ADJUSTS, TELLS, OFFENDS = 0.05, 0.02, 0.3, 0.03
"""The shares of actions in which the other answers at once; a piece is put straight before the move; a flip
is told on the page; the rules are broken."""
UNFELT = ("end", "keep", "pass")
"""Actions that move nothing: a grid feels them by what the other player does next."""
THINKS = (1.0, 3.0)
PATIENCE_S = 6.0
"""A desk that has not told an action, or asked, by then never will."""


@dataclass
class Tally:
    """Actions by what became of them, and the first failures in words."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def fail(self, kind: str, words: str) -> None:
        self.counts[kind] += 1
        self.failures.append(f"{kind}: {words}")


class Sitting:
    """One game at one grid. `tells_flips`: the player enters each flip on the page."""

    tells_flips = False

    def __init__(
        self,
        store: Store,
        tally: Tally,
        head: str,
        rng: Random,
        habits: Habits = HABITS,
        stage: type[Stage] = Stage,
    ) -> None:
        self.tally, self.rng, self.habits = tally, rng, habits
        self.truth = opening(head, rng)
        self.stage = stage(self.truth.game, self.see)
        self.desk = Desk(store, wall=lambda: self.stage.now)
        self.desk.handle(m.NewGame(self.truth.text))
        self.stage.lay(self.occupied)
        self.stage.wait(2.0)

    @property
    def occupied(self) -> frozenset[Site]:
        return self.standing(self.truth)

    @property
    def told(self) -> Session:
        return self.desk.session

    def see(self, sighting: object) -> None:
        self.desk.handle(m.SightingArrived(sighting))  # type: ignore[arg-type]

    def play(self, plies: int) -> None:
        while len(self.truth.plies) < plies and not self.truth.outcome:
            count = 1 + (self.rng.random() < QUICK)
            before = len(self.truth.plies)
            while count and not self.truth.outcome:
                action = choose(self.truth, self.rng)
                self.act(action)
                count -= action not in UNFELT
            self.check(len(self.truth.plies) - before)
            if not self.truth.outcome and self.rng.random() < OFFENDS:
                self.offend()
        self.tally.counts["games"] += 1
        self.tally.counts["whole"] += self.truth.outcome is not None

    def act(self, action: Action) -> None:
        """Hands carry an action out; the switches err meanwhile."""
        before, rules = self.truth, self.truth.rules
        self.truth = before.apply(Entry("action", action))
        if self.rng.random() < ADJUSTS:
            self.move([Carry(*2 * (self.rng.choice(sorted(self.standing(before))),))])
        path = rules.path(action)
        if set(path) <= set(self.stage.wiring.sites):
            todo = carries(self.felt(before), self.felt(self.truth), path, _between(before, path))
            if todo:
                self.move(todo)
        if action.endswith("~") and (self.tells_flips or self.rng.random() < TELLS):
            self.desk.handle(m.Submit(action))

    def felt(self, session: Session) -> dict[Place, Look]:
        """Returns the pieces that stand over a sensor."""
        pieces = session.rules.pieces(session.position)
        return {place: look for place, look in pieces.items() if place in self.stage.wiring.sites}

    def standing(self, session: Session) -> frozenset[Site]:
        return frozenset(self.felt(session))

    def move(self, todo: list[Carry]) -> None:
        self.stage.play(self.contacts(todo), rest=0.1)

    def contacts(self, todo: list[Carry]) -> list[Contact]:
        """Returns what the switches do meanwhile, wrong readings among it."""
        stage, rng = self.stage, self.rng
        contacts = act_out(todo, stage.now, rng, self.habits)
        busy = {c.site for c in contacts}
        rest = [s for s in stage.wiring.sites if s not in busy]
        closed = frozenset(s for s, state in stage.grid.states.items() if state)
        span = (stage.now, contacts[-1].time + 1.0)
        wrong = false_contacts(rest, closed, span, rng, self.habits)
        return sorted([*contacts, *wrong])

    def check(self, count: int) -> None:
        """Waits for the desk; counts what became of the last actions, and puts the record right."""
        self.stage.wait(self.rng.uniform(*THINKS))
        self.wait_for(lambda: self.is_right() or bool(self.desk.snapshot.questions))
        actions = self.truth.actions[-count:]
        kind = self.outcome()
        if kind in ("right", "asked"):
            self.tally.counts[kind] += count
        else:
            verdict = self.desk.snapshot.verdict
            words = f"{' '.join(actions)} | {' '.join(self.told.actions[-3:])} {verdict and verdict.words}"
            self.tally.fail(kind, f"{self.stage.now:.0f} s: {words}")
            self.tally.counts[kind] += count - 1
            self.enter()
        self.tally.counts["actions"] += count
        self.tally.counts["flips"] += sum(a.endswith("~") for a in actions)

    def offend(self) -> None:
        """Carries a piece where the rules do not let it, and back again once the desk has said so.

        Where pieces are only laid and taken off, that would be allowed, as two actions.
        """
        rules, position, occupied = self.truth.rules, self.truth.position, self.occupied
        paths = [rules.path(action) for action in rules.legal(position)]
        ends = {(path[0], path[-1]) for path in paths if len(path) > 1}
        if not ends:
            return
        start = self.rng.choice(sorted({start for start, _ in ends}))
        free = [s for s in self.stage.wiring.sites if s not in occupied and (start, s) not in ends]
        end = self.rng.choice(free)
        self.tally.counts["illegal"] += 1
        self.move([Carry(start, end)])
        self.wait_for(lambda: self.desk.snapshot.verdict is not None)
        verdict = self.desk.snapshot.verdict
        if verdict is not None and verdict.kind in REFUSALS:
            self.tally.counts["refused"] += 1
        else:
            self.tally.failures.append(f"not refused: {start} to {end} | {verdict and verdict.words}")
        if self.told.position != self.truth.position:
            self.tally.fail("believed", f"{start} to {end} | {' '.join(self.told.actions[-3:])}")
        self.move([Carry(end, start)])
        self.wait_for(lambda: self.is_right() and self.desk.snapshot.verdict is None)
        if not self.is_right() or self.desk.snapshot.verdict is not None:
            self.tally.fail("unrestored", f"{start} to {end} | {self.desk.snapshot.verdict}")
            self.enter()

    def wait_for(self, happened: Callable[[], bool]) -> None:
        waited = 0.0
        while waited < PATIENCE_S and not happened():
            self.stage.wait(0.2)
            waited += 0.2

    def is_right(self) -> bool:
        return bool(self.told.position == self.truth.position) and not self.desk.snapshot.questions

    def outcome(self) -> str:
        asked = self.ask()
        if self.is_right():
            return "asked" if asked else "right"
        return "stuck" if common_plies(self.told, self.truth) == len(self.told.plies) else "wrong"

    def ask(self) -> bool:
        """Answers all questions truly; whether any were asked."""
        asked = False
        while questions := self.desk.snapshot.questions:
            question = questions[0]
            is_flip = () in question.choices
            self.tally.counts["flips asked" if is_flip else "moves asked"] += 1
            asked = True
            choice = true_choice(self.desk, question, self.truth)
            if choice is None or not self.desk.handle(m.Answer(question.id, choice, question.by))[0].ok:
                break
        return asked

    def enter(self) -> None:
        """Puts the record right on the tablet, as the player would."""
        common = common_plies(self.told, self.truth)
        if len(self.told.plies) > common:
            self.desk.handle(m.TakeBack(len(self.told.plies) - common))
        for action in self.truth.actions[common:]:
            self.desk.handle(m.Submit(action))
        self.stage.wait(2.0)
        if not self.is_right():
            self.tally.fail("lost", " ".join(self.truth.actions[-3:]))


def choose(session: Session, rng: Random) -> Action:
    """Returns what a player plays: captures and flips as often as people do, else anything."""
    flips, captures, others = [], [], []
    for action in session.rules.legal(session.position):
        if action.endswith("~"):
            flips.append(action)
        else:
            others.append(action)
            if _takes(session, action):
                captures.append(action)
    if flips and (rng.random() < FLIPS or not others):
        return rng.choice(flips)
    if captures and rng.random() < CAPTURES:
        return rng.choice(captures)
    return rng.choice(others)


def _takes(session: Session, action: Action) -> bool:
    path = session.rules.path(action)
    return bool(path) and path[-1] in session.rules.look(session.position)


def _between(session: Session, path: tuple[Site, ...]) -> tuple[Site, ...]:
    """Returns the free sites that a piece slides over along a row, a column or a diagonal; () where it
    cannot."""
    sites = session.game.board.sites
    site_at = {point: site for site, point in sites.items()}
    if len(path) < 2:
        return ()
    over = tuple(site_at.get(point, "") for point in _points_between(sites[path[0]], sites[path[-1]]))
    is_free = "" not in over and not set(over) & set(session.rules.look(session.position))
    return over if is_free else ()


def _points_between(start: Point, end: Point) -> Iterator[Point]:
    """Yields the whole points between two of a row, a column or a diagonal; none for two that lie
    otherwise."""
    across, up = end[0] - start[0], end[1] - start[1]
    steps = max(abs(across), abs(up))
    is_straight = abs(across) in (0, steps) and abs(up) in (0, steps)
    if not is_straight:
        return
    for n in range(1, round(steps)):
        yield start[0] + n * across / steps, start[1] + n * up / steps


def run(head: str, games: int, plies: int, seed: int, stage: type[Stage] = Stage) -> Iterator[Tally]:
    """Yields a tally for each game."""
    for n in range(games):
        tally = Tally()
        with Store(":memory:") as store:
            sitting = Sitting(store, tally, head, Random(f"{seed} {head} {n}"), stage=stage)
            with closing(sitting.stage):
                sitting.play(plies)
        yield tally
