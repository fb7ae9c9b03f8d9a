"""A file is replaced as a whole, and everybody may read it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from companion.core.whole_files import write_whole


def test_a_file_is_replaced_and_can_be_read_by_all(tmp_path: Path) -> None:
    path = tmp_path / "grid.json"
    path.write_text("old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError("no space left")

    path = tmp_path / "grid.json"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space"):
        write_whole(path, b"new")
    assert [(file, file.read_text()) for file in tmp_path.iterdir()] == [(path, "old")]
