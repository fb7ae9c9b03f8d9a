"""Lists the parts of a sensor grid for one board, as CSV or as a page.

`python -m hardware.bom BOARD reed|digital|analogue [CONTROLLER] [lamps] [panel] [tile|strips] [--page]` does
it. Parts come from `parts.toml`, and their numbers from the board's file. Currents decide on the supply and
the fuse; lengths of wire follow from the distance of the sites. `tile` is for one printed board
(`hardware.kicad`) instead of wires, `strips` for printed boards of two files each. Without CONTROLLER a
Pico is taken, and the smallest Arduino for linear sensors.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Sequence
from io import StringIO

from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import CONTROLLERS
from hardware.bill import TILE_FILES, BillLine, GridToBuild, bill
from hardware.bom_page import page
from hardware.command_line import CommandError, board_of, say

EXTRAS = ("lamps", "panel", "tile", "strips")
HEAD = ("use", "part", "number", "equal", "quantity", "unit", "mA", "EUR")


def as_csv(lines: Sequence[BillLine]) -> str:
    """Returns a bill as CSV, with the sums of current and price."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    for line in lines:
        row = line._replace(ma=round(line.ma), euro=round(line.euro, 2))
        writer.writerow(row)
    current, price = sum(line.ma for line in lines), sum(line.euro for line in lines)
    writer.writerow(["", "sum", "", "", "", "", round(current), round(price, 2)])
    return text.getvalue()


def grid_of(args: Sequence[str]) -> GridToBuild:
    """Returns the grid that the words after the command name. CommandError when they name none."""
    sensors = [sensor.word for sensor in Sensor]
    chosen = [CONTROLLERS[word] for word in args[2:] if word in CONTROLLERS]
    extras = frozenset(args[2:]) - CONTROLLERS.keys()
    known = len(args) >= 2 and args[1] in sensors and extras <= set(EXTRAS)
    if not known or extras >= TILE_FILES.keys() or len(chosen) > 1:
        usage = f"BOARD {'|'.join(sensors)} [{'|'.join(CONTROLLERS)}] [lamps] [panel] [tile|strips] [--page]"
        raise CommandError(f"write: python -m hardware.bom {usage}")
    return GridToBuild(board_of(args[0]), Sensor[args[1].upper()], extras, chosen[0] if chosen else None)


def main(args: list[str]) -> int:
    words = [word for word in args if word != "--page"]
    if words == args:
        return say(lambda: as_csv(bill(grid_of(words))))
    return say(lambda: page(grid_of(words)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
