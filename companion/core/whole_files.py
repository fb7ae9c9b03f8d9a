"""Writes files as a whole: after a power cut a file is the old one or the new one, and never a part."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

READABLE = 0o644
"""The mode of a file that everybody on the machine may read."""


def write_whole(path: Path, content: bytes, mode: int = READABLE) -> None:
    """Writes a file through to the disk: whole, or not at all. OSError where that cannot be.

    It gets its name only once it is whole, and this mode before that.
    """
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


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
