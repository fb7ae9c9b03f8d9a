"""Reads and writes whole files: after a power cut a file is the old one or the new one, and never a part."""

from __future__ import annotations

import codecs
import errno
import os
import tempfile
from pathlib import Path

READABLE = 0o644
"""The mode of a file that everybody on the machine may read."""

MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    codecs.BOM_UTF8: "utf-8-sig",
}
"""The encoding that each byte order mark tells; that of UTF-32 begins as one of UTF-16 does."""
LARGEST = 64 * 1024 * 1024
"""The most bytes that are read of a file: others have no end, as /dev/zero, or no memory holds them."""


def read_whole(path: str | Path, most: int = LARGEST) -> bytes:
    """Returns what a file holds. OSError where it cannot be read, or holds more than so many bytes."""
    with Path(path).open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {most // 1024**2} MB")
    return content


def read_text(path: str | Path) -> str:
    """Returns the text in a file. OSError where it cannot be read, UnicodeDecodeError where it is none."""
    content = read_whole(path)
    return content.decode(encoding_of(content))


def encoding_of(content: bytes) -> str:
    """Returns the encoding that a byte order mark tells, as editors of Windows write it; else UTF-8.

    UTF-16 without a mark is known by its first letters: of most the second byte is 0, and of none the first.
    """
    for mark, encoding in MARKS.items():
        if content.startswith(mark):
            return encoding
    first = content[:64]
    halves = first[::2], first[1::2]
    for (own, other), encoding in ((halves, "utf-16-le"), (halves[::-1], "utf-16-be")):
        if not len(content) % 2 and 0 not in own and 2 * other.count(0) > len(other):
            return encoding
    return "utf-8"


def decoded(content: bytes) -> tuple[str, list[tuple[int, str]]]:
    """Returns the text of a file in UTF-8 or UTF-16, and those of its lines that are in another encoding,
    each with its name: files are joined of lines from many hands."""
    try:
        return content.decode(encoding_of(content)), []
    except UnicodeDecodeError:
        lines = [_decoded_line(line) for line in content.splitlines(keepends=True)]
    strays = [(number, name) for number, (_, name) in enumerate(lines, 1) if name]
    return "".join(line for line, _ in lines), strays


def _decoded_line(line: bytes) -> tuple[str, str]:
    for encoding, name in (("utf-8", ""), ("cp1252", "Windows-1252")):
        try:
            return line.decode(encoding), name
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1"), "Latin-1"


def write_whole(path: Path, content: bytes, mode: int = READABLE) -> None:
    """Writes a file through to the disk: whole, or not at all. OSError where that cannot be.

    It gets its name only once it is whole, and this mode before that. A link, a device or a pipe stays one.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    descriptor, draft = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # its owner's alone
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise
    _sync(path.parent)


def check_writable(path: Path) -> None:
    """Raises the OSError with which `write_whole` would fail, before there is anything to write."""
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.is_file() or not path.exists():
        with tempfile.TemporaryFile(dir=path.parent):
            pass


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
