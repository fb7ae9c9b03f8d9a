"""Commissions a grid: walks its builder from site to site, and finds out what is wired or mounted wrongly.

The stages follow one another: the empty board, the lamps where there are some, the walk of one magnet over
the sites, the magnets of the pieces, and the sheet that says what is right. The builder can skip a site, go
back, or ask for any site again. `Commissioning` does no input or output: it takes what the link hands over,
with the time in seconds, and says what is to be sent and shown. While the line is lost it waits, and then
goes on where it was.

Sites of the walk are places on the board. What answers is a wire, named by the site that the table of the
wiring means it for, whatever map of the wires is in use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from companion.core.game import Site
from companion.language import say
from firmware_bridge.line.frames import Damage
from firmware_bridge.line.link import Down, LinkEvent
from firmware_bridge.line.messages import Gap, Hello, Message, Sensor
from firmware_bridge.line.wiring import Wiring, lamp_sites, rewire
from firmware_bridge.sensing.calibration import Calibration
from firmware_bridge.sensing.lamps import PUT, Colour
from firmware_bridge.setup.calibrate import (
    FEW_SHARE,
    GridSetupError,
    Scan,
    calibrate,
    check_reactions,
)
from firmware_bridge.setup.empty_board import EmptyBoard
from firmware_bridge.setup.lamp_tests import LampTest, LampTests
from firmware_bridge.setup.magnet_watch import MagnetWatch
from firmware_bridge.setup.scans import ScanStream
from firmware_bridge.setup.walk import HOLD_S, Walk, WalkNotice

SILENT_S = 6.0
"""Seconds without an answer after which the builder is told what to do about it."""


class CommissioningStage(StrEnum):
    """The stages of commissioning, in order."""

    EMPTY = "empty"
    LAMPS = "lamps"
    WALK = "walk"
    PIECES = "pieces"
    SHEET = "sheet"


class Commissioning:
    """The state of one commissioning; `wiring` is that of the table, without any map.

    `known` is the calibration until now; `poles` names the looks that a pole stands for, where they are not
    those of that calibration.
    """

    def __init__(
        self,
        wiring: Wiring,
        hello: Hello,
        known: Calibration | None = None,
        poles: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.wiring, self.hello, self.known = rewire(wiring, {}), hello, known
        self.poles = poles or (known.poles if known else {})
        self.walk = Walk(self.wiring)
        self.stage = CommissioningStage.EMPTY
        self.empty = EmptyBoard(wiring.sensor)
        self.lamp_tests = LampTests()
        self.losses = self.restarts = self.bad_frames = 0
        """What happened on the line meanwhile: how often it was lost, how often the device started anew, and
        the frames that were missed or damaged."""
        self.lost = ""
        """Why the grid is not there, in words; '' while it is."""
        self.heard = WalkNotice("")
        """What was heard last, in words."""
        self.told = 0
        """Counts what was said, so that the same words twice are news."""
        self._stream = ScanStream(self.wiring)
        self._watch: MagnetWatch | None = None
        self._asked: tuple[Site | None, float] = (None, 0.0)
        """The site that is asked for, and since when."""
        self.is_unsteady = False
        """True when the site that is asked for was felt, however shortly."""
        self._now = 0.0

    # ---- what comes and what is sent ----

    def receive(self, event: LinkEvent, now: float) -> None:
        """Takes what the link hands over."""
        self._now = now
        if self._asked[0] != self.walk.asked:
            self._asked, self.is_unsteady = (self.walk.asked, now), False
        match event:
            case Hello():
                self._come_back(event)
            case Down(words):
                self._lose(words)
            case Gap(missed):
                self.bad_frames += missed
            case Damage():
                self.bad_frames += 1
        scan = self._stream.receive(event)
        if scan is not None and not self.lost:
            self._take(scan)

    def due(self, now: float) -> list[Message]:
        """Returns the messages that are to be sent now."""
        self._now = now
        is_wanted = {
            CommissioningStage.EMPTY: self.empty.is_measuring,
            # Only so that the light runs smoothly.
            CommissioningStage.LAMPS: self.lamp_tests.test is LampTest.RUN,
            CommissioningStage.SHEET: False,
        }
        if self.lost or not is_wanted.get(self.stage, True):
            return []
        request = self._stream.due(now)
        return [request] if request else []

    def lamps(self) -> dict[Site, Colour]:
        """Returns the lamps that are to shine now."""
        if not self.has_lamps:
            return {}
        if self.stage is CommissioningStage.LAMPS:
            return self.lamp_tests.colours(self.walk.order, self._now)
        return {self.walk.asked: PUT} if self.stage is CommissioningStage.WALK and self.walk.asked else {}

    # ---- what the page and the prompt show ----

    @property
    def has_lamps(self) -> bool:
        return self.hello.lamps > 0

    @property
    def bridged(self) -> set[Site]:
        """Returns the sites whose diodes were seen to fail."""
        return self._stream.bridged

    @property
    def felt(self) -> Site | None:
        """Returns the wire that feels a magnet now."""
        return self._watch.felt if self._watch else None

    @property
    def is_overdue(self) -> bool:
        """True when the site that is asked for has not answered for a while."""
        asked, since = self._asked
        is_asked = self.stage is CommissioningStage.WALK and asked == self.walk.asked
        is_held = self._watch is not None and self._watch.held >= HOLD_S
        return is_asked and self._now - since >= SILENT_S and not is_held

    # ---- what the builder does ----

    def measure_empty(self) -> None:
        """Measures the empty board. What was walked before stays, if the sensors are as they were."""
        self.stage, self.walk.asked = CommissioningStage.EMPTY, None
        self.empty.measure(self._now)
        self.heard = WalkNotice("")

    def go_on(self) -> None:
        """Goes on to the next stage, from the empty board only once it was measured."""
        stages = list(CommissioningStage)
        if self.stage is CommissioningStage.EMPTY and (not self.empty.baseline or self.empty.is_measuring):
            return
        if self.stage is not CommissioningStage.SHEET:
            self._enter(stages[stages.index(self.stage) + 1])

    def yes(self) -> None:
        """Says yes to what is asked: the board is empty, or what is not at rest may stay so; the lamps are
        right; all pieces were tried."""
        if self.stage is CommissioningStage.EMPTY and not self.empty.suspects:
            self.measure_empty()
        elif self.stage in (CommissioningStage.EMPTY, CommissioningStage.PIECES):
            self.go_on()
        else:
            self._answer_lamps(is_right=True)

    def no(self) -> None:
        """Says no: the empty board is to be measured again, the lamps are wrong, or the site is silent."""
        if self.stage is CommissioningStage.EMPTY:
            self.measure_empty()
        elif self.stage is CommissioningStage.WALK:
            self.step(Walk.silence)
        else:
            self._answer_lamps(is_right=False)

    def _answer_lamps(self, is_right: bool) -> None:
        if self.stage is CommissioningStage.LAMPS and not self.lamp_tests.answer(is_right):
            self.go_on()

    def mark_dark(self, site: Site) -> None:
        """Notes that the lamp of a site does not shine; said again, that it does."""
        self._check_site(site)
        self.lamp_tests.dark ^= {site}

    def see_lamp(self, site: Site) -> None:
        """Notes that the lamp of the site that is asked for shines at another one."""
        self._check_site(site)
        if self.stage is CommissioningStage.WALK and self.walk.asked and self.has_lamps:
            in_use = rewire(self.wiring, self.known.wires if self.known else {})
            lamp = self.wiring.sites[lamp_sites(in_use).index(self.walk.asked)]
            self.lamp_tests.seen[lamp] = site
            self._say(say("The lamp of {asked} shines at {site}.", asked=self.walk.asked, site=site))

    def ask(self, site: Site) -> None:
        """Asks for a site, whatever is known of it: the walk goes on from there."""
        self._check_site(site)
        if self.empty.baseline is None or self.empty.is_measuring:
            raise GridSetupError(say("measure the empty board first"))
        self.stage = CommissioningStage.WALK
        self.walk.ask(site)

    def step(self, step: Callable[[Walk], WalkNotice | None]) -> None:
        """Takes a step of the walk: back to the site before, to leave one untried, or that one is silent."""
        if self.stage is CommissioningStage.WALK:
            self._note(step(self.walk))

    def calibration(self, with_map: bool = True) -> Calibration:
        """Returns what was learned, as the grid uses it in play; `with_map` exchanges wires as soldered.

        GridSetupError when too few sensors have answered.
        """
        tried, count = len(self.walk.answers), len(self.wiring.sites)
        if 0 < tried < FEW_SHARE * count:
            raise GridSetupError(
                say(
                    "only {tried} of {count} sites were tried: try the others first", tried=tried, count=count
                )
            )
        made = self.learned(with_map)
        check_reactions(made)
        return made

    def learned(self, with_map: bool = True) -> Calibration:
        """Returns what was learned so far. GridSetupError before any sensor has answered."""
        wires = self.walk.wires if with_map else {}
        wiring = rewire(self.wiring, wires)
        walk = {
            (site if with_map else answer.wire): relabel(answer.levels, wires)
            for site, answer in self.walk.answers.items()
            if answer
        }
        empty = [relabel(scan, wires) for scan in self.empty.scans]
        return calibrate(wiring, empty, walk, self.poles, wires)

    # ---- inside ----

    def _check_site(self, site: Site) -> None:
        if site not in self.walk.order:
            raise GridSetupError(say("there is no site '{site:.20}' on this board", site=site))

    def _say(self, words: str, is_good: bool = False) -> None:
        self.heard, self.told = WalkNotice(words, is_good), self.told + 1

    def _lose(self, words: str) -> None:
        if not self.lost:
            self.losses += 1
            self._say(say("The grid is not there: {words}. What was found is kept.", words=words))
        self.lost = words
        self._pause()

    def _come_back(self, hello: Hello) -> None:
        if (hello.board, hello.sensor, hello.sites) != (
            self.hello.board, self.hello.sensor, self.hello.sites
        ):  # fmt: skip
            self.lost = say("another grid was plugged in: begin anew for that one")
            return
        if not self.lost and hello.uptime < self.hello.uptime:
            self.restarts += 1
        if self.lost:
            self._say(say("The grid is there again: it goes on where it was."))
        self.hello, self.lost = hello, ""
        self._pause()

    def _pause(self) -> None:
        """Begins anew what the loss of the line has cut short."""
        self._stream.restart()
        self._asked = (None, self._now)
        if self._watch is not None:
            self._watch.reset()
        if self.empty.is_measuring:
            self.empty.measure(self._now)

    def _take(self, scan: Scan) -> None:
        if self.stage is CommissioningStage.EMPTY and (baseline := self.empty.take(scan, self._now)):
            self._watch = MagnetWatch(baseline)
            self._say(self.empty.words())
            if not self.empty.suspects:
                self.go_on()
        elif self._watch is not None and self.stage in (CommissioningStage.WALK, CommissioningStage.PIECES):
            self._watch.scan(scan, self._now, self.walk.asked)
            self.is_unsteady |= self.felt is not None and self.felt == self.walk.asked
            if self.stage is CommissioningStage.WALK:
                self._note(self.walk.feel(self._watch))
            elif heard := self.walk.try_piece(self._watch):
                self._say(*heard)

    def _enter(self, stage: CommissioningStage) -> None:
        """Begins a stage, or the next one where there is nothing to do in it."""
        self.stage = stage
        has_nothing = False
        if stage is CommissioningStage.LAMPS:
            self.lamp_tests.test = LampTest.RED
            has_nothing = not self.has_lamps
        elif stage is CommissioningStage.WALK:
            self.walk.begin()
            has_nothing = self.walk.asked is None
        elif stage is CommissioningStage.PIECES:
            self.walk.end()
            has_nothing = self.wiring.sensor is not Sensor.ANALOGUE or self.walk.usual is None
        if has_nothing:
            self.go_on()

    def _note(self, heard: WalkNotice | None) -> None:
        """Says what the walk has heard, and ends it when no site is left."""
        if heard is not None:
            self._say(*heard)
        if self.walk.asked is None:
            self.go_on()


def relabel(scan: Scan, wires: Mapping[Site, Site]) -> Scan:
    """Returns the levels by the sites of the sensors, of levels by wire."""
    return {wires.get(wire, wire): level for wire, level in scan.items()}
