"""Names wires that end at the wrong sensors, and parts of the wiring that do not answer at all.

What a walk over the board has heard is `answers`: for each site that a magnet was held on, the wire that
answered, by the site that the table means it for, or None where none did. From that follows which wires are
exchanged. A grid that lies turned under its board, or is wired in the mirror, is named as such; and so are
whole rows, columns, multiplexers, registers and select lines, since one wire of theirs moves many sites.
Numbers of rows and the like are those of the drawings in hardware/wiring.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from companion.core.game import Site
from companion.language import NamedPhrases, listed, say
from companion.wire.values import Place, Wire
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import Address, Turn, Wiring, find_turn

Answers: TypeAlias = Mapping[Site, Site | None]
Part: TypeAlias = tuple[str, int]
"""A row, a column or a select line, and its number in the drawings."""
FEWEST_SITES = 2
"""Sites that have to agree before a whole row or column is named."""
KINDS = ("select", "row", "column")
"""The kinds of parts of a wiring: rows and columns of addresses, and the lines that select a column."""
PARTS: NamedPhrases = {
    "row": "row {name}",
    "column": "column {name}",
    "multiplexer": "multiplexer {name}",
    "register": "register {name}",
    "input": "input {name}",
    "select": "select line {name}",
}
KEEP = say("keep the map of the wires as they are, or exchange them")


class GridFinding(Wire):
    """One thing that commissioning has found: what it is, and what to do about it."""

    kind: str
    words: str
    advice: str = ""
    sites: tuple[Place, ...] = ()
    """The sites concerned."""
    mended: bool = False
    """Nothing is to be done any more: the calibration that is in use makes up for it."""


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


def name_exchanges(wiring: Wiring, answers: Answers) -> list[GridFinding]:
    """Returns what is exchanged: the whole board before rows and columns, and these before single wires."""
    wires = soldered_wires(answers, wiring.sites)
    has = {site: wire for site, wire in answers.items() if wire is not None}
    has |= {end: wire for wire, end in wires.items()}
    findings = []
    if turn := find_turn(wiring, has):
        findings.append(_name_turn(turn, has))
        owner = {wire: site for site, wire in turn.wires.items()}
        has = {site: owner.get(wire, wire) for site, wire in has.items() if turn.wires[site] is not None}
    for parts, swap in _swaps(wiring) if wires else ():
        tried = [site for site in swap if site in has]
        agreeing = sum(has[site] == swap[site] for site in tried)
        if agreeing >= max(2 * FEWEST_SITES, len(tried) / 2):
            words = say("Exchanged: {parts}.", parts=listed([_say_part(wiring, *part) for part in parts]))
            findings.append(GridFinding("exchanged", words, KEEP, tuple(swap)))
            has = {site: swap.get(wire, wire) for site, wire in has.items()}
    single = {site: has[site] for site in wiring.sites if has.get(site, site) != site}
    return [*findings, *map(_name_ring, _find_rings(single))]


def _name_turn(turn: Turn, has: Mapping[Site, Site]) -> GridFinding:
    named = {"one": turn.agreeing[0], "other": has[turn.agreeing[0]], "angle": turn.angle}
    words = say("The grid lies turned by {angle}°: {one} has the wire of {other}, and so on.", **named)
    advice = say("turn the board on it and measure again, or keep the map of the wires as they are")
    if turn.is_mirrored:
        words = say("The wires are mirrored: {one} has that of {other}, and so on.", **named)
        advice = say("keep the map of the wires as they are")
    return GridFinding("exchanged", words, advice, turn.agreeing)


def _swaps(wiring: Wiring) -> Iterator[tuple[list[Part], dict[Site, Site]]]:
    """Yields pairs of parts that may be exchanged, and for each site that this moves the wire it then has."""
    known = {address: site for site, address in _addresses(wiring)}
    selects = len(wiring.controller.select) if wiring.sensor is Sensor.ANALOGUE else 0
    for kind, count in zip(KINDS, (selects, wiring.height, wiring.width), strict=True):
        for a, b in combinations(range(count), 2):
            moved = ((site, known.get(_swap(address, kind, a, b))) for site, address in _addresses(wiring))
            yield [(kind, a), (kind, b)], {s: wire for s, wire in moved if wire is not None and wire != s}


def _swap(address: Address, kind: str, a: int, b: int) -> Address:
    """Returns at which address is read what is at this one, where two parts are exchanged."""
    row, column = address
    if kind == "select":
        is_moved = column >> a & 1 != column >> b & 1
        return Address(row, column ^ (1 << a | 1 << b) if is_moved else column)
    other = {a: b, b: a}
    return Address(other.get(row, row), column) if kind == "row" else Address(row, other.get(column, column))


def _find_rings(has: Mapping[Site, Site]) -> Iterator[tuple[Site, ...]]:
    """Yields the rings in which each site has the wire of the next. An open chain counts as one too."""
    left = dict(has)
    while left:
        start = next((site for site in left if site not in left.values()), next(iter(left)))
        ring = [start]
        while ring[-1] in left:
            ring.append(left.pop(ring[-1]))
        yield tuple(ring[:-1] if ring[-1] == start else ring)


def _name_ring(ring: Sequence[Site]) -> GridFinding:
    if len(ring) == 2:
        words = say("The wires of {one} and {other} are exchanged.", one=ring[0], other=ring[1])
    else:
        words = say(
            "The wires of {places} are exchanged in a ring: {one} has that of {other}, and so on.",
            places=listed(ring),
            one=ring[0],
            other=ring[1],
        )
    return GridFinding("exchanged", words, KEEP, tuple(ring))


def name_silent(wiring: Wiring, answers: Answers) -> list[GridFinding]:
    """Returns the parts of the wiring of which no site answers, then the single sites that do not.

    A part is named only where all its sites were tried; a line that selects one half, where all sites were
    and the other half answers.
    """
    dead = {site for site, wire in answers.items() if wire is None}
    is_walked = len(answers) == len(wiring.sites) and any(answers.values())
    findings = []
    for kind, line, sites in _parts(wiring):
        if dead.issuperset(sites) and len(sites) >= FEWEST_SITES and (kind != "select" or is_walked):
            words = say(
                "Silent: {part}. None of its {sites} sites answers.",
                part=_say_part(wiring, kind, line),
                sites=len(sites),
            )
            findings.append(GridFinding("dead", words, say("check its wire, and its supply"), sites))
            dead -= {*sites}
    advice = say(
        "check its wire and its solder, that the sensor faces the right way, and the depth of the magnet"
    )
    findings += [
        GridFinding("dead", say("{site} does not answer.", site=site), advice, (site,))
        for site in wiring.sites
        if site in dead
    ]
    return findings


def _parts(wiring: Wiring) -> Iterator[tuple[str, int, tuple[Site, ...]]]:
    """Yields all parts of a wiring with their sites: of a line that selects columns, either half of them."""
    found: dict[tuple[int, int, int], list[Site]] = defaultdict(list)
    for site, address in _addresses(wiring):
        parts = [("row", address.row, 0), ("column", address.column, 0)]
        if wiring.sensor is Sensor.ANALOGUE:
            selects = range(len(wiring.controller.select))
            parts += [("select", line, address.column >> line & 1) for line in selects]
        for kind, line, level in parts:
            found[KINDS.index(kind), line, level].append(site)
    for (kind_number, line, _), sites in sorted(found.items()):
        yield KINDS[kind_number], line, tuple(sites)


def _say_part(wiring: Wiring, kind: str, line: int) -> str:
    """Returns a part as the drawings name it, with the controller's pin where it has one."""
    controller = wiring.controller
    part, name, pins = {
        (Sensor.REED, "row"): ("row", str(line), controller.rows),
        (Sensor.REED, "column"): ("column", str(line), controller.columns),
        (Sensor.DIGITAL, "row"): ("register", str(line), ()),
        (Sensor.DIGITAL, "column"): ("input", chr(ord("A") + line), ()),
        (Sensor.ANALOGUE, "row"): ("multiplexer", str(line), controller.enable or controller.analogue),
        (Sensor.ANALOGUE, "column"): ("input", f"C{line}", ()),
        (Sensor.ANALOGUE, "select"): ("select", f"S{line}", controller.select),
    }[wiring.sensor, kind]
    words = say(PARTS[part], name=name)
    return say("{part} (pin {pin})", part=words, pin=pins[line].label) if pins else words


def _addresses(wiring: Wiring) -> Iterator[tuple[Site, Address]]:
    return zip(wiring.sites, wiring.addresses, strict=True)
