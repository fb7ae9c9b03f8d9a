"""What the installer finds plugged in: cameras of both kinds and grids, as their own modules tell them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from hardware import plugged_in
from hardware.plugged_in import Found, find_sources

RIBBON = {"Model": "imx708", "Location": 2, "Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Num": 0}
WEBCAM = {"Model": "C920", "Location": 2, "Id": "/base/soc/usb@7e980000/usb1@1-1.2:1.0-046d:082d", "Num": 1}


def port(device: str, vid: int | None, pid: int | None) -> SimpleNamespace:
    return SimpleNamespace(device=device, vid=vid, pid=pid)


UNO = port("/dev/ttyACM0", 0x2341, 0x0043)
NANO = port("/dev/ttyUSB0", 0x1A86, 0x7523)
OWN_UART = port("/dev/ttyAMA0", None, None)


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
        ([], [], [UNO, port("/dev/ttyACM1", 0x2341, 0x0043)], []),
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
    found = find_sources(
        ribbon=lambda: ribbon,  # type: ignore[arg-type, return-value]
        numbers=lambda: numbers,
        ports=lambda: ports,
        by_id=by_id,
    )
    assert [one.source for one in found] == [source.format(by_id=by_id) for source in sources]


def test_a_library_that_fails_is_no_camera(tmp_path: Path) -> None:
    def broken() -> list[dict[str, object]]:
        raise RuntimeError("no media devices")

    assert find_sources(ribbon=broken, numbers=lambda: [3], ports=list, by_id=tmp_path) == [
        Found("camera:3", "a USB camera (video3)")
    ]


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ([], "--source virtual"),
        ([Found("picamera", "x"), Found("serial:", "y")], "--source picamera --source serial:"),
    ],
)
def test_the_installer_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], found: list[Found], line: str
) -> None:
    monkeypatch.setattr(plugged_in, "find_sources", lambda: found)
    assert plugged_in.main() == 0
    said = capsys.readouterr()
    assert said.out == f"{line}\n"
    assert len(said.err.splitlines()) == len(found)
