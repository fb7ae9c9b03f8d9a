"""Writes UF2 files: what is copied onto the drive that a Raspberry Pi Pico shows.

`python -m hardware.uf2 FIRMWARE.bin FIRMWARE.uf2` does it. The format is described at
https://github.com/microsoft/uf2: blocks of 512 bytes, each with 256 bytes of flash and their address.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

FLASH = 0x10000000
FAMILY = 0xE48BFF56
"""RP2040: its boot loader ignores blocks for another chip."""
START = (0x0A324655, 0x9E5D5157)
END = 0x0AB16F30
HAS_FAMILY = 0x2000
PAGE = 256
BLOCK = struct.Struct("<8I476sI")


class Uf2Error(ValueError):
    """Bytes that are no UF2 file for a Pico."""


def to_uf2(image: bytes, address: int = FLASH) -> bytes:
    """Returns the UF2 file that writes an image to the flash, its last page filled with zeros."""
    pages = [image[at : at + PAGE].ljust(PAGE, b"\0") for at in range(0, len(image), PAGE)]
    return b"".join(
        BLOCK.pack(*START, HAS_FAMILY, address + PAGE * i, PAGE, i, len(pages), FAMILY, page, END)
        for i, page in enumerate(pages)
    )


def from_uf2(data: bytes) -> tuple[int, bytes]:
    """Returns the address and the image of a UF2 file. Uf2Error when its pages do not follow one another."""
    image, start = bytearray(), None
    if not data or len(data) % BLOCK.size:
        raise Uf2Error(f"{len(data)} bytes are no whole number of UF2 blocks")
    for i, (*head, page, end) in enumerate(BLOCK.iter_unpack(data)):
        first, second, flags, address, size, number, count, family = head
        if (first, second) != START or end != END or flags & HAS_FAMILY == 0 or family != FAMILY:
            raise Uf2Error(f"block {i} is no UF2 block for an RP2040")
        start = address if start is None else start
        if (address, number, count, size) != (start + len(image), i, len(data) // BLOCK.size, PAGE):
            raise Uf2Error(f"block {i} is not where it should be")
        image += page[:size]
    assert start is not None
    return start, bytes(image)


def main(args: list[str]) -> int:
    if len(args) != 2:
        sys.stderr.write("write: python -m hardware.uf2 FIRMWARE.bin FIRMWARE.uf2\n")
        return 2
    Path(args[1]).write_bytes(to_uf2(Path(args[0]).read_bytes()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
