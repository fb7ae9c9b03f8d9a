"""Sums a commissioning up: the sheet that says what is right with a grid, and what is wrong at which site."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from statistics import median

from companion.core.comments import tidy_line
from companion.core.game import Site
from companion.language import NamedPhrases, Phrases, listed, say, say_count
from companion.wire.values import Place, Wire
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import lamp_sites, rewire
from firmware_bridge.sensing.calibration import TURNED_OVER, VERDICTS, SensorVerdict, say_advice, say_verdict
from firmware_bridge.setup.calibrate import CENTRE
from firmware_bridge.setup.commissioning import Commissioning
from firmware_bridge.setup.exchanges import GridFinding, name_exchanges, name_silent
from firmware_bridge.setup.walk import percent

MAGNETS = say(
    "Keep the magnets from children: two that are swallowed pinch the gut between them; see a doctor at "
    "once. Keep them away from pacemakers."
)
"""The warning that goes with every grid, on paper too."""
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
SENSORS: Phrases = {
    Sensor.REED: "reed, a scan each {period} ms",
    Sensor.DIGITAL: "digital, a scan each {period} ms",
    Sensor.ANALOGUE: "analogue, a scan each {period} ms",
}
SUPPLY_OFF_WORDS: Phrases = {
    True: "The sensors' supply seems {share} above the controller's.",
    False: "The sensors' supply seems {share} below the controller's.",
}
KINDS: NamedPhrases = {
    **VERDICTS,
    "exchanged": "exchanged",
    "lamps": "lamps",
    "turned over": "turned over",
}
"""The kinds of findings at single sites, as the map shows them."""


class CommissioningSheet(Wire, kw_only=True):
    """The findings of commissioning: `facts` are names and values, `right` what works, in words."""

    facts: tuple[tuple[str, str], ...]
    right: tuple[str, ...]
    findings: tuple[GridFinding, ...]
    weakest: tuple[tuple[Place, float], ...]
    wires: Mapping[Place, Place]
    untried: tuple[Place, ...]

    @property
    def is_whole(self) -> bool:
        """True when every site was tried, and nothing that was found is left to be mended."""
        return not self.untried and all(finding.mended for finding in self.findings)


def sheet_of(work: Commissioning) -> CommissioningSheet:
    """Returns the sheet of a commissioning as far as it has come."""
    findings = (*_supply_faults(work), *_wiring_faults(work), *_sensor_faults(work), *_lamp_faults(work))
    is_linear = work.wiring.sensor is Sensor.ANALOGUE
    shares = {site: work.walk.share(site) for site in work.walk.order if is_linear}
    felt = [(site, round(share, 3)) for site, share in shares.items() if share is not None]
    untried = tuple(site for site in work.walk.order if site not in work.walk.answers)
    return CommissioningSheet(
        facts=tuple(_facts(work)),
        right=tuple(_right(work, findings)),
        findings=findings,
        weakest=tuple(sorted(felt, key=lambda entry: entry[1])[:WEAKEST]),
        wires=work.walk.wires,
        untried=untried,
    )


def findings_by_site(sheet: CommissioningSheet) -> dict[Site, str]:
    """Returns the kind of what is to be mended first at each site."""
    found: dict[Site, str] = {}
    for finding in (finding for finding in sheet.findings if not finding.mended):
        for site in finding.sites:
            found.setdefault(site, say(KINDS[finding.kind]))
    return found


def _facts(work: Commissioning) -> Iterator[tuple[str, str]]:
    hello, wiring, base = work.hello, work.wiring, work.empty.baseline
    yield (
        say("Board"),
        say(
            "{board}, {sites} sites, CRC 0x{crc:04x}",
            board=wiring.board,
            sites=len(wiring.sites),
            crc=hello.board,
        ),
    )
    yield (
        say("Controller"),
        say(
            "{controller}, firmware {firmware} {major}.{minor}",
            controller=wiring.controller.title,
            firmware=tidy_line(hello.name),
            major=hello.major,
            minor=hello.minor,
        ),
    )
    yield say("Sensors"), say(SENSORS[wiring.sensor], period=hello.period)
    yield say("Lamps"), str(hello.lamps) if hello.lamps else say("none")
    if base is not None and wiring.sensor is Sensor.ANALOGUE:
        noisiest = max(base.noise, key=lambda site: base.noise[site])
        yield (
            say("Noise"),
            (
                say(
                    "usually {usual:.1f} counts, most at {noisiest} ({noise:.1f}); shared by all sensors "
                    "{ripple:.1f}",
                    usual=median(base.noise.values()),
                    noisiest=noisiest,
                    noise=base.noise[noisiest],
                    ripple=base.ripple,
                )
            ),
        )
        yield (
            say("Supply"),
            say(
                "level at rest {percent:.1f} % of the controller's",
                percent=100 * median(base.rest.values()) / (2 * CENTRE),
            ),
        )
    if work.walk.usual is not None and wiring.sensor is Sensor.ANALOGUE:
        yield say("Magnet"), say("usually {usual:.0f} counts", usual=work.walk.usual)
    yield (
        say("Line"),
        say(
            "{frames} frames lost or damaged, {lost} times unplugged, {restarts} restarts",
            frames=work.bad_frames,
            lost=work.losses,
            restarts=work.restarts,
        ),
    )
    yield say("Magnets"), MAGNETS


def _right(work: Commissioning, findings: tuple[GridFinding, ...]) -> Iterator[str]:
    kinds = {finding.kind for finding in findings}
    bad = {site for finding in findings for site in finding.sites if not finding.mended}
    good = [site for site, answer in work.walk.answers.items() if answer and site not in bad]
    if good:
        yield say("{good} of {sites} sites are right.", good=len(good), sites=len(work.wiring.sites))
    if work.empty.baseline is not None and not kinds & {"supply", "noisy"}:
        yield say("Supply and noise are fine.")
    if work.lamp_tests.is_tested and not kinds & {"lamps"}:
        yield say("All {lamps} lamps shine, in the right colours and places.", lamps=work.hello.lamps)
    if (tried := len(work.walk.pieces)) and "weak piece" not in kinds:
        yield say("The magnets of all {pieces} pieces that were tried are strong enough.", pieces=tried)


def _supply_faults(work: Commissioning) -> Iterator[GridFinding]:
    look, volts = say("look at its supply and its cable"), work.wiring.controller.volts
    reset = work.hello.reset
    causes: list[str] = [say("a firmware that stood still")] if reset & STOOD_STILL else []
    if reset & LOW_VOLTAGE and not reset & POWERED_UP:
        causes.append(say("low voltage"))
    if causes:
        words = say("The controller's last start was caused by {causes}.", causes=listed(causes))
        yield GridFinding("supply", words, look)
    if work.restarts:
        words = say_count(
            "The controller started anew once meanwhile.",
            "The controller started anew {n} times meanwhile.",
            work.restarts,
        )
        yield GridFinding("supply", words, look)
    if work.bad_frames > FRAMES_MAX:
        words = say("{frames} frames were lost or damaged.", frames=work.bad_frames)
        yield GridFinding("line", words, say("use a shorter or better cable, away from the lamps' supply"))
    base = work.empty.baseline
    if base is None or work.wiring.sensor is not Sensor.ANALOGUE:
        return
    one_rail = say(
        "feed sensors, multiplexers and controller from one rail of {volts:g} V, with 100 µF where it "
        "comes in",
        volts=volts,
    )
    if base.ripple > RIPPLE_MAX:
        words = say(
            "The sensors' supply is noisy: it moves all levels by {ripple:.0f} counts.", ripple=base.ripple
        )
        yield GridFinding("supply", words, one_rail)
    off = median(base.rest.values()) / CENTRE - 1
    if abs(off) > SUPPLY_OFF:
        yield GridFinding("supply", say(SUPPLY_OFF_WORDS[off > 0], share=percent(abs(off))), one_rail)


def _wiring_faults(work: Commissioning) -> Iterator[GridFinding]:
    answers = {site: answer.wire if answer else None for site, answer in work.walk.answers.items()}
    in_use = work.known.wires if work.known else {}
    is_mapped = work.walk.wires == in_use and bool(in_use)
    for finding in name_exchanges(work.wiring, answers):
        yield replace(finding, mended=is_mapped)
    if in_use and not work.walk.wires and all(map(work.walk.answers.get, in_use)):
        words = say("The map of the wires that is in use exchanges wires that are soldered as in the table.")
        yield GridFinding("exchanged", words, say("keep this calibration: the map goes"), tuple(in_use))
    at_rest = set(work.wiring.sites) - work.empty.suspects.keys()
    yield from name_silent(work.wiring, {s: wire for s, wire in answers.items() if s in at_rest or wire})
    for site in work.bridged:
        yield _of_sensor(site, SensorVerdict.DIODE)


def _of_sensor(site: Site, verdict: SensorVerdict, share: float | None = None) -> GridFinding:
    words = say("{site}: {verdict}.", site=site, verdict=say_verdict(verdict))
    if share is not None and verdict is SensorVerdict.WEAK:
        words = say(
            "{site}: {verdict} ({share}).", site=site, verdict=say_verdict(verdict), share=percent(share)
        )
    return GridFinding(str(verdict), words, say_advice(verdict), (site,))


def _sensor_faults(work: Commissioning) -> Iterator[GridFinding]:
    wires, answers = work.walk.wires, work.walk.answers
    found = work.learned() if work.empty.scans and any(answers.values()) else None
    suspects = {wires.get(wire, wire): verdict for wire, verdict in work.empty.suspects.items()}
    for site in (site for site in work.walk.order if site in answers):
        verdict = found.sites[site].verdict if found and answers[site] else SensorVerdict.GOOD
        if verdict is SensorVerdict.GOOD:
            verdict = suspects.get(site, verdict)
        if verdict is not SensorVerdict.GOOD:
            yield _of_sensor(site, verdict, work.walk.share(site))
    known = work.known.turned if work.known else ()
    for site in found.turned if found else ():
        words = say("{site}: turned over.", site=site)
        yield GridFinding("turned over", words, TURNED_OVER, (site,), site in known)
    yield from _magnet_faults(work)


def _magnet_faults(work: Commissioning) -> Iterator[GridFinding]:
    """Yields what is wrong with magnets: that of the walk, and those of pieces."""
    if work.wiring.sensor is not Sensor.ANALOGUE or work.walk.usual is None:
        return
    if work.walk.usual < WEAK_MAGNET:
        words = say("The magnet is weak everywhere: {usual:.0f} counts.", usual=work.walk.usual)
        advice = say("use a stronger magnet, or sensors less deep: hardware/magnets.md")
        yield GridFinding("weak magnet", words, advice)
    usual = median([1.0, *(piece.share for piece in work.walk.pieces)])
    for number, piece in enumerate(work.walk.pieces, 1):
        if piece.share < WEAK_PIECE * usual:
            words = say(
                "Piece {number} (tried on {site}) has a weak magnet: {share}.",
                number=number,
                site=piece.site,
                share=percent(piece.share),
            )
            advice = say("put a magnet like the others' into its foot, as near to the board")
            yield GridFinding("weak piece", words, advice)


def _lamp_faults(work: Commissioning) -> Iterator[GridFinding]:
    notes, order = work.lamp_tests, lamp_sites(rewire(work.wiring, work.walk.wires))
    if notes.has_other_colours:
        words = say("The lamps shine in other colours than asked for.")
        yield GridFinding("lamps", words, say("use WS2812 or WS2812B lamps: they take green before red"))
    yield from _dark_lamps(notes.dark, order)
    places = dict(zip(work.wiring.sites, order, strict=True))
    strays = {places[lamp]: seen for lamp, seen in notes.seen.items() if seen != places[lamp]}
    thread = say("thread the lamps in the order of the sites in the board's file")
    if strays:
        named = listed([say("that of {lamp} at {place}", lamp=lamp, place=at) for lamp, at in strays.items()])
        words = say("Lamps shine at other sites: {named}.", named=named)
        yield GridFinding("lamps", words, thread, tuple(strays))
    elif notes.jumps:
        yield GridFinding("lamps", say("The light does not run along the rows."), thread)


def _dark_lamps(noted: set[Site], chain: tuple[Site, ...]) -> Iterator[GridFinding]:
    """Yields the lamps that are dark: all from one on, where that is so, since each hands the data on."""
    dark = tuple(site for site in chain if site in noted)
    if not dark:
        return
    named = ", ".join(dark[:SITES_NAMED]) + (" …" if len(dark) > SITES_NAMED else "")
    words, advice = say("Dark lamps: {named}.", named=named), say("check the solder of these lamps")
    if dark == chain[-len(dark) :] and len(dark) > 1:
        start = chain.index(dark[0])
        wire = say("from the controller to the first lamp")
        if start:
            wire = say("between {start} and {end}", start=chain[start - 1], end=dark[0])
        words = say("All lamps from {place} on are dark.", place=dark[0])
        advice = say("check the data wire {wire}, and the lamps' supply there", wire=wire)
    yield GridFinding("lamps", words, advice, dark)
