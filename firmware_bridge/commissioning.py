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
from firmware_bridge.calibrate import UNTUNED, Scan, calibrate
from firmware_bridge.exchanges import soldered_wires
from firmware_bridge.frames import Damage
from firmware_bridge.health import RAIL
from firmware_bridge.lamps import PUT, Colour
from firmware_bridge.link import Down, LinkEvent, Up, Waiting
from firmware_bridge.magnet_watch import Baseline, MagnetWatch
from firmware_bridge.messages import LEVEL_MAX, Fault, Gap, Hello, Message, Sensor, State, Trouble
from firmware_bridge.scans import ScanStream
from firmware_bridge.sensors import Calibration, SensorVerdict
from firmware_bridge.wiring import Wiring, rewired

EMPTY_S, EMPTY_SCANS = 3.0, 40
"""Seconds for which the empty board is measured, and the least number of scans."""
HOLD_S = 0.4
"""Seconds for which the magnet has to be still on the site that is asked for."""
OTHER_HOLD_S = 1.2
"""The same for a sensor that is not expected: a hand may rest on its way."""
SILENT_S = 6.0
"""Seconds without an answer after which the builder is told what to do about it."""
OTHER_SHARE = 0.3
"""The share of the usual swing below which another sensor is no answer: it feels its neighbour's magnet."""
LEFT_SHARE = 0.5
"""The share of a swing below which the magnet has left the sensor, although it may not have been lifted."""
FEW = 4
"""Answers from which the usual swing is known."""
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


LAMP_COLOURS = {LampTest.RED: RED, LampTest.GREEN: GREEN, LampTest.BLUE: BLUE}


@dataclass(frozen=True, slots=True)
class Answer:
    """What was heard while a magnet was held on a site: the wire that answered, and all levels by wire."""

    wire: Site
    levels: Scan
    swing: float


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
    """What the builder said of the lamps."""

    dark: set[Site] = field(default_factory=set)
    other_colour: bool = False
    jumps: bool = False
    seen: dict[Site, Site] = field(default_factory=dict)
    """The sites where lamps shine that were lit for other sites."""
    is_tested: bool = False


@dataclass(slots=True)
class LineNotes:
    """What happened on the line meanwhile."""

    lost: int = 0
    restarts: int = 0
    frames: int = 0
    """Frames that were missed or damaged."""


class Commissioning:
    """The state of one commissioning; `wiring` is that of the table, without any map.

    `poles` names the looks that a pole stands for, `known` is the calibration until now.
    """

    def __init__(self, wiring: Wiring, hello: Hello, known: Calibration | None = None) -> None:
        self.wiring, self.hello, self.known = rewired(wiring, {}), hello, known
        self.poles: Mapping[str, tuple[str, ...]] = known.poles if known else {}
        self.order = walking_order(self.wiring)
        self.stage = Stage.EMPTY
        self.asked: Site | None = None
        self.answers: dict[Site, Answer | None] = {}
        """What answered at each site that was tried; None where the builder said that nothing does."""
        self.skipped: set[Site] = set()
        self.empty: list[Scan] = []
        self.baseline: Baseline | None = None
        self.suspects: dict[Site, SensorVerdict] = {}
        """Sensors that are not at rest on the empty board."""
        self.bridged: set[Site] = set()
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
        self._last: tuple[Site, float] | None = None
        """The wire that answered last, with its swing, until the magnet leaves it."""
        self._doubted: tuple[Site, Site] | None = None
        self._asked_since = 0.0
        self._now = 0.0

    # ---- what comes and what is sent ----

    def receive(self, event: LinkEvent, now: float) -> None:
        """Takes what the link hands over."""
        self._now = now
        match event:
            case Up(hello):
                self._come_back(hello)
            case Down(words) | Waiting(words):
                self._lose(words)
            case Gap(missed):
                self.line.frames += missed
            case Damage():
                self.line.frames += 1
            case Fault(trouble, site) if trouble == Trouble.DIODE and site < len(self.wiring.sites):
                self.bridged.add(self.wiring.sites[site])
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
                return {self.order[int(self._now / RUN_S) % len(self.order)]: RUN}
            return dict.fromkeys(self.wiring.sites, LAMP_COLOURS[self.lamp_test])
        return {self.asked: PUT} if self.stage is Stage.WALK and self.asked else {}

    # ---- what the page and the prompt show ----

    @property
    def has_lamps(self) -> bool:
        return self.hello.lamps > 0

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
        return self.stage is Stage.WALK and self._now - self._asked_since >= SILENT_S and not self.felt

    @property
    def usual(self) -> float | None:
        """Returns the usual swing, in counts; None before a few answers."""
        swings = [abs(answer.swing) for answer in self.answers.values() if answer]
        return median(swings) if len(swings) >= FEW else None

    @property
    def wires(self) -> dict[Site, Site]:
        """Returns the wires that end at another sensor than the table says, by what was heard so far."""
        return soldered_wires({s: a.wire if a else None for s, a in self.answers.items()}, self.wiring.sites)

    @property
    def left(self) -> list[Site]:
        """Returns the sites that are still to be tried, in the order of the walk."""
        return [site for site in self.order if site not in self.answers and site not in self.skipped]

    def share(self, site: Site) -> float | None:
        """Returns how strongly a site's magnet was felt: 1 is usual, None is not known."""
        answer, usual = self.answers.get(site), self.usual
        return abs(answer.swing) / usual if answer and usual else None

    # ---- what the builder does ----

    def measure_empty(self) -> None:
        """Measures the empty board. What was walked before stays, if the sensors are as they were."""
        self.stage, self.asked = Stage.EMPTY, None
        self._measuring_since = self._now
        self.empty, self.suspects = [], {}
        self._say("Measuring the empty board: keep your hands off it.")

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
        if self.stage is Stage.WALK and self.asked and self.has_lamps:
            self.lamp_notes.seen.pop(self.asked, None)
            if site != self.asked:
                self.lamp_notes.seen[self.asked] = site
            self._say(f"The lamp of {self.asked} shines at {site}.")

    def begin_walk(self) -> None:
        """Begins the walk, or goes on with it."""
        if self.baseline is not None:
            self.stage = Stage.WALK
            self._ask(self.left[0] if self.left else self.order[0])

    def ask(self, site: Site) -> None:
        """Asks for a site, whatever is known of it: the walk goes on from there."""
        self._check_site(site)
        if self.baseline is None or self.is_measuring:
            raise CommissioningError("measure the empty board first")
        self.stage = Stage.WALK
        self._drop(site)
        self._ask(site)

    def back(self) -> None:
        """Asks again for the site before the one that is asked for."""
        if self.stage is Stage.WALK and self.asked:
            self.ask(self.order[self.order.index(self.asked) - 1])

    def skip(self) -> None:
        """Leaves the site that is asked for untried."""
        if self.stage is Stage.WALK and self.asked:
            self.skipped.add(self.asked)
            self._say(f"{self.asked} is left out.")
            self._ask_next()

    def silence(self) -> None:
        """Notes that the site that is asked for does not answer, although a magnet is on it."""
        if self.stage is Stage.WALK and self.asked:
            self.answers[self.asked] = None
            self._say(f"{self.asked} does not answer.")
            self._ask_next()

    def calibration(self, with_map: bool = True) -> Calibration:
        """Returns what was learned, as the grid uses it in play; `with_map` exchanges wires as soldered.

        InsufficientScansError when too few sensors have answered.
        """
        wires = self.wires if with_map else {}
        wiring = rewired(self.wiring, wires)
        walk = {
            (site if with_map else answer.wire): relabelled(answer.levels, wires)
            for site, answer in self.answers.items()
            if answer
        }
        empty = [relabelled(scan, wires) for scan in self.empty]
        return calibrate(wiring, empty, (), walk, self.poles, wires)

    # ---- inside ----

    def _check_site(self, site: Site) -> None:
        if site not in self.order:
            raise CommissioningError(f"there is no site '{site:.20}' on this board")

    def _say(self, words: str, is_good: bool = False) -> None:
        self.said, self.is_good, self.told = words, is_good, self.told + 1

    def _lose(self, words: str) -> None:
        if not self.lost:
            self.line.lost += 1
            self._say(f"The grid is not there: {words}. What was found is kept.")
        self.lost = words
        self._pause()

    def _come_back(self, hello: Hello) -> None:
        if (hello.board, hello.sensor, hello.sites) != (
            self.hello.board, self.hello.sensor, self.hello.sites
        ):  # fmt: skip
            self.lost = "another grid was plugged in: begin anew for that one"
            return
        if not self.lost and hello.uptime < self.hello.uptime:
            self.line.restarts += 1
        if self.lost:
            self._say("The grid is there again: it goes on where it was.")
        self.hello, self.lost = hello, ""
        self._pause()

    def _pause(self) -> None:
        """Begins anew what the loss of the line has cut short."""
        self._stream = ScanStream(self.wiring)
        self._asked_since = self._now
        if self._watch is not None:
            self._watch.reset()
        if self.is_measuring:
            self._measuring_since, self.empty = self._now, []

    def _take(self, scan: Scan) -> None:
        if self.stage is Stage.EMPTY:
            self._take_empty(scan)
        elif self._watch is not None and self.stage in (Stage.WALK, Stage.PIECES):
            self._watch.scan(scan, self._now, self.asked)
            if self._has_left():
                self._last = None
            if self._watch.felt is not None:
                take = self._take_touch if self.stage is Stage.WALK else self._take_piece
                take(self._watch, self._watch.felt)

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
            named = ", ".join(f"{site} ({verdict})" for site, verdict in self.suspects.items())
            self._say(
                f"Not at rest: {named}. Take away what stands there and measure again; "
                "if nothing does, go on: it stands on the sheet."
            )
        else:
            self._say(f"The empty board is at rest: {len(self.wiring.sites)} sensors.")
            self._begin_lamps()

    def _begin_lamps(self) -> None:
        self.stage = Stage.LAMPS
        self.lamp_test = LampTest.RED
        if not self.has_lamps:
            self.begin_walk()

    def _has_left(self) -> bool:
        """Returns whether the magnet has left the sensor that answered last."""
        if self._last is None or self._watch is None:
            return True
        wire, swing = self._last
        return self._watch.is_clear or abs(self._watch.swing(wire)) < LEFT_SHARE * abs(swing)

    def _take_touch(self, watch: MagnetWatch, wire: Site) -> None:
        """Takes a sensor that feels the magnet during the walk."""
        if self._last is not None:
            self._improve(watch, wire)
        elif wire == self.asked and watch.held >= HOLD_S:
            self._last = (wire, watch.swing(wire))
            self._accept(watch, wire)
        elif wire != self.asked and watch.held >= OTHER_HOLD_S:
            self._consider(watch, wire)

    def _improve(self, watch: MagnetWatch, wire: Site) -> None:
        """Keeps the strongest of what was felt at the last site: the magnet may have come down askew."""
        owner = self._owner(wire)
        if owner is None or self._last is None or self._last[0] != wire or watch.held < HOLD_S:
            return
        known = self.answers[owner]
        if known is not None and abs(watch.swing(wire)) > abs(known.swing):
            self.answers[owner] = Answer(wire, watch.levels(), watch.swing(wire))
            self._last = (wire, watch.swing(wire))

    def _consider(self, watch: MagnetWatch, wire: Site) -> None:
        """Takes a sensor that was not expected.

        Either wires are exchanged, or the magnet is not where it should be.
        """
        assert self.asked is not None
        if self.usual is not None and abs(watch.swing(wire)) < OTHER_SHARE * self.usual:
            return
        self._last = (wire, watch.swing(wire))
        if self._owner(wire) == wire:
            self._say(f"{wire} is felt, and was right before. Put the magnet on {self.asked}.")
        elif wire == self._next() and self._doubted != (self.asked, wire):
            self._doubted = (self.asked, wire)
            self._say(f"{wire} is felt. If the magnet is on {self.asked}, lift it and put it there again.")
        else:
            self._accept(watch, wire)

    def _accept(self, watch: MagnetWatch, wire: Site) -> None:
        site = self.asked
        assert site is not None
        withdrawn = self._owner(wire)
        if withdrawn not in (None, site):
            del self.answers[withdrawn]
        self.answers[site] = Answer(wire, watch.levels(), watch.swing(wire))
        share = self.share(site)
        strength = (
            f", {percent(share)}" if share is not None and self.wiring.sensor is Sensor.ANALOGUE else ""
        )
        if wire == site:
            self._say(f"{site} answers{strength}.", is_good=True)
        else:
            self._say(f"At {site} the wire of {wire} answers.")
        self._ask_next()

    def _take_piece(self, watch: MagnetWatch, wire: Site) -> None:
        """Takes the magnet of a piece that is tried on any good site."""
        site = self._owner(wire)
        if self._last is not None or watch.held < HOLD_S:
            return
        self._last = (wire, watch.swing(wire))
        walked = self.answers[site] if site is not None else None
        if site is None or walked is None:
            self._say(f"{wire} was not walked: try the piece on another site.")
            return
        swing = watch.swing(wire)
        is_same_pole = (swing > 0) == (walked.swing > 0)
        piece = Piece(site, abs(swing / walked.swing), State.NORTH if is_same_pole else State.SOUTH)
        self.pieces.append(piece)
        pole = "" if is_same_pole else ", the other pole up"
        self._say(
            f"Piece {len(self.pieces)}: {percent(piece.share)} of the walked magnet{pole}.", is_good=True
        )

    def _owner(self, wire: Site) -> Site | None:
        """Returns the site at which a wire has answered."""
        return next((site for site, a in self.answers.items() if a and a.wire == wire), None)

    def _drop(self, site: Site) -> None:
        self.answers.pop(site, None)
        self.skipped.discard(site)

    def _next(self) -> Site | None:
        """Returns the site that is asked for after the present one."""
        at = self.order.index(self.asked) + 1 if self.asked else 0
        left = set(self.left) - {self.asked}
        return next((site for site in (*self.order[at:], *self.order[:at]) if site in left), None)

    def _ask_next(self) -> None:
        following = self._next()
        if following is None:
            self._end_walk()
        else:
            self._ask(following)

    def _ask(self, site: Site) -> None:
        self.asked, self._asked_since, self._doubted = site, self._now, None

    def _end_walk(self) -> None:
        self.asked = None
        self.skipped |= set(self.left)
        knows_strength = self.wiring.sensor is Sensor.ANALOGUE and self.usual is not None
        self.stage = Stage.PIECES if knows_strength else Stage.SHEET


def walking_order(wiring: Wiring) -> tuple[Site, ...]:
    """Returns the sites along the rows of the board, to and fro, so that the hand moves little."""
    rows: dict[float, list[tuple[float, Site]]] = {}
    for site, (x, y) in zip(wiring.sites, wiring.spots, strict=True):
        rows.setdefault(round(y, 3), []).append((x, site))
    along = [sorted(rows[y]) for y in sorted(rows)]
    turned = [row if n % 2 == 0 else row[::-1] for n, row in enumerate(along)]
    return tuple(site for row in turned for _, site in row)


def percent(share: float) -> str:
    """Returns a share in words: `81 %`."""
    return f"{100 * share:.0f} %"


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
