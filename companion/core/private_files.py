"""Makes files that their owner alone may read, from the first byte: whatever the process's umask is."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from companion.core.whole_files import write_whole

PRIVATE = 0o600


def open_private(path: str, flags: int) -> int:
    """Opens a file for the built-in `open`, which takes this as its `opener`. A new file is its owner's."""
    return os.open(path, flags, PRIVATE)


def make_private(path: str | Path) -> None:
    """Makes an empty file where there is none. Where that cannot be, the next to write to it will say so."""
    with suppress(OSError), open(path, "xb", opener=open_private):
        pass


def write_private(path: Path, content: bytes) -> None:
    """Writes a file as `write_whole` does, for its owner alone. OSError where that cannot be."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(path, content, PRIVATE)
