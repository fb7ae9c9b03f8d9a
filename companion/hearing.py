"""When a board that held is judged, and when what it means is believed.

A board is judged once when it is new, and once more and thoroughly when it has held long enough; whatever is
doubtful or not allowed has to hold for the grace time. What is known to be misread is left out before; and
where play goes on beside places that spoke against the game before, and still do, those were misread.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial

from companion.bulletin import Bulletin
from companion.core import EMPTY, Changes, Look, Place, Player
from companion.discord import Witnesses, at_odds
from companion.observation import Observation
from companion.referee import Belief, Evidence, Finding, Referee
from companion.referee.course import Course
from companion.referee.evidence import CAP, DOUBT
from companion.referee.limits import STILL, THOROUGH, WHOLE
from companion.referee.looks import bare, changes
from companion.session import Session
from companion.tracker import Held, Tracker

DOUBTFUL = 2.5
"""Nats: a story this little ahead of another has to hold longer before it is believed."""
IN_HAND = 8
"""So many times the grace a piece that was lifted last is let be in somebody's hand."""
AHEAD = 4
"""So many times the grace a piece has to stand where it was seen before it left: one place is misread."""
UNLIKELY = 6.0
"""Nats: what is less likely than that is told only when all was looked at, or there was time for much."""
FAINT, FAINTLY = 4.0, 3
"""Nats: a place that speaks so little for a change, or did so once hands were gone, is soon read otherwise if
it is misread; so many times the grace it is waited for that."""
STEPS = (1.0, 3.0, 5.0)
"""Nats against what should stand on a place: doubt, too much to be let pass, and no mistake."""
UNEXPLAINED = ("refused", "unclear")
EXPLAINS = 2
"""So many places must have changed for each that is left unexplained, and for each action beside it."""
MANY = 4
"""More places than hands do against the rules at once: a hand or the light hides the board in a picture that
shows such a thing, until another one shows the same."""
SLIPS = 2
"""So few places may be wrongly read: a refusal for less waits longer."""


@dataclass(frozen=True)
class Ruling:
    """What is believed of a board, on what evidence, and for how long that was seen (seconds)."""

    finding: Finding
    evidence: Evidence
    source: str
    duration: float


class Hearing:
    """Hears one board after the other; `is_over` once the board that stands there is dealt with."""

    def __init__(self, referee: Referee, tracker: Tracker, bulletin: Bulletin) -> None:
        self.witnesses = Witnesses(tracker)
        self.is_over = False
        self._referee, self._tracker, self._bulletin = referee, tracker, bulletin
        self._judged: object = None
        self._finding: Finding | None = None
        self._firmness: frozenset[tuple[Place, int]] = frozenset()
        """How firmly places spoke against what the finding tells, when it was found."""
        self._evidence = Evidence(Observation(0.0, {}))
        self._shown: Mapping[Place, Look | None] = {}
        self._misread: dict[Place, Look | None] = {}
        self._unexplained: Mapping[Place, Look | None] = {}
        """What spoke against the game when nothing allowed explained the board last, and how it was read."""
        self._ending: Player = ""

    @property
    def is_clear(self) -> bool:
        """Whether the board that was judged last is understood, or known not to be allowed."""
        return self._finding is None or self._finding.kind != "unclear"

    def reopen(self) -> None:
        """Judges the board anew, though it did not change."""
        self._judged = None

    def wait(self) -> None:
        """The board has to hold longer before what it means is believed."""
        self.is_over = False

    def forget(self) -> None:
        """Another game begins: nothing is known to be misread, and nobody's turn to be over."""
        self._judged, self._misread, self._unexplained, self._ending = None, {}, {}, ""

    def end_turn(self, player: Player) -> None:
        """The player says that the turn is over: the board is judged as a whole turn."""
        self._ending, self._judged = player, None

    def believe(self, session: Session) -> None:
        """The board stands right: what speaks against it is misread, and is left out until it changes."""
        if self._bulletin.snapshot.verdict:
            wrong = self._evidence.wrong(session.look)
            self._misread = {place: self._shown.get(place) for place in wrong}
        self._bulletin.show(verdict=None, notice=self.say_left_out())

    def say_left_out(self) -> str:
        """Which places are known to be misread, in words; '' for none."""
        named = ", ".join(sorted(self._misread))
        return f"Left out until they are read otherwise: {named}." if named else ""

    def hear(self, held: Held, belief: Belief, laid: frozenset[str]) -> Ruling | None:
        """What is to be believed now of a board that held; None while that has to wait, or is done.

        `laid` are the markers that were seen to lie on the board before.
        """
        look = belief.told.look
        seen = held.told_apart, _course(held).touched, at_odds(held.alone, look), _firmness(held, look)
        if seen != self._judged:
            self._judged, self._finding, self.is_over = seen, None, False
            self._shown = held.told_apart
        if self.is_over:
            return None
        if self._finding and self._firmness != _firmness(held, self._finding.belief.told.look):
            self._finding = None
        finding = self._finding or self._judge(held, belief, laid, self._usual(held))
        is_quiet = self._is_quiet(finding, held, belief)
        self.is_over = is_quiet or self._is_long_held(held, finding, look)
        if self.is_over and not is_quiet and _is_open(finding) and not held.at_once:
            finding = self._judge(held, belief, laid, replace(self._referee, limits=THOROUGH))
        if not self.is_over:
            return None
        if held.hand and not self._is_in_sight(finding):
            return None
        if finding.kind in UNEXPLAINED:
            before = self._unexplained
            self._unexplained = {place: self._shown.get(place) for place in self._evidence.wrong(look)}
            if held.at_once and len(self._unexplained) > MANY and self._unexplained != before:
                self.wait()
                return None
        return Ruling(finding, self._evidence, held.observation.source, self._duration(held, finding, look))

    def _usual(self, held: Held) -> Referee:
        """Who judges a board that is new; pictures that stand for a moment come one by one, and can wait."""
        return replace(self._referee, limits=STILL) if held.at_once else self._referee

    def _is_in_sight(self, finding: Finding) -> bool:
        """Whether something was played, beyond doubt, on places all of which can be seen: nothing else is
        believed while a hand is over the board."""
        if finding.kind != "played" or finding.withdrawn or finding.choices or finding.lead < DOUBTFUL:
            return False
        changed = _changed(finding).keys()
        return changed <= self._evidence.places and len(changed) >= EXPLAINS * len(finding.played)

    def _judge(self, held: Held, belief: Belief, laid: frozenset[str], referee: Referee) -> Finding:
        judge = partial(self._weigh, held, belief, laid, referee)
        self._finding, self._evidence = self.witnesses.weigh(held, judge)
        self._firmness = _firmness(held, self._finding.belief.told.look)
        return self._finding

    def _is_long_held(self, held: Held, finding: Finding, look: Mapping[Place, Look]) -> bool:
        grace = self._tracker.patience.grace
        if held.at_once:
            return True
        if finding.is_ahead:
            return self._age(held, finding) >= AHEAD * grace
        if self._is_faint(held, finding):
            return self._age(held, finding) >= FAINTLY * grace
        if finding.kind != "refused":
            return held.duration >= grace
        slight = IN_HAND if _is_in_hand(held) else 2
        return self._duration(held, finding, look) >= grace * (slight if finding.slips < SLIPS else 1)

    def _duration(self, held: Held, finding: Finding, look: Mapping[Place, Look]) -> float:
        """For how long what is refused, told or taken back instead of this board was seen with no hand near
        (seconds), whatever happened elsewhere."""
        places = changes(look, finding.belief.told.look).keys() or self._evidence.wrong(look)
        if held.calm_since is None or not places:
            return held.duration
        since = (held.seen_since.get(place, held.since) for place in places)
        return max(held.duration, held.observation.time - max(held.calm_since, *since))

    def _age(self, held: Held, finding: Finding) -> float:
        """For how long what would have been played was seen (seconds), whatever happened elsewhere."""
        since = (held.seen_since.get(place, held.since) for place in _changed(finding))
        return held.observation.time - max(since, default=held.since)

    def _is_faint(self, held: Held, finding: Finding) -> bool:
        """Whether a place where a piece would have come or gone, which nobody felt, hardly speaks for it, or
        only since the hands were gone."""
        if self._evidence.course.touched is not None:
            return False
        moved = {p: bare(was) for p, (was, now) in _changed(finding).items() if bare(was) != bare(now)}
        seen = moved.keys() & self._evidence.places
        faint = any(self._evidence.misfit(place, moved[place]) < FAINT for place in seen)
        return faint or self._is_late(held, seen)

    def _is_late(self, held: Held, places: Collection[Place]) -> bool:
        """Whether any of these places changed when hands had been gone for a while."""
        if held.unaided or held.calm_since is None:
            return False
        gone = held.calm_since + self._tracker.patience.hold
        return any(held.seen_since.get(place, gone) > gone for place in places)

    def _is_quiet(self, finding: Finding, held: Held, belief: Belief) -> bool:
        """Whether nothing speaks for waiting."""
        if finding.kind == "same":
            return True
        if finding.kind not in ("played", "takeback"):
            return False
        if held.unaided or finding.is_ahead:
            return False  # no hand was seen, or a piece came before it left: something may be misread
        if finding.lead < DOUBTFUL or finding.doubt > DOUBT:
            return False
        if self._is_faint(held, finding) or self._is_thin(belief.told):
            return False
        others_are_likely = bool(belief.rivals) or finding.belief.weight > UNLIKELY
        return finding.is_whole or not others_are_likely

    def _is_thin(self, session: Session) -> bool:
        """Whether one place that nobody is known to have touched is all that changed."""
        return self._evidence.course.touched is None and len(self._evidence.wrong(session.look)) == 1

    def _weigh(
        self, held: Held, belief: Belief, laid: frozenset[str], referee: Referee, observation: Observation
    ) -> tuple[Finding, Evidence]:
        course = _course(held)
        if self._bulletin.snapshot.verdict:
            course = replace(course, is_restored=True)
        evidence = Evidence(self._believed(held, observation), course=course, laid=laid)
        finding = referee.judge(belief, evidence)
        if finding.kind in UNEXPLAINED:
            finding, evidence = self._go_on(held, belief, evidence, referee) or (finding, evidence)
        ending, self._ending = self._ending, ""
        if ending and finding.belief.told.position.turn == ending:
            finding = self._weigh_whole(belief, evidence) or finding
        return finding, evidence

    def _go_on(
        self, held: Held, belief: Belief, evidence: Evidence, referee: Referee
    ) -> tuple[Finding, Evidence] | None:
        """What was played beside a few places that nothing explains; None where nothing was.

        Who plays on takes the board for right: places that spoke against it before anything more was played,
        and still do, were misread, and are left out from now on. A picture that shows such a place for the
        first time is not clear: a piece may be in somebody's hand. What was played must explain more than is
        left unexplained.
        """
        shown = held.told_apart
        lasting = {p for p, look in self._unexplained.items() if p in shown and shown[p] == look}
        for slips in range(1, SLIPS + 1):
            limits = replace(referee.limits, fit=referee.limits.fit + CAP * slips)
            finding = replace(referee, limits=limits).judge(belief, evidence)
            if finding.kind != "played" or finding.withdrawn:
                continue
            left = evidence.wrong(finding.belief.told.look)
            changed = _changed(finding).keys() & evidence.places
            if len(changed) < EXPLAINS * max(len(left), len(finding.played)):
                continue
            if left <= lasting and not changed <= lasting:
                self._misread.update((place, shown[place]) for place in left)
                kept = evidence.without(left)
                return referee.judge(belief, kept), kept
            if held.at_once and len(left) <= slips < SLIPS:
                return Finding("unclear", belief), evidence
        return None

    def _weigh_whole(self, belief: Belief, evidence: Evidence) -> Finding | None:
        """What a board means of which its player says that the turn is over; None where it cannot be."""
        finding = replace(self._referee, limits=WHOLE).judge(belief, evidence)
        if finding.kind == "played":
            return finding
        position, rules = belief.told.position, belief.told.rules
        notice = f"{position.turn.capitalize()}'s turn is not over: {rules.prompt(position)}."
        self._bulletin.show(notice=notice)
        return None

    def _believed(self, held: Held, observation: Observation) -> Observation:
        """What is observed, but for places that are known to be misread as they are now."""
        shown = held.told_apart
        self._misread = {p: look for p, look in self._misread.items() if shown.get(p, look) == look}
        kept = {p: reading for p, reading in observation.readings.items() if p not in self._misread}
        return replace(observation, readings=kept) if self._misread else observation


def _changed(finding: Finding) -> Changes:
    """What would have been changed by what was played."""
    told = finding.belief.told
    before = told.positions()[len(told.plies) - len(finding.played)]
    return changes(told.rules.look(before), told.look)


def _firmness(held: Held, look: Mapping[Place, Look]) -> frozenset[tuple[Place, int]]:
    """How firmly each place speaks against this board: doubt that grows while nothing moves is heard anew."""
    found = set()
    for place, reading in held.observation.readings.items():
        likeliest, told = held.told_apart[place], look.get(place, EMPTY)
        if likeliest != told:
            most = reading.other if likeliest is None else reading.of(likeliest)
            found.add((place, bisect(STEPS, most - reading.of(told))))
    return frozenset(found)


def _is_open(finding: Finding) -> bool:
    """Whether more may be found by looking longer."""
    return finding.kind == "unclear" or not finding.is_whole


def _is_in_hand(held: Held) -> bool:
    return bool(held.touches and held.touches[-1].lifted)


def _course(held: Held) -> Course:
    touched = None if held.touches is None else frozenset(touch.place for touch in held.touches)
    felt = held.touches or ()
    lifted = {touch.place: touch.time for touch in reversed(felt) if touch.lifted}
    placed = {touch.place: touch.time for touch in felt if not touch.lifted}
    standing = {touch.place: not touch.lifted for touch in felt}
    return Course(held.seen_since, touched, lifted, placed, standing, is_unaided=held.unaided)
