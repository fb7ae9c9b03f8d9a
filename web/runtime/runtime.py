"""The sources of one table while `companion run` runs, each in a thread of its own.

Frames become sightings, and sightings go into the table's inbox. The runtime follows the table: for another
game the virtual board is laid and its camera calibrated, and a real camera takes its profile of that board.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random

from companion import games
from companion.core.board import Board, load_board
from companion.core.damaged_files import set_file_aside
from companion.core.game import EMPTY, Look, Place
from companion.language import say
from companion.record.session import Session
from companion.sensing.observation import Sighting
from companion.sensing.sources import (
    SourceError,
    find_scheme,
    is_sensor,
    open_sightings,
    scheme_of,
    without_secrets,
)
from companion.table import messages
from companion.table.table import Table
from firmware_bridge.sensing.grid_source import GridSource, VirtualGridSource
from hardware.plugged_in import PluggedSource, find_boards
from vision.calibration.calibrate import calibrate as learn_profile
from vision.calibration.camera_check import check_placement
from vision.calibration.profile import DamagedProfileError, Profile, ProfileError, load_profile
from vision.geometry.view import View
from vision.known.example import Example
from vision.light.quality import picture_trouble
from vision.reading.reader import Reader
from vision.sighting_streams import LiveSightings, WatchedGame
from vision.sources.camera import lasting_name
from vision.sources.capture import FrameCapture
from vision.sources.phone import NAME as PHONE
from vision.sources.phone import PhoneCamera
from vision.sources.source import CameraFrame, Source, open_or_await, open_source
from vision.sources.virtual import VirtualTable
from vision.virtual.layout import CORNERS
from vision.virtual.tabletop import laid_looks
from web.runtime.board_test import BoardTests
from web.runtime.entered_pieces import EnteredPieces
from web.runtime.follower import Follower
from web.runtime.heap import give_back
from web.runtime.profile_library import own_file, used_file
from web.runtime.sensor import SensorSource

log = logging.getLogger(__name__)
VIRTUAL = "virtual"
OURS = (VIRTUAL, PHONE)
"""The cameras that the page itself brings."""
MAGNETS_S = 0.04
"""The seconds between two looks at the virtual table for the magnets below it."""
CAMERAS = ("camera", "picamera")
"""The schemes of cameras that a table may be looked at through while it is played at."""


class BoardCamera:
    """A camera that is read for the board on the table. `learn` makes a reader for a game's board, `sift`
    says what of a sighting is for the table, and `text` is what the camera was given as."""

    def __init__(
        self,
        table: Table,
        capture: FrameCapture,
        learn: Callable[[Session], Reader],
        sift: Callable[[Sighting], Sighting] = lambda sighting: sighting,
        text: str = "",
    ) -> None:
        self._table, self.capture, self._learn, self._sift = table, capture, learn, sift
        self.text = text
        self.stream = LiveSightings(capture, self._game, table.shown_by)
        self.prepared_for: int | None = None
        """The number of the game for which it was last prepared, or is being."""
        self._thread = threading.Thread(target=self._run, name=f"eye {capture.name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.stream.stop()
        self._thread.join()

    def _run(self) -> None:
        for sighting in self.stream.sightings():
            self._table.post(messages.SightingArrived(self._sift(sighting)))

    def _game(self) -> WatchedGame | None:
        snapshot = self._table.snapshot
        if snapshot.session is None or snapshot.number is None:
            return None
        return WatchedGame(snapshot.number, partial(self._prepare, snapshot.number, snapshot.session))

    def _prepare(self, number: int, session: Session) -> Reader:
        self.prepared_for = number
        give_back()  # what the reader before held
        try:
            return self._learn(session)
        finally:
            give_back()


class Runtime:
    """The sources of one table, by their texts. Use it as a context.

    `profiles` is the folder of the cameras' profiles, `folder` that of the grid's calibration, where it is
    not the usual data folder. `search` finds the boards with sensors that are plugged in, for a game's board,
    beside the sources that are in use. `given` are profiles for cameras to begin with, by their texts; '' is
    any camera.
    """

    def __init__(
        self,
        table: Table,
        sources: tuple[str, ...],
        profiles: Path,
        rng: Random,
        folder: Path | None = None,
        search: Callable[[Board | None, Collection[str]], list[PluggedSource]] = find_boards,
        given: Mapping[str, Profile] | None = None,
    ) -> None:
        self.table, self._profiles, self._rng = table, profiles, rng
        self._folder, self._search, self._given = folder, search, given or {}
        self._read_as: dict[str, str] = {}
        """The lasting names of the cameras whose profiles are read by, by what these were given as."""
        self.tests = BoardTests(lambda: table.snapshot, self.say_of_picture)
        """The tests before play, in which nothing that is seen counts."""
        self.phone = PhoneCamera()
        """The phone that a page of its own makes the camera; it is looked through as `phone`."""
        self.virtual: VirtualTable | None = None
        self._laid: tuple[int | None, float] = (None, 0.0)
        """The number of the game that was laid on the virtual table last, and when."""
        self.cameras: list[BoardCamera] = []
        self._exchanging, self._searching = threading.Lock(), threading.Lock()
        for text in sources:
            if scheme_of(text) not in OURS:
                find_scheme(text, besides=(*OURS, "none"))
        self._told = [text for text in sources if is_sensor(text)]
        """The sensors that were named at the start: they go on beside any camera."""
        self._offered: set[str] = set()
        """The boards with sensors that searches have found."""
        self.sensors: list[SensorSource] = []
        self._hands: list[Follower] = []
        """The threads that join the virtual table to the page and to a virtual grid."""
        self._open(self._told, [text for text in sources if not is_sensor(text)])

    def __enter__(self) -> Runtime:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for thread in reversed(self._threads):
            thread.stop()

    @property
    def _threads(self) -> list[SensorSource | BoardCamera | Follower]:
        return [*self.sensors, *self.cameras, *self._hands]

    @property
    def grid(self) -> GridSource | None:
        """The sensor grid that is in use."""
        sources = (sensor.source for sensor in self.sensors)
        return next((source for source in sources if isinstance(source, GridSource)), None)

    def look_through(self, text: str) -> None:
        """Looks at the board from now on through this camera, beside the sensors that were named at the
        start: `virtual`, `phone`, `camera:0`; or through this sensor alone, which a search has found.

        SourceError, and all stays as it was, for one that there cannot be.
        """
        is_felt = is_sensor(text)
        if is_felt and text not in {*self._told, *self._offered}:
            raise SourceError(say("'{name}' was not found: search again", name=without_secrets(text)))
        if not is_felt and scheme_of(text) not in (*OURS, *CAMERAS):
            raise SourceError(say("'{name}' is no camera", name=without_secrets(text)))
        sensors, cameras = ([text], []) if is_felt else (self._told, [text])
        with self._exchanging:
            if text == PHONE and PHONE in self._names:
                return  # it was asked for beside another camera, or is the only one
            if self._names != [*sensors, *cameras]:
                self._exchange(sensors, cameras)

    def _exchange(self, sensors: Sequence[str], cameras: Sequence[str]) -> None:
        """Reads these sources from now on. SourceError, and all stays as it was, if one cannot be opened."""
        before = self.virtual, self.cameras, self._hands, self.sensors
        old, names = self._threads, self._names
        self.tests.end(anyway=True)
        try:
            self._open(sensors, cameras)
        except SourceError:
            self.virtual, self.cameras, self._hands, self.sensors = before
            raise
        new = self._threads
        for thread in reversed(old):
            if thread not in new:
                thread.stop()
        for name in names:
            if name not in self._names:
                self.table.post(messages.Removed(name))
        for thread in new:
            if thread not in old:
                thread.start()

    def find_boards(self) -> list[PluggedSource]:
        """Returns the boards with sensors that are plugged in, those in use first. It takes some seconds."""
        session = self.table.snapshot.session
        with self._searching:
            used = [sensor.text for sensor in self.sensors]
            found = self._search(session.game.board if session else None, used)
            self._offered |= {one.source for one in found if one.source and not one.trouble}
            return [*(PluggedSource(text, "") for text in used), *found]

    def say_of_picture(self) -> str:
        """Says what is wrong with a camera's picture of the board; '' for nothing, or without one."""
        snapshot = self.table.snapshot
        if snapshot.session is None or snapshot.number is None:
            return ""
        for name in (camera.capture.name for camera in self.cameras):
            frame, view = self.newest(name), self.view(snapshot.number, name)
            if frame is not None and view is not None:
                advice = (one.words for one in check_placement(view, snapshot.session.game.board).advice)
                if words := picture_trouble(frame.image, view) or next(advice, ""):
                    return words
        return ""

    @property
    def _names(self) -> list[str]:
        """The sources that are in use, by their texts."""
        return [*(sensor.text for sensor in self.sensors), *(camera.capture.name for camera in self.cameras)]

    def _open(self, sensors: Sequence[str], cameras: Sequence[str]) -> None:
        """Opens these sources in place of those that were; a sensor that is open already goes on."""
        known = {sensor.text: sensor for sensor in self.sensors}
        self.virtual, self.cameras, self._hands = None, [], []
        self.sensors = [known.get(text) or self._open_sensor(text) for text in sensors]
        for text in cameras:
            self._add_camera(text)

    def _open_sensor(self, text: str) -> SensorSource:
        session = self.table.snapshot.session
        board = session.game.board if session else load_board(games.usual_board())
        return SensorSource(
            self.table, text, open_sightings(text, board, folder=self._folder), self.tests.sift
        )

    def learned(self) -> None:
        """Has every camera read its profile again, because it changed."""
        for camera in self.cameras:
            camera.stream.recalibrated()

    def profile_names(self) -> dict[str, str]:
        """Returns the lasting names of the cameras, by their names at the table, the first one in front."""
        return {camera.capture.name: lasting_name(camera.text) for camera in self.cameras}

    def adjust(self, name: str = "") -> None:
        """Lets a camera adjust exposure, white balance and focus again; '' is the first one."""
        if camera := self._camera(name):
            camera.capture.adjust()

    def newest(self, name: str = "") -> CameraFrame | None:
        """Returns the newest frame of a camera; None while the virtual table shows another game."""
        camera = self._camera(name)
        frame = camera.capture.latest if camera else None
        number, since = self._laid
        is_old = self.table.snapshot.number != number or (frame is not None and frame.time < since)
        return None if self.virtual and is_old else frame

    def view(self, number: int, name: str = "") -> View | None:
        """Returns where the board of a game lies in a camera's frames; None while nobody knows."""
        camera = self._camera(name)
        return camera.stream.view(number) if camera else None

    def _camera(self, name: str) -> BoardCamera | None:
        """Returns the camera of a name at the table, '' for the first one; None where there is none."""
        return next((camera for camera in self.cameras if name in ("", camera.capture.name)), None)

    def _add_camera(self, text: str) -> None:
        """Adds the virtual table's camera, a phone, or a camera that is opened by its text.

        One that is not there is told on the page, and taken up when it comes: the others go on meanwhile.
        """
        learn = partial(self._load_reader, text)
        if scheme_of(text) == VIRTUAL:
            self.virtual = virtual = VirtualTable(load_board(games.usual_board()), self._rng)
            capture, learn = FrameCapture(virtual.source()), partial(self._lay, virtual)
            self._hands += self._hands_over(virtual)
        elif scheme_of(text) == PHONE:
            capture = FrameCapture(self.phone, self.phone.reopen, on_demand=True)
        else:
            capture = FrameCapture(open_or_await(text), partial(self._open_again, text))
        self.cameras.append(BoardCamera(self.table, capture, learn, self.tests.sift, text))

    def _open_again(self, text: str) -> Source:
        """Opens a camera that was lost. Where another one came in its place, its own profile is read."""
        source = open_source(text)
        if lasting_name(text) != self._read_as.get(text):
            self.learned()
        return source

    def _hands_over(self, virtual: VirtualTable) -> Iterator[Follower]:
        """Yields what moves pieces on the virtual table as players enter them, and magnets below it."""
        yield Follower(self.table, "entered pieces", EnteredPieces(virtual).follow)
        if isinstance(grid := self.grid, VirtualGridSource):
            yield Follower(self.table, "magnets", lambda _: lay_magnets(virtual, grid), MAGNETS_S)

    def _lay(self, virtual: VirtualTable, session: Session) -> Reader:
        """Lays the game on the virtual table, and has its camera learn it."""
        put_game(virtual, session)
        self._laid = self.cameras[0].prepared_for, time.monotonic()
        return learn_virtual(virtual, session)

    def _load_reader(self, text: str, session: Session) -> Reader:
        """Makes a reader by the profile of the camera that is there now."""
        board, name = session.game.board, lasting_name(text)
        given = self._given.get(text) or self._given.get("")
        if given and self._read_as.get(text) != name:
            given.save(own_file(self._profiles, given.board, name))
        self._read_as[text] = name
        is_first = text in [camera.text for camera in self.cameras[:1]]
        path = used_file(self._profiles, board.name, name, is_first=is_first)
        if not path.exists():
            raise ProfileError(
                say("the camera does not know the board of {game} yet", game=session.rules.title)
            )
        try:
            return Reader(load_profile(path), board)
        except DamagedProfileError as error:
            raise ProfileError(_set_profile_aside(path, error)) from error


def lay_magnets(virtual: VirtualTable, grid: VirtualGridSource) -> None:
    """Lays a magnet for each piece on a site of the table, unless the page moves magnets by hand."""
    table = virtual.table
    if not grid.is_busy:
        grid.lay(table.board, table.looks().keys() & table.board.sites.keys())


def _set_profile_aside(path: Path, error: DamagedProfileError) -> str:
    """Sets a damaged profile aside, and returns in words what became of it."""
    log.error("%s", error)
    try:
        aside = set_file_aside(path)
    except OSError:  # a disk that cannot be written
        return str(error)
    log.error("'%s' is now '%s'", path, aside.name)
    return say(
        "the camera's profile was damaged, and is now '{file}': calibrate again, or use a kept one",
        file=aside.name,
    )


def lay_virtual(virtual: VirtualTable, session: Session) -> Reader:
    """Lays the game on the virtual board. Returns a reader calibrated from pictures of known positions."""
    put_game(virtual, session)
    return learn_virtual(virtual, session)


def put_game(virtual: VirtualTable, session: Session) -> None:
    """Puts a game on the virtual table at once: while its camera learns, players go on."""
    virtual.lay(session.rules, session.first, session.game.board)
    virtual.become(laid_looks(session.rules, session.position))


def learn_virtual(virtual: VirtualTable, session: Session) -> Reader:
    """Returns a reader of the virtual board that was calibrated from pictures of known positions. Where the
    board lies is told, as players tell it of theirs: to search for it would take a fifth of the time."""
    rules, board, start = session.rules, session.game.board, session.first
    known = [looks for looks in (rules.look(start), some_of_each(session)) if looks]
    *pictures, empty = virtual.pictures(*known, {})
    examples = [Example(picture, looks) for picture, looks in zip(pictures, known, strict=True)]
    corners = [(x, y) for x, y in virtual.view.pixels(board.corners).tolist()]
    profile = learn_profile(board, session.game.head, rules.looks(start), examples, [empty], corners)
    return Reader(profile, board)


def some_of_each(session: Session) -> dict[Place, Look]:
    """Returns a position with every look of the game, near and far, on light and dark fields.

    Looks stand in turn on every third site, and those that stand on parts of a site on parts of every kind.
    """
    board, rules = session.game.board, session.rules
    at_start = rules.look(session.first)
    on_parts = {look for place, look in at_start.items() if place in board.places}
    looks = [look for look in rules.looks(session.first) if look != EMPTY]
    on_sites = [look for look in looks if look not in on_parts]
    whole = dict(zip(list(board.sites)[::3], cycle(on_sites), strict=False)) if on_sites else {}
    return whole | some_on_parts(board, [look for look in looks if look in on_parts])


def some_on_parts(board: Board, looks: Sequence[Look]) -> dict[Place, Look]:
    """Returns every look in every corner of a square.

    No two such squares share a side: where walls touch, nothing could be learned of either.
    """
    squares = [site for site in board.sites if f"{site}{CORNERS[0]}" in board.places]
    apart = [site for site in squares if sum(round(x) for x in board.sites[site]) % 2 == 0]
    each = cycle((corner, look) for corner in CORNERS for look in looks)
    return {f"{site}{corner}": look for site, (corner, look) in zip(apart, each, strict=False)}
