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


def to_uf2(image: bytes) -> bytes:
    """Returns the UF2 file that writes an image to the flash, its last page filled with zeros."""
    pages = [image[at : at + PAGE].ljust(PAGE, b"\0") for at in range(0, len(image), PAGE)]
    return b"".join(
        BLOCK.pack(*START, HAS_FAMILY, FLASH + PAGE * i, PAGE, i, len(pages), FAMILY, page, END)
        for i, page in enumerate(pages)
    )


def main(args: list[str]) -> int:
    if len(args) != 2:
        sys.stderr.write("write: python -m hardware.uf2 FIRMWARE.bin FIRMWARE.uf2\n")
        return 2
    Path(args[1]).write_bytes(to_uf2(Path(args[0]).read_bytes()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
