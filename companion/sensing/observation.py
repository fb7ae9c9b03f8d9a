"""Observations: how likely each look is at each place, as sensors report it.

Cameras, grids and simulations all report in this form. A camera knows colours and faces, a reed grid only
that something stands there: both are readings, and two sensors are fused by adding them. A place of which a
sensor knows nothing is left out, never guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.core.board import Board
from companion.core.game import EMPTY, Look, Place


@dataclass(frozen=True, slots=True)
class Reading:
    """Log-likelihoods of looks at one place, up to a constant; `other` is that of every look not named.

    A switch that is closed: `Reading({"empty": -4.6}, other=0.0)`.
    """

    looks: Mapping[Look, float]
    other: float = -40.0

    def of(self, look: Look | None) -> float:
        """Returns how likely a look is; None stands for one that is not named."""
        return self.other if look is None else self.looks.get(look, self.other)

    def best(self) -> Look | None:
        """Returns the likeliest named look; None when something not named is likelier than all."""
        look = max(self.looks, key=self.looks.__getitem__, default=None)
        return look if look is not None and self.looks[look] >= self.other else None

    @property
    def tells(self) -> bool:
        """Returns whether any look is likelier than another."""
        return any(value != self.other for value in self.looks.values())

    @property
    def spread(self) -> float:
        """The nats between the likeliest look and the least likely one."""
        values = (self.other, *self.looks.values())
        return max(values) - min(values)

    def misfit(self, look: Look | None) -> float:
        """Returns by how many nats a look is less likely than the likeliest one; 0 is a match."""
        return max((*self.looks.values(), self.other)) - self.of(look)

    def __add__(self, more: Reading) -> Reading:
        names = {*self.looks, *more.looks}
        return Reading({n: self.of(n) + more.of(n) for n in names}, self.other + more.other)


@dataclass(frozen=True, slots=True)
class Observation:
    """The board as one or several sensors saw it at one time (seconds, monotonic).

    `marks` are the spots of the board where move markers may lie, as far as they are seen: how much likelier
    it is (log-likelihood ratio) that one lies there than that none does.

    `same` are the places that show just what they showed on the last board that was believed, each with its
    reading when it was last read. What stands in `readings` for them rests on that belief: whoever holds that
    something else stood there holds that it stands there still.

    `kinds` are the pieces whose kind a sensor tells beside their look: `white/queen` (`Rules.pieces`).
    """

    time: float
    readings: Mapping[Place, Reading]
    source: str = ""
    marks: Mapping[str, float] = field(default_factory=dict)
    same: Mapping[Place, Reading] = field(default_factory=dict)
    kinds: Mapping[Place, Look] = field(default_factory=dict)

    def __add__(self, more: Observation) -> Observation:
        joined = dict(self.readings)
        for place, reading in more.readings.items():
            joined[place] = joined[place] + reading if place in joined else reading
        spots = {*self.marks, *more.marks}
        marks = {spot: self.marks.get(spot, 0.0) + more.marks.get(spot, 0.0) for spot in spots}
        # What another sensor says of a place rests on more than that it shows the same.
        same = {place: reading for place, reading in self.same.items() if place not in more.readings}
        same |= {place: reading for place, reading in more.same.items() if place not in self.readings}
        kinds = {**self.kinds, **more.kinds}
        return Observation(
            max(self.time, more.time), joined, f"{self.source}+{more.source}", marks, same, kinds
        )

    def turned(self, board: Board) -> Observation:
        """Returns the board as it is seen from its other side."""
        return replace(
            self,
            readings=board.turned(self.readings),
            marks=board.turned(self.marks),
            same=board.turned(self.same),
            kinds=board.turned(self.kinds),
        )

    def surprise(self, looks: Mapping[Place, Look]) -> float:
        """Returns by how many nats these looks are less likely than the likeliest ones: 0 is a match."""
        return sum(reading.misfit(looks.get(place, EMPTY)) for place, reading in self.readings.items())


@dataclass(frozen=True, slots=True)
class Touch:
    """A piece lifted from a place or put down on it (seconds, the source's clock), as a grid feels it."""

    time: float
    place: Place
    lifted: bool


@dataclass(frozen=True, slots=True)
class Sighting:
    """One frame or scan as its source understood it.

    `observation` is None where nothing could be read (no board found, cable out); `trouble` then says
    why in words, and may also warn ('too dark') beside a reading. `hand` is True while something that
    is no piece covers part of the board; `still` is False while anything moves; `held` is True for a picture
    that stands for a moment that held, as in a folder of pictures: it needs no second one to be believed.
    `learning` is True while the source learns how the board looks, and reads nothing yet; `unlearned` where
    it cannot until it is set up for this board.
    `note` is worth knowing of the source while nothing is wrong ('is read once in 0.8 s').
    `touches` are the lifts and placings since the source's last sighting, in order, where it feels them; None
    where some may have been missed.
    """

    time: float
    source: str
    observation: Observation | None
    hand: bool = False
    still: bool = True
    trouble: str = ""
    note: str = ""
    held: bool = False
    learning: bool = False
    unlearned: bool = False
    touches: tuple[Touch, ...] | None = ()

    def turned(self, board: Board) -> Sighting:
        """Returns the sighting as from the other side of the board."""
        touches = self.touches and tuple(
            replace(touch, place=board.half_turn.get(touch.place, touch.place)) for touch in self.touches
        )
        observation = self.observation and self.observation.turned(board)
        return replace(self, observation=observation, touches=touches)

    def after(self, older: Sighting) -> Sighting:
        """Returns this sighting with the touches of an older one, which nobody saw."""
        if self.touches is None or older.touches is None:
            return replace(self, touches=None)
        return replace(self, touches=older.touches + self.touches)
