"""Tracker: turns sightings over time into boards that held. It knows time and no rules.

Sightings of one or more sources go in; a `Held` comes out once nothing has changed for long enough. Evidence
gathers while nothing moves and no hand is in the way, and starts afresh when a place firmly changes. A place
that keeps changing is left out until it keeps still. A place that a hand hides counts as not seen. Several
sources are added up once each of them is calm. A picture that stands for a moment that held (a still) is a
board at once, with a hand in it or not; nobody saw what happened between two stills.

Beside the board a `Held` says what speaks for how it came about: when each place was first seen as it is,
which places were touched, and whether a hand was there at all.

All of this is one immutable value, `Tracker`: `see` returns the next one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from heapq import nlargest
from operator import add
from typing import NamedTuple

from companion.core.game import Look, Place
from companion.sensing.observation import Observation, Reading, Sighting, Touch
from companion.table.policy import Policy

FIRM_CHANGE = 3.0
"""Nats by which old and new evidence must disagree for a place to have changed."""
UNSURE = 1.0
"""Looks that differ by fewer nats count as equal: a place that wavers between them has not changed."""
MEMORY = 8
"""Sightings over which evidence is averaged."""


@dataclass(frozen=True, slots=True)
class Held:
    """A board that held: what was seen, and since when nothing changed (seconds, the sources' clock).

    `told_apart` is the likeliest look of each place, equal for two boards that look the same. `seen_since`
    says for places that changed when they were first seen as they are, or last touched; `touches` are those
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
    """The time at which hands were gone, by sources that do see them (seconds)."""
    alone: tuple[Held, ...] = ()
    """What each source shows by itself, where there are several: those too that were not believed."""

    @property
    def boards(self) -> tuple[Observation, ...]:
        """The board of each source, where there are several."""
        return tuple(one.observation for one in self.alone)

    @property
    def duration(self) -> float:
        """The time for which the whole board has held (seconds)."""
        return self.observation.time - self.since


class _Spot(NamedTuple):
    """One place as one source shows it: averaged over so many sightings since it last changed (`seen`, up to
    MEMORY). `changes` are times."""

    reading: Reading
    seen: int = 1
    changes: tuple[float, ...] = ()
    flickers: bool = False


@dataclass(frozen=True, slots=True)
class _Handling:
    """Hands as one source knows of them since the last board that was understood."""

    touches: tuple[Touch, ...] | None = None
    missed_touches: bool = False
    sees_hands: bool = False
    disturbed: bool = True

    def with_sighting(self, sighting: Sighting) -> _Handling:
        """Adds the touches of a sighting, and whether it shows a hand."""
        handling = self._with_touches(sighting.touches)
        if sighting.hand or not sighting.still or sighting.touches:
            return replace(handling, sees_hands=True, disturbed=True)
        return handling

    def _with_touches(self, touches: tuple[Touch, ...] | None) -> _Handling:
        """Adds touches in their order. Once some were missed, none count until the board is understood."""
        if touches is None:
            return replace(self, touches=None, missed_touches=True)
        if self.missed_touches or not touches:
            return self
        return replace(self, touches=(*(self.touches or ()), *touches))

    def understood(self) -> _Handling:
        """Begins anew: the board as it stands is explained."""
        if self.touches or self.missed_touches:
            return _Handling((), False, self.sees_hands, disturbed=False)
        return replace(self, disturbed=False) if self.disturbed else self


@dataclass(frozen=True, slots=True)
class _Gathering:
    """Evidence of one source since its board last changed. `busy`: something moves, or a hand is there;
    `fresh`: hands may have changed everything since the last reading."""

    since: float = 0.0
    count: int = 0
    last: float = 0.0
    goes_on: bool = False
    """True if anything came after the first sighting."""
    busy: bool = True
    at_once: bool = False
    hand: bool = False
    fresh: bool = True
    calm_since: float = 0.0
    spots: Mapping[Place, _Spot] = field(default_factory=dict)
    marks: Mapping[str, float] = field(default_factory=dict)
    same: Mapping[Place, Reading] = field(default_factory=dict)
    kinds: Mapping[Place, Look] = field(default_factory=dict)
    first_seen: Mapping[Place, tuple[Look | None, float]] = field(default_factory=dict)
    handling: _Handling = field(default_factory=_Handling)

    def interrupted(self, sighting: Sighting, busy: bool) -> _Gathering:
        """Waits anew. The spots are kept to notice flicker, unless hands may have changed everything."""
        return replace(
            self,
            since=sighting.time,
            count=0,
            last=sighting.time,
            busy=busy,
            fresh=self.fresh or busy,
            spots=_restarted(self.spots) if self.count else self.spots,
            handling=self.handling.with_sighting(sighting),
        )

    def with_reading(self, sighting: Sighting, observation: Observation, policy: Policy) -> _Gathering:
        """Adds what a calm sighting shows."""
        now = sighting.time
        begins = sighting.held or self.fresh
        spots: Mapping[Place, _Spot] = {} if begins else self.spots
        known, news = _news(spots, observation.readings)
        changed = {
            place: _changed(spots[place], now, policy)
            for place, reading in news.items()
            if place in spots and _disagree(spots[place].reading, reading)
        }
        restarts = begins or any(not spot.flickers for spot in changed.values())
        if changed:
            spots = {**spots, **changed}
        if restarts:
            spots = _restarted(spots)
        count = 1 if restarts else self.count + 1
        return _Gathering(
            since=now if restarts else self.since,
            count=count,
            last=now,
            goes_on=self.goes_on,
            busy=False,
            at_once=sighting.held,
            hand=sighting.hand,
            fresh=False,
            calm_since=now if begins else self.calm_since,
            spots=_calmed(_averaged(spots, {**known, **news}), now, policy),
            marks=_averaged_marks(self.marks if count > 1 else {}, observation.marks, count),
            same=observation.same,
            kinds=observation.kinds,
            first_seen=_first_seen(self.first_seen, news, now),
            handling=self.handling.with_sighting(sighting),
        )

    def understood(self) -> _Gathering:
        handling = self.handling.understood()
        return self if handling is self.handling else replace(self, handling=handling)

    def may_be_silent(self, policy: Policy) -> float:
        """Returns for how long nothing may come before it is lost: longer while it begins."""
        return policy.lost if self.goes_on else policy.beginning

    def has_held(self, now: float, policy: Policy) -> bool:
        """Returns whether its board has held for long enough."""
        if not self.count:
            return False
        enough = self.count >= policy.sightings and now - self.since >= policy.hold
        return self.at_once or enough

    def keeps_waiting(self, now: float, policy: Policy) -> bool:
        """Returns whether the others have to wait for it: its board has not held yet."""
        return self.busy or (self.count > 0 and not self.has_held(now, policy))


@dataclass(frozen=True, slots=True)
class Tracker:
    """The evidence of all sources, by their names."""

    sources: Mapping[str, _Gathering] = field(default_factory=dict)

    def see(self, sighting: Sighting, policy: Policy) -> Tracker:
        """Returns the tracker after one more sighting."""
        before = self.sources.get(sighting.source)
        gathering = replace(before, goes_on=True) if before else _Gathering()
        calm = sighting.still and (sighting.held or not sighting.hand)
        if sighting.observation is None or not calm:
            gathering = gathering.interrupted(sighting, busy=not calm)
        else:
            gathering = gathering.with_reading(sighting, sighting.observation, policy)
        return Tracker({**self.sources, sighting.source: gathering})

    def held(self, now: float, policy: Policy, distrusted: frozenset[str] = frozenset()) -> Held | None:
        """Returns the board of all sources together, once all that are live have held theirs long enough.

        Sources that are distrusted contradict the others: nobody waits for them, and they are not added up,
        unless there are no others.
        """
        live = self._live(now, policy)
        believed = {name: g for name, g in live.items() if name not in distrusted} or live
        if any(gathering.keeps_waiting(now, policy) for gathering in believed.values()):
            return None
        # A source that is lost shows no board, and holds nobody back.
        ready = _ready(live, now, policy)
        trusted = believed.keys() & ready.keys()
        if not trusted:
            return None
        return _fuse(trusted, ready, now)

    def _live(self, now: float, policy: Policy) -> dict[str, _Gathering]:
        """Returns the sources that spoke lately."""
        return {name: g for name, g in self.sources.items() if now - g.last <= policy.silence}

    def newest(self) -> float:
        """Returns the time of the newest sighting; 0 before the first."""
        return max((gathering.last for gathering in self.sources.values()), default=0.0)

    def calm_for(self, policy: Policy) -> float:
        """Returns for how long nothing had changed on the board at the newest sighting (seconds)."""
        live = self._live(self.newest(), policy).values()
        return min((g.last - g.since if g.count else 0.0 for g in live), default=0.0)

    def silent(self, now: float, policy: Policy) -> frozenset[str]:
        """Returns the sources of which nothing came for too long, by the clock of those that speak."""
        return frozenset(name for name, g in self.sources.items() if now - g.last > g.may_be_silent(policy))

    def understood(self) -> Tracker:
        """Returns the tracker once the board is explained: touches and hands count anew from here."""
        return Tracker({name: gathering.understood() for name, gathering in self.sources.items()})


def _ready(live: Mapping[str, _Gathering], now: float, policy: Policy) -> dict[str, _Gathering]:
    return {name: gathering for name, gathering in live.items() if gathering.has_held(now, policy)}


def _fuse(trusted: Collection[str], ready: Mapping[str, _Gathering], now: float) -> Held:
    """Adds up the boards of the sources that are trusted, in the order in which they first spoke."""
    steady = {name: _steady(name, gathering, now) for name, gathering in ready.items()}
    together = _held({name: ready[name] for name in ready if name in trusted}, steady)
    if len(ready) == 1:
        return together
    return replace(together, alone=tuple(_held({name: one}, steady) for name, one in ready.items()))


def _held(gathered: Mapping[str, _Gathering], steady: Mapping[str, Observation]) -> Held:
    """Returns what some sources show together, and what they know of how that came about."""
    fused = reduce(add, (steady[name] for name in gathered))
    gatherings = list(gathered.values())
    seeing_hands = [g for g in gatherings if g.handling.sees_hands]
    touches = _felt(gatherings)
    touched = {touch.place: touch.time for touch in touches or ()}
    # Nobody saw what happened before a still, so no hand in it is no sign that none was there.
    at_once = any(g.at_once for g in gatherings)
    was_disturbed = any(g.handling.disturbed for g in gatherings)
    return Held(
        fused,
        since=max(g.since for g in gatherings),
        told_apart=_told_apart(fused),
        at_once=at_once,
        hand=any(g.hand for g in gatherings),
        seen_since={**_earliest(gatherings), **touched},
        touches=touches,
        unaided=bool(seeing_hands) and not at_once and not was_disturbed,
        calm_since=max((g.calm_since for g in seeing_hands), default=None),
    )


def _steady(name: str, gathering: _Gathering, now: float) -> Observation:
    """Returns the board of one source at the places that keep still."""
    steady = {p: spot.reading for p, spot in gathering.spots.items() if spot.seen and not spot.flickers}
    return Observation(now, steady, name, dict(gathering.marks), gathering.same, gathering.kinds)


def _felt(gatherings: Iterable[_Gathering]) -> tuple[Touch, ...] | None:
    """Returns all touches in their order; None where no source feels any."""
    feeling = [g.handling.touches for g in gatherings if g.handling.touches is not None]
    if not feeling:
        return None
    return tuple(sorted((touch for touches in feeling for touch in touches), key=lambda touch: touch.time))


def _told_apart(observation: Observation) -> dict[Place, Look | None]:
    marks = {f"|{spot}": "+M" for spot, ratio in observation.marks.items() if ratio > 0}
    kinds = {f"/{place}": kind for place, kind in observation.kinds.items()}
    return {**{place: reading.best() for place, reading in observation.readings.items()}, **marks, **kinds}


def _earliest(gatherings: Iterable[_Gathering]) -> dict[Place, float]:
    """Returns when each place was first seen as it is, by the source that saw it first."""
    found: dict[Place, float] = {}
    for gathering in gatherings:
        for place, (_, since) in gathering.first_seen.items():
            found[place] = min(since, found.get(place, since))
    return found


def _news(
    spots: Mapping[Place, _Spot], readings: Mapping[Place, Reading]
) -> tuple[dict[Place, Reading], dict[Place, Reading]]:
    """Returns the readings that tell anything: those that are known from before as they are, and the others.

    Sources hand on the same reading for as long as a place shows nothing new, and most places do not: the
    way for these is short, as sightings come twenty times a second.
    """
    known: dict[Place, Reading] = {}
    news: dict[Place, Reading] = {}
    for place, reading in readings.items():
        spot = spots.get(place)
        if spot is not None and spot.reading is reading:
            known[place] = reading
        elif reading.tells:
            news[place] = reading
    return known, news


def _restarted(spots: Mapping[Place, _Spot]) -> dict[Place, _Spot]:
    return {place: _Spot(s.reading, 0, s.changes, s.flickers) for place, s in spots.items()}


def _changed(spot: _Spot, now: float, policy: Policy) -> _Spot:
    changes = (*(time for time in spot.changes if now - time <= policy.flicker), now)
    return _Spot(spot.reading, 0, changes, spot.flickers or len(changes) > policy.changes)


def _calmed(spots: Mapping[Place, _Spot], now: float, policy: Policy) -> Mapping[Place, _Spot]:
    """Returns the spots, of which those that have kept still flicker no more."""
    calm = [p for p, spot in spots.items() if spot.flickers and now - spot.changes[-1] >= policy.grace]
    return {**spots, **{place: spots[place]._replace(flickers=False) for place in calm}} if calm else spots


def _averaged(spots: Mapping[Place, _Spot], readings: Mapping[Place, Reading]) -> dict[Place, _Spot]:
    """Returns the spots with one more reading of each place."""
    found = dict(spots)
    for place, reading in readings.items():
        spot = spots.get(place)
        if spot is None:
            found[place] = _Spot(reading)
        elif spot.seen < MEMORY or reading is not spot.reading:
            found[place] = _with_reading(spot, reading)
    return found


def _with_reading(spot: _Spot, reading: Reading) -> _Spot:
    seen = min(spot.seen + 1, MEMORY)
    if seen > 1 and reading is not spot.reading:
        share = min(1.0, _sureness(reading) / FIRM_CHANGE) / seen
        reading = _blend(spot.reading, reading, share)
    return _Spot(reading, seen, spot.changes, spot.flickers)


def _averaged_marks(before: Mapping[str, float], marks: Mapping[str, float], count: int) -> dict[str, float]:
    share = 1 / min(count, MEMORY)
    found = dict(before)
    for spot, ratio in marks.items():
        old = before.get(spot, ratio)
        found[spot] = old + share * (ratio - old)
    return found


def _first_seen(
    before: Mapping[Place, tuple[Look | None, float]], news: Mapping[Place, Reading], now: float
) -> Mapping[Place, tuple[Look | None, float]]:
    """Returns since when each place shows the look that it shows."""
    found: dict[Place, tuple[Look | None, float]] = {}
    for place, reading in news.items():
        look = reading.best()
        if place not in before or _margin(reading, look, before[place][0]) > UNSURE:
            found[place] = look, now
    return {**before, **found} if found else before


def _sureness(reading: Reading) -> float:
    """Returns by how many nats the likeliest look is ahead of the next."""
    best = nlargest(2, (*reading.looks.values(), reading.other))
    return best[0] - best[-1]


def _disagree(old: Reading, new: Reading) -> bool:
    was, now = old.best(), new.best()
    if was == now:
        return False
    return _margin(old, was, now) > FIRM_CHANGE and _margin(new, now, was) > FIRM_CHANGE


def _margin(reading: Reading, better: Look | None, worse: Look | None) -> float:
    return reading.of(better) - reading.of(worse)


def _blend(old: Reading, new: Reading, share: float) -> Reading:
    names = {*old.looks, *new.looks}
    looks = {n: old.of(n) + share * (new.of(n) - old.of(n)) for n in names}
    return Reading(looks, old.other + share * (new.other - old.other))
