"""The command line, with a data folder and a working folder of its own."""

from pathlib import Path

import pytest

from tests.companion.command import Command


@pytest.fixture
def companion(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return Command(capsys, monkeypatch)
