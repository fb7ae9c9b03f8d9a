"""Bytes of a sensor grid: what a device, a bad cable or another program puts on a serial line.

An input is a script: the board and the kind of sensors, then the bytes that come at a time, or the loss of
the line. Bytes mean the same however they are cut into reads. Sightings tell of places that there are, and of
times that have been. After all of it a sound device on the same port is understood.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from random import Random
from typing import Any

from benchmarks.fuzzing.mutation import mutated_bytes
from benchmarks.fuzzing.target import Outcome, demand
from companion.core.board import bundled_boards, load_board
from companion.sensing.observation import Sighting
from firmware_bridge.line.frames import MAX_ENCODED, Damage, write_frame
from firmware_bridge.line.link import Port
from firmware_bridge.line.messages import (
    TO_DEVICE,
    TO_HOST,
    Ask,
    Gap,
    Greet,
    Message,
    Peer,
    Read,
    Sensor,
    State,
)
from firmware_bridge.line.wiring import MEGA, known_boards, wire
from firmware_bridge.sensing.grid_source import GridSource
from firmware_bridge.sensing.virtual import VirtualDevice, VirtualPort

SENSORS = (Sensor.REED, Sensor.DIGITAL, Sensor.ANALOGUE)
WAITS = (0.0, 0.001, 0.02, 0.02, 0.02, 0.1, 0.3, 1.0, 5.0)
"""Seconds between two reads of a script."""
SOUND_S, STEP_S = 12.0, 0.05
"""Seconds within which a sound device is understood again, and between two reads of it."""
SPOILT = 0.12
"""The share of reads that are changed, in scripts where any are."""


class Fuzzed:
    """The serial line of a sensor grid."""

    suffix = ".json"

    def make(self, chance: Random) -> bytes:
        board, sensor = chance.choice(bundled_boards()), chance.choice(SENSORS)
        reads = list(_recorded(board, sensor, chance))
        if chance.random() < 0.8:
            reads = [_spoilt(read, chance) if chance.random() < SPOILT else read for read in reads]
        if chance.random() < 0.3:
            chance.shuffle(reads)
        if chance.random() < 0.2:
            reads.insert(chance.randrange(len(reads)), [0.1, None])
        script = {"board": board, "sensor": sensor.value, "reads": reads}
        return json.dumps(script).encode()

    def attempt(self, content: bytes) -> Outcome:
        script = json.loads(content)
        came = b"".join(bytes.fromhex(data) for _, data in script["reads"] if data)
        _check_cut(came)
        line = _Line(script)
        for after, data in script["reads"]:
            line.read(after, data)
        understood = len(line.seen)
        line.mend(Random(1))
        demand(line.is_understood(), "a sound device on the port is understood again")
        if understood:
            return Outcome(1)
        return Outcome(0, (line.trouble or "nothing that a grid says came",))

    def close(self) -> None:
        """Nothing is kept."""


class _Line:
    """A grid source whose port plays a script, with a clock of its own."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.board = load_board(script["board"])
        self.wiring = wire(self.board, Sensor(script["sensor"]), MEGA)
        self.now, self.seen, self.trouble = 1000.0, list[Sighting](), ""
        self._waiting: bytes | None = b""
        self._device: VirtualDevice | None = None
        self._sound: VirtualPort | None = None
        self.source = GridSource(lambda: _Scripted(self), known_boards(self.board), clock=lambda: self.now)
        self.source.link.step()

    def next_bytes(self) -> bytes:
        """Returns what the port has to read. OSError where the line is lost."""
        if self._sound is not None:
            return self._sound.read()
        waiting, self._waiting = self._waiting, b""
        if waiting is None:
            raise OSError("device disconnected")
        return waiting

    def hear(self, data: bytes) -> None:
        """Takes what is written to the port."""
        if self._sound is not None:
            self._sound.write(data)

    def read(self, after: float, data: str | None) -> None:
        """Lets time pass, and bytes come; None loses the line."""
        self.now += after
        self._waiting = None if data is None else bytes.fromhex(data)
        self._step()

    def mend(self, chance: Random) -> None:
        """Puts a sound device with some magnets on the port, and lets time pass."""
        self._device = VirtualDevice(self.wiring, chance)
        self._device.arrange(dict.fromkeys(self.wiring.sites[::3], State.NORTH))
        self._sound = VirtualPort(self._device, lambda: self.now)
        for _ in range(round(SOUND_S / STEP_S)):
            self.now += STEP_S
            self._step()

    def is_understood(self) -> bool:
        """Returns whether the last sighting is of the sound device's board."""
        last = self.seen[-1].observation if self.seen else None
        if last is None or self.now - last.time > 1:
            return False
        empty = {place for place, reading in last.readings.items() if reading.best() == "empty"}
        return empty.isdisjoint(self.wiring.sites[::3])

    def _step(self) -> None:
        self.source.link.step()
        for sighting in self.source.waiting_sightings():
            _check_sighting(sighting, self.now)
            self.trouble = sighting.trouble or self.trouble
            if sighting.observation is not None:
                self.seen.append(sighting)


class _Scripted(Port):
    """The port of a line."""

    def __init__(self, line: _Line) -> None:
        self._line = line

    def read(self, size: int = 1) -> bytes:
        return self._line.next_bytes()

    def write(self, data: bytes, /) -> int:
        self._line.hear(data)
        return len(data)

    def close(self) -> None:
        """A script goes on, whoever closes the port."""


def _recorded(board: str, sensor: Sensor, chance: Random) -> list[list[Any]]:
    """Returns reads of a sound device while pieces are moved: times (s), and bytes in hexadecimal."""
    wiring = wire(load_board(board), sensor, MEGA)
    device, host, now, reads = VirtualDevice(wiring, chance), Peer(TO_HOST), 0.0, []
    device.power_up()
    for n in range(chance.randint(3, 40)):
        said = [Greet()] if n == 0 else chance.choice(([], [], [Ask()], [Read(2, 10)]))
        for _ in range(chance.randint(0, 2)):
            device.set(chance.choice(wiring.sites), chance.choice(tuple(State)))
        after = chance.choice(WAITS[1:6])
        now += after
        reads.append([after, device.advance(now, b"".join(map(host.send, said))).hex()])
    return reads


def _spoilt(read: Sequence[Any], chance: Random) -> list[Any]:
    """Returns a read with other bytes: changed ones, whole frames that say anything, or noise."""
    after, data = chance.choice(WAITS), bytes.fromhex(read[1])
    kind = chance.randrange(5)
    if kind == 4:
        return [after, (_any_hello(chance) + data).hex()]
    if kind == 0:
        return [after, chance.randbytes(chance.choice((1, 10, 200))).hex()]
    if kind == 1:
        return [after, (_any_frame(chance) + data).hex()]
    if kind == 2:
        return [after, b"".join(_any_frame(chance) for _ in range(chance.randint(1, 4))).hex()]
    return [after, mutated_bytes(data, chance).hex()]


def _any_hello(chance: Random) -> bytes:
    """Returns what a device of another board says that it is."""
    wiring = wire(load_board(chance.choice(bundled_boards())), chance.choice(SENSORS), MEGA)
    device, host = VirtualDevice(wiring, chance), Peer(TO_HOST)
    device.power_up()
    return device.advance(0.0, host.send(Greet()))


def _any_frame(chance: Random) -> bytes:
    """Returns a whole frame of any values: mostly of a kind that there is, and of a size that fits it."""
    kind = chance.choice((*TO_HOST, *TO_HOST, *TO_DEVICE))
    form = kind.LAYOUT
    size = form.fixed.size + form.unit * chance.randint(0, 20)
    number = kind.KIND if chance.random() < 0.9 else chance.randrange(256)
    size = size if chance.random() < 0.9 else chance.randint(0, 64)
    small = chance.random() < 0.5  # values that mean something are mostly small
    payload = (
        bytes(chance.choice((0, 1, 2, 3, 5, 255)) for _ in range(size)) if small else chance.randbytes(size)
    )
    return write_frame(number, chance.randrange(256), payload)


def _check_cut(data: bytes) -> None:
    """Checks that bytes mean the same in one piece and one by one, and that no more is held than a frame."""
    whole, single = Peer(TO_HOST), Peer(TO_HOST)
    at_once = list(whole.events(data))
    one_by_one = [event for n in range(len(data)) for event in single.events(data[n : n + 1])]
    demand(at_once == one_by_one, "bytes mean the same however they are cut")
    for event in at_once:
        demand(isinstance(event, Message | Gap | Damage), "bytes become events")
    demand(len(single._reader) <= MAX_ENCODED, "no more than a frame is held")


def _check_sighting(sighting: Sighting, now: float) -> None:
    demand(sighting.time <= now, "a sighting is not of the future")
    demand(sighting.trouble.isprintable(), "what is wrong can be printed")
    for touch in sighting.touches or ():
        demand(isfinite(touch.time) and touch.time <= now, "a touch is not of the future")
    if sighting.observation is None:
        demand(bool(sighting.trouble), "a sighting without a board says why")
        return
    for reading in sighting.observation.readings.values():
        demand(all(map(isfinite, (*reading.looks.values(), reading.other))), "a reading has numbers")
