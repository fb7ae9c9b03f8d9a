"""A simulated grid with the companion's side of it, and hands that play on it."""

from __future__ import annotations

import random
from collections.abc import Callable

from companion.observation import Sighting, Touch
from companion.text import Game
from firmware_bridge.grid import Grid
from firmware_bridge.hands import Carry, Contact, Habits
from firmware_bridge.link import Link, LinkEvent
from firmware_bridge.messages import Sensor, State
from firmware_bridge.virtual import VirtualDevice, VirtualPort
from firmware_bridge.wiring import MEGA, wire

SCAN_S = 0.01
DEBOUNCE_S = 0.008
HABITS = Habits()


class Stage:
    """A simulated grid, the companion's side of it, and hands: time moves only here.

    The virtual device tells each change at once, so what the firmware's debouncing takes away is taken
    away here: contacts that last less than it does.
    """

    def __init__(self, game: Game, watch: Callable[[Sighting], object] = lambda _: None) -> None:
        self.now = 0.0
        self.watch = watch
        self.wiring = wire(game.board, Sensor.REED, MEGA)
        self.device = VirtualDevice(self.wiring, random.Random(1))
        self.grid = Grid(self.wiring)
        self.touches: list[Touch] = []
        self.link = Link(lambda: VirtualPort(self.device, lambda: self.now), self._take, lambda: self.now)

    def _take(self, event: LinkEvent, now: float) -> None:
        sighting = self.grid.receive(event, now)
        if sighting is not None:
            self.touches += sighting.touches
            self.watch(sighting)

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.link.step()
            self.now += SCAN_S

    def play(self, contacts: list[Contact]) -> list[Touch]:
        """The touches that these contacts were understood as, once all is quiet."""
        self.touches.clear()
        for contact in debounced(contacts):
            self.wait(max(0.0, contact.time - self.now))
            self.device.set(contact.site, State(int(contact.closed)))
        self.wait(0.6)
        return list(self.touches)


def debounced(contacts: list[Contact]) -> list[Contact]:
    """Contacts that hold until the next one on their site, for as long as the firmware wants."""
    kept = []
    for i, contact in enumerate(contacts):
        later = next((c.time for c in contacts[i + 1 :] if c.site == contact.site), 1e9)
        if later - contact.time >= DEBOUNCE_S:
            kept.append(contact)
    return kept


def carries(before: dict[str, str], after: dict[str, str], path: tuple[str, ...]) -> list[Carry]:
    """What a hand has to do, as a player sees it: off with what is taken, then the piece along its path."""
    left = [s for s in before if s not in after]
    came = [s for s in after if s not in before]
    swapped = [s for s in path if s in before and s in after and before[s] != after[s]]
    if len(path) >= 2 and swapped and left:
        return [Carry(swapped[-1], None), Carry(left[0], swapped[-1])]
    return [Carry(a, b) for a, b in zip(left, came, strict=False)]
