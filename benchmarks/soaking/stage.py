"""A table as `companion run` makes it, with a camera and a grid, on a clock that passes when it is told to.

Store, desk, table, server, virtual table, camera, reader and grid are the product's. What differs is the
time: the threads that would wait for frames and bytes are stepped here, one after the other, so that hours
pass in minutes and nothing depends on how fast this machine is. Only the page's server works in real time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.attacks.disk_under_sqlite import FaultyDisk
from companion.core.board import Board
from companion.core.game import Look, Place, Site
from companion.games.text import read_game
from companion.language import ENGLISH
from companion.record.session import ARBITER, Session
from companion.sensing.observation import Sighting
from companion.store.store import Store
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.snapshot import Happening
from companion.table.table import Table
from firmware_bridge.line.link import DeviceLink, Port, PortError
from firmware_bridge.sensing.grid_source import VirtualGridSource
from firmware_bridge.sensing.lamps import Lamps
from firmware_bridge.sensing.virtual import VirtualPort
from vision.sighting_streams import LiveSightings, WatchedGame
from vision.sources.capture import FrameCapture
from vision.sources.source import CameraFrame, Source, SourceLostError
from vision.sources.virtual import VirtualTable
from web import Services, Settings, create_app
from web.runtime.runtime import lay_virtual
from web.server.context import Context
from web.server.server import Server

EPOCH = 1.8e9
"""Seconds since 1970 at which a soak begins."""
STEP = 0.25
"""Seconds between two looks at the grid, and between two frames while something goes on."""
REST = 3.0
"""Seconds between two frames while players think: fewer than after which a source counts as lost."""
RATE = 4.0
"""Frames that the camera takes in a second."""
LEARNING = 0.1
"""Real seconds between two frames while the camera learns."""
STREAM_SECONDS = 20.0
"""Real seconds after which a display has to connect anew."""


class Clock:
    """Seconds of the stage. `jump` is by how much the machine's time of day is set wrong."""

    def __init__(self, now: float) -> None:
        self.now, self.jump = now, 0.0
        self.passing: Callable[[], object] = lambda: None
        """Called after each step of time."""

    def __call__(self) -> float:
        return self.now

    def wall(self) -> float:
        return EPOCH + self.now + self.jump

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now = min(end, self.now + STEP)
            self.passing()


class PulledCamera:
    """The virtual table's camera, which can be away."""

    live, name = True, "virtual"

    def __init__(self, source: Source) -> None:
        self._source, self.is_away = source, False

    def read(self) -> CameraFrame | None:
        if self.is_away:
            raise SourceLostError("the camera was unplugged")
        return self._source.read()

    def close(self) -> None:
        return


class SteppedCapture(FrameCapture):
    """Reads a frame when one is taken, in the same thread."""

    def start(self) -> FrameCapture:
        return self

    def take(self, timeout: float | None = None) -> CameraFrame | None:
        try:
            self._read(self._source or self._open())
        except SourceLostError as error:
            self._lose(str(error))
        return super().take(0.0)


class SteppedGrid(VirtualGridSource):
    """A grid on the stage's clock, which can be away."""

    def __init__(self, board: Board, clock: Clock) -> None:
        super().__init__(board, None, "serial:virtual")
        self.is_away, self._time = False, clock
        self.link = DeviceLink(self._open_port, self._deliver, clock)
        self._lamps = Lamps(self.link.send)

    def step(self) -> Iterator[Sighting]:
        """Listens to the line, and yields what the grid says."""
        self.link.step()
        while not self._sightings.empty():
            yield self._sightings.get_nowait()

    def _open_port(self) -> Port:
        if self.is_away:
            raise PortError("the cable is out")
        self._plug = VirtualPort(self.device, self._time)
        return self._plug


class HeardDesk(Desk):
    """A desk that hands on what happens at it, in the table's thread."""

    hear: Callable[[Happening], None] = staticmethod(lambda happening: None)

    def handle(self, message: m.Message | m.Meant) -> tuple[m.Reply, list[Happening]]:
        reply, happened = super().handle(message)
        for happening in happened:
            self.hear(happening)
        return reply, happened


class Stage:
    """Use it as a context."""

    def __init__(self, folder: Path, now: float, rng: Random) -> None:
        self._ends = ExitStack()
        self.clock, self.disk = Clock(now), FaultyDisk()
        self._ends.enter_context(self.disk)
        self.store = self._ends.enter_context(Store(folder / "games.sqlite"))
        self.desk = HeardDesk(self.store, wall=self.clock.wall, steady=self.clock, rng=rng)
        self.table = Table(self.desk)
        board = read_game("triune").board
        self.virtual = VirtualTable(board, rng)
        self.camera = PulledCamera(self.virtual.source(RATE, clock=self.clock, wait=self.clock.wait))
        self.capture = SteppedCapture(self.camera, lambda: self.camera, clock=self.clock, wait=self._rest)
        self.grid = SteppedGrid(board, self.clock)
        self._is_watched = False
        self._stream = LiveSightings(self.capture, self._game, self.table.shown_by)
        self._sightings = self._stream.sightings()
        app = create_app(
            self.table,
            Settings(port=0, streams=64, address_streams=64, stream_seconds=STREAM_SECONDS),
            Services(
                virtual_table=self.virtual,
                newest_frame=lambda camera: self.capture.latest,
                store=self._ends.enter_context(Store(folder / "games.sqlite")),
                wall=self.clock.wall,
            ),
        )
        self._shared: Context = app.extensions["companion"]
        self._server = Server(app)
        self._serving = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Stage:
        self._ends.enter_context(self.table)
        self._serving.start()
        self._ends.callback(self._serving.join, 5)
        self._ends.callback(self._server.close)
        self._ends.callback(self._stream.stop)
        self.clock.passing = self._feel
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    @property
    def port(self) -> int:
        return self._server.port

    @property
    def tag(self) -> str:
        """Returns the tag of what displays are shown now."""
        return self._shared.show(self.table.snapshot, ARBITER, ENGLISH).tag

    def lay(self, session: Session, is_watched: bool) -> None:
        """Lays the board of the game that is on. Where the camera watches it, it learns its looks, until it
        reads the board; else it is away."""
        self._is_watched, self.camera.is_away = is_watched, not is_watched
        if is_watched:
            while (sighting := next(self._sightings)).observation is None:
                self.table.ask(m.SightingArrived(sighting))
                time.sleep(LEARNING)
        else:
            self.virtual.lay(session.rules, session.first, session.game.board)
        self.become(dict(session.look))

    def bring_camera_back(self) -> None:
        self.camera.is_away = not self._is_watched

    def pass_time(self, seconds: float, step: float = STEP) -> None:
        """Lets time pass, with a frame after each step; the camera sees, the grid feels."""
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.clock.wait(step)
            self.table.ask(m.SightingArrived(next(self._sightings)))

    def become(self, looks: dict[Place, Look]) -> None:
        """Lays these looks on the board, and a magnet under each piece on a site."""
        self.virtual.become(looks)
        board = self.virtual.table.board
        self.grid.lay(board, self._magnets(board))

    def _magnets(self, board: Board) -> frozenset[Site]:
        return frozenset(self.virtual.table.looks().keys() & board.sites.keys())

    def _rest(self, stopped: threading.Event, seconds: float) -> bool:
        self.clock.wait(seconds)
        return stopped.is_set()

    def _feel(self) -> None:
        for sighting in self.grid.step():
            self.table.ask(m.SightingArrived(sighting))

    def _game(self) -> WatchedGame | None:
        snapshot = self.table.snapshot
        if not self._is_watched or snapshot.session is None or snapshot.number is None:
            return None
        return WatchedGame(snapshot.number, partial(lay_virtual, self.virtual, snapshot.session))
