"""Sightings over time to boards that held: knows hands, sliding and flicker, and no rules.

Evidence gathers while nothing moves and no hand is in the way, and starts afresh when a place firmly
changes. A place that keeps changing its mind is left out. Several sources are fused once each is calm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.core import Look, Place
from companion.observation import Observation, Reading, Sighting

FIRM = 3.0
"""Nats: how strongly old and new evidence must disagree for a place to have changed."""
MEMORY = 8
"""Sightings over which evidence is averaged."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long is long enough, in seconds.

    A board is believed when it held for `hold` in at least `sightings`; a wrong one is told after
    `grace`; a source is left out when it was silent for `silence`; a place flickers when it changed
    more than `changes` times within `flicker`.
    """

    hold: float = 0.35
    sightings: int = 2
    grace: float = 1.0
    silence: float = 2.0
    flicker: float = 3.0
    changes: int = 3


@dataclass(frozen=True, slots=True)
class Held:
    """A board that held: what was seen, and since when nothing changed (seconds, the sources' clock)."""

    observation: Observation
    since: float
    told_apart: Mapping[Place, Look | None]
    """The likeliest look of each place: equal for two boards that look the same."""
    at_once: bool = False

    @property
    def duration(self) -> float:
        return self.observation.time - self.since


@dataclass(slots=True)
class _Gathering:
    """What one source has shown since its board last changed."""

    since: float = 0.0
    count: int = 0
    last: float = 0.0
    busy: bool = True
    at_once: bool = False
    readings: dict[Place, Reading] = field(default_factory=dict)
    changes: dict[Place, list[float]] = field(default_factory=dict)


class Tracker:
    """Gathers sightings of any number of sources."""

    def __init__(self, patience: Patience | None = None) -> None:
        self.patience = patience or Patience()
        self._sources: dict[str, _Gathering] = {}

    def see(self, sighting: Sighting) -> Held | None:
        """The fused board, when with this sighting all live sources are calm and have held long enough."""
        gathering = self._sources.setdefault(sighting.source, _Gathering())
        gathering.last = sighting.time
        calm = sighting.still and not sighting.hand
        if sighting.observation is None or not calm:
            _restart(gathering, sighting.time, busy=not calm)
        else:
            self._gather(gathering, sighting, sighting.observation)
        return self._held(sighting.time)

    def forget(self) -> None:
        """Starts afresh, as after the view changed."""
        self._sources.clear()

    def _gather(self, gathering: _Gathering, sighting: Sighting, observation: Observation) -> None:
        if sighting.held or not gathering.count:
            _restart(gathering, sighting.time, busy=False)
        moved = [] if sighting.held else _changed(gathering.readings, observation.readings)
        for place in moved:
            gathering.changes.setdefault(place, []).append(sighting.time)
        if any(not self._flickers(gathering, place, sighting.time) for place in moved):
            _restart(gathering, sighting.time, busy=False)
        gathering.count += 1
        gathering.at_once = sighting.held
        share = 1 / min(gathering.count, MEMORY)
        for place, reading in observation.readings.items():
            old = gathering.readings.get(place)
            gathering.readings[place] = reading if old is None else _blend(old, reading, share)

    def _flickers(self, gathering: _Gathering, place: Place, now: float) -> bool:
        recent = [t for t in gathering.changes.get(place, ()) if now - t <= self.patience.flicker]
        if place in gathering.changes:
            gathering.changes[place] = recent
        return len(recent) > self.patience.changes

    def _held(self, now: float) -> Held | None:
        live = {n: g for n, g in self._sources.items() if now - g.last <= self.patience.silence}
        if any(g.busy for g in live.values()):
            return None
        ready = {n: g for n, g in live.items() if self._is_ready(g, now)}
        if not ready or any(g.count and n not in ready for n, g in live.items()):
            return None
        fused: Observation | None = None
        for name, gathering in ready.items():
            steady = {
                p: r for p, r in gathering.readings.items() if not self._flickers(gathering, p, now)
            }
            one = Observation(now, steady, name)
            fused = one if fused is None else fused + one
        assert fused is not None
        since = max(g.since for g in ready.values())
        bests = {place: reading.best() for place, reading in fused.readings.items()}
        return Held(fused, since, bests, any(g.at_once for g in ready.values()))

    def _is_ready(self, gathering: _Gathering, now: float) -> bool:
        if not gathering.count:
            return False
        enough = gathering.count >= self.patience.sightings and now - gathering.since >= self.patience.hold
        return gathering.at_once or enough


def _restart(gathering: _Gathering, now: float, busy: bool) -> None:
    gathering.since, gathering.count, gathering.busy = now, 0, busy
    gathering.readings = {}


def _changed(old: Mapping[Place, Reading], new: Mapping[Place, Reading]) -> list[Place]:
    return [place for place, reading in new.items() if place in old and _disagree(old[place], reading)]


def _disagree(old: Reading, new: Reading) -> bool:
    was, now = old.best(), new.best()
    if was == now:
        return False
    return _margin(old, was, now) > FIRM and _margin(new, now, was) > FIRM


def _margin(reading: Reading, better: Look | None, worse: Look | None) -> float:
    return _of(reading, better) - _of(reading, worse)


def _of(reading: Reading, look: Look | None) -> float:
    return reading.other if look is None else reading.of(look)


def _blend(old: Reading, new: Reading, share: float) -> Reading:
    names = {*old.looks, *new.looks}
    looks = {n: old.of(n) + share * (new.of(n) - old.of(n)) for n in names}
    return Reading(looks, old.other + share * (new.other - old.other))
