"""Measures how readings suffer where the camera looks too flat, or sees the board too small.

    python -m benchmarks placement [GAME…]

Boards are rendered from several steepnesses, and with steps of several sizes in the picture. The reader
learns from the empty board, the start position and one that shows every look, and reads positions of random
games. Prints the places read wrongly in 1,000, and how many positions were read wholly right.
`vision.calibration.camera_check` takes its limits from these tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import numpy as np

from benchmarks.picture_sets.accuracy_page import table
from companion.core.errors import CompanionError
from companion.core.game import EMPTY, Look, Place
from companion.games.text import Game, read_game
from companion.record.session import begin
from vision.arrays import Image
from vision.calibration.calibrate import calibrate
from vision.calibration.camera_place import SOUTH
from vision.geometry.lens import usual_lens
from vision.geometry.view import View
from vision.known.example import Example
from vision.reading.reader import Reader
from vision.virtual.render.finish import finish_of
from vision.virtual.render.light import LightSource
from vision.virtual.render.outlook import Mast, look
from vision.virtual.render.painter import ImageSensor, Painter
from vision.virtual.tabletop import Tabletop
from web.runtime.runtime import some_of_each

GAMES = ("chess", "triune", "trid", "ternion_factor", "teleporters")
STEEPNESSES = (90, 75, 60, 55, 50, 45, 40, 35, 30, 25)
"""Degrees between the camera's line of sight and the table."""
SIZES = (40, 30, 25, 20, 16, 12, 9, 7)
"""Pixels of a step at the middle of the board."""
USUAL_STEEPNESS, USUAL_SIZE = 68, 40
"""The part that is kept while the other is changed."""
POSITIONS, MOST_ACTIONS = 8, 40
"""Positions that are read of each game, and the most actions after which they come."""
PICTURE = (1280, 960)


def main(args: list[str]) -> int:
    games = [read_game(name) for name in args or GAMES]
    heads = [game.rules.title for game in games]
    rows = [[str(tried), *(_score(game, tried, USUAL_SIZE) for game in games)] for tried in STEEPNESSES]
    print(table(["steepness, degrees", *heads], rows), flush=True)
    rows = [[str(tried), *(_score(game, USUAL_STEEPNESS, tried) for game in games)] for tried in SIZES]
    print(table(["pixels of a step", *heads], rows), flush=True)
    return 0


def _score(game: Game, steepness: float, size: float) -> str:
    """Returns the places read wrongly in 1,000, and the positions read wholly right."""
    studio = Studio(game, view_of(game, steepness, size))
    try:
        reader = studio.reader()
    except CompanionError:
        return "not learned"
    wrong, count = [], 0
    for looks in positions(game):
        seen = reader.read_unprompted(studio.picture(looks)).looks
        wrong.append(sum(look != looks.get(place, EMPTY) for place, look in seen.items()))
        count += len(seen)
    return f"{1000 * sum(wrong) / max(count, 1):.1f} · {wrong.count(0)}/{len(wrong)}"


class Studio:
    """A game's board in one view."""

    def __init__(self, game: Game, view: View) -> None:
        self._game, board = game, game.board
        self._painter = Painter(board, view, LightSource(), finish_of(board), ImageSensor())
        self._table, self._rng = Tabletop(board), Random(3)
        self._noise = np.random.default_rng(5)

    def picture(self, looks: Mapping[Place, Look]) -> Image:
        return self._painter.draw(self._table.become(looks, self._rng), self._noise)

    def reader(self) -> Reader:
        """Returns a reader that learned as the page has it. The board's corners are given, so that only
        reading is measured."""
        game = self._game
        start = game.start()
        known = [game.rules.look(start), some_of_each(begin(game))]
        examples = [Example(self.picture(looks), looks) for looks in known if looks]
        corners = [(float(x), float(y)) for x, y in self._painter.view.pixels(game.board.corners)]
        looks = game.rules.looks(start)
        profile = calibrate(game.board, game.head, looks, examples, [self.picture({})], corners)
        return Reader(profile, game.board)


def positions(game: Game) -> Iterator[Mapping[Place, Look]]:
    """Yields what stands on the board after some actions of random games."""
    chance = Random(7)
    for _ in range(POSITIONS):
        position = game.start()
        for _ in range(chance.randrange(4, MOST_ACTIONS)):
            actions = sorted(game.rules.legal(position))
            if not actions:
                break
            position = game.rules.play(position, chance.choice(actions)).position
        yield game.rules.look(position)


def view_of(game: Game, steepness: float, size: float) -> View:
    """Returns the view from the south in which a step at the board's middle has so many pixels."""
    board, lens = game.board, usual_lens(PICTURE)
    middle = np.mean((np.min(board.outline, axis=0), np.max(board.outline, axis=0)), axis=0)
    near, far = 1.0, 1000.0
    while far - near > 0.01:
        distance = (near + far) / 2
        view = look(board, lens, PICTURE, Mast(middle, distance, steepness, SOUTH))
        near, far = (distance, far) if view.step_pixels(view.middle) > size else (near, distance)
    return view
