"""Draws a wiring as SVG, from the table that the firmware is built from too.

`python -m hardware.wiring.draw BOARD SENSOR CONTROLLER` writes one to standard output. Without arguments it
draws all those anew that lie beside this module.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from companion.core.board import load_board
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import CONTROLLERS, Address, Controller, Pin, Wiring, wire
from hardware.command_line import say
from hardware.wiring.figures import HEIGHT, WIDTH, GridFeed, figures, text
from hardware.wiring.header import wiring_of

FOLDER = Path(__file__).resolve().parent
DRAWN = (
    ("triune", Sensor.REED, "uno"),
    ("triune", Sensor.ANALOGUE, "uno"),
    ("triune", Sensor.DIGITAL, "uno"),
    ("chess", Sensor.REED, "mega"),
    ("chess", Sensor.DIGITAL, "uno"),
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
COLUMNS, CELL = 3, 260
"""How many chips stand side by side, and how wide each may be with its names."""
STYLE = (
    "text{font:11px sans-serif}.pin{font-weight:bold}.small{font-size:9px}.title{font-size:15px}"
    "line,path,rect,circle{stroke:#222;stroke-width:1.2;fill:none}.box{fill:#f4f1ea}.dot{fill:#222}"
    ".row{stroke:#1d4ed8}.column{stroke:#b45309}.magnet{fill:#b91c1c}.sensor{fill:#9ca3af}"
)
NOTES = {
    Sensor.REED: (
        "At each crossing: from the column a reed switch, then a diode 1N4148, band (cathode) to the row.",
        "The controller's own pull-ups are on the columns: no resistors are needed, and no supply either.",
    ),
    Sensor.DIGITAL: (
        "At each input: 10 kΩ to {supply}, and where there is a site, a Hall switch's output (DRV5033FA),",
        "or a reed switch to ground. From VCC to GND 100 nF: at each Hall switch, and at each register.",
    ),
    Sensor.ANALOGUE: (
        "At each input: a linear Hall sensor's output ({linear}). Its branded face looks up to the piece.",
        "From VCC to GND 100 nF: at each sensor's legs, and at each multiplexer.",
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
    kind = f"{wiring.sensor.word}, {wiring.controller.title}"
    title = text(20, 26, f"{wiring.board}: {len(wiring.sites)} sites, {kind}", "title")
    top = height - HEIGHT - 15 * len(_notes(wiring)) - 12
    body += figures(wiring.sensor, _feed(wiring.controller), 20, top)
    first = height + 1 - 15 * len(_notes(wiring))
    notes = [text(20, first + 15 * i, words) for i, words in enumerate(_notes(wiring))]
    return "\n".join([head, f"<style>{STYLE}</style>", title, *body, *notes, "</svg>", ""])


def _feed(controller: Controller) -> GridFeed:
    through = "330 Ω" if controller.volts == 5 else "74AHCT125, 330 Ω"
    return GridFeed(f"+{controller.volts:g} V", LINEAR[controller.volts], controller.lamps.label, through)


def _notes(wiring: Wiring) -> tuple[str, ...]:
    feed = _feed(wiring.controller)
    notes = [note.format(supply=feed.sensors, linear=feed.linear) for note in NOTES[wiring.sensor]]
    if wiring.sensor is Sensor.ANALOGUE or wiring.controller.volts < 5:
        notes.append(RAILS[wiring.controller.volts])
    if not wiring.controller.lights:
        notes.append("Lamps: the firmware of this controller lights none yet.")
    elif wiring.controller.volts < 5:
        notes.append("Lamps: a 74AHCT125 at the lamps' 5 V lifts their data to that.")
    return tuple(notes)


def _size(wiring: Wiring) -> tuple[int, int]:
    below = HEIGHT + 15 * len(_notes(wiring)) + 24
    if wiring.sensor is Sensor.REED:
        return max(WIDTH + 20, 150 + 64 * wiring.width), 100 + 56 * wiring.height + below
    columns = min(COLUMNS, wiring.height)
    rows = -(-wiring.height // columns)
    return max(WIDTH + 20, 20 + CELL * columns), 60 + below + rows * (30 + _chip_height(wiring))


def _chip_height(wiring: Wiring) -> int:
    return 18 * wiring.width + 12


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
    yield text(x + 4, y - 10, site, "small")


def _chips(wiring: Wiring) -> Iterator[str]:
    columns = min(COLUMNS, wiring.height)
    for row in range(wiring.height):
        x = 10 + CELL * (row % columns)
        y = 66 + row // columns * (30 + _chip_height(wiring))
        yield from _chip(wiring, row, x, y)


def _chip(wiring: Wiring, row: int, x: int, y: int) -> Iterator[str]:
    """Draws a multiplexer or register: its inputs with the sites at them, and all its other pins."""
    high, names = _chip_height(wiring), ("multiplexer", "register")
    yield f'<rect class="box" x="{x + 70}" y="{y}" width="104" height="{high}"/>'
    yield text(x + 70, y - 5, f"{names[wiring.sensor is Sensor.DIGITAL]} {row}", "small")
    sites = {a.column: site for site, a in zip(wiring.sites, wiring.addresses, strict=True) if a.row == row}
    for i in range(wiring.width):
        top = y + 18 + 18 * i
        yield text(x + 76, top, input_pin(wiring.sensor, i), "small")
        if i in sites:
            yield f'<line x1="{x + 44}" y1="{top - 4}" x2="{x + 70}" y2="{top - 4}"/>'
            yield text(x + 6, top, sites[i])
    for i, (pin, goes_to) in enumerate(other_pins(wiring, row)):
        top = y + 18 + 18 * i
        yield text(x + 170, top, pin, "small", "end")
        yield f'<line x1="{x + 174}" y1="{top - 4}" x2="{x + 188}" y2="{top - 4}"/>'
        yield text(x + 191, top, goes_to, "small")


def input_pin(sensor: Sensor, i: int) -> str:
    """Returns the name of an input, with its pin's number."""
    if sensor is Sensor.ANALOGUE:
        return f"{9 - i if i < 8 else 31 - i} C{i}"
    return f"{(11, 12, 13, 14, 3, 4, 5, 6)[i]} {'ABCDEFGH'[i]}"


def other_pins(wiring: Wiring, row: int) -> tuple[tuple[str, str], ...]:
    """Returns the pins of a chip that are no inputs for sensors, and where each goes: power first."""
    controller = wiring.controller
    supply = _feed(controller).sensors
    if wiring.sensor is Sensor.ANALOGUE:
        select = zip(("S0 10", "S1 11", "S2 14", "S3 13"), controller.select, strict=True)
        return (
            ("VCC 24", supply),
            ("GND 12", "ground"),
            ("EN 15", controller.enable[row].label if controller.enable else "ground"),
            ("SIG 1", controller.analogue[0 if controller.enable else row].label),
            *((pin, line.label) for pin, line in select),
        )
    load, clock, data = (pin.label for pin in controller.shift)
    is_last = row == wiring.height - 1
    return (
        ("VCC 16", supply),
        ("GND 8", "ground"),
        ("CLK INH 15", "ground"),
        ("SH/LD 1", load),
        ("CLK 2", clock),
        ("QH 9", data if row == 0 else f"SER of {row - 1}"),
        ("SER 10", supply if is_last else f"QH of {row + 1}"),
    )


_PARTS = {Sensor.REED: _matrix, Sensor.DIGITAL: _chips, Sensor.ANALOGUE: _chips}


def _pin(x: int, y: int, pin: Pin, words: str) -> str:
    return text(x, y, pin.label, "pin", "middle") + text(x, y - 13, words, "small", "middle")


def main(args: list[str]) -> int:
    if args:
        return say(lambda: draw(wiring_of(args, "hardware.wiring.draw")))
    for board, sensor, controller in DRAWN:
        wiring = wire(load_board(board), sensor, CONTROLLERS[controller])
        (FOLDER / f"{wiring.name}.svg").write_text(draw(wiring), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
