"""Draws a wiring as SVG, from the table that the firmware is built from too.

`python -m hardware.wiring.draw BOARD SENSOR CONTROLLER` writes one to standard output. Without arguments it
draws all those anew that lie beside this module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from companion.core.board import load_board
from firmware_bridge.messages import Sensor
from firmware_bridge.wiring import CONTROLLERS, Address, Pin, Wiring, wire
from hardware.wiring.header import say, wiring_of

FOLDER = Path(__file__).resolve().parent
DRAWN = (
    ("triune", Sensor.REED, "uno"),
    ("triune", Sensor.ANALOGUE, "uno"),
    ("triune", Sensor.DIGITAL, "uno"),
    ("chess", Sensor.REED, "mega"),
    ("magnet", Sensor.REED, "mega"),
    ("magnet", Sensor.ANALOGUE, "mega"),
    ("magnet", Sensor.DIGITAL, "mega"),
    ("trid", Sensor.ANALOGUE, "mega"),
    ("ternion", Sensor.ANALOGUE, "mega"),
    ("ternion_spaces", Sensor.ANALOGUE, "mega"),
    ("escape", Sensor.ANALOGUE, "mega"),
    ("teleporters", Sensor.ANALOGUE, "mega"),
    ("queens", Sensor.REED, "uno"),
    ("rooks", Sensor.REED, "uno"),
    ("chess", Sensor.REED, "pico"),
    ("chess", Sensor.ANALOGUE, "pico"),
    ("chess", Sensor.ANALOGUE, "esp32s3"),
)
STYLE = (
    "text{font:11px sans-serif}.pin{font-weight:bold}.small{font-size:9px}.title{font-size:15px}"
    "line,path,rect,circle{stroke:#222;stroke-width:1.2;fill:none}.box{fill:#f4f1ea}.dot{fill:#222}"
    ".row{stroke:#1d4ed8}.column{stroke:#b45309}"
)
NOTES = {
    Sensor.REED: (
        "At each crossing: from the column a reed switch, then a diode 1N4148, band (cathode) to the row.",
        "The controller's own pull-ups are on the columns: no resistors are needed.",
    ),
    Sensor.DIGITAL: (
        "At each input: a Hall switch's output (DRV5033FA) or a reed to ground, and 10 kΩ to {supply}.",
        "74HC165: CLK and SH/LD in parallel, CLK INH to ground, QH of each to SER of the one before.",
        "SER of the last register to {supply}.",
    ),
    Sensor.ANALOGUE: (
        "At each input: a linear Hall sensor ({linear}, {supply} and ground; at every fourth 100 nF).",
        "The branded face of each sensor looks up to the piece.",
        "CD74HC4067 at {supply}: S0 to S3 in parallel, {enabled}.",
    ),
}
RAILS = {
    5.0: "One 5 V rail: sensors, multiplexers and the controller's 5V pin; its size is in bom.md.",
    3.3: "One 3.3 V rail: sensors and multiplexers. No pin of the controller bears 5 V; see bom.md.",
}
LINEAR = {5.0: "SS49E", 3.3: "DRV5055A3"}


def draw(wiring: Wiring) -> str:
    """Returns the diagram of a wiring."""
    body = list(_PARTS[wiring.sensor](wiring))
    width, height = _size(wiring)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
    kind = f"{wiring.sensor.name.lower()}, {wiring.controller.title}"
    title = _text(20, 26, f"{wiring.board}: {len(wiring.sites)} sites, {kind}", "title")
    first = height + 1 - 15 * len(_notes(wiring))
    notes = [_text(20, first + 15 * i, words) for i, words in enumerate(_notes(wiring))]
    return "\n".join([head, f"<style>{STYLE}</style>", title, *body, *notes, "</svg>", ""])


def _notes(wiring: Wiring) -> tuple[str, ...]:
    controller = wiring.controller
    words = {
        "supply": f"+{controller.volts:g} V",
        "linear": LINEAR[controller.volts],
        "enabled": "SIG of all to one pin, EN to a pin each"
        if controller.enable
        else "EN to ground, SIG to a pin each",
    }
    notes = [note.format(**words) for note in NOTES[wiring.sensor]]
    if wiring.sensor is Sensor.ANALOGUE or controller.volts < 5:
        notes.append(RAILS[controller.volts])
    through = "330 Ω" if controller.volts == 5 else "a 74AHCT125 at 5 V and 330 Ω"
    return (*notes, f"WS2812 lamps, if fitted: data from {controller.lamps.label} through {through}.")


def _size(wiring: Wiring) -> tuple[int, int]:
    if wiring.sensor is Sensor.REED:
        return 150 + 64 * wiring.width, 160 + 56 * wiring.height
    columns = min(3, wiring.height)
    rows = -(-wiring.height // columns)
    return max(560, 40 + 250 * columns), 75 + 15 * len(_notes(wiring)) + rows * (70 + 18 * wiring.width)


def _matrix(wiring: Wiring) -> Iterator[str]:
    controller = wiring.controller
    bottom, right = 90 + 56 * wiring.height, 110 + 64 * wiring.width
    for c in range(wiring.width):
        x = 120 + 64 * c
        yield f'<line class="column" x1="{x}" y1="70" x2="{x}" y2="{bottom - 16}"/>'
        yield _pin(x, 60, controller.columns[c], f"column {c}")
    for r in range(wiring.height):
        y = 120 + 56 * r
        yield f'<line class="row" x1="80" y1="{y}" x2="{right - 10}" y2="{y}"/>'
        yield _pin(40, y + 4, controller.rows[r], f"row {r}")
    for site, address in zip(wiring.sites, wiring.addresses, strict=True):
        yield from _crossing(site, address)


def _crossing(site: str, address: Address) -> Iterator[str]:
    """Draws what lies between a column and a row: a switch and a diode."""
    x, y = 120 + 64 * address.column, 120 + 56 * address.row
    yield f'<circle class="dot" cx="{x}" cy="{y - 34}" r="2"/>'
    yield f'<path d="M{x} {y - 34}h8l14 -7"/>'
    yield f'<path d="M{x + 24} {y - 34}h6v10m-5 0h10l-5 8zm0 8h10m-5 0v16"/>'
    yield f'<circle class="dot" cx="{x + 30}" cy="{y}" r="2"/>'
    yield _text(x + 4, y - 10, site, "small")


def _chips(wiring: Wiring) -> Iterator[str]:
    for row in range(wiring.height):
        columns = min(3, wiring.height)
        x = 20 + 250 * (row % columns)
        y = 50 + row // columns * (70 + 18 * wiring.width)
        yield from _chip(wiring, row, x, y)


def _chip(wiring: Wiring, row: int, x: int, y: int) -> Iterator[str]:
    """Draws a multiplexer or register with its inputs, the sites at them, and its other wires."""
    high = 18 * wiring.width + 12
    yield f'<rect class="box" x="{x + 80}" y="{y}" width="90" height="{high}"/>'
    names = {a.column: site for site, a in zip(wiring.sites, wiring.addresses, strict=True) if a.row == row}
    for i in range(wiring.width):
        top = y + 18 + 18 * i
        yield _text(x + 86, top, _input(wiring.sensor, i), "small")
        if i in names:
            yield f'<line x1="{x + 50}" y1="{top - 4}" x2="{x + 80}" y2="{top - 4}"/>'
            yield _text(x + 10, top, names[i])
    for i, words in enumerate(_wires(wiring, row)):
        yield _text(x + 80, y + high + 14 + 13 * i, words, "small")


def _input(sensor: Sensor, i: int) -> str:
    return f"C{i}" if sensor is Sensor.ANALOGUE else "ABCDEFGH"[i]


def _wires(wiring: Wiring, row: int) -> tuple[str, ...]:
    controller = wiring.controller
    if wiring.sensor is Sensor.ANALOGUE:
        select = ", ".join(pin.label for pin in controller.select)
        if controller.enable:
            ends = f"SIG to {controller.analogue[0].label}, EN to {controller.enable[row].label}"
        else:
            ends = f"SIG to {controller.analogue[row].label}"
        return (f"multiplexer {row}: {ends}", f"S0 to S3: {select}")
    load, clock, data = (pin.label for pin in controller.shift)
    out = f"QH to {data}" if row == 0 else f"QH to SER of register {row - 1}"
    return (f"register {row}: {out}", f"SH/LD: {load}, CLK: {clock}")


_PARTS = {Sensor.REED: _matrix, Sensor.DIGITAL: _chips, Sensor.ANALOGUE: _chips}


def _pin(x: int, y: int, pin: Pin, words: str) -> str:
    return _text(x, y, pin.label, "pin", "middle") + _text(x, y - 13, words, "small", "middle")


def _text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{style}" text-anchor="{anchor}">{escape(words)}</text>'


def main(args: list[str]) -> int:
    if args:
        return say(lambda: draw(wiring_of(args, "hardware.wiring.draw")))
    for board, sensor, controller in DRAWN:
        wiring = wire(load_board(board), sensor, CONTROLLERS[controller])
        (FOLDER / f"{wiring.name}.svg").write_text(draw(wiring), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
