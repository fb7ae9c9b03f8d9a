"""Scripted boards: their firmware runs as a program of this computer, or in an emulator."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from types import TracebackType

from benchmarks.simulation.chip import FIRMWARE, Sent
from companion.core.game import Site
from firmware_bridge.line.frames import Frame, FrameCutter, write_frame
from firmware_bridge.line.messages import TO_DEVICE, TO_HOST, Message, Peer, Sensor
from firmware_bridge.line.wiring import Pin, Wiring

REST = 2048
"""The level of a linear sensor, of 4095."""
EMULATOR = Path(__file__).parent / "pico"
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "protocol.md"
EXAMPLE = re.compile(r"^\| `(\d+)` \| `[A-Z]\w*\(.*\)` \| `([0-9a-f ]+)` \|", re.MULTILINE)


def examples() -> list[tuple[int, Message, bytes]]:
    """Returns the examples of messages to the device in docs/protocol.md: number, message, and bytes."""
    found = []
    for number, data in EXAMPLE.findall(DOCUMENT.read_text(encoding="utf-8")):
        (event,) = Peer(TO_DEVICE).events(bytes.fromhex(data))
        if isinstance(event, Message):
            found.append((int(number), event, bytes.fromhex(data)))
    return found


class BuildError(Exception):
    """A build of the firmware that failed; the text is what the tools say."""


def make(*settings: str) -> None:
    command = ["make", "-s", "-C", str(FIRMWARE), *settings]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"{done.stdout}{done.stderr}")


def build(wiring: Wiring, target: str, lamps: bool = False) -> Path:
    """Makes a target of the Makefile for a wiring, and returns the folder of what was made."""
    settings = [
        f"BOARD={wiring.board}",
        f"SENSOR={wiring.sensor.name.lower()}",
        f"MCU={wiring.controller.name}",
    ]
    make(*settings, *(["LAMPS=1"] if lamps else []), target)
    return FIRMWARE / "build" / (wiring.name + "-lamps" * lamps)


class ScriptedBoard:
    """A board whose firmware is `program`, which takes the commands of sim/script.c."""

    def __init__(self, wiring: Wiring, program: list[str]) -> None:
        self.wiring = wiring
        self.sites = wiring.sites
        self.time = 0
        """Microseconds since the start."""
        self.peer = Peer(TO_HOST)
        self._address = dict(zip(wiring.sites, wiring.addresses, strict=True))
        self._process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> ScriptedBoard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error:
            self._process.kill()
        self._process.communicate(timeout=60)
        assert self._process.returncode == 0 or error, "the firmware or a sanitizer has stopped the program"

    def tell(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()

    def answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise RuntimeError("the program has stopped")
        return line

    def advance(self, ms: int) -> list[Sent]:
        """Lets time pass, and returns the frames that were sent in it."""
        self.tell(f"advance {ms}")
        return self.frames()

    def frames(self) -> list[Sent]:
        sent = []
        while not (line := self.answer()).startswith("at "):
            kind, time, data = line.split()
            assert kind == "out", line
            sent.append(Sent(int(time), bytes.fromhex(data)))
        self.time = int(line.split()[1])
        return sent

    def hear(self, ms: int = 40) -> list[object]:
        """Returns what is said meanwhile. Each frame is also what our own writer makes of its message."""
        events: list[object] = []
        for _, encoded in self.advance(ms):
            assert write_again(encoded) == b"\0" + encoded + b"\0"
            events += self.peer.events(b"\0" + encoded + b"\0")
        return events

    def hear_of(self, kind: type, ms: int = 40) -> list[object]:
        return [event for event in self.hear(ms) if isinstance(event, kind)]

    def say(self, *messages: Message) -> None:
        for message in messages:
            self.write(self.peer.send(message))

    def write(self, data: bytes) -> None:
        self.tell(f"in {data.hex()}")

    def set(self, site: Site, present: bool, swing: int = 800) -> None:
        """Puts a magnet on a site or takes it off; a negative swing is a south pole."""
        row, column = self._address[site]
        level = REST + swing * present if self.wiring.sensor is Sensor.ANALOGUE else int(present)
        self.tell(f"set {row} {column} {level}")

    def bridge_diode(self, site: Site) -> None:
        row, column = self._address[site]
        self.tell(f"bridge {row} {column}")

    def lamps(self) -> bytes:
        self.tell("show")
        return bytes.fromhex(self.answer().removeprefix("lamps").strip())


def write_again(encoded: bytes) -> bytes:
    [frame] = FrameCutter().frames(b"\0" + encoded + b"\0")
    assert isinstance(frame, Frame)
    return write_frame(frame.kind, frame.sequence, frame.payload)


class ScriptedPort:
    """The line of a scripted board as a port: its time passes while somebody reads."""

    def __init__(self, board: ScriptedBoard) -> None:
        self._board = board

    def read(self, size: int = 1) -> bytes:
        return b"".join(b"\0" + frame.encoded + b"\0" for frame in self._board.advance(10))

    def write(self, data: bytes, /) -> int:
        self._board.write(data)
        return len(data)

    def close(self) -> None:
        pass


def missing_for_pico() -> str:
    """Returns one line that says what has to be installed to build for the Pico; '' when all is there."""
    tools = [name for name in ("arm-none-eabi-gcc", "cmake", "make") if shutil.which(name) is None]
    if tools or not sdk_folders():
        missing = ", ".join([*tools, *([] if sdk_folders() else ["the Pico SDK"])])
        return f"{missing} missing: apt install pico-sdk-source make (Debian 13), or set PICO_SDK_PATH"
    return ""


def sdk_folders() -> list[Path]:
    """Returns where the Pico SDK is, as the Makefile looks for it."""
    places = [os.environ.get("PICO_SDK_PATH", ""), "/usr/src/pico-sdk", "/usr/share/pico-sdk"]
    return [Path(place) for place in places if place and (Path(place) / "pico_sdk_init.cmake").is_file()]


def circuit_of(wiring: Wiring) -> str:
    """Returns what the emulator has to know of a wiring, as JSON."""
    controller, numbers = wiring.controller, _numbers
    pins: dict[str, object] = {"lamps": controller.lamps.bit}
    if wiring.sensor is Sensor.REED:
        pins |= {"rows": numbers(controller.rows[: wiring.height])}
        pins |= {"columns": numbers(controller.columns[: wiring.width])}
    elif wiring.sensor is Sensor.DIGITAL:
        pins |= {"shift": numbers(controller.shift), "registers": wiring.height}
    else:
        pins |= {"select": numbers(controller.select), "enable": numbers(controller.enable[: wiring.height])}
        pins |= {"adc": numbers(controller.analogue)}
    return json.dumps(pins)


def _numbers(pins: tuple[Pin, ...]) -> list[int]:
    return [pin.bit for pin in pins]
