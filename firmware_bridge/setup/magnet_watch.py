"""Finds the sensor that a hand holds a magnet on, among scans of all levels, and since when it is held still.

A magnet that passes over a sensor is no answer of that sensor: its level rises and falls. A supply that moves
all levels alike is taken out, since a magnet is felt by few sensors at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median, pstdev

from companion.core.game import Site
from firmware_bridge.setup.calibrate import SWING_MIN, Scan

FELT_NOISE = 6
"""Standard deviations of a sensor's noise that a magnet has to exceed, besides SWING_MIN."""
LET_GO = 0.6
"""The share of the level at which a magnet is felt, below which it is gone."""
STRONGER = 1.3
"""How many times as strong another sensor has to feel a magnet before that counts as moved there."""
TWIN = 0.7
"""The share of the strongest swing at which another sensor feels a magnet about as strongly: the one that is
asked for then counts as the one that answers."""
STEADY_SHARE, STEADY_COUNTS = 0.2, 10
"""Levels of a magnet at rest vary by less than this share of the swing, or so many counts."""
LEFT_SHARE = 0.5
"""The share of a swing below which the magnet has left a sensor, although it may not have been lifted."""
CLEAR_S = 0.15
"""Seconds without a magnet after which it counts as lifted."""

HELD_SCANS = 40
"""Scans of a magnet at rest that are kept, at most."""


class Baseline:
    """The sensors of an empty board: levels at rest and noise (standard deviation), in counts.

    `ripple` is the noise that all sensors share, as that of their supply.
    """

    def __init__(self, scans: Sequence[Scan]) -> None:
        self.rest = {site: fmean(scan[site] for scan in scans) for site in scans[0]}
        shared = [self.common(scan) for scan in scans]
        self.ripple = pstdev(shared)
        self.noise = {
            site: pstdev([scan[site] - moved for scan, moved in zip(scans, shared, strict=True)])
            for site in scans[0]
        }

    def common(self, scan: Scan) -> float:
        """Returns the counts by which most levels of a scan lie off their rest."""
        return median(level - self.rest[site] for site, level in scan.items())

    def swings(self, scan: Scan) -> dict[Site, float]:
        """Returns the counts by which each level has moved by itself."""
        common = self.common(scan)
        return {site: level - self.rest[site] - common for site, level in scan.items()}


class MagnetWatch:
    """Takes scans one after the other. `felt` is the sensor that feels the magnet most, if one does."""

    def __init__(self, baseline: Baseline) -> None:
        self._baseline = baseline
        self._border = {s: max(float(SWING_MIN), FELT_NOISE * n) for s, n in baseline.noise.items()}
        self.felt: Site | None = None
        self._since = 0.0
        self._now = 0.0
        self._cleared: float | None = None
        self._taken: tuple[Site, float] | None = None
        """The sensor whose magnet was taken note of, with its swing, until the magnet leaves it."""
        self._swings: dict[Site, float] = {}
        self._held: list[dict[Site, float]] = []
        """The swings of all sensors since the magnet has been still."""

    def scan(self, scan: Scan, now: float, wanted: Site | None = None) -> None:
        """Takes the next scan; `wanted` is the sensor that is expected to answer."""
        self._now = now
        self._swings = self._baseline.swings(scan)
        felt = self._strongest(wanted)
        if felt is None:
            self._cleared = now if self._cleared is None else self._cleared
            self.felt, self._held = None, []
        else:
            self._cleared = None
            if felt != self.felt or not self._is_steady(felt):
                self.felt, self._since, self._held = felt, now, []
            self._held = [*self._held[1 - HELD_SCANS :], self._swings]
        if self._has_left():
            self._taken = None

    def take(self) -> None:
        """Takes note of the magnet that is felt: until it has left, it is no news."""
        if self.felt is not None:
            self._taken = (self.felt, self.swing(self.felt))

    def reset(self) -> None:
        """Forgets what was felt: the line was lost meanwhile."""
        self.felt, self._held, self._cleared, self._taken = None, [], None, None

    @property
    def is_taken(self) -> bool:
        """True while the magnet is still where it was taken note of."""
        return self._taken is not None

    @property
    def held(self) -> float:
        """Returns the seconds for which the magnet has been still."""
        return self._now - self._since if self.felt is not None else 0.0

    @property
    def twin(self) -> Site | None:
        """Returns another sensor that feels a magnet about as strongly, where one does."""
        if self.felt is None:
            return None
        least = TWIN * abs(self.swing(self.felt))
        return next((s for s in self._swings if s != self.felt and abs(self.swing(s)) >= least), None)

    @property
    def is_clear(self) -> bool:
        """True when no magnet has been felt for a moment."""
        return self._cleared is not None and self._now - self._cleared >= CLEAR_S

    def swing(self, site: Site) -> float:
        """Returns the swing of a sensor while the magnet has been still, else in the last scan."""
        if self._held:
            return fmean(swings[site] for swings in self._held)
        return self._swings.get(site, 0.0)

    def levels(self) -> Scan:
        """Returns the levels of all sensors while the magnet has been still, without what they share."""
        return {site: round(rest + self.swing(site)) for site, rest in self._baseline.rest.items()}

    def _strongest(self, wanted: Site | None) -> Site | None:
        strengths = {
            site: abs(swing)
            for site, swing in self._swings.items()
            if abs(swing) >= self._border[site] * (LET_GO if site == self.felt else 1)
        }
        if not strengths:
            return None
        best = max(strengths, key=lambda site: strengths[site])
        if wanted is not None and strengths.get(wanted, 0.0) >= TWIN * strengths[best]:
            return wanted
        if self.felt in strengths and strengths[best] < STRONGER * strengths[self.felt]:
            return self.felt
        return best

    def _has_left(self) -> bool:
        """Returns whether the magnet has left the sensor where it was taken note of."""
        if self._taken is None:
            return True
        site, swing = self._taken
        return self.is_clear or abs(self._swings[site]) < LEFT_SHARE * abs(swing)

    def _is_steady(self, felt: Site) -> bool:
        values = [abs(swings[felt]) for swings in (*self._held, self._swings)]
        spread = max(values) - min(values)
        noise = FELT_NOISE * self._baseline.noise[felt]
        return spread <= max(STEADY_SHARE * max(values), STEADY_COUNTS, noise)
