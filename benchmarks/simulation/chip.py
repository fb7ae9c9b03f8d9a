"""Runs the real firmware on a simulated microcontroller, behind a serial port that anything can open.

`hardware/firmware/sim/board.c` runs the firmware on simavr and wires sensors to its pins; this module builds
it, starts it and gives it commands. Time is the simulation's own and passes only in `advance`, so that
nothing here depends on the speed of the machine. It needs make, avr-gcc, avr-libc and libsimavr.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.game import Site
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import Pin, Wiring, rewire

FIRMWARE = Path(__file__).resolve().parents[2] / "hardware" / "firmware"
SIMULATOR = FIRMWARE / "sim"
PACKAGES = ("make", "gcc", "gcc-avr", "avr-libc", "libsimavr-dev")
"""Debian's packages of all that this needs."""
REST_MV = 2500


class SimulatorMissingError(CompanionError):
    """A tool that builds or runs the simulation is not installed; the text names its packages."""


class Sent(NamedTuple):
    """A frame as it left the chip: the simulated time (µs), and the bytes between its edges."""

    time: int
    encoded: bytes


def missing_tools() -> str:
    """Returns one line that says what has to be installed; '' when everything is there."""
    tools = [name for name in ("make", "cc", "avr-gcc") if shutil.which(name) is None]
    headers = [p for p in ("/usr/include/simavr", "/usr/lib/avr/include") if not Path(p).is_dir()]
    if not tools and not headers:
        return ""
    return f"{', '.join(tools + headers)} missing: apt install {' '.join(PACKAGES)}"


def build(wiring: Wiring, lamps: bool = False, watchdog: bool = False) -> Path:
    """Builds the firmware of a variant and returns its file. SimulatorMissingError without the tools."""
    if missing := missing_tools():
        raise SimulatorMissingError(missing)
    board, sensor, controller = wiring.name.split("-")
    settings = [f"BOARD={board}", f"SENSOR={sensor}", f"MCU={controller}"]
    extras = [name for name, wanted in (("LAMPS", lamps), ("WATCHDOG", watchdog)) if wanted]
    _make(FIRMWARE, *settings, *(f"{name}=1" for name in extras))
    return FIRMWARE / "build" / "-".join((wiring.name, *map(str.lower, extras))) / "firmware.elf"


def build_tool(name: str) -> Path:
    """Builds a program of the simulation, `board` or `frames` (those of the firmware), and returns it."""
    if missing := missing_tools():
        raise SimulatorMissingError(missing)
    _make(SIMULATOR)
    return SIMULATOR / "build" / name


def _make(folder: Path, *settings: str) -> None:
    done = subprocess.run(
        ["make", "-s", "-C", str(folder), *settings],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"make {' '.join(settings)} failed:\n{done.stdout}{done.stderr}")


class SimulatedBoard:
    """A grid whose firmware is running. `port` is the name of its serial line.

    With a `loader` (Intel HEX) the chip starts in that, and it starts the firmware. `wires` are those that
    are soldered wrongly: the one meant for a key ends at the sensor of its value.
    """

    def __init__(
        self,
        wiring: Wiring,
        lamps: bool = False,
        watchdog: bool = False,
        loader: Path | None = None,
        wires: Mapping[Site, Site] | None = None,
    ) -> None:
        self.wiring = wiring
        soldered = rewire(wiring, wires or {})
        self._address = dict(zip(soldered.sites, soldered.addresses, strict=True))
        firmware = build(wiring, lamps, watchdog)
        program = [str(build_tool("board")), str(firmware), wiring.controller.chip]
        program += [str(loader)] if loader else []
        self._process = subprocess.Popen(
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.time = 0
        """Microseconds of simulated time."""
        try:
            self.port = self._answer()
            self._connect()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> SimulatedBoard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stops the simulation, as if the plug were pulled."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def tell(self, *commands: str) -> None:
        """Sends commands to the simulator; board.c lists them."""
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{command}\n" for command in commands))
        self._process.stdin.flush()

    def advance(self, ms: float) -> list[Sent]:
        """Lets time pass and returns the frames that were sent in it."""
        self.tell(f"advance {ms:.6f}")
        return self.frames()

    def frames(self) -> list[Sent]:
        """Returns the frames of the oldest `advance` that was sent and not yet asked about."""
        sent = []
        while not (line := self._answer()).startswith("at "):
            _, time, data = line.split()
            sent.append(Sent(int(time), bytes.fromhex(data)))
        self.time = int(line.split()[1])
        return sent

    def hang(self, interrupts: bool = False) -> None:
        """Lets the processor loop until something starts it anew; for a second at most."""
        self.tell(f"hang {interrupts:d}")
        self.frames()

    def press(self) -> None:
        """Presses the reset button."""
        self.tell("press")
        self.frames()

    def supply(self, chip_mv: int, sensors_mv: int) -> None:
        """Sets the supply of the chip, which its converter compares with, and that of the linear sensors."""
        self.tell(f"supply {chip_mv}", f"rail {sensors_mv}")

    def sample(self, hertz: int) -> None:
        """Lets switches look at their magnets only so often, each at a time of its own; 0: always."""
        self.tell(f"sample {hertz}")

    def lamps(self) -> bytes:
        """Returns the bytes that the lamps show: green, red and blue of each."""
        self.tell("show")
        return bytes.fromhex(self._answer().removeprefix("lamps").strip())

    def set(self, site: Site, present: bool, swing_mv: int = 500) -> None:
        """Puts a magnet on a site or takes it off; a negative swing is a south pole."""
        self.tell(self.command(site, present, swing_mv))

    def command(self, site: Site, present: bool, swing_mv: int = 500) -> str:
        """Returns the simulator's command for `set`."""
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
    """One step of a `script`: after `wait` (ms) a magnet comes to a site, or leaves it."""

    wait: float
    site: Site
    present: bool


def script(sites: tuple[Site, ...], count: int, rng: random.Random, wait: float, rest: float) -> list[Press]:
    """Returns random presses and releases, at least `wait` ms apart, and `rest` ms on the same site."""
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
    """Carries out a press, with the bounces of a reed of up to a millisecond; returns the frames sent."""
    sent = board.advance(press.wait)
    if board.wiring.sensor is Sensor.REED:
        for present in (press.present, not press.present) * 2:
            board.set(press.site, present)
            sent += board.advance(rng.uniform(0.05, 0.25))
    board.set(press.site, press.present)
    return sent
