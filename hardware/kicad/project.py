"""Writes a tile as a KiCad project: schematic, board, its own libraries, and the rules for the board."""

from __future__ import annotations

import json
from pathlib import Path

from hardware.kicad.library import FOOTPRINTS, LIBRARY
from hardware.kicad.pcb import BARE, bare_file, board, footprint_file
from hardware.kicad.schematic import sheets, symbol_library
from hardware.kicad.sexpr import Node, Text, dump
from hardware.kicad.tile import CLEARANCE, SIGNAL_WIDTH, VIA_DRILL, VIA_SIZE, Tile

RULES = {
    "min_clearance": CLEARANCE,
    "min_track_width": CLEARANCE,
    "min_via_diameter": VIA_SIZE,
    "min_through_hole_diameter": VIA_DRILL,
    "min_via_annular_width": 0.13,
    "min_copper_edge_clearance": 0.3,
    "min_hole_clearance": 0.25,
    "min_hole_to_hole": 0.25,
    "min_text_height": 0.8,
    "min_text_thickness": 0.12,
    "min_silk_clearance": 0.0,
}
"""What a board of the cheapest class may ask for, in mm; KiCad holds the board to it."""


def write_project(tile: Tile, folder: Path) -> Path:
    """Writes a tile's project into a folder, which is made, and returns its project file."""
    library = folder / f"{LIBRARY}.pretty"
    library.mkdir(parents=True, exist_ok=True)
    for footprint in FOOTPRINTS:
        _write(library / f"{footprint.name}.kicad_mod", footprint_file(footprint))
    for mark in BARE:
        _write(library / f"{mark.name}.kicad_mod", bare_file(mark))
    _write(folder / f"{LIBRARY}.kicad_sym", symbol_library())
    _write(folder / "sym-lib-table", _table("sym_lib_table", f"{LIBRARY}.kicad_sym"))
    _write(folder / "fp-lib-table", _table("fp_lib_table", f"{LIBRARY}.pretty"))
    for name, sheet in sheets(tile):
        _write(folder / name, sheet)
    _write(folder / f"{tile.name}.kicad_pcb", board(tile))
    project = folder / f"{tile.name}.kicad_pro"
    project.write_text(json.dumps(_settings(tile), indent=2) + "\n", encoding="utf-8")
    return project


def _write(path: Path, node: list[Node]) -> None:
    path.write_text(dump(node) + "\n", encoding="utf-8")


def _table(kind: str, file: str) -> list[Node]:
    row: list[Node] = ["lib", ["name", Text(LIBRARY)], ["type", Text("KiCad")]]
    row += [
        ["uri", Text(f"${{KIPRJMOD}}/{file}")],
        ["options", Text("")],
        ["descr", Text("parts of the tile")],
    ]
    return [kind, ["version", 7], row]


def _settings(tile: Tile) -> dict[str, object]:
    normal = {
        "name": "Default",
        "clearance": CLEARANCE,
        "track_width": SIGNAL_WIDTH,
        "via_diameter": VIA_SIZE,
        "via_drill": VIA_DRILL,
        "priority": 2147483647,
    }
    return {
        "board": {"design_settings": {"rules": RULES, "meta": {"version": 2}}},
        "meta": {"filename": f"{tile.name}.kicad_pro", "version": 3},
        "net_settings": {"classes": [normal], "meta": {"version": 4}},
        "schematic": {"legacy_lib_dir": "", "legacy_lib_list": []},
        "sheets": [],
        "text_variables": {},
    }
