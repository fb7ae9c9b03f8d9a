"""The PlatformIO project: its script chooses the sources that make builds, with the same wiring.h.

PlatformIO itself is not run: it fetches its compilers from its own registry.
"""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

from benchmarks.simulation.chip import FIRMWARE
from companion.core.board import load_board
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import CONTROLLERS, wire
from hardware.wiring.header import header

PROJECT = FIRMWARE / "platformio.ini"
BOARDS = {
    "uno": ("uno", "uno"),
    "nano": ("nanoatmega328new", "uno"),
    "mega": ("megaatmega2560", "mega"),
    "pico": ("rpipico", "pico"),
    "esp32-s3": ("esp32-s3-devkitc-1", "esp32s3"),
}
"""The board of each environment, as PlatformIO's documentation spells it, and the controller."""


def options(environment: str) -> dict[str, str]:
    """The options of an environment, with those that it extends."""
    parser = project()
    own = parser[f"env:{environment}"]
    base = parser[own["extends"]] if "extends" in own else {}
    found = {**parser["env"], **base, **own}
    shared = parser["env"]["build_flags"]
    return {name: value.replace("${env.build_flags}", shared) for name, value in found.items()}


def project() -> ConfigParser:
    parser = ConfigParser(interpolation=None)
    parser.read(PROJECT, encoding="utf-8")
    return parser


class Environment:
    """What PlatformIO gives the script as `env`."""

    def __init__(self, name: str, build: Path, sensor: str, lamps: str) -> None:
        self.options = options(name)
        self.grid = {"board": "triune", "sensor": sensor, "lamps": lamps}
        self.build, self.filter, self.folders = build, list[str](), list[str]()

    def subst(self, text: str) -> str:
        return {"$PROJECT_DIR": str(FIRMWARE), "$BUILD_DIR": str(self.build)}[text]

    def GetProjectOption(self, name: str) -> str:  # noqa: N802
        return self.options[name]

    def GetProjectConfig(self) -> Environment:  # noqa: N802
        return self

    def get(self, section: str, name: str) -> str:
        assert section == "grid"
        return self.grid[name]

    def Append(self, **names: list[str]) -> None:  # noqa: N802
        self.folders += names["CPPPATH"]

    def Replace(self, **names: list[str]) -> None:  # noqa: N802
        self.filter = names["SRC_FILTER"]


def prepare(name: str, build: Path, sensor: str = "reed", lamps: str = "no") -> Environment:
    found = Environment(name, build, sensor, lamps)
    runpy.run_path(str(FIRMWARE / "prepare.py"), {"Import": lambda name: None, "env": found})
    return found


def sources(found: Environment) -> list[str]:
    assert found.filter[0] == "-<*>"
    return [re.fullmatch(r"\+<(.*)>", entry)[1] for entry in found.filter[1:]]  # type: ignore[index]


def test_the_environments_are_those_that_were_asked_for() -> None:
    parser = project()
    environments = {name.removeprefix("env:") for name in parser.sections() if name.startswith("env:")}
    assert environments == set(BOARDS) == set(parser["platformio"]["default_envs"].split(", "))
    for name in environments:
        assert (options(name)["board"], options(name)["custom_controller"]) == BOARDS[name]


@pytest.mark.parametrize("sensor", Sensor)
@pytest.mark.parametrize("name", BOARDS)
def test_wiring_and_sources_are_those_of_make(tmp_path: Path, name: str, sensor: Sensor) -> None:
    found = prepare(name, tmp_path, sensor.name.lower())
    (folder,) = found.folders
    wiring = wire(load_board("triune"), sensor, CONTROLLERS[BOARDS[name][1]])
    assert (Path(folder) / "wiring.h").read_text(encoding="utf-8") == header(wiring)
    chosen = sources(found)
    assert all((FIRMWARE / source).is_file() for source in chosen)
    settings = ["BOARD=triune", f"SENSOR={sensor.name.lower()}", f"MCU={BOARDS[name][1]}"]
    if shutil.which("make") is None:
        pytest.skip("apt install make")
    target = "firmware" if "avr" in found.options["custom_layer"] else "scripted"
    told = subprocess.run(
        ["make", "-nB", "-C", str(FIRMWARE), *settings, target], check=True, capture_output=True, text=True
    ).stdout
    own = r"core/\w+\.c\b" if name == "pico" else r"(?:core|chips)/[\w/]+\.(?:cpp|c)\b"
    assert {s for s in chosen if re.fullmatch(own, s)} == set(re.findall(rf"(?<=\s){own}", told))


@pytest.mark.parametrize("name", ["uno", "nano", "mega"])
def test_the_project_s_flags_compile_for_the_avr(tmp_path: Path, name: str) -> None:
    if shutil.which("avr-gcc") is None:
        pytest.skip("apt install gcc-avr avr-libc")
    found = prepare(name, tmp_path, "analogue", "yes")
    chip = CONTROLLERS[BOARDS[name][1]].chip
    flags = found.options["build_flags"].replace("-I ", "-I").replace("-D ", "-D").split()
    command = [
        "avr-gcc",
        f"-mmcu={chip}",
        "-DF_CPU=16000000L",
        "-Os",
        "-Werror",
        *flags,
        f"-I{found.folders[0]}",
    ]
    command += [*sources(found), "-o", str(tmp_path / "firmware.elf")]
    done = subprocess.run(command, cwd=FIRMWARE, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_arduino_s_entry_points_for_the_pico_compile() -> None:
    if shutil.which("c++") is None:
        pytest.skip("apt install g++")
    command = ["c++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-Isim/arduino", "-Icore"]
    done = subprocess.run(
        [*command, "chips/pico/arduino.cpp"], cwd=FIRMWARE, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_lamps_are_refused_for_the_esp32(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="lamps on the ESP32-S3 are not built yet"):
        prepare("esp32-s3", tmp_path, lamps="yes")


def test_a_board_that_is_not_there_ends_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRID_BOARD", "nine")
    with pytest.raises(SystemExit, match="there is no board 'nine'"):
        prepare("uno", tmp_path)


def test_wiring_h_needs_no_library() -> None:
    """PlatformIO runs the script with a Python of its own, in which nothing of ours is installed."""
    command = [sys.executable, "-S", "-m", "hardware.wiring.header", "triune", "reed", "uno"]
    done = subprocess.run(command, cwd=FIRMWARE.parents[1], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
