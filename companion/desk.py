"""The desk at which a game is kept: takes one message after the other and says what happened.

Joins tracker, referee, session and store; a state machine without threads. Nothing is shown as done
before it is on disk: an entry is stored first, and only then becomes the session.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from random import Random, SystemRandom
from typing import Any

from companion import messages as m
from companion.clock import parse_control
from companion.core import Action, GameError, IllegalActionError, Look, Place, Player
from companion.discord import Witnesses, at_odds
from companion.entering import entry_of
from companion.observation import Observation, Sighting
from companion.record import Record
from companion.referee import Belief, Evidence, Finding, Referee
from companion.referee.choice import Choice, asked, choices, settle
from companion.referee.evidence import Course
from companion.referee.explain import WHOLE
from companion.referee.guide import guide, say_markers
from companion.session import (
    ANSWER,
    ARBITER,
    REFEREE,
    Entry,
    Session,
    SessionError,
    begin,
    common_plies,
)
from companion.snapshot import Happening, Question, Scene, Snapshot, SourceStatus, Verdict
from companion.store import Store, result_word
from companion.text import split
from companion.timekeeping import clock_of, keep_time
from companion.tracker import Held, Tracker

DOUBTFUL = 2.5
"""Nats: a story this little ahead of another has to hold longer before it is believed."""
LAID = "laid"
"""The head's `markers` where the players lay markers; else the companion keeps them alone."""
MARKERS_AFTER = 3.0
"""Seconds of a still board after which markers that are missing are pointed out."""
IN_HAND = 8
"""So many times the grace a piece that was lifted last is let be in somebody's hand."""
SLIPS = 2
"""So few places may be wrongly read: a refusal for less waits longer."""
TAKEN, TAKEN_WHEN_OVER = 12, 2
"""Plies that are taken back at most by moving pieces back, without a word."""
REFUSALS = ("refused", "turn", "unfinished")


class Desk:
    """One table's state. `wall` gives the time of day in seconds since 1970, `rng` what chance deals."""

    def __init__(
        self,
        store: Store,
        referee: Referee | None = None,
        tracker: Tracker | None = None,
        wall: Callable[[], float] = time.time,
        rng: Random | None = None,
    ) -> None:
        self.snapshot = Snapshot()
        self._store = store
        self._referee = referee or Referee()
        self._tracker = tracker or Tracker()
        self._wall = wall
        self._rng = rng or SystemRandom()
        self._belief: Belief | None = None
        self._settled = True
        self._before: Mapping[Place, Look] = {}
        self._judged: object = None
        self._finding: Finding | None = None
        self._evidence = Evidence(Observation(0.0, {}))
        self._is_handled = False
        self._questions: Counter[Player] = Counter()
        self._laid: frozenset[str] = frozenset()
        self._shown: Mapping[Place, Look | None] = {}
        self._misread: dict[Place, Look | None] = {}
        self._happened: list[Happening] = []
        self._pointed_out = ""
        self._ending: Player = ""
        self._witnesses = Witnesses(self._tracker)
        self._picture: Callable[[], bytes] | None = None

    def handle(self, message: m.Message) -> tuple[m.Reply, list[Happening]]:
        """Carries a message out, or says why not; either way the snapshot is what stands."""
        self._happened = []
        try:
            self._dispatch(message)
            reply = m.Reply(True)
        except IllegalActionError as error:
            reply = m.Reply(False, str(error), error.breaches)
        except GameError as error:
            reply = m.Reply(False, str(error))
        return reply, self._happened

    def _dispatch(self, message: m.Message) -> None:
        match message:
            case m.Seen(sighting):
                self._see(sighting)
            case m.NewGame(text, head):
                self._begin(text, head)
            case m.OpenGame(number):
                self._open(number)
            case m.Tick():
                self._watch_clock()
            case m.CloseGame():
                self._set(None, None, {})
            case m.Answer(question, choice, by):
                self._answer(question, choice, by)
            case m.EndTurn(by):
                self._end_turn(by)
            case m.Believe():
                self._believe()
            case _:
                self._command(entry_of(message, self.session))

    @property
    def session(self) -> Session:
        if self.snapshot.session is None:
            raise SessionError("no game is on: choose one first")
        return self.snapshot.session

    @property
    def belief(self) -> Belief | None:
        """The session that is told, and what might have been instead."""
        return self._belief

    # games

    def _begin(self, text: str, head: Mapping[str, str]) -> None:
        game, actions = split(text)
        if "clock" in head:
            parse_control(head["clock"])
        session = begin(game)
        for action in actions:
            session = session.apply(Entry("action", action, source="text", time=self._now()))
        while dealt := session.rules.deal(session.position, game.options, self._rng):
            session = session.apply(Entry("action", dealt, source="dealt", time=self._now()))
        number = self._store.add(Record(game, session.log, head), self._now())
        self._set(session, number, head)

    def _open(self, number: int) -> None:
        record = self._store.load(number)
        self._set(record.session(), number, record.head)

    def _set(self, session: Session | None, number: int | None, head: Mapping[str, str]) -> None:
        self._belief = None if session is None else Belief(session)
        self._settled, self._judged, self._before, self._misread = False, None, {}, {}
        self._ending = ""
        self._tracker.forget()
        self._picture = None
        clock = clock_of(session, head, self._now()) if session else None
        self._show(
            session=session, number=number, head=dict(head), clock=clock, verdict=None, question=None, seen={}
        )

    # what players and arbiters enter

    def _command(self, entry: Entry) -> None:
        if entry.kind == "action" and (breaches := self.session.judge(entry.text, entry.by)):
            raise IllegalActionError(entry.text, breaches)
        if self._settled:
            self._before = self.session.rules.look(self.session.position)
        self._write(entry)
        self._tracker.settle()
        self._settled, self._judged = False, None
        self._show(verdict=None, question=None, seen={})

    def _answer(self, number: int, choice: tuple[Action, ...], by: Player) -> None:
        question = self.snapshot.question
        if self._belief is None or not question or question.id != number or not _may_answer(question, by):
            raise SessionError("that question is no longer open")
        if choice not in question.choices:
            raise SessionError("that is not one of the choices")
        belief = settle(self._belief, choice)
        self._rewrite(self.session, belief.told, ANSWER, 1.0)
        self._belief = replace(belief, told=self.session)
        self._show(question=self._question(choices(self._belief)))

    # what the sensors see

    def _see(self, sighting: Sighting) -> None:
        self._watch_clock()
        for status in (self._witnesses.status(sighting), *self._witnesses.silent(sighting.time)):
            self._note_source(status)
        if sighting.picture and sighting.still and not sighting.hand:
            self._picture = sighting.picture
        held = self._tracker.see(sighting)
        if held is None or self._belief is None or self.snapshot.session is None:
            return
        seen = (held.told_apart, _course(held).touched, at_odds(held.alone, self._look()))
        if seen != self._judged:
            self._judged, self._finding, self._is_handled = seen, None, False
            self._shown = held.told_apart
        if not self._is_handled:
            self._judge(held)
        elif self._settled and self.snapshot.verdict is None:
            self._tracker.settle()
        if self._is_handled and self.snapshot.verdict is None:
            if held.alone:
                self._witnesses.note(held, self._look())
            if self.snapshot.head.get("markers") == LAID and held.duration >= MARKERS_AFTER:
                self._check_markers(Evidence(held.observation))

    def _judge(self, held: Held) -> None:
        """Judges a board once when it is new, and once more when it has held long enough to be believed."""
        assert self._belief is not None
        finding = self._finding
        slow = finding is not None and finding.kind == "refused" and finding.slips < SLIPS
        grace = self._tracker.patience.grace * (IN_HAND if slow and _is_in_hand(held) else 2 if slow else 1)
        long_held = held.at_once or held.duration >= grace
        if finding is None or (long_held and finding.kind == "unclear"):
            finding, self._evidence = self._witnesses.weigh(held, partial(self._hear, held))
            self._finding = finding
        evidence = self._evidence
        doubtful = held.unaided or finding.lead < DOUBTFUL or self._is_thin(evidence)
        is_quiet = finding.kind == "same" or (finding.kind in ("played", "takeback") and not doubtful)
        if is_quiet or long_held:
            self._is_handled = True
            self._handle(finding, evidence, held)

    def _is_thin(self, evidence: Evidence) -> bool:
        """Whether one place that nobody is known to have touched is all that changed."""
        return evidence.course.touched is None and len(evidence.wrong(self._look())) == 1

    def _end_turn(self, by: Player) -> None:
        turn = self.session.position.turn
        if self.session.outcome or by not in ("", ARBITER, turn):
            raise SessionError("the game is over" if self.session.outcome else f"it is {turn}'s turn")
        self._ending, self._judged = turn, None

    def _hear_whole(self, evidence: Evidence) -> Finding | None:
        """What a board means of which its player says that the turn is over; None where it cannot be."""
        assert self._belief is not None
        finding = replace(self._referee, limits=WHOLE).judge(self._belief, evidence)
        if finding.kind == "played":
            return finding
        position, rules = self.session.position, self.session.rules
        self._show(notice=f"{position.turn.capitalize()}'s turn is not over: {rules.prompt(position)}.")
        return None

    def _hear(self, held: Held, observation: Observation) -> tuple[Finding, Evidence]:
        assert self._belief is not None
        course = _course(held)
        if self.snapshot.verdict:  # hands that put a board right touch anything
            course = replace(course, touched=None)
        evidence = Evidence(self._believed(held, observation), course=course, laid=self._laid)
        finding = self._referee.judge(self._belief, evidence)
        ending, self._ending = self._ending, ""
        if ending and finding.belief.told.position.turn == ending:
            finding = self._hear_whole(evidence) or finding
        return finding, evidence

    def _check_markers(self, evidence: Evidence) -> None:
        """Points out the markers that are missing or left, where the players lay them."""
        marks, look = self.session.rules.marks(self.session.position), self._look()
        words = say_markers(evidence.unlaid(marks, look), evidence.stray(marks), look)
        if words != self._pointed_out:
            self._pointed_out = words
            self._show(notice=words)

    def _believe(self) -> None:
        """The board stands right: what speaks against it is misread, and is left out until it changes."""
        if self.snapshot.verdict:
            wrong = self._evidence.wrong(self._look())
            self._misread = {place: self._shown.get(place) for place in wrong}
        named = ", ".join(sorted(self._misread))
        self._show(verdict=None, notice=f"Left out until they are read otherwise: {named}." if named else "")

    def _believed(self, held: Held, observation: Observation) -> Observation:
        """What is observed, but for places that are known to be misread as they are now."""
        shown = held.told_apart
        self._misread = {p: look for p, look in self._misread.items() if shown.get(p, look) == look}
        kept = {p: reading for p, reading in observation.readings.items() if p not in self._misread}
        return replace(observation, readings=kept) if self._misread else observation

    def _look(self) -> Mapping[Place, Look]:
        return self.session.rules.look(self.session.position)

    def _handle(self, finding: Finding, evidence: Evidence, held: Held) -> None:
        if finding.kind == "unclear":
            return
        if not self._settled and (finding.kind == "refused" or self._lags(finding, evidence)):
            self._show_restore(evidence)
        elif finding.kind == "takeback" and finding.withdrawn > self._takebacks():
            self._doubt_takeback(finding.withdrawn, evidence)
        elif finding.kind == "refused":
            self._refuse(finding, evidence, held)
        else:
            self._accept(finding, held)
            self._note_markers(evidence)

    def _takebacks(self) -> int:
        """How many plies hands may take back: after the end pieces are put away and set up again."""
        return TAKEN_WHEN_OVER if self.session.outcome else TAKEN

    def _doubt_takeback(self, count: int, evidence: Evidence) -> None:
        """A board of long ago: too much to be taken back without a word."""
        if not self.session.outcome:
            words = f"The board is as it was {count} actions ago. {_RESTORE[1]} {_OR_TAKE_BACK}"
            self._show_restore(evidence, words)

    def _lags(self, finding: Finding, evidence: Evidence) -> bool:
        """Whether the board merely lags behind what was entered by hand: it shows what stood before."""
        undone = tuple(entry.text for entry in self.session.undone)
        if finding.kind == "takeback" or (finding.played and undone[: len(finding.played)] == finding.played):
            return True
        wrong = evidence.wrong(self._look())
        return bool(wrong & self._before.keys()) and wrong <= evidence.places - evidence.wrong(self._before)

    def _accept(self, finding: Finding, held: Held) -> None:
        before, put_right = self.session, self.snapshot.verdict is not None
        self._rewrite(before, finding.belief.told, held.observation.source, finding.certainty)
        self._belief = replace(finding.belief, told=self.session)
        self._settled = True
        self._tracker.settle()
        if put_right:
            self._tell("restored")
        words = _say_withdrawal(before, self.session)
        self._tell_plies(before, finding, words)
        question = self._open_question(finding)
        notice = self.snapshot.notice if finding.kind == "same" else words
        self._show(verdict=None, question=question, notice=notice, seen={})
        self._tell_outcome(before)

    def _note_markers(self, evidence: Evidence) -> None:
        """Remembers the markers that lie where the game has them: when they go, the turn is over."""
        rules, position = self.session.rules, self.session.position
        self._laid = evidence.markers(rules.marks(position), rules.look(position))

    def _refuse(self, finding: Finding, evidence: Evidence, held: Held) -> None:
        """Tells what is not allowed; while it is being put right only the steps are told anew."""
        if self.session.outcome:
            return
        seen = evidence.seen(self.session.rules.look(self.session.position))
        old = self.snapshot.verdict
        if old and old.kind in REFUSALS and len(finding.steps) <= len(old.steps):
            self._show(verdict=replace(old, steps=finding.steps), seen=seen)
            return
        words = finding.words or _refusal(finding)
        verdict = Verdict(finding.reason, words, finding.attempt, finding.breaches, finding.steps)
        by, source = self.session.position.to_act, held.observation.source
        self._write(Entry("refused", _refusal(finding), by, source))
        self._belief = replace(finding.belief, told=self.session)
        scene = self._scene(len(self.session.log))
        self._tell("refused", action=finding.attempt, finding=finding, scene=scene)
        self._show(verdict=verdict, seen=seen)

    def _show_restore(self, evidence: Evidence, told: str = "") -> None:
        session = self.session
        should = session.rules.look(session.position)
        seen = evidence.seen(should)
        steps = guide(session.game.board, should, seen)
        kind, words = ("setup", "Set the board up.") if not session.plies else _RESTORE
        if len(evidence.wrong(should)) and steps:
            self._show(verdict=Verdict(kind, told or words, steps=steps), seen=seen)  # type: ignore[arg-type]

    def _note_source(self, status: SourceStatus) -> None:
        old = {s.name: s for s in self.snapshot.sources}
        if old.get(status.name) == status:
            return
        if status.state in ("lost", "trouble") and old.get(status.name, status).words != status.words:
            self._tell("lost" if status.state == "lost" else "moved", words=status.words)
        self._show(sources=tuple({**old, status.name: status}.values()))

    # keeping and telling

    def _rewrite(self, before: Session, after: Session, source: str, certainty: float) -> None:
        """Writes the entries that lead from one session to another: a takeback, then actions."""
        common = common_plies(before, after)
        if len(before.plies) > common:
            by = "" if after.log and after.log[-1].kind == "takeback" else REFEREE
            self._write(Entry("takeback", str(len(before.plies) - common), by, source))
        for action in after.actions[common:]:
            player = self.session.position.to_act
            self._write(Entry("action", action, player, source, round(certainty, 4)))

    def _write(self, entry: Entry) -> None:
        before, now = self.session, self._now()
        clock = self.snapshot.clock
        after = before.apply(replace(entry, time=now))
        if clock:
            clock, after = keep_time(clock, before, after, entry, now)
        number = self.snapshot.number
        if number is not None:
            summary = len(after.plies), result_word(after.outcome)
            self._store.append(number, len(after.log) - 1, after.log[-1], *summary)
        self._belief = Belief(after)
        self._show(session=after, clock=clock)

    def _watch_clock(self) -> None:
        clock, session = self.snapshot.clock, self.snapshot.session
        if clock and session and not session.outcome and (player := clock.fallen(self._now())):
            if len(session.players) == 2:
                self._write(Entry("flag", "", player, "clock"))
                self._tell_outcome(session)
            else:
                self._show(notice=f"{player.capitalize()}'s time is up: the arbiter rules.")

    def _open_question(self, finding: Finding) -> Question | None:
        """What is to be asked now: an open question stays as long as its choices do."""
        old, found = self.snapshot.question, finding.choices
        if finding.kind == "same":
            found = choices(finding.belief) if old else ()
        return old if old and set(old.choices) == set(found) else self._question(found)

    def _question(self, found: tuple[Choice, ...]) -> Question | None:
        if not found:
            return None
        assert self._belief is not None
        by = asked(self._belief)
        self._questions[by] += 1  # apart for each player: the number tells nobody what others were asked
        question = Question(self._questions[by], found, by)
        self._tell("ask", choices=found, question=question.id)
        return question

    def _tell_plies(self, before: Session, finding: Finding, withdrawal: str) -> None:
        new = self.session.plies[len(self.session.plies) - len(finding.played) :]
        if withdrawal and _is_as_handled(before, self.session):
            new = self.session.plies[len(before.plies) :]
            self._tell("corrected", actions=_corrections(before, self.session), words=withdrawal)
        elif finding.withdrawn:
            words = {"words": withdrawal} if withdrawal else {}
            self._tell("takeback", count=finding.withdrawn, **words)
        for ply in new:
            scene = self._scene(self.session.line(ply))
            self._tell("action", ply=ply, marked=bool(finding.choices), scene=scene)

    def _scene(self, line: int) -> Scene | None:
        number, picture = self.snapshot.number, self._picture
        return None if number is None or picture is None else Scene(number, line, picture)

    def _tell_outcome(self, before: Session) -> None:
        outcome = self.session.outcome
        if outcome and not before.outcome:
            self._tell("over", winner=outcome.winner, reason=outcome.reason)

    def _tell(self, kind: str, **data: object) -> None:
        self._happened.append(Happening(kind, data))

    def _show(self, **changes: Any) -> None:
        after = replace(self.snapshot, **changes)
        if after.clock:
            waits = after.verdict is not None
            clock = after.clock.pause(self._now()) if waits else after.clock.resume(self._now())
            after = replace(after, clock=clock)
        if after != self.snapshot:
            self.snapshot = replace(after, id=self.snapshot.id + 1)

    def _now(self) -> float:
        return round(self._wall(), 3)


def _say_withdrawal(before: Session, after: Session) -> str:
    """What was told and turned out otherwise; '' where nothing was."""
    common = common_plies(before, after)
    if common == len(before.plies) or common == len(after.plies):
        return ""
    return f"Not {before.plies[common].action} but {after.plies[common].action}: what followed shows it."


def _is_as_handled(before: Session, after: Session) -> bool:
    """Whether hands did what had been told, and only more is known of it, such as a promotion."""
    path = after.rules.path
    pairs = zip(before.plies, after.plies, strict=False)
    return len(after.plies) >= len(before.plies) and all(path(a.action) == path(b.action) for a, b in pairs)


def _corrections(before: Session, after: Session) -> tuple[Action, ...]:
    pairs = zip(before.plies, after.plies, strict=False)
    return tuple(b.action for a, b in pairs if a.action != b.action)


def _is_in_hand(held: Held) -> bool:
    return bool(held.touches and held.touches[-1].lifted)


def _course(held: Held) -> Course:
    touched = None if held.touches is None else frozenset(touch.place for touch in held.touches)
    felt = held.touches or ()
    lifted = {touch.place: touch.time for touch in reversed(felt) if touch.lifted}
    placed = {touch.place: touch.time for touch in felt if not touch.lifted}
    return Course(held.seen_since, touched, lifted, placed)


_RESTORE = ("restore", "Put the board as the game has it.")
_OR_TAKE_BACK = "Or take them back on the tablet."


def _may_answer(question: Question, by: Player) -> bool:
    return by in ("", ARBITER, question.by)


def _refusal(finding: Finding) -> str:
    rules = ", ".join(b.rule for b in finding.breaches)
    return f"{finding.attempt} ({rules})" if finding.attempt else rules
