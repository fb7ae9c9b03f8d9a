"""A sensor grid as a source of sightings, as `companion.sensing.sources` opens it.

`serial:PORT[@BAUD]` names a port, `serial:` looks for one, and `serial:virtual` is a grid without hardware.

The device says which board it was built for, so that nothing needs to be set: its wiring is that of the board
whose site names have the same check. A board file of the owner's counts while a game is played on it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import RLock

from companion.config import data_folder
from companion.core.board import Board
from companion.core.game import Site
from companion.language import say
from companion.sensing.observation import Sighting
from companion.sensing.sources import argument_of, scheme_of
from firmware_bridge.line.link import (
    WAITING,
    DeviceLink,
    Down,
    LinkEvent,
    Port,
    PortError,
    serial_opener,
)
from firmware_bridge.line.messages import (
    FIRMWARE,
    Ask,
    Change,
    Greet,
    Hello,
    Read,
    Sensor,
    Snapshot,
    State,
)
from firmware_bridge.line.wiring import (
    MEGA,
    Wiring,
    WiringError,
    known_boards,
    lamp_sites,
    rewire,
    wire,
    wiring_of,
)
from firmware_bridge.sensing.calibration import Calibration, GridCalibrationError, fits, load_calibration
from firmware_bridge.sensing.found_sightings import FoundSightings
from firmware_bridge.sensing.grid import Grid
from firmware_bridge.sensing.lamps import Colour, Lamps
from firmware_bridge.sensing.virtual import SteppedClock, VirtualDevice, VirtualPort, spread
from firmware_bridge.sensing.virtual_faults import Faults, parse_faults, put_in

PROFILE = "grid.json"
"""The calibration's file in the data folder, which is read where no other is named."""
SETTING_UP = say("the sensor grid is being set up")
UNCONNECTED = say("no sensor grid is connected: plug it in")
OLDER = say("the sensor grid's firmware is older than this companion: flash it, by 'companion grid flash'")
OFFSET = 12
"""Counts by which a virtual sensor at rest is off: few enough to play without a calibration."""
LEVELS_S = 2.0
"""Seconds between two requests for the levels of linear sensors."""
ASK_AGAIN_S = 2.0
"""Seconds between two questions to a device what it is, while what it sends does not fit what is known."""


class GridSource(FoundSightings):
    """The sightings of one grid. Entering it opens the line; while that is lost, sightings see nothing.

    `boards` are those that the grid may be built for, the game's first: only a grid for that one is believed.

    Several threads use it: the link's delivers what the device sends, a reader takes the sightings, and
    those of the page set the grid up and light its lamps. What they share is changed under `_lock`.
    """

    def __init__(
        self,
        opener: Callable[[], Port],
        boards: Iterable[Board],
        calibration: Calibration | None = None,
        name: str = "serial",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.name, self.opener, self.clock = name, opener, clock
        self.link = DeviceLink(opener, self._deliver, clock)
        self.grid: Grid | None = None
        self.hello: Hello | None = None
        """What the device that came up last says of itself."""
        self.boards = tuple(boards)
        self.absence: str = UNCONNECTED
        """The reason why there is no grid now, in words; '' while there is one."""
        self.trouble = ""
        """The reason why the calibration that was kept cannot be used; '' once another is adopted."""
        self.older = ""
        """The words for a device whose firmware is older than this companion; '' for others."""
        self._calibration = calibration
        self._lamps = Lamps(self.link.send)
        self._busy_until = 0.0
        self._levels_asked = self._greeted = 0.0
        self._untuned = False
        """True until the device has the calibration's thresholds: they wait for the first levels."""
        self.follower: Callable[[LinkEvent, float], None] | None = None
        """Is called with all that the link hands over, in the link's thread."""
        self._lock = RLock()

    def __enter__(self) -> GridSource:
        self.link.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        self.link.stop()

    def await_grid(self) -> None:
        """Waits until a grid is there, on a line that is open. PortError when none comes, with the reason."""
        for sighting in self.sightings():
            if self.grid is not None:
                return
            if sighting.trouble != WAITING:
                raise PortError(sighting.trouble)

    def hold_play(self, until: float) -> None:
        """Lets nothing that is seen count as play until then (s, monotonic): the grid is being set up."""
        with self._lock:
            self._busy_until = until

    @property
    def is_busy(self) -> bool:
        """True while the grid is being set up."""
        return self.clock() < self._busy_until

    def adopt(self, calibration: Calibration) -> None:
        """Uses another calibration from now on, if it is this grid's."""
        with self._lock:
            self._calibration, self.trouble = calibration, ""
            if self.grid is not None:
                self._use(self.grid.wiring)

    def _use(self, wiring: Wiring) -> None:
        """Reads the device by the calibration, if that is its, and sets it up; where wires are others than
        before, it is another grid."""
        known = self._calibration if fits(self._calibration, wiring) else None
        wiring = rewire(wiring, known.wires if known else {})
        if self.grid is None or self.grid.wiring != wiring:
            self.grid = Grid(wiring, known, self.name)
            self.link.send(Ask())
        self.grid.calibration = known
        self._set_up(self.grid)
        self._lamps.connect(lamp_sites(wiring) if self.hello and self.hello.lamps else ())

    def expect(self, board: Board) -> None:
        """Takes note that a game is on this board; asks the device anew what it is, if that can matter."""
        boards = known_boards(board)
        with self._lock:
            if boards != self.boards:
                self.boards = boards
                self.link.send(Greet())

    @property
    def lit_sites(self) -> Sequence[Site]:
        """The sites that may have a lamp; () before a device has come up."""
        return self.grid.wiring.sites if self.grid is not None else ()

    def shine(self, colours: Mapping[Site, Colour]) -> None:
        """Lights these lamps and no others; a grid that comes back shows them again."""
        with self._lock:
            self._lamps.shine(colours)

    def shine_instead(self, colours: Mapping[Site, Colour] | None) -> None:
        """Lights these lamps in place of the game's, until None is said."""
        with self._lock:
            self._lamps.shine_instead(colours)

    def _deliver(self, event: LinkEvent, now: float) -> None:
        """Takes what the link hands over, in the link's thread. Nothing here waits for the device."""
        if self.follower is not None:
            self.follower(event, now)
        with self._lock:
            sighting = self._sighting_of(event, now)
            if sighting is not None:
                self._sightings.put(self._believed(sighting))

    def _sighting_of(self, event: LinkEvent, now: float) -> Sighting | None:
        """Returns the sighting that an event leads to, if it leads to one."""
        match event:
            case Hello():
                self.absence = self._identify(event)
            case Down(words):
                self.absence = words
        self._ask_again(event, now)
        if self.grid is None:
            is_told = isinstance(event, Hello | Down)
            return Sighting(now, self.name, None, still=False, trouble=self.absence) if is_told else None
        sighting = self.grid.receive(event, now)
        if self._untuned and self.grid.has_levels:
            self._untuned = False
            self._send_setup(self.grid)
        self._ask_levels(self.grid, event, now)
        return sighting

    def _identify(self, hello: Hello) -> str:
        """Finds out the wiring of a device that has come up, and sets it up.

        Returns why it cannot, where the device is built for no board that is known; else ''.
        """
        try:
            wiring = wiring_of(hello, self.boards)
        except WiringError as error:
            self.grid = None
            self._lamps.connect(())
            return str(error)
        self.hello = hello
        self.older = OLDER if _is_older(hello, wiring) else ""
        self._use(wiring)
        return ""

    def _ask_again(self, event: LinkEvent, now: float) -> None:
        """Asks a device anew what it is, where its snapshots are not those of the grid that is known.

        Noise on the line may have looked like another device's answer.
        """
        is_strange = isinstance(event, Snapshot) and (self.grid is None or not self.grid.fits(event))
        if is_strange and now - self._greeted >= ASK_AGAIN_S:
            self._greeted = now
            self.link.send(Greet())

    def _set_up(self, grid: Grid) -> None:
        """Sends the calibration to the device: of linear sensors once their levels have told the drift."""
        self._untuned = grid.calibration is not None and grid.wiring.sensor is Sensor.ANALOGUE
        if self._untuned:
            self.link.send(grid.mute())
            self.link.send(Read(1, 0))
        else:
            self._send_setup(grid)

    def _send_setup(self, grid: Grid) -> None:
        for message in grid.setup():
            self.link.send(message)

    def _ask_levels(self, grid: Grid, event: LinkEvent, now: float) -> None:
        """Asks linear sensors for their levels now and then."""
        if grid.wiring.sensor is not Sensor.ANALOGUE or not isinstance(event, Change | Snapshot):
            return
        if now - self._levels_asked >= LEVELS_S:
            self._levels_asked = now
            self.link.send(Read(1, 0))

    def _believed(self, sighting: Sighting) -> Sighting:
        """Takes the observation away where it is of no game: while the grid is being set up, and where it is
        another board's. Adds that the grid works without its calibration, or with an older firmware."""
        words = misfit(self.grid.wiring, self.boards[0]) if self.grid else ""
        if sighting.time < self._busy_until:
            words = SETTING_UP
        if words:
            return replace(sighting, observation=None, still=False, trouble=words, touches=None)
        trouble = sighting.trouble
        for other in filter(None, (self.trouble, self.older)):
            trouble = say("{first}; {second}", first=trouble, second=other) if trouble else other
        return replace(sighting, trouble=trouble)


class VirtualGridSource(GridSource):
    """A grid of linear sensors without hardware. Its user puts magnets on it and takes them off.

    On a stepped clock its time passes only while its line is stepped.
    """

    def __init__(
        self,
        board: Board,
        calibration: Calibration | None,
        name: str,
        faults: Faults = (),
        clock: SteppedClock | None = None,
    ) -> None:
        self._faults, self._wait = faults, clock.wait if clock else time.sleep
        self.device = _virtual_device(board, faults)
        self._plug: VirtualPort | None = None
        super().__init__(self._open_port, [board], calibration, name, clock=clock or time.monotonic)

    def expect(self, board: Board) -> None:
        """Does nothing: the grid is of the board that `lay` was given."""

    def lay(self, board: Board, occupied: Collection[Site]) -> None:
        """Puts magnets on these sites of this board, and on no others; another board is another grid."""
        if tuple(board.sites) != self.device.wiring.sites:
            with self._lock:
                self.boards, self.device = (board,), _virtual_device(board, self._faults)
            self.pull()
        self.device.arrange(dict.fromkeys(occupied, State.NORTH))

    def pull(self) -> None:
        """Pulls the plug out; it is put in again at once."""
        if self._plug is not None:
            self._plug.unplug()

    def put(self, sites: Iterable[Site], present: bool) -> None:
        """Puts magnets on these sites, or takes them off."""
        for site in sites:
            self.device.set(site, State.NORTH if present else State.OPEN)

    def _open_port(self) -> Port:
        self._plug = VirtualPort(self.device, self.clock, self._wait)
        return self._plug


def misfit(wiring: Wiring, board: Board) -> str:
    """Returns why no game on this board can be played on a grid; '' where one can."""
    if set(wiring.sites) == set(board.sites):
        return ""
    return say(
        "the sensor grid is built for another board, of {sites} sites: play a game on that one, or "
        "flash it anew",
        sites=len(wiring.sites),
    )


def open_grid_source(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> GridSource:
    """Returns the grid of a source's text, not yet entered, as `companion.sensing.sources.Opener` says."""
    known, trouble = None, ""
    try:
        known = usual_calibration(folder)
    except GridCalibrationError as error:
        trouble = say("the sensor grid plays without its calibration: {error}", error=error)
    source = grid_of(text, known_boards(board), known)
    source.trouble = trouble
    return source


def grid_of(
    text: str,
    boards: Sequence[Board],
    calibration: Calibration | None = None,
    clock: SteppedClock | None = None,
) -> GridSource:
    """Returns the grid at `serial:PORT`, or at a port that is written without the scheme, not yet entered.

    A virtual one is of the first of these boards, and runs on `clock`, if there is one.
    """
    port = argument_of(text) if scheme_of(text) == "serial" else text
    if (faults := parse_faults(port)) is not None:
        return VirtualGridSource(boards[0], calibration, text, faults, clock)
    return GridSource(serial_opener(port), boards, calibration, text)


def _is_older(hello: Hello, wiring: Wiring) -> bool:
    """Returns whether a device runs an older version of our firmware; one of its owner's has another name."""
    ours = f"-{wiring.sensor.word}-{wiring.controller.name}"  # several boards have the same sites
    return hello.name.endswith(ours) and (hello.major, hello.minor) < FIRMWARE


def _virtual_device(board: Board, faults: Faults) -> VirtualDevice:
    wiring, rng = wire(board, Sensor.ANALOGUE, MEGA), random.Random(1)
    device = VirtualDevice(wiring, rng, spread(wiring, rng, offset=OFFSET))
    put_in(device, faults)
    return device


def usual_calibration(folder: Path | None = None) -> Calibration | None:
    """Returns the calibration that is kept in this folder, else in the data folder; None where there is none.

    GridCalibrationError when it is damaged.
    """
    path = (folder or data_folder()) / PROFILE
    return load_calibration(path) if path.exists() else None
