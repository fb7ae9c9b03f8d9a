"""Makes files that their owner alone may read, from the first byte: whatever the process's umask is."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def open_private(path: str, flags: int) -> int:
    """Opens a file for the built-in `open`, which takes this as its `opener`. A new file is its owner's."""
    return os.open(path, flags, 0o600)


def make_private(path: str | Path) -> None:
    """Makes an empty file where there is none. Where that cannot be, the next to write to it will say so."""
    with suppress(OSError), open(path, "xb", opener=open_private):
        pass


def write_private(path: Path, content: bytes) -> None:
    """Writes a file through to the disk: whole, or not at all. OSError where that cannot be.

    It gets its name only once it is whole.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # its owner's alone
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    except OSError:
        Path(draft).unlink(missing_ok=True)
        raise
    _sync(path.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
