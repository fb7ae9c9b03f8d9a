"""A sensor with a test side: what stands on its board is set by hand; it reports on its own clock."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.core.game import EMPTY, Look, Place
from companion.games.text import Game
from companion.sensing.observation import Observation, Reading, Sighting
from companion.table.desk import Desk
from companion.table.messages import SightingArrived
from companion.table.snapshot import Happening

SURE = 8.0
"""Nats between what is seen and everything else."""


class Sensor:
    """Sees every place of a board, `step` seconds apart."""

    def __init__(self, game: Game, name: str = "sensor", step: float = 0.1) -> None:
        self.game, self.name, self.step = game, name, step
        self.time = 0.0
        position = game.start()
        self.known = game.rules.looks(position)
        self.looks: dict[Place, Look] = dict(game.rules.look(position))

    def move(self, start: Place, end: Place, look: Look | None = None) -> None:
        self.looks[end] = look or self.looks[start]
        del self.looks[start]

    def observation(self, wrong: Mapping[Place, Look] | None = None) -> Observation:
        shown = {**self.looks, **(wrong or {})}
        places = (*self.game.board.sites, *self.game.board.places)
        return Observation(
            self.time, {p: reading(shown.get(p, EMPTY), self.known) for p in places}, self.name
        )

    def sight(
        self, hand: bool = False, still: bool = True, wrong: Mapping[Place, Look] | None = None
    ) -> Sighting:
        self.time += self.step
        return Sighting(self.time, self.name, self.observation(wrong), hand, still)

    def lose(self, trouble: str) -> Sighting:
        self.time += self.step
        return Sighting(self.time, self.name, None, trouble=trouble)

    def show(self, desk: Desk, seconds: float = 0.6, hand: bool = False) -> list[Happening]:
        """Lets the desk look for a while; what happened."""
        told: list[Happening] = []
        for _ in range(round(seconds / self.step)):
            told += desk.handle(SightingArrived(self.sight(hand)))[1]
        return told


@cache
def reading(look: Look, known: tuple[Look, ...]) -> Reading:
    """As of all sources, the same one for as long as a place shows the same."""
    return Reading({name: 0.0 if name == look else -SURE for name in known}, -SURE)
