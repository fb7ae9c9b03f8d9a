"""Names for files that are damaged: they are set aside and kept, and nothing is overwritten by them."""

from __future__ import annotations

from itertools import count
from pathlib import Path


def free_name(path: Path) -> Path:
    """Returns the name for a damaged file: `session.key.damaged`, or with a number where that is taken."""
    names = (path.with_name(f"{path.name}.damaged{n if n > 1 else ''}") for n in count(1))
    return next(name for name in names if not name.exists())


def set_file_aside(path: Path) -> Path:
    """Renames a damaged file, and returns its new name. OSError where that cannot be."""
    return path.rename(free_name(path))
