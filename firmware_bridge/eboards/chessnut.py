"""Chessnut's boards (Air, Air+, Go, Pro) on USB: their reports, their lamps, and where one is plugged in.

The facts are those of the maker's EasyLinkSDK (github.com/chessnutech/EasyLinkSDK, MIT: `sdk/EasyLink.cpp`,
and its README for the lamps):

- a HID device of vendor 2d80, product 80xx to 86xx, with an interface of usage page ff00
- `21 01 00` starts the reports; `29 01 00` asks for the battery, which `2a …` answers; two messages are to be
  200 ms apart
- a report is `01`, its length from there on (24 or, from newer boards, 3d), and 32 bytes of two squares each,
  the low four bits first: h8, g8 … a8, h7 … a1. A square is 0, or 1 to 12 for q k b p n R P r B N Q K
- `0a 08` and a byte for each row, from row 8 to row 1, lights lamps: the highest bit is file a

A read of hidraw gives one whole report, so that each is looked at alone.
"""

from __future__ import annotations

import os
import re
import select
from collections.abc import Callable, Iterator
from errno import EACCES, EIO
from pathlib import Path

from companion.language import say
from firmware_bridge.eboards.maker import EMPTY_SQUARE, Lit, Squares
from firmware_bridge.line.link import READ_S, Port, PortError
from firmware_bridge.line.usb import CHESSNUT
from firmware_bridge.sensing.lamps import DARK

PRODUCTS = range(0x8000, 0x8700)
USAGE_PAGE = bytes((0x06, 0x00, 0xFF))
"""The item of a report descriptor that names the usage page ff00."""
HID_ID = re.compile(r"^HID_ID=[0-9A-F]+:0*(?P<vendor>[0-9A-F]+):0*(?P<product>[0-9A-F]+)$", re.MULTILINE)
SYSFS, DEV = Path("/sys"), Path("/dev")
BEGIN_REPORTS = bytes((0x21, 0x01, 0x00))
ASK_BATTERY = bytes((0x29, 0x01, 0x00))
REPORT, BATTERY, LAMPS = 0x01, 0x2A, 0x0A
CODES = EMPTY_SQUARE + "qkbpnRPrBNQK"
HEAD, BODY = 2, 32
LONGEST = 256
"""Bytes of the longest report that is read."""


class Chessnut:
    """The speech of Chessnut's boards, as `Maker` says."""

    name: str = say("the Chessnut board")
    ask_s, pace_s = 1.0, 0.2

    def greeting(self) -> tuple[bytes, ...]:
        return (BEGIN_REPORTS,)

    def question(self) -> tuple[bytes, ...]:
        # A board that was switched off and on has forgotten that it was to report.
        return BEGIN_REPORTS, ASK_BATTERY

    def hear(self, data: bytes) -> Iterator[Squares]:
        body = data[HEAD : HEAD + BODY]
        if data[:1] == bytes((BATTERY,)) and len(data) > HEAD:
            yield ""
        elif data[:1] == bytes((REPORT,)) and len(body) == BODY and data[1] >= BODY:
            codes = [code for byte in body for code in (byte & 15, byte >> 4)]
            if max(codes) < len(CODES):
                rows = (codes[row : row + 8] for row in range(0, 64, 8))
                yield "".join(CODES[code] for row in rows for code in reversed(row))

    def lamps(self, lit: Lit) -> bytes:
        rows = bytearray(8)
        for square, colour in lit.items():
            if colour != DARK:
                rows[square // 8] |= 0x80 >> square % 8
        return bytes((LAMPS, len(rows))) + rows


class HidrawPort:
    """A device of `/dev/hidraw`, as `firmware_bridge.line.link.Port` says: a read gives one report."""

    may_reset = False

    def __init__(self, path: str) -> None:
        try:
            self._device = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != EACCES:
                raise
            raise PortError(say_no_right(path)) from error

    def read(self, size: int = LONGEST) -> bytes:
        if not select.select([self._device], [], [], READ_S)[0]:
            return b""
        report = os.read(self._device, size)
        if not report:
            raise OSError(EIO, os.strerror(EIO))
        return report

    def write(self, data: bytes, /) -> int:
        return os.write(self._device, data)

    def close(self) -> None:
        os.close(self._device)


def say_no_right(path: str) -> str:
    """Says that a device of hidraw may not be read, and what to do."""
    return say("no right to use {path}: put the rule for udev there, as docs/eboards.md says", path=path)


def plugged_in(sysfs: Path = SYSFS) -> list[str]:
    """Returns the devices of `/dev` that are Chessnut's boards."""
    devices = sorted((sysfs / "class/hidraw").glob("hidraw*"))
    return [str(DEV / device.name) for device in devices if _is_chessnut(device)]


def _is_chessnut(device: Path) -> bool:
    """Returns whether a folder of sysfs is that of a Chessnut board, and of the interface that reports."""
    try:
        told = HID_ID.search((device / "device/uevent").read_text(encoding="ascii"))
        descriptor = (device / "device/report_descriptor").read_bytes()
    except (OSError, ValueError):
        return False
    if told is None or USAGE_PAGE not in descriptor:
        return False
    return int(told["vendor"], 16) == CHESSNUT and int(told["product"], 16) in PRODUCTS


def chessnut_opener(path: str, sysfs: Path = SYSFS) -> Callable[[], Port]:
    """Returns a function that opens a Chessnut board: the one at this path, or else the one on USB, which is
    looked for each time. PortError where there is none, or it is another device."""

    def opens() -> Port:
        device = path or _the_only(plugged_in(sysfs))
        known = sysfs / "class/hidraw" / Path(device).resolve().name
        if known.exists() and not _is_chessnut(known):
            raise PortError(say("{path} is another device than a Chessnut board", path=device))
        return HidrawPort(device)

    return opens


def _the_only(found: list[str]) -> str:
    if not found:
        raise PortError(say("no Chessnut board on USB: plug it in, and switch it on"))
    if len(found) > 1:
        names = ", ".join(found)
        raise PortError(say("several Chessnut boards ({names}): say which, as chessnut:PATH", names=names))
    return found[0]
