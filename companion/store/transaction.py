"""Writes to the store's file all or nothing, what is written within one `with` block; and reads from it.

A connection sees one moment of the file from the first row of a query to its last. Where another program or
connection writes meanwhile, SQLite lets it write no more ("database is locked"): so a query is read to its
end before any other thread goes on.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from typing import Any


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
