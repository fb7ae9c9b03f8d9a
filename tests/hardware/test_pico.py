"""The image for the Raspberry Pi Pico, built with its SDK, in an emulator of the chip with a host on USB."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted import EMULATOR, ScriptedBoard, ScriptedPort, build, circuit_of, missing_for_pico

from companion.core.board import load_board
from firmware_bridge.line.conformance import check_device
from firmware_bridge.line.messages import (
    Change,
    Done,
    Fault,
    Greet,
    Hello,
    Levels,
    Light,
    Ping,
    Pong,
    Read,
    Sensor,
    Snapshot,
    State,
    Trouble,
)
from firmware_bridge.line.wiring import PICO, board_check, wire
from hardware.uf2 import BLOCK, END, FAMILY, FLASH, HAS_FAMILY, PAGE, START, to_uf2

POWER, STALL = 1, 8


@pytest.fixture(scope="session")
def emulator() -> Path:
    """The emulator's program. It is fetched once through npm, as the lock names it."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("the emulator of the Pico needs node and npm: apt install nodejs npm")
    modules, lock = EMULATOR / "node_modules", EMULATOR / "package-lock.json"
    stamp = modules / ".installed"
    if not stamp.is_file() or stamp.read_bytes() != lock.read_bytes():
        command = ["npm", "ci", "--silent", "--no-audit", "--no-fund"]
        if subprocess.run(command, cwd=EMULATOR, check=False).returncode:
            pytest.skip("npm could not fetch the emulator of the Pico: is there a network?")
        stamp.write_bytes(lock.read_bytes())
    return EMULATOR / "emulator.js"


@pytest.fixture
def board(request: pytest.FixtureRequest, emulator: Path, tmp_path: Path) -> Iterator[ScriptedBoard]:
    if missing := missing_for_pico():
        pytest.skip(missing)
    name, sensor, *extras = request.param
    wiring = wire(load_board(name), sensor, PICO)
    image = build(wiring, "firmware", lamps="lamps" in extras) / "firmware.uf2"
    circuit = tmp_path / "circuit.json"
    circuit.write_text(circuit_of(wiring), encoding="ascii")
    with ScriptedBoard(wiring, ["node", str(emulator), str(image), str(circuit)]) as found:
        yield found


def settle(board: ScriptedBoard) -> Hello:
    """Greets, as soon as the host has found the device."""
    board.hear(100)
    board.say(Greet())
    hello, *_ = board.hear_of(Hello, 100)
    assert isinstance(hello, Hello)
    return hello


CHESS = ("chess", Sensor.REED, "lamps")
HALL = ("chess", Sensor.ANALOGUE)
SHIFT = ("triune", Sensor.DIGITAL)


@pytest.mark.parametrize("board", [CHESS, HALL, SHIFT], indirect=True, ids=lambda v: v[1].name.lower())
def test_a_piece_is_put_down_and_taken_off(board: ScriptedBoard) -> None:
    hello = settle(board)
    assert (hello.board, hello.sites, hello.reset) == (board_check(board.sites), 64, POWER)
    assert hello.name == board.wiring.name
    for site in ("e4", "a1", "h8"):
        board.set(site, True)
        (change,) = board.hear_of(Change, 60)
        assert isinstance(change, Change)
        assert (board.sites[change.site], change.state) == (site, State.NORTH)
    board.set("e4", False)
    (change,) = board.hear_of(Change, 60)
    assert isinstance(change, Change)
    assert (board.sites[change.site], change.state) == ("e4", State.OPEN)
    board.say(Ping(77))
    assert [event.token for event in board.hear_of(Pong, 20) if isinstance(event, Pong)] == [77]


@pytest.mark.parametrize("board", [SHIFT], indirect=True)
def test_the_image_conforms_to_the_protocol(board: ScriptedBoard) -> None:
    findings = check_device(ScriptedPort(board), [load_board("triune")], lambda: board.time / 1e6)
    assert len(findings) == 8
    assert [finding for finding in findings if finding.faults] == []


@pytest.mark.parametrize("board", [HALL], indirect=True)
def test_multiplexers_share_an_input(board: ScriptedBoard) -> None:
    settle(board)
    board.set("h8", True, swing=-800)
    board.hear(60)
    board.say(Read(1, 0))
    parts = [event for event in board.hear_of(Levels, 100) if isinstance(event, Levels)]
    assert [level for part in parts for level in part.levels] == [*[512] * 63, 312]


@pytest.mark.parametrize("board", [CHESS], indirect=True)
def test_lamps_show_what_was_sent(board: ScriptedBoard) -> None:
    assert settle(board).lamps == 64
    board.say(Light(0, 0, bytes((1, 2, 3)) * 20))
    assert board.hear_of(Done, 20) == [Done(1)]
    board.say(Light(63, 1, bytes((9, 255, 0))))
    assert board.hear_of(Done, 20) == [Done(2)]
    assert board.lamps() == bytes((2, 1, 3)) * 20 + bytes(3 * 43) + bytes((48, 9, 0))


@pytest.mark.parametrize("board", [CHESS], indirect=True)
def test_a_bad_diode_is_named(board: ScriptedBoard) -> None:
    settle(board)
    board.set("c3", True)
    board.bridge_diode("c3")
    board.hear(900)
    named = [event for event in board.hear_of(Fault, 1000) if isinstance(event, Fault)]
    assert {(fault.trouble, board.sites[fault.site]) for fault in named} == {(Trouble.DIODE, "c3")}


@pytest.mark.parametrize("board", [SHIFT], indirect=True)
def test_a_firmware_that_stands_still_is_started_anew(board: ScriptedBoard) -> None:
    settle(board)
    board.tell("hang")
    board.frames()
    board.hear(400)
    hello = settle(board)
    assert (hello.reset, hello.board) == (STALL, board_check(board.sites))
    assert Snapshot in map(type, board.hear(300))


@pytest.mark.parametrize("board", [SHIFT], indirect=True)
def test_1200_baud_ask_for_the_boot_loader(board: ScriptedBoard) -> None:
    settle(board)
    board.tell("baud 115200")
    board.hear(20)
    board.tell("baud 1200")
    board.tell("advance 20")
    assert "boot loader" in iter(board.answer, "at never")


def test_a_uf2_file_holds_its_image() -> None:
    image = bytes(range(256)) * 3 + b"\1\2"
    data = to_uf2(image)
    assert data[:8] == b"UF2\nWQ]\x9e"
    for n, (*head, page, end) in enumerate(BLOCK.iter_unpack(data)):
        assert head == [*START, HAS_FAMILY, FLASH + n * PAGE, PAGE, n, 4, FAMILY]
        assert (page[:PAGE], end) == (image[n * PAGE : (n + 1) * PAGE].ljust(PAGE, b"\0"), END)
