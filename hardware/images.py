"""Images of the firmware: what is built, how each is named, and the folder of a release that holds them.

`python -m release FOLDER firmware` fills such a folder, and writes SHA256SUMS beside the images.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

from companion.core.errors import CompanionError
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import CONTROLLERS, MEGA, PICO, UNO, Wiring, WiringError, wire
from hardware.command_line import board_of

FIRMWARE = Path(__file__).resolve().parent / "firmware"
SUMS = "SHA256SUMS"
SUFFIX = {"uno": "hex", "mega": "hex", "pico": "uf2", "esp32s3": "bin"}
RELEASED = (UNO, MEGA, PICO)
"""The controllers that this module builds for. The ESP32-S3 is built by PlatformIO (`pio run`)."""
PACKAGES = {
    "uno": "make gcc-avr avr-libc",
    "mega": "make gcc-avr avr-libc",
    "pico": "make pico-sdk-source",
}
"""Debian's packages that build an image."""


class ImageError(CompanionError):
    """An image that is not there, is damaged, or cannot be built."""


class FirmwareVariant(NamedTuple):
    """A firmware to be built: the board as the builder wrote it (a name or a file), its wiring, and lamps."""

    board: str
    wiring: Wiring
    lamps: bool = False

    @property
    def name(self) -> str:
        return self.wiring.name + ("-lamps" if self.lamps else "")

    @property
    def file(self) -> str:
        return f"{self.name}.{SUFFIX[self.wiring.controller.name]}"


def variant_of(board: str, sensor: Sensor, controller: str, lamps: bool = False) -> FirmwareVariant:
    """Returns the variant of a board by its name or file. CompanionError when it cannot be wired so."""
    wiring = wire(board_of(board), sensor, CONTROLLERS[controller])
    if lamps and not wiring.controller.lights:
        raise ImageError(
            f"the firmware of the {wiring.controller.title} lights no lamps yet: leave --lamps out"
        )
    return FirmwareVariant(board, wiring, lamps)


def find_image(folder: Path, variant: FirmwareVariant) -> Path:
    """Returns a variant's image in the folder of a release. ImageError when it is missing or damaged."""
    file = folder / variant.file
    if not file.is_file():
        raise ImageError(f"{folder} has no {variant.file}: is it the folder of a release?")
    listed = _read_list(folder).get(variant.file)
    if listed is None:
        raise ImageError(f"{folder / SUMS} does not list {variant.file}: fetch the release anew")
    if listed != hashlib.sha256(file.read_bytes()).hexdigest():
        raise ImageError(f"{file} is damaged: fetch the release anew")
    return file


def _read_list(folder: Path) -> dict[str, str]:
    try:
        lines = (folder / SUMS).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ImageError(f"{folder / SUMS} cannot be read: fetch the release anew") from error
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def build_image(variant: FirmwareVariant, firmware: Path = FIRMWARE) -> Path:
    """Builds a variant with this machine's compilers, and returns its image. ImageError when that fails."""
    controller = variant.wiring.controller.name
    if controller not in PACKAGES:
        raise ImageError(
            f"the {variant.wiring.controller.title} is built by PlatformIO: see hardware/README.md"
        )
    board = str(Path(variant.board).resolve()) if variant.board.endswith(".json") else variant.board
    sensor = variant.wiring.sensor.word
    settings = [f"BOARD={board}", f"SENSOR={sensor}", f"MCU={controller}", f"PYTHON={sys.executable}"]
    command = [
        "make",
        "-s",
        "-C",
        str(firmware),
        *settings,
        *(["LAMPS=1"] if variant.lamps else []),
        "firmware",
    ]
    packages = PACKAGES[controller]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise ImageError(f"make is missing: 'sudo apt install {packages}'") from error
    if done.returncode:
        last = next(
            (line for line in reversed(done.stderr.splitlines()) if not line.startswith("make")),
            "make failed",
        )
        raise ImageError(
            f"{variant.name} cannot be built: {last} ('sudo apt install {packages}' brings what it needs)"
        )
    folder = f"{Path(board).stem}-{sensor}-{controller}" + ("-lamps" if variant.lamps else "")
    return firmware / "build" / folder / f"firmware.{SUFFIX[controller]}"


def release_variants(boards: Iterable[str]) -> Iterator[FirmwareVariant]:
    """Yields all variants of boards that their controllers take, with lamps and without."""
    for board, sensor, controller, lamps in product(boards, Sensor, RELEASED, (False, True)):
        try:
            yield variant_of(board, sensor, controller.name, lamps)
        except WiringError:
            continue
