"""`companion grid flash`: what it finds, what it refuses, and avrdude at a simulated boot loader."""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
import serial
from click.testing import CliRunner

from benchmarks.simulation.chip import SimulatedBoard, missing_tools
from companion.core.board import load_board
from companion.games.board_file import new_board
from firmware_bridge.line.link import Port
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import CONTROLLERS, wire
from firmware_bridge.sensing.virtual import VirtualDevice, VirtualPort
from hardware import flash as flashing
from hardware.flash import FlashError, Machine, Target, check_free, find_target, flash_grid, is_pico_drive
from hardware.images import (
    SUMS,
    FirmwareVariant,
    ImageError,
    build_image,
    find_image,
    release_variants,
    variant_of,
)
from hardware.running import RunningSource
from hardware.uf2 import to_uf2
from release.__main__ import write_sums
from tests.hardware.boot_loaders import OPTIBOOT, build_boot_loader


class Info(NamedTuple):
    device: str
    vid: int | None
    pid: int | None


UNO, MEGA = Info("/dev/ttyACM0", 0x2341, 0x43), Info("/dev/ttyACM1", 0x2341, 0x42)
CH340, PICO = Info("/dev/ttyUSB0", 0x1A86, 0x7523), Info("/dev/ttyACM2", 0x2E8A, 0x0A)
ESP, R4 = Info("/dev/ttyACM3", 0x303A, 0x1001), Info("/dev/ttyACM4", 0x2341, 0x0069)
EVERY, BUILT_IN = Info("/dev/ttyACM5", 0x2341, 0x0058), Info("/dev/ttyS0", None, None)


class Bench:
    """A computer with controllers at it. What is flashed answers from then on, unless it is `dead`."""

    def __init__(
        self, *ports: Info, drive: Path | None = None, answers: FirmwareVariant | None = None
    ) -> None:
        self.ports, self.drive, self.answers = list(ports), drive, answers
        self.ran: list[list[str]] = []
        self.opened: list[str] = []
        self.now = 0.0
        self.statuses = [0]
        self.says = "avrdude: done"
        self.refuses: OSError | None = None
        self.has_drive = drive is not None
        self.machine = Machine(
            lambda: self.ports,
            lambda: [self.drive] if self.drive and self.has_drive else [],
            self.run,
            self.open,
            self.wait,
            self.clock,
        )

    def clock(self) -> float:
        self.now += 0.0001
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds

    def run(self, command: Sequence[str]) -> tuple[int, str]:
        self.ran.append(list(command))
        return self.statuses[min(len(self.ran), len(self.statuses)) - 1], self.says

    def open(self, argument: str) -> Port:
        self.opened.append(argument)
        if self.refuses:
            raise self.refuses
        if argument.endswith("@1200"):
            self.has_drive = True
        if self.answers is None:
            return Silent(self)
        return VirtualPort(VirtualDevice(self.answers.wiring, random.Random(1)), self.clock, self.wait)


class Silent:
    """A port at which nobody speaks."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def read(self, size: int = 1) -> bytes:
        self._bench.wait(0.05)
        return b""

    def write(self, data: bytes, /) -> int:
        return len(data)

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("ports", "port", "controller", "found"),
    [
        ([UNO], None, None, ("uno", "/dev/ttyACM0", "Uno Rev3")),
        ([BUILT_IN, MEGA], None, None, ("mega", "/dev/ttyACM1", "Mega 2560 Rev3")),
        ([PICO], None, None, ("pico", "/dev/ttyACM2", "Pico")),
        ([ESP], None, None, ("esp32s3", "/dev/ttyACM3", "ESP32-S3")),
        ([CH340], None, "uno", ("uno", "/dev/ttyUSB0", "CH340")),
        ([UNO, MEGA], None, "mega", ("mega", "/dev/ttyACM1", "Mega")),
        ([UNO, MEGA, PICO], "/dev/ttyACM2", None, ("pico", "/dev/ttyACM2", "Pico")),
        ([UNO, PICO], None, None, ("uno", "/dev/ttyACM0", "Uno")),
        ([R4, UNO], None, None, ("uno", "/dev/ttyACM0", "Uno Rev3")),
        ([BUILT_IN], "/dev/ttyS0", "uno", ("uno", "/dev/ttyS0", "taken for")),
    ],
)
def test_a_controller_is_told_by_its_port(
    ports: list[Info], port: str | None, controller: str | None, found: tuple[str, str, str]
) -> None:
    target = find_target(Bench(*ports).machine, port, controller)
    assert (target.controller, target.device) == found[:2]
    assert found[2] in target.words


@pytest.mark.parametrize(
    ("ports", "port", "controller", "words"),
    [
        ([], None, None, "no controller on any USB port: plug in an Arduino Uno Rev3, Nano or Mega"),
        ([R4], None, None, "Uno R4 Minima, which cannot run .*: use an Arduino Uno Rev3, Nano or Mega 2560"),
        ([EVERY], "/dev/ttyACM5", None, "Nano Every, which cannot run .* Raspberry Pi Pico, or an ESP32-S3"),
        ([Info("/dev/ttyACM0", 0x2341, 0x8036)], None, "uno", "Leonardo, which cannot run"),
        ([CH340], None, None, "CH340.*: say which, with --controller uno or --controller mega"),
        ([UNO], None, "mega", "Uno Rev3; no Arduino Mega 2560 is plugged in"),
        ([UNO], "/dev/ttyACM0", "pico", "Uno Rev3, not Raspberry Pi Pico"),
        ([UNO, Info("/dev/ttyACM9", 0x2341, 1)], None, None, "several could be meant .*: name one"),
        ([], "/dev/ttyACM0", None, "does not tell what it is: say --controller"),
    ],
)
def test_a_controller_that_is_not_clear_or_not_fit_is_one_line(
    ports: list[Info], port: str | None, controller: str | None, words: str
) -> None:
    with pytest.raises(FlashError, match=words) as caught:
        find_target(Bench(*ports).machine, port, controller)
    assert "\n" not in str(caught.value)


@pytest.fixture
def image(tmp_path: Path) -> Callable[[FirmwareVariant], Path]:
    file = tmp_path / "image.hex"
    file.write_bytes(b":00000001FF\n")
    return lambda variant: file


def flash(
    bench: Bench,
    variant: FirmwareVariant,
    image: Callable[[FirmwareVariant], Path],
    running: list[RunningSource] | None = None,
) -> list[str]:
    said: list[str] = []
    target = find_target(bench.machine, None, variant.wiring.controller.name)
    flash_grid(bench.machine, target, variant, image, running, said.append)
    return said


@pytest.mark.parametrize(
    ("info", "controller", "begin"),
    [
        (UNO, "uno", ["avrdude", "-p", "atmega328p", "-c", "arduino", "-P", "/dev/ttyACM0", "-b", "115200"]),
        (MEGA, "mega", ["avrdude", "-p", "atmega2560", "-c", "wiring", "-P", "/dev/ttyACM1", "-b", "115200"]),
    ],
)
def test_an_arduino_is_flashed_and_asked(
    info: Info, controller: str, begin: list[str], image: Callable[[FirmwareVariant], Path]
) -> None:
    variant = variant_of("triune", Sensor.REED, controller)
    bench = Bench(info, answers=variant)
    said = flash(bench, variant, image)
    assert said[0] == f"{info.device}: {find_target(bench.machine, None, None).words}"
    assert said[-1].startswith(f"it answers: triune-reed-{controller}")
    (command,) = bench.ran
    assert command[: len(begin)] == begin
    assert command[-1] == f"flash:w:{image(variant)}:i"


def test_a_nano_with_the_old_boot_loader_is_tried_at_its_speed(
    image: Callable[[FirmwareVariant], Path],
) -> None:
    variant = variant_of("triune", Sensor.REED, "uno")
    bench = Bench(CH340, answers=variant)
    bench.statuses = [1, 0]
    flash(bench, variant, image)
    assert [command[command.index("-b") + 1] for command in bench.ran] == ["115200", "57600"]


def test_an_esp32_is_flashed_by_esptool(image: Callable[[FirmwareVariant], Path]) -> None:
    variant = variant_of("chess", Sensor.REED, "esp32s3")
    bench = Bench(ESP, answers=variant)
    flash(bench, variant, image)
    (command,) = bench.ran
    assert command[1:] == [
        *("-m", "esptool", "--chip", "esp32s3", "--port", "/dev/ttyACM3", "write_flash", "0x0"),
        str(image(variant)),
    ]


def pico_drive(folder: Path) -> Path:
    folder.mkdir()
    (folder / "INFO_UF2.TXT").write_text("UF2 Bootloader v2.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n")
    return folder


@pytest.mark.parametrize("waits", [True, False])
def test_a_pico_gets_its_file_on_its_drive(tmp_path: Path, waits: bool) -> None:
    """It shows its drive already, or is asked for it at 1200 baud."""
    variant = variant_of("chess", Sensor.REED, "pico")
    file = tmp_path / "chess-reed-pico.uf2"
    file.write_bytes(to_uf2(bytes(range(256)) * 4))
    bench = Bench(PICO, drive=pico_drive(tmp_path / "RPI-RP2"), answers=variant)
    bench.has_drive = waits
    said = flash(bench, variant, lambda _: file)
    assert (tmp_path / "RPI-RP2" / file.name).read_bytes() == file.read_bytes()
    assert ("/dev/ttyACM2@1200" in bench.opened) is not waits
    assert said[-1] == "it answers: chess-reed-pico (virtual), 64 sites, board 0xb768"


def test_drives_are_told_by_what_is_on_them(tmp_path: Path) -> None:
    drive = pico_drive(tmp_path / "my pico")
    other = tmp_path / "stick"
    other.mkdir()
    mounts = tmp_path / "mounts"
    at = str(drive).replace(" ", "\\040")
    mounts.write_text(f"/dev/sda1 {at} vfat rw 0 0\n/dev/sdb1 {other} vfat rw 0 0\n")
    assert flashing.mounted_drives(mounts) == [drive]
    assert flashing.mounted_drives(tmp_path / "none") == []
    assert not is_pico_drive(other)


def silent(bench: Bench) -> None:
    bench.answers = None


def other_board(bench: Bench) -> None:
    bench.answers = variant_of("magnet", Sensor.REED, "mega")


def write_fails(bench: Bench) -> None:
    bench.statuses, bench.says = [1], "avrdude error: not in sync\n\navrdude done.  Thank you.\n"


def no_avrdude(bench: Bench) -> None:
    def run(command: Sequence[str]) -> tuple[int, str]:
        raise FileNotFoundError(2, "No such file", "avrdude")

    object.__setattr__(bench.machine, "run", run)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (silent, "nothing answers at /dev/ttyACM0"),
        (other_board, "answers as magnet-reed-mega .*, and not as triune-reed-uno"),
        (write_fails, "avrdude could not write the firmware: avrdude error: not in sync$"),
        (no_avrdude, "avrdude is missing: 'sudo apt install avrdude'"),
    ],
)
def test_what_goes_wrong_is_one_line(
    spoil: Callable[[Bench], None], words: str, image: Callable[[FirmwareVariant], Path]
) -> None:
    variant = variant_of("triune", Sensor.REED, "uno")
    bench = Bench(UNO, answers=variant)
    spoil(bench)
    with pytest.raises(FlashError, match=words) as caught:
        flash(bench, variant, image)
    assert "\n" not in str(caught.value)


def test_esptool_that_is_missing_says_how_to_get_it(image: Callable[[FirmwareVariant], Path]) -> None:
    bench = Bench(ESP)
    bench.statuses, bench.says = [1], "/usr/bin/python3: No module named esptool\n"
    with pytest.raises(FlashError, match=r"pip install 'board-companion\[esp32\]'"):
        flash(bench, variant_of("chess", Sensor.REED, "esp32s3"), image)


def test_a_pico_that_shows_no_drive_says_what_to_hold(tmp_path: Path) -> None:
    with pytest.raises(FlashError, match="BOOTSEL"):
        flash(Bench(PICO), variant_of("chess", Sensor.REED, "pico"), lambda _: tmp_path)


TAKEN = [RunningSource("camera:0", "ok", ""), RunningSource("serial:/dev/ttyACM0", "ok", "")]


def test_it_refuses_while_the_companion_has_the_grid(image: Callable[[FirmwareVariant], Path]) -> None:
    variant = variant_of("triune", Sensor.REED, "uno")
    bench = Bench(UNO, answers=variant)
    with pytest.raises(FlashError, match=r"uses the grid \(serial:/dev/ttyACM0\): stop it first"):
        flash(bench, variant, image, TAKEN)
    assert bench.opened == bench.ran == []
    assert flash(bench, variant, image, [RunningSource("serial:virtual", "ok", "")])


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(16, "busy"), "another program is using the port: stop it first"),
        (OSError(13, "no"), "no right to use the port: 'sudo adduser"),
    ],
)
def test_a_port_that_cannot_be_opened_is_left_alone(error: OSError, words: str) -> None:
    bench = Bench(UNO)
    bench.refuses = error
    with pytest.raises(FlashError, match=words):
        check_free(bench.machine, Target("an Uno", "uno", "/dev/ttyACM0"), None)


# ---- images ----


def make_release(folder: Path, *variants: FirmwareVariant) -> list[str]:
    """Writes the folder of a release, and returns the names of its images."""
    folder.mkdir()
    for variant in variants:
        (folder / variant.file).write_bytes(b"firmware")
    write_sums(folder)
    return [variant.file for variant in variants]


def test_a_release_lists_its_images_and_damage_is_found(tmp_path: Path) -> None:
    names = make_release(tmp_path / "release", *release_variants(["magnet", "rooks"]))
    assert len(names) == len(set(names)) == 2 * 3 * 2 + 3 * 3 * 2  # Magnet's 91 sites are too many for an Uno
    assert f"{hashlib.sha256(b'firmware').hexdigest()}  rooks-reed-uno-lamps.hex" in (
        (tmp_path / "release" / SUMS).read_text().splitlines()
    )
    wanted = variant_of("rooks", Sensor.REED, "uno", lamps=True)
    assert find_image(tmp_path / "release", wanted).name == "rooks-reed-uno-lamps.hex"
    (tmp_path / "release" / wanted.file).write_bytes(b"firmwarf")
    with pytest.raises(ImageError, match="is damaged"):
        find_image(tmp_path / "release", wanted)
    with pytest.raises(ImageError, match=r"has no chess-reed-uno\.hex"):
        find_image(tmp_path / "release", variant_of("chess", Sensor.REED, "uno"))
    (tmp_path / "release" / SUMS).unlink()
    with pytest.raises(ImageError, match="cannot be read"):
        find_image(tmp_path / "release", wanted)


def test_the_sums_are_those_of_sha256sum(tmp_path: Path) -> None:
    if shutil.which("sha256sum") is None:
        pytest.skip("apt install coreutils")
    make_release(tmp_path / "release", *release_variants(["rooks"]))
    check = ["sha256sum", "--check", "--strict", SUMS]
    assert subprocess.run(check, cwd=tmp_path / "release", capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "-")
def test_an_image_of_an_own_board_is_built(tmp_path: Path) -> None:
    mine = tmp_path / "mine.json"
    mine.write_text(new_board("rooks"), encoding="utf-8")
    image = build_image(variant_of(str(mine), Sensor.REED, "uno"))
    assert image.read_text(encoding="ascii").startswith(":")


def test_a_build_that_fails_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("firmware:\n\t@echo avr-gcc: not found >&2; exit 1\n")
    if shutil.which("make") is None:
        pytest.skip("apt install make")
    with pytest.raises(ImageError, match=r"avr-gcc: not found .*apt install make gcc-avr avr-libc"):
        build_image(variant_of("rooks", Sensor.REED, "uno"), tmp_path)


def test_an_image_for_the_esp32_is_not_built_here() -> None:
    with pytest.raises(ImageError, match="built by PlatformIO"):
        build_image(variant_of("rooks", Sensor.REED, "esp32s3"))


# ---- the command ----


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--board", "nine", "--sensor", "reed", "--controller", "uno"], "there is no board 'nine'"),
        (["--board", "magnet", "--sensor", "reed", "--controller", "uno"], "magnet has 91 sites"),
        (["--board", "triune", "--sensor", "smell"], "smell"),
        (
            ["/dev/x", "--board", "triune", "--sensor", "reed", "--controller", "esp32s3", "--lamps"],
            "lights no lamps yet: leave --lamps out",
        ),
        (["--board", "triune"], "--sensor"),
    ],
)
def test_a_command_that_cannot_be_carried_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], words: str
) -> None:
    monkeypatch.setattr(flashing, "this_machine", lambda drive: Bench(UNO).machine)
    done = CliRunner().invoke(flashing.flash, [*arguments, "--data", str(tmp_path)])
    assert done.exit_code != 0
    assert words in (done.output + str(done.exception))


def test_the_command_takes_an_image_of_a_release(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    variant = variant_of("rooks", Sensor.REED, "uno")
    make_release(tmp_path / "images", variant)
    bench = Bench(UNO, answers=variant)
    monkeypatch.setattr(flashing, "this_machine", lambda drive: bench.machine)
    options = ["--board", "rooks", "--sensor", "reed", "--images", str(tmp_path / "images")]
    done = CliRunner().invoke(flashing.flash, [*options, "--data", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert done.output.splitlines() == [
        "/dev/ttyACM0: an Arduino Uno Rev3",
        "writing rooks-reed-uno (8 bytes)…",
        "it answers: rooks-reed-uno (virtual), 16 sites, board 0x2162",
    ]


BLINKS_MS = 450
"""For so long the boot loader blinks before it listens."""


class Line:
    """The line of a simulated board, which its opening resets. Time passes while somebody reads."""

    def __init__(self, board: SimulatedBoard) -> None:
        board.press()
        self._board, self._line = board, serial.Serial(board.port, 115200, timeout=0.05)

    def read(self, size: int = 1) -> bytes:
        sent = self._board.advance(10)
        return bytes(self._line.read(sum(len(frame.encoded) + 2 for frame in sent)))

    def write(self, data: bytes, /) -> int:
        self._line.write(data)
        self._board.tell("listen")
        return len(data)

    def close(self) -> None:
        self._line.close()


@pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "-")
def test_avrdude_flashes_through_a_real_boot_loader(tmp_path: Path) -> None:
    """The Uno's boot loader runs on a simulated chip, which had another firmware before."""
    if shutil.which("avrdude") is None:
        pytest.skip("apt install avrdude")
    loader = build_boot_loader(OPTIBOOT, tmp_path)
    before = wire(load_board("triune"), Sensor.REED, CONTROLLERS["uno"])
    variant = variant_of("rooks", Sensor.DIGITAL, "uno")
    with SimulatedBoard(before, loader=loader) as board:
        info = Info(board.port, 0x2341, 0x43)

        def run(command: Sequence[str]) -> tuple[int, str]:
            """A terminal has no wire that resets the chip, so its button is pressed. Then time is slow."""
            board.press()
            board.advance(BLINKS_MS)
            output = subprocess.PIPE
            with subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, text=True) as process:
                board.tell("await 2")
                while process.poll() is None:
                    board.tell("listen")
                    board.advance(20)
                assert process.stdout is not None
                return process.returncode, process.stdout.read()

        machine = Machine(
            lambda: [info], list, run, lambda name: Line(board), board.advance, lambda: board.time / 1e6
        )
        said: list[str] = []
        flash_grid(machine, find_target(machine, None, None), variant, build_image, None, said.append)
    assert said[-1] == "it answers: rooks-digital-uno, 16 sites, board 0x2162"
