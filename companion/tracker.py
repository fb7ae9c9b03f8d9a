"""Sightings over time to boards that held: knows hands, sliding and flicker, and no rules.

Evidence gathers while nothing moves and no hand is in the way, and starts afresh when a place firmly
changes. A place that keeps changing its mind is left out until it keeps still, and one of which a reading
says nothing (a hand hides it) is not seen. Several sources are fused once each is calm. A picture that stands
for a moment that held is a board at once, a hand in it or not; what came between two of them nobody saw.

Beside the board itself a tracker tells what speaks for how it came about: when each
place was first seen as it is, which places were touched, and whether anybody's hand was there at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import nlargest

from companion.core import Look, Place
from companion.observation import Observation, Reading, Sighting, Touch

FIRM = 3.0
"""Nats: how strongly old and new evidence must disagree for a place to have changed."""
SILENT = 2
"""After so many times its patience with silence a source is given up."""
MEMORY = 8
"""Sightings over which evidence is averaged."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long is long enough, in seconds.

    A board is believed when it held for `hold` in at least `sightings`; a wrong one, or one that changed
    with nobody's hand near, after `grace`; a source is left out when it was silent for `silence`; a place
    flickers when it changed more than `changes` times within `flicker`, until it keeps still for `grace`.
    """

    hold: float = 0.35
    sightings: int = 2
    grace: float = 1.0
    silence: float = 2.0
    flicker: float = 3.0
    changes: int = 3


@dataclass(frozen=True, slots=True)
class Held:
    """A board that held: what was seen, and since when nothing changed (seconds, the sources' clock).

    `told_apart` is the likeliest look of each place, equal for two boards that look the same. `seen_since`
    says for places that changed when they were first seen as they are, or last touched; `touches` what was
    felt since the last board that was understood (None: by no source that feels). `unaided` is True when no
    hand was seen since then, by sources that do see hands all the while. `hand`: one is over the board.
    """

    observation: Observation
    since: float
    told_apart: Mapping[Place, Look | None]
    at_once: bool = False
    hand: bool = False
    seen_since: Mapping[Place, float] = field(default_factory=dict)
    touches: tuple[Touch, ...] | None = None
    unaided: bool = False
    calm_since: float | None = None
    """When hands were gone, by sources that do see them (seconds)."""
    alone: tuple[Observation, ...] = ()
    """What each source saw, where there are several: those too that were not believed."""

    @property
    def duration(self) -> float:
        return self.observation.time - self.since


@dataclass(slots=True)
class _Spot:
    """What one source showed at one place: averaged since it last changed; `changes` are times."""

    reading: Reading
    count: int = 1
    changes: list[float] = field(default_factory=list)
    flickers: bool = False


@dataclass(slots=True)
class _Gathering:
    """What one source has shown since its board last changed, and what it has been known to feel."""

    since: float = 0.0
    count: int = 0
    last: float = 0.0
    busy: bool = True
    at_once: bool = False
    hand: bool = False
    fresh: bool = True
    spots: dict[Place, _Spot] = field(default_factory=dict)
    marks: dict[str, float] = field(default_factory=dict)
    first_seen: dict[Place, tuple[Look | None, float]] = field(default_factory=dict)
    touches: list[Touch] | None = None
    missed_touches: bool = False
    sees_hands: bool = False
    disturbed: bool = True
    calm_since: float = 0.0


class Tracker:
    """Gathers sightings of any number of sources."""

    def __init__(self, patience: Patience | None = None) -> None:
        self.patience = patience or Patience()
        self.distrusted: frozenset[str] = frozenset()
        """Sources that contradict the others: heard alone, and not fused."""
        self._sources: dict[str, _Gathering] = {}

    def see(self, sighting: Sighting) -> Held | None:
        """The fused board, when with this sighting all live sources are calm and have held long enough."""
        gathering = self._sources.setdefault(sighting.source, _Gathering())
        gathering.last = sighting.time
        calm = sighting.still and (sighting.held or not sighting.hand)
        _note_hands(gathering, sighting)
        if sighting.observation is None or not calm:
            _restart(gathering, sighting.time, busy=not calm)
        else:
            self._gather(gathering, sighting, sighting.observation)
        return self._held(sighting.time)

    def silent(self, now: float) -> frozenset[str]:
        """The sources of which nothing came for too long, by the clock of those that speak."""
        last = self.patience.silence * SILENT
        return frozenset(name for name, g in self._sources.items() if now - g.last > last)

    def settle(self) -> None:
        """The board was understood: touches and hands count anew from here."""
        for gathering in self._sources.values():
            gathering.disturbed = False
            if gathering.touches or gathering.missed_touches:
                gathering.touches, gathering.missed_touches = [], False

    def forget(self) -> None:
        """Starts afresh, as after the view changed."""
        self._sources.clear()

    def _gather(self, gathering: _Gathering, sighting: Sighting, observation: Observation) -> None:
        now, spots = sighting.time, gathering.spots
        readings = {place: reading for place, reading in observation.readings.items() if _tells(reading)}
        if sighting.held or gathering.fresh:
            _restart(gathering, now, busy=False)
            gathering.calm_since = now
            spots.clear()
        moved = [p for p, r in readings.items() if p in spots and _disagree(spots[p].reading, r)]
        for place in moved:
            self._note_change(spots[place], now)
        if any(not spots[place].flickers for place in moved):
            _restart(gathering, now, busy=False)
        gathering.fresh, gathering.at_once, gathering.hand = False, sighting.held, sighting.hand
        gathering.count += 1
        _average_marks(gathering, observation.marks)
        for place, reading in readings.items():
            _add(spots, place, reading)
            _note_look(gathering, place, reading, now)
        for spot in spots.values():
            spot.flickers = spot.flickers and now - spot.changes[-1] < self.patience.grace

    def _note_change(self, spot: _Spot, now: float) -> None:
        spot.changes = [t for t in spot.changes if now - t <= self.patience.flicker] + [now]
        spot.flickers = spot.flickers or len(spot.changes) > self.patience.changes
        spot.count = 0

    def _held(self, now: float) -> Held | None:
        live = {n: g for n, g in self._sources.items() if now - g.last <= self.patience.silence}
        ready = {n: g for n, g in live.items() if self._is_ready(g, now)}
        waited = {n: g for n, g in live.items() if n not in self.distrusted} or live
        if any(g.busy or (g.count and n not in ready) for n, g in waited.items()):
            return None
        trusted = {n: g for n, g in ready.items() if n in waited}
        return _fuse(trusted, ready, now) if trusted else None

    def _is_ready(self, gathering: _Gathering, now: float) -> bool:
        if not gathering.count:
            return False
        enough = gathering.count >= self.patience.sightings and now - gathering.since >= self.patience.hold
        return gathering.at_once or enough


def _fuse(trusted: Mapping[str, _Gathering], ready: Mapping[str, _Gathering], now: float) -> Held:
    alone = {name: _steady(name, gathering, now) for name, gathering in ready.items()}
    first, *others = (alone[name] for name in trusted)
    fused = first
    for more in others:
        fused = fused + more
    gatherings = trusted.values()
    felt = sorted((touch for g in gatherings for touch in g.touches or ()), key=lambda touch: touch.time)
    feels = any(g.touches is not None for g in gatherings)
    at_once = any(g.at_once for g in gatherings)
    sees_hands = not at_once and any(g.sees_hands for g in gatherings)
    return Held(
        fused,
        since=max(g.since for g in gatherings),
        told_apart=_told_apart(fused),
        at_once=at_once,
        hand=any(g.hand for g in gatherings),
        seen_since={**_first_seen(gatherings), **{touch.place: touch.time for touch in felt}},
        touches=tuple(felt) if feels else None,
        unaided=sees_hands and not any(g.disturbed for g in gatherings),
        calm_since=max((g.calm_since for g in gatherings if g.sees_hands), default=None),
        alone=tuple(alone.values()) if len(alone) > 1 else (),
    )


def _steady(name: str, gathering: _Gathering, now: float) -> Observation:
    steady = {p: spot.reading for p, spot in gathering.spots.items() if spot.count and not spot.flickers}
    return Observation(now, steady, name, dict(gathering.marks))


def _average_marks(gathering: _Gathering, marks: Mapping[str, float]) -> None:
    if gathering.count == 1:
        gathering.marks = {}
    share = 1 / min(gathering.count, MEMORY)
    for spot, ratio in marks.items():
        old = gathering.marks.get(spot, ratio)
        gathering.marks[spot] = old + share * (ratio - old)


def _told_apart(observation: Observation) -> dict[Place, Look | None]:
    marks = {f"|{spot}": "+M" for spot, ratio in observation.marks.items() if ratio > 0}
    return {**{place: reading.best() for place, reading in observation.readings.items()}, **marks}


def _first_seen(gatherings: Iterable[_Gathering]) -> dict[Place, float]:
    """Of several sources the one that saw it first."""
    found: dict[Place, float] = {}
    for gathering in gatherings:
        for place, (_, since) in gathering.first_seen.items():
            found[place] = min(since, found.get(place, since))
    return found


def _note_hands(gathering: _Gathering, sighting: Sighting) -> None:
    if sighting.hand or not sighting.still or sighting.touches:
        gathering.sees_hands = gathering.disturbed = True
    gathering.missed_touches |= sighting.touches is None
    if gathering.missed_touches:
        gathering.touches = None
    elif sighting.touches:
        gathering.touches = [*(gathering.touches or ()), *sighting.touches]


def _note_look(gathering: _Gathering, place: Place, reading: Reading, now: float) -> None:
    look = reading.best()
    if place not in gathering.first_seen or gathering.first_seen[place][0] != look:
        gathering.first_seen[place] = (look, now)


def _restart(gathering: _Gathering, now: float, busy: bool) -> None:
    """Waits anew; what was seen is kept to notice flicker, unless hands may have changed everything."""
    gathering.since, gathering.count, gathering.busy = now, 0, busy
    gathering.fresh = gathering.fresh or busy
    for spot in gathering.spots.values():
        spot.count = 0


def _add(spots: dict[Place, _Spot], place: Place, reading: Reading) -> None:
    spot = spots.get(place)
    if spot is None:
        spots[place] = _Spot(reading)
        return
    spot.count += 1
    if spot.count == 1:
        spot.reading = reading
    elif reading is not spot.reading:
        share = min(1.0, _sureness(reading) / FIRM) / min(spot.count, MEMORY)
        spot.reading = _blend(spot.reading, reading, share)


def _tells(reading: Reading) -> bool:
    """Whether any look is likelier than another."""
    return any(value != reading.other for value in reading.looks.values())


def _sureness(reading: Reading) -> float:
    """How far the likeliest look is ahead of the next (nats): what cannot be told makes nothing forgotten."""
    best = nlargest(2, (*reading.looks.values(), reading.other))
    return best[0] - best[-1]


def _disagree(old: Reading, new: Reading) -> bool:
    if old is new:
        return False
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
