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
from firmware_bridge.link import Down, Link, LinkEvent, Port, PortError, Up, serial_opener
from firmware_bridge.messages import Hello, Sensor
from firmware_bridge.scans import Scanner
from firmware_bridge.virtual import VirtualDevice, VirtualPort
from firmware_bridge.wiring import MEGA, Wiring, wire, wiring_of

PATIENCE_S = 5.0
"""Seconds that a device may take to answer. An Arduino that resets when its port is opened is back after two
seconds."""


class Probe:
    """Opens the line, waits for the device, and takes scans of its levels.

    PortError when the device is not there, WiringError when it is built for none of these boards.
    """

    def __init__(
        self,
        opener: Callable[[], Port],
        boards: Iterable[Board],
        clock: Callable[[], float] = time.monotonic,
        patience: float = PATIENCE_S,
    ) -> None:
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
            self._wiring = wiring_of(self._await_hello(), self._boards)
        except CompanionError:
            self._link.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._link.stop()

    def scans(self, count: int) -> list[Scan]:
        """Returns so many scans of all levels, one after the other."""
        scanner = Scanner(self.wiring, self._link.send, self._events, self._patience)
        scans = scanner.scans(count)
        self.bridged |= scanner.bridged
        return scans

    def _await_hello(self) -> Hello:
        end = self._clock() + self._patience
        while self._clock() < end:
            try:
                event = self._events.get(timeout=self._patience)
            except Empty:
                break
            if isinstance(event, Up):
                return event.hello
            if isinstance(event, Down):
                raise PortError(event.words)
        raise PortError("no answer: is this the port of a sensor grid?")


def opener_of(text: str, board: Board) -> Callable[[], Port]:
    """Returns a function that opens `serial:…`; `serial:virtual` is a grid of this board without hardware."""
    port = argument_of(text) if scheme_of(text) == "serial" else text
    if port != "virtual":
        return serial_opener(port)
    device = VirtualDevice(wire(board, Sensor.ANALOGUE, MEGA), random.Random())
    return lambda: VirtualPort(device, time.monotonic, time.sleep)
