"""Sums a commissioning up: the sheet that says what is right with a grid, and what is wrong at which site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from statistics import median

from companion.core.comments import tidy_line
from companion.core.game import Site
from firmware_bridge.calibrate import CENTRE, judge_walk, turned_over
from firmware_bridge.commissioning import Commissioning, LampNotes, relabelled
from firmware_bridge.exchanges import WiringFault, join, name_exchanges, name_silent
from firmware_bridge.messages import Sensor, State
from firmware_bridge.sensors import ADVICE, TURNED_OVER, SensorVerdict
from firmware_bridge.walk import percent

WEAKEST = 5
WEAK_MAGNET = 60
"""Counts of the usual swing below which the magnet is too weak for all sensors: 0.3 V of 5 V."""
WEAK_PIECE = 0.6
"""The share of the usual magnet below which that of a piece is weak."""
RIPPLE_MAX = 4.0
"""Counts (standard deviation) by which the supply may move all levels alike: 20 mV of 5 V."""
SUPPLY_OFF = 0.04
"""The share by which the sensors' supply may differ from the controller's: their level at rest tells it."""
FRAMES_MAX = 5
"""Damaged frames above which a line is bad."""
POWERED_UP, LOW_VOLTAGE, STOOD_STILL = 1, 4, 8
"""The bits of `Hello.reset`. Low voltage beside a start by power says nothing: the voltage was rising."""
SITES_NAMED = 12


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found: its kind, words, the sites concerned, and what to do.

    A finding that `is_mended` needs nothing done: the calibration that is in use makes up for it.
    """

    kind: str
    words: str
    advice: str = ""
    sites: tuple[Site, ...] = ()
    is_mended: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """The findings of a commissioning: `facts` are names and values, `right` what works, in words."""

    facts: tuple[tuple[str, str], ...]
    right: tuple[str, ...]
    findings: tuple[Finding, ...]
    weakest: tuple[tuple[Site, float], ...]
    wires: Mapping[Site, Site]
    untried: tuple[Site, ...]

    @property
    def is_whole(self) -> bool:
        """True when every site was tried, and nothing that was found is left to be mended."""
        return not self.untried and all(finding.is_mended for finding in self.findings)


def sheet_of(work: Commissioning) -> Sheet:
    """Returns the sheet of a commissioning as far as it has come."""
    findings = (*_supply_faults(work), *_wiring_faults(work), *_sensor_faults(work), *_lamp_faults(work))
    shares = {site: share for site in work.walk.order if (share := work.walk.share(site)) is not None}
    weakest = sorted(shares.items(), key=lambda entry: entry[1])[:WEAKEST]
    is_linear = work.wiring.sensor is Sensor.ANALOGUE
    untried = tuple(site for site in work.walk.order if site not in work.walk.answers)
    return Sheet(
        tuple(_facts(work)),
        tuple(_right(work, findings)),
        findings,
        tuple(weakest) if is_linear else (),
        work.walk.wires,
        untried,
    )


def findings_by_site(sheet: Sheet) -> dict[Site, str]:
    """Returns the kinds of what is to be mended at each site, joined by commas."""
    found: dict[Site, list[str]] = {}
    for finding in (finding for finding in sheet.findings if not finding.is_mended):
        for site in finding.sites:
            if finding.kind not in found.setdefault(site, []):
                found[site].append(finding.kind)
    return {site: ", ".join(kinds) for site, kinds in found.items()}


def _facts(work: Commissioning) -> Iterator[tuple[str, str]]:
    hello, wiring, base = work.hello, work.wiring, work.baseline
    yield "Board", f"{wiring.board}, {len(wiring.sites)} sites, CRC 0x{hello.board:04x}"
    yield (
        "Controller",
        f"{wiring.controller.title}, firmware {tidy_line(hello.name)} {hello.major}.{hello.minor}",
    )
    yield "Sensors", f"{wiring.sensor.name.lower()}, a scan each {hello.period} ms"
    yield "Lamps", str(hello.lamps or "none")
    if base is not None and wiring.sensor is Sensor.ANALOGUE:
        noisiest = max(base.noise, key=lambda site: base.noise[site])
        yield (
            "Noise",
            (
                f"usually {median(base.noise.values()):.1f} counts, "
                f"most at {noisiest} ({base.noise[noisiest]:.1f}); shared by all sensors {base.ripple:.1f}"
            ),
        )
        yield (
            "Supply",
            f"level at rest {100 * median(base.rest.values()) / (2 * CENTRE):.1f} % of the controller's",
        )
    if work.walk.usual is not None and wiring.sensor is Sensor.ANALOGUE:
        yield "Magnet", f"usually {work.walk.usual:.0f} counts"
    line = work.line
    yield (
        "Line",
        f"{line.frames} frames lost or damaged, {line.lost} times unplugged, {line.restarts} restarts",
    )


def _right(work: Commissioning, findings: tuple[Finding, ...]) -> Iterator[str]:
    kinds = {finding.kind for finding in findings}
    bad = {site for finding in findings for site in finding.sites if not finding.is_mended}
    good = [site for site, answer in work.walk.answers.items() if answer and site not in bad]
    if good:
        yield f"{len(good)} of {len(work.wiring.sites)} sites are right."
    if work.baseline is not None and not kinds & {"supply", "noisy"}:
        yield "Supply and noise are fine."
    if work.lamp_notes.is_tested and not kinds & {"lamps"}:
        yield f"All {work.hello.lamps} lamps shine, in the right colours and places."
    if work.pieces and "weak piece" not in kinds:
        yield f"The magnets of all {len(work.pieces)} pieces that were tried are strong enough."


def _supply_faults(work: Commissioning) -> Iterator[Finding]:
    reset = work.hello.reset
    causes = ["a firmware that stood still"] if reset & STOOD_STILL else []
    if reset & LOW_VOLTAGE and not reset & POWERED_UP:
        causes.append("low voltage")
    if causes:
        words = f"The controller's last start was caused by {join(causes)}."
        yield Finding("supply", words, "look at its supply and its cable")
    if work.line.restarts:
        times = "once" if work.line.restarts == 1 else f"{work.line.restarts} times"
        yield Finding(
            "supply", f"The controller started anew {times} meanwhile.", "look at its supply and its cable"
        )
    if work.line.frames > FRAMES_MAX:
        words = f"{work.line.frames} frames were lost or damaged."
        yield Finding("line", words, "use a shorter or better cable, away from the lamps' supply")
    base = work.baseline
    if base is None or work.wiring.sensor is not Sensor.ANALOGUE:
        return
    if base.ripple > RIPPLE_MAX:
        words = f"The sensors' supply is noisy: it moves all levels by {base.ripple:.0f} counts."
        yield Finding("supply", words, f"{_one_rail(work)}, with 100 µF where it comes in")
    off = median(base.rest.values()) / CENTRE - 1
    if abs(off) > SUPPLY_OFF:
        more = "above" if off > 0 else "below"
        words = f"The sensors' supply seems {percent(abs(off))} {more} the controller's."
        yield Finding("supply", words, _one_rail(work))


def _one_rail(work: Commissioning) -> str:
    volts = work.wiring.controller.volts
    return f"feed sensors, multiplexers and controller from one rail of {volts:g} V"


def _wiring_faults(work: Commissioning) -> Iterator[Finding]:
    answers = {site: answer.wire if answer else None for site, answer in work.walk.answers.items()}
    in_use = work.known.wires if work.known else {}
    is_mapped = work.walk.wires == in_use and bool(in_use)
    for fault in name_exchanges(work.wiring, answers):
        yield _finding("exchanged", fault, is_mended=is_mapped)
    is_outdated = bool(in_use) and not work.walk.wires and all(map(work.walk.answers.get, in_use))
    if is_outdated:
        words = "The map of the wires that is in use exchanges wires that are soldered as in the table."
        yield Finding("exchanged", words, "keep this calibration: the map goes", tuple(in_use))
    heard = {site: wire for site, wire in answers.items() if site not in work.suspects or wire is not None}
    for fault in name_silent(work.wiring, heard):
        yield _finding("dead", fault)
    for site in work.bridged:
        yield Finding("diode", f"{site}: {SensorVerdict.DIODE}.", ADVICE[SensorVerdict.DIODE], (site,))


def _finding(kind: str, fault: WiringFault, is_mended: bool = False) -> Finding:
    return Finding(kind, fault.words, fault.advice, fault.sites, is_mended)


def _sensor_faults(work: Commissioning) -> Iterator[Finding]:
    wires = work.walk.wires
    walk = {s: relabelled(a.levels, wires) for s, a in work.walk.answers.items() if a}
    empty = [relabelled(scan, wires) for scan in work.empty]
    suspects = {wires.get(wire, wire): verdict for wire, verdict in work.suspects.items()}
    verdicts = judge_walk(work.wiring.sensor, empty, walk) if walk and empty else {}
    verdicts = suspects | {s: v for s, v in verdicts.items() if v is not SensorVerdict.GOOD}
    for site in (site for site in work.walk.order if site in verdicts and site in work.walk.answers):
        share = work.walk.share(site)
        strength = (
            f" ({percent(share)})" if share is not None and verdicts[site] is SensorVerdict.WEAK else ""
        )
        words = f"{site}: {verdicts[site]}{strength}."
        yield Finding(str(verdicts[site]), words, ADVICE[verdicts[site]], (site,))
    known = work.known.turned if work.known else ()
    for site in turned_over(work.wiring.sensor, empty, walk, work.poles) if empty else ():
        yield Finding("turned over", f"{site}: turned over.", TURNED_OVER, (site,), site in known)
    yield from _magnet_faults(work)


def _magnet_faults(work: Commissioning) -> Iterator[Finding]:
    """Yields what is wrong with magnets: that of the walk, and those of pieces."""
    if work.wiring.sensor is not Sensor.ANALOGUE or work.walk.usual is None:
        return
    if work.walk.usual < WEAK_MAGNET:
        words = f"The magnet is weak everywhere: {work.walk.usual:.0f} counts."
        yield Finding(
            "weak magnet", words, "use a stronger magnet, or sensors less deep: hardware/magnets.md"
        )
    usual = median([1.0, *(piece.share for piece in work.pieces)])
    for number, piece in enumerate(work.pieces, 1):
        if piece.share < WEAK_PIECE * usual:
            words = f"Piece {number} (tried on {piece.site}) has a weak magnet: {percent(piece.share)}."
            yield Finding(
                "weak piece", words, "put a magnet like the others' into its foot, as near to the board"
            )


def _lamp_faults(work: Commissioning) -> Iterator[Finding]:
    notes = work.lamp_notes
    if notes.other_colour:
        words = "The lamps shine in other colours than asked for."
        yield Finding("lamps", words, "use WS2812 or WS2812B lamps: they take green before red")
    yield from _dark_lamps(work, notes)
    if notes.seen:
        named = ", ".join(f"that of {lamp} at {seen}" for lamp, seen in notes.seen.items())
        words = f"Lamps shine at other sites: {named}."
        yield Finding(
            "lamps",
            words,
            "thread the lamps in the order of the sites in the board's file",
            tuple(notes.seen),
        )
    elif notes.jumps:
        words = "The light does not run along the rows."
        yield Finding("lamps", words, "thread the lamps in the order of the sites in the board's file")


def _dark_lamps(work: Commissioning, notes: LampNotes) -> Iterator[Finding]:
    """Yields the lamps that are dark: all from one on, where that is so, since each hands the data on."""
    chain = work.wiring.sites
    dark = tuple(site for site in chain if site in notes.dark)
    if not dark:
        return
    if dark == chain[-len(dark) :] and len(dark) > 1:
        start = chain.index(dark[0])
        wire = (
            f"between {chain[start - 1]} and {dark[0]}" if start else "from the controller to the first lamp"
        )
        words = f"All lamps from {dark[0]} on are dark."
        yield Finding("lamps", words, f"check the data wire {wire}, and the lamps' supply there", dark)
        return
    named = ", ".join(dark[:SITES_NAMED]) + (" …" if len(dark) > SITES_NAMED else "")
    yield Finding("lamps", f"Dark lamps: {named}.", "check the solder of these lamps", dark)


def pole_words(pole: State) -> str:
    """Returns the pole of a piece beside that of the walked magnet, in words."""
    return "the same pole up" if pole is State.NORTH else "the other pole up"
