"""A file is replaced as a whole, and everybody may read it."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from companion.cli import main
from companion.config import ConfigError, read_settings
from companion.core.whole_files import check_writable, read_whole, write_whole


def test_a_file_is_replaced_and_can_be_read_by_all(tmp_path: Path) -> None:
    path = tmp_path / "grid.json"
    path.write_text("old")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_what_is_no_file_is_written_and_stays_what_it_is(tmp_path: Path) -> None:
    """A name such as /dev/stdout or /dev/null would else be taken from its device."""
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_whole(tmp_path / "pipe", b"new")
    assert os.read(reader, 9) == b"new"
    assert (tmp_path / "pipe").is_fifo()
    os.close(reader)
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, b"new")


@pytest.mark.parametrize("name", ["", "none/file", "file/file", "file", "new", "pipe"])
def test_what_cannot_be_written_is_known_before_there_is_anything_to_write(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_bytes(b"old")
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    before, errors = sorted(tmp_path.iterdir()), []
    for write in (check_writable, lambda path: write_whole(path, b"")):
        try:
            write(tmp_path / name)
        except OSError as error:
            errors.append(error.errno)
        if write is check_writable:
            assert sorted(tmp_path.iterdir()) == before
    os.close(reader)
    assert errors in ([], 2 * errors[:1])
    assert (tmp_path / "file").read_bytes() == (b"" if name == "file" else b"old")


@pytest.mark.parametrize("words", [("board", "new", "mine.json", "--like", "triune"), ("print", "markers")])
def test_a_command_leaves_no_half_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        main([*words])
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError("no space left")

    path = tmp_path / "grid.json"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space"):
        write_whole(path, b"new")
    assert [(file, file.read_text()) for file in tmp_path.iterdir()] == [(path, "old")]


@pytest.mark.parametrize(
    "words",
    [
        ("records", "import"), ("replay",), ("board", "check"), ("hall", "rounds", "--round", "1", "--try"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_file_without_end_is_refused_in_a_line(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ("--data", str(tmp_path)) if words[0] == "records" else ()
    with pytest.raises(SystemExit) as ended:
        main([*words, "/dev/zero", *data])
    assert ended.value.code == 2
    assert "it has more than" in capsys.readouterr().err


def test_a_file_is_read_whole_up_to_a_size(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"1234")
    assert read_whole(tmp_path / "x", 4) == b"1234"
    with pytest.raises(OSError, match="more than"):
        read_whole(tmp_path / "x", 3)


@pytest.mark.parametrize("text", ["[" * 4000, "a = " + "[" * 4000, "x = \ud800"])
def test_settings_that_cannot_be_read_are_refused_in_a_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.toml").write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(ConfigError, match="cannot read"):
        read_settings(tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_settings_are_read_as_editors_save_them(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "config.toml").write_bytes('[hall]\nboard = "Jörg"\n'.encode(encoding))
    assert read_settings(tmp_path) == {"hall": {"board": "Jörg"}}
