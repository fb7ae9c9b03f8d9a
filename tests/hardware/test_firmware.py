"""The firmware, built from source, on a simulated chip; pyserial talks to it over a pseudo-terminal."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
import serial

from benchmarks.simulation.chip import (
    FIRMWARE,
    REST_MV,
    Sent,
    SimulatedBoard,
    act,
    build,
    missing_tools,
    script,
)
from companion.core.board import load_board
from companion.games.board_file import new_board
from firmware_bridge.line.conformance import check_device
from firmware_bridge.line.link import DeviceLink, Down, LinkEvent, serial_opener
from firmware_bridge.line.messages import (
    TO_HOST,
    Change,
    Done,
    Fault,
    Greet,
    Hello,
    Levels,
    Light,
    Message,
    Mute,
    Peer,
    Ping,
    Pong,
    Read,
    Sensor,
    Snapshot,
    State,
    Trouble,
    Tune,
    unpack_states,
)
from firmware_bridge.line.wiring import CONTROLLERS, wire
from firmware_bridge.sensing.grid import Grid
from hardware import magnets
from hardware.magnets import SensorPart
from tests.hardware.boot_loaders import ATMEGABOOT, OPTIBOOT, STK500, build_boot_loader

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "-")

LIMIT_MS = {Sensor.REED: 20, Sensor.DIGITAL: 20, Sensor.ANALOGUE: 40}
SWITCHES = [part for part in (*magnets.PARTS, *magnets.UNFIT) if part.name.startswith("DRV")]
VARIANTS = [
    ("triune", Sensor.REED, "uno"),
    ("magnet", Sensor.REED, "mega"),
    ("triune", Sensor.ANALOGUE, "uno"),
    ("magnet", Sensor.ANALOGUE, "mega"),
    ("magnet", Sensor.DIGITAL, "mega"),
    ("triune", Sensor.DIGITAL, "uno"),
    ("trid", Sensor.DIGITAL, "mega"),
]


class Desk:
    """A simulated board with our end of its line."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.line = serial.Serial(board.port, 115200, timeout=60)
        self.written = self.due = 0
        self.peer = Peer(TO_HOST)
        self.sites = board.wiring.sites

    def say(self, message: Message) -> None:
        self.write(self.peer.send(message))

    def write(self, data: bytes) -> None:
        """The terminal hands bytes over in its own time: the simulation waits for them."""
        self.line.write(data)
        self.written += len(data)
        self.board.tell(f"await {self.written}")

    def hear(self, ms: float = 40) -> list[object]:
        return self.read(self.board.advance(ms))

    def read(self, sent: list[Sent]) -> list[object]:
        """What these frames say, read from the port: each with its two edges."""
        self.due += sum(len(frame.encoded) + 2 for frame in sent)
        events: list[object] = []
        while self.due > 0:
            data = self.line.read(self.due)
            assert data, "the terminal has lost something"
            self.due -= len(data)
            events += self.peer.events(data)
        return events

    def hear_of(self, kind: type, ms: float = 40) -> list[object]:
        return [event for event in self.hear(ms) if isinstance(event, kind)]


@pytest.fixture
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    board, sensor, controller, *extras = request.param
    options = dict.fromkeys(extras, True)
    with SimulatedBoard(wire(load_board(board), sensor, CONTROLLERS[controller]), **options) as simulated:
        found = Desk(simulated)
        yield found
        found.line.close()


def settle(desk: Desk) -> None:
    """Past the first scans and what the device says of itself."""
    assert [type(e) for e in desk.hear()] == [Hello, Snapshot]


def press_at_random(desk: Desk, count: int) -> tuple[list[Change], list[float]]:
    """Every change that arrives, and each one's milliseconds from the pin to its last byte."""
    rng = random.Random(91)
    wait = 6 if desk.board.wiring.sensor is not Sensor.ANALOGUE else 12
    pressed, changes, arrived = [], [], []
    for step in script(desk.sites, count, rng, wait, rest=60):
        sent = act(desk.board, step, rng)
        pressed.append((desk.board.time, step))
        changes += [e for e in desk.read(sent) if not isinstance(e, Snapshot)]
        arrived += sent
    sent = desk.board.advance(100)
    changes += [e for e in desk.read(sent) if not isinstance(e, Snapshot)]
    arrived += sent
    told = [(desk.sites[c.site], c.state == State.NORTH) for c in changes if isinstance(c, Change)]
    assert told == [(step.site, step.present) for _, step in pressed]
    assert len(told) == len(changes), "faults, damage or gaps"
    peer = Peer(TO_HOST)
    times = [s.time for s in arrived for e in peer.events(b"\0" + s.encoded + b"\0") if isinstance(e, Change)]
    return changes, [(b - a) / 1000 for (a, _), b in zip(pressed, times, strict=True)]


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * len(values))]


@pytest.mark.parametrize("desk", VARIANTS, indirect=True, ids=lambda v: "-".join(map(str, v)))
def test_every_press_arrives_once_in_order_and_in_time(desk: Desk) -> None:
    settle(desk)
    _, latencies = press_at_random(desk, 90)
    assert percentile(latencies, 0.95) <= LIMIT_MS[desk.board.wiring.sensor]


@pytest.mark.soak
@pytest.mark.parametrize("desk", VARIANTS, indirect=True, ids=lambda v: "-".join(map(str, v)))
def test_ten_thousand_presses(desk: Desk) -> None:
    settle(desk)
    _, latencies = press_at_random(desk, 10_000)
    assert percentile(latencies, 0.95) <= LIMIT_MS[desk.board.wiring.sensor]


@pytest.mark.parametrize("desk", [("triune", Sensor.REED, "uno")], indirect=True)
def test_pieces_that_stand_at_the_start_are_no_changes(desk: Desk) -> None:
    desk.board.set("a1", True)
    hello, snapshot = desk.hear()
    assert isinstance(hello, Hello)
    assert (hello.sites, hello.sensor, hello.name) == (64, Sensor.REED, "triune-reed-uno")
    assert hello.board == desk.board.wiring.check
    assert isinstance(snapshot, Snapshot)
    assert unpack_states(snapshot.states, 64)[0] is State.NORTH


@pytest.mark.parametrize("desk", [("triune", Sensor.REED, "uno")], indirect=True)
def test_three_corners_without_diodes_make_a_ghost_and_it_is_reported(desk: Desk) -> None:
    corners = ("a1", "a2", "b1")
    for site in desk.sites:
        desk.board.bridge_diode(site)
    settle(desk)
    for site in corners:
        desk.board.set(site, True)
    events = desk.hear(1500)
    seen = {desk.sites[e.site] for e in events if isinstance(e, Change)}
    bad = {desk.sites[e.site] for e in events if isinstance(e, Fault) and e.trouble == Trouble.DIODE}
    assert seen == {*corners, "b2"}
    assert bad
    assert bad <= seen


@pytest.mark.parametrize("desk", [("triune", Sensor.REED, "uno")], indirect=True)
def test_with_diodes_there_is_neither_ghost_nor_report(desk: Desk) -> None:
    settle(desk)
    for site in ("a1", "a2", "b1"):
        desk.board.set(site, True)
    events = desk.hear(2000)
    assert [desk.sites[e.site] for e in events if isinstance(e, Change)] == ["a1", "a2", "b1"]
    assert not [e for e in events if isinstance(e, Fault)]


@pytest.mark.parametrize("desk", [("triune", Sensor.DIGITAL, "uno")], indirect=True)
@pytest.mark.parametrize("part", SWITCHES, ids=lambda part: part.name)
def test_a_switch_that_looks_too_seldom_mixes_the_order_up(desk: Desk, part: SensorPart) -> None:
    """Pieces are put down 100 ms apart."""
    settle(desk)
    desk.board.sample(part.samples)
    told = []
    for site in desk.sites[:24]:
        desk.board.set(site, True)
        told += desk.hear_of(Change, 100)
    told += desk.hear_of(Change, 400)
    order = [desk.sites[c.site] for c in told if isinstance(c, Change)]
    assert sorted(order) == sorted(desk.sites[:24])
    assert (order == list(desk.sites[:24])) is (part in magnets.PARTS)


@pytest.mark.parametrize("desk", [("triune", Sensor.REED, "uno")], indirect=True)
def test_a_wire_that_rises_slowly_makes_no_phantom_in_the_next_row(desk: Desk) -> None:
    settle(desk)
    for site in ("d4", "h1", "h8"):
        desk.board.set(site, True)
    assert {desk.sites[e.site] for e in desk.hear_of(Change, 600)} == {"d4", "h1", "h8"}


@pytest.mark.parametrize("desk", [("magnet", Sensor.ANALOGUE, "mega")], indirect=True)
def test_polarity_and_own_thresholds(desk: Desk) -> None:
    settle(desk)
    desk.board.set("a1", True, swing_mv=-400)
    (change,) = desk.hear_of(Change)
    assert (change.site, change.state) == (0, State.SOUTH)
    desk.say(Tune(1, 512, 30, 20))
    assert desk.hear_of(Done) == [Done(0)]
    desk.board.set(desk.sites[1], True, swing_mv=200)
    assert [c.state for c in desk.hear_of(Change)] == [State.NORTH]
    desk.board.set(desk.sites[2], True, swing_mv=200)
    assert desk.hear_of(Change) == []


@pytest.mark.parametrize("desk", [("magnet", Sensor.ANALOGUE, "mega")], indirect=True)
def test_levels_come_as_far_as_the_credit_goes(desk: Desk) -> None:
    settle(desk)
    desk.board.set("a1", True, swing_mv=1000)
    desk.say(Read(2, 40))
    parts = desk.hear_of(Levels, 400)
    assert [(p.left, p.first) for p in parts] == [(n, first) for n in (1, 0) for first in (0, 29, 58, 87)]
    assert abs(parts[0].levels[0] - 716) < 5
    assert all(abs(level - 511) < 5 for level in parts[0].levels[1:])
    assert desk.hear_of(Levels, 400) == []


def sag(desk: Desk, start_mv: int, end_mv: int, step_ms: float = 60) -> list[Change]:
    """Returns the changes that are told while the controller's supply moves by 5 mV each step."""
    changes: list[Change] = []
    for mv in range(start_mv, end_mv, 5 if end_mv > start_mv else -5):
        desk.board.supply(mv, 5100)
        changes += [e for e in desk.hear(step_ms) if isinstance(e, Change)]
    desk.board.supply(end_mv, 5100)
    return changes + [e for e in desk.hear(500) if isinstance(e, Change)]


def tune(desk: Desk, press: int, release: int, calibrated_mv: int) -> None:
    """Tunes all sensors at 5.1 V as they were while the controller had this supply."""
    rest = round(REST_MV * 5100 / 5000 / calibrated_mv * 1023)
    desk.board.supply(calibrated_mv, 5100)
    for site in range(len(desk.sites)):
        desk.say(Tune(site, rest, press, release))
        assert Done in map(type, desk.hear(10))


@pytest.mark.parametrize("desk", [("triune", Sensor.ANALOGUE, "uno")], indirect=True)
def test_no_phantom_while_the_supply_of_the_converter_sags(desk: Desk) -> None:
    """Sensors at 5.1 V, USB from 4.9 V to 4.75 V: 17 counts, and a piece is 12. Two pieces stand there."""
    settle(desk)
    tune(desk, 12, 7, 4900)
    desk.board.set("a1", True, swing_mv=150)
    desk.board.set("a2", True, swing_mv=-150)
    assert [c.state for c in desk.hear_of(Change)] == [State.NORTH, State.SOUTH]
    assert sag(desk, 4900, 4750) == []
    desk.board.set("b1", True, swing_mv=150)
    desk.board.set("a1", False)
    desk.board.set("a2", False)
    told = {desk.sites[c.site]: c.state for c in desk.hear_of(Change)}
    assert told == {"b1": State.NORTH, "a1": State.OPEN, "a2": State.OPEN}
    assert sag(desk, 4750, 4900) == []


@pytest.mark.parametrize("desk", [("triune", Sensor.ANALOGUE, "uno")], indirect=True)
def test_an_empty_site_follows_its_sensor_and_a_resting_piece_is_never_lost(desk: Desk) -> None:
    settle(desk)
    tune(desk, 12, 7, 4900)
    desk.board.set("a1", True, swing_mv=60)
    assert [c.state for c in desk.hear_of(Change)] == [State.NORTH]
    for swing_mv in (40, 80, 120):  # warmth moves one sensor by 25 counts
        desk.board.set("c3", True, swing_mv=swing_mv)
        assert desk.hear_of(Change, 8000) == []
    desk.board.set("a1", False)
    assert [(c.site, c.state) for c in desk.hear_of(Change)] == [(0, State.OPEN)]


LAMPS = [("triune", Sensor.REED, "uno", "lamps"), ("magnet", Sensor.ANALOGUE, "mega", "lamps")]
STUCK = [("triune", Sensor.REED, "uno"), ("magnet", Sensor.ANALOGUE, "mega")]


@pytest.mark.parametrize("desk", LAMPS, indirect=True)
def test_lamps_show_what_was_sent_and_the_line_loses_nothing_meanwhile(desk: Desk) -> None:
    settle(desk)
    desk.say(Light(0, 0, bytes((1, 2, 3)) * 20))
    assert desk.hear_of(Done) == [Done(0)]
    desk.say(Light(20, 1, bytes((9, 0, 0))))
    for token in range(5):
        desk.say(Ping(token))
    assert [e.token for e in desk.hear_of(Pong, 60)] == list(range(5))
    shown = desk.board.lamps()
    assert shown[: 21 * 3] == bytes((2, 1, 3)) * 20 + bytes((0, 9, 0))
    assert len(shown) == 3 * len(desk.sites)


def await_hello(desk: Desk, ms: int) -> None:
    """Lets time pass until the firmware has begun, so long at most."""
    assert any(Hello in map(type, desk.hear(100)) for _ in range(0, ms, 100))


def restart(desk: Desk, ms: float = 400) -> tuple[list[int], list[int]]:
    """Returns the troubles that are told by a board that starts anew, and the causes of its starts."""
    events = desk.hear(ms)
    starts = [e.reset for e in events if isinstance(e, Hello)]
    return [e.trouble for e in events if isinstance(e, Fault)], starts


@pytest.mark.parametrize("desk", STUCK, indirect=True)
def test_a_firmware_that_stands_still_starts_anew_and_says_so(desk: Desk) -> None:
    settle(desk)
    for _ in range(2):
        desk.board.hang(interrupts=True)
        assert restart(desk) == ([Trouble.WATCHDOG], [8])


@pytest.mark.parametrize("desk", [(*variant, "watchdog") for variant in STUCK], indirect=True)
def test_the_watchdog_frees_a_chip_whose_interrupts_are_off(desk: Desk) -> None:
    settle(desk)
    desk.board.hang(interrupts=False)
    assert restart(desk) == ([Trouble.WATCHDOG], [8])
    desk.board.hang(interrupts=True)
    assert restart(desk) == ([Trouble.WATCHDOG], [8])


CLEARING = (0x2411, 0xBE14, 0x95A8, 0xE108, 0x9300, 0x60, 0x9210, 0x60, 0x940C, 0)
WAITING = (0xEF8F, 0xEF9F, 0xE0AA, 0x5081, 0x4090, 0x40A0, 0xF7E1, 0x940C, 0)
"""Stand-ins, as opcodes: one clears MCUSR and stops the watchdog, as stk500v2 does, and begins the firmware;
the other first waits for 0.2 s, as ATmegaBOOT does for an upload, and knows of no watchdog."""


def loader(folder: Path, name: str | tuple[int, ...]) -> Path:
    """Returns a boot loader as Intel HEX: a real one by its name, or a stand-in."""
    if isinstance(name, str):
        return build_boot_loader(name, folder)
    code = b"".join(word.to_bytes(2, "little") for word in name)
    line = bytes((len(code), 0x7E, 0x00, 0x00)) + code
    file = folder / "loader.hex"
    file.write_text(f":{line.hex().upper()}{-sum(line) & 255:02X}\n:00000001FF\n", encoding="ascii")
    return file


@pytest.mark.parametrize(
    ("controller", "name", "bears"),
    [
        ("uno", CLEARING, True),
        ("uno", WAITING, False),
        ("mega", STK500, True),
        ("uno", OPTIBOOT, True),
        ("uno", ATMEGABOOT, False),
    ],
)
def test_no_boot_loader_keeps_a_stuck_firmware_from_starting_anew(
    tmp_path: Path, controller: str, name: str | tuple[int, ...], bears: bool
) -> None:
    wiring = wire(load_board("triune"), Sensor.REED, CONTROLLERS[controller])
    file = loader(tmp_path, name)
    patience = 3000 if isinstance(name, str) else 500  # ms that a boot loader may wait for an upload
    with SimulatedBoard(wiring, loader=file) as board:
        desk = Desk(board)
        await_hello(desk, patience)
        board.hang(interrupts=True)
        assert restart(desk) == ([Trouble.WATCHDOG], [8])
        desk.line.close()
    with SimulatedBoard(wiring, loader=file, watchdog=True) as board:
        desk = Desk(board)
        await_hello(desk, patience)
        board.hang(interrupts=False)
        starts = [0] if bears else []  # such a boot loader clears the cause, or never comes to an end
        assert restart(desk, patience) == ([], starts)
        desk.line.close()


@pytest.mark.parametrize("desk", [("triune", Sensor.REED, "mega")], indirect=True)
def test_noise_on_the_line_is_counted_and_the_next_good_frame_is_obeyed(desk: Desk) -> None:
    settle(desk)
    rng = random.Random(4)
    for token in range(20):
        desk.write(rng.randbytes(40))
        desk.say(Ping(token))
        assert Pong in map(type, desk.hear(20))
    faults = desk.hear_of(Fault, 2000)
    assert {f.trouble for f in faults} == {Trouble.BAD_FRAMES}


@pytest.mark.parametrize("desk", [("triune", Sensor.REED, "uno")], indirect=True)
def test_more_changes_than_the_queue_holds_are_reported_and_the_snapshot_is_right(desk: Desk) -> None:
    settle(desk)
    for site in desk.sites:
        desk.board.set(site, True)
    events = desk.hear(2000)
    told = [e for e in events if isinstance(e, Change)]
    (fault,) = [e for e in events if isinstance(e, Fault)]
    assert fault.trouble == Trouble.EVENTS_LOST
    assert len(told) + fault.count == 64
    last = [e for e in events if isinstance(e, Snapshot)][-1]
    assert set(unpack_states(last.states, 64)) == {State.NORTH}


@pytest.mark.parametrize("desk", [("triune", Sensor.REED, "uno")], indirect=True)
def test_a_muted_site_is_silent(desk: Desk) -> None:
    settle(desk)
    desk.say(Mute(bytes((0b10,))))
    desk.hear()
    desk.board.set(desk.sites[0], True)
    desk.board.set(desk.sites[1], True)
    assert [c.site for c in desk.hear_of(Change)] == [0]


@pytest.mark.parametrize("desk", [("magnet", Sensor.ANALOGUE, "mega")], indirect=True)
def test_questions_that_come_faster_than_the_answers_are_all_answered(desk: Desk) -> None:
    settle(desk)
    desk.say(Greet())
    for token in range(6):
        desk.say(Ping(token))
    desk.say(Read(3, 0))
    events = desk.hear(400)
    assert [e.token for e in events if isinstance(e, Pong)] == list(range(6))
    assert len([e for e in events if isinstance(e, Levels)]) == 12
    assert not [e for e in events if isinstance(e, Fault)]


def test_the_link_talks_to_the_firmware_over_a_real_port() -> None:
    """Opened as any port is; the simulation's time passes between the link's rounds."""
    heard: list[LinkEvent] = []
    wiring = wire(load_board("triune"), Sensor.REED, CONTROLLERS["uno"])
    grid = Grid(wiring)
    with SimulatedBoard(wiring) as board:
        board.set("a1", True)
        opener = serial_opener(board.port)
        link = DeviceLink(opener, lambda event, now: heard.append(event), lambda: board.time / 1e6)
        run(board, link, lambda: grid_of(grid, heard, board).get("a1") is State.NORTH)
        board.set("a1", False)
        board.set("c5", True)
        run(board, link, lambda: grid_of(grid, heard, board).get("c5") is State.NORTH)
        assert {s for s, state in grid.states.items() if state} == {"c5"}
        board.close()
        link.step()
        assert isinstance(heard[-1], Down)
        link.stop()


class Wire:
    """The line of a simulated board as a port: its time passes while somebody reads."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def read(self, size: int = 1) -> bytes:
        sent = self._desk.board.advance(10)
        return self._desk.line.read(sum(len(frame.encoded) + 2 for frame in sent))

    def write(self, data: bytes, /) -> int:
        self._desk.write(data)
        return len(data)

    def close(self) -> None:
        self._desk.line.close()


@pytest.mark.parametrize("desk", [*STUCK, ("triune", Sensor.DIGITAL, "uno", "lamps")], indirect=True)
def test_the_firmware_conforms_to_the_protocol(desk: Desk) -> None:
    boards = [load_board(desk.board.wiring.board)]
    findings = check_device(Wire(desk), boards, lambda: desk.board.time / 1e6)
    assert len(findings) == 8
    assert [finding for finding in findings if finding.faults] == []


def grid_of(grid: Grid, heard: list[LinkEvent], board: SimulatedBoard) -> Mapping[str, State]:
    while heard:
        grid.receive(heard.pop(0), board.time / 1e6)
    return grid.states


def run(board: SimulatedBoard, link: DeviceLink, done: Callable[[], bool]) -> None:
    for _ in range(200):
        board.advance(10)
        link.step()
        if done():
            return
    pytest.fail("it did not happen in two seconds")


def test_a_board_file_is_named_from_where_make_is_called(tmp_path: Path) -> None:
    file, made = tmp_path / "mine.json", tmp_path / "wiring.h"
    file.write_text(new_board("triune"), encoding="utf-8")
    named = f"BOARD={os.path.relpath(file, FIRMWARE)}"
    make = ["make", "-s", "-C", str(FIRMWARE), named, "SENSOR=reed", "MCU=uno", f"DIR={tmp_path}", str(made)]
    subprocess.run(make, check=True)
    assert "#define SITES 64" in made.read_text(encoding="utf-8")


@pytest.mark.parametrize(("settings", "speed"), [((), "115200"), (("FLASH_BAUD=57600",), "57600")])
def test_the_boot_loader_s_speed_can_be_set(settings: tuple[str, ...], speed: str) -> None:
    variant = ("BOARD=triune", "SENSOR=reed", "MCU=uno", "PORT=/dev/ttyUSB0")
    make = ["make", "-n", "-C", str(FIRMWARE), *variant, *settings, "flash"]
    told = subprocess.run(make, check=True, capture_output=True, text=True).stdout
    (command,) = [line for line in told.splitlines() if line.startswith("avrdude")]
    assert f"-P /dev/ttyUSB0 -b {speed} -D" in command


STACK = 350
"""Bytes: main's deepest calls need about 200 and an interrupt 20 (328P: 2048 in all)."""


@pytest.mark.parametrize("board", ["triune", "chess"])
@pytest.mark.parametrize("sensor", Sensor)
def test_the_small_chip_has_memory_to_spare(board: str, sensor: Sensor) -> None:
    elf = build(wire(load_board(board), sensor, CONTROLLERS["uno"]), lamps=True)
    done = subprocess.run(["avr-size", str(elf)], capture_output=True, text=True, check=True)
    text, data, bss = map(int, done.stdout.splitlines()[1].split()[:3])
    assert data + bss + STACK <= 2048
    assert text + data <= 32 * 1024 - 2048
