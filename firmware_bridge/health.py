"""Sensors that go bad while a game is on: told from how they behave, by site, until they behave again.

A switch that chatters is noisy; one whose diode lets current flow backwards can make a ghost of a piece
at the fourth corner of a rectangle; an analogue level at the end of its range is a broken wire. Two
switches side by side that close as one may both feel the same piece: neither is believed until one of them
changes again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from itertools import combinations

from companion.core import Site
from firmware_bridge.messages import LEVEL_MAX, State
from firmware_bridge.sensors import Verdict
from firmware_bridge.strength import Strength
from firmware_bridge.wiring import Address, Wiring, neighbours

NOISY_CHANGES = 12
NOISY_S = 3.0
"""Nobody lifts and places a piece six times in three seconds."""
QUIET_S = 10.0
DIODE_S = 30.0
RAIL = 8
BLINK_S = 0.3
"""A switch that was open for no longer has blinked: nothing was put there."""
AS_ONE_S = 0.06
"""Nobody puts two pieces down so close together, in place and in time."""


class Health:
    """Which sensors cannot be trusted now."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self._changes: dict[Site, deque[float]] = {}
        self._noisy: dict[Site, float] = {}
        self._bridged: dict[Site, float] = {}
        self._railed: set[Site] = set()
        self._beside = neighbours(wiring)
        self._closed: dict[Site, float] = {}
        self._opened: dict[Site, float] = {}
        self._pairs: set[frozenset[Site]] = set()
        self._strength = Strength(self._beside)

    def change(self, site: Site, now: float, occupied: bool = True, since: float | None = None) -> None:
        """The site has changed; `since` is when, by the device's clock."""
        self._pair(site, now if since is None else since, occupied)
        self._strength.change(site)
        changes = self._changes.setdefault(site, deque(maxlen=NOISY_CHANGES))
        changes.append(now)
        if len(changes) == NOISY_CHANGES and now - changes[0] <= NOISY_S:
            self._noisy[site] = now

    def bad_diode(self, site: Site, now: float) -> None:
        """Current has flowed where the site's diode should stop it."""
        self._bridged[site] = now

    def _pair(self, site: Site, time: float, occupied: bool) -> None:
        self._pairs = {pair for pair in self._pairs if site not in pair}
        self._closed.pop(site, None)
        if not occupied:
            self._opened[site] = time
        elif time - self._opened.get(site, -1e9) > BLINK_S:
            as_one = {n for n, closed in self._closed.items() if time - closed <= AS_ONE_S}
            self._closed[site] = time
            if len(as_one) == 1 and as_one <= self._beside[site]:
                self._pairs.add(frozenset((site, *as_one)))
            else:  # more of them: a board that is set up with both arms, or switched on
                self._pairs = {pair for pair in self._pairs if pair.isdisjoint(as_one)}

    def levels(self, levels: Mapping[Site, int], states: Mapping[Site, State]) -> None:
        """Analogue readings: one at either end is a wire that is broken or shorted."""
        self._strength.learn(levels, states)
        for site, level in levels.items():
            if RAIL <= level <= LEVEL_MAX - RAIL:
                self._railed.discard(site)
            else:
                self._railed.add(site)

    def verdicts(self, now: float) -> dict[Site, Verdict]:
        """The sites that are bad by themselves."""
        found = {site: Verdict.NOISY for site, last in self._noisy.items() if now - last < QUIET_S}
        found |= dict.fromkeys((site for pair in self._pairs for site in pair), Verdict.BLEEDING)
        return found | self._strength.verdicts() | dict.fromkeys(self._railed, Verdict.DEAD)

    def bridged(self, now: float) -> tuple[Site, ...]:
        """The sites whose diodes are missing, or the wrong way round, as lately seen."""
        return tuple(site for site, seen in self._bridged.items() if now - seen < DIODE_S)

    def ghosts(self, occupied: Iterable[Site], now: float) -> frozenset[Site]:
        """The occupied sites that may be ghosts: fourth corners opposite to a site without a diode."""
        bridged = set(self.bridged(now))
        if not bridged:
            return frozenset()
        at = dict(zip(self._wiring.sites, self._wiring.addresses, strict=True))
        closed = {at[site]: site for site in occupied}
        return frozenset(
            ghost
            for a, b in combinations(sorted(closed), 2)
            if a.row != b.row and a.column != b.column
            for ghost in _fourth_corners(a, b, closed, bridged)
        )


def _fourth_corners(
    a: Address, b: Address, closed: Mapping[Address, Site], bridged: set[Site]
) -> list[Site]:
    """Of the diagonal a-b, the ends that may be ghosts because the other end lets current through."""
    if Address(a.row, b.column) not in closed or Address(b.row, a.column) not in closed:
        return []
    return [closed[x] for x, y in ((a, b), (b, a)) if closed[y] in bridged]
