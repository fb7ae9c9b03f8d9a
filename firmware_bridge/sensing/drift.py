"""Tells how far the levels of linear sensors at rest have moved since they were calibrated.

They move with the supply, all alike: a sensor's output follows its own supply, and the converter compares it
with that of the controller. Sites that are empty agree on the drift, whatever stands on the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from companion.core.game import Site
from firmware_bridge.sensing.calibration import Calibration

DRIFT_MAX = 40
"""Counts beyond which it is no drift: 8 % of the supply. The firmware follows it as far."""
AGREE = 4
"""Counts within which sensors agree."""
AGREEING = 0.25
"""The least share of the sensors that have to agree: fewer may be pieces that happen to be felt alike."""


def drift_of(calibration: Calibration, levels: Mapping[Site, int]) -> float | None:
    """Returns the drift in counts on which most sensors agree; None where too few do."""
    good = levels.keys() & calibration.sites.keys() - calibration.blind
    moved = sorted(levels[site] - calibration.sites[site].rest for site in good)
    near = [m for m in moved if abs(m) <= DRIFT_MAX]
    agreeing = max((_beside(m, near) for m in near), key=len, default=[])
    return median(agreeing) if len(agreeing) > AGREEING * len(moved) else None


def _beside(middle: float, values: Sequence[float]) -> list[float]:
    return [value for value in values if abs(value - middle) <= AGREE]
