"""Names wires that end at the wrong sensors, and parts of the wiring that do not answer at all.

What a walk over the board has heard is `answers`: for each site that a magnet was held on, the wire that
answered, by the site that the table means it for, or None where none did. From that follows which wires are
exchanged. A grid that lies turned under its board, or is wired in the mirror, is named as such; and so are
whole rows, columns, multiplexers, registers and select lines, since one wire of theirs moves many sites.
Numbers of rows and the like are those of the drawings in hardware/wiring.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias, TypeVar

from companion.core.game import Site
from companion.language import NamedPhrases, listed, say
from companion.wire.values import Place, Wire
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import Address, Wiring, find_turn

Answers: TypeAlias = Mapping[Site, Site | None]
Lines: TypeAlias = dict[int, int]
"""For each row (or column) of the table, the row at whose address its sensors answer."""
T = TypeVar("T", bound=Hashable)
Moved: TypeAlias = tuple[list["GridFinding"], Mapping[Site, Site | None]]
"""What is moved as a whole, and then the wire that each site has."""
FEWEST_SITES = 2
"""Sites that have to agree before a whole row or column is named."""
LEAST_AGREEING = 0.5
"""The share of a row's answers that have to agree, at least."""
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
    heard = {site: wire for site, wire in answers.items() if wire is not None}
    heard |= {end: wire for wire, end in wires.items()}
    moved, meant = _name_whole(wiring, heard) or _name_all_lines(wiring, heard)
    return [*moved, *map(_name_ring, _find_rings(_find_single(heard, meant)))]


def _name_whole(wiring: Wiring, heard: Mapping[Site, Site]) -> Moved | None:
    """Names the one fault of a grid that answers as one that is turned or mirrored; None for another grid."""
    turn = find_turn(wiring, heard)
    if turn is None:
        return None
    named = {"one": turn.agreeing[0], "other": heard[turn.agreeing[0]], "angle": turn.angle}
    words = say("The grid lies turned by {angle}°: {one} has the wire of {other}, and so on.", **named)
    advice = say("turn the board on it and measure again, or keep the map of the wires as they are")
    if turn.is_mirrored:
        words = say("The wires are mirrored: {one} has that of {other}, and so on.", **named)
        advice = say("keep the map of the wires as they are")
    return [GridFinding("exchanged", words, advice, turn.agreeing)], turn.wires


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


def _find_rings(has: Mapping[T, T]) -> Iterator[tuple[T, ...]]:
    """Yields the rings in which each has the wire of the next. An open chain counts as one too."""
    left = dict(has)
    while left:
        start = next((one for one in left if one not in left.values()), next(iter(left)))
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


def _name_lines(wiring: Wiring, kind: str, lines: Lines) -> Iterator[GridFinding]:
    """Names rows or columns that are exchanged, or the lines that select them."""
    swapped = _select_lines(lines, wiring) if kind == "column" else None
    for ring in (tuple(lines),) if swapped else _find_rings(lines):
        sites = tuple(s for s, a in _addresses(wiring) if (a.row if kind == "row" else a.column) in ring)
        parts = [_say_part(wiring, "select" if swapped else kind, line) for line in swapped or ring]
        yield GridFinding("exchanged", say("Exchanged: {parts}.", parts=listed(parts)), KEEP, sites)


def _select_lines(columns: Lines, wiring: Wiring) -> tuple[int, int] | None:
    """Returns the two select lines that are exchanged, if that explains which inputs are."""
    if not columns or wiring.sensor is not Sensor.ANALOGUE:
        return None
    for a, b in combinations(range(len(wiring.controller.select)), 2):
        swapped = {c: _swap_bits(c, a, b) for c in range(wiring.width)}
        if {c: other for c, other in swapped.items() if other != c} == columns:
            return a, b
    return None


def _swap_bits(number: int, a: int, b: int) -> int:
    if number >> a & 1 == number >> b & 1:
        return number
    return number ^ (1 << a | 1 << b)


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
