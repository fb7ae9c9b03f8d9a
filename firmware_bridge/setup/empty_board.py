"""Measures the empty board: each sensor's level at rest and its noise, and which sensors are not at rest."""

from __future__ import annotations

from companion.core.game import Site
from companion.language import listed, say
from firmware_bridge.line.messages import Sensor
from firmware_bridge.sensing.calibration import SensorVerdict, say_verdict
from firmware_bridge.setup.calibrate import Scan, examine
from firmware_bridge.setup.magnet_watch import Baseline

EMPTY_S, EMPTY_SCANS = 3.0, 40
"""Seconds for which the empty board is measured, and the least number of scans."""


class EmptyBoard:
    """The scans of the empty board, and what they say once it was measured (`baseline`, `suspects`)."""

    def __init__(self, sensor: Sensor) -> None:
        self.scans: list[Scan] = []
        self.baseline: Baseline | None = None
        self.suspects: dict[Site, SensorVerdict] = {}
        """Sensors that are not at rest."""
        self._sensor = sensor
        self._since: float | None = None

    @property
    def is_measuring(self) -> bool:
        return self._since is not None

    def measure(self, now: float) -> None:
        """Begins to measure. What was measured before stays until that is done."""
        self._since, self.scans, self.suspects = now, [], {}

    def take(self, scan: Scan, now: float) -> Baseline | None:
        """Takes a scan; returns what was measured when it is the last one."""
        if self._since is None:
            return None
        self.scans.append(scan)
        if now - self._since < EMPTY_S or len(self.scans) < EMPTY_SCANS:
            return None
        self._since = None
        self.baseline = Baseline(self.scans)
        self.suspects = examine(self._sensor, self.scans, is_empty=True)
        return self.baseline

    def words(self) -> str:
        """Returns what was found, in words."""
        if not self.suspects:
            return say("The empty board is at rest: {sites} sensors.", sites=len(self.scans[0]))
        named = listed(
            [say("{site} ({verdict})", site=s, verdict=say_verdict(v)) for s, v in self.suspects.items()]
        )
        return say(
            "Not at rest: {named}. Take away what stands there and measure again; if nothing does, "
            "go on: it stands on the sheet.",
            named=named,
        )
