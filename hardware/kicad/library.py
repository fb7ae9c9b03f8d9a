"""The parts of a tile: what stands in the schematic (symbol) and on the board (footprint).

Outlines, pads and pins are drawn here from the makers' data sheets, so a project needs no library besides its
own. Lengths are in mm. In a footprint x runs to the right and y downwards, and the part lies as it does in a
reel: pin 1 at the upper left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

LIBRARY = "tile"


class Box(NamedTuple):
    """A rectangle, by two of its corners."""

    left: float
    top: float
    right: float
    bottom: float


class Pad(NamedTuple):
    """A pad: the number of its pin, its middle and its size. Without a drill it is surface-mounted."""

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: float = 0.0


@dataclass(frozen=True, slots=True)
class Footprint:
    """The pads of a part, its body, and the room that no other part may enter (`courtyard`)."""

    name: str
    about: str
    pads: tuple[Pad, ...]
    body: Box
    courtyard: Box

    @property
    def is_through_hole(self) -> bool:
        return any(pad.drill for pad in self.pads)


class SymbolPin(NamedTuple):
    """A pin of a symbol: `kind` is KiCad's word for what it does, `side` the side of the box."""

    number: str
    name: str
    kind: str
    side: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A part in the schematic: a box with pins, or the usual sign of a resistor or a capacitor (`drawn`)."""

    name: str
    prefix: str
    pins: tuple[SymbolPin, ...]
    drawn: str = "box"

    def pin(self, name: str) -> str:
        """Returns the number of the pin of that name. KeyError when there is none."""
        return {pin.name: pin.number for pin in self.pins}[name]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of part: symbol, footprint and value. `key` names it in parts.toml, `[tile]`."""

    key: str
    symbol: Symbol
    footprint: Footprint
    value: str


def _two_pads(
    name: str, about: str, at: float, pad: tuple[float, float], body: tuple[float, float]
) -> Footprint:
    wide, high = pad
    pads = (Pad("1", -at, 0, wide, high), Pad("2", at, 0, wide, high))
    half_x, half_y = body[0] / 2, body[1] / 2
    room_x, room_y = at + wide / 2 + 0.25, max(half_y, high / 2) + 0.25
    return Footprint(
        name, about, pads, Box(-half_x, -half_y, half_x, half_y), Box(-room_x, -room_y, room_x, room_y)
    )


def _two_rows(
    name: str, about: str, pins: int, at: float, pad: tuple[float, float], body: tuple[float, float]
) -> Footprint:
    """Returns a package with its pins in two rows at 1.27 mm: down the left side, and up the right side."""
    half = pins // 2
    first = -1.27 * (half - 1) / 2
    left = (Pad(str(i + 1), -at, first + 1.27 * i, *pad) for i in range(half))
    right = (Pad(str(pins - i), at, first + 1.27 * i, *pad) for i in range(half))
    half_x, half_y = body[0] / 2, body[1] / 2
    room_x, room_y = at + pad[0] / 2 + 0.25, half_y + 0.25
    return Footprint(
        name,
        about,
        (*left, *right),
        Box(-half_x, -half_y, half_x, half_y),
        Box(-room_x, -room_y, room_x, room_y),
    )


def _xh(pins: int) -> Footprint:
    """Returns a JST XH header, upright: 2.5 mm from pin to pin, its wall nearer on one side of the pins."""
    pads = tuple(Pad(str(i + 1), 2.5 * i, 0, 1.75, 1.75, 1.0) for i in range(pins))
    end = 2.5 * (pins - 1)
    return Footprint(
        f"JST_XH_{pins}",
        f"JST B{pins}B-XH-A, upright (JST XH data sheet)",
        pads,
        Box(-2.45, -2.35, end + 2.45, 3.4),
        Box(-2.7, -2.6, end + 2.7, 3.65),
    )


SOT_23 = Footprint(
    "SOT-23",
    "SOT-23 of TI's Hall sensors (DBZ, 2.92 x 1.30 mm); the element is under the middle of the marked face",
    (Pad("1", -1.05, -0.95, 1.3, 0.6), Pad("2", -1.05, 0.95, 1.3, 0.6), Pad("3", 1.05, 0, 1.3, 0.6)),
    Box(-0.65, -1.46, 0.65, 1.46),
    Box(-1.9, -1.55, 1.9, 1.55),
)
LAMP_2020 = Footprint(
    "WS2812B-2020",
    "Worldsemi WS2812B-2020, 2.2 x 2.0 mm",
    (
        Pad("1", -0.915, -0.55, 0.7, 0.7),
        Pad("2", -0.915, 0.55, 0.7, 0.7),
        Pad("3", 0.915, 0.55, 0.7, 0.7),
        Pad("4", 0.915, -0.55, 0.7, 0.7),
    ),
    Box(-1.1, -1.0, 1.1, 1.0),
    Box(-1.5, -1.25, 1.5, 1.25),
)
R_0603 = _two_pads("R_0603", "resistor, 1.6 x 0.8 mm", 0.825, (0.8, 0.95), (1.6, 0.8))
C_0603 = _two_pads("C_0603", "ceramic capacitor, 1.6 x 0.8 mm", 0.825, (0.8, 0.95), (1.6, 0.8))
C_1206 = _two_pads("C_1206", "ceramic capacitor, 3.2 x 1.6 mm", 1.475, (1.15, 1.8), (3.2, 1.6))
SOIC_16 = _two_rows(
    "SOIC-16", "SOIC-16, 3.9 x 9.9 mm body (JEDEC MS-012)", 16, 2.475, (1.95, 0.6), (3.9, 9.9)
)
XH_2, XH_6 = _xh(2), _xh(6)
FOOTPRINTS = (SOT_23, LAMP_2020, R_0603, C_0603, C_1206, SOIC_16, XH_2, XH_6)


def _box(name: str, prefix: str, pins: str) -> Symbol:
    """Returns a symbol from words such as `1:VCC:power_in:top`."""
    return Symbol(name, prefix, tuple(SymbolPin(*word.split(":")) for word in pins.split()))


def _connector(name: str, pins: str) -> Symbol:
    words = pins.split()
    return Symbol(
        name, "J", tuple(SymbolPin(str(i + 1), word, "passive", "right") for i, word in enumerate(words))
    )


HALL_SWITCH = _box("DRV5033", "U", "1:VCC:power_in:top 3:GND:power_in:bottom 2:OUT:open_collector:right")
LAMP = _box("WS2812B", "D", "4:VDD:power_in:top 2:GND:power_in:bottom 3:DIN:input:left 1:DOUT:output:right")
REGISTER = _box(
    "74HC165",
    "U",
    "16:VCC:power_in:top 8:GND:power_in:bottom 11:A:input:left 12:B:input:left 13:C:input:left "
    "14:D:input:left 3:E:input:left 4:F:input:left 5:G:input:left 6:H:input:left 10:SER:input:left "
    "9:QH:output:right "
    "7:~{QH}:output:right 1:SH/~{LD}:input:right 2:CLK:input:right 15:INH:input:right",
)
RESISTOR = Symbol(
    "R", "R", (SymbolPin("1", "~", "passive", "top"), SymbolPin("2", "~", "passive", "bottom")), "resistor"
)
CAPACITOR = Symbol(
    "C", "C", (SymbolPin("1", "~", "passive", "top"), SymbolPin("2", "~", "passive", "bottom")), "capacitor"
)
CHAIN = _connector("Chain", "LOAD CLK GND DATA +5V LAMP")
LAMP_SUPPLY = _connector("Lamps", "GND +5V_LAMPS")

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("hall switch", HALL_SWITCH, SOT_23, "DRV5033FA"),
        Kind("lamp", LAMP, LAMP_2020, "WS2812B-2020"),
        Kind("shift register", REGISTER, SOIC_16, "74HC165"),
        Kind("resistor 10k", RESISTOR, R_0603, "10k"),
        Kind("capacitor 100n", CAPACITOR, C_0603, "100n"),
        Kind("capacitor 22u", CAPACITOR, C_1206, "22u"),
        Kind("chain connector", CHAIN, XH_6, "XH-6"),
        Kind("lamp supply connector", LAMP_SUPPLY, XH_2, "XH-2"),
    )
}
SYMBOLS = tuple({kind.symbol.name: kind.symbol for kind in KINDS.values()}.values())
