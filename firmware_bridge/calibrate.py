"""Learns a grid's sensors from what anybody can do: clear the board, fill it, walk one magnet over it.

Each sensor is judged against its own rest and against the others: a swing far below the usual one is
weak or dead, one that stays where a piece would put it is stuck, and a magnet on a neighbouring site that
comes near the threshold is bleeding. Scans are levels (0 to 1023) by site.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median, pstdev
from typing import NamedTuple, TypeAlias

from companion.core import Site
from firmware_bridge.messages import LEVEL_MAX, Sensor
from firmware_bridge.sensors import Calibration, SensorLevels, Verdict, thresholds
from firmware_bridge.wiring import Wiring

Scan: TypeAlias = Mapping[Site, int]

DEAD_SHARE = 0.2
WEAK_SHARE = 0.45
BLEEDING_SHARE = 0.15
NOISE_TIMES = 4
NOISE_SHARE = 0.1
OFF_CENTRE = 0.5
SWING_MIN = 25
"""Counts that a magnet has to make anywhere for a board to count as filled: 0.12 V."""
CENTRE = LEVEL_MAX / 2
UNTUNED = {Sensor.REED: (0.0, 512), Sensor.DIGITAL: (0.0, 512), Sensor.ANALOGUE: (CENTRE, 60)}
"""The rest and threshold that a sensor has before it is calibrated."""


class TooLittleError(ValueError):
    """Scans that cannot calibrate a grid, in one line that says what to do."""


class _Seen(NamedTuple):
    """A sensor in numbers: rest, noise, swing of its own magnet, and of its neighbours'."""

    rest: float
    noise: float
    swing: float
    cross: float


def calibrate(
    wiring: Wiring,
    empty: Sequence[Scan],
    full: Sequence[Scan] = (),
    walk: Mapping[Site, Scan] | None = None,
    poles: Mapping[str, tuple[str, ...]] | None = None,
) -> Calibration:
    """Levels, thresholds and a verdict for each sensor, from scans of the empty board and of the full
    one, or of a walk (see `walked`), or best of both. TooLittleError when they do not tell enough.
    """
    if not empty or not (full or walk):
        raise TooLittleError("needs scans of the empty board, and of the full one or of a walk")
    seen = {site: _see(site, empty, full, walk or {}) for site in wiring.sites}
    usual = median(abs(s.swing) for s in seen.values())
    if usual < SWING_MIN:
        raise TooLittleError("most sensors did not react: put a piece on every site, magnets down")
    noise = median(s.noise for s in seen.values())
    sites = {site: _levels(s, wiring.sensor, usual, noise) for site, s in seen.items()}
    return Calibration(wiring.check, wiring.sensor, sites, dict(poles or {}))


def walked(empty: Sequence[Scan], scans: Iterable[Scan]) -> dict[Site, Scan]:
    """Of scans while one magnet goes over the board, for each site the one in which it felt it most.

    A site that never felt more than its neighbours is left out.
    """
    rest = {site: median(scan[site] for scan in empty) for site in empty[0]}
    best: dict[Site, tuple[float, Scan]] = {}
    for scan in scans:
        site = max(scan, key=lambda s: abs(scan[s] - rest[s]))
        swing = abs(scan[site] - rest[site])
        if swing >= SWING_MIN and swing > best.get(site, (0.0, scan))[0]:
            best[site] = (swing, scan)
    return {site: scan for site, (_, scan) in best.items()}


def strengths(
    empty: Sequence[Scan], full: Sequence[Scan], walk: Mapping[Site, Scan]
) -> dict[Site, float]:
    """As `heat`, of scans that are still being gathered: sites that were not tried are left out."""
    seen = {site: _see(site, empty, full, walk).swing for site in empty[0] if full or site in walk}
    usual = median(abs(swing) for swing in seen.values()) or 1.0
    return {site: abs(swing) / usual for site, swing in seen.items()}


def heat(calibration: Calibration) -> dict[Site, float]:
    """How strongly each sensor feels its magnet: 1 is the usual swing of this board."""
    usual = median(s.swing for s in calibration.sites.values()) or 1.0
    return {site: s.swing / usual for site, s in calibration.sites.items()}


def _see(site: Site, empty: Sequence[Scan], full: Sequence[Scan], walk: Mapping[Site, Scan]) -> _Seen:
    still = [scan[site] for scan in empty]
    rest = fmean(still)
    filled = [scan[site] for scan in full]
    own = walk[site][site] if site in walk else median(filled) if filled else rest
    others = [abs(scan[site] - rest) for other, scan in walk.items() if other != site]
    noise = max(pstdev(still), pstdev(filled) if filled else 0.0)
    return _Seen(rest, noise, own - rest, max(others, default=0.0))


def _levels(seen: _Seen, sensor: Sensor, usual: float, noise: float) -> SensorLevels:
    verdict = judge_sensor(seen, sensor, usual, noise)
    press, release = thresholds(seen.swing if verdict is Verdict.GOOD else usual)
    rest, noise, swing = (round(v, 1) for v in (seen.rest, seen.noise, seen.swing))
    return SensorLevels(rest, noise, max(swing, 0.0), min(swing, 0.0), press, release, verdict)


def judge_sensor(seen: _Seen, sensor: Sensor, usual: float, noise: float) -> Verdict:
    """What a sensor's numbers say, the worst first."""
    swing = abs(seen.swing)
    centre = CENTRE if sensor is Sensor.ANALOGUE else 0.0
    if seen.noise > max(NOISE_TIMES * noise, NOISE_SHARE * usual):
        return Verdict.NOISY
    if swing < DEAD_SHARE * usual:
        return Verdict.STUCK if abs(seen.rest - centre) > OFF_CENTRE * usual else Verdict.DEAD
    if seen.cross > BLEEDING_SHARE * swing:
        return Verdict.BLEEDING
    return Verdict.WEAK if swing < WEAK_SHARE * usual else Verdict.GOOD


def examine(
    wiring: Wiring,
    scans: Sequence[Scan],
    calibration: Calibration | None = None,
    occupied: Mapping[Site, bool] | None = None,
) -> dict[Site, Verdict]:
    """What a few scans of a standing board tell without any ceremony: the bad sites, and how.

    `occupied` says where pieces stand, if that is known; only then can dead and stuck sensors show.
    """
    found = {}
    for site in wiring.sites:
        levels = [scan[site] for scan in scans]
        known = calibration.sites.get(site) if calibration else None
        verdict = _examine_site(wiring.sensor, levels, known)
        if verdict is None and occupied is not None:
            verdict = _compare(wiring.sensor, levels, known, occupied[site])
        if verdict is not None:
            found[site] = verdict
    return found


def _examine_site(sensor: Sensor, levels: Sequence[int], known: SensorLevels | None) -> Verdict | None:
    if known is not None and known.verdict is not Verdict.GOOD:
        return known.verdict
    noise = pstdev(levels)
    if noise > (max(6.0, 4 * known.noise) if known else 12.0):
        return Verdict.NOISY
    railed = sensor is Sensor.ANALOGUE and not 8 <= fmean(levels) <= LEVEL_MAX - 8
    return Verdict.DEAD if railed else None


def _compare(
    sensor: Sensor, levels: Sequence[int], known: SensorLevels | None, occupied: bool
) -> Verdict | None:
    """A sensor that does not say what is known to be there."""
    rest, press = (known.rest, known.press) if known else UNTUNED[sensor]
    felt = abs(fmean(levels) - rest) >= press
    if felt == occupied:
        return None
    return Verdict.STUCK if felt else Verdict.DEAD
