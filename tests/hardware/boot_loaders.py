"""The boot loaders that Arduinos are sold with, built from the sources in Debian's arduino-core-avr.

The images in that package will not do: Debian builds them again, in Debian 13 all of a folder for one and the
same chip, and Optiboot larger than the 512 bytes that it is put into.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCES = Path(os.environ.get("BOOT_LOADERS", "/usr/share/arduino/hardware/arduino/avr/bootloaders"))
OPTIBOOT, ATMEGABOOT, STK500 = "optiboot", "atmega", "stk500v2"
TARGETS = {OPTIBOOT: "atmega328", ATMEGABOOT: "atmega328", STK500: "mega2560"}
IMAGES = {
    OPTIBOOT: "optiboot_atmega328.hex",
    ATMEGABOOT: "ATmegaBOOT_168_atmega328.hex",
    STK500: "stk500boot_v2_mega2560.hex",
}
ROOMY = "LDSECTIONS=-Wl,--section-start=.text=0x7c00 -Wl,--section-start=.version=0x7ffe"
"""Puts Optiboot into a boot section of one kilobyte: today's compilers make it larger than half of that."""


def build_boot_loader(name: str, folder: Path) -> Path:
    """Builds a boot loader in a folder and returns its Intel HEX; skips the test without its source."""
    if not (SOURCES / name).exists() or shutil.which("avr-gcc") is None:
        pytest.skip("apt install arduino-core-avr gcc-avr avr-libc make")
    copy = folder / name
    shutil.copytree(SOURCES / name, copy)
    image = copy / IMAGES[name]
    image.unlink(missing_ok=True)
    command = ["make", "-C", str(copy), TARGETS[name], *([ROOMY] if name == OPTIBOOT else [])]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return image
