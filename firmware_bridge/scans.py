"""Asks a grid for scans of its levels, and puts them together from the parts in which they come."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from companion.core.game import Site
from firmware_bridge.calibrate import Scan
from firmware_bridge.link import Down, LinkEvent, PortError
from firmware_bridge.messages import Fault, Levels, Message, Read, Trouble
from firmware_bridge.wiring import Wiring

NO_LEVELS = "the sensor grid sends no levels: is its firmware up to date?"
BATCH = 50
"""Scans that are asked for at once."""


class Scanner:
    """Asks through `send` and reads `events`. PortError when no levels come for `patience` seconds."""

    def __init__(
        self,
        wiring: Wiring,
        send: Callable[[Message], object],
        events: SimpleQueue[LinkEvent],
        patience: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._wiring, self._send, self._events, self._patience = wiring, send, events, patience
        self.bridged: set[Site] = set()
        """The sites whose diodes were seen to fail meanwhile."""

    def scans(self, count: int) -> list[Scan]:
        """Returns so many scans of all levels, one after the other."""
        scans: list[Scan] = []
        while len(scans) < count:
            scans += self._batch(min(BATCH, count - len(scans)))
        return scans

    def _batch(self, count: int) -> list[Scan]:
        self._send(Read(count, 0))
        sites = self._wiring.sites
        scans: list[Scan] = []
        scan: dict[Site, int] = {}
        while len(scans) < count:
            part = self._next_levels()
            scan |= zip(sites[part.first :], part.levels, strict=False)
            if len(scan) == len(sites):
                scans.append(scan)
                scan = {}
            if part.left == 0 and part.first + len(part.levels) == len(sites):
                return scans  # the device owes no more; where a part was lost, fewer scans are whole
        return scans

    def _next_levels(self) -> Levels:
        """Returns the next part of a scan, and passes over all other events."""
        end = self._clock() + self._patience
        while self._clock() < end:
            event = self._next()
            if isinstance(event, Levels):
                return event
        raise PortError(NO_LEVELS)

    def _next(self) -> LinkEvent:
        try:
            event = self._events.get(timeout=self._patience)
        except Empty as error:
            raise PortError(NO_LEVELS) from error
        if isinstance(event, Down):
            raise PortError(event.words)
        if isinstance(event, Fault) and event.trouble == Trouble.DIODE:
            self.bridged.add(self._wiring.sites[event.site])
        return event
