"""Sets a grid up that is in use: commissions it site by site, and tests it later in a few seconds.

Meanwhile nothing that stands on the board counts as play. Play goes on by itself a while after the last step.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from msgspec import UNSET, UnsetType

from companion.core.board import Board
from companion.core.game import Site
from companion.language import say
from companion.wire.values import Place, Wire
from firmware_bridge.line.link import Down, LinkEvent
from firmware_bridge.line.messages import Read
from firmware_bridge.line.wiring import Wiring, rewire
from firmware_bridge.sensing.calibration import Calibration, SensorVerdict, say_advice, say_verdict
from firmware_bridge.sensing.grid_source import UNCONNECTED, GridSource, VirtualGridSource
from firmware_bridge.setup.calibrate import GridSetupError, Scan, examine, heat
from firmware_bridge.setup.commissioning import Commissioning
from firmware_bridge.setup.scans import ScanStream
from firmware_bridge.setup.sheet import CommissioningSheet, sheet_of
from firmware_bridge.setup.walk import NOTES, SiteAnswer, WalkNotes, load_notes

TEST_SCANS = 60
"""Scans of a test: some three seconds."""
LEVELS_WITHIN_S = 3.0
"""Seconds that the device may take to send levels."""
NO_LEVELS = say("the sensor grid sends no levels: is its firmware up to date?")
IDLE_S = 60.0
"""Seconds after the last step until play goes on by itself."""


class Spot(Wire):
    """One sensor of the grid."""

    share: float | None
    """1 where a magnet is felt as strongly as usual."""
    felt: bool
    verdict: str = ""
    advice: str = ""
    tried: bool | UnsetType = UNSET
    """Commissioning has tried it."""


class GridStatus(Wire, kw_only=True):
    """The grid as it is now."""

    board: str
    sensor: str
    words: str
    spots: Mapping[Place, Spot]
    wires: Mapping[Place, Place]
    """The map of the wires that is in use: those that end at another sensor than in the table."""

    @property
    def bad(self) -> dict[Site, Spot]:
        """Returns the sites whose sensors are not good."""
        return {site: spot for site, spot in self.spots.items() if spot.verdict}


class GridSetup:
    """The steps, for one grid's source.

    The calibration is saved to `path`. Steps may come from any thread.
    """

    def __init__(self, source: GridSource, path: Path) -> None:
        self.source = source
        self._path = path
        self._test_lock = threading.Lock()
        self._bad: Mapping[Site, SensorVerdict] | None = None
        """The sensors that a test found bad; None before a test: the verdicts of the calibration count."""
        self._tested: SimpleQueue[LinkEvent] | None = None
        """Collects what comes over the line while a test is on."""

        self._work: Commissioning | None = None
        self._work_lock = threading.RLock()
        self._seen = -1e9
        """When the commissioning was last looked at: it goes on while somebody looks."""
        self._kept: Mapping[Site, SiteAnswer | None] | None = None
        self._noted: Mapping[Site, SiteAnswer | None] = {}
        """The answers of the walk that are in use, and those that are noted down."""
        is_real = not isinstance(source, VirtualGridSource)
        self._notes_path = path.with_name(NOTES) if is_real else None
        self._notes = load_notes(self._notes_path) if self._notes_path else None
        """The walk that was broken off when the companion was ended."""
        self._sheet: tuple[object, CommissioningSheet, float] | None = None
        source.follower = self._follow

    @contextmanager
    def commissioning(self) -> Iterator[Commissioning]:
        """Hands out the commissioning that is on, and lets it go on for a while.

        GridSetupError when none was begun.
        """
        with self._work_lock:
            if self._work is None and self._notes is not None and self.is_begun:
                # The empty board is measured anew: it may have changed.
                self.begin(self._notes.poles, self._notes.answers)
            if self._work is None:
                raise GridSetupError(say("begin the commissioning first"))
            self._seen = self.source.clock()
            self.hold()
            try:
                yield self._work
            finally:
                self._note_down(self._work)
            self.source.shine_instead(self._work.lamps())

    def _note_down(self, work: Commissioning) -> None:
        """Keeps what the walk has found on disk, until the whole of it is in use."""
        wiring, answers = work.wiring, dict(work.walk.answers)
        if self._notes_path is None or answers == self._noted:
            return
        self._noted = answers
        with suppress(OSError):  # it can then not be gone on with after a restart, and no more
            WalkNotes(wiring.check, wiring.sensor, answers, dict(work.poles)).save(self._notes_path)

    def begin(
        self,
        poles: Mapping[str, tuple[str, ...]] | None = None,
        answers: Mapping[Site, SiteAnswer | None] | None = None,
    ) -> None:
        """Begins a commissioning of the grid that is plugged in; one that is on is forgotten.

        `poles` names the looks that a pole stands for, where they are not those of the calibration in use;
        `answers` are those of a walk that was broken off.
        """
        wiring, hello = self._wiring(), self.source.hello
        assert hello is not None
        with self._work_lock:
            self._work = Commissioning(wiring, hello, self._known(), poles)
            self._work.walk.answers |= answers or {}
            self._kept, self._noted = None, {}

    @property
    def is_begun(self) -> bool:
        """True when a commissioning was begun, whether or not somebody looks at it."""
        return self._work is not None or (self._notes is not None and self._notes.fits(self._wiring()))

    @property
    def is_kept(self) -> bool:
        """True when what the commissioning has learned is in use."""
        return self._work is not None and self._work.walk.answers == self._kept

    def sheet(self, work: Commissioning) -> tuple[CommissioningSheet, float]:
        """Returns what the commissioning has found so far, and when that was (seconds since 1970)."""
        key = (id(work), work.told, work.stage, self.is_kept)
        if self._sheet is None or self._sheet[0] != key:
            self._sheet = (key, sheet_of(work), time.time())
        return self._sheet[1:]

    def keep(self, with_map: bool) -> None:
        """Saves what the commissioning has learned and uses it from now on.

        `with_map` reads the wires as they are soldered, else as in the table.
        """
        with self.commissioning() as work:
            made = work.calibration(with_map)
            self._adopt(made)
            work.known, self._kept = made, dict(work.walk.answers)
            if self._notes_path and len(self._kept) == len(work.wiring.sites):
                self._notes_path.unlink(missing_ok=True)

    def forget_map(self) -> GridStatus:
        """Takes each wire for that of the site which the table means it for, from now on."""
        wiring, known = self._wiring(), self._known()
        if known is None or not known.wires:
            raise GridSetupError(say("no map of the wires is in use"))
        self._adopt(known.without_map())
        return self._status(rewire(wiring, {}), say("The wires are read as in the table."))

    def _adopt(self, calibration: Calibration) -> None:
        """Saves a calibration and uses it from now on."""
        calibration.save(self._path)
        self.source.adopt(calibration)
        self._bad = None

    def _follow(self, event: LinkEvent, now: float) -> None:
        """Hands a test and the commissioning what comes over the line, in the link's thread."""
        if self._tested is not None:
            self._tested.put(event)
        with self._work_lock:
            work = self._work
            if work is None:
                return
            work.receive(event, now)
            if self.source.clock() - self._seen > IDLE_S:
                self.source.shine_instead(None)
                return
            for message in work.due(now):
                self.source.link.send(message)
            self.source.shine_instead(work.lamps())

    def _known(self) -> Calibration | None:
        return self.source.grid.calibration if self.source.grid else None

    def look(self) -> GridStatus:
        """Returns how the grid is now."""
        wiring = self._wiring()
        if not self._test_lock.locked():  # a test needs all scans for itself
            self.source.link.send(Read(1, 0))
        return self._status(wiring, "")

    def test(self, is_empty: bool = False) -> GridStatus:
        """Tests the grid in a few seconds; sensors that are stuck show only on a board that is empty."""
        with self._test_lock:
            wiring = self._wiring()
            if is_empty:  # what was taken off for it is no play
                self.hold()
            stream = ScanStream(wiring)
            bad = examine(wiring.sensor, self._take_scans(stream), self._known(), is_empty)
            self._bad = bad | dict.fromkeys(stream.bridged, SensorVerdict.DIODE)
            words = _sum_up(len(self._bad), len(wiring.sites))
            if self.source.older:
                words = say("{first} But {second}.", first=words, second=self.source.older)
            return self._status(wiring, words)

    def _take_scans(self, stream: ScanStream) -> list[Scan]:
        """Waits for the scans of a test. GridSetupError when none come for a while."""
        scans: list[Scan] = []
        end = self.source.clock() + LEVELS_WITHIN_S
        self._tested = events = SimpleQueue[LinkEvent]()
        try:
            while len(scans) < TEST_SCANS:
                if request := stream.due(self.source.clock()):
                    self.source.link.send(request)
                try:
                    event = events.get(timeout=LEVELS_WITHIN_S)
                except Empty:
                    event = Down(NO_LEVELS)
                if isinstance(event, Down):
                    raise GridSetupError(event.words)
                if scan := stream.receive(event):
                    scans.append(scan)
                    end = self.source.clock() + LEVELS_WITHIN_S
                elif self.source.clock() > end:
                    raise GridSetupError(NO_LEVELS)
            return scans
        finally:
            self._tested = None

    def hold(self) -> None:
        """Lets nothing count as play for a while; magnets of a virtual grid stay where they are put."""
        self.source.hold_play(until=self.source.clock() + IDLE_S)

    def leave(self) -> None:
        """Lets play go on. What a test found is forgotten; a commissioning can be gone on with."""
        with self._work_lock:
            self._seen = -1e9
            self.source.shine_instead(None)
        self._bad = None
        self.source.hold_play(until=0.0)

    def board(self) -> Board:
        """Returns the board that the grid is built for."""
        wiring = self._wiring()
        return next(b for b in self.source.boards if tuple(b.sites) == wiring.sites)

    def _wiring(self) -> Wiring:
        grid = self.source.grid
        if grid is None or not self.source.link.up:
            raise GridSetupError(self.source.absence or UNCONNECTED)
        return grid.wiring

    def _status(self, wiring: Wiring, words: str) -> GridStatus:
        grid, known = self.source.grid, self._known()
        states = grid.states if grid else {}
        shares = heat(known) if known else {}
        bad = self._bad
        if bad is None:
            bad = {site: known.sites[site].verdict for site in known.blind} if known else {}
        spots = {
            site: Spot(round_share(shares.get(site)), bool(states.get(site)), *_words_of(bad.get(site)))
            for site in wiring.sites
        }
        wires = known.wires if known else {}
        sensor = wiring.sensor.word
        return GridStatus(board=wiring.board, sensor=sensor, words=words, spots=spots, wires=wires)


def round_share(share: float | None) -> float | None:
    return None if share is None else round(share, 3)


def _words_of(verdict: SensorVerdict | None) -> tuple[str, str]:
    return (say_verdict(verdict), say_advice(verdict)) if verdict else ("", "")


def _sum_up(bad: int, count: int) -> str:
    if not bad:
        return say("All {count} sensors are good.", count=count)
    return say("{good} of {count} sensors are good.", good=count - bad, count=count)
