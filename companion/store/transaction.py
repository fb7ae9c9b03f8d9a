"""Writes to the store's file all or nothing: what is written within one `with` block."""

from __future__ import annotations

import sqlite3
import threading
from typing import Any


class Transaction:
    """The transactions of a connection: one thread's at a time, and one inside another is a part of it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self._lock = threading.RLock()
        self._depth = 0

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
