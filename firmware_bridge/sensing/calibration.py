"""Defines what a calibration knows of each sensor: its levels, its thresholds, and whether it can be trusted.

Levels are counts of the converter, from 0 to 1023 (5 V); those of a switch are 0 (open) and 1023.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from statistics import median
from typing import Annotated, Literal, TypeAlias, TypeGuard

import msgspec
from msgspec import Meta

from companion.core.errors import CompanionError
from companion.core.game import Site
from companion.core.whole_files import read_whole, write_whole
from companion.language import Message, Phrases, say
from firmware_bridge.line.messages import LEVEL_MAX
from firmware_bridge.line.wiring import Wiring, WiringError, check_exchange

PRESS_SHARE, RELEASE_SHARE = 0.25, 0.15
"""Shares of the swing that a magnet makes in the middle of a site: above the first a piece is there, below
the second it is gone. They are low because a magnet that stands off the middle is felt much less; a
neighbour's makes 2 % at most."""
THRESHOLD_MIN, THRESHOLD_MAX = 12, 255  # thresholds go over the wire as bytes
DRIFT_MAX = 40
"""Counts beyond which it is no drift: 8 % of the supply. The firmware follows it as far."""
AGREE = 4
"""Counts within which sensors agree."""
AGREEING = 0.25
"""The least share of the sensors that have to agree: fewer may be pieces that happen to be felt alike."""
Level: TypeAlias = Annotated[float, Meta(ge=0, le=LEVEL_MAX)]
Swing: TypeAlias = Annotated[float, Meta(ge=-LEVEL_MAX, le=LEVEL_MAX)]
Threshold: TypeAlias = Annotated[int, Meta(ge=1, le=THRESHOLD_MAX)]


class GridCalibrationError(CompanionError):
    """A grid's calibration that cannot be read or written."""


class SensorVerdict(StrEnum):
    """The judgement on a sensor. All but those that are `good` are blind until they are mended."""

    GOOD = "good"
    DEAD = "dead"
    STUCK = "stuck"
    NOISY = "noisy"
    WEAK = "weak"
    BLEEDING = "bleeding"
    DIODE = "diode"


VERDICTS: Phrases = {
    SensorVerdict.GOOD: "good",
    SensorVerdict.DEAD: "dead",
    SensorVerdict.STUCK: "stuck",
    SensorVerdict.NOISY: "noisy",
    SensorVerdict.WEAK: "weak",
    SensorVerdict.BLEEDING: "bleeding",
    SensorVerdict.DIODE: "diode",
}
ADVICE: Phrases = {
    SensorVerdict.GOOD: "works",
    SensorVerdict.DEAD: "does not react: check its wires, and that the sensor faces the right way",
    SensorVerdict.STUCK: "always says that a piece is there: a short circuit, a welded reed, "
    "a magnet left below",
    SensorVerdict.NOISY: "changes by itself: a loose wire, or a sensor near a motor or a power supply",
    SensorVerdict.WEAK: "hardly feels the magnet: bring it nearer, or use a stronger magnet",
    SensorVerdict.BLEEDING: "feels the magnet of its neighbour: use a weaker magnet, or lower the sensor",
    SensorVerdict.DIODE: "has no diode, or it is the wrong way round: it can make ghosts of pieces elsewhere",
}
TURNED_OVER = say("lies with its other face up; the companion exchanges its poles, so that it may stay")


def say_verdict(verdict: SensorVerdict) -> Message:
    """Returns a verdict in a word: 'dead'."""
    return say(VERDICTS[verdict])


def say_advice(verdict: SensorVerdict) -> Message:
    """Returns what is wrong with such a sensor, and what to do about it."""
    return say(ADVICE[verdict])


@dataclass(frozen=True, slots=True)
class SensorLevels:
    """The numbers of one sensor, all in counts.

    `rest` is its level without a magnet, `noise` the standard deviation of that, `north` and `south` the
    changes that a magnet's poles make, `press` and `release` the thresholds: distances from rest. `turned` is
    true where the sensor lies with its other face up, so that it tells the other pole; None where no walk has
    shown how it lies, so that its pole tells nothing.
    """

    rest: Level
    noise: Level
    north: Swing
    south: Swing
    press: Threshold
    release: Threshold
    verdict: SensorVerdict = SensorVerdict.GOOD
    turned: bool | None = None

    def __post_init__(self) -> None:
        if self.release > self.press:
            raise ValueError("`release` is above `press`")

    @property
    def swing(self) -> float:
        """Returns the change that the weaker of the poles makes, of those that were tried."""
        tried = [abs(s) for s in (self.north, self.south) if s]
        return min(tried, default=0.0)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The sensors of a grid.

    `board` is the CRC of its site names, `sensor` the word for their kind; `poles` names the looks that a
    pole stands for.
    """

    board: Annotated[int, Meta(ge=0, le=0xFFFF)]
    sensor: str
    sites: Annotated[Mapping[Site, SensorLevels], Meta(min_length=1)]
    poles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wires: Mapping[Site, Site] = field(default_factory=dict)
    """The wires that end otherwise than in the table: the one meant for a key at the sensor of its value."""

    @property
    def blind(self) -> frozenset[Site]:
        return frozenset(site for site, s in self.sites.items() if s.verdict is not SensorVerdict.GOOD)

    def without_map(self) -> Calibration:
        """Returns the same sensors, with each wire taken for that of the site that it is meant for."""
        ends = {site: self.wires.get(site, site) for site in self.sites}
        sites = {site: self.sites[end] for site, end in ends.items() if end in self.sites}
        return replace(self, sites=sites, wires={})

    @property
    def turned(self) -> tuple[Site, ...]:
        """Returns the sites whose sensors are turned over."""
        return tuple(site for site, s in self.sites.items() if s.turned)

    format: Literal["board-companion grid 1"] = "board-companion grid 1"

    def save(self, path: str | Path) -> None:
        """Writes the calibration as JSON. GridCalibrationError when that fails.

        The file is replaced as a whole: after a power cut it is the old one or the new one.
        """
        try:
            write_whole(Path(path), msgspec.json.format(msgspec.json.encode(self), indent=1))
        except OSError as error:
            raise GridCalibrationError(
                say("cannot write '{path}': {strerror}", path=path, strerror=error.strerror)
            ) from error


def fits(calibration: Calibration | None, wiring: Wiring) -> TypeGuard[Calibration]:
    """Returns whether a calibration is that of a grid with this wiring."""
    of_grid = (wiring.check, wiring.sensor.word)
    return calibration is not None and (calibration.board, calibration.sensor) == of_grid


def load_calibration(path: str | Path) -> Calibration:
    """Reads a calibration.

    GridCalibrationError when the file cannot be read, or is no calibration of a grid.
    """
    try:
        found = msgspec.json.decode(read_whole(path), type=Calibration)
        check_exchange(found.wires, found.sites)
    except OSError as error:
        raise GridCalibrationError(
            say("cannot read '{path}': {strerror}", path=path, strerror=error.strerror)
        ) from error
    except (msgspec.MsgspecError, WiringError, ValueError, RecursionError) as error:
        raise GridCalibrationError(
            say("'{path}' is no calibration of a grid: make it again with `companion grid setup`", path=path)
        ) from error
    return found


def thresholds(swing: float) -> tuple[int, int]:
    """Returns the press and release distances for a sensor whose magnet changes its level by so much."""
    press = min(THRESHOLD_MAX, max(THRESHOLD_MIN, round(abs(swing) * PRESS_SHARE)))
    return press, min(press - 1, max(THRESHOLD_MIN // 2, round(abs(swing) * RELEASE_SHARE)))


def drift_of(calibration: Calibration, levels: Mapping[Site, int]) -> float | None:
    """Returns by how many counts the levels of linear sensors at rest have moved since they were calibrated;
    None where too few sensors agree on that.

    They move with the supply, all alike: a sensor's output follows its own supply, and the converter compares
    it with that of the controller. Sites that are empty agree, whatever stands on the others.
    """
    good = levels.keys() & calibration.sites.keys() - calibration.blind
    moved = sorted(levels[site] - calibration.sites[site].rest for site in good)
    near = [m for m in moved if abs(m) <= DRIFT_MAX]
    agreeing = max(([m for m in near if abs(m - middle) <= AGREE] for middle in near), key=len, default=[])
    return median(agreeing) if len(agreeing) > AGREEING * len(moved) else None
