"""An observation as a weighing of looks: how many nats less likely each look is than the likeliest one.

No sensor is as sure as it says: a reading can be plainly wrong, so what a single place can say against a
look is capped.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core import EMPTY, Look, Place
from companion.observation import Observation, Reading

CAP = 7.0
"""Nats: about one reading in a thousand is plainly wrong, however sure of itself."""
NEW = "something new"
"""What is seen where nothing known is likely."""
DOUBT = 1.0
"""A place speaks against a look when that look is this many nats less likely than another."""


class Evidence:
    """What an observation says of each place that it sees."""

    def __init__(self, observation: Observation, cap: float = CAP) -> None:
        self.time = observation.time
        self.source = observation.source
        self._cap = cap
        self._misfits: dict[Place, tuple[dict[Look, float], float]] = {
            place: _misfits(reading, cap) for place, reading in observation.readings.items()
        }
        self._empty = {place: known.get(EMPTY, other) for place, (known, other) in self._misfits.items()}
        self._bare = sum(self._empty.values())

    @property
    def places(self) -> frozenset[Place]:
        """The places that are seen at all."""
        return frozenset(self._misfits)

    def misfit(self, place: Place, look: Look) -> float:
        """How badly a look fits what is seen at a place, in nats; 0 where the place is not seen."""
        found = self._misfits.get(place)
        return 0.0 if found is None else found[0].get(look, found[1])

    def total(self, looks: Mapping[Place, Look]) -> float:
        """How badly a whole board fits: 0 when every place shows its likeliest look."""
        empty = self._empty
        return self._bare + sum(
            self.misfit(place, look) - empty[place] for place, look in looks.items() if place in empty
        )

    def change(self, before: Mapping[Place, Look], after: Mapping[Place, Look]) -> float:
        """`total(after) - total(before)`, from the places alone that differ."""
        places = {place for place, _ in before.items() ^ after.items()}
        return sum(
            self.misfit(p, after.get(p, EMPTY)) - self.misfit(p, before.get(p, EMPTY)) for p in places
        )

    def wrong(self, looks: Mapping[Place, Look], doubt: float = DOUBT) -> frozenset[Place]:
        """The places that speak against this board."""
        return frozenset(p for p in self._misfits if self.misfit(p, looks.get(p, EMPTY)) > doubt)

    def seen(self, looks: Mapping[Place, Look]) -> dict[Place, Look]:
        """What stands on the board, believing `looks` wherever nothing speaks against them."""
        found = dict(looks)
        for place in self.wrong(looks):
            known, other = self._misfits[place]
            best = min(known, key=known.__getitem__, default=NEW)
            found[place] = best if known and known[best] <= other else NEW
        return {place: look for place, look in found.items() if look != EMPTY}


def _misfits(reading: Reading, cap: float) -> tuple[dict[Look, float], float]:
    top = max((*reading.looks.values(), reading.other))
    known = {look: min(top - value, cap) for look, value in reading.looks.items()}
    return known, min(top - reading.other, cap)
