"""Names wires that end at the wrong sensors, and parts of the wiring that do not answer at all.

What a walk over the board has heard is `answers`: for each site that a magnet was held on, the wire that
answered, by the site that the table means it for, or None where none did. From that follows which wires are
exchanged. A grid that lies turned under its board, or is wired in the mirror, is named as such; and so are
whole rows, columns, multiplexers, registers and select lines, since one wire of theirs moves many sites.
Numbers of rows and the like are those of the drawings in hardware/wiring.
"""

from __future__ import annotations

from cmath import rect
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import radians
from typing import TypeAlias

from companion.core.game import Site
from companion.language import NamedPhrases, listed, say
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import Address, Wiring

Answers: TypeAlias = Mapping[Site, Site | None]
Lines: TypeAlias = dict[int, int]
"""For each row (or column) of the table, the row at whose address its sensors answer."""
Moved: TypeAlias = tuple[list["WiringFault"], dict[Site, Site | None]]
"""What is moved as a whole, and then the wire that each site has."""
FEWEST_SITES = 2
"""Sites that have to agree before a whole row or column is named."""
EXCHANGED: NamedPhrases = {
    "row": "Rows {names} are exchanged.",
    "column": "Columns {names} are exchanged.",
    "multiplexer": "Multiplexers {names} are exchanged.",
    "register": "Registers {names} are exchanged.",
    "input": "Inputs {names} are exchanged.",
}
EXCHANGED_WITH_PINS: NamedPhrases = {
    "row": "Rows {names} are exchanged (pins {pins}).",
    "column": "Columns {names} are exchanged (pins {pins}).",
    "multiplexer": "Multiplexers {names} are exchanged (pins {pins}).",
}
SILENT: NamedPhrases = {
    "register": "Register {name} is silent: none of its {sites} sites answers.",
    "input": "Input {name} is silent: none of its {sites} sites answers.",
}
SILENT_WITH_PIN: NamedPhrases = {
    "row": "Row {name} (pin {pin}) is silent: none of its {sites} sites answers.",
    "column": "Column {name} (pin {pin}) is silent: none of its {sites} sites answers.",
    "multiplexer": "Multiplexer {name} (pin {pin}) is silent: none of its {sites} sites answers.",
}
CHECK: NamedPhrases = {
    "row": "check the wire of this row, and its supply",
    "column": "check the wire of this column, and its supply",
    "multiplexer": "check the wire of this multiplexer, and its supply",
    "register": "check the wire of this register, and its supply",
    "input": "check the wire of this input, and its supply",
}
"""The words for what is wrong with a part of the wiring, by what it is."""
LEAST_AGREEING = 0.5
"""The share of a row's answers that have to agree, at least; of a board's sites where the whole is turned."""
ANGLES = (0, 60, 90, 120, 180, 240, 270, 300)
"""The degrees by which a board of squares or hexagons can lie turned."""
NEAR = 0.01
"""The distance at which two points are one, as a share of the board's width."""


@dataclass(frozen=True, slots=True)
class WiringFault:
    """A fault of the wiring in words, the sites concerned, and what to do about it."""

    words: str
    sites: tuple[Site, ...]
    advice: str


def soldered_wires(answers: Answers, sites: Collection[Site]) -> dict[Site, Site]:
    """Returns the wires that end at another sensor than they are meant for: site of the table to site.

    Where a sensor did not answer, its wire is known only by elimination: ends that are left over are joined
    to wires that are left over so that chains close.
    """
    ends = {wire: site for site, wire in answers.items() if wire is not None}
    claimed = {site for site, wire in answers.items() if wire is not None}
    starts = [site for site in sites if site not in claimed and site in ends]
    for start in starts:  # a site without an answer, whose own wire was heard elsewhere
        site = start
        while site in ends:
            site = ends[site]
        ends[site] = start
    return {wire: end for wire, end in ends.items() if wire != end}


def name_exchanges(wiring: Wiring, answers: Answers) -> list[WiringFault]:
    """Returns what is exchanged: the whole board before rows and columns, and these before single wires."""
    wires = soldered_wires(answers, wiring.sites)
    heard = {site: wire for site, wire in answers.items() if wire is not None}
    heard |= {end: wire for wire, end in wires.items()}
    moved, meant = _name_whole(wiring, heard) or _name_all_lines(wiring, heard)
    return [*moved, *map(_name_ring, _find_rings(_find_single(heard, meant)))]


def _name_whole(wiring: Wiring, heard: Mapping[Site, Site]) -> Moved | None:
    """Names the one fault of a grid that answers as one that is turned or mirrored; None for another grid."""
    points = {site: complex(*spot) for site, spot in zip(wiring.sites, wiring.spots, strict=True)}
    middle = sum(points.values()) / len(points)
    points = {site: point - middle for site, point in points.items()}
    near = NEAR * max(map(abs, points.values()))
    for is_mirrored, angle in product((False, True), ANGLES):
        turn = rect(1, radians(angle))
        ends = {s: turn * (p.conjugate() if is_mirrored else p) for s, p in points.items()}
        agreeing = [s for s, wire in heard.items() if s != wire and abs(points[wire] - ends[s]) <= near]
        if len(agreeing) > LEAST_AGREEING * len(points):
            first = agreeing[0]
            named = {"one": first, "other": heard[first], "angle": min(angle, 360 - angle)}
            words = say(
                "The grid lies turned by {angle}°: {one} has the wire of {other}, and so on.", **named
            )
            advice = say("turn the board on it and measure again, or keep the map of the wires as they are")
            if is_mirrored:
                words = say("The wires are mirrored: {one} has that of {other}, and so on.", **named)
                advice = say("keep the map of the wires as they are")
            meant = {
                s: next((t for t, p in points.items() if abs(p - end) <= near), None)
                for s, end in ends.items()
            }
            return [WiringFault(words, tuple(agreeing), advice)], meant
    return None


def _name_all_lines(wiring: Wiring, heard: Mapping[Site, Site]) -> Moved:
    """Names the rows and columns that are exchanged."""
    at = dict(zip(wiring.sites, wiring.addresses, strict=True))
    pairs = [(at[site], at[wire]) for site, wire in heard.items()]
    row_votes = _votes((a.row, b.row) for a, b in pairs if a.column == b.column)
    rows = _find_exchanged(row_votes, Counter(a.row for a, _ in pairs))
    column_votes = _votes((a.column, b.column) for a, b in pairs if b.row == rows.get(a.row, a.row))
    columns = _find_exchanged(column_votes, Counter(a.column for a, _ in pairs))

    known = {address: site for site, address in at.items()}
    meant = {
        site: known.get(Address(rows.get(a.row, a.row), columns.get(a.column, a.column)))
        for site, a in at.items()
    }
    return [*_name_lines(wiring, "row", rows), *_name_lines(wiring, "column", columns)], meant


def _votes(pairs: Iterable[tuple[int, int]]) -> dict[int, Counter[int]]:
    """Returns for each line how many of its sites answer as which line."""
    votes: dict[int, Counter[int]] = {}
    for line, heard in pairs:
        votes.setdefault(line, Counter())[heard] += 1
    return votes


def _find_exchanged(votes: Mapping[int, Counter[int]], answered: Mapping[int, int]) -> Lines:
    """Returns the lines that answer as another, as most of their sites agree: those that are exchanged."""
    moved = {}
    for line, counts in votes.items():
        heard, count = counts.most_common(1)[0]
        if heard != line and count >= FEWEST_SITES and count > LEAST_AGREEING * answered[line]:
            moved[line] = heard
    while set(moved) != set(moved.values()):  # what is no exchange among lines is named wire by wire
        moved = {line: heard for line, heard in moved.items() if heard in moved and line in moved.values()}
    return moved


def _find_single(heard: Mapping[Site, Site], meant: Mapping[Site, Site | None]) -> dict[Site, Site]:
    """Returns the sites whose wires are exchanged besides: each with the site whose wire it has."""
    owner = {wire: site for site, wire in meant.items() if wire is not None}
    return {
        site: owner.get(heard[site], heard[site])
        for site in meant
        if site in heard and meant[site] is not None and owner.get(heard[site], heard[site]) != site
    }


def _find_rings(has: Mapping[Site, Site]) -> Iterator[tuple[Site, ...]]:
    """Yields the rings in which each site has the wire of the next. An open chain counts as one too."""
    left = dict(has)
    while left:
        start = next((site for site in left if site not in left.values()), next(iter(left)))
        ring = [start]
        while ring[-1] in left:
            ring.append(left.pop(ring[-1]))
        yield tuple(ring[:-1] if ring[-1] == start else ring)


def _name_ring(ring: Sequence[Site]) -> WiringFault:
    if len(ring) == 2:
        words = say("The wires of {one} and {other} are exchanged.", one=ring[0], other=ring[1])
    else:
        words = say(
            "The wires of {places} are exchanged in a ring: {one} has that of {other}, and so on.",
            places=listed(ring),
            one=ring[0],
            other=ring[1],
        )
    return WiringFault(words, tuple(ring), say("keep the map of the wires as they are, or exchange them"))


def _name_lines(wiring: Wiring, kind: str, lines: Lines) -> list[WiringFault]:
    """Names rows or columns that are exchanged."""
    if kind == "column" and wiring.sensor is Sensor.ANALOGUE and (swapped := _select_lines(lines, wiring)):
        a, b = swapped
        pins = [wiring.controller.select[i].label for i in swapped]
        words = say(
            "The select lines S{a} and S{b} of the multiplexers are exchanged (pins {pins}).",
            a=a,
            b=b,
            pins=listed(pins),
        )
        return [_line_fault(wiring, kind, words, lines)]
    faults = []
    for ring in _find_rings({str(line): str(heard) for line, heard in lines.items()}):
        moved = [int(line) for line in ring]
        part, names = _part(wiring, kind)
        named, pins = listed([names(line) for line in moved]), [_pin(wiring, kind, line) for line in moved]
        words = say(EXCHANGED[part], names=named)
        if any(pins):
            words = say(EXCHANGED_WITH_PINS[part], names=named, pins=listed(pins))
        faults.append(_line_fault(wiring, kind, words, moved))
    return faults


def _line_fault(wiring: Wiring, kind: str, words: str, lines: Collection[int]) -> WiringFault:
    sites = _sites_of(wiring, kind, lines)
    return WiringFault(
        words, sites, say("keep the map of the wires as they are, or exchange them at the controller")
    )


def _select_lines(columns: Lines, wiring: Wiring) -> tuple[int, int] | None:
    """Returns the two select lines that are exchanged, if that explains which inputs are."""
    for a, b in combinations(range(len(wiring.controller.select)), 2):
        swapped = {c: _swap_bits(c, a, b) for c in range(wiring.width)}
        moved = {c: other for c, other in swapped.items() if other != c}
        if moved == columns:
            return a, b
    return None


def _swap_bits(number: int, a: int, b: int) -> int:
    if number >> a & 1 == number >> b & 1:
        return number
    return number ^ (1 << a | 1 << b)


def name_silent(wiring: Wiring, answers: Answers) -> list[WiringFault]:
    """Returns the parts of the wiring of which no site answers, then the single sites that do not.

    A part is named only where all its sites were tried.
    """
    dead = {site for site, wire in answers.items() if wire is None}
    faults = []
    for kind, all_lines in (
        ("select", range(4)),
        ("row", range(wiring.height)),
        ("column", range(wiring.width)),
    ):
        for line in all_lines:
            sites = _silent_part(wiring, kind, line, answers)
            if sites and dead.issuperset(sites):
                faults.append(_name_part(wiring, kind, line, sites))
                dead -= set(sites)
    advice = say(
        "check its wire and its solder, that the sensor faces the right way, and the depth of the magnet"
    )
    return [
        *faults,
        *(
            WiringFault(say("{site} does not answer.", site=site), (site,), advice)
            for site in wiring.sites
            if site in dead
        ),
    ]


def _silent_part(wiring: Wiring, kind: str, line: int, answers: Answers) -> tuple[Site, ...]:
    """Returns the sites of a part if it may be named as a whole."""
    if kind == "select":
        return _silent_half(wiring, line, answers)
    sites = _sites_of(wiring, kind, (line,))
    return sites if len(sites) >= FEWEST_SITES and all(site in answers for site in sites) else ()


def _silent_half(wiring: Wiring, line: int, answers: Answers) -> tuple[Site, ...]:
    """Returns the sites of one level of a select line, where all were tried and these alone are silent."""
    if wiring.sensor is not Sensor.ANALOGUE or 1 << line >= wiring.width or len(answers) < len(wiring.sites):
        return ()
    halves: dict[int, list[Site]] = {}
    for site, address in _addresses(wiring):
        halves.setdefault(address.column >> line & 1, []).append(site)
    silent = [half for half in halves.values() if not any(map(answers.get, half))]
    return tuple(silent[0]) if len(silent) == 1 else ()


def _name_part(wiring: Wiring, kind: str, line: int, sites: tuple[Site, ...]) -> WiringFault:
    if kind == "select":
        pin = wiring.controller.select[line].label
        words = say(
            "The select line S{line} (pin {pin}) does not switch: half of the sites are silent.",
            line=line,
            pin=pin,
        )
        return WiringFault(words, sites, say("check its wire from the controller to all multiplexers"))
    part, names = _part(wiring, kind)
    pin = _pin(wiring, kind, line)
    words = say((SILENT_WITH_PIN if pin else SILENT)[part], name=names(line), pin=pin, sites=len(sites))
    return WiringFault(words, sites, say(CHECK[part]))


def _part(wiring: Wiring, kind: str) -> tuple[str, Callable[[int], str]]:
    """Returns what a row or column of this kind of wiring is, and how its number is written."""
    if wiring.sensor is Sensor.REED:
        return kind, str
    if kind == "row":
        return ("multiplexer" if wiring.sensor is Sensor.ANALOGUE else "register"), str
    return "input", (lambda i: f"C{i}") if wiring.sensor is Sensor.ANALOGUE else (lambda i: "ABCDEFGH"[i])


def _pin(wiring: Wiring, kind: str, line: int) -> str:
    """Returns the controller's pin of a row or column; '' where it has none."""
    controller = wiring.controller
    if wiring.sensor is Sensor.REED:
        return (controller.rows if kind == "row" else controller.columns)[line].label
    if (wiring.sensor, kind) == (Sensor.ANALOGUE, "row"):
        return (controller.enable or controller.analogue)[line].label
    return ""


def _sites_of(wiring: Wiring, kind: str, lines: Collection[int]) -> tuple[Site, ...]:
    return tuple(site for site, a in _addresses(wiring) if (a.row if kind == "row" else a.column) in lines)


def _addresses(wiring: Wiring) -> Iterator[tuple[Site, Address]]:
    return zip(wiring.sites, wiring.addresses, strict=True)
