"""A grid on the line for a while, to be measured: what calibration and the doctor work with."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from types import TracebackType

from companion.board import Board
from companion.core import Site
from firmware_bridge.calibrate import Scan
from firmware_bridge.link import Down, Link, LinkEvent, Port, PortError, Up, serial_opener
from firmware_bridge.messages import Fault, Hello, Levels, Read, Sensor, Trouble
from firmware_bridge.virtual import VirtualDevice, VirtualPort
from firmware_bridge.wiring import MEGA, Wiring, WiringError, wire, wiring_of

PATIENCE_S = 5.0
"""An Arduino that resets when its port is opened is back after two seconds."""
BATCH = 50
"""Scans that are asked for at a time."""


class Probe:
    """Opens the line, waits for the device, and takes scans of its levels. PortError when it is not there,
    WiringError when it is built for none of these boards."""

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
        """Sites whose diodes were seen to fail meanwhile."""

    @property
    def wiring(self) -> Wiring:
        assert self._wiring is not None, "enter the probe first"
        return self._wiring

    def __enter__(self) -> Probe:
        self._link.start()
        try:
            self._wiring = wiring_of(self._await_hello(), self._boards)
        except (PortError, WiringError):
            self._link.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._link.stop()

    def scans(self, count: int) -> list[Scan]:
        """So many scans of all levels, one after the other."""
        scans: list[Scan] = []
        while len(scans) < count:
            scans += self._batch(min(BATCH, count - len(scans)))
        return scans

    def _batch(self, count: int) -> list[Scan]:
        self._link.send(Read(count, 0))
        scans: list[Scan] = []
        scan: dict[Site, int] = {}
        while len(scans) < count:
            part = self._next()
            if isinstance(part, Levels):
                scan |= zip(self.wiring.sites[part.first :], part.levels, strict=False)
                if len(scan) == len(self.wiring.sites):
                    scans.append(scan)
                    scan = {}
                elif part.left == 0 and part.first + len(part.levels) == len(self.wiring.sites):
                    return scans  # a part was lost on the way: what is whole counts
        return scans

    def _next(self) -> LinkEvent:
        try:
            event = self._events.get(timeout=self._patience)
        except Empty as error:
            raise PortError("the sensor grid sends no levels: is its firmware up to date?") from error
        if isinstance(event, Down):
            raise PortError(event.words)
        if isinstance(event, Fault) and event.trouble == Trouble.DIODE:
            self.bridged.add(self.wiring.sites[event.site])
        return event

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
    """Opens `serial:…`; `serial:virtual` is a grid of linear sensors of this board without hardware."""
    argument = text.removeprefix("serial").removeprefix(":")
    if argument != "virtual":
        return serial_opener(argument)
    device = VirtualDevice(wire(board, Sensor.ANALOGUE, MEGA), random.Random())
    return lambda: VirtualPort(device, time.monotonic, time.sleep)
