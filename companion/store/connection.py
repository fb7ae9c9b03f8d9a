"""Opens the store's file, to be written, or only to be read where the disk cannot be written any more; and
writes to it all or nothing, what is written within one `with` block.

A connection sees one moment of the file from the first row of a query to its last. Where another program or
connection writes meanwhile, SQLite lets it write no more ("database is locked"): so a query is read to its
end before any other thread goes on.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion.core.comments import folded
from companion.core.private_files import make_private
from companion.store.rows import decode

CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""SQLite's codes for a damaged file; the last where a table or column is not there."""


def is_damage(error: Exception) -> bool:
    """Returns whether an error says that the file is damaged, and not that the disk fails, or that another
    program holds it."""
    code = getattr(error, "sqlite_errorcode", None)
    is_word_damaged = isinstance(error, UnicodeDecodeError)  # words of SQLite's own
    return is_word_damaged or (code is not None and code & 0xFF in CODES)


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


def connect_to_salvage(path: str) -> sqlite3.Connection:
    """Opens a damaged file that is only read. Entries of its schema that SQLite cannot parse are skipped, so
    that the other tables can be asked."""
    db = _open_to_read(path, "mode=ro")
    with suppress(sqlite3.Error):  # it is no database: nothing can be asked
        db.execute("PRAGMA writable_schema = ON")  # else one bad word of the schema shuts the whole file
    return db


def _connect_to_read(path: str, way: str) -> sqlite3.Connection:
    db = _open_to_read(path, way)
    try:
        db.execute("SELECT COUNT(*) FROM games").fetchone()
    except sqlite3.Error:
        db.close()
        raise
    return db


def _open_to_read(path: str, way: str) -> sqlite3.Connection:
    uri = f"{Path(path).absolute().as_uri()}?{way}"
    return _set_up(sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False))


def _set_up(db: sqlite3.Connection) -> sqlite3.Connection:
    db.text_factory = decode
    db.create_function("folded", 1, _folded, deterministic=True)
    return db


def _folded(words: object) -> str:
    return folded(words) if isinstance(words, str) else ""  # anything may stand in a damaged file


class Transaction:
    """The transactions of a connection: one thread's at a time, and one inside another is a part of it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self._lock = threading.RLock()
        self._depth = 0

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Any]:
        """Returns all rows of a query, while no other thread uses the connection."""
        with self._lock:
            return self.db.execute(query, values).fetchall()

    def row(self, query: str, values: Sequence[object] = ()) -> Any:
        """Returns the first row of a query, or None."""
        return next(iter(self.rows(query, values)), None)

    def __enter__(self) -> None:
        self._lock.acquire()
        self._depth += 1
        if self._depth == 1:
            try:
                self.db.execute("BEGIN IMMEDIATE")
            except sqlite3.Error:
                self._leave()
                raise

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        try:
            if self._depth == 1:
                self._end("ROLLBACK" if kind else "COMMIT")
        finally:
            self._leave()

    def _end(self, how: str) -> None:
        try:
            self.db.execute(how)
        except sqlite3.Error:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            raise

    def _leave(self) -> None:
        self._depth -= 1
        self._lock.release()
