"""Counts the parts of a tile: a line for each kind of part, with the numbers of the parts on the board."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from hardware.kicad.library import LIBRARY
from hardware.kicad.tile import LAMP_SUPPLY, Part, Tile

_TABLE = Path(__file__).resolve().parents[1] / "parts.toml"
KNOWN: Mapping[str, Any] = {
    row["kind"]: row for row in tomllib.loads(_TABLE.read_text(encoding="utf-8"))["tile"]
}


class TileLine(NamedTuple):
    """A line of a tile's bill: `ma` and `euro` are those of the whole `quantity`."""

    use: str
    part: str
    number: str
    equal: str
    references: str
    footprint: str
    quantity: int
    ma: float
    euro: float


def use_of(part: Part) -> str:
    """Returns what a part is for: lamps, which may be left out, or the grid."""
    return "lamps" if LAMP_SUPPLY in part.nets.values() else "grid"


def bill(tile: Tile) -> list[TileLine]:
    """Returns the lines of a tile's bill, those of the grid before those of the lamps."""
    groups: dict[tuple[str, str], list[Part]] = {}
    for part in tile.parts:
        groups.setdefault((use_of(part), part.kind.key), []).append(part)
    return [_line(use, KNOWN[key], groups[use, key]) for use, key in sorted(groups)]


def _line(use: str, row: Mapping[str, Any], parts: Sequence[Part]) -> TileLine:
    count, references = len(parts), " ".join(part.reference for part in parts)
    footprint = f"{LIBRARY}:{parts[0].kind.footprint.name}"
    ma, euro = count * row.get("ma", 0), count * row["euro"]
    return TileLine(use, row["part"], row["number"], row["equal"], references, footprint, count, ma, euro)


def as_csv(tile: Tile) -> str:
    """Returns a tile's bill as CSV."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*TileLine._fields[:-2], "mA", "EUR"))
    writer.writerows(line._replace(ma=round(line.ma), euro=round(line.euro, 2)) for line in bill(tile))
    return text.getvalue()
