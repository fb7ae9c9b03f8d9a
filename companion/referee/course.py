"""What speaks for how a board came about: when its places changed, and what hands touched.

Touches are felt by grids of sensors alone; cameras see when a place changed. Neither says what stands there:
that is `evidence`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import inf, sqrt

from companion.core import EMPTY, Look, Place
from companion.referee.looks import bare

STRAY, UNFELT = 2.4, 9.0
"""Nats: a piece was touched that did nothing, about once in ten actions; one moved that nobody felt."""
CROSSING = 2.5
"""Nats: two pieces were carried at the same time."""
AHEAD = 4.0
"""Nats: a piece was seen where it went before it was gone from where it stood."""
UNAIDED = 3.0
"""Nats: a board changed with no hand near because hands did it, and not because it was misread before."""
SOON = 0.25
"""Seconds: changes seen so close together may have come in any order."""


@dataclass(frozen=True, slots=True)
class Course:
    """When places that changed were first seen so (seconds), and which places were touched; None where
    nothing feels touches."""

    seen_since: Mapping[Place, float] = field(default_factory=dict)
    touched: frozenset[Place] | None = None
    lifted: Mapping[Place, float] = field(default_factory=dict)
    placed: Mapping[Place, float] = field(default_factory=dict)
    """When something was first lifted from places, and last put down on them (seconds)."""
    standing: Mapping[Place, bool] = field(default_factory=dict)
    """Whether something stands there since a place was last touched."""
    is_restored: bool = False
    """Whether hands put a board right, and touch anything."""
    is_unaided: bool = False
    """Whether no hand was seen since the last board that was understood, by sensors that see hands."""

    def untouched(self, places: Collection[Place]) -> Course:
        """The same, had nobody felt anything at these places."""
        return self if self.touched is None else replace(self, touched=self.touched - frozenset(places))

    def unfelt(self, places: Iterable[Place]) -> float:
        """What touches speak against hands that were at all these places, which feel them."""
        return 0.0 if self.touched is None else UNFELT * sum(place not in self.touched for place in places)

    def handless(self) -> float:
        """What speaks against hands that did anything just now."""
        return UNAIDED if self.is_unaided else 0.0

    def backwards(self, start: Place, end: Place) -> float:
        """What touches speak against a piece that was carried from one place to the other, where it came down
        before it rose."""
        return UNFELT * (self.placed.get(end, inf) < self.lifted.get(start, -inf))

    def stray(self, handled: frozenset[Place], changed: Iterable[Place]) -> float:
        """What touches speak against a story in which hands were at these places, and may have been where
        else the board changed (the rook of a castling). Hands that fumble touch many places."""
        if self.is_restored:
            return 0.0
        return STRAY * sqrt(len((self.touched or frozenset()) - handled - frozenset(changed)))

    def hanging(self, looks: Mapping[Place, Look]) -> float:
        """What touches speak against pieces that stand where they were lifted last, or do not where put."""
        standing = {} if self.touched is None else self.standing
        return UNFELT * sum((bare(looks.get(p, EMPTY)) != EMPTY) != stands for p, stands in standing.items())

    def crossing(self, moves: Iterable[tuple[Place, Place]]) -> float:
        """What touches speak against pieces that were carried from place to place."""
        if self.is_restored:
            return 0.0
        return CROSSING * sum(self._do_cross(a, b) for a, b in combinations(moves, 2))

    def _do_cross(self, one: tuple[Place, Place], other: tuple[Place, Place]) -> bool:
        """Whether two pieces would have been carried at the same time."""
        first, second = sorted((self.lifted.get(a, -inf), self.placed.get(b, inf)) for a, b in (one, other))
        return first[0] > -inf and first[1] < inf and second[0] < first[1] and second[1] < inf

    def is_ahead(self, start: Place, end: Place) -> bool:
        """Whether it was seen where it went before it was gone from where it stood."""
        return self.seen_since.get(end, inf) < self.seen_since.get(start, -inf) - SOON


UNKNOWN = Course()
