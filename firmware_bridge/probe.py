"""Connects a grid for a while, so that calibration and doctor can measure it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from types import TracebackType

from companion.core.board import Board
from companion.core.errors import CompanionError
from companion.core.game import Site
from companion.sensing.sources import argument_of, scheme_of
from firmware_bridge.calibrate import Scan
from firmware_bridge.greeting import HELLO_S
from firmware_bridge.link import Down, Link, LinkEvent, Port, PortError, Up, serial_opener
from firmware_bridge.messages import Hello, Sensor
from firmware_bridge.scans import Scanner
from firmware_bridge.sensors import Calibration, fits
from firmware_bridge.virtual import VirtualDevice, VirtualPort
from firmware_bridge.virtual_faults import parse_faults, put_in
from firmware_bridge.wiring import MEGA, Wiring, rewired, wire, wiring_of

PATIENCE_S = HELLO_S + 1
"""Seconds that a device may take to answer; before that the link gives it up, and says why."""


class Probe:
    """Opens the line, waits for the device, and takes scans of its levels.

    `known` is the calibration until now: it says which wires are exchanged. PortError when the device is not
    there, WiringError when it is built for none of these boards.
    """

    def __init__(
        self,
        opener: Callable[[], Port],
        boards: Iterable[Board],
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE_S,
        known: Calibration | None = None,
    ) -> None:
        self._known = known
        self._events: SimpleQueue[LinkEvent] = SimpleQueue()
        self._link = Link(opener, lambda event, now: self._events.put(event), clock)
        self._boards, self._clock, self._patience = tuple(boards), clock, patience
        self._wiring: Wiring | None = None
        self.bridged: set[Site] = set()
        """The sites whose diodes were seen to fail meanwhile."""

    @property
    def wiring(self) -> Wiring:
        assert self._wiring is not None, "enter the probe first"
        return self._wiring

    def __enter__(self) -> Probe:
        self._link.start()
        try:
            found = wiring_of(await_hello(self._events, self._patience, self._clock), self._boards)
            self._wiring = rewired(found, self._known.wires if fits(self._known, found) else {})
        except CompanionError:
            self._link.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._link.stop()

    @property
    def known(self) -> Calibration | None:
        """Returns the calibration until now, if it is this grid's."""
        return self._known if fits(self._known, self.wiring) else None

    def scans(self, count: int) -> list[Scan]:
        """Returns so many scans of all levels, one after the other."""
        scanner = Scanner(self.wiring, self._link.send, self._events, self._patience)
        scans = scanner.scans(count)
        self.bridged |= scanner.bridged
        return scans


def await_hello(events: SimpleQueue[LinkEvent], patience: float, clock: Callable[[], float]) -> Hello:
    """Returns what a device says of itself when it comes up. PortError when none does in so many seconds."""
    end = clock() + patience
    while clock() < end:
        try:
            event = events.get(timeout=patience)
        except Empty:
            break
        if isinstance(event, Up):
            return event.hello
        if isinstance(event, Down):
            raise PortError(event.words)
    raise PortError("no answer: is this the port of a sensor grid?")


def opener_of(text: str, board: Board) -> Callable[[], Port]:
    """Returns a function that opens `serial:…`; `serial:virtual` is a grid of this board without hardware."""
    device = virtual_device(text, board)
    if device is None:
        return serial_opener(port_of(text))
    return lambda: VirtualPort(device, time.monotonic, time.sleep)


def virtual_device(text: str, board: Board) -> VirtualDevice | None:
    """Returns a virtual grid of this board, with the faults that are written; None for a port."""
    faults = parse_faults(port_of(text))
    if faults is None:
        return None
    device = VirtualDevice(wire(board, Sensor.ANALOGUE, MEGA), random.Random())
    put_in(device, faults)
    return device


def port_of(text: str) -> str:
    """Returns the port of `serial:PORT`, or of a port that is written without the scheme."""
    return argument_of(text) if scheme_of(text) == "serial" else text
