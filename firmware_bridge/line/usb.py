"""Tells by the numbers of a USB port which board hangs on it, and whether that can be a sensor grid.

    python -m firmware_bridge.line.usb > hardware/pi/board-companion.rules

writes the rules for udev by which ModemManager leaves all of them alone, and a Chessnut board may be read.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from companion.language import say


class PortInfo(Protocol):
    """The part of pyserial's `ListPortInfo` that is used."""

    device: str
    vid: int | None
    pid: int | None


class UsbBoard(NamedTuple):
    """A board at a USB port: its name, the controllers that it can be, and its rank.

    Ports with the highest rank are chosen first, and those with rank 0 never. An adapter names itself alone:
    what hangs on it may be a controller, an electronic chess board, or anything.
    """

    name: str
    controllers: tuple[str, ...]
    rank: int
    is_adapter: bool = False


UNO = ("uno",)
MEGA = ("mega",)
AVR = ("uno", "mega")
PICO = ("pico",)
ESP = ("esp32s3",)

USB: Mapping[tuple[int, int | None], UsbBoard] = {
    (0x2341, 0x0001): UsbBoard("an Arduino Uno", UNO, 3),
    (0x2341, 0x0043): UsbBoard("an Arduino Uno Rev3", UNO, 3),
    (0x2A03, 0x0043): UsbBoard("an Arduino Uno Rev3", UNO, 3),
    (0x2341, 0x0010): UsbBoard("an Arduino Mega 2560", MEGA, 3),
    (0x2341, 0x0042): UsbBoard("an Arduino Mega 2560 Rev3", MEGA, 3),
    (0x2A03, 0x0010): UsbBoard("an Arduino Mega 2560", MEGA, 3),
    (0x2A03, 0x0042): UsbBoard("an Arduino Mega 2560 Rev3", MEGA, 3),
    (0x2341, None): UsbBoard("an Arduino", AVR, 3),
    (0x2A03, None): UsbBoard("an Arduino", AVR, 3),
    (0x1A86, 0x7523): UsbBoard("a board with a CH340: an Uno, Nano or Mega", AVR, 2, is_adapter=True),
    (0x1A86, 0x55D4): UsbBoard("a board with a CH9102: an Uno, Nano or Mega", AVR, 2, is_adapter=True),
    (0x0403, 0x6001): UsbBoard("a board with an FT232R: an Uno, Nano or Mega", AVR, 2, is_adapter=True),
    (0x0403, 0x6015): UsbBoard("a board with an FT231X: an Uno, Nano or Mega", AVR, 2, is_adapter=True),
    (0x10C4, 0xEA60): UsbBoard("a board with a CP2102: an Uno, Nano or Mega", AVR, 2, is_adapter=True),
    (0x2E8A, None): UsbBoard("a Raspberry Pi Pico", PICO, 1),
    (0x303A, 0x1001): UsbBoard("an ESP32-S3", ESP, 1),
    (0x303A, None): UsbBoard("an ESP32", ESP, 1),
    (0x2341, 0x0069): UsbBoard("an Arduino Uno R4 Minima", (), 0),
    (0x2341, 0x1002): UsbBoard("an Arduino Uno R4 WiFi", (), 0),
    (0x2341, 0x0058): UsbBoard("an Arduino Nano Every", (), 0),
    (0x2341, 0x0036): UsbBoard("an Arduino Leonardo", (), 0),
    (0x2341, 0x8036): UsbBoard("an Arduino Leonardo", (), 0),
    (0x2341, 0x0037): UsbBoard("an Arduino Micro", (), 0),
    (0x2341, 0x8037): UsbBoard("an Arduino Micro", (), 0),
    (0x2341, 0x003D): UsbBoard("an Arduino Due", (), 0),
    (0x2341, 0x804D): UsbBoard("an Arduino Zero", (), 0),
    (0x2E8A, 0x0009): UsbBoard("a Raspberry Pi Pico 2", (), 0),
    (0x2E8A, 0x000C): UsbBoard("a Raspberry Pi Debug Probe", (), 0),
}
"""By USB vendor and product; a product of None stands for all others of the vendor."""
CHESSNUT = 0x2D80
"""The vendor of Chessnut's boards, which are no ports: their reports are read from `/dev/hidraw`."""
STEADY = {*PICO, *ESP}
"""The controllers that speak USB themselves: opening their port does not reset them."""
BEGIN = (
    'ACTION!="add|change|move|bind", GOTO="board_companion_end"',
    f'SUBSYSTEM=="hidraw", ATTRS{{idVendor}}=="{CHESSNUT:04x}", GROUP="dialout", MODE="0660"',
    'SUBSYSTEM!="usb", GOTO="board_companion_end"',
    'ENV{DEVTYPE}!="usb_device", GOTO="board_companion_end"',
)
END = 'LABEL="board_companion_end"'
FIT = "an Arduino Uno Rev3, Nano or Mega 2560, a Raspberry Pi Pico, or an ESP32-S3"


def usb_board(port: PortInfo) -> UsbBoard | None:
    """Returns what is behind a port; None for one that is none of these."""
    vendor = port.vid or 0
    return USB.get((vendor, port.pid)) or USB.get((vendor, None))


def likeliest(ports: Iterable[PortInfo], controller: str | None = None) -> list[tuple[str, UsbBoard]]:
    """Returns the ports that are most likely a grid, with their boards: none, or several that are alike.

    With `controller` only those count that may be such a one.
    """
    boards = [(port.device, board) for port in ports if (board := usb_board(port))]
    fit = [(device, board) for device, board in boards if controller in (None, *board.controllers)]
    highest = max((board.rank for _, board in fit if board.controllers), default=None)
    return [(device, board) for device, board in fit if board.rank == highest]


def is_reset_by_opening(device: str, ports: Iterable[PortInfo]) -> bool:
    """Returns whether opening a port of this computer may reset the board behind it."""
    same = (info for info in ports if os.path.realpath(info.device) == os.path.realpath(device))
    board = next(filter(None, map(usb_board, same)), None)
    return board is None or not STEADY.issuperset(board.controllers)


def unfit(device: str, board: UsbBoard) -> str:
    """Returns the line that says that a board cannot run the firmware, and which can."""
    return say(
        "{device} is {name}, which cannot run the grid's firmware: use {fit}",
        device=device,
        name=board.name,
        fit=FIT,
    )


def udev_rules() -> str:
    """Returns rules for udev: ModemManager keeps from what can be a grid, and e-boards may be read."""
    lines = ["# From the table in firmware_bridge/line/usb.py, which says how this file is made.", *BEGIN]
    for (vendor, product), board in sorted(USB.items(), key=lambda item: (item[0][0], item[0][1] or 0)):
        if board.controllers:
            only = f'ATTR{{idProduct}}=="{product:04x}", ' if product is not None else ""
            lines.append(f'ATTR{{idVendor}}=="{vendor:04x}", {only}ENV{{ID_MM_DEVICE_IGNORE}}="1"')
    return "\n".join([*lines, END, ""])


if __name__ == "__main__":
    sys.stdout.write(udev_rules())
