"""The conformance check: content with the virtual device, and it names what is wrong with others."""

from __future__ import annotations

import random
from functools import partial
from itertools import count

import pytest
from click.testing import CliRunner

from benchmarks.simulation.line_noise import LineNoise
from companion.core.board import load_board
from firmware_bridge import cli
from firmware_bridge.line.conformance import check_device
from firmware_bridge.line.messages import Done, Levels, Message, Pong, Sensor, Snapshot
from firmware_bridge.line.wiring import MEGA, wire
from firmware_bridge.sensing.grid_source import GridSource
from firmware_bridge.sensing.virtual import VirtualDevice, VirtualPort

TRIUNE = load_board("triune")


class Clock:
    """A clock that moves while somebody waits for bytes."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.0001
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


def device(sensor: Sensor = Sensor.REED) -> VirtualDevice:
    return VirtualDevice(wire(TRIUNE, sensor, MEGA), random.Random(1))


def faults(found: VirtualDevice, boards: tuple[str, ...] = ("triune",)) -> dict[str, tuple[str, ...]]:
    clock = Clock()
    port = VirtualPort(found, clock, clock.wait)
    checked = check_device(port, map(load_board, boards), clock)
    return {finding.check: finding.faults for finding in checked if finding.faults}


@pytest.mark.parametrize("sensor", Sensor)
def test_a_device_that_keeps_the_protocol_passes(sensor: Sensor) -> None:
    assert faults(device(sensor)) == {}


def spoil(monkeypatch: pytest.MonkeyPatch, found: VirtualDevice, fault: str) -> None:
    """Puts a fault into what a device sends."""
    number, send = count(), found._peer.send

    def spoilt(message: Message) -> bytes:
        match fault, message:
            case "mute", Snapshot() if next(number) % 8:
                return b""
            case "deaf", Done(answered):
                return send(Done((answered + 1) % 256))
            case "greedy", Levels(time, left, first, levels):
                return send(message) + send(Levels(time, left, first, levels))
            case "forgetful", Pong():
                found._peer.sequence += 1
        return send(message)

    monkeypatch.setattr(found._peer, "send", spoilt)


@pytest.mark.parametrize(
    ("fault", "check", "words"),
    [
        ("mute", "signs of life", "without a Snapshot: one is due each 0.25 s"),
        ("deaf", "orders are answered", "a Tune, gets Done"),
        ("greedy", "levels by credit", "a Read of 2 scans gets 256 levels"),
        ("forgetful", "frames in order", "1 numbers of frames were left out"),
    ],
)
def test_a_firmware_with_a_fault_is_told_what_it_does_wrong(
    monkeypatch: pytest.MonkeyPatch, fault: str, check: str, words: str
) -> None:
    found = device()
    clock = Clock()
    port = VirtualPort(found, clock, clock.wait)
    spoil(monkeypatch, found, fault)
    checked = {f.check: f.faults for f in check_device(port, [TRIUNE], clock)}
    assert any(words in told for told in checked[check]), checked


def test_a_device_of_another_board_and_one_that_is_silent_are_told() -> None:
    assert "another board" in str(faults(device(), ("magnet",))["greeting"])
    silent = device()
    silent.line = LineNoise(drop=1.0)
    assert set(faults(silent)) == {"greeting"}


def test_a_port_that_cannot_be_opened_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses() -> VirtualPort:
        raise PermissionError(13, "could not open port /dev/ttyACM0")

    monkeypatch.setattr(cli, "grid_of", lambda text, boards: GridSource(refuses, boards))
    result = CliRunner().invoke(cli.grid, ["check", "serial:/dev/ttyACM0"])
    assert str(result.exception).startswith("no right to use the port:")


def test_the_command_lists_the_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    port = VirtualPort(device(), clock, clock.wait)
    monkeypatch.setattr(cli, "grid_of", lambda text, boards: GridSource(lambda: port, boards))
    monkeypatch.setattr(cli, "check_device", partial(check_device, clock=clock))
    result = CliRunner().invoke(cli.grid, ["check", "serial:virtual"])
    assert result.exit_code == 0, result.output
    assert [line.split("  ")[0] for line in result.stdout.splitlines()] == ["ok"] * 8
