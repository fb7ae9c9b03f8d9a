"""Makes sightings of the device's messages: what stands where, how sure that is, and what cannot be seen.

The reading of a site says what its sensor can tell: a switch knows only that something stands there; a linear
Hall sensor also knows which pole is up, which can mean two colours or two faces. A sensor that is known as
bad, or behaves like one, is left out: its site is blind, not empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.game import EMPTY, Look, Site
from companion.language import listed, say, say_count
from companion.sensing.observation import Observation, Reading, Sighting
from firmware_bridge.line.link import Down, LinkEvent
from firmware_bridge.line.messages import (
    Change,
    Fault,
    Gap,
    Hello,
    Levels,
    Message,
    MessageError,
    Mute,
    Pong,
    Sensor,
    Snapshot,
    State,
    Trouble,
    Tune,
    unpack_states,
)
from firmware_bridge.line.wiring import Wiring
from firmware_bridge.sensing.calibration import (
    Calibration,
    SensorLevels,
    SensorVerdict,
    drift_of,
    say_verdict,
)
from firmware_bridge.sensing.health import Health
from firmware_bridge.sensing.touches import Touches

SURE_STATE = 6.9
"""Nats: a state that was debounced and has lasted is wrong about once in a thousand times."""
STILL_S = 0.2
"""Seconds without a change after which the board counts as still."""
STATES = frozenset(State)
OTHER_FACE = {State.OPEN: State.OPEN, State.NORTH: State.SOUTH, State.SOUTH: State.NORTH}
"""The pole that is up, by what a sensor says that is turned over."""
NAMED = 6
"""Sites that a message names; of more it gives the number."""
SLOWEST = 0.006
"""Seconds that a device's clock may fall behind in each second: ceramic resonators are off by 0.005."""
COUNT_MS = 1 << 32
"""The device's milliseconds begin anew after so many: after 49.7 days."""
RESTARTED_MS = 1000
"""No message is so late: a time that lies so far before the latest comes from a device that started anew."""


@dataclass(slots=True)
class DeviceClock:
    """Turns the device's milliseconds into this machine's seconds.

    The least delay that was seen lately counts as none. Where the delay grows by more than a slow clock
    accounts for, a message came late.
    """

    offset: float = 0.0
    _latest: int | None = None
    """The highest time of the device (ms), counted on where its counter wraps."""
    _heard: float = 0.0

    def seconds(self, milliseconds: int, now: float) -> float:
        """Returns when that was. Each time that the device tells also sets the clock."""
        time = self._count_on(milliseconds)
        delay = now - time / 1000
        if self._latest is None or time < self._latest - RESTARTED_MS:
            self.offset, self._latest = delay, time
        self.offset = min(delay, self.offset + SLOWEST * (now - self._heard))
        self._latest, self._heard = max(self._latest, time), now
        return min(now, time / 1000 + self.offset)

    def _count_on(self, milliseconds: int) -> int:
        """Returns the time nearest to the latest, of those that the counter can mean."""
        if self._latest is None:
            return milliseconds
        ahead = (milliseconds - self._latest + COUNT_MS // 2) % COUNT_MS - COUNT_MS // 2
        return self._latest + ahead


class Grid:
    """A grid of sensors: `receive` takes what the link hands over, and returns sightings."""

    def __init__(self, wiring: Wiring, calibration: Calibration | None = None, name: str = "serial") -> None:
        self.wiring, self.calibration, self.name = wiring, calibration, name
        self.health = Health(wiring)
        self._touches = Touches()
        self._clock = DeviceClock()
        self.states: dict[Site, State] = {}
        """The last state of each site; {} before the first snapshot."""
        self.levels: dict[Site, int] = {}
        """The last level of each site that was asked for."""
        self.drift = 0.0
        """Counts by which levels at rest have moved since the calibration."""
        self._changed = -1e9
        self._hidden = False
        """True if something was missed, so that the changes in the next snapshot have no known order."""
        self._untold = False
        """True if the next sighting has to say that touches were missed."""

    @property
    def has_levels(self) -> bool:
        """True when the level of every site is known."""
        return len(self.levels) == len(self.wiring.sites)

    def receive(self, event: LinkEvent, now: float) -> Sighting | None:
        """Returns the sighting that an event leads to, if it leads to one."""
        self._set_clock(event, now)
        match event:
            case Change():
                return self._change(event, now)
            case Snapshot():
                return self._snapshot(event, now)
            case Down(words):
                return self._report_lost(words, now)
            case Levels():
                self._take_levels(event)
            case Fault():
                self._fault(event, now)
            case Gap():
                self._hidden = True
        return None

    def _set_clock(self, event: LinkEvent, now: float) -> None:
        """Sets the clock by a message that tells a time.

        A device that says what it is may have started anew.
        """
        if isinstance(event, Hello):
            self._clock = DeviceClock()
            self._clock.seconds(event.uptime, now)
        elif isinstance(event, Snapshot | Change | Levels | Pong):
            self._clock.seconds(event.time, now)

    def fits(self, snapshot: Snapshot) -> bool:
        """Returns whether a snapshot is of as many sites as this grid has."""
        return len(snapshot.states) == (len(self.wiring.sites) + 3) // 4

    def setup(self) -> list[Message]:
        """Returns the messages that set a device up: its sensors' thresholds, and which are to be silent."""
        messages: list[Message] = []
        if self.calibration is None:
            return messages
        if self.wiring.sensor is Sensor.ANALOGUE:
            for number, site in enumerate(self.wiring.numbered):
                if known := self.calibration.sites.get(site):
                    rest = max(0, round(known.rest + self.drift))
                    messages.append(Tune(number, rest, known.press, known.release))
        return [*messages, self.mute()]

    def mute(self) -> Mute:
        """Returns the message that silences the sensors which the calibration found bad."""
        bits = bytearray((len(self.wiring.sites) + 7) // 8)
        for i, site in enumerate(self.wiring.numbered):
            if site in self._bad():
                bits[i // 8] |= 1 << i % 8
        return Mute(bytes(bits))

    def blind(self, now: float) -> dict[Site, str]:
        """Returns the sites of which nothing is said, and why."""
        found: dict[Site, str] = {site: say_verdict(verdict) for site, verdict in self._bad().items()}
        found |= {site: say_verdict(verdict) for site, verdict in self.health.verdicts(now).items()}
        occupied = [site for site, state in self.states.items() if state]
        return found | dict.fromkeys(self.health.ghosts(occupied, now), say("a ghost, perhaps"))

    def _bad(self) -> dict[Site, SensorVerdict]:
        known = self.calibration.sites if self.calibration else {}
        return {site: s.verdict for site, s in known.items() if s.verdict is not SensorVerdict.GOOD}

    def _change(self, change: Change, now: float) -> Sighting | None:
        known = change.site < len(self.wiring.sites) and change.state in STATES
        if not known or not self.states:
            return None
        site, time = self.wiring.numbered[change.site], self._clock.seconds(change.time, now)
        self._set(site, State(change.state), time, now)
        return self.sight(now)

    def _set(self, site: Site, state: State, time: float, now: float) -> None:
        before = self.states[site]
        self.states[site] = state
        self.levels.pop(site, None)
        self._changed = max(self._changed, time)
        self.health.change(site, now, bool(state), time)
        if bool(before) != bool(state):
            self._touches.change(time, site, bool(state))

    def _snapshot(self, snapshot: Snapshot, now: float) -> Sighting | None:
        """Takes all states as they are now: what differs from those that are known was missed before."""
        if not self.fits(snapshot):
            return None
        try:
            states = unpack_states(snapshot.states, len(self.wiring.sites))
        except MessageError:
            return None
        fresh = dict(zip(self.wiring.numbered, states, strict=True))
        missed = [site for site, state in self.states.items() if fresh[site] != state]
        if missed:
            self._changed = now
        if missed or self._hidden:
            self._touches.clear()
            self._untold = True
        self.states = fresh
        self._hidden = False
        return self.sight(now)

    def _report_lost(self, words: str, now: float) -> Sighting:
        self._hidden = True
        self.levels.clear()
        return Sighting(now, self.name, None, still=False, trouble=words, touches=None)

    def _take_levels(self, part: Levels) -> None:
        sites = self.wiring.numbered[part.first : part.first + len(part.levels)]
        fresh = dict(zip(sites, part.levels, strict=False))
        self.levels |= fresh
        if self.wiring.sensor is not Sensor.ANALOGUE:
            return
        self.health.levels(fresh, self.states)
        if self.calibration is not None and self.has_levels:
            drift = drift_of(self.calibration, self.levels)
            self.drift = self.drift if drift is None else drift

    def _fault(self, fault: Fault, now: float) -> None:
        if fault.trouble == Trouble.DIODE and fault.site < len(self.wiring.sites):
            self.health.bad_diode(self.wiring.numbered[fault.site], now)
        if fault.trouble == Trouble.EVENTS_LOST:
            self._hidden = True

    def sight(self, now: float) -> Sighting:
        """Returns the sighting of what is known now."""
        blind = self.blind(now)
        readings = {s: self._reading(s, state) for s, state in self.states.items() if s not in blind}
        touches = tuple(t for t in self._touches.settled(now) if t.place not in blind)
        missed, self._untold = self._untold, False
        return Sighting(
            now,
            self.name,
            Observation(now, readings, self.name),
            still=now - self._changed >= STILL_S,
            trouble=_trouble(blind),
            touches=None if missed else touches,
        )

    def _reading(self, site: Site, state: State) -> Reading:
        known = self.calibration.sites.get(site) if self.calibration else None
        if self.calibration is None or known is None:
            return reading(state, SURE_STATE, {})

        level, sure = self.levels.get(site), SURE_STATE
        if level is not None and self.wiring.sensor is Sensor.ANALOGUE:
            sure = certainty(known, state, level - self.drift)
        if known.turned is None:
            return reading(state, sure, {})
        return reading(OTHER_FACE[state] if known.turned else state, sure, self.calibration.poles)


def certainty(known: SensorLevels, state: State, level: float) -> float:
    """Returns by how many nats a state is likelier than its contrary: more, the farther from the border."""
    border = (known.press + known.release) / 2
    distance = abs(level - known.rest)
    beyond = distance - border if state else border - distance
    return min(SURE_STATE, max(0.2, SURE_STATE * 2 * beyond / border))


def reading(state: State, sure: float, poles: Mapping[str, tuple[Look, ...]]) -> Reading:
    """Returns what a state says of looks. `poles` names the looks that `north` and `south` stand for."""
    if state is State.OPEN:
        return Reading({EMPTY: 0.0}, other=-sure)
    up = state.name.lower()
    looks = {look: 0.0 if pole == up else -sure for pole, named in poles.items() for look in named}
    return Reading({EMPTY: -sure, **looks}, other=-sure if looks else 0.0)


def _trouble(blind: Mapping[Site, str]) -> str:
    """Returns one line that names the sensors which are left out."""
    if not blind:
        return ""
    named: list[str] = [say("{site} ({why})", site=s, why=why) for s, why in sorted(blind.items())[:NAMED]]
    if len(blind) > NAMED:
        named.append(say_count("{n} more", "{n} more", len(blind) - NAMED))
    return say("sensors left out: {sensors}", sensors=listed(named))
