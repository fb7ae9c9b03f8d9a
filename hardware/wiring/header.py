"""Writes a board's wiring as the C header that a build of the firmware includes.

`python -m hardware.wiring.header BOARD SENSOR CONTROLLER > wiring.h`; the Makefile does it for each
variant. BOARD is the name of a board that comes with the product, or a board file.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import CONTROLLERS, REGISTER_INPUTS, Pin, Wiring, wire
from hardware.command_line import CommandError, board_of, say

SWITCH_PERIODS = {Sensor.REED: (2, 4), Sensor.DIGITAL: (2, 3)}
"""Milliseconds from scan to scan, and how many equal scans make a change."""


def wiring_of(args: Sequence[str], command: str) -> Wiring:
    """Returns the wiring that the words after a command name. CompanionError when they name none."""
    if len(args) != 3 or args[1].upper() not in Sensor.__members__ or args[2] not in CONTROLLERS:
        sensors = "|".join(s.word for s in Sensor)
        raise CommandError(f"write: python -m {command} BOARD {sensors} {'|'.join(CONTROLLERS)}")
    return wire(board_of(args[0]), Sensor[args[1].upper()], CONTROLLERS[args[2]])


def period(wiring: Wiring) -> tuple[int, int]:
    """Returns the same as SWITCH_PERIODS for any sensor: each analogue reading takes 0.06 ms."""
    return SWITCH_PERIODS.get(wiring.sensor) or (2 + wiring.height, 2)


def header(wiring: Wiring) -> str:
    """Returns the text of wiring.h."""
    return "\n".join(("#ifndef WIRING_H", "#define WIRING_H", *_lines(wiring), "#endif", ""))


def _lines(wiring: Wiring) -> Iterator[str]:
    scan, agreeing = period(wiring)
    yield f"/* {wiring.board}: {len(wiring.sites)} sites, {wiring.controller.title} */"
    yield f"#define SENSOR SENSOR_{wiring.sensor.name}"
    yield f'#define NAME "{wiring.name}"'
    yield f"#define BOARD 0x{wiring.check:04x}"
    yield f"#define SITES {len(wiring.sites)}"
    yield f"#define PERIOD_MS {scan}"
    yield f"#define AGREEING {agreeing}"
    yield f"#define LAMP(take) {_pin('take', wiring.controller.lamps)}"
    yield from _PARTS[wiring.sensor](wiring)
    yield "#define ADDRESSES { \\"
    yield from (
        f"    /* {site} */ 0x{a.row:02x}{a.column:02x}, \\"
        for site, a in zip(wiring.sites, wiring.addresses, strict=True)
    )
    yield "}"


def _matrix(wiring: Wiring) -> Iterator[str]:
    yield f"#define ROWS {wiring.height}"
    yield f"#define COLUMNS {wiring.width}"
    yield _table("ROW_PINS", wiring.controller.rows[: wiring.height])
    yield _table("COLUMN_PINS", wiring.controller.columns[: wiring.width])


def _shift(wiring: Wiring) -> Iterator[str]:
    yield f"#define REGISTERS {wiring.height}"
    yield f"#define REGISTER_INPUTS {REGISTER_INPUTS}"
    yield _table("SHIFT_PINS", wiring.controller.shift)


def _multiplexed(wiring: Wiring) -> Iterator[str]:
    yield f"#define MULTIPLEXERS {wiring.height}"
    yield f"#define INPUTS {wiring.width}"
    yield _table("SELECT_PINS", wiring.controller.select)
    if wiring.controller.enable:
        yield _table("ENABLE_PINS", wiring.controller.enable[: wiring.height])
    yield _table("ADC_PINS", wiring.controller.analogue[: wiring.height])


_PARTS = {Sensor.REED: _matrix, Sensor.DIGITAL: _shift, Sensor.ANALOGUE: _multiplexed}


def _table(name: str, pins: Iterable[Pin]) -> str:
    return f"#define {name} {{ {', '.join(_pin('PIN', p) for p in pins)} }}"


def _pin(macro: str, pin: Pin) -> str:
    return f"{macro}({f'{pin.port}, ' if pin.port else ''}{pin.bit})"


def main(args: list[str]) -> int:
    return say(lambda: header(wiring_of(args, "hardware.wiring.header")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
