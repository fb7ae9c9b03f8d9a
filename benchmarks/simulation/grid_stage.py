"""The stage of a simulated grid: the virtual device, its cable, and the companion's side of the line.

Contacts of hands go in; the touches and sightings that come of them go out. Time passes only where the
stage lets it pass.
"""

from __future__ import annotations

import random
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from benchmarks.simulation.switch_hands import Contact, debounced
from companion.core.game import Site
from companion.games.text import Game
from companion.sensing.observation import Sighting, Touch
from firmware_bridge.line.link import DeviceLink, LinkEvent, Port, PortError, serial_opener
from firmware_bridge.line.messages import Sensor, State
from firmware_bridge.line.wiring import MEGA, wire
from firmware_bridge.sensing.grid import Grid
from firmware_bridge.sensing.virtual import VirtualDevice, VirtualPort

SCAN_S = 0.01
DEBOUNCE_S = 0.006
"""Four scans of 2 ms that agree, as the firmware wants of a reed."""


class Stage:
    """A grid whose cable can be pulled. The virtual device tells each change at once, so what the
    firmware's debouncing takes away is taken away here."""

    def __init__(
        self,
        game: Game,
        watch: Callable[[Sighting], object] = lambda _: None,
        sensor: Sensor = Sensor.REED,
    ) -> None:
        self.now = 0.0
        self.watch = watch
        self.wiring = wire(game.board, sensor, MEGA)
        self.device = VirtualDevice(self.wiring, random.Random(1))
        self.grid = Grid(self.wiring)
        self.touches: list[Touch] = []
        self.plugged = True
        self._port: VirtualPort | None = None
        self.link = DeviceLink(self.open_port, self._take, lambda: self.now)

    def close(self) -> None:
        self.link.stop()

    def lay(self, occupied: Iterable[Site]) -> None:
        """Lays pieces on these sites and on no others, as if they had always stood there."""
        self.device.arrange(dict.fromkeys(occupied, State.NORTH))

    def unplug(self) -> None:
        """Pulls the cable, in the middle of whatever the device said."""
        self.plugged = False
        if self._port is not None:
            self._port.unplug()

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.step()
            self.now += SCAN_S

    def step(self) -> None:
        """Lets the companion's side of the line read and write once."""
        self.link.step()

    def play(self, contacts: Sequence[Contact], rest: float = 0.6) -> list[Touch]:
        """Returns the touches that these contacts were understood as, once all is quiet."""
        self.touches.clear()
        for contact in debounced(contacts, DEBOUNCE_S):
            self.wait(max(0.0, contact.time - self.now))
            self.device.set(contact.site, State(int(contact.closed)))
        self.wait(rest)
        return list(self.touches)

    def open_port(self) -> Port:
        """Opens the companion's end of the cable. PortError while that is out."""
        if not self.plugged:
            raise PortError("the cable is out")
        self._port = VirtualPort(self.device, lambda: self.now)
        return self._port

    def _take(self, event: LinkEvent, now: float) -> None:
        sighting = self.grid.receive(event, now)
        if sighting is not None:
            self.touches += sighting.touches or ()
            self.watch(sighting)


class NetworkStage(Stage):
    """A grid behind a TCP port of this computer, opened as `serial:socket://HOST:PORT`.

    Between two scans all bytes cross the network. What one end has sent over loopback is there for the other
    at once, so the same seed gives the same game as over a cable.
    """

    def __init__(
        self,
        game: Game,
        watch: Callable[[Sighting], object] = lambda _: None,
        sensor: Sensor = Sensor.REED,
    ) -> None:
        super().__init__(game, watch, sensor)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._line: socket.socket | None = None

    def open_port(self) -> Port:
        self._port = VirtualPort(self.device, lambda: self.now)
        port = serial_opener(f"socket://127.0.0.1:{self._listener.getsockname()[1]}")()
        port.timeout = 0  # type: ignore[attr-defined]  # nothing more comes while simulated time stands still
        self._line, _ = self._listener.accept()
        self._line.setblocking(False)
        return port

    def step(self) -> None:
        if self._line is not None and self._port is not None:
            with suppress(BlockingIOError):
                self._port.write(self._line.recv(4096))
            self._line.sendall(self._port.read())
        super().step()

    def close(self) -> None:
        super().close()
        if self._line is not None:
            self._line.close()
        self._listener.close()
