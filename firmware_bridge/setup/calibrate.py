"""Learns a grid's sensors from the empty board and a walk of one magnet over its sites; tests them later.

Each sensor is judged by its own level at rest and by the other sensors. One with a swing far below the usual
is weak or dead, one that stays where a piece would put it is stuck, and one that a magnet on a neighbouring
site brings near the threshold is bleeding. A linear sensor that feels the walked magnet's other pole is
turned over. Scans are levels (0 to 1023) by site.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median, pstdev
from typing import NamedTuple, TypeAlias

from companion.core.errors import CompanionError
from companion.core.game import Site
from companion.language import listed, say
from firmware_bridge.line.messages import LEVEL_MAX, Sensor, State
from firmware_bridge.line.wiring import Wiring
from firmware_bridge.sensing.calibration import Calibration, SensorLevels, SensorVerdict, drift_of, thresholds
from firmware_bridge.sensing.health import RAIL

Scan: TypeAlias = Mapping[Site, int]

DEAD_SHARE = 0.2
WEAK_SHARE = 0.45
BLEEDING_SHARE = 0.15
NOISE_TIMES = 4
NOISE_SHARE = 0.1
OFF_CENTRE = 0.5
SWING_MIN = 25
"""Counts that a magnet has to make to count as felt: 0.12 V."""
FEW_SHARE = 2 / 3
"""The least share of the sensors that have to react: with fewer, the board was not walked on."""
CENTRE = LEVEL_MAX / 2
UNTUNED = {Sensor.REED: 512, Sensor.DIGITAL: 512, Sensor.ANALOGUE: 60}
"""The threshold that a sensor has before it is calibrated."""
USUAL_NOISE = 3.0
"""Counts of noise that any sensor may have."""


class GridSetupError(CompanionError):
    """A step in setting a grid up that cannot be taken now, or scans that do not suffice to calibrate it."""


class _Response(NamedTuple):
    """A sensor in counts: level at rest, noise, and the swings of its own magnet and of its neighbours'."""

    rest: float
    noise: float
    swing: float
    cross: float


def calibrate(
    wiring: Wiring,
    empty: Sequence[Scan],
    walk: Mapping[Site, Scan],
    poles: Mapping[str, tuple[str, ...]] | None = None,
    wires: Mapping[Site, Site] | None = None,
) -> Calibration:
    """Returns levels, thresholds and a verdict for each sensor, measured by those that were walked so far.

    `empty` are scans of the empty board, and `walk` has for each site one with the magnet on it. `poles`
    names the looks that a pole stands for; the magnet that was walked is then that of `walking_piece`.
    `wires` are those that are exchanged: scans are by the sites of the sensors, where these wires end.
    GridSetupError when there are none.
    """
    poles = dict(poles or {})
    if not empty or not walk:
        raise GridSetupError(say("begin with the empty board, then walk one magnet over all sites"))
    seen = {site: _respond(site, empty, walk) for site in wiring.sites}
    usual = median(abs(seen[site].swing) for site in walk)
    noise = median(s.noise for s in seen.values())
    sites = {site: _levels(s, wiring.sensor, usual, noise) for site, s in seen.items()}
    if wiring.sensor is Sensor.ANALOGUE:
        turned = _find_turned_over({site: seen[site].swing for site in walk}, _find_walked_pole(poles))
        sites |= {site: replace(sites[site], turned=is_turned) for site, is_turned in turned.items()}
    return Calibration(wiring.check, wiring.sensor.word, sites, poles, dict(wires or {}))


def check_reactions(calibration: Calibration) -> None:
    """Raises GridSetupError where too few sensors have felt a magnet to judge the others by them."""
    swings = [s.swing for s in calibration.sites.values()]
    felt = sum(swing >= SWING_MIN for swing in swings)
    if felt < FEW_SHARE * len(swings):
        raise GridSetupError(
            say(
                "only {felt} of {sensors} sensors felt a magnet: was the board empty at first? "
                "If it was, walk one piece over every site, magnet down",
                felt=felt,
                sensors=len(swings),
            )
        )


def walking_piece(poles: Mapping[str, tuple[str, ...]]) -> str:
    """Returns what to walk over the board, in words: where poles stand for looks, a piece of a known one."""
    looks = poles.get(_find_walked_pole(poles).name.lower(), ())
    return say("one piece ({looks})", looks=listed(looks, "or")) if looks else say("one piece")


def _find_walked_pole(poles: Mapping[str, tuple[str, ...]]) -> State:
    """Returns the pole that the walked magnet has up; OPEN where nobody knows."""
    return next((pole for pole in (State.NORTH, State.SOUTH) if poles.get(pole.name.lower())), State.OPEN)


def _find_turned_over(swings: Mapping[Site, float], pole: State) -> dict[Site, bool]:
    """Returns whether each sensor lies with its other face up, by what it felt of a magnet with this pole up.

    Where the pole is not known, most of the sensors are right.
    """
    norths = sum(swing > 0 for swing in swings.values())
    is_north = pole is State.NORTH if pole else 2 * norths >= len(swings)
    return {site: (swing > 0) != is_north for site, swing in swings.items()}


def heat(calibration: Calibration) -> dict[Site, float]:
    """Returns how strongly each sensor feels its magnet: 1 is the usual swing of this board."""
    usual = median(s.swing for s in calibration.sites.values()) or 1.0
    return {site: s.swing / usual for site, s in calibration.sites.items()}


def _respond(site: Site, empty: Sequence[Scan], walk: Mapping[Site, Scan]) -> _Response:
    still = [scan[site] for scan in empty]
    rest, noise = fmean(still), pstdev(still)
    own = walk[site][site] if site in walk else rest
    others = [abs(scan[site] - rest) for other, scan in walk.items() if other != site]
    return _Response(rest, noise, own - rest, max(others, default=0.0))


def _levels(seen: _Response, sensor: Sensor, usual: float, noise: float) -> SensorLevels:
    verdict = _judge(seen, sensor, usual, noise)
    press, release = thresholds(seen.swing if verdict is SensorVerdict.GOOD else usual)
    rest, noise, swing = (round(v, 1) for v in (seen.rest, seen.noise, seen.swing))
    return SensorLevels(rest, noise, max(swing, 0.0), min(swing, 0.0), press, release, verdict)


def _judge(seen: _Response, sensor: Sensor, usual: float, noise: float) -> SensorVerdict:
    """Returns the worst that a sensor's numbers say of it."""
    swing = abs(seen.swing)
    centre = CENTRE if sensor is Sensor.ANALOGUE else 0.0
    if seen.noise > max(NOISE_TIMES * noise, NOISE_SHARE * usual):
        return SensorVerdict.NOISY
    if swing < DEAD_SHARE * usual:
        return SensorVerdict.STUCK if abs(seen.rest - centre) > OFF_CENTRE * usual else SensorVerdict.DEAD
    if seen.cross > BLEEDING_SHARE * swing:
        return SensorVerdict.BLEEDING
    return SensorVerdict.WEAK if swing < WEAK_SHARE * usual else SensorVerdict.GOOD


def examine(
    sensor: Sensor,
    scans: Sequence[Scan],
    calibration: Calibration | None = None,
    is_empty: bool = False,
) -> dict[Site, SensorVerdict]:
    """Returns the sites that a few scans of a standing board show to be bad, and how.

    Sensors that are stuck show only where the board is said to be empty.
    """
    known = calibration.sites if calibration else {}
    usual, drift = _usual(sensor, scans), 0.0
    if calibration and sensor is Sensor.ANALOGUE:
        levels = {site: round(median(scan[site] for scan in scans)) for site in scans[0]}
        drift = drift_of(calibration, levels) or 0.0
    judged = {
        site: _examine_site(sensor, [scan[site] - drift for scan in scans], known.get(site, usual), is_empty)
        for site in scans[0]
    }
    return {site: verdict for site, verdict in judged.items() if verdict is not SensorVerdict.GOOD}


def _usual(sensor: Sensor, scans: Sequence[Scan]) -> SensorLevels:
    """Returns for what a sensor is taken that is not calibrated: as the others show it."""
    rest = median(level for scan in scans for level in scan.values())
    noise = max(USUAL_NOISE, median(pstdev([scan[site] for scan in scans]) for site in scans[0]))
    press = UNTUNED[sensor]
    return SensorLevels(rest if sensor is Sensor.ANALOGUE else 0.0, noise, 0.0, 0.0, press, press)


def _examine_site(
    sensor: Sensor, levels: Sequence[float], known: SensorLevels, is_empty: bool
) -> SensorVerdict:
    mean = fmean(levels)
    if known.verdict is not SensorVerdict.GOOD:
        return known.verdict
    if pstdev(levels) > max(2 * USUAL_NOISE, NOISE_TIMES * known.noise):
        return SensorVerdict.NOISY
    if sensor is Sensor.ANALOGUE and not RAIL <= mean <= LEVEL_MAX - RAIL:
        return SensorVerdict.DEAD
    return SensorVerdict.STUCK if is_empty and abs(mean - known.rest) >= known.press else SensorVerdict.GOOD
