"""A sensor grid as a source of sightings: `serial:PORT[@BAUD]`, `serial:` (looks for the port) and
`serial:virtual` (no hardware).

The device says which board it was built for, so nothing need be set: its wiring is that of the board
whose site names have the same check. A board of the owner's counts while a game is on it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType

from companion.board import Board, load_board
from companion.config import data_folder
from companion.core import Site
from companion.observation import Sighting
from companion.sources import argument_of
from firmware_bridge.grid import Grid
from firmware_bridge.lamps import Colour, light
from firmware_bridge.link import Down, Link, LinkEvent, Port, Up, Waiting, serial_opener
from firmware_bridge.messages import Change, Greet, Hello, Read, Sensor, Snapshot, State
from firmware_bridge.sensors import Calibration, CalibrationError, load_calibration
from firmware_bridge.virtual import VirtualDevice, VirtualPort, spread
from firmware_bridge.wiring import MEGA, Wiring, known_boards, wire, wiring_of

PROFILE = "grid.json"
"""The calibration's file in the data folder, read where no other is named."""
SETTING_UP = "the sensor grid is being set up"
OFFSET = 12
"""Counts by which a virtual sensor at rest is off: little enough to play without a calibration."""
LEVELS_S = 2.0
"""Seconds between two looks at the levels themselves, of sensors that have any."""


class GridEye:
    """Sightings of a grid. Enter it to open the line; a loss is a sighting without an observation."""

    live = True

    def __init__(
        self,
        opener: Callable[[], Port],
        boards: Iterable[Board],
        calibration: Calibration | None = None,
        name: str = "serial",
        tap: Callable[[float, bytes], None] | None = None,
    ) -> None:
        self.name = name
        self.grid: Grid | None = None
        self.link = Link(opener, self._deliver, tap=tap)
        self.busy_until = 0.0
        """Until then (s, monotonic) nothing that is seen counts: the grid is being set up."""
        self.trouble = ""
        """What is wrong with the calibration that was kept, until another is adopted."""
        self.boards, self._calibration = tuple(boards), calibration
        self._seen: SimpleQueue[Sighting] = SimpleQueue()
        self._closed = False
        self._asked = 0.0
        self._listener: SimpleQueue[LinkEvent] | None = None
        self._colours: dict[Site, Colour] = {}
        self._has_lamps = False

    def __enter__(self) -> GridEye:
        self.link.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        self.link.stop()

    def sightings(self) -> Iterator[Sighting]:
        """What is seen, as it comes; ends after `with`."""
        while not self._closed:
            try:
                yield self._seen.get(timeout=0.5)
            except Empty:
                continue

    @contextmanager
    def listening(self) -> Iterator[SimpleQueue[LinkEvent]]:
        """All that comes over the line meanwhile, for whoever tests or calibrates the grid."""
        heard: SimpleQueue[LinkEvent] = SimpleQueue()
        self._listener = heard
        try:
            yield heard
        finally:
            self._listener = None

    def adopt(self, calibration: Calibration) -> None:
        """Another calibration counts from now on, if it is this grid's."""
        self._calibration, self.trouble = calibration, ""
        if self.grid is not None:
            self.grid.calibration = self._fitting(self.grid.wiring)
            for message in self.grid.setup():
                self.link.send(message)

    def expect(self, board: Board) -> None:
        """A game is on this board: a device is asked again what it is, if that can change what counts."""
        boards = known_boards(board)
        if boards != self.boards:
            self.boards = boards
            self.link.send(Greet())

    def shine(self, colours: Mapping[Site, Colour]) -> None:
        """Lights these lamps, and no others; a grid that comes back shows them again."""
        if colours != self._colours:
            self._colours = dict(colours)
            if self.grid is not None:
                self._send_colours(self.grid.wiring)

    def _send_colours(self, wiring: Wiring) -> None:
        for message in light(self._colours, wiring.sites) if self._has_lamps else ():
            self.link.send(message)

    def _deliver(self, event: LinkEvent, now: float) -> None:
        """In the link's thread: nothing here waits."""
        if self._listener is not None:
            self._listener.put(event)
        sighting = self._refuse(event.hello, now) if isinstance(event, Up) else None
        if self.grid is not None:
            sighting = self.grid.receive(event, now) or sighting
            self._look_after(self.grid, event, now)
        elif isinstance(event, Down | Waiting):
            sighting = Sighting(now, self.name, None, still=False, trouble=event.words)
        if sighting is not None:
            self._seen.put(self._held_back(self._complained(sighting)))

    @property
    def is_busy(self) -> bool:
        """Whether the grid is being set up."""
        return time.monotonic() < self.busy_until

    def _complained(self, sighting: Sighting) -> Sighting:
        """A grid without its calibration sees as well as it can, and says so."""
        troubles = filter(None, (sighting.trouble, self.trouble))
        return replace(sighting, trouble="; ".join(troubles)) if self.trouble else sighting

    def _held_back(self, sighting: Sighting) -> Sighting:
        """While the grid is being set up, what stands on it is no game."""
        if sighting.time >= self.busy_until:
            return sighting
        return replace(sighting, observation=None, still=False, trouble=SETTING_UP, touches=None)

    def _refuse(self, hello: Hello, now: float) -> Sighting | None:
        """Takes the device on; a sighting that says why where that cannot be."""
        try:
            wiring = wiring_of(hello, self.boards)
        except ValueError as error:
            self.grid = None
            return Sighting(now, self.name, None, still=False, trouble=str(error))
        if self.grid is None or self.grid.wiring != wiring:
            self.grid = Grid(wiring, self._fitting(wiring), self.name)
        for message in self.grid.setup():
            self.link.send(message)
        self._has_lamps = hello.lamps > 0
        self._send_colours(wiring)
        return None

    def _fitting(self, wiring: Wiring) -> Calibration | None:
        known = self._calibration
        return known if known and (known.board, known.sensor) == (wiring.check, wiring.sensor) else None

    def _look_after(self, grid: Grid, event: LinkEvent, now: float) -> None:
        """Asks for levels now and then, and after changes."""
        if grid.wiring.sensor is not Sensor.ANALOGUE or not isinstance(event, Change | Snapshot):
            return
        if now - self._asked >= LEVELS_S:
            self._asked = now
            self.link.send(Read(1, 0))


def open_eye(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> GridEye:
    """The grid of a source's text, as `companion.sources.Opener` says."""
    return open_grid(text, board, folder)


def open_grid(
    text: str,
    board: Board | None = None,
    folder: Path | None = None,
    tap: Callable[[float, bytes], None] | None = None,
) -> GridEye:
    """The grid of a source's text, not yet entered.

    `board` is the one that is played on, where that is known; `folder` that of the calibration, where it is
    not the usual data folder; `tap` is handed all bytes that come, with their times, to be recorded.
    """
    argument = argument_of(text)
    known, trouble = None, ""
    try:
        known = usual_calibration(folder)
    except CalibrationError as error:
        trouble = f"plays without its calibration: {error}"
    eye = (
        VirtualEye(board or load_board("triune"), known, text, tap)
        if argument == "virtual"
        else GridEye(serial_opener(argument), known_boards(board), known, text, tap)
    )
    eye.trouble = trouble
    return eye


class VirtualEye(GridEye):
    """A grid of linear sensors without hardware; whoever plays the hands puts magnets on it."""

    def __init__(
        self,
        board: Board,
        calibration: Calibration | None,
        name: str,
        tap: Callable[[float, bytes], None] | None = None,
    ) -> None:
        self.device = _virtual_device(board)
        self._plug: VirtualPort | None = None
        super().__init__(self._port, [board], calibration, name, tap)

    def expect(self, board: Board) -> None:
        """It is of the board that is laid."""

    def lay(self, board: Board, occupied: Collection[Site]) -> None:
        """Magnets stand on these sites of this board; another board is another grid."""
        if tuple(board.sites) != self.device.wiring.sites:
            self.boards, self.device = (board,), _virtual_device(board)
            self.pull()
        self.device.arrange(dict.fromkeys(occupied, State.NORTH))

    def pull(self) -> None:
        """The plug comes out; it is put in again at once."""
        if self._plug is not None:
            self._plug.unplug()

    def put(self, sites: Iterable[Site], present: bool) -> None:
        """Magnets come to these sites, or leave them."""
        for site in sites:
            self.device.set(site, State.NORTH if present else State.OPEN)

    def _port(self) -> Port:
        self._plug = VirtualPort(self.device, time.monotonic, time.sleep)
        return self._plug


def _virtual_device(board: Board) -> VirtualDevice:
    wiring, rng = wire(board, Sensor.ANALOGUE, MEGA), random.Random(1)
    return VirtualDevice(wiring, rng, spread(wiring, rng, offset=OFFSET))


def usual_calibration(folder: Path | None = None) -> Calibration | None:
    """What `companion calibrate --grid` has saved in the data folder, if it has. CalibrationError when that
    is damaged."""
    path = (folder or data_folder()) / PROFILE
    return load_calibration(path) if path.exists() else None
