"""Keeps scans of a grid's levels coming, and puts them together from the parts in which they come."""

from __future__ import annotations

from companion.core.game import Site
from firmware_bridge.line.link import LinkEvent
from firmware_bridge.line.messages import Fault, Levels, Read, Trouble
from firmware_bridge.line.wiring import Wiring
from firmware_bridge.setup.calibrate import Scan

ASKED, PERIOD_MS = 20, 50
"""Scans that are asked for at once, and the milliseconds between two of them."""
STALLED_S = 2.0
"""Seconds after which scans are asked for again, although some are still owed: a request was lost."""


class ScanStream:
    """`receive` takes what the link hands over, and `due` tells what is to be sent.

    A scan that misses a part is dropped.
    """

    def __init__(self, wiring: Wiring) -> None:
        self._sites = wiring.numbered
        self.bridged: set[Site] = set()
        """The sites whose diodes were seen to fail meanwhile."""
        self.restart()

    def restart(self) -> None:
        """Forgets what was asked for: the line was lost."""
        self._scan: dict[Site, int] = {}
        self._asked = -1e9
        self._is_owed = False

    def receive(self, event: LinkEvent) -> Scan | None:
        """Returns the scan that an event completes, if it completes one."""
        if isinstance(event, Fault) and event.trouble == Trouble.DIODE and event.site < len(self._sites):
            self.bridged.add(self._sites[event.site])
        if not isinstance(event, Levels):
            return None
        if event.first == 0:
            self._scan = {}
        self._scan |= zip(self._sites[event.first :], event.levels, strict=False)
        if event.first + len(event.levels) < len(self._sites):
            return None
        if event.left == 0:  # somebody else's request may have replaced ours
            self._is_owed = False
        scan, self._scan = self._scan, {}
        return scan if len(scan) == len(self._sites) else None

    def due(self, now: float) -> Read | None:
        """Returns the request that keeps scans coming, when one has to be sent."""
        if self._is_owed and now - self._asked < STALLED_S:
            return None
        self._asked, self._is_owed = now, True
        return Read(ASKED, PERIOD_MS)
