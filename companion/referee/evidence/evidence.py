"""An observation as costs: by how many nats each look of a place is less likely than the likeliest one.

Three rules shape these costs:

- No sensor is as sure as it says, for a reading can be plainly wrong. So the cost of one place is capped.
- Players may lay markers or leave them out. So a missing marker costs nothing, and one that lies where none
  should costs in full.
- Markers come and go within a turn. So a board that is still to change is judged by its pieces alone
  (`piece_misfit`), a finished one with its markers (`board_misfit`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.game import EMPTY, Changes, Look, Place
from companion.referee.evidence.looks import bare
from companion.referee.evidence.timeline import UNKNOWN, HandlingTimeline
from companion.sensing.observation import Observation, Reading

CAP = 7.0
"""Nats: about one reading in a thousand is plainly wrong, however sure of itself."""
NEW = "something new"
"""The look of a place where nothing known is likely."""
DOUBT = 1.0
"""A place speaks against a look when that look is this many nats less likely than another."""
MARK = 3.0
"""Nats: the most that a marker which lies where none should speaks against a story."""
HIDDEN = 0.2
"""Nats: the cost of a move marker that is not seen, where any are seen."""
GONE = 1.0
"""Nats: the cost of a marker that should still lie there, was seen before, and is gone."""
KIND = 5.0
"""Nats: the cost of a piece of another kind than a sensor tells."""


class FitChange(NamedTuple):
    """The change of a board's fit with some of its places.

    `misfit` and `piece_misfit` are by how much these grow; `wrong` and `right` are the changed places whose
    pieces do not fit now, or do; `pieces` counts the places where a piece changed and not merely a marker.
    """

    misfit: float
    piece_misfit: float
    wrong: tuple[Place, ...]
    right: tuple[Place, ...]
    pieces: int


class Evidence:
    """The costs of looks at each place that an observation covers.

    Besides the observation it knows the timeline of how the board came about, the spots and places where
    markers were seen `laid` before, whether any `are_markers_laid` in this game, the looks that are
    `believed` to stand there, and those of which there is but one piece: the `single` ones.
    """

    def __init__(
        self,
        observation: Observation,
        timeline: HandlingTimeline = UNKNOWN,
        laid: frozenset[str] = frozenset(),
        are_markers_laid: bool = False,
        believed: Mapping[Place, Look] | None = None,
        single: frozenset[Look] = frozenset(),
    ) -> None:
        self.time = observation.time
        self.source = observation.source
        self.timeline = timeline
        self.kinds = observation.kinds
        """The pieces whose kind a sensor tells (`white/queen`)."""
        self._marks = observation.marks
        self._laid, self._single = laid, single
        self._same = _same_as_believed(observation, believed or {})
        self._excused: frozenset[Place] = frozenset()
        self.shows_marks = are_markers_laid or bool(laid) or any(r > 0 for r in observation.marks.values())
        """True if a marker is seen anywhere, now or before in this game: its players lay them."""
        self._set_misfits({place: _misfits(reading) for place, reading in observation.readings.items()})

    def _set_misfits(self, misfits: Mapping[Place, _Misfits]) -> None:
        """Sets the costs of each place, and of all places together were they empty."""
        self._misfits = misfits
        self._piece_misfits = {place: found.bare() for place, found in misfits.items()}
        self._empty_board = sum(found.of(EMPTY) for found in self._misfits.values())
        self._empty_of_pieces = sum(found.of(EMPTY) for found in self._piece_misfits.values())
        self.doubled = self._misfit_of_doubles() if self._single else 0.0

    @property
    def places(self) -> frozenset[Place]:
        return frozenset(self._misfits)

    def _misfit_of_doubles(self) -> float:
        """Returns the misfit of any board, as a piece of which there is but one is read on several places."""
        seen = [found for found in self._misfits.values() if found.best() in self._single]
        costs = sorted(min(f.other, *(f.of(look) for look in f.known if look != f.best())) for f in seen)
        return sum(costs[:-1])

    def misfit(self, place: Place, look: Look) -> float:
        """Returns how badly a look fits a place, in nats; 0 where the place is not seen."""
        found = self._misfits.get(place)
        return 0.0 if found is None else found.of(look)

    def board_misfit(self, looks: Mapping[Place, Look]) -> float:
        """Returns how badly a whole board fits: 0 when every place shows its likeliest look."""
        return _total(self._misfits, self._empty_board, looks)

    def piece_misfit(self, looks: Mapping[Place, Look]) -> float:
        """Returns how badly a board fits when all markers are disregarded."""
        pieces = {place: bare(look) for place, look in looks.items()}
        return _total(self._piece_misfits, self._empty_of_pieces, pieces)

    def fit_change(self, changes: Changes) -> FitChange:
        """Returns how the fit of a board changes when each of these places goes from one look to another."""
        misfit = piece_misfit = 0.0
        pieces = 0
        wrong: list[Place] = []
        right: list[Place] = []
        for place, (was, now) in changes.items():
            pieces += bare(was) != bare(now)
            found = self._misfits.get(place)
            if found is None:
                continue
            of_pieces = self._piece_misfits[place]
            step = found.of(now) - found.of(was)
            misfit_now = of_pieces.of(bare(now))
            misfit += step
            # Without markers both are one object, and the step is the same.
            piece_misfit += step if of_pieces is found else misfit_now - of_pieces.of(bare(was))
            (wrong if misfit_now > DOUBT else right).append(place)
        return FitChange(misfit, piece_misfit, tuple(wrong), tuple(right), pieces)

    def piece_misfit_change(self, changes: Changes) -> float:
        """Returns by how much `piece_misfit` grows where pieces change so; the looks have no markers."""
        misfit = 0.0
        for place, (was, now) in changes.items():
            found = self._piece_misfits.get(place)
            if found is not None:
                misfit += found.of(now) - found.of(was)
        return misfit

    def unfelt(self, places: Iterable[Place]) -> float:
        """Returns the cost of hands having been at all these places, by what touches say."""
        return self.timeline.unfelt(self._feeling(places))

    def unput(self, places: Iterable[Place]) -> float:
        """Returns the cost of pieces having been put down on all these places, by what touches say."""
        return self.timeline.unput(self._feeling(places))

    def _feeling(self, places: Iterable[Place]) -> Iterator[Place]:
        """Yields the places at which hands would have been felt."""
        return (place for place in places if place in self._misfits and place not in self._excused)

    def excused(self, places: Collection[Place]) -> Evidence:
        """Returns the evidence where nobody need have been felt at these places: they spoke against the game
        before, and may feel nothing."""
        other = copy(self)
        other._excused = frozenset(places)
        return other

    def untouched(self, places: Collection[Place]) -> Evidence:
        """Returns the evidence as it would be had nobody been felt at these places."""
        other = copy(self)
        other.timeline = self.timeline.untouched(places)
        return other

    def touched(self, places: Collection[Place]) -> Evidence:
        """Returns the evidence with hands having been at these places before anybody could feel them."""
        other = copy(self)
        other.timeline = self.timeline.touched_before(places)
        return other

    def without(self, places: Collection[Place]) -> Evidence:
        """Returns the evidence as it would be were these places not seen."""
        return self._with({place: found for place, found in self._misfits.items() if place not in places})

    def _with(self, misfits: Mapping[Place, _Misfits]) -> Evidence:
        other = copy(self)
        other._set_misfits(misfits)
        return other

    def shows(self, looks: Mapping[Place, Look]) -> frozenset[Place]:
        """Returns the places that show just these looks."""
        seen = self._misfits.keys() & looks.keys()
        return frozenset(place for place in seen if self._misfits[place].best() == looks[place])

    def read_at(self, places: Iterable[Place]) -> dict[Place, Look]:
        return {place: self._misfits[place].best() for place in places}

    def retold(self, looks: Mapping[Place, Look]) -> Evidence:
        """Returns the evidence as it is for who believes that these looks stand there.

        A place that shows the same as on the last board that was believed speaks for what each holds to have
        stood there, and no more for one of them than for the other.
        """
        told = {
            place: self._misfits[place].exchanged(look, looks.get(place, EMPTY))
            for place, (look, _) in self._same.items()
            if looks.get(place, EMPTY) != look and place in self._misfits
        }
        return self._with({**self._misfits, **told}) if told else self

    def as_believed(self) -> Evidence:
        """Returns the evidence for who holds that the last board that was believed was what is believed."""
        other = copy(self)
        other._same = {}
        return other

    def unread_since(self, looks: Mapping[Place, Look]) -> Evidence:
        """Returns the evidence for who asks what came after these looks, in place of what is believed.

        A place that has changed since, and shows the same as when it was last read, counts as it was read.
        """
        read = {
            place: found
            for place, (look, found) in self._same.items()
            if looks.get(place, EMPTY) != look and place in self._misfits
        }
        if not read:
            return self
        other = self._with({**self._misfits, **read})
        other._same = {place: was for place, was in self._same.items() if place not in read}
        return other

    def with_leftovers(self, leftovers: Mapping[Place, Look]) -> Evidence:
        """Returns the evidence where what may stand there from before tells nothing.

        At each of these places nothing fits worse than the look that may be left there: it may stand before
        a piece that came.
        """
        softened = {
            place: found.within(found.of(leftovers[place])) if place in leftovers else found
            for place, found in self._misfits.items()
        }
        return self._with(softened)

    def mark_misfit(self, marks: frozenset[str], looks: Mapping[Place, Look]) -> float:
        """Returns how badly the markers of a board fit those that are seen.

        `marks` are the spots where move markers should lie. The cost tells stories apart that end alike; it
        is no reason to refuse one. It counts move markers that lie where none should, those that are not
        seen, and markers that were seen before and are gone.
        """
        extra = missing = gone = 0.0
        for spot, ratio in self._marks.items():
            if ratio > 0 and spot not in marks:
                extra += min(ratio, MARK)
        for spot in marks:
            ratio = self._marks.get(spot, 0.0)
            if self.shows_marks and ratio <= 0:
                missing += HIDDEN
            if spot in self._laid and ratio < 0:
                gone += GONE
        for place in self._laid:
            look = looks.get(place, "")
            if "+" in look and not self.shows_marker(place, look):
                gone += GONE
        return extra + missing + min(gone, MARK)

    def kind_misfit(self, pieces: Mapping[Place, Look]) -> float:
        """Returns how badly pieces with their kinds (`Rules.pieces`) fit those that are told."""
        told = ((place, kind) for place, kind in self.kinds.items() if place in self._misfits)
        return KIND * sum(pieces.get(place, kind) != kind for place, kind in told)

    def markers(self, marks: frozenset[str], looks: Mapping[Place, Look]) -> frozenset[str]:
        """Returns the spots and places where a marker that should lie there is seen."""
        spots = {spot for spot in marks if self._marks.get(spot, 0.0) > 0}
        places = {p for p, look in looks.items() if "+" in look and self.shows_marker(p, look)}
        return frozenset(spots | places)

    def unlaid(self, marks: frozenset[str], looks: Mapping[Place, Look]) -> tuple[Place, ...]:
        """Returns the spots and places where a marker should lie, would be seen, and is not."""
        spots = {spot for spot in marks if self._marks.get(spot, 0.0) < -DOUBT}
        marked = {p: found for p, found in self._misfits.items() if "+" in looks.get(p, "")}
        places = {p for p, found in marked.items() if found.misses_marker(looks[p])}
        return tuple(sorted(spots | places))

    def strange(self, marks: frozenset[str]) -> tuple[str, ...]:
        """Returns the spots where a move marker lies and should not."""
        return tuple(sorted(s for s, ratio in self._marks.items() if ratio > DOUBT and s not in marks))

    def shows_marker(self, place: Place, look: Look) -> bool:
        """Returns whether a look's marker is seen on its place."""
        found = self._misfits.get(place)
        if found is None:
            return False
        return found.known.get(look, found.other) < found.known.get(bare(look), found.other)

    def wrong(self, looks: Mapping[Place, Look], doubt: float = DOUBT) -> frozenset[Place]:
        """Returns the places that speak against this board."""
        return frozenset(p for p, found in self._misfits.items() if found.of(looks.get(p, EMPTY)) > doubt)

    def wrong_pieces(self, looks: Mapping[Place, Look]) -> frozenset[Place]:
        """Returns the places that speak against this board, whatever markers lie on it."""
        pieces = self._piece_misfits.items()
        return frozenset(p for p, found in pieces if found.of(bare(looks.get(p, EMPTY))) > DOUBT)

    def seen(self, looks: Mapping[Place, Look]) -> dict[Place, Look]:
        """Returns what stands on the board; `looks` are believed wherever nothing speaks against them."""
        found = dict(looks)
        for place in self.wrong(looks):
            found[place] = self._misfits[place].best()
        return {place: look for place, look in found.items() if look != EMPTY}


@dataclass(frozen=True, slots=True)
class _Misfits:
    """The cost in nats of each look at one place; `other` is that of looks that are not known."""

    known: Mapping[Look, float]
    other: float

    def of(self, look: Look) -> float:
        """Returns the cost of a look; a marker that is missing costs nothing.

        What a sensor merely feels is no marker that lies there alone.
        """
        found = self.known.get(look, self.other)
        if "+" not in look:
            return found
        plain = self.known.get(bare(look), self.other)
        return min(found, plain) if look in self.known else plain

    def misses_marker(self, look: Look) -> bool:
        """Returns whether all of a look is seen but its marker."""
        if look not in self.known or bare(look) not in self.known:
            return False
        return self.known[bare(look)] + DOUBT < self.known[look] and self.known[bare(look)] <= DOUBT

    def best(self) -> Look:
        best = min(self.known, key=self.known.__getitem__, default=NEW)
        return best if self.known and self.known[best] <= self.other else NEW

    def exchanged(self, one: Look, other: Look) -> _Misfits:
        """Returns the costs with those of two looks exchanged."""
        return _Misfits({**self.known, one: self.of(other), other: self.of(one)}, self.other)

    def within(self, most: float) -> _Misfits:
        """Returns the costs with none of them higher than this."""
        known = {look: min(misfit, most) for look, misfit in self.known.items()}
        return _Misfits(known, min(self.other, most))

    def bare(self) -> _Misfits:
        """Returns the costs with markers disregarded; itself where no look has any."""
        if not any("+" in look for look in self.known):
            return self
        known: dict[Look, float] = {}
        for look, misfit in self.known.items():
            known[bare(look)] = min(misfit, known.get(bare(look), misfit))
        return _Misfits(known, self.other)


def _same_as_believed(
    observation: Observation, believed: Mapping[Place, Look]
) -> dict[Place, tuple[Look, _Misfits]]:
    """Returns the places that show the same as when the looks believed now were, with the costs of each look
    when the place was last read. Where the game has gone on since, nobody holds anything else of it."""
    return {
        place: (believed.get(place, EMPTY), _misfits(read))
        for place, read in observation.same.items()
        if observation.readings[place].best() == believed.get(place, EMPTY)
    }


def _misfits(reading: Reading) -> _Misfits:
    top = max((*reading.looks.values(), reading.other))
    known = {look: min(top - value, CAP) for look, value in reading.looks.items()}
    for look in [look for look in known if "+" in look and bare(look) in known]:
        known[bare(look)] = min(known[bare(look)], known[look] + MARK)
    return _Misfits(known, min(top - reading.other, CAP))


def _total(misfits: Mapping[Place, _Misfits], empty: float, looks: Mapping[Place, Look]) -> float:
    """Returns the cost of a board, given that of an empty one: only places with a piece differ from it."""
    return empty + sum(
        misfits[p].of(look) - misfits[p].of(EMPTY) for p, look in looks.items() if p in misfits
    )
