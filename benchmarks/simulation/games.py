"""Plays whole games at a desk: a simulated player plays, slips, knocks pieces over, takes back and breaks
rules.

The player's truth is a session of its own. After each stop the desk's record is compared with it. The player
enters by hand what the desk got wrong, and goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from benchmarks.simulation.clocks import CONTROL, TimeSheet
from benchmarks.simulation.players import BREAKS, Hands, Looks, decide, opening
from benchmarks.simulation.senses import SIMPLE, Senses, is_piece, senses_of
from benchmarks.simulation.trials import (
    Tally,
    fewest_steps,
    is_explained,
    is_reached,
    is_told,
    take_step,
    true_choice,
)
from companion.core.game import EMPTY, Look, Place
from companion.record.session import ARBITER, Entry, Session, common_plies
from companion.referee import Belief, Evidence, Finding, Referee
from companion.referee.evidence.looks import bare, changes
from companion.referee.search.limits import THOROUGH
from companion.sensing.observation import Observation, Sighting, Touch
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk

STEP = 0.2
"""Seconds between sightings."""
STOPS = 40
PATIENCE = 14
"""Sightings after which a desk that has said nothing never will."""
LOOK_AGAIN = 50
"""Sightings for which players look at a board that is right and refused, before they say that it is right."""


Found = TypeVar("Found", Finding, Finding | None)


@dataclass(frozen=True)
class TimedReferee(Referee):
    """A referee whose explanations are timed (ms of the processor)."""

    times: list[float] = field(default_factory=list)

    def judge(self, belief: Belief, evidence: Evidence) -> Finding:
        return self._timed(super().judge, belief, evidence)

    def explain(self, belief: Belief, evidence: Evidence) -> Finding | None:
        return self._timed(super().explain, belief, evidence)

    def _timed(
        self, explaining: Callable[[Belief, Evidence], Found], belief: Belief, evidence: Evidence
    ) -> Found:
        began = self.clock()
        found = explaining(belief, evidence)
        self.times.append(1000 * (self.clock() - began))
        return found


class Playing:
    """One game at one desk."""

    def __init__(
        self, store: Store, tally: Tally, head: str, kind: str, rng: Random, eyes: str = SIMPLE
    ) -> None:
        self.tally, self.rng, self.time = tally, rng, 0.0
        self.truth = opening(head, rng)
        self.dealt = len(self.truth.plies)
        self.referee = TimedReferee(clock=tally.clock)
        self.desk = Desk(store, self.referee, wall=lambda: self.time)
        self.desk.handle(m.NewGame(self.truth.text, {"clock": CONTROL}))
        self.times, self.is_kept = TimeSheet(), True
        self.times.note(self.desk.snapshot, self.time)
        self.senses = senses_of(eyes, self.truth.game, kind, rng)
        self.at: Place | None = None
        """The place where hands were last."""
        self.feels = kind == "occupancy"
        self.lays = rng.random() < 0.5
        self.board: Looks = self.laid(self.look)
        self.open = 0
        self._touches: list[Touch] = []
        self.watch(3)

    @property
    def look(self) -> Mapping[Place, Look]:
        return self.truth.rules.look(self.truth.position)

    @property
    def told(self) -> Session:
        return self.desk.session

    def laid(self, looks: Mapping[Place, Look]) -> Looks:
        """Returns the board as it is laid where players lay markers, or leave them out."""
        if self.lays:
            return dict(looks)
        return {p: bare(look) for p, look in looks.items() if not look.startswith("+")}

    def marks(self) -> dict[str, float]:
        if self.feels or not self.lays:
            return {}
        return self.senses.marks(self.truth.rules.marks(self.truth.position))

    def see(self, hand: bool = False, blind: tuple[Place, ...] = ()) -> None:
        self.time += STEP
        if hand and self.at and not self.feels:
            readings, hand = self.senses.under_hand(self.board, self.at)
        else:
            readings = self.senses.readings(self.board, blind)
        seen = Observation(self.time, readings, "sensor", self.marks())
        touches, self._touches = tuple(self._touches), []
        sighting = Sighting(self.time, "sensor", seen, hand=hand and not self.feels, touches=touches)
        self.tell(m.SightingArrived(sighting))

    def tell(self, message: m.Message) -> m.Reply:
        """Puts a message to the desk, and reads the clocks."""
        reply, happened = self.desk.handle(message)
        if [h.event for h in happened if h.event in ("takeback", "action", "corrected")] == ["takeback"]:
            self.is_kept = self.is_kept and self.times.is_kept(self.desk.snapshot, self.time)
        self.times.note(self.desk.snapshot, self.time)
        return reply

    def watch(self, count: int) -> None:
        for _ in range(count):
            self.see()

    def change(self, after: Mapping[Place, Look]) -> None:
        """Hands change the board place by place, in any order, now and then seen in the middle."""
        after = self.laid(after)
        places = [p for p in sorted({*self.board, *after}) if self.board.get(p, EMPTY) != after.get(p, EMPTY)]
        self.rng.shuffle(places)
        self.see(hand=True)
        for place in places:
            if place not in after or bare(self.board.get(place, EMPTY)) != bare(after[place]):
                self.lift(place)
                self.glance()
        for place in places:
            if place in after:
                self.put(place, after[place])
                self.glance()

    def glance(self) -> None:
        """Lets the sensor now and then see the board while hands are at it, or between two hands."""
        if self.rng.random() < 0.2:
            self.see(hand=self.rng.random() < 0.8)

    def lift(self, place: Place) -> None:
        """Takes a piece off, and whatever marker lies there."""
        self.at = place
        if is_piece(self.board.pop(place, EMPTY)) and self.feels:
            self._touches.append(Touch(self.time, place, True))

    def put(self, place: Place, look: Look) -> None:
        """Puts a piece down, or a marker under one that stands there."""
        self.at = place
        is_new = bare(self.board.get(place, EMPTY)) != bare(look)
        self.board[place] = look
        if self.feels and is_new and is_piece(look):
            self._touches.append(Touch(self.time, place, False))

    def is_understood(self) -> bool:
        return is_told(self.told, self.truth)

    def settle(self) -> None:
        """Waits until the desk has it right, or will never; looks again where it is wrongly refused."""
        for n in range(LOOK_AGAIN):
            self.see()
            if self.is_understood() and self.desk.snapshot.verdict is None:
                break
            if n >= PATIENCE and not self.is_odd():
                break
        self.tally.counts["alarms"] += n > PATIENCE

    def is_odd(self) -> bool:
        """Returns whether a player sees at a glance that the page is wrong."""
        shown = self.told.rules.look(self.told.position)
        return self.desk.snapshot.verdict is not None or not self.senses.same(shown, self.look)

    def play(self, count: int) -> None:
        """Plays some actions, then stops."""
        blind = self.rng.sample(self.senses.places, 4) if self.rng.random() < 0.05 else []
        before, played = dict(self.look), 0
        while played < count and not self.truth.outcome:
            after = self.truth.apply(Entry("action", decide(self.truth, self.rng)))
            if played and _undoes(before, dict(self.look), dict(after.rules.look(after.position))):
                break
            self.truth = after
            played += 1
            self.change(self.look)
        for _ in range(4 if blind else 0):
            self.see(blind=tuple(blind))
        self.settle()
        self.check(played)

    def check(self, count: int) -> None:
        """Counts what became of `count` actions; the player answers, and enters what is wrong.

        What is not certain yet, and held, is counted when it is settled.
        """
        self.tally.times += self.referee.times
        self.referee.times.clear()
        self.open += count
        asked = bool(self.desk.snapshot.questions)
        self.tally.counts["questions"] += asked
        if asked and self.answered():
            self.count("asked")
        elif self.is_understood():
            self.count("right")
        elif not self.is_held():
            self.count(self.blame())
            self.enter()

    def is_held(self) -> bool:
        belief = self.desk.belief
        has_verdict = self.desk.snapshot.verdict is not None
        return belief is not None and not has_verdict and is_reached(self.desk, belief, self.truth)

    def count(self, kind: str) -> None:
        self.tally.counts[kind] += self.open
        self.tally.counts["all"] += self.open
        self.open = 0

    def blame(self) -> str:
        """Counts each mistake, and writes it down in words."""
        verdict, told = self.desk.snapshot.verdict, self.told
        same = self.senses.same(told.rules.look(told.position), self.look)
        kind = "alike" if same else "missed" if verdict else "wrong"
        words = f"{' '.join(self.truth.actions[-3:])} | {' '.join(told.actions[-3:])}"
        self.tally.failures.append(f"{kind}: {words} {verdict.words if verdict else ''}")
        return kind

    def answered(self) -> bool:
        """Answers truly, question by question."""
        while questions := self.desk.snapshot.questions:
            question = questions[0]
            choice = true_choice(self.desk, question, self.truth)
            if choice is None or not self.tell(m.Answer(question.id, choice, question.by)).ok:
                return False
        return self.is_understood()

    def enter(self) -> None:
        """Puts the record right on the tablet, as the player would."""
        common = common_plies(self.told, self.truth)
        if len(self.told.plies) > common:
            self.tell(m.TakeBack(len(self.told.plies) - common, ARBITER))
        for action in self.truth.actions[common:]:
            self.tell(m.Submit(action))
        self.restore()

    def restore(self) -> None:
        """Lays the board as the game has it, and checks that the desk sees that."""
        self.change(self.look)
        self.settle()
        if self.desk.snapshot.verdict is not None or not self.is_understood():
            self.tally.counts["stuck"] += 1
            words = f"{' '.join(self.told.actions[-4:])} | {' '.join(self.truth.actions[-4:])}"
            self.tally.failures.append(f"stuck: {words} {self.desk.snapshot.verdict}")
            self.desk.handle(m.Believe())

    def knock(self) -> None:
        """Pieces fall over, lie about for a while, and are put back."""
        hands = Hands(self.truth, self.rng)
        looks = hands.shifted() if self.rng.random() < 0.3 else hands.carried(hands.looks, hands.pick())
        if looks is not None:
            self.change(looks)
            self.watch(self.rng.randrange(8))
            self.restore_by_hand("knock")

    def offend(self) -> None:
        """Breaks a rule on the board, and puts it right as the desk says."""
        name = self.rng.choice(list(BREAKS))
        hands = Hands(self.truth, self.rng)
        looks = BREAKS[name](hands)
        if looks is None or self.senses.same(looks, self.look):
            return
        if self.is_allowed(looks):
            return
        before = self.told
        self.change(looks)
        self.tally.counts["offences"] += 1
        if not self.await_refusal(before):
            kind = "silent" if self.told.actions == before.actions else "believed"
            self.tally.fail(kind, f"{name}: {' '.join(self.told.actions[-3:])}")
        verdict = self.desk.snapshot.verdict
        if verdict and is_told(self.told, self.truth):
            self.follow(name)
        else:
            self.restore_by_hand(name)

    def is_allowed(self, looks: Looks) -> bool:
        """Returns whether hands would happen to do something allowed, as far as can be seen at all."""
        flawless = Senses(self.truth.game, self.senses.kind, Random(), rate=0.0)
        readings = flawless.readings(self.laid(looks))
        seen = Evidence(Observation(self.time, readings, "sensor", self.marks()))
        known = Belief(self.truth), self.desk.belief or Belief(self.told)
        found = (Referee(THOROUGH).judge(belief, seen) for belief in known)
        return any(is_explained(finding, flawless, looks) for finding in found)

    def await_refusal(self, before: Session) -> bool:
        """Waits until the desk has refused what hands did; looks again where something else is told."""
        for n in range(LOOK_AGAIN):
            self.see()
            if n >= PATIENCE - 1 and self.is_refused(before):
                break
        self.tally.counts["alarms"] += n >= PATIENCE
        return self.is_refused(before)

    def is_refused(self, before: Session) -> bool:
        """Returns whether something is refused, and nothing told since but what lies on the board."""
        told = {place: now for place, (_, now) in changes(before.look, self.told.look).items()}
        is_done = self.senses.same(told, {p: look for p, look in self.board.items() if p in told})
        return is_done and self.desk.snapshot.verdict is not None

    def follow(self, name: str) -> None:
        """Does what the desk says, step by step."""
        fewest, taken, aside = fewest_steps(dict(self.look), self.board), 0, dict[Place, Look]()
        while (verdict := self.desk.snapshot.verdict) and verdict.steps and taken < fewest + 4:
            board = dict(self.board)
            take_step(board, verdict.steps[0], aside)
            self.change(board)
            taken += 1
            for _ in range(PATIENCE):
                self.see()
                now = self.desk.snapshot.verdict
                if now is None or now.steps != verdict.steps:
                    break
        self.tally.counts["extra steps"] += max(0, taken - fewest)
        self.restore_by_hand(name)

    def restore_by_hand(self, name: str) -> None:
        self.change(self.look)
        self.settle()
        if not self.is_understood() and not self.is_held():
            self.tally.fail("lost", f"{name}: {' '.join(self.told.actions[-3:])}")
            self.enter()

    def take_back(self) -> None:
        count = self.rng.randint(1, 4)
        plies = self.truth.plies
        free = all(self.truth.rules.reversible(p.after) for p in plies[-count:])
        if count <= len(plies) - self.dealt and free:
            before = self.truth
            self.truth = before.apply(Entry("takeback", str(count)))
            if self.senses.same(before.rules.look(before.position), self.look):
                self.truth = before
                return
            self.is_kept = True
            self.change(self.look)
            self.settle()
            self.tally.counts["takebacks"] += 1
            known = self.is_understood() or self.is_held()
            self.tally.counts["taken back"] += known
            self.check_restored()
            if not known:
                verdict = self.desk.snapshot.verdict
                self.tally.failures.append(f"not taken back: {count} of {before.actions[-5:]} {verdict}")
                self.enter()

    def check_restored(self) -> None:
        """Checks that after a takeback the clocks show what they showed then, and that the scoreboard counts
        as it did."""
        rules, same = self.truth.rules, self.told.position == self.truth.position
        counts = not same or rules.counts(self.told.position) == rules.counts(self.truth.position)
        if self.is_kept and counts:
            self.tally.counts["restored"] += 1
        else:
            self.tally.failures.append(f"not restored: {self.desk.snapshot.clock}")


def _undoes(first: Looks, then: Looks, now: Looks) -> bool:
    """Returns whether the piece of a place is again as at first, whatever marker lies there by now: nobody
    moves there and back without a stop."""
    was, meanwhile, after = (
        {p: bare(looks.get(p, EMPTY)) for p in {*first, *then}} for looks in (first, then, now)
    )
    return any(was[p] == after[p] != meanwhile[p] for p in was)


HABITS: tuple[tuple[float, Callable[[Playing], None]], ...] = (
    (0.04, Playing.knock),
    (0.06, Playing.offend),
    (0.03, Playing.take_back),
)


def play_game(tally: Tally, head: str, kind: str, rng: Random, eyes: str = SIMPLE) -> None:
    """Plays one game, or its first stops."""
    with Store(":memory:") as store:
        playing = Playing(store, tally, head, kind, rng, eyes)
        for _ in range(STOPS):
            if playing.truth.outcome:
                break
            for chance, habit in HABITS:
                if rng.random() < chance:
                    habit(playing)
            playing.play(rng.choices((1, 2, 3), (16, 3, 1))[0])
        playing.count("right" if playing.is_understood() else "open")
