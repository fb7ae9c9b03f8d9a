"""Finds sensors that go bad during a game, by their behaviour, until they behave again.

A switch that chatters is noisy. One whose diode lets current flow backwards can make a ghost of a piece at
the fourth corner of a rectangle. An analogue level at the end of its range is a broken wire. Two switches
side by side that close as one may both feel the same piece: neither is believed until one of them changes
again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from itertools import combinations
from statistics import median

from companion.core.game import Site
from firmware_bridge.line.messages import LEVEL_MAX, State
from firmware_bridge.line.wiring import Address, Wiring, neighbours
from firmware_bridge.sensing.calibration import SensorVerdict

NOISY_CHANGES = 12
NOISY_S = 3.0
"""So many changes within so many seconds are noise: nobody lifts and places a piece six times in three."""
QUIET_S = 10.0
"""Seconds after its last noise during which a sensor counts as noisy still."""
DIODE_S = 30.0
"""Seconds during which a diode counts as bad after it was seen to fail."""
RAIL = 8
"""Counts from either end of the range within which a level is that of a broken wire."""
BLINK_S = 0.3
"""Seconds: a switch that was open for no longer has blinked, and nothing was put there."""
AS_ONE_S = 0.06
"""Seconds between two closings that are one piece: nobody puts two pieces down so close together."""
WEAK_SHARE, BLEEDING_SHARE = 0.4, 0.15
WEAK_TIMES = 3
"""Pieces in a row that have to be hardly felt: one alone may stand askew."""
FEWEST_SWINGS = 4
"""Swings that have to be known before one of them can be unusual."""


class Strength:
    """Learns during a game how strongly linear sensors feel their magnets; `neighbours` are the sites beside
    each.

    Nothing has to be known before. A site that is empty, with empty neighbours, shows its level at rest, and
    sites that are occupied show the usual swing. A sensor that hardly felt the last few pieces on it is weak;
    an empty one that its neighbour's magnet moves is bleeding.
    """

    def __init__(self, neighbours: Mapping[Site, frozenset[Site]]) -> None:
        self._neighbours = neighbours
        self._rest: dict[Site, int] = {}
        self._swing: dict[Site, int] = {}
        self._weak: dict[Site, int] = {}
        self._fresh: set[Site] = set()
        self._bleeding: set[Site] = set()

    def change(self, site: Site) -> None:
        """Notes that a piece was put there or taken away, so that the next level is of another piece."""
        self._fresh.add(site)

    def learn(self, levels: Mapping[Site, int], states: Mapping[Site, State]) -> None:
        """Takes levels in that were read while these were the states."""
        for site, level in levels.items():
            if states.get(site, State.OPEN) is not State.OPEN:
                self._feel_own(site, level)
            elif all(states.get(n, State.OPEN) is State.OPEN for n in self._neighbours[site]):
                self._rest[site] = level
                self._bleeding.discard(site)
            elif site in self._rest:
                self._feel_other(site, level)

    def verdicts(self) -> dict[Site, SensorVerdict]:
        weak = {site: SensorVerdict.WEAK for site, times in self._weak.items() if times >= WEAK_TIMES}
        return weak | dict.fromkeys(self._bleeding, SensorVerdict.BLEEDING)

    def _usual(self) -> float | None:
        return median(self._swing.values()) if len(self._swing) >= FEWEST_SWINGS else None

    def _feel_own(self, site: Site, level: int) -> None:
        self._bleeding.discard(site)
        usual = self._usual()
        if site not in self._rest:
            return
        self._swing[site] = abs(level - self._rest[site])
        if usual is None or site not in self._fresh:
            return
        self._fresh.discard(site)
        is_weak = self._swing[site] < WEAK_SHARE * usual
        self._weak[site] = self._weak.get(site, 0) + 1 if is_weak else 0

    def _feel_other(self, site: Site, level: int) -> None:
        usual = self._usual()
        if usual is not None and abs(level - self._rest[site]) > BLEEDING_SHARE * usual:
            self._bleeding.add(site)
        else:
            self._bleeding.discard(site)


class Health:
    """The sensors that cannot be trusted now, by site."""

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
        """Notes that a site has changed; `since` is when, by the device's clock."""
        self._pair(site, now if since is None else since, occupied)
        self._strength.change(site)
        changes = self._changes.setdefault(site, deque(maxlen=NOISY_CHANGES))
        changes.append(now)
        if len(changes) == NOISY_CHANGES and now - changes[0] <= NOISY_S:
            self._noisy[site] = now

    def bad_diode(self, site: Site, now: float) -> None:
        """Notes that current has flowed where the site's diode should stop it."""
        self._bridged[site] = now

    def _pair(self, site: Site, time: float, occupied: bool) -> None:
        """Keeps the pairs of neighbours that closed as one."""
        self._drop_pairs({site})
        self._closed.pop(site, None)
        if not occupied:
            self._opened[site] = time
            return
        if time - self._opened.get(site, -1e9) <= BLINK_S:
            return
        as_one = {other for other, closed in self._closed.items() if time - closed <= AS_ONE_S}
        self._closed[site] = time
        if len(as_one) == 1 and as_one <= self._beside[site]:
            self._pairs.add(frozenset((site, *as_one)))
        else:  # more of them: a board that is set up with both arms, or switched on
            self._drop_pairs(as_one)

    def _drop_pairs(self, sites: set[Site]) -> None:
        self._pairs = {pair for pair in self._pairs if pair.isdisjoint(sites)}

    def levels(self, levels: Mapping[Site, int], states: Mapping[Site, State]) -> None:
        """Takes analogue readings in: one at either end of its range is a wire that is broken or shorted."""
        self._strength.learn(levels, states)
        for site, level in levels.items():
            if RAIL <= level <= LEVEL_MAX - RAIL:
                self._railed.discard(site)
            else:
                self._railed.add(site)

    def verdicts(self, now: float) -> dict[Site, SensorVerdict]:
        """Returns the sites that are bad by themselves, and how."""
        found = {site: SensorVerdict.NOISY for site, last in self._noisy.items() if now - last < QUIET_S}
        found |= dict.fromkeys((site for pair in self._pairs for site in pair), SensorVerdict.BLEEDING)
        return found | self._strength.verdicts() | dict.fromkeys(self._railed, SensorVerdict.DEAD)

    def bridged(self, now: float) -> tuple[Site, ...]:
        """Returns the sites whose diodes are missing or the wrong way round, as lately seen."""
        return tuple(site for site, seen in self._bridged.items() if now - seen < DIODE_S)

    def ghosts(self, occupied: Iterable[Site], now: float) -> frozenset[Site]:
        """Returns the occupied sites that may be ghosts: fourth corners opposite to one without a diode."""
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


def _fourth_corners(a: Address, b: Address, closed: Mapping[Address, Site], bridged: set[Site]) -> list[Site]:
    """Returns the ends of the diagonal a-b that may be ghosts because the other end lets current through."""
    if Address(a.row, b.column) not in closed or Address(b.row, a.column) not in closed:
        return []
    return [closed[x] for x, y in ((a, b), (b, a)) if closed[y] in bridged]
