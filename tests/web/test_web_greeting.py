"""The words with which `companion run` begins, and the PIN that it makes up."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from web import Settings
from web.cli import _greet
from web.server.settings import read_pin

OPEN = Settings(host="0.0.0.0", pin="471100")


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_journal_holds_no_pin(
    is_terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    _greet(OPEN, 8000, "the one in '/data/pin'")
    told = capsys.readouterr().out
    assert ("471100" in told, "the one in '/data/pin'" in told) == (is_terminal, not is_terminal)
    assert "short" not in told


def test_a_short_pin_is_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    _greet(Settings(host="0.0.0.0", pin="4711"), 8000, "the one in --pin")
    told = capsys.readouterr().out
    assert "This PIN is short" in told
    assert "4711" not in told


def test_a_pin_of_a_few_digits_is_refused(tmp_path: Path) -> None:
    command = [
        str(Path(sys.executable).with_name("companion")),
        "run",
        "--pin",
        "123",
        "--data",
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "companion: a PIN has at least 4 digits: choose a longer one with --pin or COMPANION_PIN"
    ]


def test_a_pin_that_was_made_up_stays(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        pin = read_pin(tmp_path)
    finally:
        os.umask(before)
    assert len(pin) == 6
    assert pin.isdecimal()
    assert read_pin(tmp_path) == pin
    assert (tmp_path / "pin").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damaged", [b"", b"47", b"\xff\xfe12345", b"\x00" * 6])
def test_a_pin_that_a_power_cut_left_is_made_anew(tmp_path: Path, damaged: bytes) -> None:
    (tmp_path / "pin").write_bytes(damaged)
    assert len(read_pin(tmp_path)) == 6


def test_a_server_keeps_all_it_writes_to_itself_and_tells_no_pin(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    command = [str(Path(sys.executable).with_name("companion")), "run", "--game", "triune", "--port", "0"]
    command += ["--host", "0.0.0.0", "--source", "virtual", "--data", str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, umask=0o022
    ) as process:
        assert process.stdout
        told = [process.stdout.readline() for _ in range(3)]
        process.terminate()
        told.append(process.stdout.read())
    found = {
        str(path.relative_to(tmp_path)): stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")
    }
    assert {"data", "data/games.sqlite", "data/session.key", "data/pin", "data/profiles"} <= found.keys()
    assert {name: oct(mode) for name, mode in found.items() if mode & 0o077} == {}
    assert (folder / "pin").read_text().strip() not in "".join(told)
    assert str(folder / "pin") in told[2]


def test_a_service_that_is_stopped_saves_and_closes_all(tmp_path: Path) -> None:
    """Systemd stops it by SIGTERM."""
    command = [str(Path(sys.executable).with_name("companion")), "run", "--game", "triune", "--port", "0"]
    command += ["--source", "none", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout
        assert process.stdout.readline().startswith("Board Companion: open")
        assert (tmp_path / "running.json").exists()
        second = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
        address = json.loads((tmp_path / "running.json").read_text())["url"]
        (words,) = second.stderr.splitlines()
        assert (second.returncode, f"in use by the companion at {address}" in words) == (2, True)
        process.terminate()
        assert process.stdout.read() == ""
    assert process.returncode == 0
    assert (tmp_path / "access.json").exists()
    assert not [path.name for path in tmp_path.iterdir() if path.name in ("running.json", "games.sqlite-wal")]
