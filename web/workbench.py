"""Setting up a real camera: how the picture is, where the board lies, and learning how things look.

It works on the camera's newest frame, one step at a time; what it learns is kept as the board's profile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from companion.core import EMPTY, GameError
from companion.text import Game, read_game
from vision.calibration.calibrate import CalibrationError
from vision.calibration.calibrate import calibrate as learn_profile
from vision.calibration.profile import Example, ProfileError
from vision.finding.locate import BoardNotFoundError, check_light, facing, locate, locate_corners
from vision.finding.presence import trouble
from vision.reading.picture import draw
from vision.reading.reader import Reader, fitted
from web.pictures import Picture
from web.shelf import Shelf

Image = npt.NDArray[np.uint8]
Corners = Sequence[tuple[float, float]]
FAILURES = (BoardNotFoundError, CalibrationError, ProfileError)


class SetupError(GameError):
    """What stands in the way of a step: one line that says what to do."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture."""

    image: Image


@dataclass(frozen=True)
class Aim:
    """How the picture is: words of trouble ('' for none), its size, and the board's corners if found."""

    words: str
    size: tuple[int, int]
    corners: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Lesson:
    """What was learned: the board, how many places were read, and those that look otherwise than they should
    by what all the others look like."""

    board: str
    read: int
    wrong: tuple[str, ...]


class Workbench:
    """The steps of setting a camera up. `newest` gives its frames, `learned` is told of a new profile."""

    def __init__(
        self, newest: Callable[[], Picture | None], profiles: Path, learned: Callable[[], object],
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._newest = newest
        self.shelf = Shelf(profiles, learned, wall)
        self._lock = threading.Lock()
        self._empty: tuple[str, Image] | None = None
        self.seen: Shot | None = None
        """The picture of the last lesson, with what was read on it."""

    def aim(self, text: str) -> Aim:
        """How the picture is, and where a game's board lies in it, seen from the south."""
        with self._lock:
            image, board = self._frame(), _game(text).board
            try:
                check_light(image)
                view = facing(locate(image, board).candidates, "bottom")
            except BoardNotFoundError as error:
                return Aim(str(error), _size(image), ())
            corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in view.pixels(board.corners))
            return Aim(trouble(image, view), _size(image), corners)

    def keep_empty(self, text: str) -> None:
        """The newest frame shows a game's board without pieces."""
        with self._lock:
            self._empty = _game(text).board.name, self._frame()

    def learn(self, text: str, corners: Corners | None) -> Lesson:
        """Learns from the game's start position on the board now, and keeps the profile.

        Without corners the board is found, and the position tells which side is south. Each place is then
        compared with all others: with itself it would be right even where a piece stands wrong.
        """
        with self._lock:
            image, game = self._frame(), _game(text)
            start = game.start()
            looks = dict(game.rules.look(start))
            empties = [self._empty[1]] if self._empty and self._empty[0] == game.board.name else []
            try:
                if corners:
                    locate_corners(image, game.board, corners)
                profile = learn_profile(
                    game.board, game.head, game.rules.looks(start), [Example(image, looks)], empties, corners
                )
                seen = Reader(profile, game.board).read_unprompted(image)
            except FAILURES as error:
                raise SetupError(str(error)) from error
            readings = seen.sighting.observation.readings if seen.sighting.observation else {}
            self.seen = Shot(draw(fitted(image, profile.view), profile.view, game.board, readings))
            self.shelf.put(profile)
            wrong = tuple(p for p, look in seen.looks.items() if look != looks.get(p, EMPTY))
            return Lesson(game.board.name, len(seen.looks), wrong)

    def _frame(self) -> Image:
        frame = self._newest()
        if frame is None:
            raise SetupError("the camera has sent no picture yet")
        return frame.image


def _game(text: str) -> Game:
    try:
        return read_game(text)
    except GameError as error:
        raise SetupError(str(error)) from error


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]
