"""An observation as a weighing of looks: how many nats less likely each look is than the likeliest one.

No sensor is as sure as it says: a reading can be plainly wrong, so what a single place can say against a
look is capped. Markers are the players' to lay or to leave: one that is missing speaks against no board,
one that lies where none should fully. What goes on in a turn hides under markers that are gone at its end,
so a board that is still to change is weighed without any.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from math import inf, sqrt
from typing import NamedTuple, TypeAlias

from companion.core import EMPTY, Look, Place
from companion.observation import Observation, Reading

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
STRAY, UNFELT = 2.4, 9.0
"""Nats: a piece was touched that did nothing, about once in ten actions; one moved that nobody felt."""
CROSSING = 2.5
"""Nats: two pieces were carried at the same time."""
AHEAD = 4.0
"""Nats: a piece was seen where it went before it was gone from where it stood."""
SOON = 0.25
"""Seconds: changes seen so close together may have come in any order."""


@dataclass(frozen=True, slots=True)
class Course:
    """What speaks for how a board came about: when places that changed were first seen so (seconds), and
    which places were touched; None where nothing feels touches."""

    seen_since: Mapping[Place, float]
    touched: frozenset[Place] | None = None
    lifted: Mapping[Place, float] = field(default_factory=dict)
    placed: Mapping[Place, float] = field(default_factory=dict)
    """When something was first lifted from places, and last put down on them (seconds)."""
    standing: Mapping[Place, bool] = field(default_factory=dict)
    """Whether something stands there since a place was last touched."""
    is_restored: bool = False
    """Whether hands put a board right, and touch anything."""

    def is_backwards(self, start: Place, end: Place) -> bool:
        """Whether what would have gone from one place to the other came down before it rose."""
        return self.placed.get(end, inf) < self.lifted.get(start, -inf)

    def do_cross(self, one: tuple[Place, Place], other: tuple[Place, Place]) -> bool:
        """Whether two pieces would have been carried at the same time."""
        first, second = sorted((self.lifted.get(a, -inf), self.placed.get(b, inf)) for a, b in (one, other))
        return first[0] > -inf and first[1] < inf and second[0] < first[1] and second[1] < inf

    def is_ahead(self, start: Place, end: Place) -> bool:
        """Whether it was seen where it went before it was gone from where it stood."""
        return self.seen_since.get(end, inf) < self.seen_since.get(start, -inf) - SOON


NOTHING = Course({})


Changes: TypeAlias = Mapping[Place, tuple[Look, Look]]
"""For each place that changes the look before and after."""


def changes(before: Mapping[Place, Look], after: Mapping[Place, Look]) -> dict[Place, tuple[Look, Look]]:
    """What tells two boards apart."""
    places = {place for place, _ in before.items() ^ after.items()}
    return {place: (before.get(place, EMPTY), after.get(place, EMPTY)) for place in places}


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
        course: Course = NOTHING,
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
        found = ((self._bared[p], was, now) for p, (was, now) in changes.items() if p in self._bared)
        return sum(misfits.of(now) - misfits.of(was) for misfits, was, now in found)

    def unfelt(self, places: Collection[Place]) -> float:
        """What touches speak against hands that were at all these places."""
        if self.course.touched is None:
            return 0.0
        return UNFELT * sum(place in self._seen and place not in self.course.touched for place in places)

    def backwards(self, start: Place, end: Place) -> float:
        """What touches speak against a piece that was carried from one place to the other."""
        return UNFELT * self.course.is_backwards(start, end)

    def stray(self, handled: frozenset[Place], changed: Iterable[Place]) -> float:
        """What touches speak against a story in which hands were at these places, and may have been where
        else the board changed (the rook of a castling). Hands that fumble touch many places."""
        if self.course.is_restored:
            return 0.0
        return STRAY * sqrt(len((self.course.touched or frozenset()) - handled - frozenset(changed)))

    def hanging(self, looks: Mapping[Place, Look]) -> float:
        """What touches speak against pieces that stand where they were lifted last, or do not where put."""
        standing = {} if self.course.touched is None else self.course.standing
        return UNFELT * sum((bare(looks.get(p, EMPTY)) != EMPTY) != stands for p, stands in standing.items())

    def untouched(self, places: Collection[Place]) -> Evidence:
        """The same, had nobody felt anything at these places."""
        touched, other = self.course.touched, copy(self)
        if touched is not None:
            other.course = replace(self.course, touched=touched - frozenset(places))
        return other

    def crossing(self, moves: Iterable[tuple[Place, Place]]) -> float:
        """What touches speak against pieces that were carried from place to place."""
        if self.course.is_restored:
            return 0.0
        return CROSSING * sum(self.course.do_cross(a, b) for a, b in combinations(moves, 2))

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


@cache
def bare(look: Look) -> Look:
    """A look without its marker: `red+T` is `red`, `+T` is `empty`."""
    return look.partition("+")[0] or EMPTY


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
