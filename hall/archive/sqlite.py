"""The archive's database as a file of SQLite, for a hall without a database server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from companion.core.private_files import make_private
from hall.archive.database import DatabaseAwayError, DatabaseError, Row, ValueRefusedError

WAIT_S = 20.0
"""Seconds that a write waits for another program's."""
REFUSED = (sqlite3.IntegrityError, sqlite3.DataError, OverflowError, UnicodeError)


class SqliteDatabase:
    """A file of SQLite, made where it is missing; `:memory:` is none. See `database.Database`."""

    dialect = "sqlite"

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)
        self._db: sqlite3.Connection | None = None

    def __str__(self) -> str:
        return self._path

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._explain_errors():
            db = self._connect()
            db.execute("BEGIN IMMEDIATE")
        try:
            yield
            with self._explain_errors():
                db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        with self._explain_errors():
            return self._connect().execute(query, values).fetchall()

    def insert(self, statement: str, rows: Sequence[Row]) -> int:
        with self._explain_errors():
            return max(0, self._connect().executemany(statement, rows).rowcount)

    def run(self, script: str) -> None:
        with self._explain_errors():
            for statement in statements(script):  # executescript would end the transaction
                self._connect().execute(statement)

    def lock_schema(self) -> None:
        """Does nothing: a transaction that writes is alone from its beginning."""

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _connect(self) -> sqlite3.Connection:
        if self._db is None:
            if self._path != ":memory:":
                make_private(self._path)
            db = sqlite3.connect(self._path, timeout=WAIT_S, isolation_level=None, check_same_thread=False)
            try:
                db.execute("PRAGMA journal_mode = WAL").fetchall()
                db.execute("PRAGMA synchronous = FULL")
                db.execute("PRAGMA recursive_triggers = ON")  # else REPLACE deletes past them
            except sqlite3.Error:
                db.close()
                raise
            self._db = db
        return self._db

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except REFUSED as error:
            raise ValueRefusedError(str(error)) from error
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            if code in (sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH):
                raise ValueRefusedError(str(error)) from error
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise DatabaseError(f"'{self._path}' is no database, or damaged: {error}") from error
            raise DatabaseAwayError(f"'{self._path}' cannot be used: {error}") from error
        except OSError as error:
            raise DatabaseAwayError(f"'{self._path}' cannot be used: {error.strerror}") from error


def statements(script: str) -> Iterator[str]:
    """Yields the statements of a script. Triggers have semicolons inside."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
