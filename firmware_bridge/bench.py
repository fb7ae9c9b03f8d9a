"""Testing and calibrating a grid that is in use: the steps of `companion calibrate --grid`, one at a time.

While it goes on nothing that stands on the board counts as play. A step that nobody follows up lets play go
on after a while.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.board import Board
from companion.core import Site
from firmware_bridge.calibrate import (
    Scan,
    TooLittleError,
    calibrate,
    examine,
    heat,
    strengths,
    walked,
)
from firmware_bridge.eye import GridEye
from firmware_bridge.link import PortError
from firmware_bridge.messages import Read
from firmware_bridge.scans import Scanner
from firmware_bridge.sensors import ADVICE, Calibration, Verdict
from firmware_bridge.wiring import Wiring

SCANS, TEST_SCANS, WALK_SCANS = 30, 60, 12
PATIENCE_S = 3.0
FULL_NOTED = "The full board is noted. A walk with one piece shows which sensors feel their neighbour's."
IDLE_S = 60.0
"""So long after the last step a game goes on by itself."""


class BenchError(ValueError):
    """What stands in the way of a step: one line that says what to do."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A site as the page shows it: how strongly it feels its magnet (1 is usual), whether something is felt
    on it now, and what is wrong with it."""

    share: float | None
    felt: bool
    verdict: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a calibration stands."""

    board: str
    sensor: str
    words: str
    steps: Mapping[str, int]
    """How many scans there are of the empty and the full board, and how many sites were walked over."""
    spots: Mapping[Site, Spot]
    is_saved: bool = False


@dataclass(slots=True)
class _Notes:
    """What has been gathered so far."""

    empty: list[Scan] = field(default_factory=list)
    full: list[Scan] = field(default_factory=list)
    walk: dict[Site, Scan] = field(default_factory=dict)
    bad: dict[Site, Verdict] | None = None
    """What a test found; None without one, when the calibration's own verdicts are shown."""


class GridBench:
    """The steps, on one eye; what is learned goes to `path`. Steps may come from any thread."""

    def __init__(
        self, eye: GridEye, path: Path, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.eye = eye
        self._path, self._clock = path, clock
        self._lock = threading.Lock()
        self._notes = _Notes()
        self._bridged: set[Site] = set()

    def look(self) -> Found:
        """How the grid is now."""
        wiring = self._wiring()
        if not self._lock.locked():  # a step that measures needs all scans for itself
            self.eye.link.send(Read(1, 0))
        return self._found(wiring, "")

    def take_empty(self) -> Found:
        """Nothing stands on the board: what the sensors say at rest. Begins anew."""
        with self._lock:
            wiring, scans = self._scan(SCANS)
            self._notes = _Notes(empty=scans)
            return self._found(wiring, "The empty board is noted. Now put a piece on every site.")

    def take_full(self) -> Found:
        """A piece stands on every site."""
        with self._lock:
            self._need_empty()
            wiring, self._notes.full = self._scan(SCANS)
            return self._found(wiring, FULL_NOTED)

    def walk(self) -> Found:
        """A moment of one magnet's walk over the empty board; called again until all sites were visited."""
        with self._lock:
            self._need_empty()
            wiring, scans = self._scan(WALK_SCANS)
            notes = self._notes
            notes.walk = walked(notes.empty, [*notes.walk.values(), *scans])
            left = [site for site in wiring.sites if site not in notes.walk]
            words = f"Still to visit: {', '.join(left[:8])}{' …' if len(left) > 8 else ''}."
            return self._found(wiring, words if left else "Every site was visited.")

    def finish(self) -> Found:
        """Thresholds and a verdict for each sensor, kept and used from now on."""
        with self._lock:
            wiring, notes = self._wiring(), self._notes
            known = self.eye.grid.calibration if self.eye.grid else None
            try:
                made = calibrate(wiring, notes.empty, notes.full, notes.walk, known.poles if known else None)
                made.save(self._path)
            except (TooLittleError, OSError) as error:
                raise BenchError(f"{error}") from error
            self.eye.adopt(made)
            self.eye.busy_until = 0.0
            self._notes = _Notes()
            return self._found(wiring, _sum_up(len(made.blind), len(made.sites)), is_saved=True)

    def test(self, stands: str) -> Found:
        """A test in a few seconds; `stands` says whether the board is `empty`, `full`, or '' (as it is)."""
        with self._lock:
            wiring, scans = self._scan(TEST_SCANS)
            known = self.eye.grid.calibration if self.eye.grid else None
            occupied = dict.fromkeys(wiring.sites, stands == "full") if stands else None
            if not stands:  # nothing was moved for it
                self.eye.busy_until = 0.0
            bad = examine(wiring, scans, known, occupied) | dict.fromkeys(self._bridged, Verdict.DIODE)
            self._notes = _Notes(bad=bad)
            return self._found(wiring, _sum_up(len(bad), len(wiring.sites)))

    def leave(self) -> None:
        """Play goes on; what was gathered is forgotten."""
        with self._lock:
            self._notes = _Notes()
            self.eye.busy_until = 0.0

    def board(self) -> Board:
        """The board that the grid is built for."""
        wiring = self._wiring()
        return next(b for b in self.eye.boards if tuple(b.sites) == wiring.sites)

    def _wiring(self) -> Wiring:
        grid = self.eye.grid
        if grid is None or not self.eye.link.up:
            raise BenchError("no sensor grid is connected: plug it in")
        return grid.wiring

    def _need_empty(self) -> None:
        if not self._notes.empty:
            raise BenchError("begin with the empty board")

    def _scan(self, count: int) -> tuple[Wiring, list[Scan]]:
        wiring = self._wiring()
        self.eye.busy_until = self._clock() + IDLE_S
        with self.eye.listening() as events:
            scanner = Scanner(wiring, self.eye.link.send, events, PATIENCE_S)
            try:
                scans = scanner.scans(count)
            except PortError as error:
                raise BenchError(str(error)) from error
            self._bridged = scanner.bridged
        return wiring, scans

    def _found(self, wiring: Wiring, words: str, is_saved: bool = False) -> Found:
        notes, grid = self._notes, self.eye.grid
        steps = {"empty": len(notes.empty), "full": len(notes.full), "walk": len(notes.walk)}
        states = grid.states if grid else {}
        known = grid.calibration if grid else None
        shares, bad = self._shares(known), _verdicts(notes, known)
        spots = {
            site: Spot(shares.get(site), bool(states.get(site)), str(v), ADVICE[v])
            if (v := bad.get(site)) else Spot(shares.get(site), bool(states.get(site)))
            for site in wiring.sites
        }  # fmt: skip
        return Found(wiring.board, wiring.sensor.name.lower(), words, steps, spots, is_saved)

    def _shares(self, known: Calibration | None) -> Mapping[Site, float]:
        notes = self._notes
        if notes.full or notes.walk:
            return strengths(notes.empty, notes.full, notes.walk)
        return heat(known) if known and not notes.empty else {}


def _verdicts(notes: _Notes, known: Calibration | None) -> Mapping[Site, Verdict]:
    """What is shown as bad: what a test found, else what the calibration says, nothing while one is made."""
    if notes.bad is not None:
        return notes.bad
    if notes.empty or known is None:
        return {}
    return {site: known.sites[site].verdict for site in known.blind}


def _sum_up(bad: int, count: int) -> str:
    return f"All {count} sensors are good." if not bad else f"{count - bad} of {count} sensors are good."
