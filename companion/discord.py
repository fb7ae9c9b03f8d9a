"""Several sensors over one board: where they contradict each other, and which of them is to be believed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeAlias

from companion.core import EMPTY, Look, Place
from companion.observation import Observation, Reading, Sighting
from companion.referee import Evidence, Finding
from companion.snapshot import SourceStatus
from companion.tracker import Held, Tracker

CLASH = 4.0
"""Nats: two readings clash where every look is at least so unlikely to them together."""
LASTING = 3.0
"""Seconds for which a sensor contradicts the others before it is told."""
Judge: TypeAlias = Callable[[Observation], tuple[Finding, Evidence]]
UNEXPLAINED = ("refused", "unclear")


def clashes(a: Observation, b: Observation) -> frozenset[Place]:
    """The places of which two sensors cannot both be right."""
    shared = a.readings.keys() & b.readings.keys()
    return frozenset(p for p in shared if _clash(a.readings[p], b.readings[p]))


def at_odds(alone: Sequence[Observation], looks: Mapping[Place, Look]) -> dict[str, frozenset[Place]]:
    """For each sensor the places where it contradicts another one, and this board."""
    found: dict[str, frozenset[Place]] = {}
    for one in alone:
        clashing = frozenset[Place]().union(*(clashes(one, other) for other in alone if other is not one))
        wrong = frozenset(p for p in clashing if _is_against(one.readings[p], looks.get(p, EMPTY)))
        if wrong:
            found[one.source] = wrong
    return found


class Witnesses:
    """Several sensors, heard together, or apart where they contradict each other.

    A sensor that contradicts the others for long, and the board that is believed, is left out of what the
    tracker fuses until it agrees again; `odds` are the places where it does not.
    """

    def __init__(self, tracker: Tracker) -> None:
        self.odds: Mapping[str, Collection[Place]] = {}
        self._tracker = tracker
        self._is_one_believed = False

    def weigh(self, held: Held, judge: Judge) -> tuple[Finding, Evidence]:
        """What all sensors say together, or the one that is believed."""
        self._is_one_believed = False
        together = judge(held.observation)
        if not any(clashes(a, b) for a, b in combinations(held.alone, 2)):
            return together
        one = _believed(judge(observation) for observation in held.alone)
        self._is_one_believed = one is not None
        return together if one is None else (replace(one[0], lead=0.0), one[1])

    def note(self, held: Held, looks: Mapping[Place, Look]) -> None:
        """Notes who contradicts the others; `looks` is the board that is believed."""
        odds = at_odds(held.alone, looks)
        is_over = not odds.keys() >= self._tracker.distrusted
        if self._is_one_believed or is_over or held.duration >= LASTING:
            self.odds = odds
            self._tracker.distrusted = frozenset(odds) if len(odds) < len(held.alone) else frozenset()

    def status(self, sighting: Sighting) -> SourceStatus:
        """How a source is, as far as it and the others tell."""
        name, places = sighting.source, self.odds.get(sighting.source, ())
        if sighting.trouble:
            is_lost = sighting.observation is None and not sighting.hand
            return SourceStatus(name, "lost" if is_lost else "trouble", sighting.trouble)
        if places:
            words = f"sees {', '.join(sorted(places))} otherwise than the other sensors"
            return SourceStatus(name, "trouble", f"{words}: play goes on with those")
        return SourceStatus(name, "hand" if sighting.hand else "ok" if sighting.still else "moving")

    def silent(self, now: float) -> list[SourceStatus]:
        """The sources of which nothing comes any more."""
        words = "nothing comes from it any more"
        return [SourceStatus(name, "lost", words) for name in sorted(self._tracker.silent(now))]


def _believed(heard: Iterable[tuple[Finding, Evidence]]) -> tuple[Finding, Evidence] | None:
    """Of what sensors say that clash: the one story that explains what it sees, an action before none.

    A sensor that is stuck goes on showing the old board; none shows a legal action by mistake.
    """
    explained = [(f, e) for f, e in heard if f.kind not in UNEXPLAINED]
    played = [(f, e) for f, e in explained if f.kind == "played"]
    best = played if len(played) == 1 else explained
    return best[0] if len(best) == 1 else None


def _clash(a: Reading, b: Reading) -> bool:
    """Whether no look is likely to both."""
    tops = _top(a) + _top(b)
    best = max((a.of(look) + b.of(look) for look in {*a.looks, *b.looks}), default=a.other + b.other)
    return tops - max(best, a.other + b.other) > CLASH


def _is_against(reading: Reading, look: Look) -> bool:
    return _top(reading) - reading.of(look) > CLASH / 2


def _top(reading: Reading) -> float:
    return max((*reading.looks.values(), reading.other))
