"""`companion grid flash`: finds the controller, says what it is, flashes it, and asks who answers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

import click

from companion.cli.options import data_option
from companion.config import data_folder
from companion.core.errors import CompanionError
from companion.sensing.sources import scheme_of
from firmware_bridge.cli import grid
from firmware_bridge.line.conformance import Conversation
from firmware_bridge.line.link import BOOKED, Port, lasting_name, reason_of, serial_opener
from firmware_bridge.line.messages import Hello, Sensor
from firmware_bridge.line.usb import FIT, PortInfo, UsbBoard, likeliest, unfit, usb_board
from firmware_bridge.line.wiring import CONTROLLERS
from hardware.images import FirmwareVariant, build_image, find_image, variant_of
from hardware.running import RunningSource, running_devices

T = TypeVar("T")
BOOT_BAUD = 1200
"""The speed at which a Pico's port asks for its boot loader."""
AVR_BAUDS = {"uno": ("115200", "57600"), "mega": ("115200",)}
"""The speeds of the boot loaders: a Nano's old one has the second."""
LOADERS = {"uno": "arduino", "mega": "wiring"}
DRIVE_S, PORT_S, STEP_S = 15.0, 15.0, 0.25
"""Seconds that a Pico's drive, or the port of what was flashed, may take to appear, and between two looks."""
MARK = "INFO_UF2.TXT"
"""The file on the drive of a boot loader that takes UF2 files."""
LABEL = Path("/dev/disk/by-label/RPI-RP2")
NO_ESPTOOL = "No module named esptool"


class FlashError(CompanionError):
    """A controller that cannot be found or flashed, or that does not answer as it should."""


@dataclass(frozen=True)
class Machine:
    """The computer that flashes: its ports, drives and programs, and its time in seconds."""

    ports: Callable[[], Sequence[PortInfo]]
    drives: Callable[[], Sequence[Path]]
    run: Callable[[Sequence[str]], tuple[int, str]]
    """Runs a program, and returns its exit status and what it says. OSError where there is none such."""
    open: Callable[[str], Port]
    """Opens `PORT` or `PORT@BAUD`."""
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic


class Target(NamedTuple):
    """A controller to flash: by its port, or a Pico by its drive, with words for what it is."""

    words: str
    controller: str
    device: str | None = None
    drive: Path | None = None


def find_target(machine: Machine, port: str | None, controller: str | None) -> Target:
    """Returns the controller at a port, or the one that is plugged in. FlashError when that is not clear."""
    drives = machine.drives() if controller in (None, "pico") else ()
    if port is None and drives:
        return Target("a Raspberry Pi Pico that waits for its firmware", "pico", drive=drives[0])
    ports = machine.ports()
    boards = [(info.device, board) for info in ports if (board := usb_board(info))]
    if port is not None:
        there = {os.path.realpath(device): board for device, board in boards}
        return _target_at(port, there.get(os.path.realpath(port)), controller)
    best = likeliest(ports, controller)
    if not best:
        raise FlashError(_why_none(boards, controller))
    if len(best) > 1:
        names = ", ".join(device for device, _ in best)
        raise FlashError(
            f"several could be meant ({names}): name one, as 'companion grid flash {best[0][0]}'"
        )
    return _target_at(*best[0], controller)


def _why_none(boards: Sequence[tuple[str, UsbBoard]], controller: str | None) -> str:
    if not boards:
        return f"no controller on any USB port: plug in {FIT}, with a cable that carries data"
    device, board = boards[0]
    if not board.controllers:
        return unfit(device, board)
    return f"{device} is {board.name}; no {CONTROLLERS[controller or 'uno'].title} is plugged in"


def _target_at(device: str, board: UsbBoard | None, controller: str | None) -> Target:
    if board is None:
        if controller is None:
            names = " or ".join(CONTROLLERS)
            raise FlashError(f"what is at {device} does not tell what it is: say --controller {names}")
        return Target(f"taken for {CONTROLLERS[controller].title}", controller, device)
    if not board.controllers:
        raise FlashError(unfit(device, board))
    if controller is None and len(board.controllers) > 1:
        choices = " or ".join(f"--controller {name}" for name in board.controllers)
        raise FlashError(f"{device} is {board.name}: say which, with {choices}")
    if controller is not None and controller not in board.controllers:
        raise FlashError(f"{device} is {board.name}, not {CONTROLLERS[controller].title}")
    return Target(board.name, controller or board.controllers[0], device)


def check_free(machine: Machine, target: Target, running: Iterable[RunningSource] | None) -> None:
    """Raises FlashError while the companion that runs, or another program, uses the port."""
    names = [device.name for device in running or () if device.name != "serial:virtual"]
    grids = [name for name in names if scheme_of(name) == "serial"]
    if grids:
        raise FlashError(
            f"the companion that runs uses the grid ({grids[0]}): stop it first, "
            "by 'sudo systemctl stop board-companion' or Ctrl-C"
        )
    if target.device is None:
        return
    try:
        machine.open(target.device).close()
    except OSError as error:
        words = reason_of(error)
        stop = ": stop it first" if words == BOOKED else ""
        raise FlashError(f"{target.device} cannot be opened: {words}{stop}") from error


def put(machine: Machine, target: Target, image: Path) -> None:
    """Puts an image on a controller. FlashError when that fails."""
    if target.controller == "pico":
        _copy(image, target.drive or _drive_of(machine, target))
        return
    device, chip = str(target.device), CONTROLLERS[target.controller].chip
    if target.controller == "esp32s3":
        missing = "esptool is missing: pip install 'board-companion[esp32]'"
        esptool = [sys.executable, "-m", "esptool", "--chip", chip, "--port", device]
        commands = [[*esptool, "write_flash", "0x0", str(image)]]
    else:
        missing = "avrdude is missing: 'sudo apt install avrdude'"
        avrdude = ["avrdude", "-p", chip, "-c", LOADERS[target.controller], "-P", device]
        write = ["-D", "-U", f"flash:w:{image}:i"]
        commands = [[*avrdude, "-b", baud, *write] for baud in AVR_BAUDS[target.controller]]
    output = ""
    for command in commands:
        try:
            status, output = machine.run(command)
        except OSError as error:
            raise FlashError(missing) from error
        if NO_ESPTOOL in output:
            raise FlashError(missing)
        if status == 0:
            return
    raise FlashError(f"{missing.split()[0]} could not write the firmware: {_reason(output)}")


def _reason(output: str) -> str:
    """Returns the line of an output that says best why a program failed: its last error, or its last."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["it says nothing"])[-1]


def _drive_of(machine: Machine, target: Target) -> Path:
    """Lets a Pico start its boot loader, by the speed that asks for it, and returns its drive."""
    with suppress(OSError):  # it is gone before the port is closed
        machine.open(f"{target.device}@{BOOT_BAUD}").close()
    drives = _await(machine, machine.drives, DRIVE_S)
    if not drives:
        raise FlashError(
            "the Pico shows no drive: hold its button BOOTSEL while you plug it in; where nothing mounts "
            f"drives, 'sudo mount -o uid=$(id -u) {LABEL} /mnt', then say --drive /mnt"
        )
    return drives[0]


def _copy(image: Path, drive: Path) -> None:
    """Copies an image onto a Pico's drive. The Pico starts anew with the last byte, and the drive is gone."""
    try:
        with open(drive / image.name, "wb") as file:
            file.write(image.read_bytes())
            file.flush()
            with suppress(OSError):
                os.fsync(file.fileno())
    except OSError as error:
        if drive.is_dir():
            raise FlashError(f"{drive} takes no file: {error.strerror or error}") from error


def check_answer(machine: Machine, target: Target, variant: FirmwareVariant) -> Hello:
    """Returns what the controller says of itself. FlashError when it is silent, or is not the variant."""
    device = target.device if target.controller != "pico" else _pico_port(machine)
    device = device or _pico_port(machine)
    port = _await(machine, lambda: _opened(machine, device), PORT_S)
    if port is None:
        raise FlashError(
            f"{device} cannot be opened after flashing: unplug the controller, and plug it in again"
        )
    with closing(port):
        hello = Conversation(port, [], machine.clock).greet()
    if hello is None:
        raise FlashError(
            f"nothing answers at {device}: unplug the controller, plug it in, and flash it again"
        )
    wiring, name = variant.wiring, hello.name.partition(" ")[0]
    if (hello.board, hello.sensor, name) != (wiring.check, wiring.sensor, wiring.name):
        raise FlashError(f"{device} answers as {hello.name} (0x{hello.board:04x}), and not as {wiring.name}")
    return hello


def _pico_port(machine: Machine) -> str:
    def ports() -> list[str]:
        boards = ((info.device, usb_board(info)) for info in machine.ports())
        return [device for device, board in boards if board and "pico" in board.controllers]

    found = _await(machine, ports, PORT_S)
    if not found:
        raise FlashError("the Pico has not come back with a serial port: unplug it, and plug it in again")
    return found[0]


def _opened(machine: Machine, device: str) -> Port | None:
    try:
        return machine.open(device)
    except OSError:
        return None


def _await(machine: Machine, look: Callable[[], T], seconds: float) -> T:
    end = machine.clock() + seconds
    while not (found := look()) and machine.clock() < end:
        machine.sleep(STEP_S)
    return found


def mounted_drives(mounts: Path = Path("/proc/mounts")) -> list[Path]:
    """Returns the folders at which drives of a Pico's boot loader are mounted."""
    try:
        lines = mounts.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    folders = [
        Path(line.split()[1].encode().decode("unicode_escape")) for line in lines if len(line.split()) > 1
    ]
    return [folder for folder in folders if is_pico_drive(folder)]


def is_pico_drive(folder: Path) -> bool:
    try:
        return "RPI-RP2" in (folder / MARK).read_text(encoding="ascii", errors="replace")
    except OSError:
        return False


def this_machine(drive: Path | None = None) -> Machine:
    """Returns the computer that this runs on; with `drive` it looks for a Pico's drive there alone."""
    from serial.tools.list_ports import comports

    def drives() -> list[Path]:
        return mounted_drives() if drive is None else [drive] if is_pico_drive(drive) else []

    return Machine(lambda: list(comports()), drives, _run, lambda argument: serial_opener(argument)())


def _run(command: Sequence[str]) -> tuple[int, str]:
    done = subprocess.run(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
    )
    return done.returncode, done.stdout


def flash_grid(
    machine: Machine,
    target: Target,
    variant: FirmwareVariant,
    image_of: Callable[[FirmwareVariant], Path],
    running: Iterable[RunningSource] | None,
    say: Callable[[str], None],
) -> None:
    """Flashes a controller, and tells each step. FlashError or ImageError when one fails."""
    place = lasting_name(target.device) if target.device else f"the drive {target.drive}"
    say(f"{place}: {target.words}")
    check_free(machine, target, running)
    image = image_of(variant)
    say(f"writing {variant.name} ({image.stat().st_size} bytes)…")
    put(machine, target, image)
    hello = check_answer(machine, target, variant)
    say(f"it answers: {hello.name}, {hello.sites} sites, board 0x{hello.board:04x}")


@grid.command("flash")
@click.argument("port", required=False)
@click.option("--board", required=True, help="the board that the grid is built for: a name, or a board file")
@click.option(
    "--sensor",
    required=True,
    type=click.Choice([s.word for s in Sensor]),
    help="what feels the pieces",
)
@click.option(
    "--controller", type=click.Choice(list(CONTROLLERS)), help="where USB does not tell which it is"
)
@click.option("--lamps", is_flag=True, help="with a WS2812 lamp for each site")
@click.option(
    "--images",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="the folder of a release; else the image is built here",
)
@click.option("--drive", type=click.Path(path_type=Path), help="where a Pico's drive is mounted")
@data_option
def flash(
    port: str | None,
    board: str,
    sensor: str,
    controller: str | None,
    lamps: bool,
    images: Path | None,
    drive: Path | None,
    data: Path | None,
) -> None:
    """Puts the firmware on a controller, and checks that it answers.

    PORT is as /dev/ttyACM0; without it, the controller that is plugged in is looked for.
    """
    machine = this_machine(drive)
    target = find_target(machine, port, controller)
    variant = variant_of(board, Sensor[sensor.upper()], target.controller, lamps)
    running = running_devices(data_folder(data))

    def image_of(wanted: FirmwareVariant) -> Path:
        return find_image(images, wanted) if images else build_image(wanted)

    flash_grid(machine, target, variant, image_of, running, click.echo)
