"""Simulates a grid that sends and takes the same bytes as the firmware, for the virtual table and for tests.

Sensors have gains and offsets of their own, and fail as real ones do where that is asked for; so does the
line. Time and chance are handed in. `VirtualPort` makes a serial port of the device.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.core.game import Site
from firmware_bridge.line.messages import (
    ANSWERED,
    FIRMWARE,
    LEVEL_MAX,
    TO_DEVICE,
    Ask,
    Change,
    Done,
    Greet,
    Hello,
    Levels,
    Light,
    Message,
    Mute,
    Peer,
    Ping,
    Pong,
    Read,
    Sensor,
    Snapshot,
    State,
    Tune,
    pack_states,
)
from firmware_bridge.line.wiring import Wiring, neighbours
from firmware_bridge.sensing.calibration import thresholds

ALIVE_S = 0.25
LEVELS_OF_A_FRAME = 29
SWING = 160.0
"""Counts by which the usual magnet changes the usual sensor's level."""
FARTHEST = 8
"""Standard deviations beyond which noise never goes."""


@dataclass(frozen=True, slots=True)
class VirtualSensor:
    """The make of a sensor: its level at rest, swing with a magnet and noise (all in counts).

    `cross` is the share of a neighbour's magnet that it feels. A magnet is a number: 1 is the usual one with
    north up, -0.5 one half as strong with south up.
    """

    rest: float = 512.0
    swing: float = SWING
    noise: float = 1.0
    cross: float = 0.0

    def level(self, magnet: float, rng: random.Random) -> int:
        return _clip(self._mean(magnet) + rng.gauss(0, self.noise))

    def span(self, magnet: float) -> tuple[int, int]:
        """Returns the levels between which noise stays."""
        mean, far = self._mean(magnet), FARTHEST * self.noise
        return _clip(mean - far), _clip(mean + far)

    def _mean(self, magnet: float) -> float:
        return self.rest + self.swing * magnet


POLES = {State.OPEN: 0.0, State.NORTH: 1.0, State.SOUTH: -1.0}
"""The field of the usual magnet, by the pole that it has up."""


@dataclass(slots=True)
class _Reading:
    left: int = 0
    interval: float = 0.0
    due: float = 0.0


@dataclass(slots=True)
class VirtualDevice:
    """The device's end of the line."""

    wiring: Wiring
    rng: random.Random
    sensors: dict[Site, VirtualSensor] = field(default_factory=dict)
    line: Callable[[bytes], bytes] = bytes
    """What becomes of each frame on its way."""
    tuning: dict[Site, Tune] = field(default_factory=dict)
    wires: dict[Site, Site] = field(default_factory=dict)
    """The wires that are soldered wrongly: the one meant for a key ends at the sensor of its value."""
    supply_noise: float = 0.0
    """Counts (standard deviation) by which the supply moves all levels of a scan alike."""
    lamps: bytearray = field(default_factory=bytearray)
    """Red, green and blue of each lamp."""
    _magnets: dict[Site, float] = field(default_factory=dict)
    _settled: dict[Site, State] = field(default_factory=dict)
    _calm: dict[Site, tuple[float, VirtualSensor, Tune]] = field(default_factory=dict)
    """The sites that no noise can change while state, sensor and tuning are these."""
    _muted: set[Site] = field(default_factory=set)
    _peer: Peer = field(default_factory=lambda: Peer(TO_DEVICE))
    _out: list[Message] = field(default_factory=list)
    _alive: float = -1.0
    _reading: _Reading = field(default_factory=_Reading)
    _ripple: float = 0.0
    _beside: dict[Site, frozenset[Site]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lamps = bytearray(3 * len(self.wiring.sites))
        press, release = thresholds(SWING)
        for i, site in enumerate(self.wiring.sites):
            self.sensors.setdefault(site, VirtualSensor())
            self.tuning[site] = Tune(i, 512, press, release)
            self._magnets[site], self._settled[site] = 0.0, State.OPEN
        self._beside = neighbours(self.wiring)

    def set(self, site: Site, pole: State, strength: float = 1.0) -> None:
        """Puts a magnet on a site, or takes it off (`OPEN`); `strength` is 1 for the usual one."""
        self._magnets[site] = POLES[pole] * strength

    @property
    def magnets(self) -> tuple[Site, ...]:
        """Returns the sites on which magnets are."""
        return tuple(site for site, magnet in self._magnets.items() if magnet)

    def arrange(self, poles: Mapping[Site, State]) -> None:
        """Sets all sites at once; those that are left out are open."""
        for site in self.wiring.sites:
            self._magnets[site] = POLES[poles.get(site, State.OPEN)]

    def power_up(self) -> None:
        """Starts anew, as after plugging in: what stands on the board then is no change."""
        self._peer, self._alive, self._reading = Peer(TO_DEVICE), -1.0, _Reading()
        self._out.clear()
        self._muted.clear()
        self._calm.clear()
        self._settled = {site: self._feel(site) for site in self.wiring.sites}

    def advance(self, now: float, data: bytes = b"") -> bytes:
        """Takes bytes in, and returns those that are sent until now (s)."""
        for event in self._peer.events(data):
            if isinstance(event, Message):
                self._obey(event, now)
        self._scan(now)
        if now - self._alive >= ALIVE_S:
            self._out.append(self._snapshot(now))
        self._read_levels(now)
        out, self._out = self._out, []
        return b"".join(self.line(self._peer.send(message)) for message in out)

    def _obey(self, message: Message, now: float) -> None:
        match message:
            case Greet():
                self._out += [self._hello(now), self._snapshot(now)]
            case Ask():
                self._out.append(self._snapshot(now))
            case Ping(token):
                self._out.append(Pong(token, _ms(now)))
            case Read(scans, interval):
                self._reading = _Reading(scans, interval / 1000, now)
            case Light(first, _, colours):
                self.lamps[3 * first : 3 * first + len(colours)] = colours
            case Tune(site):
                self.tuning[self.wiring.sites[site]] = message
            case Mute(bits):
                self._muted = {s for i, s in enumerate(self.wiring.sites) if bits[i // 8] >> i % 8 & 1}
        if isinstance(message, ANSWERED):
            self._out.append(Done(self._peer.heard or 0))

    def _scan(self, now: float) -> None:
        self._ripple = self.rng.gauss(0, self.supply_noise) if self.supply_noise else 0.0
        for i, site in enumerate(self.wiring.sites):
            cause = (self._magnet(site), self._sensor(site), self.tuning[site])
            if site in self._muted or self._calm.get(site) == cause:
                continue
            state = self._feel(site)
            if state != self._settled[site]:
                self._settled[site] = state
                self._calm.pop(site, None)
                self._out.append(Change(_ms(now), i, state, self._level(site)))
            elif not self.supply_noise and self._is_calm(site, state):
                self._calm[site] = cause

    def _is_calm(self, site: Site, state: State) -> bool:
        """Returns whether no noise of the sensor can change this state."""
        span = self._sensor(site).span(self._magnet(site))
        return all(self._state(site, level) is state for level in span)

    def _sensor(self, site: Site) -> VirtualSensor:
        """Returns the sensor at which the wire that is meant for a site ends."""
        return self.sensors[self.wires.get(site, site)]

    def _magnet(self, site: Site) -> float:
        """Returns the magnet that this sensor feels: its own, and perhaps a share of its neighbours'."""
        end = self.wires.get(site, site)
        cross = self.sensors[end].cross
        others = sum(self._magnets[other] for other in self._beside[end]) if cross else 0.0
        return self._magnets[end] + cross * others

    def _feel(self, site: Site) -> State:
        return self._state(site, self._raw_level(site))

    def _raw_level(self, site: Site) -> int:
        return _clip(self._sensor(site).level(self._magnet(site), self.rng) + self._ripple)

    def _state(self, site: Site, level: int) -> State:
        """Returns the state that a level means, given the state that was settled last."""
        tuning = self.tuning[site]
        above = self._sense(level) - tuning.rest
        side = State.NORTH if above >= 0 else State.SOUTH
        border = tuning.release if self._settled[site] is side else tuning.press
        return side if abs(above) >= border else State.OPEN

    def _level(self, site: Site) -> int:
        return self._sense(self._raw_level(site))

    def _sense(self, level: int) -> int:
        """Returns the level that a sensor of this kind has: a switch knows two levels only."""
        if self.wiring.sensor is Sensor.ANALOGUE:
            return level
        return 512 + LEVEL_MAX // 2 if abs(level - 512) > SWING / 2 else 512

    def _read_levels(self, now: float) -> None:
        if not self._reading.left or now < self._reading.due:
            return
        self._reading.left -= 1
        self._reading.due = now + self._reading.interval
        levels = tuple(self._told_level(site) for site in self.wiring.sites)
        for first in range(0, len(levels), LEVELS_OF_A_FRAME):
            part = levels[first : first + LEVELS_OF_A_FRAME]
            self._out.append(Levels(_ms(now), self._reading.left, first, part))

    def _told_level(self, site: Site) -> int:
        level = self._level(site)
        return level if self.wiring.sensor is Sensor.ANALOGUE else LEVEL_MAX * (level > 512)

    def _hello(self, now: float) -> Hello:
        wiring, name = self.wiring, f"{self.wiring.name} (virtual)"
        count = len(wiring.sites)
        return Hello(*FIRMWARE, wiring.sensor, count, count, 2, 1, wiring.check, _ms(now), name)

    def _snapshot(self, now: float) -> Snapshot:
        self._alive = now
        return Snapshot(_ms(now), pack_states([self._settled[site] for site in self.wiring.sites]))


def spread(
    wiring: Wiring,
    rng: random.Random,
    gain: float = 0.3,
    offset: float = 30,
) -> dict[Site, VirtualSensor]:
    """Returns sensors as a bag of them has: gain within ±`gain`, rest within ±`offset` counts."""
    return {
        site: VirtualSensor(
            rest=512 + rng.uniform(-offset, offset),
            swing=SWING * rng.uniform(1 - gain, 1 + gain),
        )
        for site in wiring.sites
    }


class VirtualPort:
    """A serial port with a virtual device on it; `wait` lets time pass while there is nothing to read."""

    may_reset = False

    def __init__(
        self,
        device: VirtualDevice,
        clock: Callable[[], float],
        wait: Callable[[float], object] = lambda _: None,
    ) -> None:
        self._device, self._clock, self._wait = device, clock, wait
        self._in = bytearray()
        self._plugged = True
        self._lock = threading.Lock()
        device.power_up()

    def read(self, size: int = 1) -> bytes:
        """Returns what the device has sent. OSError when it was pulled out."""
        data = self._exchange()
        if not data:
            self._wait(0.01)
            data = self._exchange()
        return data

    def write(self, data: bytes) -> int:
        self._check()
        self._in += data
        return len(data)

    def close(self) -> None:
        self._plugged = False

    unplug = close

    def _exchange(self) -> bytes:
        self._check()
        with self._lock:
            data, self._in = bytes(self._in), bytearray()
            return self._device.advance(self._clock(), data)

    def _check(self) -> None:
        if not self._plugged:
            raise OSError("device disconnected")


class SteppedClock:
    """Seconds that pass only while somebody waits, for grids that are simulated faster than they run."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        return self._now

    def wait(self, seconds: float) -> None:
        self._now += seconds


def _clip(level: float) -> int:
    return max(0, min(LEVEL_MAX, round(level)))


def _ms(seconds: float) -> int:
    return int(seconds * 1000) & 0xFFFFFFFF
