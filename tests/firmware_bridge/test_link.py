"""The link: one end a virtual device, time handed in, no thread but in one test."""

from __future__ import annotations

import os
import random
import socket
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import pytest

from benchmarks.simulation.line_noise import LineNoise
from companion.core.board import load_board
from firmware_bridge.line.frames import Damage, crc, stuff
from firmware_bridge.line.greeting import Greeter, may_reset
from firmware_bridge.line.link import (
    WAITING,
    DeviceLink,
    Down,
    LinkEvent,
    PortError,
    choose_port,
    lasting_name,
    parse_argument,
    reason_of,
    serial_opener,
)
from firmware_bridge.line.messages import Gap, Hello, Ping, Pong, Sensor, State, Tune
from firmware_bridge.line.usb import is_reset_by_opening
from firmware_bridge.line.wiring import MEGA, wire
from firmware_bridge.sensing.grid import Grid
from firmware_bridge.sensing.virtual import VirtualDevice, VirtualPort

WIRING = wire(load_board("triune"), Sensor.REED, MEGA)


class Bench:
    """A device, a link and a clock that moves only here."""

    def __init__(self) -> None:
        self.now = 0.0
        self.device = VirtualDevice(WIRING, random.Random(1))
        self.plugged = True
        self.port: VirtualPort | None = None
        self.heard: list[LinkEvent] = []
        self.link = DeviceLink(self._open, lambda event, now: self.heard.append(event), lambda: self.now)

    def _open(self) -> VirtualPort:
        if not self.plugged:
            raise PortError("no such port")
        self.port = VirtualPort(self.device, lambda: self.now)
        return self.port

    def run(self, seconds: float) -> list[LinkEvent]:
        """What is heard in this time."""
        self.heard.clear()
        end = self.now + seconds
        while self.now < end:
            self.link.step()
            self.now += 0.02
        return list(self.heard)

    def unplug(self) -> None:
        self.plugged = False
        if self.port:
            self.port.unplug()


@pytest.fixture
def bench() -> Bench:
    return Bench()


def kinds(events: list[LinkEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_it_greets_and_hears_what_there_is(bench: Bench) -> None:
    assert [k for k in kinds(bench.run(0.1)) if k != "Snapshot"] == ["Hello"]
    assert "Snapshot" in kinds(bench.run(0.3))
    assert bench.link.up


def test_a_silent_device_is_greeted_again_and_at_last_given_up_when_it_stops(bench: Bench) -> None:
    bench.run(0.1)
    bench.device.line = LineNoise(drop=1.0)
    assert [e for e in bench.run(1.0) if isinstance(e, Down)] == [
        Down("the sensor grid says nothing any more: check its cable and power")
    ]
    bench.device.line = LineNoise()
    assert "Hello" in kinds(bench.run(1.0))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"", "is its firmware on it"),
        (b"hello, I am a printer\0", "is its firmware on it"),
        (b"\0" + stuff(b"\2\x81\0" + crc(b"\2\x81\0").to_bytes(2, "big")) + b"\0", "another version"),
    ],
)
def test_what_is_no_grid_or_another_version_is_said_once(answer: bytes, words: str) -> None:
    class Stranger:
        def read(self, size: int = 1) -> bytes:
            return answer

        def write(self, data: bytes) -> int:
            return len(data)

        def close(self) -> None:
            raise OSError("already gone")

    heard: list[LinkEvent] = []
    clock = Ticking()
    link = DeviceLink(Stranger, lambda event, now: heard.append(event), clock)
    for _ in range(2000):
        link.step()
    link.stop()
    (down,) = [e for e in heard if isinstance(e, Down) and e.words != WAITING]
    assert words in down.words


def times_of_greeting(greeter: Greeter, frames: tuple[float, ...] = ()) -> list[float]:
    """The times within 20 s at which a greeter greets, where frames are heard at these."""
    found = []
    for now in [n / 10 for n in range(201)]:
        if now in frames:
            greeter.hear(now)
        if greeter.is_due(now):
            found.append(now)
    return found


def test_a_board_that_may_have_been_reset_is_greeted_late_and_seldom() -> None:
    steady = VirtualPort(VirtualDevice(WIRING, random.Random(1)), lambda: 0.0)
    assert times_of_greeting(Greeter(object(), 0.0)) == [2.0, 9.0, 16.0]
    assert times_of_greeting(Greeter(steady, 0.0)) == [0.0, 7.0, 14.0]


def test_a_board_whose_frames_come_is_greeted_at_once_but_not_for_what_was_on_its_way_before() -> None:
    assert times_of_greeting(Greeter(object(), 0.0), frames=(0.1, 0.6, 0.8, 1.1)) == [0.6, 1.1, 8.1, 15.1]


def test_a_device_that_falls_silent_is_asked_once(bench: Bench) -> None:
    bench.run(0.1)
    assert bench.port is not None
    bench.device.line = LineNoise(drop=1.0)
    written: list[bytes] = []
    write = bench.port.write
    bench.port.write = lambda data: written.append(data) or write(data)  # type: ignore[method-assign, func-returns-value]
    bench.run(0.85)
    assert len(written) == 1


def test_unplugged_a_hundred_times_it_says_so_at_once_and_comes_back(bench: Bench) -> None:
    bench.run(0.1)
    for _ in range(100):
        bench.unplug()
        assert set(kinds(bench.run(0.1))) == {"Down"}
        assert not bench.link.up
        bench.plugged = True
        assert "Hello" in kinds(bench.run(0.6))


def test_an_error_of_a_port_that_was_open_is_a_pulled_cable_whatever_it_says(bench: Bench) -> None:
    bench.run(0.1)
    bench.unplug()  # `read` raises an OSError without a number, as pyserial does
    down, *_ = bench.run(0.1)
    assert down == Down("the sensor grid is not connected: the cable was pulled, or the power is off")


def test_messages_are_sent_one_by_one_and_again_when_not_answered(bench: Bench) -> None:
    bench.run(0.1)
    bench.device.line = LineNoise(drop=0.05)
    for i in range(64):
        assert bench.link.send(Tune(i, 500, 40 + i, 30))
    assert "Down" not in kinds(bench.run(20.0))
    assert bench.device.tuning == {s: Tune(i, 500, 40 + i, 30) for i, s in enumerate(WIRING.sites)}


def test_without_a_device_nothing_is_taken(bench: Bench) -> None:
    bench.unplug()
    bench.run(0.1)
    assert not bench.link.send(Ping(1))
    bench.plugged = True
    bench.run(0.6)
    assert bench.link.send(Ping(5))
    assert [e.token for e in bench.run(0.1) if isinstance(e, Pong)] == [5]


def test_after_any_loss_the_grid_is_right_again(bench: Bench) -> None:
    rng = random.Random(8)
    grid = Grid(WIRING)
    bench.device.line = LineNoise(flip=0.002, drop=0.05)
    truth = dict.fromkeys(WIRING.sites, State.OPEN)
    lost: set[type[object]] = set()
    for _ in range(300):
        site = rng.choice(WIRING.sites)
        truth[site] = State.OPEN if truth[site] else State.NORTH
        bench.device.set(site, truth[site])
        for event in bench.run(0.2):
            lost.add(type(event))
            grid.receive(event, bench.now)
    bench.device.line = LineNoise()
    for event in bench.run(1.0):
        grid.receive(event, bench.now)
    assert grid.states == truth
    assert lost >= {Gap, Damage}


def test_a_fault_of_its_own_is_told_and_the_line_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    told: SimpleQueue[LinkEvent] = SimpleQueue()

    def deliver(event: LinkEvent, now: float) -> None:
        told.put(event)
        if isinstance(event, Hello):
            raise ZeroDivisionError("nothing to share")

    device = VirtualDevice(WIRING, random.Random(1))
    clock = Ticking()
    link = DeviceLink(lambda: VirtualPort(device, clock), deliver, clock)
    link.start()
    try:
        kinds = [told.get(timeout=60) for _ in range(4)]
    finally:
        link.stop()
    down = Down("the line to the board failed (ZeroDivisionError: nothing to share) and is tried again")
    assert [kind if kind == down else type(kind) for kind in kinds] == [Hello, down, Hello, down]
    assert [record.message for record in caplog.records] == ["the line of grid failed"]


@pytest.mark.parametrize("error", [ValueError("Invalid baud rate"), OverflowError("too large")])
def test_a_speed_that_the_port_has_not_is_told(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuses(*args: object, **settings: object) -> None:
        raise error

    monkeypatch.setattr("serial.Serial", refuses)
    with pytest.raises(PortError, match="at 5555555 baud"):
        serial_opener("/dev/ttyACM0@5555555")()


def test_one_program_has_a_port_at_a_time() -> None:
    """Two that read it would each get a part of the bytes."""
    master, slave = os.openpty()
    opens = serial_opener(os.ttyname(slave))
    first = opens()
    try:
        with pytest.raises(OSError, match="exclusively") as caught:
            opens()
        assert reason_of(caught.value) == "another program is using the port"
    finally:
        first.close()
    opens().close()
    os.close(master)
    os.close(slave)


def test_a_thread_of_its_own_keeps_it_alive() -> None:
    heard: SimpleQueue[LinkEvent] = SimpleQueue()
    device = VirtualDevice(WIRING, random.Random(1))
    clock = Ticking()
    link = DeviceLink(lambda: VirtualPort(device, clock), lambda event, now: heard.put(event), clock)
    link.start()
    try:
        while not isinstance(heard.get(timeout=60), Hello):
            continue
    finally:
        link.stop()
    assert not link.up


class Ticking:
    """A clock that moves by a hundredth each time somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.01
        return self.now


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(2, "x"), "is it plugged in?"),
        (PermissionError(13, "x"), "adduser"),
        (OSError(16, "x"), "another program"),
        (OSError(5, "x"), "the cable was pulled"),
        (OSError("device reports readiness\nbut returned no data"), "readiness but returned"),
        (PortError("several ports"), "several ports"),
    ],
)
def test_errors_of_the_port_are_told_in_words(error: OSError, words: str) -> None:
    def fails() -> VirtualPort:
        raise error

    heard: list[LinkEvent] = []
    link = DeviceLink(fails, lambda event, now: heard.append(event), lambda: 0.0)
    for _ in range(3):
        link.step()
    (down,) = heard
    assert isinstance(down, Down)
    assert words in down.words


# ---- names of ports ----


@dataclass
class Info:
    device: str
    vid: int | None
    pid: int | None


@pytest.mark.parametrize(
    ("argument", "parsed"),
    [
        ("/dev/ttyACM0", ("/dev/ttyACM0", 115200)),
        ("/dev/ttyUSB0@9600", ("/dev/ttyUSB0", 9600)),
        ("COM3", ("COM3", 115200)),
        ("", ("", 115200)),
        ("auto", ("auto", 115200)),
    ],
)
def test_arguments(argument: str, parsed: tuple[str, int]) -> None:
    assert parse_argument(argument) == parsed


@pytest.mark.parametrize(
    "argument",
    [
        "/dev/ttyACM0@fast",
        "a@b@c",
        "/dev/ttyACM0@0",
        "/dev/ttyACM0@99999999999999",
    ],
)
def test_arguments_that_are_refused_say_what_to_write(argument: str) -> None:
    with pytest.raises(PortError, match="write serial:PORT"):
        parse_argument(argument)


def test_an_arduino_is_preferred_to_an_adapter() -> None:
    built_in, adapter = Info("/dev/ttyS0", None, None), Info("/dev/ttyUSB0", 0x1A86, 0x7523)
    ports = [built_in, adapter, Info("/dev/ttyACM0", 0x2341, 0x42)]
    assert choose_port(ports) == "/dev/ttyACM0"
    assert choose_port(ports[:2]) == "/dev/ttyUSB0"


@pytest.mark.parametrize(
    ("vendor", "product"),
    [
        (0x2A03, 0x43),
        (0x1A86, 0x7523),
        (0x1A86, 0x55D4),
        (0x0403, 0x6001),
        (0x0403, 0x6015),
        (0x10C4, 0xEA60),
    ],
)
def test_controllers_and_adapters_that_can_be_a_grid(vendor: int, product: int) -> None:
    pico = Info("/dev/ttyACM0", 0x2E8A, 0x000A)
    assert choose_port([pico, Info("/dev/ttyUSB0", vendor, product)]) == "/dev/ttyUSB0"


@pytest.mark.parametrize(("vendor", "product"), [(0x2E8A, 0x000A), (0x303A, 0x1001)])
def test_a_pico_or_an_esp32_can_be_a_grid(vendor: int, product: int) -> None:
    assert choose_port([Info("/dev/ttyACM0", vendor, product)]) == "/dev/ttyACM0"


@pytest.mark.parametrize(
    ("vendor", "product", "resets"),
    [
        (0x2341, 0x0042, True),
        (0x2341, 0x9999, True),
        (0x1A86, 0x7523, True),
        (0x10C4, 0xEA60, True),
        (0x2E8A, 0x000A, False),
        (0x303A, 0x1001, False),
        (0x1234, 0x5678, True),
        (None, None, True),
    ],
)
def test_which_boards_are_reset_by_the_opening_of_their_port(
    tmp_path: Path, vendor: int | None, product: int | None, resets: bool
) -> None:
    """By the port's own name, or by a lasting one that leads to it."""
    device, lasting = tmp_path / "ttyACM0", tmp_path / "by-id"
    device.touch()
    lasting.symlink_to(device)
    ports = [Info("/dev/ttyS9", 0x2E8A, 0x000A), Info(str(device), vendor, product)]
    assert is_reset_by_opening(str(device), ports) is resets
    assert is_reset_by_opening(str(lasting), ports) is resets
    assert is_reset_by_opening("/dev/ttyACM7", ports)


def test_a_network_port_resets_no_board() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = serial_opener(f"socket://127.0.0.1:{server.getsockname()[1]}")()
        assert not may_reset(port)
        port.close()


@pytest.mark.parametrize(
    ("vendor", "product", "name"),
    [
        (0x2341, 0x0069, "Uno R4 Minima"),
        (0x2341, 0x1002, "Uno R4 WiFi"),
        (0x2341, 0x0058, "Nano Every"),
        (0x2341, 0x8036, "Leonardo"),
        (0x2E8A, 0x0009, "Pico 2"),
    ],
)
def test_a_controller_that_cannot_be_a_grid_is_named_with_those_that_can(
    vendor: int, product: int, name: str
) -> None:
    with pytest.raises(
        PortError,
        match=rf"{name}.*cannot run.*Uno Rev3, Nano or Mega 2560, a Raspberry Pi Pico, or an ESP32-S3",
    ):
        choose_port([Info("/dev/ttyACM0", vendor, product)])


@pytest.mark.parametrize(
    ("ports", "words"),
    [
        ([], "plug it in"),
        ([Info("/dev/ttyS0", None, None)], "plug it in"),
        ([Info("/dev/ttyUSB0", 0x0403, 0x6001), Info("/dev/ttyUSB1", 0x0403, 0x6001)], "say which"),
    ],
)
def test_no_port_or_too_many(ports: list[Info], words: str) -> None:
    with pytest.raises(PortError, match=words):
        choose_port(ports)


def test_a_lasting_name_is_found(tmp_path: Path) -> None:
    device = tmp_path / "ttyACM7"
    device.touch()
    folder = tmp_path / "by-id"
    assert lasting_name(str(device), folder) == str(device)
    folder.mkdir()
    (folder / "usb-Arduino").symlink_to(device)
    assert lasting_name(str(device), folder) == str(folder / "usb-Arduino")
