"""The timeline of a board that came about: when its places were seen to change, and what hands touched.

Cameras see when a place changed; only grids of sensors feel touches. Neither tells what stands on a place:
that is the business of `evidence`. All costs are in nats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf, sqrt

from companion.core.game import EMPTY, Look, Place
from companion.referee.evidence.looks import bare

STRAY = 2.4
"""Nats: a piece was touched and nothing done with it, which happens about once in ten actions."""
GLIMPSE = 0.5
"""Nats: something was seen to come to a place and go, and nothing done with it: a shadow may do that."""
UNFELT = 9.0
"""Nats: a piece moved, and the grid under it felt nothing."""
CROSSING = 2.5
"""Nats: two pieces were carried at the same time."""
AHEAD = 4.0
"""Nats: a piece was seen where it went before it was gone from where it stood."""
UNAIDED = 3.0
"""Nats: hands changed a board near which no hand was seen; more likely it had been misread before."""
SAME_MOMENT_S = 0.25
"""Seconds: changes that are seen so close together may have come in any order."""


@dataclass(frozen=True, slots=True)
class HandlingTimeline:
    """The times at which places changed, and the touches, since the last board that was understood.

    `seen_since` holds when each place that changed was first seen so (seconds). `touched` is None where
    nothing feels touches.
    """

    seen_since: Mapping[Place, float] = field(default_factory=dict)
    touched: frozenset[Place] | None = None
    lifted: Mapping[Place, float] = field(default_factory=dict)
    """The time at which something was first lifted from each place (seconds)."""
    placed: Mapping[Place, float] = field(default_factory=dict)
    """The time at which something was last put down on each place (seconds)."""
    standing: Mapping[Place, bool] = field(default_factory=dict)
    """True for each place on which something stands since it was last touched."""
    is_restored: bool = False
    """True while hands are putting a board right, and may touch anything."""
    is_unaided: bool = False
    """True if no hand was seen since then, by sensors that see hands."""

    def untouched(self, places: Collection[Place]) -> HandlingTimeline:
        """Returns the timeline as it would be had nobody been felt at these places."""
        if self.touched is None:
            return self
        placed = {place: time for place, time in self.placed.items() if place not in places}
        return replace(self, touched=self.touched - frozenset(places), placed=placed)

    def touched_before(self, places: Collection[Place]) -> HandlingTimeline:
        """Returns the timeline with hands having been at these places before all that was felt."""
        if self.touched is None:
            return self
        placed = {**dict.fromkeys(places, -inf), **self.placed}
        return replace(self, touched=self.touched | frozenset(places), placed=placed)

    def unfelt(self, places: Iterable[Place]) -> float:
        """Returns the cost of hands that were at all these places, each of which feels touches."""
        return 0.0 if self.touched is None else UNFELT * sum(place not in self.touched for place in places)

    def unput(self, places: Iterable[Place]) -> float:
        """Returns the cost of pieces that were put down on all these places, each of which feels touches."""
        return 0.0 if self.touched is None else UNFELT * sum(place not in self.placed for place in places)

    def was_there(self, place: Place, disturbed: Collection[Place]) -> bool:
        """Returns whether hands were felt at a place, or it was seen to change after the first of others."""
        if self.touched is not None:
            return place in self.touched
        begun = min((self.seen_since[p] for p in disturbed if p in self.seen_since), default=inf)
        return self.seen_since.get(place, -inf) > begun

    def visited(self, disturbed: Collection[Place]) -> frozenset[Place]:
        """Returns the places where hands were felt, or were seen to leave all as it was, after the first of
        others had changed."""
        if self.touched is not None:
            return self.touched
        return frozenset(p for p in self.seen_since if p not in disturbed and self.was_there(p, disturbed))

    def handless(self) -> float:
        """Returns the cost of hands having done anything just now."""
        return UNAIDED if self.is_unaided else 0.0

    def backwards(self, start: Place, end: Place) -> float:
        """Returns the cost of a piece carried from start to end that came down before it rose."""
        return UNFELT * (self.placed.get(end, inf) < self.lifted.get(start, -inf))

    def stray(self, handled: frozenset[Place], changed: Iterable[Place]) -> float:
        """Returns the cost of touches elsewhere than a story has them.

        In the story hands were at the `handled` places, and may have been where else the board changed (the
        rook of a castling).
        """
        return self.astray((self.touched or frozenset()) - handled - frozenset(changed))

    def astray(self, places: Collection[Place]) -> float:
        """Returns the cost of hands on so many places with which nothing was done, felt or seen.

        It grows slowly: hands that fumble touch many places.
        """
        each = GLIMPSE if self.touched is None else STRAY
        return 0.0 if self.is_restored else each * sqrt(len(places))

    def hanging(self, looks: Mapping[Place, Look]) -> float:
        """Returns the cost of pieces that stand where they were last lifted, or are gone from where put."""
        standing = {} if self.touched is None else self.standing
        return UNFELT * sum((bare(looks.get(p, EMPTY)) != EMPTY) != stands for p, stands in standing.items())

    def crossing(self, moves: Iterable[tuple[Place, Place]]) -> float:
        """Returns the cost of these moves, each from start to end, for those that overlap in time."""
        if self.is_restored:
            return 0.0
        return CROSSING * sum(self._do_cross(a, b) for a, b in combinations(moves, 2))

    def _do_cross(self, one: tuple[Place, Place], other: tuple[Place, Place]) -> bool:
        """Returns whether two pieces would have been in the air at the same time."""
        (rose, fell), (rose_next, fell_next) = sorted(
            (self.lifted.get(start, -inf), self.placed.get(end, inf)) for start, end in (one, other)
        )
        are_felt = rose > -inf and fell < inf and fell_next < inf
        return are_felt and rose_next < fell

    def disordered(self, moves: Sequence[tuple[Place, Place]]) -> float:
        """Returns the cost of moves, each from start to end, that were felt in another order than this one.

        A move is later than another whose piece was down for good before it was lifted. Players who answer
        too early, and are followed, have played all the same.
        """
        return CROSSING * sum(self._came_first(b, a) for a, b in combinations(moves, 2))

    def went_on(self, place: Place, moves: Sequence[tuple[Place, Place]]) -> float:
        """Returns the cost of a piece that had come to rest on a place, and was felt to go on from there
        before a move between was made: its player has changed the last one, and not made the next."""
        on = (n for n, (start, _) in enumerate(moves) if start == place)
        return UNFELT * any(self._came_first(moves[n], between) for n in on for between in moves[:n])

    def _came_first(self, one: tuple[Place, Place], other: tuple[Place, Place]) -> bool:
        """Returns whether the piece of one move was down for good before that of the other was lifted."""
        return self.placed.get(one[1], inf) < self.lifted.get(other[0], -inf)

    def is_ahead(self, start: Place, end: Place) -> bool:
        """Returns whether a piece was seen at the end of its way before it was gone from the start."""
        return self.seen_since.get(end, inf) < self.seen_since.get(start, -inf) - SAME_MOMENT_S


UNKNOWN = HandlingTimeline()
"""Nothing is known of how the board came about."""
