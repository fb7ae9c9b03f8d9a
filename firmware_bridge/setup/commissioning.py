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

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median

from companion.core.errors import CompanionError
from companion.core.game import Site
from companion.language import Phrases, listed, say
from firmware_bridge.line.frames import Damage
from firmware_bridge.line.link import Down, LinkEvent, Up, Waiting
from firmware_bridge.line.messages import LEVEL_MAX, Gap, Hello, Message, Sensor, State
from firmware_bridge.line.wiring import Wiring, rewired
from firmware_bridge.sensing.calibration import Calibration, SensorVerdict, say_verdict
from firmware_bridge.sensing.health import RAIL
from firmware_bridge.sensing.lamps import PUT, Colour
from firmware_bridge.setup.calibrate import UNTUNED, Scan, calibrate
from firmware_bridge.setup.magnet_watch import Baseline, MagnetWatch
from firmware_bridge.setup.scans import ScanStream
from firmware_bridge.setup.walk import HOLD_S, Heard, Walk, percent

EMPTY_S, EMPTY_SCANS = 3.0, 40
"""Seconds for which the empty board is measured, and the least number of scans."""
SILENT_S = 6.0
"""Seconds without an answer after which the builder is told what to do about it."""
NOISE_COUNTS, NOISE_TIMES = 12, 4
"""Counts, and times the usual noise, above both of which a sensor on the empty board is noisy."""
RUN_S = 0.25
"""Seconds for which each lamp shines when the light runs along the rows."""
RED: Colour = (40, 0, 0)
GREEN: Colour = (0, 40, 0)
BLUE: Colour = (0, 0, 40)
RUN: Colour = (30, 30, 30)


class CommissioningError(CompanionError):
    """A step that cannot be taken now, or a site that is not on the board."""


class Stage(StrEnum):
    """The stages of commissioning, in order."""

    EMPTY = "empty"
    LAMPS = "lamps"
    WALK = "walk"
    PIECES = "pieces"
    SHEET = "sheet"


class LampTest(StrEnum):
    """The tests of the lamps, in order."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    RUN = "run"


PIECE_TRIED: Phrases = {
    True: "Piece {n}: {strength} of the walked magnet.",
    False: "Piece {n}: {strength} of the walked magnet, the other pole up.",
}
LAMP_COLOURS = {LampTest.RED: RED, LampTest.GREEN: GREEN, LampTest.BLUE: BLUE}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece's magnet: the site it was tried on, its strength as a share of the walked one's, and its pole.

    The pole is `NORTH` where it is that of the walked magnet.
    """

    site: Site
    share: float
    pole: State


@dataclass(slots=True)
class LampNotes:
    """Keeps what the builder said of the lamps."""

    dark: set[Site] = field(default_factory=set)
    other_colour: bool = False
    jumps: bool = False
    seen: dict[Site, Site] = field(default_factory=dict)
    """The sites where lamps shine that were lit for other sites."""
    is_tested: bool = False


@dataclass(slots=True)
class LineNotes:
    """Counts what happened on the line meanwhile."""

    lost: int = 0
    restarts: int = 0
    frames: int = 0
    """Frames that were missed or damaged."""


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
        self.wiring, self.hello, self.known = rewired(wiring, {}), hello, known
        self.poles = poles or (known.poles if known else {})
        self.walk = Walk(self.wiring)
        self.stage = Stage.EMPTY
        self.empty: list[Scan] = []
        self.baseline: Baseline | None = None
        self.suspects: dict[Site, SensorVerdict] = {}
        """Sensors that are not at rest on the empty board."""
        self.lamp_test = LampTest.RED
        self.lamp_notes = LampNotes()
        self.line = LineNotes()
        self.pieces: list[Piece] = []
        self.lost = ""
        """Why the grid is not there, in words; '' while it is."""
        self.said = ""
        """What was heard last, in words."""
        self.is_good = False
        """True when what was said last is that a sensor is right."""
        self.told = 0
        """Counts what was said, so that the same words twice are news."""
        self._stream = ScanStream(self.wiring)
        self._watch: MagnetWatch | None = None
        self._measuring_since: float | None = None
        self._asked: tuple[Site | None, float] = (None, 0.0)
        """The site that is asked for, and since when."""
        self._now = 0.0

    # ---- what comes and what is sent ----

    def receive(self, event: LinkEvent, now: float) -> None:
        """Takes what the link hands over."""
        self._now = now
        if self._asked[0] != self.walk.asked:
            self._asked = (self.walk.asked, now)
        match event:
            case Up(hello):
                self._come_back(hello)
            case Down(words) | Waiting(words):
                self._lose(words)
            case Gap(missed):
                self.line.frames += missed
            case Damage():
                self.line.frames += 1
        scan = self._stream.receive(event)
        if scan is not None and not self.lost:
            self._take(scan)

    def due(self, now: float) -> list[Message]:
        """Returns the messages that are to be sent now."""
        self._now = now
        is_wanted = {
            Stage.EMPTY: self.is_measuring,
            Stage.LAMPS: self.lamp_test is LampTest.RUN,  # only so that the light runs smoothly
            Stage.SHEET: False,
        }
        if self.lost or not is_wanted.get(self.stage, True):
            return []
        request = self._stream.due(now)
        return [request] if request else []

    def lamps(self) -> dict[Site, Colour]:
        """Returns the lamps that are to shine now."""
        if not self.has_lamps:
            return {}
        if self.stage is Stage.LAMPS:
            if self.lamp_test is LampTest.RUN:
                return {self.walk.order[int(self._now / RUN_S) % len(self.walk.order)]: RUN}
            return dict.fromkeys(self.wiring.sites, LAMP_COLOURS[self.lamp_test])
        return {self.walk.asked: PUT} if self.stage is Stage.WALK and self.walk.asked else {}

    # ---- what the page and the prompt show ----

    @property
    def has_lamps(self) -> bool:
        return self.hello.lamps > 0

    @property
    def bridged(self) -> set[Site]:
        """Returns the sites whose diodes were seen to fail."""
        return self._stream.bridged

    @property
    def is_measuring(self) -> bool:
        """True while the empty board is measured."""
        return self._measuring_since is not None

    @property
    def felt(self) -> Site | None:
        """Returns the wire that feels a magnet now."""
        return self._watch.felt if self._watch else None

    @property
    def is_overdue(self) -> bool:
        """True when the site that is asked for has not answered for a while."""
        asked, since = self._asked
        is_asked = self.stage is Stage.WALK and asked == self.walk.asked
        return is_asked and self._now - since >= SILENT_S and not self.felt

    # ---- what the builder does ----

    def measure_empty(self) -> None:
        """Measures the empty board. What was walked before stays, if the sensors are as they were."""
        self.stage, self.walk.asked = Stage.EMPTY, None
        self._measuring_since = self._now
        self.empty, self.suspects = [], {}
        self.said = ""

    def go_on(self) -> None:
        """Goes on from the empty board, the lamps or the pieces to the next stage."""
        if self.stage is Stage.EMPTY and self.baseline and not self.is_measuring:
            self._begin_lamps()
        elif self.stage is Stage.LAMPS:
            self.begin_walk()
        elif self.stage is Stage.WALK:
            self._end_walk()
        elif self.stage is Stage.PIECES:
            self.stage = Stage.SHEET

    def answer_lamps(self, is_right: bool) -> None:
        """Notes the answer to the lamps' present test, and goes on to the next one."""
        if self.stage is not Stage.LAMPS:
            return
        if not is_right and self.lamp_test is LampTest.RUN:
            self.lamp_notes.jumps = True
        elif not is_right:
            self.lamp_notes.other_colour = True
        tests = list(LampTest)
        following = tests.index(self.lamp_test) + 1
        if following < len(tests):
            self.lamp_test = tests[following]
        else:
            self.lamp_notes.is_tested = True
            self.begin_walk()

    def mark_dark(self, site: Site) -> None:
        """Notes that the lamp of a site does not shine; said again, that it does."""
        self._check_site(site)
        self.lamp_notes.dark ^= {site}

    def see_lamp(self, site: Site) -> None:
        """Notes that the lamp of the site that is asked for shines at another one."""
        self._check_site(site)
        if self.stage is Stage.WALK and self.walk.asked and self.has_lamps:
            self.lamp_notes.seen.pop(self.walk.asked, None)
            if site != self.walk.asked:
                self.lamp_notes.seen[self.walk.asked] = site
            self._say(say("The lamp of {asked} shines at {site}.", asked=self.walk.asked, site=site))

    def begin_walk(self) -> None:
        """Begins the walk, or goes on with it."""
        if self.baseline is not None:
            self.stage = Stage.WALK
            self.walk.begin()

    def ask(self, site: Site) -> None:
        """Asks for a site, whatever is known of it: the walk goes on from there."""
        self._check_site(site)
        if self.baseline is None or self.is_measuring:
            raise CommissioningError(say("measure the empty board first"))
        self.stage = Stage.WALK
        self.walk.ask(site)

    def back(self) -> None:
        """Asks again for the site before the one that is asked for."""
        if self.stage is Stage.WALK:
            self.walk.back()

    def skip(self) -> None:
        """Leaves the site that is asked for untried."""
        if self.stage is Stage.WALK:
            self._note(self.walk.skip())

    def silence(self) -> None:
        """Notes that the site that is asked for does not answer, although a magnet is on it."""
        if self.stage is Stage.WALK:
            self._note(self.walk.silence())

    def calibration(self, with_map: bool = True) -> Calibration:
        """Returns what was learned, as the grid uses it in play; `with_map` exchanges wires as soldered.

        InsufficientScansError when too few sensors have answered.
        """
        wires = self.walk.wires if with_map else {}
        wiring = rewired(self.wiring, wires)
        walk = {
            (site if with_map else answer.wire): relabelled(answer.levels, wires)
            for site, answer in self.walk.answers.items()
            if answer
        }
        empty = [relabelled(scan, wires) for scan in self.empty]
        return calibrate(wiring, empty, walk, self.poles, wires)

    # ---- inside ----

    def _check_site(self, site: Site) -> None:
        if site not in self.walk.order:
            raise CommissioningError(say("there is no site '{site:.20}' on this board", site=site))

    def _say(self, words: str, is_good: bool = False) -> None:
        self.said, self.is_good, self.told = words, is_good, self.told + 1

    def _lose(self, words: str) -> None:
        if not self.lost:
            self.line.lost += 1
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
            self.line.restarts += 1
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
        if self.is_measuring:
            self._measuring_since, self.empty = self._now, []

    def _take(self, scan: Scan) -> None:
        if self.stage is Stage.EMPTY:
            self._take_empty(scan)
        elif self._watch is not None and self.stage in (Stage.WALK, Stage.PIECES):
            self._watch.scan(scan, self._now, self.walk.asked)
            if self.stage is Stage.WALK:
                self._note(self.walk.feel(self._watch))
            else:
                self._take_piece(self._watch)

    def _take_empty(self, scan: Scan) -> None:
        if self._measuring_since is None:
            return
        self.empty.append(scan)
        if self._now - self._measuring_since < EMPTY_S or len(self.empty) < EMPTY_SCANS:
            return
        self._measuring_since = None
        self.baseline = Baseline(self.empty)
        self._watch = MagnetWatch(self.baseline)
        self.suspects = _suspects(self.wiring.sensor, self.baseline)
        if self.suspects:
            named = listed(
                [
                    say("{site} ({verdict})", site=site, verdict=say_verdict(verdict))
                    for site, verdict in self.suspects.items()
                ]
            )
            self._say(
                say(
                    "Not at rest: {named}. Take away what stands there and measure again; if nothing does, "
                    "go on: it stands on the sheet.",
                    named=named,
                )
            )
        else:
            self._say(say("The empty board is at rest: {sites} sensors.", sites=len(self.wiring.sites)))
            self._begin_lamps()

    def _begin_lamps(self) -> None:
        self.stage = Stage.LAMPS
        self.lamp_test = LampTest.RED
        if not self.has_lamps:
            self.begin_walk()

    def _note(self, heard: Heard | None) -> None:
        """Says what the walk has heard, and ends it when no site is left."""
        if heard is not None:
            self._say(*heard)
        if self.walk.asked is None:
            self._end_walk()

    def _take_piece(self, watch: MagnetWatch) -> None:
        """Takes the magnet of a piece that is tried on any good site."""
        wire = watch.felt
        if wire is None or watch.is_taken or watch.held < HOLD_S:
            return
        watch.take()
        site = self.walk.site_of(wire)
        walked = self.walk.answers[site] if site is not None else None
        if site is None or walked is None:
            self._say(say("{wire} was not walked: try the piece on another site.", wire=wire))
            return
        swing = watch.swing(wire)
        is_same_pole = (swing > 0) == (walked.swing > 0)
        piece = Piece(site, abs(swing / walked.swing), State.NORTH if is_same_pole else State.SOUTH)
        self.pieces.append(piece)
        words = PIECE_TRIED[is_same_pole]
        self._say(say(words, n=len(self.pieces), strength=percent(piece.share)), is_good=True)

    def _end_walk(self) -> None:
        self.walk.end()
        knows_strength = self.wiring.sensor is Sensor.ANALOGUE and self.walk.usual is not None
        self.stage = Stage.PIECES if knows_strength else Stage.SHEET


def relabelled(scan: Scan, wires: Mapping[Site, Site]) -> Scan:
    """Returns the levels by the sites of the sensors, of levels by wire."""
    return {wires.get(wire, wire): level for wire, level in scan.items()}


def _suspects(sensor: Sensor, baseline: Baseline) -> dict[Site, SensorVerdict]:
    """Returns the sensors that are not at rest on an empty board, and how."""
    middle, border = UNTUNED[sensor]
    if sensor is Sensor.ANALOGUE:
        middle = median(baseline.rest.values())
    usual = median(baseline.noise.values())
    found = {}
    for site, rest in baseline.rest.items():
        if sensor is Sensor.ANALOGUE and not RAIL <= rest <= LEVEL_MAX - RAIL:
            found[site] = SensorVerdict.DEAD
        elif abs(rest - middle) > border:
            found[site] = SensorVerdict.STUCK
        elif baseline.noise[site] > max(NOISE_COUNTS, NOISE_TIMES * usual):
            found[site] = SensorVerdict.NOISY
    return found
