"""Opens the store's file: to be written, or only to be read where the disk cannot be written any more."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from companion.core.private_files import make_private
from companion.store.rows import decode


def connect(path: str) -> sqlite3.Connection:
    """Opens a file, which is made for its owner alone where it is missing; ':memory:' is none.

    SQLite gives the files of its journal the mode of this one.
    """
    if path != ":memory:":
        make_private(path)
    return _set_up(sqlite3.connect(path, isolation_level=None, check_same_thread=False))


def connect_to_read(path: str) -> sqlite3.Connection:
    """Opens a file that is only read. Raises sqlite3.Error where it cannot be read.

    On a disk that cannot be written SQLite reads the journal that was left there. Where none was left it has
    to be told that nobody writes: else it wants to make one.
    """
    try:
        return _connect_to_read(path, "mode=ro")
    except sqlite3.OperationalError:
        journal = Path(f"{path}-wal")
        if journal.exists() and journal.stat().st_size > 0:
            raise
    return _connect_to_read(path, "immutable=1")


def _connect_to_read(path: str, way: str) -> sqlite3.Connection:
    uri = f"{Path(path).absolute().as_uri()}?{way}"
    db = _set_up(sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False))
    try:
        db.execute("SELECT COUNT(*) FROM games").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db


def _set_up(db: sqlite3.Connection) -> sqlite3.Connection:
    db.text_factory = decode
    return db
