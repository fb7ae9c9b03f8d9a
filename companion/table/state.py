"""The state of a table: one immutable value, and what a step makes of it.

A step takes a state and a message and returns a `TableStep`: the state afterwards, the effects that have to
be carried out before anybody sees it, and the events to be told then. Nothing here or in the functions of a
step touches a disk, a clock or chance: the desk hands their answers in.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple

from companion.core.game import Look, Place, Player
from companion.language import say
from companion.record.clock import Clock
from companion.record.knowledge import count_true_plies
from companion.record.session import Session, SessionError
from companion.referee import Belief, Referee
from companion.referee.evidence.looks import changes
from companion.referee.hypotheses.choices import certain_plies
from companion.referee.verdict.standing import NOTHING, Standing
from companion.table.acceptance import Acceptance
from companion.table.policy import Policy
from companion.table.refusals import BEGUN
from companion.table.sensor_conflicts import SensorConflicts
from companion.table.snapshot import Happening, Shown, Snapshot
from companion.table.tracker import Tracker


@dataclass(frozen=True, slots=True)
class KeptGame:
    """The game on the table: its number in the store, its head, the session, and its clock if it has one.

    `belief` is what the sensors show of it: the session as all know it, with its rivals. Where nobody has
    secrets that is the session itself.
    """

    number: int
    head: Mapping[str, str]
    session: Session
    belief: Belief
    clock: Clock | None = None
    told: Mapping[Player, int] = field(default_factory=dict)
    """For each owner of secrets so many plies, of the session as that player knows it, that are told."""
    clock_kept: float = -math.inf
    """When the store was told last what the clock shows."""

    @property
    def has_secrets(self) -> bool:
        """Returns whether anybody knows something now that not everybody may know."""
        return self.belief.accepted is not self.session

    @property
    def certain_plies(self) -> int:
        """Returns the number of leading plies of the session that all likely rivals share."""
        return count_true_plies(self.belief.accepted, certain_plies(self.belief))


@dataclass(frozen=True, slots=True)
class ByHand:
    """Entries by hand: whether the board has caught up with them, and how it was before.

    So many of the last plies are `announced`: the companion plays them, and a player does them on the board
    for it.
    """

    has_caught_up: bool = True
    before: Standing = NOTHING
    announced: int = 0
    found: frozenset[Place] | None = None
    """The places at which the board was otherwise when the game came back to the table, or when something was
    entered: hands may have begun an action there before. None before the first board."""
    has_given_up: bool = False
    """True while an action that was begun on the board, and given up, has still to be put back."""

    @property
    def look_before(self) -> Mapping[Place, Look]:
        return self.before.looks

    @property
    def is_being_set_up(self) -> bool:
        """Returns whether nothing stood on the board before: it has yet to be laid."""
        return not self.has_caught_up and not self.look_before


@dataclass(frozen=True, slots=True)
class TableState(Shown):
    """All that a table knows between two messages."""

    game: KeptGame | None = None
    by_hand: ByHand = field(default_factory=ByHand)

    # what the sensors have shown, and what is made of it
    tracker: Tracker = field(default_factory=Tracker)
    looked_at: float = -math.inf
    """When anything was seen last, by the time of the players' clock."""
    acceptance: Acceptance = field(default_factory=Acceptance)
    conflicts: SensorConflicts = field(default_factory=SensorConflicts)
    laid_markers: frozenset[str] = frozenset()
    """The markers that were seen to lie where the game has them."""
    marker_words: str = ""
    """The markers that were pointed out last, in words."""

    asked: Mapping[Player, int] = field(default_factory=dict)
    """The number of the last question to each player."""

    @property
    def kept(self) -> KeptGame:
        """Returns the game on the table. Raises SessionError where none is."""
        if self.game is None:
            raise SessionError(say("no game is on: choose one first"))
        return self.game

    @property
    def session(self) -> Session:
        """Returns the session of the game on the table. Raises SessionError where none is."""
        return self.kept.session

    @property
    def is_waiting(self) -> bool:
        """Returns whether play waits for the board; not while an action is merely begun."""
        return self.verdict is not None and self.verdict.kind != BEGUN

    def may_show_more(self, seconds: float, now: float, policy: Policy) -> bool:
        """Returns whether the board has stood as it is for so many seconds, and it is not known yet what was
        played on it."""
        age = now - self.looked_at
        if age > policy.silence or not seconds <= min(self.tracker.calm_for(policy) + age, policy.ahead):
            return False
        is_judged = self.tracker.held(self.tracker.newest(), policy, self.conflicts.distrusted) is not None
        return not (is_judged and self.acceptance.is_dealt_with)

    @property
    def is_understood(self) -> bool:
        """Returns whether the board that was seen last is known to be as the game has it."""
        return self.is_explained and not self.question

    @property
    def is_explained(self) -> bool:
        """Returns whether some likely story explains the board that was seen last."""
        return self.acceptance.is_clear and not self.verdict

    @property
    def look_as_laid(self) -> Mapping[Place, Look]:
        """Returns what was last seen or entered to stand on each place, by the names that sensors know."""
        return self.as_laid(self.session.game.board, self.session.look)

    @property
    def places_left_open(self) -> frozenset[Place]:
        """Returns the places on which the stories that are still likely differ, by the names that sensors
        know."""
        accepted, rivals = self.kept.belief.accepted, self.kept.belief.rivals
        differing = [changes(accepted.look, rival.look) for rival, _ in rivals]
        return frozenset().union(*(self.as_laid(accepted.game.board, places) for places in differing))

    def with_clock_paused(self, now: float) -> TableState:
        """Lets the clock stand while play waits or the arbiter holds it, and run on afterwards."""
        if self.game is None or self.game.clock is None:
            return self
        clock = self.game.clock
        clock = clock.pause(now) if self.is_waiting or clock.held else clock.resume(now)
        return self if clock is self.game.clock else replace(self, game=replace(self.game, clock=clock))

    def with_clock_from(self, now: float) -> TableState:
        """Lets the clock of whoever acts run from now: to be sure of a move takes time from nobody."""
        if self.game is None or self.game.clock is None:
            return self
        return replace(self, game=replace(self.game, clock=replace(self.game.clock, since=now)))

    def published(
        self, last: Snapshot, store_trouble: str = "", store_warning: str = "", fault: str = ""
    ) -> Snapshot:
        """Returns what everybody reads; the last snapshot where nothing that is shown has changed.

        `store_trouble` says why the game is not stored now, `store_warning` what else to know of the games,
        `fault` what the companion itself fails at.
        """
        game = self.game
        after = Snapshot(
            **{member.name: getattr(self, member.name) for member in fields(Shown)},
            id=last.id,
            session=game.session if game else None,
            number=game.number if game else None,
            head=game.head if game else {},
            clock=game.clock if game else None,
            store_trouble=store_trouble,
            fault=fault,
            store_warning=store_warning,
        )
        return last if after == last else replace(after, id=last.id + 1)


@dataclass(frozen=True, slots=True)
class StepContext:
    """All that a step is handed beside state and message: who judges boards, by which policy, and the time.

    `wall` dates the lines of the log (seconds since 1970); the players' clock runs by `steady`, which nobody
    sets.
    """

    referee: Referee
    policy: Policy
    wall: float
    steady: float


class Effect(NamedTuple):
    """Something that the store is to do: its method, and what that is handed."""

    act: Literal["append", "put_on", "keep_turned", "keep_times"]
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TableStep:
    """A state, and the effects and events that led to it, in their order."""

    state: TableState
    effects: tuple[Effect, ...] = ()
    events: tuple[Happening, ...] = ()

    def to(self, state: TableState) -> TableStep:
        return replace(self, state=state)

    def causing(self, effect: Effect) -> TableStep:
        return replace(self, effects=(*self.effects, effect))

    def telling(self, happening: Happening) -> TableStep:
        return replace(self, events=(*self.events, happening))
