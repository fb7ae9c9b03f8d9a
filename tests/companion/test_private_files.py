"""What is kept is its owner's alone from the first byte, whatever the umask is."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config import data_folder
from companion.core.private_files import open_private, write_private
from companion.store.store import Store


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """The umask of most systems, by which everybody may read a new file."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_games_and_their_journal(tmp_path: Path) -> None:
    folder = data_folder(tmp_path / "data")
    with Store(folder / "games.sqlite") as store:
        store.begin("triune", {}, 1.0)
        modes = {file.name: mode(file) for file in folder.iterdir()}
    assert modes == dict.fromkeys(("games.sqlite", "games.sqlite-wal", "games.sqlite-shm"), 0o600)
    assert mode(folder) == 0o700


def test_a_file_is_private_before_anything_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    fsync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (seen.append(os.fstat(file)), fsync(file)))
    write_private(tmp_path / "kept" / "key", b"secret")
    assert [stat.S_IMODE(found.st_mode) for found in seen] == [0o600, 0o700]  # the file, then its folder
    assert (tmp_path / "kept" / "key").read_bytes() == b"secret"


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError("no space left")

    write_private(tmp_path / "key", b"old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space"):
        write_private(tmp_path / "key", b"new")
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("key", b"old")]


def test_a_file_that_is_opened_to_be_written(tmp_path: Path) -> None:
    with open(tmp_path / "profile.json", "w", opener=open_private) as file:
        assert mode(tmp_path / "profile.json") == 0o600
        file.write("{}")
