"""The words with which `companion run` begins, and the PIN that it makes up."""

import os
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
