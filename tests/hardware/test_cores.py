"""The firmware's core as a program of this computer, under the address sanitizer.

It has the pins of a Pico, or the layer of the ESP32-S3 on stand-ins for Arduino's headers.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from hashlib import sha256

import pytest
from scripted import ScriptedBoard, ScriptedPort, build, examples

from benchmarks.simulation.chip import FIRMWARE, script
from companion.core.board import load_board
from firmware_bridge.line import messages
from firmware_bridge.line.conformance import check_device
from firmware_bridge.line.messages import (
    ANSWERED,
    TO_DEVICE,
    Change,
    Done,
    Fault,
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
from firmware_bridge.line.wiring import CONTROLLERS, board_check, wire

MISSING = [name for name in ("make", "cc", "c++") if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"{MISSING} missing: apt install make gcc g++")

VARIANTS = [
    (board, sensor, controller)
    for controller in ("pico", "esp32s3")
    for board, sensor in (
        ("chess", Sensor.REED),
        ("magnet", Sensor.ANALOGUE),
        ("ternion_spaces", Sensor.DIGITAL),
        ("trid", Sensor.ANALOGUE),
    )
]
REED = ("triune", Sensor.REED, "pico")


@pytest.fixture
def board(request: pytest.FixtureRequest) -> Iterator[ScriptedBoard]:
    name, sensor, controller, *extras = request.param
    wiring = wire(load_board(name), sensor, CONTROLLERS[controller])
    program = build(wiring, "scripted", lamps="lamps" in extras) / "scripted"
    with ScriptedBoard(wiring, [str(program)]) as found:
        yield found


def settle(board: ScriptedBoard) -> Hello:
    hello, snapshot = board.hear(100)
    assert isinstance(hello, Hello)
    assert isinstance(snapshot, Snapshot)
    return hello


VERSIONS = {(1, 1): "d3e131dee0e3bdd7"}
"""The digest of the core's sources in each version of the firmware; earlier ones had no number."""


def test_what_the_core_does_has_a_version_of_its_own() -> None:
    """Who changes it raises FIRMWARE in firmware_bridge/line/messages.py, and adds a line here."""
    files = sorted((FIRMWARE / "core").glob("*.[ch]"))
    digest = sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    assert VERSIONS[messages.FIRMWARE] == digest[:16], "raise FIRMWARE, and note its digest"


@pytest.mark.parametrize("board", [("chess", Sensor.REED, "pico")], indirect=True)
def test_the_firmware_says_its_version(board: ScriptedBoard) -> None:
    hello = settle(board)
    assert (hello.major, hello.minor) == messages.FIRMWARE


@pytest.mark.parametrize("board", VARIANTS, indirect=True, ids=lambda v: "-".join(map(str, v)))
def test_the_core_conforms_to_the_protocol(board: ScriptedBoard) -> None:
    findings = check_device(ScriptedPort(board), [load_board(board.wiring.board)], lambda: board.time / 1e6)
    assert len(findings) == 8
    assert [finding for finding in findings if finding.faults] == []


@pytest.mark.parametrize("board", VARIANTS, indirect=True, ids=lambda v: "-".join(map(str, v)))
def test_every_press_is_told_once_and_in_order(board: ScriptedBoard) -> None:
    hello = settle(board)
    assert (hello.board, hello.sites) == (board_check(board.sites), len(board.sites))
    assert hello.name == board.wiring.name
    steps = script(board.sites, 200, random.Random(5), wait=40, rest=150)
    told = []
    for step in steps:
        told += board.hear_of(Change, round(step.wait))
        board.set(step.site, step.present)
    told += board.hear_of(Change, 100)
    assert [(board.sites[c.site], c.state) for c in told if isinstance(c, Change)] == [
        (step.site, State.NORTH if step.present else State.OPEN) for step in steps
    ]


@pytest.mark.parametrize("board", [REED, ("triune", Sensor.ANALOGUE, "esp32s3")], indirect=True)
def test_the_protocol_s_examples_are_understood(board: ScriptedBoard) -> None:
    """Each message to the device in docs/protocol.md, byte for byte, gets the answer that its kind has."""
    settle(board)
    assert {type(message) for _, message, _ in examples()} == set(TO_DEVICE)
    for number, message, data in examples():
        board.write(data)
        told = board.hear(600)
        assert not [event for event in told if isinstance(event, Fault)]
        assert (Done(number) in told) is isinstance(message, ANSWERED)
    assert board.hear_of(Fault, 1100) == []


@pytest.mark.parametrize("board", [("triune", Sensor.ANALOGUE, "esp32s3")], indirect=True)
def test_poles_and_levels(board: ScriptedBoard) -> None:
    settle(board)
    board.set("a1", True, swing=-800)
    assert [c.state for c in board.hear_of(Change) if isinstance(c, Change)] == [State.SOUTH]
    board.say(Read(1, 0))
    (*_, last) = parts = board.hear_of(Levels, 200)
    levels = [level for part in parts if isinstance(part, Levels) for level in part.levels]
    assert isinstance(last, Levels)
    assert levels == [312, *[512] * 63]


@pytest.mark.parametrize("board", [REED], indirect=True)
def test_a_bridged_diode_is_named(board: ScriptedBoard) -> None:
    settle(board)
    board.set("c3", True)
    board.bridge_diode("c3")
    named = {event for event in board.hear_of(Fault, 3000) if isinstance(event, Fault)}
    assert {(f.trouble, board.sites[f.site]) for f in named} == {(Trouble.DIODE, "c3")}


@pytest.mark.parametrize("board", [(*REED, "lamps")], indirect=True)
def test_lamps_show_what_was_sent_and_no_brighter_than_the_supply_bears(board: ScriptedBoard) -> None:
    assert settle(board).lamps == 64
    board.say(Light(63, 1, bytes((1, 2, 255))))
    assert board.hear_of(Done) == [Done(0)]
    assert board.lamps() == bytes(3 * 63) + bytes((2, 1, 48))


@pytest.mark.parametrize("board", [REED], indirect=True)
def test_noise_hurts_nothing(board: ScriptedBoard) -> None:
    settle(board)
    rng = random.Random(7)
    for _ in range(300):
        board.write(rng.randbytes(rng.randrange(1, 90)))
        board.hear(10)
    board.write(b"\0")
    board.hear(1000)
    board.write(next(data for _, message, data in examples() if isinstance(message, Ping)))
    assert len(board.hear_of(Pong)) == 1


def test_lamps_are_refused_for_a_chip_that_has_no_code_for_them() -> None:
    command = ["make", "-s", "-C", str(FIRMWARE), "BOARD=triune", "SENSOR=reed", "MCU=esp32s3", "LAMPS=1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "lamps on the ESP32-S3 are not built yet" in done.stderr


def test_the_core_names_no_chip() -> None:
    """No header of a chip is in the core: chips/ has one layer for each."""
    own = {path.name for path in (FIRMWARE / "core").glob("*.h")}
    per_chip = {"chip.h", "pins.h", "wiring.h"}
    for path in (FIRMWARE / "core").glob("*.[ch]"):
        included = {
            line.split('"')[1] if '"' in line else line.split("<")[1].split(">")[0]
            for line in path.read_text(encoding="ascii").splitlines()
            if line.startswith("#include")
        }
        assert included <= own | per_chip | {"stdint.h", "string.h"}, path.name
        assert "__AVR" not in path.read_text(encoding="ascii"), path.name
