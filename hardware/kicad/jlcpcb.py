"""Writes a tile's parts and positions the way the maker JLCPCB reads them.

Its tables have headers of their own, and its own zero of rotation for some packages, as parts lie in their
reels. Connectors are soldered by hand: they stand among the parts, and have no position.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

from hardware.kicad.bill import KNOWN
from hardware.kicad.tile import Part, Tile

PARTS_HEAD = ("Comment", "Designator", "Footprint", "LCSC Part #")
POSITIONS_HEAD = ("Designator", "Mid X", "Mid Y", "Layer", "Rotation")
TURNS: Mapping[str, int] = {"SOT-23": 180, "SOIC-16": 270}
"""Degrees that are added to KiCad's rotation: those of bennymeg/Fabrication-Toolkit, transformations.csv."""
BY_HAND = "soldered by hand"


def parts(tile: Tile) -> str:
    """Returns the table of parts: a line for each kind, with what it is ordered by."""
    kinds: dict[str, list[Part]] = {}
    for part in tile.parts:
        kinds.setdefault(part.kind.key, []).append(part)
    return _csv(PARTS_HEAD, (_line(key, found) for key, found in kinds.items()))


def _line(key: str, found: Sequence[Part]) -> tuple[str, str, str, str]:
    row = KNOWN[key]
    words = row.get("lcsc_part", row["number"])
    if _is_by_hand(found[0]):
        words = f"{words}, {BY_HAND}"
    references = ",".join(part.reference for part in found)
    return words, references, found[0].kind.footprint.name, row.get("lcsc", "")


def positions(tile: Tile) -> str:
    """Returns the table of positions of the placed parts, from the corner that Gerbers count from."""
    placed = (part for part in tile.parts if not _is_by_hand(part))
    return _csv(POSITIONS_HEAD, (_place(tile, part) for part in placed))


def _place(tile: Tile, part: Part) -> tuple[str, str, str, str, int]:
    x, y = part.at.x - tile.outline.left, tile.outline.top - part.at.y
    turn = (part.rotation + TURNS.get(part.kind.footprint.name, 0)) % 360
    return part.reference, f"{x:.4f}", f"{y:.4f}", "Top" if part.on_front else "Bottom", turn


def unnumbered(tile: Tile) -> list[str]:
    """Returns the makers' numbers of placed parts whose number at the supplier is not known."""
    keys = dict.fromkeys(part.kind.key for part in tile.parts if not _is_by_hand(part))
    return [KNOWN[key]["number"] for key in keys if not KNOWN[key].get("lcsc")]


def _is_by_hand(part: Part) -> bool:
    return part.kind.footprint.is_through_hole


def _csv(head: Sequence[str], rows: Iterator[tuple[object, ...]]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
