"""The game that is kept: an entry is stored first, and only then becomes the session that is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import zip_longest
from random import Random

from companion.bulletin import Bulletin
from companion.clock import parse_control
from companion.core import Player
from companion.record import Record
from companion.referee import Belief
from companion.referee.revise import guesses
from companion.session import (
    ANSWER,
    ASIDES,
    DEALT,
    REFEREE,
    Entry,
    Session,
    SessionError,
    begin,
    common_plies,
)
from companion.store import Store, result_word
from companion.text import split
from companion.timekeeping import clock_of, keep_time, turns_over


class Ledger:
    """The session, what might have been instead, and its lines on disk. `wall` dates these lines, the clock
    runs by `steady`, `rng` is what chance deals."""

    def __init__(
        self,
        store: Store,
        bulletin: Bulletin,
        wall: Callable[[], float],
        steady: Callable[[], float],
        rng: Random,
    ) -> None:
        self.belief: Belief | None = None
        self._store, self._bulletin = store, bulletin
        self._wall, self._steady, self._rng = wall, steady, rng

    @property
    def session(self) -> Session:
        if self._bulletin.snapshot.session is None:
            raise SessionError("no game is on: choose one first")
        return self._bulletin.snapshot.session

    def begin(self, text: str, head: Mapping[str, str]) -> None:
        game, actions = split(text)
        if "clock" in head:
            parse_control(head["clock"])
        session = begin(game)
        for action in actions:
            session = session.apply(Entry("action", action, source="text", time=self._wall()))
        while dealt := session.rules.deal(session.position, game.options, self._rng):
            session = session.apply(Entry("action", dealt, source=DEALT, time=self._wall()))
        number = self._store.add(Record(game, session.log, head), self._wall())
        self._set(session, number, head)

    def open(self, number: int) -> None:
        record = self._store.load(number)
        session = record.session()
        self._set(session, number, record.head)
        rivals = () if session.outcome else tuple(guesses(session))
        self.belief = Belief(session, rivals)

    def close(self) -> None:
        self._set(None, None, {})

    def write(self, entry: Entry, anew: bool = False, is_due: bool = True) -> None:
        """Adds a line; `anew` where it tells otherwise what was played before, and whether a bonus for a turn
        that it ends `is_due`."""
        before, snapshot = self.session, self._bulletin.snapshot
        clock, after = snapshot.clock, before.apply(replace(entry, time=self._wall()))
        if clock:
            clock, after = keep_time(clock, before, after, entry, self._steady(), anew, is_due)
        if snapshot.number is not None:
            summary = len(after.plies), result_word(after.outcome)
            self._store.append(snapshot.number, len(after.log) - 1, after.log[-1], *summary)
        kept = self.belief if entry.kind in ASIDES else None
        self.belief = replace(kept, told=after) if kept else Belief(after)
        self._bulletin.show(session=after, clock=clock)

    def rewrite(self, belief: Belief, source: str, certainty: float) -> None:
        """Writes the entries that lead to what is believed now: a takeback, then actions. A draw that was
        offered is, whatever a player answers."""
        before, after = self.session, belief.told
        common = common_plies(before, after)
        gone, new = before.plies[common:], after.actions[common:]
        is_theirs = source != ANSWER and bool(after.log) and after.log[-1].kind == "takeback"
        anew = bool(new) and not is_theirs
        if gone:
            self.write(Entry("takeback", str(len(gone)), "" if is_theirs else REFEREE, source), anew)
        paid = _ended(before, common) if anew else Counter[Player]()
        for action, old in zip_longest(new, gone if anew else ()):
            if action:
                player, turn = self.session.position.to_act, self.session.position.turn
                left = old.entry.clock if old and old.player == player else None
                entry = Entry("action", action, player, source, round(certainty, 4), clock=left)
                self.write(entry, left is not None, is_due=not paid[turn])
                paid -= _ended(self.session, len(self.session.plies) - 1)
        if source == ANSWER and before.offer != self.session.offer and not self.session.outcome:
            self.write(Entry("offer", "", before.offer, source))
        self.belief = replace(belief, told=self.session)

    def watch_clock(self) -> None:
        """Ends the game of a player whose time is up; with more than two the arbiter is told."""
        snapshot = self._bulletin.snapshot
        clock, session = snapshot.clock, snapshot.session
        if clock and session and not session.outcome and (player := clock.fallen(self._steady())):
            if len(session.rules.playing(session.position)) == 2:
                self.write(Entry("flag", "", player, "clock"))
                self._bulletin.show(question=None)
                self._bulletin.tell_outcome(session, self.session)
            else:
                self._bulletin.show(notice=f"{player.capitalize()}'s time is up: the arbiter rules.")

    def _set(self, session: Session | None, number: int | None, head: Mapping[str, str]) -> None:
        clock = clock_of(session, head, self._steady()) if session else None
        self._store.put_on(number)
        self.belief = None if session is None else Belief(session)
        self._bulletin.drop_picture()
        self._bulletin.show(session=session, number=number, head=dict(head), clock=clock)
        self._bulletin.show(verdict=None, question=None, notice="", seen={})


def _ended(session: Session, known: int) -> Counter[Player]:
    """Whose turns were over since so many plies, and how often."""
    return Counter(player for player, _ in turns_over(session, known))
