"""Defines what a calibration knows of each sensor: its levels, its thresholds, and whether it can be trusted.

Levels are counts of the converter, from 0 to 1023 (5 V); those of a switch are 0 (open) and 1023.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeGuard

from companion.core.errors import CompanionError
from companion.core.game import Site
from companion.core.json_text import parse_json
from companion.core.json_value import JsonValue, JsonValueError
from companion.core.whole_files import read_whole, write_whole
from companion.language import Message, Phrases, say
from firmware_bridge.line.messages import LEVEL_MAX, Sensor
from firmware_bridge.line.wiring import Wiring, WiringError, check_exchange

FORMAT = "board-companion grid 1"
PRESS_SHARE, RELEASE_SHARE = 0.25, 0.15
"""Shares of the swing that a magnet makes in the middle of a site: above the first a piece is there, below
the second it is gone. They are low because a magnet that stands off the middle is felt much less; a
neighbour's makes 2 % at most."""
THRESHOLD_MIN, THRESHOLD_MAX = 12, 255  # thresholds go over the wire as bytes
SET_UP_AGAIN = say("make it again with `companion grid setup`")


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

    rest: float
    noise: float
    north: float
    south: float
    press: int
    release: int
    verdict: SensorVerdict = SensorVerdict.GOOD
    turned: bool | None = None

    @property
    def swing(self) -> float:
        """Returns the change that the weaker of the poles makes, of those that were tried."""
        tried = [abs(s) for s in (self.north, self.south) if s]
        return min(tried, default=0.0)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The sensors of a grid.

    `board` is the CRC of its site names; `poles` names the looks that a pole stands for.
    """

    board: int
    sensor: Sensor
    sites: Mapping[Site, SensorLevels]
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

    def to_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "board": self.board,
            "sensor": self.sensor.name.lower(),
            "poles": {pole: list(looks) for pole, looks in self.poles.items()},
            "wires": dict(self.wires),
            "sites": {site: asdict(levels) for site, levels in self.sites.items()},
        }

    def save(self, path: str | Path) -> None:
        """Writes the calibration as JSON, one site a line. GridCalibrationError when that fails.

        The file is replaced as a whole: after a power cut it is the old one or the new one.
        """
        data = self.to_json()
        sites = ",\n".join(f"  {json.dumps(s)}: {json.dumps(v)}" for s, v in data.pop("sites").items())
        head = json.dumps(data, indent=1)[:-2]
        try:
            write_whole(Path(path), f'{head},\n "sites": {{\n{sites}\n }}\n}}\n'.encode())
        except OSError as error:
            raise GridCalibrationError(
                say("cannot write '{path}': {strerror}", path=path, strerror=error.strerror)
            ) from error


def fits(calibration: Calibration | None, wiring: Wiring) -> TypeGuard[Calibration]:
    """Returns whether a calibration is that of a grid with this wiring."""
    of_grid = (wiring.check, wiring.sensor)
    return calibration is not None and (calibration.board, calibration.sensor) == of_grid


def load_calibration(path: str | Path) -> Calibration:
    """Reads a calibration.

    GridCalibrationError when the file cannot be read, or is no calibration of a grid.
    """
    try:
        data = parse_json(read_whole(path).decode())
    except OSError as error:
        raise GridCalibrationError(
            say("cannot read '{path}': {strerror}", path=path, strerror=error.strerror)
        ) from error
    except (ValueError, RecursionError) as error:
        raise GridCalibrationError(
            say("'{path}' is not JSON: {again}", path=path, again=SET_UP_AGAIN)
        ) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise GridCalibrationError(
            say("'{path}' is no calibration of a grid: {again}", path=path, again=SET_UP_AGAIN)
        )
    try:
        return _parse(JsonValue(data))
    except (WiringError, JsonValueError) as error:
        raise GridCalibrationError(f"'{path}': {error}: {SET_UP_AGAIN}") from error


def _parse(data: JsonValue) -> Calibration:
    sites = {site: _parse_levels(levels) for site, levels in data["sites"].pairs()}
    if not sites:
        raise data["sites"].wrong(say("names no site"))
    poles = {pole: looks.texts() for pole, looks in data["poles"].pairs()}
    wires = (
        {wire: end.text() for wire, end in data["wires"].pairs()} if data["wires"].value is not None else {}
    )
    check_exchange(wires, sites)
    sensor = Sensor[data["sensor"].choice([kind.name.lower() for kind in Sensor]).upper()]
    return Calibration(data["board"].whole(0, 0xFFFF), sensor, sites, poles, wires)


def _parse_levels(levels: JsonValue) -> SensorLevels:
    press = levels["press"].whole(1, THRESHOLD_MAX)
    return SensorLevels(
        levels["rest"].number(0, LEVEL_MAX),
        levels["noise"].number(0, LEVEL_MAX),
        levels["north"].number(-LEVEL_MAX, LEVEL_MAX),
        levels["south"].number(-LEVEL_MAX, LEVEL_MAX),
        press,
        levels["release"].whole(1, press),
        SensorVerdict(levels["verdict"].choice(list(SensorVerdict))),
        None if levels["turned"].value is None else levels["turned"].flag(),
    )


def thresholds(swing: float) -> tuple[int, int]:
    """Returns the press and release distances for a sensor whose magnet changes its level by so much."""
    press = min(THRESHOLD_MAX, max(THRESHOLD_MIN, round(abs(swing) * PRESS_SHARE)))
    return press, min(press - 1, max(THRESHOLD_MIN // 2, round(abs(swing) * RELEASE_SHARE)))
