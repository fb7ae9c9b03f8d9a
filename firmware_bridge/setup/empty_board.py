"""Measures the empty board: each sensor's level at rest and its noise, and which sensors are not at rest."""

from __future__ import annotations

from statistics import median

from companion.core.game import Site
from companion.language import listed, say
from firmware_bridge.line.messages import LEVEL_MAX, Sensor
from firmware_bridge.sensing.calibration import SensorVerdict, say_verdict
from firmware_bridge.sensing.health import RAIL
from firmware_bridge.setup.calibrate import UNTUNED, Scan
from firmware_bridge.setup.magnet_watch import Baseline

EMPTY_S, EMPTY_SCANS = 3.0, 40
"""Seconds for which the empty board is measured, and the least number of scans."""
NOISE_COUNTS, NOISE_TIMES = 12, 4
"""Counts, and times the usual noise, above both of which a sensor on the empty board is noisy."""


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
        self.suspects = _suspects(self._sensor, self.baseline)
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


def _suspects(sensor: Sensor, baseline: Baseline) -> dict[Site, SensorVerdict]:
    """Returns the sensors that are not at rest on an empty board, and how."""
    middle, border = UNTUNED[sensor]
    if sensor is Sensor.ANALOGUE:
        middle = median(baseline.rest.values())
    usual = median(baseline.noise.values())
    found = {}
    for site, rest in baseline.rest.items():
        if sensor is Sensor.ANALOGUE and not RAIL <= rest <= LEVEL_MAX - RAIL:
            found[site] = SensorVerdict.DEAD
        elif abs(rest - middle) > border:
            found[site] = SensorVerdict.STUCK
        elif baseline.noise[site] > max(NOISE_COUNTS, NOISE_TIMES * usual):
            found[site] = SensorVerdict.NOISY
    return found
