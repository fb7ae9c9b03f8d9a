"""What the installer finds plugged in: cameras of both kinds and grids, as their own modules tell them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.core.board import Board, load_board
from companion.sensing.observation import Observation, Sighting
from firmware_bridge.line.conformance import Conversation
from firmware_bridge.line.link import Port
from firmware_bridge.line.messages import Hello, Sensor
from firmware_bridge.line.wiring import MEGA, wire
from firmware_bridge.sensing.virtual import VirtualDevice, VirtualPort
from hardware import plugged_in
from hardware.plugged_in import PluggedSource, Plugs, find_boards, find_eboards, find_sources

RIBBON = {"Model": "imx708", "Location": 2, "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}
WEBCAM = {"Model": "C920", "Location": 2, "Id": "/base/soc/usb@7e980000/usb1@1-1.2:1.0-046d:082d", "Num": 1}


def port(device: str, vid: int | None, pid: int | None) -> SimpleNamespace:
    return SimpleNamespace(device=device, vid=vid, pid=pid)


UNO = port("/dev/ttyACM0", 0x2341, 0x0043)
NANO = port("/dev/ttyUSB0", 0x1A86, 0x7523)
CERTABO = port("/dev/ttyUSB1", 0x10C4, 0xEA60)
MILLENNIUM = port("/dev/ttyUSB4", 0x0403, 0x6015)
PICO = port("/dev/ttyACM3", 0x2E8A, 0x000A)
OWN_UART = port("/dev/ttyAMA0", None, None)


def only_a_millennium(source: str, board: Board) -> Sighting | None:
    seen = Observation(0.0, {}) if source == f"millennium:{MILLENNIUM.device}" else None
    return Sighting(0.0, source, seen, trouble="" if seen else "does not answer")


@pytest.mark.parametrize(
    ("devices", "sources"),
    [
        ([], []),
        (["/dev/hidraw3"], ["chessnut"]),
        (["/dev/hidraw3", "/dev/hidraw5"], ["chessnut:/dev/hidraw3", "chessnut:/dev/hidraw5"]),
    ],
)
def test_one_chessnut_board_is_looked_for_each_time(devices: list[str], sources: list[str]) -> None:
    found = find_eboards([], Plugs(chessnuts=lambda: devices, hear=only_a_millennium))
    assert [one.source for one in found] == sources


@pytest.mark.parametrize(
    ("ribbon", "numbers", "ports", "sources"),
    [
        ([], [], [], []),
        ([], [], [OWN_UART], []),
        ([RIBBON], [], [], ["picamera"]),
        ([WEBCAM], [], [], []),
        ([WEBCAM], [0], [], ["camera:{by_id}/usb-046d_C920-video-index0"]),
        ([WEBCAM, RIBBON], [0], [], ["picamera"]),
        ([], [2], [], ["camera:2"]),
        ([], [0, 2], [], ["camera:{by_id}/usb-046d_C920-video-index0"]),
        ([], [], [UNO], ["serial:"]),
        ([RIBBON], [], [UNO, OWN_UART], ["picamera", "serial:"]),
        ([], [2], [NANO], ["camera:2", "serial:"]),
        ([], [], [CERTABO], []),
        ([], [], [CERTABO, NANO], ["serial:/dev/ttyUSB0"]),
        ([], [], [CERTABO, PICO], ["serial:/dev/ttyACM3"]),
        ([], [], [CERTABO, UNO], ["serial:/dev/ttyACM0"]),
        ([], [], [UNO, port("/dev/ttyACM1", 0x2341, 0x0043)], []),
        ([], [], [MILLENNIUM], ["millennium:/dev/ttyUSB4"]),
        ([], [2], [CERTABO, MILLENNIUM, UNO], ["camera:2", "serial:/dev/ttyACM0", "millennium:/dev/ttyUSB4"]),
    ],
)
def test_what_is_plugged_in_is_taken(
    tmp_path: Path, ribbon: list[object], numbers: list[int], ports: list[object], sources: list[str]
) -> None:
    (tmp_path / "dev").mkdir()
    for node in ("video0", "video1"):
        (tmp_path / "dev" / node).touch()
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    for number in (0, 1):
        (by_id / f"usb-046d_C920-video-index{number}").symlink_to(f"../dev/video{number}")
    plugs = Plugs(
        ribbon=lambda: ribbon,  # type: ignore[arg-type, return-value]
        numbers=lambda: numbers,
        ports=lambda: ports,
        by_id=by_id,
        chessnuts=list,
        hear=only_a_millennium,
        greet=greeted,
    )
    found = find_sources(plugs)
    assert [one.source for one in found] == [source.format(by_id=by_id) for source in sources]


def test_what_hangs_on_an_adapter_is_asked_whether_it_is_a_grid(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A grid says Hello. An electronic chess board says other things, or a port cannot be opened at all."""
    now = [0.0]

    def wait(seconds: float) -> None:
        now[0] += seconds

    class Chess:
        def read(self, size: int = 1) -> bytes:
            wait(0.1)
            return b":1 0 2 0 0\r\n"

        def write(self, data: bytes, /) -> int:
            return len(data)

        def close(self) -> None:
            pass

    def open_port(device: str) -> Callable[[], Port]:
        def opens() -> Port:
            if device == NANO.device:
                wiring = wire(load_board("rooks"), Sensor.REED, MEGA)
                return VirtualPort(VirtualDevice(wiring, random.Random(1)), lambda: now[0], wait)
            if device == CERTABO.device:
                return Chess()
            raise PermissionError(13, "no")

        return opens

    monkeypatch.setattr(plugged_in, "serial_opener", open_port)
    monkeypatch.setattr(plugged_in.time, "monotonic", lambda: now[0])
    closed = port("/dev/ttyUSB7", 0x0403, 0x6001)
    for ports, sources in ([NANO], ["serial:"]), ([CERTABO], []), ([closed], []):
        found = find_sources(Plugs(list, list, tmp_path, lambda ports=ports: ports, list))
        assert [one.source for one in found] == sources


def greeted(name: str) -> Hello | None:
    """What a grid for Rooks at the Nano's port says of itself, and at no other."""
    if name != NANO.device:
        return None
    now = [0.0]

    def wait(seconds: float) -> None:
        now[0] += seconds

    device = VirtualDevice(wire(load_board("rooks"), Sensor.REED, MEGA), random.Random(1))
    return Conversation(VirtualPort(device, lambda: now[0], wait), [], lambda: now[0]).greet()


@pytest.mark.parametrize(
    ("board", "used", "ports", "sources"),
    [
        ("", [], [], [("chessnut", "")]),
        ("chess", [], [MILLENNIUM], [("chessnut", ""), ("millennium:/dev/ttyUSB4", "")]),
        ("triune", [], [], [("chessnut", "")]),
        ("rooks", [], [NANO], [("chessnut", "8×8 squares"), ("serial:/dev/ttyUSB0", "")]),
        ("chess", [], [NANO], [("chessnut", ""), ("serial:/dev/ttyUSB0", "built for another board")]),
        ("chess", ["chessnut", "serial:"], [NANO], []),
        ("chess", ["chessnut:/dev/hidraw3"], [OWN_UART], []),
        ("chess", ["chessnut", "millennium:/dev/ttyUSB4"], [MILLENNIUM, UNO], [("", "answers there")]),
    ],
)
def test_what_is_plugged_in_is_offered_for_a_game(
    board: str, used: list[str], ports: list[object], sources: list[tuple[str, str]]
) -> None:
    plugs = Plugs(
        ports=lambda: ports, chessnuts=lambda: ["/dev/hidraw3"], hear=only_a_millennium, greet=greeted
    )
    found = find_boards(load_board(board) if board else None, used, plugs)
    assert [one.source for one in found] == [source for source, _ in sources]
    for one, (_, trouble) in zip(found, sources, strict=True):
        assert trouble in one.trouble
        assert bool(trouble) == bool(one.trouble)


def test_what_may_not_be_read_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugged_in, "may_use", lambda device: False)
    hid, grid = find_boards(None, plugs=Plugs(ports=lambda: [UNO], chessnuts=lambda: ["/dev/hidraw3"]))
    assert "the rule for udev" in hid.trouble
    assert (grid.source, "adduser" in grid.trouble) == ("", True)


def test_a_library_that_fails_is_no_camera(tmp_path: Path) -> None:
    def broken() -> list[dict[str, object]]:
        raise RuntimeError("no media devices")

    assert find_sources(Plugs(broken, lambda: [3], tmp_path, list, list)) == [
        PluggedSource("camera:3", "a USB camera (video3)")
    ]


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ([], "--source virtual"),
        (
            [PluggedSource("picamera", "x"), PluggedSource("serial:", "y")],
            "--source picamera --source serial:",
        ),
    ],
)
def test_the_installer_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], found: list[PluggedSource], line: str
) -> None:
    monkeypatch.setattr(plugged_in, "find_sources", lambda: found)
    assert plugged_in.main() == 0
    said = capsys.readouterr()
    assert said.out == f"{line}\n"
    assert len(said.err.splitlines()) == len(found)
