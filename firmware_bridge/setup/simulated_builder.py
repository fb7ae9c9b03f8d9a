"""Simulates the builder of a virtual grid who commissions it: a magnet is held wherever one is asked for."""

from __future__ import annotations

from firmware_bridge.line.messages import State
from firmware_bridge.sensing.virtual import VirtualDevice
from firmware_bridge.setup.commissioning import Commissioning, CommissioningStage
from firmware_bridge.setup.walk import Walk

LIFT_S = 0.3
"""Seconds from the lifting of the magnet until it is down on the next site."""
TRIES = 3
"""Times that a site is tried before the builder says that it does not answer."""


class SimulatedBuilder:
    """Hands over a virtual grid. `pieces` are the strengths of the pieces' magnets, 1 for the usual one."""

    def __init__(self, device: VirtualDevice, pieces: tuple[float, ...] = ()) -> None:
        self._device, self._pieces = device, list(pieces)
        self._told = -1
        self._down_at: float | None = None
        self._site: str | None = None
        self._tries: dict[str, int] = {}

    def act(self, work: Commissioning, now: float) -> None:
        """Does what is due at this time (s). Is called again and again."""
        if work.stage in (CommissioningStage.EMPTY, CommissioningStage.LAMPS):
            if not work.empty.is_measuring:
                work.yes()
        elif work.told != self._told:
            self._told = work.told
            self._lift(now)
        elif work.stage is CommissioningStage.WALK:
            self._walk(work, now)
        elif work.stage is CommissioningStage.PIECES:
            self._try_pieces(work, now)

    def _walk(self, work: Commissioning, now: float) -> None:
        if work.is_overdue or (work.walk.asked and self._tries.get(work.walk.asked, 0) > TRIES):
            work.step(Walk.silence)
        elif self._down_at is not None and now >= self._down_at and work.walk.asked:
            self._put(work.walk.asked, 1.0)

    def _try_pieces(self, work: Commissioning, now: float) -> None:
        if self._down_at is not None and now >= self._down_at:
            if not self._pieces:
                work.go_on()
                return
            good = [site for site, answer in work.walk.answers.items() if answer]
            self._put(good[len(self._pieces) % len(good)], self._pieces.pop(0))

    def _lift(self, now: float) -> None:
        if self._site is not None:
            self._device.set(self._site, State.OPEN)
        self._site, self._down_at = None, now + LIFT_S

    def _put(self, site: str, strength: float) -> None:
        self._device.set(site, State.NORTH, strength)
        self._site, self._down_at = site, None
        self._tries[site] = self._tries.get(site, 0) + 1
