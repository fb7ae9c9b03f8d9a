"""What the tests of commissioning share: a virtual grid that simulated hands walk over, without real time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.core.board import load_board
from firmware_bridge.line.link import Down
from firmware_bridge.line.messages import TO_HOST, Greet, Hello, Message, Peer, Sensor
from firmware_bridge.line.wiring import MEGA, Controller, wire
from firmware_bridge.sensing.calibration import Calibration
from firmware_bridge.sensing.virtual import VirtualDevice, spread
from firmware_bridge.setup.commissioning import Commissioning, CommissioningStage
from firmware_bridge.setup.simulated_builder import SimulatedBuilder

STEP_S = 0.04


def device(
    board: str = "triune",
    sensor: Sensor = Sensor.ANALOGUE,
    controller: Controller = MEGA,
    seed: int = 1,
) -> VirtualDevice:
    wiring, rng = wire(load_board(board), sensor, controller), random.Random(seed)
    made = VirtualDevice(wiring, rng, spread(wiring, rng, gain=0.2, offset=12))
    made.power_up()
    return made


def exchange(found: VirtualDevice, *ring: str) -> None:
    """Solders the wires of these sites in a ring: that of the first ends at the second, and so on."""
    found.wires |= dict(zip(ring, (*ring[1:], ring[0]), strict=True))


class Bench:
    """A virtual grid with its commissioning on the other end of the line, on a clock of its own."""

    def __init__(self, found: VirtualDevice, known: Calibration | None = None) -> None:
        self.device, self.now = found, 0.0
        self._peer = Peer(TO_HOST)
        self.is_plugged = True
        hello = next(m for m in self._exchange([Greet()]) if isinstance(m, Hello))
        self.work = Commissioning(found.wiring, hello, known)

    def _exchange(self, messages: list[Message]) -> Iterator[Message]:
        data = b"".join(self._peer.send(message) for message in messages)
        return iter(list(self._peer.events(self.device.advance(self.now, data))))

    def step(self, seconds: float = STEP_S) -> None:
        """Lets time pass, and hands over what the device sends meanwhile."""
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now += STEP_S
            due = self.work.due(self.now)
            if not self.is_plugged:
                continue
            for event in self._exchange(due):
                self.work.receive(event, self.now)

    def pull(self) -> None:
        """Pulls the plug out."""
        self.is_plugged = False
        self.work.receive(Down("the cable was pulled"), self.now)

    def plug_in(self) -> None:
        self.is_plugged = True
        self.device.power_up()
        self._peer = Peer(TO_HOST)
        for event in self._exchange([Greet()]):
            self.work.receive(event, self.now)

    def until(self, is_so: Callable[[Commissioning], bool], builder: SimulatedBuilder | None = None) -> None:
        """Lets time pass until this is so; `builder` does what is asked for meanwhile."""
        for _ in range(100_000):
            if is_so(self.work):
                return
            if builder is not None:
                builder.act(self.work, self.now)
            self.step()
        raise AssertionError(f"it never was: {self.work.stage}, {self.work.walk.asked}, {self.work.heard}")

    def commission(self, pieces: tuple[float, ...] = ()) -> Commissioning:
        """Lets simulated hands do all of it."""
        self.until(lambda work: work.stage is CommissioningStage.SHEET, SimulatedBuilder(self.device, pieces))
        return self.work


def weaken(found: VirtualDevice, site: str, share: float = 0.35) -> None:
    found.sensors[site] = replace(found.sensors[site], swing=160 * share)


def turn_over(found: VirtualDevice, site: str) -> None:
    found.sensors[site] = replace(found.sensors[site], swing=-found.sensors[site].swing)


def kill(found: VirtualDevice, *sites: str) -> None:
    for site in sites:
        found.sensors[site] = replace(found.sensors[site], swing=0.0)
