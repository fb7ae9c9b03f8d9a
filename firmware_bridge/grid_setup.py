"""Sets a grid up that is in use: tests it, calibrates it in single steps, or commissions it site by site.

Meanwhile nothing that stands on the board counts as play. Play goes on by itself a while after the last step.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from companion.core.board import Board
from companion.core.errors import CompanionError
from companion.core.game import Site
from companion.language import say, say_count, sentences
from firmware_bridge.calibrate import (
    Scan,
    calibrate,
    examine,
    heat,
    strengths,
    walked,
    walking_piece,
)
from firmware_bridge.commissioning import Commissioning
from firmware_bridge.commissioning_sheet import Sheet, sheet_of
from firmware_bridge.grid_source import GridSource
from firmware_bridge.link import LinkEvent, PortError
from firmware_bridge.messages import Read
from firmware_bridge.scans import Scanner
from firmware_bridge.sensors import TURNED_OVER, Calibration, SensorVerdict, say_advice, say_verdict
from firmware_bridge.wiring import Wiring, rewired

SCANS, TEST_SCANS, WALK_SCANS = 30, 60, 12
"""Scans of a board for calibration, for a test, and for a moment of the walk."""
PATIENCE_S = 3.0
"""Seconds that the device may take to send levels."""
FULL_NOTED = say("The full board is noted. A walk with one piece shows which sensors feel their neighbour's.")
UNCHANGED = 0.2
"""The share of the usual swing below which a site did not change."""
MOST_NAMED = 8
"""The number of sites that are named; of more it is said that there are more."""
IDLE_S = 60.0
"""Seconds after the last step until play goes on by itself."""


class GridSetupError(CompanionError):
    """A step that cannot be taken now."""


class DoubtfulCalibrationError(GridSetupError):
    """A calibration that leaves sensors out: it is kept only by who is sure of it."""


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """A site as the page shows it.

    `share` says how strongly it feels its magnet (1 is usual, None is not known), `felt` whether it feels one
    now, and `verdict` and `advice` what is wrong with it.
    """

    share: float | None
    felt: bool
    verdict: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class SetupStatus:
    """The progress of a calibration, with words for a person."""

    board: str
    sensor: str
    words: str
    steps: Mapping[str, int]
    """Numbers of scans of the `empty` and the `full` board, and of sites that the `walk` has reached."""
    spots: Mapping[Site, SiteStatus]
    is_saved: bool = False
    wires: Mapping[Site, Site] = field(default_factory=dict)
    """The map of the wires that is in use: those that end at another sensor than in the table."""


@dataclass(slots=True)
class _Notes:
    """The scans that were gathered so far."""

    empty: list[Scan] = field(default_factory=list)
    full: list[Scan] = field(default_factory=list)
    walk: dict[Site, Scan] = field(default_factory=dict)
    bad: dict[Site, SensorVerdict] | None = None
    """The sensors that a test found bad; None before a test, when the verdicts of the calibration are
    shown."""


class GridSetup:
    """The steps, for one grid's source.

    The calibration is saved to `path`. Steps may come from any thread.
    """

    def __init__(
        self,
        source: GridSource,
        path: Path,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], float] = time.time,
    ) -> None:
        self.source = source
        self._path, self._clock, self._today = path, clock, today
        self._lock = threading.Lock()
        self._notes = _Notes()
        self._bridged: set[Site] = set()

        self._work: Commissioning | None = None
        self._work_lock = threading.RLock()
        self._seen = -1e9
        """When the commissioning was last looked at: it goes on while somebody looks."""
        self._is_kept = False
        self._sheet: tuple[object, Sheet, float] | None = None
        source.follower = self._follow

    @contextmanager
    def commissioning(self) -> Iterator[Commissioning]:
        """Hands out the commissioning that is on, and lets it go on for a while.

        GridSetupError when none was begun.
        """
        with self._work_lock:
            if self._work is None:
                raise GridSetupError(say("begin the commissioning first"))
            self._seen = self._clock()
            self._hold(self._seen)
            yield self._work
            self.source.shine_instead(self._work.lamps())

    def begin(self) -> None:
        """Begins a commissioning of the grid that is plugged in; one that is on is forgotten."""
        wiring, hello = self._wiring(), self.source.hello
        assert hello is not None
        with self._work_lock:
            self._work = Commissioning(wiring, hello, self._known())
            self._is_kept = False

    @property
    def is_begun(self) -> bool:
        """True when a commissioning was begun, whether or not somebody looks at it."""
        return self._work is not None

    @property
    def is_kept(self) -> bool:
        """True when what the commissioning has learned is in use."""
        return self._is_kept

    def sheet(self, work: Commissioning) -> tuple[Sheet, float]:
        """Returns what the commissioning has found so far, and when that was (seconds since 1970)."""
        key = (id(work), work.told, work.stage, self._is_kept)
        if self._sheet is None or self._sheet[0] != key:
            self._sheet = (key, sheet_of(work), self._today())
        return self._sheet[1:]

    def keep(self, with_map: bool) -> None:
        """Saves what the commissioning has learned and uses it from now on.

        `with_map` reads the wires as they are soldered, else as in the table.
        """
        with self.commissioning() as work:
            try:
                made = work.calibration(with_map)
                made.save(self._path)
            except CompanionError as error:
                raise GridSetupError(str(error)) from error
            self.source.adopt(made)
            work.known, self._is_kept = made, True

    def forget_map(self) -> SetupStatus:
        """Takes each wire for that of the site which the table means it for, from now on."""
        with self._lock:
            wiring, known = self._wiring(), self._known()
            if known is None or not known.wires:
                raise GridSetupError(say("no map of the wires is in use"))
            plain = known.without_map()
            try:
                plain.save(self._path)
            except CompanionError as error:
                raise GridSetupError(str(error)) from error
            self.source.adopt(plain)
            return self._status(rewired(wiring, {}), say("The wires are read as in the table."))

    def _follow(self, event: LinkEvent, now: float) -> None:
        """Hands the commissioning what comes over the line, in the link's thread."""
        with self._work_lock:
            work = self._work
            if work is None:
                return
            work.receive(event, now)
            if self._clock() - self._seen > IDLE_S:
                self.source.shine_instead(None)
                return
            for message in work.due(now):
                self.source.link.send(message)
            self.source.shine_instead(work.lamps())

    def _hold(self, now: float) -> None:
        self.source.hold_play(until=now + IDLE_S)

    def _known(self) -> Calibration | None:
        return self.source.grid.calibration if self.source.grid else None

    def look(self) -> SetupStatus:
        """Returns how the grid is now."""
        wiring = self._wiring()
        if not self._lock.locked():  # a step that measures needs all scans for itself
            self.source.link.send(Read(1, 0))
        return self._status(wiring, "")

    def take_empty(self) -> SetupStatus:
        """Begins anew: notes what the sensors say at rest, while nothing stands on the board."""
        with self._lock:
            wiring, scans = self._scan(SCANS)
            self._notes = _Notes(empty=scans)
            return self._status(
                wiring,
                say(
                    "The empty board is noted. Now move {piece} slowly over every site.",
                    piece=walking_piece(self._poles()),
                ),
            )

    def take_full(self) -> SetupStatus:
        """Notes what the sensors say while a piece stands on every site."""
        with self._lock:
            self._need_empty()
            wiring, self._notes.full = self._scan(SCANS)
            shares = strengths(self._notes.empty, self._notes.full, self._notes.walk)
            unchanged = [site for site in wiring.sites if shares[site] < UNCHANGED]
            return self._status(wiring, _ask_whether_empty(unchanged) if unchanged else FULL_NOTED)

    def walk(self) -> SetupStatus:
        """Notes a moment of one magnet's walk over the empty board.

        Is called again until all sites were visited.
        """
        with self._lock:
            self._need_empty()
            wiring, scans = self._scan(WALK_SCANS)
            notes = self._notes
            notes.walk = walked(notes.empty, [*notes.walk.values(), *scans])
            left = [site for site in wiring.sites if site not in notes.walk]
            words = say("Still to visit: {places}.", places=_named(left))
            return self._status(wiring, words if left else say("Every site was visited."))

    def finish(self, is_sure: bool = False) -> SetupStatus:
        """Computes thresholds and a verdict for each sensor, saves them, and uses them from now on.

        DoubtfulCalibrationError where sensors would be left out, which may block play, and nobody is sure.
        """
        with self._lock:
            wiring, notes = self._wiring(), self._notes
            try:
                wires = known.wires if (known := self._known()) else {}
                made = calibrate(wiring, notes.empty, notes.full, notes.walk, self._poles(), wires)
                if made.blind and not is_sure:
                    raise DoubtfulCalibrationError(_doubt(made))
                made.save(self._path)
            except DoubtfulCalibrationError:
                raise
            except CompanionError as error:
                raise GridSetupError(str(error)) from error
            self.source.adopt(made)
            self.source.resume_play()
            self._notes = _Notes()
            words = sentences(_sum_up(len(made.blind), len(made.sites)), _name_turned(made.turned))
            return self._status(wiring, words, is_saved=True)

    def test(self, stands: str) -> SetupStatus:
        """Tests the grid in a few seconds.

        `stands` says that the board is `empty`, `full`, or '' (as it is).
        """
        with self._lock:
            wiring, scans = self._scan(TEST_SCANS)
            known = self._known()
            occupied = dict.fromkeys(wiring.sites, stands == "full") if stands else None
            if not stands:  # nothing was moved for it
                self.source.resume_play()
            bad = examine(wiring, scans, known, occupied) | dict.fromkeys(self._bridged, SensorVerdict.DIODE)
            self._notes = _Notes(bad=bad)
            return self._status(wiring, _sum_up(len(bad), len(wiring.sites)))

    def hold(self) -> None:
        """Lets nothing count as play for a while; magnets of a virtual grid stay where they are put."""
        self._hold(self._clock())

    def leave(self) -> None:
        """Lets play go on. What was gathered is forgotten; a commissioning can be gone on with."""
        with self._work_lock:
            self._seen = -1e9
            self.source.shine_instead(None)
        with self._lock:
            self._notes = _Notes()
            self.source.resume_play()

    def board(self) -> Board:
        """Returns the board that the grid is built for."""
        wiring = self._wiring()
        return next(b for b in self.source.boards if tuple(b.sites) == wiring.sites)

    def _wiring(self) -> Wiring:
        grid = self.source.grid
        if grid is None or not self.source.link.up:
            raise GridSetupError(say("no sensor grid is connected: plug it in"))
        return grid.wiring

    def _poles(self) -> Mapping[str, tuple[str, ...]]:
        """Returns the looks that poles stand for, as the calibration until now says."""
        known = self._known()
        return known.poles if known else {}

    def _need_empty(self) -> None:
        if not self._notes.empty:
            raise GridSetupError(say("begin with the empty board"))

    def _scan(self, count: int) -> tuple[Wiring, list[Scan]]:
        wiring = self._wiring()
        self.source.hold_play(until=self._clock() + IDLE_S)
        with self.source.listening() as events:
            scanner = Scanner(wiring, self.source.link.send, events, PATIENCE_S)
            try:
                scans = scanner.scans(count)
            except PortError as error:
                raise GridSetupError(str(error)) from error
            self._bridged = scanner.bridged
        return wiring, scans

    def _status(self, wiring: Wiring, words: str, is_saved: bool = False) -> SetupStatus:
        notes, grid = self._notes, self.source.grid
        steps = {"empty": len(notes.empty), "full": len(notes.full), "walk": len(notes.walk)}
        states = grid.states if grid else {}
        known = grid.calibration if grid else None
        shares, bad = self._shares(known), _verdicts(notes, known)
        spots = {
            site: SiteStatus(shares.get(site), bool(states.get(site)), say_verdict(v), say_advice(v))
            if (v := bad.get(site)) else SiteStatus(shares.get(site), bool(states.get(site)))
            for site in wiring.sites
        }  # fmt: skip
        return SetupStatus(
            wiring.board,
            wiring.sensor.name.lower(),
            words,
            steps,
            spots,
            is_saved,
            known.wires if known else {},
        )

    def _shares(self, known: Calibration | None) -> Mapping[Site, float]:
        notes = self._notes
        if notes.full or notes.walk:
            return strengths(notes.empty, notes.full, notes.walk)
        return heat(known) if known and not notes.empty else {}


def _verdicts(notes: _Notes, known: Calibration | None) -> Mapping[Site, SensorVerdict]:
    """Returns the sensors to show as bad: by the test, else by the calibration; none while one is made."""
    if notes.bad is not None:
        return notes.bad
    if notes.empty or known is None:
        return {}
    return {site: known.sites[site].verdict for site in known.blind}


def _ask_whether_empty(sites: Sequence[Site]) -> str:
    return say_count(
        "{n} site did not change: {sites}. Was it empty at first, and does its piece stand there now?",
        "{n} sites did not change: {sites}. Were they empty at first, and do their pieces stand there now?",
        len(sites),
        sites=_named(sites),
    )


def _doubt(made: Calibration) -> str:
    """Says which sensors a calibration leaves out, and what may have gone wrong."""
    without_swing = (SensorVerdict.STUCK, SensorVerdict.DEAD)
    still = [site for site, levels in made.sites.items() if levels.verdict in without_swing]
    others = [site for site in made.sites if site in made.blind and site not in still]
    left_out = say_count(
        "What stands on {n} site is not felt if this is kept.",
        "What stands on {n} sites is not felt if this is kept.",
        len(made.blind),
    )
    bad = say("Not good: {sites}.", sites=_named(others))
    return sentences(*([_ask_whether_empty(still)] if still else []), *([bad] if others else []), left_out)


def _named(sites: Sequence[Site]) -> str:
    return f"{', '.join(sites[:MOST_NAMED])}{' …' if len(sites) > MOST_NAMED else ''}"


def _sum_up(bad: int, count: int) -> str:
    return (
        say("All {count} sensors are good.", count=count)
        if not bad
        else say("{good} of {count} sensors are good.", good=count - bad, count=count)
    )


def _name_turned(sites: Sequence[Site]) -> str:
    return (
        say("Turned over: {places}. Each {turned_over}.", places=", ".join(sites), turned_over=TURNED_OVER)
        if sites
        else ""
    )
