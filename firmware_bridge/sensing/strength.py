"""Learns during a game how strongly linear sensors feel their magnets.

Nothing has to be known before. A site that is empty, with empty neighbours, shows its level at rest, and
sites that are occupied show the usual swing. A sensor that hardly felt the last few pieces on it is weak; an
empty one that its neighbour's magnet moves is bleeding.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

from companion.core.game import Site
from firmware_bridge.line.messages import State
from firmware_bridge.sensing.calibration import SensorVerdict

WEAK_SHARE, BLEEDING_SHARE = 0.4, 0.15
WEAK_TIMES = 3
"""Pieces in a row that have to be hardly felt: one alone may stand askew."""
FEWEST_SWINGS = 4
"""Swings that have to be known before one of them can be unusual."""


class Strength:
    """The levels at rest and the swings of all sites; `neighbours` are the sites beside each."""

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
