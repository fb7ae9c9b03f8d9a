"""An observation as a weighing of looks: how many nats less likely each look is than the likeliest one.

No sensor is as sure as it says: a reading can be plainly wrong, so what a single place can say against a
look is capped. Markers are the players' to lay or to leave: one that is missing speaks against no board,
one that lies where none should fully. What goes on in a turn hides under markers that are gone at its end,
so a board that is still to change is weighed without any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

from companion.core import EMPTY, Changes, Look, Place
from companion.observation import Observation, Reading
from companion.referee.course import UNKNOWN, Course
from companion.referee.looks import bare

CAP = 7.0
"""Nats: about one reading in a thousand is plainly wrong, however sure of itself."""
NEW = "something new"
"""What is seen where nothing known is likely."""
DOUBT = 1.0
"""A place speaks against a look when that look is this many nats less likely than another."""
MARK = 3.0
"""Nats: the most that a marker which lies where none should speaks against a story."""
HIDDEN = 0.2
"""Nats: what a move marker that is not seen speaks against a story, where any are seen."""
GONE = 1.0
"""Nats: what a marker that was seen before and is gone speaks against a story in which it still lies."""


class Change(NamedTuple):
    """By how much `total` and `hope` grow, where that changed the pieces are wrong now, or right, and on how
    many places they changed, and not merely a marker."""

    total: float
    hope: float
    wrong: tuple[Place, ...]
    right: tuple[Place, ...]
    pieces: int


class Evidence:
    """What an observation says of each place that it sees."""

    def __init__(
        self,
        observation: Observation,
        cap: float = CAP,
        course: Course = UNKNOWN,
        laid: frozenset[str] = frozenset(),
    ) -> None:
        self.time = observation.time
        self.source = observation.source
        self.course = course
        self._marks = observation.marks
        self._laid = laid
        self.shows_marks = bool(laid) or any(ratio > 0 for ratio in observation.marks.values())
        """Whether a move marker is seen anywhere, now or before."""
        self._seen = {place: _misfits(reading, cap) for place, reading in observation.readings.items()}
        self._bared = {place: _Misfits.bare(found) for place, found in self._seen.items()}
        self._empty = sum(found.of(EMPTY) for found in self._seen.values())
        self._bared_empty = sum(found.of(EMPTY) for found in self._bared.values())

    @property
    def places(self) -> frozenset[Place]:
        """The places that are seen at all."""
        return frozenset(self._seen)

    def misfit(self, place: Place, look: Look) -> float:
        """How badly a look fits what is seen at a place, in nats; 0 where the place is not seen."""
        found = self._seen.get(place)
        return 0.0 if found is None else found.of(look)

    def total(self, looks: Mapping[Place, Look]) -> float:
        """How badly a whole board fits: 0 when every place shows its likeliest look."""
        return _total(self._seen, self._empty, looks)

    def hope(self, looks: Mapping[Place, Look]) -> float:
        """How badly a board fits, were all markers taken off."""
        return _total(self._bared, self._bared_empty, {p: bare(look) for p, look in looks.items()})

    def change(self, changes: Changes) -> Change:
        """What changing these places, each from a look to another, does to a board's fit."""
        total = hope = 0.0
        pieces = 0
        wrong: list[Place] = []
        right: list[Place] = []
        for place, (was, now) in changes.items():
            pieces += bare(was) != bare(now)
            found = self._seen.get(place)
            if found is None:
                continue
            bared = self._bared[place]
            step = found.of(now) - found.of(was)
            misfit = bared.of(bare(now))
            total += step
            hope += step if bared is found else misfit - bared.of(bare(was))
            (wrong if misfit > DOUBT else right).append(place)
        return Change(total, hope, tuple(wrong), tuple(right), pieces)

    def gain(self, changes: Changes) -> float:
        """By how much `hope` grows where pieces change so, their looks without markers."""
        hope = 0.0
        for place, (was, now) in changes.items():
            found = self._bared.get(place)
            if found is not None:
                hope += found.of(now) - found.of(was)
        return hope

    def unfelt(self, places: Iterable[Place]) -> float:
        """What touches speak against hands that were at all these places."""
        return self.course.unfelt(place for place in places if place in self._seen)

    def untouched(self, places: Collection[Place]) -> Evidence:
        """The same, had nobody felt anything at these places."""
        other = copy(self)
        other.course = self.course.untouched(places)
        return other

    def without(self, places: Collection[Place]) -> Evidence:
        """The same, were these places not seen."""
        other = copy(self)
        other._seen = {place: found for place, found in self._seen.items() if place not in places}
        other._bared = {place: found for place, found in self._bared.items() if place not in places}
        other._empty = sum(found.of(EMPTY) for found in other._seen.values())
        other._bared_empty = sum(found.of(EMPTY) for found in other._bared.values())
        return other

    def mark_misfit(self, marks: frozenset[str], looks: Mapping[Place, Look]) -> float:
        """How badly markers fit those that are seen: move markers that lie where none should, or are not
        seen, and any that lay there before and are gone. They tell stories apart that end alike, and are
        no reason to refuse one."""
        extra = sum(min(r, MARK) for spot, r in self._marks.items() if r > 0 and spot not in marks)
        missing = sum(HIDDEN for spot in marks if self.shows_marks and self._marks.get(spot, 0.0) <= 0)
        gone = sum(GONE for spot in marks & self._laid if self._marks.get(spot, 0.0) < 0)
        marked = [p for p in self._laid if "+" in looks.get(p, "")]
        gone += sum(GONE for p in marked if not self._shows_marker(p, looks[p]))
        return extra + missing + min(gone, MARK)

    def markers(self, marks: frozenset[str], looks: Mapping[Place, Look]) -> frozenset[str]:
        """The spots and places where a marker that should lie there is seen."""
        spots = {spot for spot in marks if self._marks.get(spot, 0.0) > 0}
        places = {p for p, look in looks.items() if "+" in look and self._shows_marker(p, look)}
        return frozenset(spots | places)

    def unlaid(self, marks: frozenset[str], looks: Mapping[Place, Look]) -> tuple[Place, ...]:
        """The spots and places where a marker should lie, would be seen, and is not."""
        spots = {spot for spot in marks if self._marks.get(spot, 0.0) < -DOUBT}
        marked = {p: found for p, found in self._seen.items() if "+" in looks.get(p, "")}
        places = {p for p, found in marked.items() if found.misses(looks[p])}
        return tuple(sorted(spots | places))

    def strange(self, marks: frozenset[str]) -> tuple[str, ...]:
        """The spots where a move marker lies and should not."""
        return tuple(sorted(s for s, ratio in self._marks.items() if ratio > DOUBT and s not in marks))

    def _shows_marker(self, place: Place, look: Look) -> bool:
        found = self._seen.get(place)
        if found is None:
            return False
        return found.known.get(look, found.other) < found.known.get(bare(look), found.other)

    def wrong(self, looks: Mapping[Place, Look], doubt: float = DOUBT) -> frozenset[Place]:
        """The places that speak against this board."""
        return frozenset(p for p, found in self._seen.items() if found.of(looks.get(p, EMPTY)) > doubt)

    def wrong_pieces(self, looks: Mapping[Place, Look]) -> frozenset[Place]:
        """The places that speak against this board, whatever markers lie on it."""
        return frozenset(
            p for p, found in self._bared.items() if found.of(bare(looks.get(p, EMPTY))) > DOUBT
        )

    def seen(self, looks: Mapping[Place, Look]) -> dict[Place, Look]:
        """What stands on the board, believing `looks` wherever nothing speaks against them."""
        found = dict(looks)
        for place in self.wrong(looks):
            found[place] = self._seen[place].best()
        return {place: look for place, look in found.items() if look != EMPTY}


@dataclass(frozen=True, slots=True)
class _Misfits:
    """Nats against each look at one place."""

    known: Mapping[Look, float]
    other: float

    def of(self, look: Look) -> float:
        found = self.known.get(look, self.other)
        return min(found, self.known.get(bare(look), self.other)) if "+" in look else found

    def misses(self, look: Look) -> bool:
        """Whether all of a look is seen but its marker."""
        if look not in self.known or bare(look) not in self.known:
            return False
        return self.known[bare(look)] + DOUBT < self.known[look] and self.known[bare(look)] <= DOUBT

    def best(self) -> Look:
        best = min(self.known, key=self.known.__getitem__, default=NEW)
        return best if self.known and self.known[best] <= self.other else NEW

    def bare(self) -> _Misfits:
        """The same with markers disregarded; itself where no look has any."""
        if not any("+" in look for look in self.known):
            return self
        known: dict[Look, float] = {}
        for look, misfit in self.known.items():
            known[bare(look)] = min(misfit, known.get(bare(look), misfit))
        return _Misfits(known, self.other)


def _misfits(reading: Reading, cap: float) -> _Misfits:
    top = max((*reading.looks.values(), reading.other))
    known = {look: min(top - value, cap) for look, value in reading.looks.items()}
    for look in [look for look in known if "+" in look and bare(look) in known]:
        known[bare(look)] = min(known[bare(look)], known[look] + MARK)
    return _Misfits(known, min(top - reading.other, cap))


def _total(seen: Mapping[Place, _Misfits], empty: float, looks: Mapping[Place, Look]) -> float:
    return empty + sum(seen[p].of(look) - seen[p].of(EMPTY) for p, look in looks.items() if p in seen)
