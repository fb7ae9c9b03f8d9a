"""The desk: keeps a table's state, and is the one place with side effects.

It takes one message after the other, without a thread of its own. For each it asks `step.take` what follows,
stores that, and only then publishes the new state's snapshot. Time and chance come in here too.

Where the store fails (a full disk, a card that dies), what people enter is refused with a word. Play is
watched on: what the sensors see is kept in memory, and neither shown nor told until the store takes it. The
snapshot says meanwhile what is wrong, and the desk tries the store again by itself.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from random import Random, SystemRandom

from companion.core.game import GameError, IllegalActionError
from companion.language import say
from companion.record.head import PAIRING
from companion.record.session import Session, SessionError
from companion.record.timekeeping import choose_steady_time
from companion.referee import Belief, Referee
from companion.store.store import Store
from companion.store.trouble import say_trouble
from companion.table import messages as m
from companion.table.ledger import new_record
from companion.table.policy import POLICY, Policy
from companion.table.snapshot import Happening, Proposal, Snapshot
from companion.table.state import Effect, StepContext, TableState, TableStep
from companion.table.step import Input, SeatedGame, take, what_was_meant

log = logging.getLogger(__name__)
RETRY = 1.0
"""Seconds after which a store that failed is tried again."""

OWN_FAULT = say("the companion failed at this; what was recorded is safe")
NOT_FOLLOWED = say(
    "the companion fails at what it sees: play is not followed. What was recorded is safe: restart the "
    "companion, or go on by the diagram, and report the fault with the journal."
)


class Desk:
    """One table. `wall` gives the time of day in seconds since 1970, `steady` one that nobody sets, for the
    players' clock; `rng` is what chance deals. `warning` is what a person has to know of the stored games."""

    def __init__(
        self,
        store: Store,
        referee: Referee | None = None,
        policy: Policy = POLICY,
        wall: Callable[[], float] = time.time,
        rng: Random | None = None,
        steady: Callable[[], float] | None = None,
        warning: str = "",
    ) -> None:
        self._store, self._referee, self._policy = store, referee or Referee(), policy
        self._wall, self._steady, self._rng = wall, steady or choose_steady_time(wall), rng or SystemRandom()
        self._warning = warning
        self._snapshot = Snapshot(store_warning=warning)
        self.state = self._stored = TableState(is_turned=store.is_turned)
        """The newest state, and the newest one that is stored whole: that is shown."""
        self._unstored: tuple[Effect, ...] = ()
        self._untold: tuple[Happening, ...] = ()
        self._trouble, self._next_try = "", float("-inf")
        self._failing: set[type[m.Message]] = set()
        """The kinds of messages at which the companion failed last."""

    def handle(self, message: m.Message | m.Meant) -> tuple[m.Reply, list[Happening]]:
        """Carries a message out, and returns what happened; or replies why it cannot, and changes nothing.

        A fault of the companion's own does not end the game. Who asked is told; of what nobody asked for, as
        that the board is not followed, the page says it until the same succeeds.
        """
        kind = type(message.message if isinstance(message, m.Meant) else message)
        try:
            reply = self._reply(message)
            self._failing.discard(kind)
        except Exception:
            log.exception("while handling %s", kind.__name__)
            reply = m.Reply(False, OWN_FAULT)
            if kind in (m.SightingArrived, m.Tick):
                self._failing.add(kind)
        self._publish()
        if self._unstored:
            return reply, []
        told, self._untold = self._untold, ()
        return reply, list(told)

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    @property
    def session(self) -> Session:
        """Returns the session as it was last seen or entered, stored or not."""
        return self.state.session

    @property
    def belief(self) -> Belief | None:
        """Returns the session as all know it, and its rivals; None while no game is on."""
        return self.state.game.belief if self.state.game else None

    def _reply(self, message: m.Message | m.Meant) -> m.Reply:
        context = StepContext(self._referee, self._policy, round(self._wall(), 3), self._steady())
        try:
            if isinstance(message, m.SightingArrived | m.Tick):
                self._watch_on(take(self.state, message, context), context.steady)
            else:
                self._carry_out(message, context)
        except IllegalActionError as error:
            return m.Reply(False, str(error), error.breaches)
        except GameError as error:
            return m.Reply(False, str(error))
        except sqlite3.IntegrityError:  # our own fault: go on from what is stored
            if self._unstored:
                self.state, self._unstored, self._untold = self._stored, (), ()
            raise
        except sqlite3.Error as error:
            self._note_trouble(error, context.steady)
            return m.Reply(False, self._trouble)
        return m.Reply(True)

    def _watch_on(self, step: TableStep, now: float) -> None:
        """Takes what was seen. What the store does not take is kept until it does."""
        self.state = step.state
        self._unstored += step.effects
        self._untold += step.events
        if now >= self._next_try:
            self._store_all()

    def _carry_out(self, message: m.Message | m.Meant, context: StepContext) -> None:
        """Does what a person asks for, on a game that is stored: all of it, or nothing."""
        self._store_all()
        if isinstance(message, m.Meant):
            message = what_was_meant(message, self.state)
        with self._store.transaction if isinstance(message, m.NewGame | m.BeginProposed) else nullcontext():
            step = take(self.state, self._answered(message, context.wall), context)
            self._store_all(step.effects)
        self.state = step.state
        self._untold += step.events

    def _store_all(self, effects: tuple[Effect, ...] = ()) -> None:
        """Stores what waits, and these effects. All or nothing: a log that holds half a step would not go on
        from the state."""
        effects = self._unstored + effects
        if effects:
            with self._store.transaction:
                for effect in effects:
                    getattr(self._store, effect.act)(*effect.values)
        elif self._trouble:
            self._store.check_writable()
        if self._trouble:
            log.warning("the games can be stored again")
        self._stored, self._unstored = self.state, ()
        self._trouble, self._next_try = "", float("-inf")

    def _note_trouble(self, error: sqlite3.Error, now: float) -> None:
        words = say_trouble(error)
        if words != self._trouble:
            log.error("%s", words)
        self._trouble, self._next_try = words, now + RETRY

    def _publish(self) -> None:
        """Shows the state that is stored. How the sources are is shown at once."""
        if not self._unstored:
            self._stored = self.state
        shown = replace(self._stored, sources=self.state.sources)
        fault = NOT_FOLLOWED if self._failing else ""
        self._snapshot = shown.published(self._snapshot, self._trouble, self._warning, fault)

    def _answered(self, message: m.Message, now: float) -> Input:
        """Returns the message as a step takes it: with a game's record, where it needs the store for one."""
        match message:
            case m.NewGame(text, head):
                return self._begun(text, head, now)
            case m.BeginProposed():
                proposal = self._proposed()
                return self._begun(proposal.text, proposal.head, now)
            case m.Propose(head=head) if self._store.has_begun(head.get(PAIRING, "")):
                return m.Propose()
            case m.OpenGame(number):
                record = self._store.load(number)
                times = self._store.times(number, len(record.log))
                return SeatedGame(number, record.session(), record.head, times)
            case _:
                return message

    def _begun(self, text: str, head: Mapping[str, str], now: float) -> SeatedGame:
        record = new_record(text, head, now, self._rng)
        return SeatedGame(self._store.add(record, now), record.session(), head)

    def _proposed(self) -> Proposal:
        """Returns the game that waits to be begun. SessionError where none does, or another is still on."""
        game, proposal = self.state.game, self.state.proposal
        if proposal is None:
            raise SessionError(say("no game waits to be begun here"))
        if game and game.session.outcome is None:
            raise SessionError(say("a game is on: it has to end before the next one begins"))
        return proposal
