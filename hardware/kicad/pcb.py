"""Writes a tile as KiCad's board file, and its footprints as a library."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hardware.kicad.identity import identify
from hardware.kicad.library import LIBRARY, Box, Footprint, Pad
from hardware.kicad.sexpr import Node, Text
from hardware.kicad.tile import (
    BACK,
    FIDUCIAL,
    FIDUCIAL_MASK,
    FRONT,
    GND,
    HOLE,
    VIA_DRILL,
    VIA_SIZE,
    Part,
    Point,
    Tile,
)

VERSION = 20241229
ORIGIN = Point(60.0, 480.0)
"""Where the first site lies on KiCad's sheet."""
ZONE_INSET = 0.5
LAYERS = (
    (0, "F.Cu", "signal"),
    (2, "B.Cu", "signal"),
    (13, "F.Paste", "user"),
    (15, "B.Paste", "user"),
    (5, "F.SilkS", "user"),
    (7, "B.SilkS", "user"),
    (1, "F.Mask", "user"),
    (3, "B.Mask", "user"),
    (17, "Dwgs.User", "user"),
    (19, "Cmts.User", "user"),
    (25, "Edge.Cuts", "user"),
    (27, "Margin", "user"),
    (31, "F.CrtYd", "user"),
    (29, "B.CrtYd", "user"),
    (35, "F.Fab", "user"),
    (33, "B.Fab", "user"),
)


def board(tile: Tile) -> list[Node]:
    """Returns the board of a tile, in the form of KiCad 9. Its zones are not filled yet."""
    nets = {net: number for number, net in enumerate(("", *_nets(tile)))}
    x, y = tile.outline.left + ORIGIN.x, tile.outline.top + ORIGIN.y
    return [
        "kicad_pcb",
        ["version", VERSION],
        ["generator", Text("board_companion")],
        ["generator_version", Text("9.0")],
        ["general", ["thickness", 1.6], ["legacy_teardrops", "no"]],
        ["paper", Text("A1")],
        ["title_block", ["title", Text(tile.title)], ["company", Text("Board Companion")]],
        ["layers", *_layers()],
        [
            "setup",
            ["pad_to_mask_clearance", 0],
            ["allow_soldermask_bridges_in_footprints", "no"],
            ["tenting", "front", "back"],
            ["aux_axis_origin", x, y],
        ],
        *_net_list(nets),
        *(_placed(tile, part, nets) for part in tile.parts),
        *(_bare(tile, HOLE_MARK, number, at) for number, at in enumerate(tile.holes, 1)),
        *(_bare(tile, FIDUCIAL_MARK, number, at) for number, at in enumerate(tile.fiducials, 1)),
        *_outline(tile),
        *_words(tile),
        *_copper(tile, nets),
        *(_zone(tile, layer, nets[GND]) for layer in (FRONT, BACK)),
    ]


def _layers() -> Iterator[list[Node]]:
    for number, name, kind in LAYERS:
        yield [number, Text(name), kind]


def _net_list(nets: dict[str, int]) -> Iterator[list[Node]]:
    for net, number in nets.items():
        yield ["net", number, Text(net)]


def _nets(tile: Tile) -> Iterator[str]:
    yield from tile.nets()
    for part in tile.parts:
        for number, net in part.nets.items():
            if net is None:
                yield unconnected(part, number)


def unconnected(part: Part, number: str) -> str:
    """Returns the name that KiCad gives the net of a pin that is not connected."""
    name = next(pin.name for pin in part.kind.symbol.pins if pin.number == number)
    return f"unconnected-({part.reference}-{name}-Pad{number})"


def footprint_file(footprint: Footprint) -> list[Node]:
    """Returns a footprint as a file of the project's library."""
    return [
        "footprint",
        Text(footprint.name),
        ["version", VERSION],
        ["generator", Text("board_companion")],
        ["generator_version", Text("9.0")],
        ["layer", Text(FRONT)],
        ["descr", Text(footprint.about)],
        _property("Reference", "REF**", 0, footprint.courtyard.top - 1, "F.Fab"),
        _property("Value", footprint.name, 0, footprint.courtyard.bottom + 1, "F.Fab"),
        ["attr", "through_hole" if footprint.is_through_hole else "smd"],
        *_drawing(footprint, True, (footprint.name,)),
        *(_pad(pad, True, 0, (footprint.name,)) for pad in footprint.pads),
    ]


def _placed(tile: Tile, part: Part, nets: dict[str, int]) -> list[Node]:
    """Returns a part's footprint at its place, tied to its symbol."""
    footprint, names = part.kind.footprint, (tile.name, part.reference)
    side = "F" if part.on_front else "B"
    middle = (footprint.courtyard.left + footprint.courtyard.right) / 2
    node: list[Node] = [
        "footprint",
        Text(f"{LIBRARY}:{footprint.name}"),
        ["layer", Text(f"{side}.Cu")],
        ["uuid", identify(*names)],
        ["at", ORIGIN.x + part.at.x, ORIGIN.y + part.at.y, part.rotation],
        ["descr", Text(footprint.about)],
        _property("Reference", part.reference, middle, 0, f"{side}.Fab", names, part.rotation),
        _property("Value", part.kind.value, middle, 1.5, f"{side}.Fab", names, part.rotation),
        ["path", Text("/".join(("", *_path(tile, part))))],
        ["sheetname", Text(f"/{part.sheet}/" if part.sheet else "/")],
        ["sheetfile", Text(sheet_file(tile, part.sheet))],
        ["attr", "through_hole" if footprint.is_through_hole else "smd"],
        *_drawing(footprint, part.on_front, names),
    ]
    for pad in footprint.pads:
        net = part.nets[pad.number] or unconnected(part, pad.number)
        drawn = _pad(pad, part.on_front, part.rotation, names)
        drawn.append(["net", nets[net], Text(net)])
        node.append(drawn)
    return node


def _path(tile: Tile, part: Part) -> Iterator[str]:
    if part.sheet:
        yield identify(tile.name, "sheet", part.sheet)
    yield identify(tile.name, "symbol", part.reference)


def sheet_file(tile: Tile, sheet: str) -> str:
    """Returns the name of the file of a sheet; that of the first sheet for ''."""
    return f"{sheet.replace(' ', '_')}.kicad_sch" if sheet else f"{tile.name}.kicad_sch"


def _property(
    name: str,
    value: str,
    x: float,
    y: float,
    layer: str,
    names: tuple[str, ...] = ("library",),
    rotation: int = 0,
) -> list[Node]:
    return [
        "property",
        Text(name),
        Text(value),
        ["at", x, y, rotation],
        ["layer", Text(layer)],
        ["hide", "no" if name == "Reference" else "yes"],
        ["uuid", identify(*names, "property", name)],
        _effects(0.8, layer.startswith("B")),
    ]


def _effects(size: float, mirrored: bool) -> list[Node]:
    font: list[Node] = ["font", ["size", size, size], ["thickness", round(size * 0.15, 3)]]
    return ["effects", font, ["justify", "mirror"]] if mirrored else ["effects", font]


def _drawing(footprint: Footprint, on_front: bool, names: tuple[str, ...]) -> Iterator[list[Node]]:
    """Yields a footprint's body and courtyard, and the printed bar beside the pad of pin 1."""
    side, flip = ("F", 1) if on_front else ("B", -1)
    for layer, box, width in (("Fab", footprint.body, 0.1), ("CrtYd", footprint.courtyard, 0.05)):
        yield _rectangle(box, flip, f"{side}.{layer}", width, (*names, layer))
    if len(footprint.pads) > 2 or footprint.is_through_hole:
        first, room = footprint.pads[0], footprint.courtyard
        y = (room.top + 0.1) * flip if first.y >= room.top + 0.6 else room.top * flip
        yield _line((first.x - 0.4, y), (first.x + 0.4, y), f"{side}.SilkS", 0.15, (*names, "pin 1"))


def _rectangle(box: Box, flip: int, layer: str, width: float, names: tuple[str, ...]) -> list[Node]:
    return [
        "fp_rect",
        ["start", box.left, box.top * flip],
        ["end", box.right, box.bottom * flip],
        ["stroke", ["width", width], ["type", "solid"]],
        ["fill", "no"],
        ["layer", Text(layer)],
        ["uuid", identify(*names)],
    ]


def _line(
    start: tuple[float, float], end: tuple[float, float], layer: str, width: float, names: tuple[str, ...]
) -> list[Node]:
    return [
        "fp_line",
        ["start", *start],
        ["end", *end],
        ["stroke", ["width", width], ["type", "solid"]],
        ["layer", Text(layer)],
        ["uuid", identify(*names)],
    ]


def _pad(pad: Pad, on_front: bool, rotation: int, names: tuple[str, ...]) -> list[Node]:
    side, y = ("F", pad.y) if on_front else ("B", -pad.y)
    node: list[Node] = ["pad", Text(pad.number)]
    if pad.drill:
        shape = "rect" if pad.number == "1" else "circle"
        layers: list[Node] = ["layers", Text("*.Cu"), Text("*.Mask")]
        node += ["thru_hole", shape, ["at", pad.x, y, rotation], ["size", pad.width, pad.height]]
        node += [["drill", pad.drill], layers, ["remove_unused_layers", "no"]]
    else:
        layers = ["layers", *(Text(f"{side}.{name}") for name in ("Cu", "Mask", "Paste"))]
        node += ["smd", "rect", ["at", pad.x, y, rotation], ["size", pad.width, pad.height], layers]
    node.append(["uuid", identify(*names, "pad", pad.number)])
    return node


class Bare(NamedTuple):
    """A footprint without a part: its name, what it is, the prefix of its numbers, the radius of its room."""

    name: str
    about: str
    prefix: str
    room: float
    pad: list[Node]


HOLE_MARK = Bare(
    "M3",
    "hole for an M3 spacer, without copper",
    "H",
    3.0,
    [
        "np_thru_hole",
        "circle",
        ["at", 0, 0],
        ["size", HOLE, HOLE],
        ["drill", HOLE],
        ["layers", Text("*.Cu"), Text("*.Mask")],
    ],
)
FIDUCIAL_MARK = Bare(
    "Fiducial",
    "mark by which a machine finds where the board lies",
    "FID",
    FIDUCIAL_MASK / 2 + 0.25,
    [
        "smd",
        "circle",
        ["at", 0, 0],
        ["size", FIDUCIAL, FIDUCIAL],
        ["layers", Text(FRONT), Text("F.Mask")],
        ["solder_mask_margin", (FIDUCIAL_MASK - FIDUCIAL) / 2],
        ["clearance", (FIDUCIAL_MASK - FIDUCIAL) / 2 + 0.1],
    ],
)
BARE = (HOLE_MARK, FIDUCIAL_MARK)


def _bare(tile: Tile, mark: Bare, number: int, at: Point) -> list[Node]:
    names = (tile.name, "hole" if mark is HOLE_MARK else "fiducial", str(number))
    return [
        "footprint",
        Text(f"{LIBRARY}:{mark.name}"),
        ["layer", Text(FRONT)],
        ["uuid", identify(*names)],
        ["at", ORIGIN.x + at.x, ORIGIN.y + at.y],
        ["descr", Text(mark.about)],
        _property("Reference", f"{mark.prefix}{number}", 0, 0, "F.Fab", names),
        _property("Value", mark.name, 0, 1.5, "F.Fab", names),
        ["attr", "board_only", "exclude_from_pos_files", "exclude_from_bom"],
        *_bare_parts(mark, names),
    ]


def bare_file(mark: Bare) -> list[Node]:
    """Returns a footprint without a part as a file of the library."""
    return [
        "footprint",
        Text(mark.name),
        ["version", VERSION],
        ["generator", Text("board_companion")],
        ["generator_version", Text("9.0")],
        ["layer", Text(FRONT)],
        ["descr", Text(mark.about)],
        _property("Reference", "REF**", 0, 0, "F.Fab"),
        _property("Value", mark.name, 0, 1.5, "F.Fab"),
        ["attr", "board_only", "exclude_from_pos_files", "exclude_from_bom"],
        *_bare_parts(mark, (mark.name,)),
    ]


def _bare_parts(mark: Bare, names: tuple[str, ...]) -> Iterator[list[Node]]:
    yield [
        "fp_circle",
        ["center", 0, 0],
        ["end", mark.room, 0],
        ["stroke", ["width", 0.05], ["type", "solid"]],
        ["fill", "no"],
        ["layer", Text("F.CrtYd")],
        ["uuid", identify(*names, "CrtYd")],
    ]
    yield ["pad", Text(""), *mark.pad, ["uuid", identify(*names, "pad")]]


def _outline(tile: Tile) -> Iterator[list[Node]]:
    box = tile.outline
    yield [
        "gr_rect",
        ["start", ORIGIN.x + box.left, ORIGIN.y + box.top],
        ["end", ORIGIN.x + box.right, ORIGIN.y + box.bottom],
        ["stroke", ["width", 0.1], ["type", "solid"]],
        ["fill", "no"],
        ["layer", Text("Edge.Cuts")],
        ["uuid", identify(tile.name, "outline")],
    ]


def _words(tile: Tile) -> Iterator[list[Node]]:
    for number, label in enumerate(tile.labels):
        yield [
            "gr_text",
            Text(label.words),
            ["at", ORIGIN.x + label.at.x, ORIGIN.y + label.at.y, 0],
            ["layer", Text("F.SilkS" if label.on_front else "B.SilkS")],
            ["uuid", identify(tile.name, "label", str(number))],
            _effects(label.size, not label.on_front),
        ]


def _copper(tile: Tile, nets: dict[str, int]) -> Iterator[list[Node]]:
    for number, track in enumerate(tile.tracks):
        yield [
            "segment",
            ["start", ORIGIN.x + track.start.x, ORIGIN.y + track.start.y],
            ["end", ORIGIN.x + track.end.x, ORIGIN.y + track.end.y],
            ["width", track.width],
            ["layer", Text(track.layer)],
            ["net", nets[track.net]],
            ["uuid", identify(tile.name, "track", str(number))],
        ]
    for number, via in enumerate(tile.vias):
        yield [
            "via",
            ["at", ORIGIN.x + via.at.x, ORIGIN.y + via.at.y],
            ["size", VIA_SIZE],
            ["drill", VIA_DRILL],
            ["layers", Text(FRONT), Text(BACK)],
            ["net", nets[via.net]],
            ["uuid", identify(tile.name, "via", str(number))],
        ]


def _zone(tile: Tile, layer: str, net: int) -> list[Node]:
    box = tile.outline
    left, right = ORIGIN.x + box.left + ZONE_INSET, ORIGIN.x + box.right - ZONE_INSET
    top, bottom = ORIGIN.y + box.top + ZONE_INSET, ORIGIN.y + box.bottom - ZONE_INSET
    corners: list[Node] = [
        ["xy", x, y] for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
    ]
    return [
        "zone",
        ["net", net],
        ["net_name", Text(GND)],
        ["layer", Text(layer)],
        ["uuid", identify(tile.name, "zone", layer)],
        ["name", Text(f"ground {layer}")],
        ["hatch", "edge", 0.5],
        ["connect_pads", ["clearance", 0.3]],
        ["min_thickness", 0.25],
        ["filled_areas_thickness", "no"],
        ["fill", "yes", ["thermal_gap", 0.3], ["thermal_bridge_width", 0.4], ["island_removal_mode", 0]],
        ["polygon", ["pts", *corners]],
    ]
