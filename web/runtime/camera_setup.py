"""The steps in which a real camera is set up: check the picture, find the board, learn the looks.

Each step works on the camera's newest frame. The last one saves a profile for the board and this camera.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.core.game import EMPTY, GameError, Look, Place
from companion.games.text import Game, read_game
from companion.language import say
from companion.table.snapshot import Snapshot
from vision.arrays import Image
from vision.calibration.calibrate import calibrate as learn_profile
from vision.calibration.camera_check import Placement, check_placement
from vision.calibration.profile import Profile
from vision.finding.locate import BoardNotFoundError, check_light, facing, locate
from vision.known.example import Example
from vision.light.quality import picture_trouble
from vision.reading.empty_check import standing
from vision.reading.picture import draw
from vision.reading.reader import FrameReading, Reader, fitted
from web.runtime.jpeg import Picture
from web.runtime.profile_library import ProfileLibrary

Corners = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class BoardInPicture:
    """The board in the picture: words of trouble ('' for none), the picture's size, and where the board is
    found its corners and how the camera stands over it.
    """

    words: str
    size: tuple[int, int]
    corners: tuple[tuple[float, float], ...]
    placement: Placement | None = None


@dataclass(frozen=True)
class CalibrationResult:
    """The result of a calibration: the board, how many places were read, and those that look wrong.

    A place looks wrong if it does not look like the other places where the same should stand.
    """

    board: str
    read: int
    wrong: tuple[str, ...]


class CameraSetup:
    """Sets the cameras of a table up, one after the other, by their names there; '' is the first.

    `newest` returns a camera's newest frame; `learned` is called after a new profile, `adjust` while the
    camera is moved: it lets the camera adjust itself. `table` returns what the table knows, and `cameras` the
    cameras' lasting names by their names there.
    """

    def __init__(
        self,
        newest: Callable[[str], Picture | None],
        profiles: Path,
        learned: Callable[[], object],
        wall: Callable[[], float] = time.time,
        adjust: Callable[[str], object] = lambda camera: None,
        table: Callable[[], Snapshot] = Snapshot,
        cameras: Callable[[], Mapping[str, str]] = lambda: {"": ""},
    ) -> None:
        self._newest, self._adjust, self._table = newest, adjust, table
        self.since = wall()
        self.library = ProfileLibrary(profiles, learned, wall, cameras)
        self._lock = threading.Lock()
        self._empty: dict[tuple[str, str], Image] = {}
        """The newest picture without pieces, by its board and camera."""
        self.lesson: CalibrationResult | None = None
        """The result of the last calibration; None before there is one, and where it failed."""
        self.is_learning = False
        self.seen: Image | None = None
        """The picture of the last calibration, with the readings drawn on it."""

    def aim(self, text: str, camera: str = "") -> BoardInPicture:
        """Returns how the picture is, and where a game's board lies in it, seen from the south."""
        with self._lock:
            self._adjust(camera)
            image, board = self._frame(camera), read_game(text).board
            try:
                check_light(image)
                view = facing(locate(image, board).candidates, "bottom")
            except BoardNotFoundError as error:
                return BoardInPicture(str(error), _size(image), ())
            corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in view.pixels(board.corners))
            trouble, placement = picture_trouble(image, view), check_placement(view, board)
            return BoardInPicture(trouble, _size(image), corners, placement)

    def keep_empty(self, text: str, corners: Corners | None = None, camera: str = "") -> None:
        """Takes the newest frame for a picture of a game's board without pieces, unless some stand there."""
        with self._lock:
            image, game = self._frame(camera), read_game(text)
            profile = learn_profile(game.board, game.head, _begun(game).known, (), [image], corners)
            if standing(profile.picture, profile.view, game.board, profile.looks):
                raise GameError(
                    say("There are still pieces on the board: take all of them off, or leave this out.")
                )
            self._empty = {(game.board.name, camera): image}

    def forget_empty(self) -> None:
        """Forgets the picture of the board without pieces."""
        with self._lock:
            self._empty = {}

    def learn(self, text: str, corners: Corners | None, camera: str = "") -> CalibrationResult:
        """Learns from the game's start position, which stands on the board now, and saves the profile; in the
        middle of a game from its position, where the picture agrees with that no less.

        Without corners the board is found, and the position tells which side is south. The check afterwards
        compares each place with all other places: compared with itself, a wrong piece would look right.
        """
        with self._lock:
            self.is_learning, self.lesson = True, None
            try:
                self.lesson = self._learn(text, corners, camera)
            finally:
                self.is_learning = False
            return self.lesson

    def _learn(self, text: str, corners: Corners | None, camera: str) -> CalibrationResult:
        image, game = self._frame(camera), read_game(text)
        empty = self._empty.get((game.board.name, camera))
        empties = [] if empty is None else [empty]
        # A picture of a board that was not empty, or that lay elsewhere, spoils what is learned.
        taught = _least_wrong(
            _teach(game, stood, image, blanks, corners)
            for stood in (*self._going_on(game), _begun(game))
            for blanks in ([empties, []] if empties else [[]])
        )
        seen, profile = taught.seen, taught.profile
        readings = seen.sighting.observation.readings if seen.sighting.observation else {}
        self.seen = draw(fitted(image, profile.view), profile.view, game.board, readings)
        self.library.put(profile, camera)
        wrong = tuple(map(game.board.called, taught.wrong))
        return CalibrationResult(game.board.name, len(seen.looks), wrong)

    def _going_on(self, game: Game) -> Iterator[Stood]:
        """Yields how the board of a game stands, where one is going on there."""
        snapshot = self._table()
        session = snapshot.session
        if session and session.plies and session.game.board.name == game.board.name:
            yield Stood(session.rules.looks(session.position), snapshot.look_as_laid)

    def _frame(self, camera: str) -> Image:
        frame = self._newest(camera)
        if frame is None:
            raise GameError(say("the camera has sent no picture yet"))
        return frame.image


@dataclass(frozen=True, eq=False)
class Taught:
    """A profile, how it reads the picture that it was learned from, and the places that it reads wrongly."""

    profile: Profile
    seen: FrameReading
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class Stood:
    """The looks of a game, and those that stand on its board in a picture."""

    known: Sequence[Look]
    looks: Mapping[Place, Look]


def _begun(game: Game) -> Stood:
    """Returns how a game's board stands as it begins."""
    return Stood(game.rules.looks(game.start()), game.rules.look(game.start()))


def _least_wrong(tries: Iterator[Taught]) -> Taught:
    """Returns the first of some tries that reads nothing wrongly, else the one that reads least so."""
    best = next(tries)
    while best.wrong and (other := next(tries, None)):
        best = min(best, other, key=lambda one: len(one.wrong))
    return best


def _teach(
    game: Game, stood: Stood, image: Image, empties: Sequence[Image], corners: Corners | None
) -> Taught:
    """Learns a game's looks from a picture of a known position, and reads that picture by them."""
    example = Example(image, stood.looks)
    profile = learn_profile(game.board, game.head, stood.known, [example], empties, corners)
    seen = Reader(profile, game.board).read_unprompted(image)
    if all(look == EMPTY for look in stood.looks.values()):
        # Compared with each other, places on which pieces stand seem empty.
        picture = fitted(image, profile.view)
        return Taught(profile, seen, tuple(standing(picture, profile.view, game.board, profile.looks)))
    return Taught(profile, seen, tuple(_misread(seen.looks, stood.looks)))


def _misread(seen: Mapping[Place, Look], looks: Mapping[Place, Look]) -> Iterator[Place]:
    """Yields the places that were seen otherwise than they look. What stands on one place alone has no like
    among the others: there something is to be seen."""
    count = Counter(looks.values())
    for place, look in seen.items():
        should = looks.get(place, EMPTY)
        if look != should and (look == EMPTY or count[should] != 1):
            yield place


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]
