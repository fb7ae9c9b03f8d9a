"""Writes a tile as KiCad's schematic: a first sheet with the connectors, and one sheet for each file.

Nets are joined by their names: each pin has a short wire with a label, or the sign of its supply. Lengths are
in mm; symbols lie on KiCad's grid of 1.27 mm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from hardware.kicad.identity import identify
from hardware.kicad.library import LIBRARY, SYMBOLS, Symbol, SymbolPin
from hardware.kicad.pcb import sheet_file
from hardware.kicad.sexpr import Node, Text
from hardware.kicad.tile import GND, LAMP_SUPPLY, POWER, SUPPLY, Part, Tile

VERSION = 20250114
STEP = 2.54
WIRE = 2.54
FLAG = "PWR_FLAG"
_Line: TypeAlias = tuple[tuple[float, float], ...]
_OUTWARDS = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}
_ANGLES = {"left": 0, "right": 180, "top": 270, "bottom": 90}
_LABELS = {"left": (180, "right"), "right": (0, "left"), "top": (90, "left"), "bottom": (270, "right")}


class SheetPlace(NamedTuple):
    """Where something lies on a sheet, in mm from its upper left corner."""

    x: float
    y: float


def sheets(tile: Tile) -> Iterator[tuple[str, list[Node]]]:
    """Yields the files of the schematic: their names and what is in them."""
    yield sheet_file(tile, ""), _sheet(tile, "", "A3")
    for sheet in tile.sheets:
        yield sheet_file(tile, sheet), _sheet(tile, sheet, "A3")


def symbol_library() -> list[Node]:
    """Returns the project's library of symbols."""
    return [
        "kicad_symbol_lib",
        ["version", 20241209],
        ["generator", Text("board_companion")],
        ["generator_version", Text("9.0")],
        *(_symbol(symbol, symbol.name) for symbol in SYMBOLS),
        *(_power_symbol(name, name) for name in POWER),
        _power_symbol(FLAG, FLAG),
    ]


def _sheet(tile: Tile, sheet: str, paper: str) -> list[Node]:
    parts = [part for part in tile.parts if part.sheet == sheet]
    used = {part.kind.symbol.name for part in parts}
    titles: list[Node] = ["title_block", ["title", Text(f"{tile.title}: {sheet or 'connectors'}")]]
    titles.append(["company", Text("Board Companion")])
    drawn: list[Node] = list(_notes(tile, sheet))
    for part, place in _places(parts, sheet):
        drawn += _placed(tile, part, place)
    if not sheet:
        drawn += _flags(tile)
        drawn += _sheet_boxes(tile)
    symbols: list[Node] = [_symbol(s, f"{LIBRARY}:{s.name}") for s in SYMBOLS if s.name in used]
    symbols += [_power_symbol(name, f"{LIBRARY}:{name}") for name in (*POWER, FLAG)]
    ending: list[Node] = [] if sheet else [["sheet_instances", ["path", Text("/"), ["page", Text("1")]]]]
    return [
        "kicad_sch",
        ["version", VERSION],
        ["generator", Text("board_companion")],
        ["generator_version", Text("9.0")],
        ["uuid", identify(tile.name, "file", sheet)],
        ["paper", Text(paper)],
        titles,
        ["lib_symbols", *symbols],
        *drawn,
        *ending,
        ["embedded_fonts", "no"],
    ]


def _places(parts: Iterable[Part], sheet: str) -> Iterator[tuple[Part, SheetPlace]]:
    """Yields each part with its place: a row for each site, the register to the right of them."""
    columns = {"U": 22, "C": 38, "R": 46, "D": 64, "lamp C": 84}
    rows: dict[str, int] = {}
    alone = 0
    for part in parts:
        if part.site is not None:
            row = rows.setdefault(part.site, len(rows))
            is_lamp_capacitor = part.kind.symbol.prefix == "C" and LAMP_SUPPLY in part.nets.values()
            column = columns["lamp C" if is_lamp_capacitor else part.kind.symbol.prefix]
            yield part, SheetPlace(column * STEP, (12 + 13 * row) * STEP)
        elif sheet:
            yield part, SheetPlace((112 if part.kind.symbol.prefix == "U" else 130) * STEP, 50 * STEP)
        else:
            yield part, SheetPlace((24 + 22 * alone) * STEP, 24 * STEP)
            alone += 1


def pin_spots(symbol: Symbol) -> dict[str, SheetPlace]:
    """Returns where the pins of a symbol end, from its middle."""
    if symbol.drawn != "box":
        return {"1": SheetPlace(0, -3.81), "2": SheetPlace(0, 3.81)}
    half_x, half_y = _half_size(symbol)
    spots = {}
    for side in _OUTWARDS:
        pins = [pin for pin in symbol.pins if pin.side == side]
        for i, pin in enumerate(pins):
            along = -(len(pins) - 1) // 2 * STEP + i * STEP
            dx, dy = _OUTWARDS[side]
            reach_x, reach_y = half_x + STEP, half_y + STEP
            spots[pin.number] = SheetPlace(
                dx * reach_x + (along if dx == 0 else 0), dy * reach_y + (along if dy == 0 else 0)
            )
    return spots


def _half_size(symbol: Symbol) -> tuple[float, float]:
    count = max(sum(pin.side == side for pin in symbol.pins) for side in ("left", "right"))
    return 4 * STEP, (count // 2 + 2) * STEP


def _symbol(symbol: Symbol, name: str) -> list[Node]:
    short, (half_x, half_y) = symbol.name, _half_size(symbol)
    spots = pin_spots(symbol)
    hides_names = symbol.drawn != "box"
    length = 2.54 if not hides_names else (1.27 if symbol.drawn == "resistor" else 3.048)
    pins: list[Node] = [_pin(pin, spots[pin.number], length) for pin in symbol.pins]
    at = (half_x, half_y) if not hides_names else (2.54, 1.27)
    return [
        "symbol",
        Text(name),
        *([["pin_numbers", ["hide", "yes"]]] if hides_names else []),
        ["pin_names", ["offset", 1.016], *([["hide", "yes"]] if hides_names else [])],
        ["exclude_from_sim", "no"],
        ["in_bom", "yes"],
        ["on_board", "yes"],
        _field("Reference", symbol.prefix, at[0] * -1, at[1] + 1.27),
        _field("Value", short, at[0] * -1, -at[1] - 1.27),
        _field("Footprint", "", 0, 0, hide=True),
        _field("Datasheet", "", 0, 0, hide=True),
        _field("Description", "", 0, 0, hide=True),
        ["symbol", Text(f"{short}_0_1"), *_outline(symbol, half_x, half_y)],
        ["symbol", Text(f"{short}_1_1"), *pins],
        ["embedded_fonts", "no"],
    ]


def _outline(symbol: Symbol, half_x: float, half_y: float) -> Iterator[Node]:
    stroke: Node = ["stroke", ["width", 0.254], ["type", "default"]]
    if symbol.drawn == "capacitor":
        for y in (-0.762, 0.762):
            points: Node = ["pts", ["xy", -2.032, y], ["xy", 2.032, y]]
            yield [
                "polyline",
                points,
                ["stroke", ["width", 0.508], ["type", "default"]],
                ["fill", ["type", "none"]],
            ]
        return
    x, y = (1.016, 2.54) if symbol.drawn == "resistor" else (half_x, half_y)
    fill = "none" if symbol.drawn == "resistor" else "background"
    yield ["rectangle", ["start", -x, y], ["end", x, -y], stroke, ["fill", ["type", fill]]]


def _pin(pin: SymbolPin, spot: SheetPlace, length: float) -> list[Node]:
    return [
        "pin",
        pin.kind,
        "line",
        ["at", spot.x, -spot.y, _ANGLES[pin.side]],
        ["length", length],
        ["name", Text(pin.name), _font()],
        ["number", Text(pin.number), _font()],
    ]


def _power_symbol(name: str, full: str) -> list[Node]:
    """Returns the sign of a supply: an arrow, a triangle for ground, or the flag of where power enters."""
    is_ground, is_flag = name == GND, name == FLAG
    kind = "power_out" if is_flag else "power_in"
    triangle: _Line = ((-1.27, 0), (1.27, 0), (0, -1.27), (-1.27, 0))
    arrow: tuple[_Line, ...] = (((0, 0), (0, 2.54)), ((-0.762, 1.27), (0, 2.54), (0.762, 1.27)))
    lines = (triangle,) if is_ground else arrow
    drawn: list[Node] = [
        [
            "polyline",
            ["pts", *(["xy", x, y] for x, y in line)],
            ["stroke", ["width", 0.254], ["type", "default"]],
            ["fill", ["type", "none"]],
        ]
        for line in lines
    ]
    return [
        "symbol",
        Text(full),
        ["power"],
        ["pin_numbers", ["hide", "yes"]],
        ["pin_names", ["offset", 0], ["hide", "yes"]],
        ["exclude_from_sim", "no"],
        ["in_bom", "yes"],
        ["on_board", "yes"],
        _field("Reference", "#FLG" if is_flag else "#PWR", 0, 0, hide=True),
        _field("Value", name, 0, -2.6 if is_ground else 3.6),
        _field("Footprint", "", 0, 0, hide=True),
        _field("Datasheet", "", 0, 0, hide=True),
        _field("Description", "", 0, 0, hide=True),
        ["symbol", Text(f"{name}_0_1"), *drawn],
        [
            "symbol",
            Text(f"{name}_1_1"),
            ["pin", kind, "line", ["at", 0, 0, 90], ["length", 0], ["name", Text(name), _font()],
             ["number", Text("1"), _font()]],
        ],
        ["embedded_fonts", "no"],
    ]  # fmt: skip


def _placed(tile: Tile, part: Part, place: SheetPlace) -> Iterator[Node]:
    """Yields a part's symbol, and at each of its pins a wire with its net."""
    symbol = part.kind.symbol
    half_x, half_y = _half_size(symbol) if symbol.drawn == "box" else (-1.5, 1.27)
    beside = place.x - half_x if symbol.drawn == "box" else place.x + 2.2
    yield _instance(
        tile,
        part.sheet,
        f"{LIBRARY}:{symbol.name}",
        part.reference,
        place,
        [
            _field("Reference", part.reference, beside, place.y - half_y - 1.27 * (symbol.drawn == "box")),
            _field(
                "Value",
                part.kind.value,
                place.x + 1.5 if symbol.drawn == "box" else beside,
                place.y + half_y + 1.9 * (symbol.drawn == "box"),
            ),
            _field("Footprint", f"{LIBRARY}:{part.kind.footprint.name}", place.x, place.y, hide=True),
        ],
        [pin.number for pin in symbol.pins],
        identify(tile.name, "symbol", part.reference),
    )
    spots = pin_spots(symbol)
    for pin in symbol.pins:
        at = SheetPlace(place.x + spots[pin.number].x, place.y + spots[pin.number].y)
        yield from _connection(tile, part, pin, at)


def _connection(tile: Tile, part: Part, pin: SymbolPin, at: SheetPlace) -> Iterator[Node]:
    """Yields the wire at a pin, with what its net is called."""
    net, names = part.nets[pin.number], (tile.name, part.reference, pin.number)
    if net is None:
        yield ["no_connect", ["at", at.x, at.y], ["uuid", identify(*names, "no_connect")]]
        return
    dx, dy = _OUTWARDS[pin.side]
    end = SheetPlace(at.x + dx * WIRE, at.y + dy * WIRE)
    yield ["wire", ["pts", ["xy", *at], ["xy", *end]], _thin(), ["uuid", identify(*names, "wire")]]
    if net in POWER:
        yield _supply(tile, part.sheet, net, end, names, is_beside=pin.side == "right")
        return
    angle, justify = _LABELS[pin.side]
    yield [
        "global_label",
        Text(net),
        ["shape", "passive"],
        ["at", end.x, end.y, angle],
        ["effects", _sized(), ["justify", justify]],
        ["uuid", identify(*names, "label")],
    ]


def _supply(
    tile: Tile, sheet: str, net: str, at: SheetPlace, names: tuple[str, ...], *, is_beside: bool = False
) -> list[Node]:
    """Returns the sign of a supply, upright or lying to the right (`is_beside`)."""
    angle = 0 if not is_beside else (90 if net == GND else 270)
    word = (
        SheetPlace(at.x + (10 if net == LAMP_SUPPLY else 6), at.y)
        if is_beside
        else SheetPlace(at.x, at.y + (3.6 if net == GND else -3.6))
    )
    reference = f"#PWR{int(str(identify(*names))[:6], 16)}"
    return _instance(
        tile,
        sheet,
        f"{LIBRARY}:{net}",
        reference if net != FLAG else reference.replace("PWR", "FLG"),
        at,
        [
            _field("Reference", reference, at.x, at.y, hide=True),
            _field("Value", net, *word, angle=90 if is_beside else 0),
            _field("Footprint", "", at.x, at.y, hide=True),
        ],
        ["1"],
        identify(*names, "supply"),
        angle,
    )


def _notes(tile: Tile, sheet: str) -> Iterator[Node]:
    """Yields the words on a sheet: the site of each row, and what a builder has to know."""
    if sheet:
        sites = dict.fromkeys(
            part.site for part in tile.parts if part.sheet == sheet and part.site is not None
        )
        for row, site in enumerate(sites):
            yield _note(tile, sheet, site, SheetPlace(10 * STEP, (12 + 13 * row) * STEP), 3.0)
        words = "The marked face of each sensor looks up:\nit lies on the board's upper side."
        yield _note(tile, sheet, words, SheetPlace(100 * STEP, 22 * STEP), 1.8)
        return
    words = (
        "J1: to the controller, or to J2 of the tile before. J2: to J1 of the tile after, or open.\n"
        "J3: the lamps' supply, with wires of its own from the supply. Left out with the lamps."
    )
    yield _note(tile, sheet, words, SheetPlace(20 * STEP, 10 * STEP), 1.8)


def _note(tile: Tile, sheet: str, words: str, at: SheetPlace, size: float) -> list[Node]:
    return [
        "text",
        Text(words),
        ["exclude_from_sim", "no"],
        ["at", at.x, at.y, 0],
        ["effects", ["font", ["size", size, size]], ["justify", "left", "bottom"]],
        ["uuid", identify(tile.name, sheet, "note", words)],
    ]


def _flags(tile: Tile) -> Iterator[Node]:
    """Yields the flags that say from where the three supplies come: from the connectors."""
    for i, net in enumerate((SUPPLY, LAMP_SUPPLY, GND)):
        at = SheetPlace((30 + 30 * i) * STEP, 44 * STEP)
        names = (tile.name, "flag", net)
        end = SheetPlace(at.x + 10 * STEP, at.y)
        yield ["wire", ["pts", ["xy", *at], ["xy", *end]], _thin(), ["uuid", identify(*names, "wire")]]
        yield _supply(tile, "", net, at, names)
        yield _supply(tile, "", FLAG, end, (*names, "flag"))


def _sheet_boxes(tile: Tile) -> Iterator[Node]:
    """Yields the boxes that stand for the other sheets."""
    for i, sheet in enumerate(tile.sheets):
        x, y = (20 + 16 * i) * STEP, 60 * STEP
        yield [
            "sheet",
            ["at", x, y],
            ["size", 12 * STEP, 8 * STEP],
            ["exclude_from_sim", "no"],
            ["in_bom", "yes"],
            ["on_board", "yes"],
            ["dnp", "no"],
            _thin(),
            ["fill", ["color", 0, 0, 0, 0.0]],
            ["uuid", identify(tile.name, "sheet", sheet)],
            _field("Sheetname", sheet, x, y - 0.7),
            _field("Sheetfile", sheet_file(tile, sheet), x, y + 8 * STEP + 1.9),
            [
                "instances",
                ["project", Text(tile.name), ["path", Text(_root(tile)), ["page", Text(str(i + 2))]]],
            ],
        ]


def _root(tile: Tile) -> str:
    return f"/{identify(tile.name, 'file', '')}"


def _instance(
    tile: Tile,
    sheet: str,
    library_id: str,
    reference: str,
    at: SheetPlace,
    fields: list[list[Node]],
    pins: list[str],
    identity: Text,
    angle: int = 0,
) -> list[Node]:
    path = _root(tile) + (f"/{identify(tile.name, 'sheet', sheet)}" if sheet else "")
    return [
        "symbol",
        ["lib_id", Text(library_id)],
        ["at", at.x, at.y, angle],
        ["unit", 1],
        ["exclude_from_sim", "no"],
        ["in_bom", "yes"],
        ["on_board", "yes"],
        ["dnp", "no"],
        ["uuid", identity],
        *fields,
        _field("Datasheet", "", at.x, at.y, hide=True),
        _field("Description", "", at.x, at.y, hide=True),
        *(["pin", Text(pin), ["uuid", identify(identity, pin)]] for pin in pins),
        [
            "instances",
            ["project", Text(tile.name), ["path", Text(path), ["reference", Text(reference)], ["unit", 1]]],
        ],
    ]


def _field(name: str, value: str, x: float, y: float, *, hide: bool = False, angle: int = 0) -> list[Node]:
    effects: list[Node] = ["effects", _sized(), ["justify", "left"]]
    if value.startswith(("+", "GND", "PWR")):
        effects.pop()
    if hide:
        effects.append(["hide", "yes"])
    return ["property", Text(name), Text(value), ["at", x, y, angle], effects]


def _font() -> list[Node]:
    return ["effects", _sized()]


def _sized() -> list[Node]:
    return ["font", ["size", 1.27, 1.27]]


def _thin() -> list[Node]:
    return ["stroke", ["width", 0], ["type", "default"]]
