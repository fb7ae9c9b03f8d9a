"""The desk at which a game is kept: takes one message after the other and says what happened.

A state machine without threads. What is shown and told is in `bulletin`, the game and its lines on disk in
`ledger`, when a board is believed in `hearing`, what is asked in `asking`; here it is decided what follows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random, SystemRandom

from companion import messages as m
from companion.asking import Asking
from companion.bulletin import Bulletin, say_withdrawal
from companion.core import Action, GameError, IllegalActionError, Look, Place, Player
from companion.entering import entry_of
from companion.hearing import Hearing, Ruling
from companion.ledger import Ledger
from companion.marking import Marking
from companion.observation import Sighting
from companion.referee import Belief, Evidence, Finding, Referee
from companion.referee.choice import settle
from companion.referee.takeback import TAKEN
from companion.session import ANSWER, ARBITER, ASIDES, Entry, Session, SessionError
from companion.snapshot import Happening, Snapshot, Verdict
from companion.store import Store
from companion.timekeeping import steadied
from companion.tracker import Held, Tracker
from companion.verdicts import REFUSALS, of_long_ago, refusal, restoring, say_refusal

RESTORING = 3.0
"""Seconds for which a board that is being put right has to hold, before a takeback is seen in it."""
TAKEN_WHEN_OVER = 2
"""Plies that are taken back at most by moving pieces back, without a word, when the game is over."""


class Desk:
    """One table's state. `wall` gives the time of day in seconds since 1970, `steady` one that nobody sets,
    for the players' clock; `rng` is what chance deals."""

    def __init__(
        self,
        store: Store,
        referee: Referee | None = None,
        tracker: Tracker | None = None,
        wall: Callable[[], float] = time.time,
        rng: Random | None = None,
        steady: Callable[[], float] | None = None,
    ) -> None:
        def now() -> float:
            return round(wall(), 3)

        steady = steady or steadied(wall)
        self._tracker = tracker or Tracker()
        self._bulletin = Bulletin(steady)
        self._ledger = Ledger(store, self._bulletin, now, steady, rng or SystemRandom())
        self._hearing = Hearing(referee or Referee(), self._tracker, self._bulletin)
        self._asking = Asking(self._bulletin)
        self._marking = Marking(self._bulletin)
        self._is_settled = True
        """Whether the board was seen as the game has it since something was entered by hand."""
        self._before: Mapping[Place, Look] = {}
        """How it was when it was last seen so."""

    def handle(self, message: m.Message) -> tuple[m.Reply, list[Happening]]:
        """Carries a message out, or says why not; either way the snapshot is what stands."""
        try:
            self._dispatch(message)
            reply = m.Reply(True)
        except IllegalActionError as error:
            reply = m.Reply(False, str(error), error.breaches)
        except GameError as error:
            reply = m.Reply(False, str(error))
        return reply, self._bulletin.collect()

    @property
    def snapshot(self) -> Snapshot:
        return self._bulletin.snapshot

    @property
    def session(self) -> Session:
        return self._ledger.session

    @property
    def belief(self) -> Belief | None:
        """The session that is told, and what might have been instead."""
        return self._ledger.belief

    @property
    def is_understood(self) -> bool:
        """Whether the board that was seen last is known to be as the game has it."""
        return self._hearing.is_clear and not (self.snapshot.verdict or self.snapshot.question)

    def _dispatch(self, message: m.Message) -> None:
        match message:
            case m.Seen(sighting):
                self._see(sighting)
            case m.NewGame(text, head):
                self._ledger.begin(text, head)
                self._begin_anew()
            case m.OpenGame(number):
                self._ledger.open(number)
                self._begin_anew()
                self._bulletin.show(question=self._asking.ask(self._believed()))
            case m.CloseGame():
                self._ledger.close()
                self._begin_anew()
            case m.Tick():
                self._ledger.watch_clock()
            case m.Answer(question, choice, by):
                self._answer(question, choice, by)
            case m.EndTurn(by):
                self._end_turn(by)
            case m.Believe():
                self._hearing.believe(self.session)
            case m.Correct(number=number, plies=plies):
                self._check_timely(number, plies)
                self._enter(entry_of(message, self.session))
            case _:
                self._enter(entry_of(message, self.session))

    # what people say

    def _begin_anew(self) -> None:
        self._is_settled, self._before = False, {}
        self._hearing.forget()
        self._tracker.forget()

    def _enter(self, entry: Entry) -> None:
        if entry.kind == "action" and (breaches := self.session.judge(entry.text, entry.by)):
            raise IllegalActionError(entry.text, breaches)
        if entry.kind in ASIDES:
            self._ledger.write(entry)
            return
        if self._is_settled:
            self._before = self.session.look
        self._ledger.write(entry)
        self._tracker.settle()
        self._is_settled = False
        self._hearing.reopen()
        self._bulletin.show(verdict=None, question=None, notice="", seen={})

    def _check_timely(self, number: int | None, plies: int | None) -> None:
        """SessionError where what was begun for a game, at so many plies, comes too late for it."""
        if number not in (None, self.snapshot.number):
            raise SessionError("another game is on: this correction belongs to an earlier one")
        if plies not in (None, len(self.session.plies)):
            raise SessionError("the game went on meanwhile: begin the correction anew")

    def _answer(self, number: int, choice: tuple[Action, ...], by: Player) -> None:
        self._asking.check(number, choice, by)
        believed = settle(self._believed(), choice)
        self._ledger.rewrite(believed, ANSWER, 1.0)
        self._bulletin.show(question=self._asking.ask(self._believed()))

    def _end_turn(self, by: Player) -> None:
        turn = self.session.position.turn
        if self.session.outcome or by not in ("", ARBITER, turn):
            raise SessionError("the game is over" if self.session.outcome else f"it is {turn}'s turn")
        self._hearing.end_turn(turn)

    # what the sensors see

    def _see(self, sighting: Sighting) -> None:
        self._ledger.watch_clock()
        witnesses = self._hearing.witnesses
        for status in (witnesses.status(sighting), *witnesses.silent(sighting.time)):
            self._bulletin.show_source(status)
        self._bulletin.look(sighting)
        held = self._tracker.see(sighting)
        if held is not None and self._ledger.belief is not None:
            self._judge(held)

    def _judge(self, held: Held) -> None:
        ruling = self._hearing.hear(held, self._believed(), self._marking.laid)
        if ruling:
            self._follow(ruling)
        if not self._hearing.is_over or self.snapshot.verdict is not None:
            return
        if not ruling and self._is_settled and self._hearing.is_clear:
            self._tracker.settle()
        if held.alone:
            self._hearing.witnesses.note(held, self.session.look)
        self._marking.check(self.session, Evidence(held.observation), held.duration)

    def _follow(self, ruling: Ruling) -> None:
        finding, evidence = ruling.finding, ruling.evidence
        if finding.kind == "unclear":
            return
        if not self._is_settled and (finding.kind == "refused" or self._lags(finding, evidence)):
            self._wait(restoring(self.session, evidence), evidence)
        elif finding.kind == "takeback" and finding.withdrawn > self._takebacks():
            if not self.session.outcome:
                self._wait(of_long_ago(self.session, finding.withdrawn, evidence), evidence)
        elif finding.kind == "refused":
            self._refuse(ruling)
        elif finding.withdrawn and ruling.duration < RESTORING and (verdict := self._steps_left(evidence)):
            self._wait(verdict, evidence)
            self._hearing.wait()
        else:
            self._accept(ruling)
            self._marking.note(self.session, evidence)

    def _steps_left(self, evidence: Evidence) -> Verdict | None:
        """The refusal that is shown, with no more steps to do, where a board may be put right; else None."""
        old, now = self.snapshot.verdict, restoring(self.session, evidence)
        if old is None or now is None or old.kind not in REFUSALS or len(now.steps) > len(old.steps):
            return None
        return replace(old, steps=now.steps)

    def _takebacks(self) -> int:
        """How many plies hands may take back: after the end pieces are put away and set up again, and what a
        player or the arbiter said is not taken back by hand."""
        if self.session.ruled:
            return 0
        return TAKEN_WHEN_OVER if self.session.outcome else TAKEN

    def _lags(self, finding: Finding, evidence: Evidence) -> bool:
        """Whether the board merely lags behind what was entered by hand: it shows what stood before."""
        undone = tuple(entry.text for entry in self.session.undone)
        if finding.kind == "takeback" or (finding.played and undone[: len(finding.played)] == finding.played):
            return True
        wrong = evidence.wrong(self.session.look)
        return bool(wrong & self._before.keys()) and wrong <= evidence.places - evidence.wrong(self._before)

    def _accept(self, ruling: Ruling) -> None:
        finding, before = ruling.finding, self.session
        was_wrong = self.snapshot.verdict is not None
        self._ledger.rewrite(finding.belief, ruling.source, finding.certainty)
        self._is_settled = True
        self._tracker.settle()
        if was_wrong:
            self._bulletin.tell("restored")
        self._bulletin.tell_plies(before, self.session, finding)
        question = self._asking.go_on(finding, self._believed())
        is_news = finding.kind != "same"
        news = say_withdrawal(before, self.session) or self._hearing.say_left_out()
        notice = news if is_news else self.snapshot.notice
        self._bulletin.show(verdict=None, question=question, notice=notice, seen={})
        self._bulletin.tell_outcome(before, self.session)

    def _refuse(self, ruling: Ruling) -> None:
        """Tells what is not allowed; while it is being put right only the steps are told anew."""
        if self.session.outcome:
            return
        finding, old = ruling.finding, self.snapshot.verdict
        if old and old.kind in REFUSALS and len(finding.steps) <= len(old.steps):
            self._wait(replace(old, steps=finding.steps), ruling.evidence)
            return
        by = self.session.position.to_act
        self._ledger.write(Entry("refused", say_refusal(finding), by, ruling.source))
        self._ledger.belief = replace(finding.belief, told=self.session)
        scene = self._bulletin.scene(len(self.session.log))
        self._bulletin.tell("refused", action=finding.attempt, finding=finding, scene=scene)
        self._wait(refusal(finding), ruling.evidence)

    def _wait(self, verdict: Verdict | None, evidence: Evidence) -> None:
        """Play waits until the board is right."""
        if verdict:
            self._bulletin.show(verdict=verdict, seen=evidence.seen(self.session.look))

    def _believed(self) -> Belief:
        return self._ledger.belief or Belief(self.session)
