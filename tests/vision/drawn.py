"""Drawn boards for tests: one view of a board, and its pictures with what stands on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

import numpy as np

from companion.core.board import Board
from companion.core.game import Look, Place
from companion.games.text import Game, replay
from tests.readers import new_reader
from vision.arrays import Image
from vision.calibration.calibrate import calibrate
from vision.calibration.profile import Profile
from vision.geometry.view import View
from vision.known.example import Example
from vision.known.layout import PlaceLayout
from vision.reading.reader import Reader
from vision.virtual.render import LightSource, Painter, overlook
from vision.virtual.tabletop import Tabletop, lay

NOON = LightSource(elevation=80, ambient=0.7)


@dataclass(frozen=True, eq=False)
class Drawn:
    """The board of a game text, drawn in one view."""

    text: str
    size: tuple[int, int] = (640, 480)

    @cached_property
    def game(self) -> Game:
        return replay(self.text)[0]

    @property
    def board(self) -> Board:
        return self.game.board

    @cached_property
    def view(self) -> View:
        return overlook(self.board, size=self.size)

    def table(self, text: str | None = None) -> Tabletop:
        """What a game text has led to; without one, the drawn board's own."""
        game, position, _ = replay(text or self.text)
        return lay(game.rules, position, game.board, Random(1))

    @cached_property
    def looks(self) -> dict[Place, Look]:
        return self.table().looks()

    def picture(self, table: Tabletop | None = None, light: LightSource = NOON) -> Image:
        """With the camera's noise, the same each time."""
        painter = self._painters.setdefault(light, Painter(self.board, self.view, light))
        return painter.draw(self.table() if table is None else table, np.random.default_rng(3))

    @cached_property
    def _painters(self) -> dict[LightSource, Painter]:
        """By their light; each draws a piece where it stands once."""
        return {}

    @property
    def empty(self) -> Image:
        return self.picture(Tabletop(self.board))

    @cached_property
    def layout(self) -> PlaceLayout:
        return PlaceLayout.of(self.board, parts=False)

    @property
    def height(self) -> float:
        """That of the highest piece; steps."""
        return self.layout.height([*self.looks.values()])

    @cached_property
    def profile(self) -> Profile:
        """Learned from the empty board and the position of the text."""
        _, position, _ = replay(self.text)
        looks = self.game.rules.looks(position)
        examples = [Example(self.picture(), self.looks)]
        corners = [(float(x), float(y)) for x, y in self.view.pixels(self.board.corners)]
        return calibrate(self.board, self.text, looks, examples, [self.empty], corners)

    def reader(self) -> Reader:
        return new_reader(self.profile, self.board)


@cache
def drawn(text: str, size: tuple[int, int] = (640, 480)) -> Drawn:
    """The board of a game text, for all tests that draw it."""
    return Drawn(text, size)
