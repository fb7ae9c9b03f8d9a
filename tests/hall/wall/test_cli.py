"""`companion hall wall` tells in a line what keeps it from beginning."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.core.errors import CompanionError
from hall.cli import hall


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """Puts the process's umask back, which the command changes."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ([], "there is no hall on this machine"),
        (["--broker", "http://localhost"], "a broker is named mqtt://HOST"),
        (["--broker", "mqtt://localhost", "--pin", "1"], "at least 4 digits"),
        (
            ["--broker", "mqtt://localhost", "--broker-password", "nowhere.txt"],
            "cannot read 'nowhere.txt': No such",
        ),
        (["--broker", "mqtt://localhost", "--broker-ca", "nowhere.pem"], "are for mqtts://"),
    ],
)
def test_what_cannot_be(tmp_path: Path, more: list[str], words: str) -> None:
    command = ["wall", "--port", "0", "--data", str(tmp_path), *more]
    result = CliRunner().invoke(hall, command)
    assert isinstance(result.exception, CompanionError)
    assert words in str(result.exception)


def test_damaged_addresses_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    folder.mkdir()
    (folder / "boards.json").write_text("{")
    command = ["wall", "--port", "0", "--data", str(tmp_path), "--broker", "mqtt://127.0.0.1:9"]
    result = CliRunner().invoke(hall, command)
    assert isinstance(result.exception, CompanionError)
    assert "boards.json" in str(result.exception)
