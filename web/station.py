"""A station: one table with its sources, each seeing the board in a thread of its own.

The station follows the table. When another game is laid, the virtual board is laid too and its camera is
calibrated on it; a real camera takes the profile kept for that board. Frames become sightings, sightings
go into the table's inbox, and nothing here decides anything.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

from companion import messages
from companion.board import load_board
from companion.core import EMPTY, Look, Place
from companion.observation import Sighting
from companion.session import Session
from companion.snapshot import Snapshot
from companion.sources import is_sensor, open_sightings, scheme_of
from companion.table import Table
from firmware_bridge.eye import GridEye, VirtualEye
from vision.attention import Attention
from vision.calibration.calibrate import CalibrationError
from vision.calibration.calibrate import calibrate as learn_profile
from vision.calibration.profile import Example, ProfileError, load_profile
from vision.eyes import Pupil, attend, unread
from vision.finding.locate import BoardNotFoundError
from vision.reading.reader import Reader
from vision.sources.capture import Capture
from vision.sources.source import Frame, Source, in_a_line, open_source
from vision.sources.virtual import VirtualTable
from web.follower import Follower
from web.lamps import shine
from web.magnets import Magnets

log = logging.getLogger(__name__)
FAILURES = (BoardNotFoundError, CalibrationError, ProfileError)


class Camera:
    """A source of frames, its reader for the board on the table, and the thread that joins them."""

    def __init__(self, table: Table, capture: Capture, learn: Callable[[Session], Reader]) -> None:
        self._table, self.capture, self._learn = table, capture, learn
        self._stop = threading.Event()
        self._learner: Executor
        self._reader: Future[Reader] | None = None
        self._pupil: Pupil | None = None
        self._attention: Attention | None = None
        self._laid: int | None = None
        self._trouble = self._fault = ""
        self._thread = threading.Thread(target=self._run, name=f"eye {capture.name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self.capture.stop()
        self._thread.join()

    def calibrated(self) -> None:
        """The profile changed: read it again."""
        self._laid = None

    def _run(self) -> None:
        """Frames are taken once there is somebody to read them: a recording waits for its profile, the page
        does not."""
        with ThreadPoolExecutor(1, f"learn {self.capture.name}") as self._learner:
            if self._follow_table() and self._reader:
                wait([self._reader])
                self._adopt()
            if not self._stop.is_set():
                self.capture.start()
            while not self._stop.is_set() and not self.capture.over:
                frame = self.capture.take(timeout=0.5)
                if frame is None:
                    self._report_loss()
                elif self._follow_table():
                    self._heed(frame)
            self._report_loss()

    def _heed(self, frame: Frame) -> None:
        """Looks; a frame that breaks it is told, and does not end the thread."""
        try:
            self._look(frame)
            self._fault = ""
        except Exception as error:
            sighting = unread(frame, self.capture.name, error, self._fault)
            self._fault = sighting.trouble
            self._tell(sighting)

    def _look(self, frame: Frame) -> None:
        """What was seen before this game was laid, or its looks were known, tells nothing of it."""
        if self._reader:
            self._tell(Sighting(frame.time, self.capture.name, None, still=False))
            self._adopt()
        elif self._attention is None:
            self._tell(Sighting(frame.time, self.capture.name, None, still=False, trouble=self._trouble))
        else:
            if sighting := self._attention.see(frame):
                self._tell(sighting)
                self._learn_on(frame, sighting)

    def _follow_table(self) -> bool:
        """Whether a game is on; another one than before is prepared for, which takes a while."""
        snapshot = self._table.snapshot
        if snapshot.session is None:
            self._laid = None
            return False
        if self._laid != snapshot.number and self._reader is None:
            self._laid = snapshot.number
            self._reader = self._learner.submit(self._learn, snapshot.session)
        return True

    def _adopt(self) -> None:
        """Reads by what was learned, once it is."""
        if self._reader is None or not self._reader.done():
            return
        learned, self._reader = self._reader, None
        try:
            reader = learned.result()
            self._attention, self._pupil = attend(reader, self.capture.name), Pupil(reader)
            self._trouble = ""
        except FAILURES as error:
            self._attention, self._trouble = None, str(error)
        except Exception as error:
            log.error("%s cannot be prepared", self.capture.name, exc_info=error)
            self._attention, self._trouble = None, f"the camera cannot be prepared: {in_a_line(error)}"

    def _learn_on(self, frame: Frame, sighting: Sighting) -> None:
        """While board and game agree, every frame tells how what stands there looks now."""
        snapshot = self._table.snapshot
        if self._pupil and snapshot.session and not (snapshot.verdict or snapshot.question):
            session = snapshot.session
            self._pupil.learn(frame, sighting, session.look)

    def _report_loss(self) -> None:
        status = self.capture.status
        if status.state != "ok" and not self._stop.is_set():
            latest = self.capture.latest
            when = latest.time if latest else 0.0
            self._tell(Sighting(when, self.capture.name, None, still=False, trouble=status.words))

    def _tell(self, sighting: Sighting) -> None:
        self._table.post(messages.Seen(sighting))


class Station:
    """The sources of one table, by their texts. Use it as a context.

    `profiles` is the folder of the cameras' profiles, `folder` that of the grid's calibration, where it is
    not the usual data folder.
    """

    def __init__(
        self, table: Table, sources: tuple[str, ...], profiles: Path, rng: Random, folder: Path | None = None
    ) -> None:
        self.table, self._profiles, self._rng = table, profiles, rng
        self.virtual: VirtualTable | None = None
        self.cameras: list[Camera] = []
        session = table.snapshot.session
        board = session.game.board if session else load_board("triune")
        self._sensors = [open_sightings(text, board, folder=folder) for text in sources if is_sensor(text)]
        self.grid = next((sensor for sensor in self._sensors if isinstance(sensor, GridEye)), None)
        for text in sources:
            if scheme_of(text) == "virtual":
                self._add_virtual()
            elif not is_sensor(text):
                self._add_camera(text)
        self._followers: list[Magnets | Follower] = []
        if self.virtual and isinstance(self.grid, VirtualEye):
            self._followers.append(Magnets(self.virtual, self.grid))
        if self.grid:
            self._followers.append(Follower(table, "lamps", partial(shine, self.grid)))
            self._followers.append(Follower(table, "board", partial(_expect, self.grid)))

    def __enter__(self) -> Station:
        for camera in self.cameras:
            camera.start()
        for sensor in self._sensors:
            threading.Thread(target=self._feel, args=(sensor.__enter__(),), daemon=True).start()
        for follower in self._followers:
            follower.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for follower in self._followers:
            follower.stop()
        for camera in self.cameras:
            camera.stop()
        for sensor in self._sensors:
            sensor.__exit__(kind, error, trace)

    def learned(self) -> None:
        """A profile was learned: every camera reads it again."""
        for camera in self.cameras:
            camera.calibrated()

    def newest(self) -> Frame | None:
        """The newest frame of the first camera."""
        return self.cameras[0].capture.latest if self.cameras else None

    def _add_virtual(self) -> None:
        virtual = VirtualTable(load_board("triune"), self._rng)
        self.virtual = virtual
        capture = Capture(virtual.source())
        self.cameras.append(Camera(self.table, capture, lambda session: lay_virtual(virtual, session)))

    def _add_camera(self, text: str) -> None:
        def reopen() -> Source:
            return open_source(text)

        self.cameras.append(Camera(self.table, Capture(reopen(), reopen), self._load_reader))

    def _load_reader(self, session: Session) -> Reader:
        board = session.game.board
        path = self._profiles / f"{board.name}.json"
        if not path.exists():
            raise ProfileError(f"the camera is not calibrated for the board '{board.name}' yet")
        return Reader(load_profile(path), board)

    def _feel(self, sensor: Any) -> None:
        for sighting in sensor.sightings():
            self.table.post(messages.Seen(sighting))


def lay_virtual(virtual: VirtualTable, session: Session) -> Reader:
    """Lays the game on the virtual board, and calibrates its camera from pictures of known positions."""
    rules, board = session.rules, session.game.board
    start, now = session.first, rules.view(session.position, None)
    virtual.lay(rules, start, board)
    known: list[Mapping[Place, Look]] = [rules.look(start), _some_of_each(session)]
    examples = [Example(virtual.picture(looks), looks) for looks in known if looks]
    empties = [virtual.picture({})]
    profile = learn_profile(board, session.game.head, rules.looks(start), examples, empties)
    virtual.become(rules.look(now))
    return Reader(profile, board)


def _some_of_each(session: Session) -> dict[Place, Look]:
    """Every look of the game in turn on every third site: near and far, before light and dark fields."""
    board, looks = session.game.board, [k for k in session.rules.looks(session.first) if k != EMPTY]
    parts = {look for place, look in session.rules.look(session.first).items() if place in board.places}
    whole = [look for look in looks if look not in parts]
    return dict(zip(list(board.sites)[::3], cycle(whole), strict=False)) if whole else {}


def _expect(eye: GridEye, snapshot: Snapshot) -> bool:
    """Tells a grid on which board the game is."""
    if snapshot.session is not None:
        eye.expect(snapshot.session.game.board)
    return True
