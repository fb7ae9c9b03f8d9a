"""Several sensors over one board: where they contradict each other, and which of them is to be believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from companion.core import EMPTY, Look, Place
from companion.observation import Observation, Reading
from companion.referee import Evidence, Finding

CLASH = 4.0
"""Nats: two readings clash where every look is at least so unlikely to them together."""
UNEXPLAINED = ("refused", "unclear")


def clashes(a: Observation, b: Observation) -> frozenset[Place]:
    """The places of which two sensors cannot both be right."""
    shared = a.readings.keys() & b.readings.keys()
    return frozenset(p for p in shared if _clash(a.readings[p], b.readings[p]))


def is_discordant(alone: Sequence[Observation]) -> bool:
    return any(clashes(a, b) for a, b in combinations(alone, 2))


def at_odds(alone: Sequence[Observation], looks: Mapping[Place, Look]) -> dict[str, frozenset[Place]]:
    """For each sensor the places where it contradicts another one, and this board."""
    found: dict[str, frozenset[Place]] = {}
    for one in alone:
        clashing = frozenset[Place]().union(*(clashes(one, other) for other in alone if other is not one))
        wrong = frozenset(p for p in clashing if _is_against(one.readings[p], looks.get(p, EMPTY)))
        if wrong:
            found[one.source] = wrong
    return found


def believed(heard: Iterable[tuple[Finding, Evidence]]) -> tuple[Finding, Evidence] | None:
    """Of what sensors say that clash: the one story that explains what it sees, an action before none.

    A sensor that is stuck goes on showing the old board; none shows a legal action by mistake.
    """
    explained = [(f, e) for f, e in heard if f.kind not in UNEXPLAINED]
    played = [(f, e) for f, e in explained if f.kind == "played"]
    best = played if len(played) == 1 else explained
    return best[0] if len(best) == 1 else None


def say_odds(places: Iterable[Place]) -> str:
    """What a page shows beside a sensor."""
    return f"sees {', '.join(sorted(places))} otherwise than the other sensors: play goes on with those"


def _clash(a: Reading, b: Reading) -> bool:
    """Whether no look is likely to both."""
    tops = _top(a) + _top(b)
    best = max((a.of(look) + b.of(look) for look in {*a.looks, *b.looks}), default=a.other + b.other)
    return tops - max(best, a.other + b.other) > CLASH


def _is_against(reading: Reading, look: Look) -> bool:
    return _top(reading) - reading.of(look) > CLASH / 2


def _top(reading: Reading) -> float:
    return max((*reading.looks.values(), reading.other))
