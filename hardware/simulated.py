"""The real firmware on a simulated microcontroller, as a serial port that anything can open.

`hardware/firmware/sim/board.c` runs the firmware on simavr and wires sensors to its pins; this is its
other half. Time is the simulation's own and passes only in `advance`, so nothing here depends on the
speed of the machine. Needs make, avr-gcc, avr-libc and libsimavr.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from companion.core import Site
from firmware_bridge.messages import Sensor
from firmware_bridge.wiring import Pin, Wiring

FIRMWARE = Path(__file__).resolve().parent / "firmware"
SIMULATOR = FIRMWARE / "sim"
PACKAGES = ("make", "gcc", "gcc-avr", "avr-libc", "libsimavr-dev")
"""What Debian calls all that this needs."""
REST_MV = 2500


class SimulatorMissingError(RuntimeError):
    """A tool that builds or runs the simulation is not installed; says which packages bring it."""


class Sent(NamedTuple):
    """A frame as it left the chip: microseconds of simulated time, and the bytes between its edges."""

    time: int
    encoded: bytes


def missing_tools() -> str:
    """What has to be installed, in one line; empty when everything is there."""
    tools = [name for name in ("make", "cc", "avr-gcc") if shutil.which(name) is None]
    headers = [p for p in ("/usr/include/simavr", "/usr/lib/avr/include") if not Path(p).is_dir()]
    if not tools and not headers:
        return ""
    return f"{', '.join(tools + headers)} missing: apt install {' '.join(PACKAGES)}"


def build(wiring: Wiring, lamps: bool = False) -> Path:
    """The firmware of a variant, built from source; SimulatorMissingError without its tools."""
    if missing := missing_tools():
        raise SimulatorMissingError(missing)
    board, sensor, controller = wiring.name.split("-")
    settings = [f"BOARD={board}", f"SENSOR={sensor}", f"MCU={controller}"]
    _make(FIRMWARE, *settings, *(["LAMPS=1"] if lamps else []))
    return FIRMWARE / "build" / (wiring.name + ("-lamps" if lamps else "")) / "firmware.elf"


def build_tool(name: str) -> Path:
    """A native program of the simulation: `board`, or `frames`, the firmware's frame code."""
    if missing := missing_tools():
        raise SimulatorMissingError(missing)
    _make(SIMULATOR)
    return SIMULATOR / "build" / name


def _make(folder: Path, *settings: str) -> None:
    done = subprocess.run(  # noqa: S603
        ["make", "-s", "-C", str(folder), *settings],  # noqa: S607
        capture_output=True, text=True, check=False,
    )
    if done.returncode:
        raise RuntimeError(f"make {' '.join(settings)} failed:\n{done.stdout}{done.stderr}")


class SimulatedBoard:
    """A grid with its firmware running. `port` is the name of its serial line."""

    def __init__(self, wiring: Wiring, lamps: bool = False) -> None:
        self.wiring = wiring
        self._address = dict(zip(wiring.sites, wiring.addresses, strict=True))
        program = [str(build_tool("board")), str(build(wiring, lamps)), wiring.controller.chip]
        self._process = subprocess.Popen(  # noqa: S603
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.time = 0
        """Microseconds of simulated time."""
        self.port = self._answer()
        self._connect()

    def __enter__(self) -> SimulatedBoard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Pulls the plug."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def tell(self, *commands: str) -> None:
        """Commands of the simulator, see board.c."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{command}\n" for command in commands))
        self._process.stdin.flush()

    def advance(self, ms: float) -> list[Sent]:
        """Lets time pass; the frames that were sent in it."""
        self.tell(f"advance {ms:.6f}")
        return self.frames()

    def frames(self) -> list[Sent]:
        """The frames of the oldest `advance` that was told and not yet asked about."""
        sent = []
        while not (line := self._answer()).startswith("at "):
            _, time, data = line.split()
            sent.append(Sent(int(time), bytes.fromhex(data)))
        self.time = int(line.split()[1])
        return sent

    def hang(self) -> None:
        """The processor loops for ever, until the watchdog resets it."""
        self.tell("hang")
        self.frames()

    def lamps(self) -> bytes:
        """The bytes that the lamps show: green, red, blue each."""
        self.tell("show")
        return bytes.fromhex(self._answer().removeprefix("lamps").strip())

    def set(self, site: Site, present: bool, swing_mv: int = 500) -> None:
        """A magnet comes to a site or leaves it; a negative swing is a south pole."""
        self.tell(self.command(site, present, swing_mv))

    def command(self, site: Site, present: bool, swing_mv: int = 500) -> str:
        """The simulator's command for `set`."""
        row, column = self._address[site]
        if self.wiring.sensor is Sensor.ANALOGUE:
            return f"level {row} {column} {REST_MV + swing_mv * present}"
        return f"{'close' if present else 'open'} {row} {column}"

    def bridge_diode(self, site: Site) -> None:
        row, column = self._address[site]
        self.tell(f"diode {row} {column} 0")

    def _connect(self) -> None:
        wiring, controller = self.wiring, self.wiring.controller
        self.tell(_group("lamps", (controller.lamps,)))
        if wiring.sensor is Sensor.REED:
            self.tell(_group("rows", controller.rows[: wiring.height]))
            self.tell(_group("columns", controller.columns[: wiring.width]))
        elif wiring.sensor is Sensor.DIGITAL:
            self.tell(_group("shift", controller.shift))
        else:
            self.tell(_group("select", controller.select), "noise 10")

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the simulator has stopped")
        return line.strip()


def _group(name: str, pins: tuple[Pin, ...]) -> str:
    return " ".join((name, *(f"{pin.port}{pin.bit}" for pin in pins)))


class Press(NamedTuple):
    """One step of a `script`: after `wait` ms a magnet comes to a site, or leaves it."""

    wait: float
    site: Site
    present: bool


def script(sites: tuple[Site, ...], count: int, rng: random.Random, wait: float, rest: float) -> list[Press]:
    """Random presses and releases: at least `wait` ms apart, and `rest` ms on the same site."""
    time, since = 0.0, dict.fromkeys(sites, -rest)
    steps: list[Press] = []
    present = dict.fromkeys(sites, False)
    while len(steps) < count:
        gap = wait + rng.expovariate(1 / wait)
        site = rng.choice([s for s in sites if time + gap - since[s] >= rest])
        time += gap
        present[site], since[site] = not present[site], time
        steps.append(Press(gap, site, present[site]))
    return steps


def act(board: SimulatedBoard, press: Press, rng: random.Random) -> list[Sent]:
    """A press as its contact makes it: a reed bounces for up to a millisecond."""
    sent = board.advance(press.wait)
    for present in (press.present, not press.present) * 2 if board.wiring.sensor is Sensor.REED else ():
        board.set(press.site, present)
        sent += board.advance(rng.uniform(0.05, 0.25))
    board.set(press.site, press.present)
    return sent
