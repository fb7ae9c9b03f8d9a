"""Computes what a grid of linear sensors draws, and which supply its board needs.

`python -m hardware.supply` prints the table of bom.md.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

from companion.core.board import bundled_boards, load_board
from firmware_bridge.messages import Sensor
from firmware_bridge.wiring import MEGA, wire

SENSOR_MA = (6, 10)
"""What a linear sensor draws, usually and at most (SS49E at 5 V)."""
CONTROLLER_MA = 100
"""What an Arduino with its multiplexers draws at most."""
USB_MA = 500
SUPPLIES_MA = (1000, 2000, 3000)


class Draw(NamedTuple):
    """The current of all sensors of a board in mA, usually and at most."""

    usual: int
    most: int


def draw_of(sites: int) -> Draw:
    """Returns what so many linear sensors draw."""
    return Draw(*(sites * each for each in SENSOR_MA))


def supply_of(sites: int) -> str:
    """Returns the least supply that feeds so many linear sensors and their Arduino."""
    needed = draw_of(sites).most + CONTROLLER_MA
    if needed <= USB_MA:
        return "USB"
    return f"5 V, {next(ma for ma in SUPPLIES_MA if ma >= needed) / 1000:g} A"


def row(name: str) -> str:
    """Returns the row of a board: its parts, and what its linear sensors need."""
    board = load_board(name)
    sites = len(board.sites)
    chips = (wire(board, sensor, MEGA).height for sensor in (Sensor.ANALOGUE, Sensor.DIGITAL))
    usual, most = draw_of(sites)
    cells = (name, sites, *chips, f"{usual / 1000:.2f} A", f"{most / 1000:.2f} A", supply_of(sites))
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    sys.stdout.write("\n".join(map(row, bundled_boards())) + "\n")
