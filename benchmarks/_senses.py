"""Simulated sensors: evidence as a camera or a grid gives it, wrong now and then, and wrong for a while.

Margins are calibrated: most wrong readings are unsure of themselves, one in ten is as sure as a right one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from random import Random

from companion.core import EMPTY, Look, Place
from companion.observation import Observation, Reading
from companion.referee.looks import bare
from companion.text import Game

SURE = 8.0
"""Nats between what is seen and everything else."""
RATE = 0.002
"""The share of readings that are wrong."""
LASTING = 0.8
"""How likely a wrong reading is to be there in the next sighting."""
KINDS = ("colours", "occupancy")


def is_piece(look: Look) -> bool:
    """Whether a switch closes: markers have no magnets."""
    return bare(look) != EMPTY


class Senses:
    """One sensor over one board; `kind` is one of KINDS."""

    def __init__(self, game: Game, kind: str, rng: Random, rate: float = RATE) -> None:
        self.places: tuple[Place, ...] = (*game.board.sites, *game.board.places)
        self.looks = game.rules.looks(game.start())
        self._spots = tuple(game.board.marks)
        self.kind, self._rng, self._rate = kind, rng, rate
        self._wrong: dict[Place, tuple[Look, float]] = {}

    def readings(self, looks: Mapping[Place, Look], blind: Iterable[Place] = ()) -> dict[Place, Reading]:
        """What is seen of a board; nothing at the blind places."""
        self._err()
        read = _colours if self.kind == "colours" else _occupancy
        found = {p: read(looks.get(p, EMPTY), self.looks, SURE) for p in self.places}
        for place, (look, margin) in self._wrong.items():
            found[place] = read(look, self.looks, margin)
        for place in blind:
            found.pop(place, None)
        return found

    def marks(self, laid: Collection[str]) -> dict[str, float]:
        """How sure it is that a move marker lies on each spot."""
        return {spot: SURE / 2 if spot in laid else -SURE / 2 for spot in self._spots}

    def observe(self, looks: Mapping[Place, Look], time: float = 0.0) -> Observation:
        return Observation(time, self.readings(looks), self.kind)

    def same(self, a: Mapping[Place, Look], b: Mapping[Place, Look]) -> bool:
        """Whether two boards look the same to this sensor, markers aside: players may leave them out."""
        faces = self._faces(a), self._faces(b)
        return faces[0] == faces[1] if self.kind == "colours" else faces[0].keys() == faces[1].keys()

    def _faces(self, looks: Mapping[Place, Look]) -> dict[Place, Look]:
        return {place: bare(look) for place, look in looks.items() if is_piece(look)}

    def _err(self) -> None:
        rng = self._rng
        self._wrong = {p: w for p, w in self._wrong.items() if rng.random() < LASTING}
        expected = len(self.places) * self._rate * (1 - LASTING)
        if self._rate and rng.random() < expected:
            margin = SURE if rng.random() < 0.1 else round(rng.expovariate(0.5), 1)
            self._wrong[rng.choice(self.places)] = (rng.choice(self.looks), margin)


@cache
def _colours(look: Look, known: tuple[Look, ...], margin: float) -> Reading:
    if look not in known:
        return Reading(dict.fromkeys(known, -margin), 0.0)
    return Reading({name: 0.0 if name == look else -margin for name in known}, -margin - 2)


@cache
def _occupancy(look: Look, known: tuple[Look, ...], margin: float) -> Reading:
    return Reading({EMPTY: -margin}, 0.0) if is_piece(look) else Reading({EMPTY: 0.0}, -margin)
