"""Asks a grid for scans of its levels, and puts them together from the parts in which they come.

`Scanner` waits for scans; `ScanStream` lets them come while other things are done.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from companion.core.game import Site
from companion.language import say
from firmware_bridge.line.link import Down, LinkEvent, PortError
from firmware_bridge.line.messages import Fault, Levels, Message, Read, Trouble
from firmware_bridge.line.wiring import Wiring
from firmware_bridge.setup.calibrate import Scan

NO_LEVELS = say("the sensor grid sends no levels: is its firmware up to date?")
BATCH = 50
"""Scans that are asked for at once."""
STREAM_SCANS, STREAM_MS = 20, 50
"""Scans that a stream asks for at once, and the milliseconds between two of them."""
STALLED_S = 2.0
"""Seconds after which a stream asks again, although scans are still owed: a request was lost."""


class ScanParts:
    """Puts scans together from the parts in which a device sends them.

    A scan that misses a part is dropped.
    """

    def __init__(self, wiring: Wiring) -> None:
        self._sites = wiring.numbered
        self._scan: dict[Site, int] = {}

    def add(self, part: Levels) -> Scan | None:
        """Returns the scan that a part completes, if it completes one."""
        if part.first == 0:
            self._scan = {}
        self._scan |= zip(self._sites[part.first :], part.levels, strict=False)
        if part.first + len(part.levels) < len(self._sites):
            return None
        scan, self._scan = self._scan, {}
        return scan if len(scan) == len(self._sites) else None


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
        parts = ScanParts(self._wiring)
        scans: list[Scan] = []
        while len(scans) < count:
            part = self._next_levels()
            if (scan := parts.add(part)) is not None:
                scans.append(scan)
            if part.left == 0 and part.first + len(part.levels) == len(self._wiring.sites):
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
            self.bridged.add(self._wiring.numbered[event.site])
        return event


class ScanStream:
    """Keeps scans coming: `receive` takes what the link hands over, and `due` tells what is to be sent."""

    def __init__(self, wiring: Wiring) -> None:
        self._parts = ScanParts(wiring)
        self._asked = -1e9
        self._is_owed = False

    def receive(self, event: LinkEvent) -> Scan | None:
        """Returns the scan that an event completes, if it completes one."""
        if not isinstance(event, Levels):
            return None
        scan = self._parts.add(event)
        if scan is not None and event.left == 0:  # somebody else's credit may have replaced ours
            self._is_owed = False
        return scan

    def due(self, now: float) -> Read | None:
        """Returns the request that keeps scans coming, when one has to be sent."""
        if self._is_owed and now - self._asked < STALLED_S:
            return None
        self._asked, self._is_owed = now, True
        return Read(STREAM_SCANS, STREAM_MS)
