"""Keeps the cursors of the outbox on disk: a small SQLite file beside the games.

What is lost of it is sent twice, and no more: so it is written now and then, and what goes out for the first
time at once. A damaged file is set aside, and a new one is begun.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from broker_bridge.outbox import Cursor
from companion.core.private_files import make_private
from companion.store.opening import set_aside

log = logging.getLogger(__name__)
NAME = "outbox.sqlite"
SCHEMA = """
CREATE TABLE IF NOT EXISTS cursors (
    companion TEXT NOT NULL, game INTEGER NOT NULL, sent INTEGER NOT NULL, archived INTEGER,
    sent_at REAL NOT NULL, PRIMARY KEY (companion, game)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS discovery (topic TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS scanned (companion TEXT PRIMARY KEY, game INTEGER NOT NULL) WITHOUT ROWID;
"""


class OutboxFile:
    """The file of the outbox. Who opens it closes it."""

    def __init__(self, path: Path | str) -> None:
        try:
            self._db = _open(str(path))
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if isinstance(error, sqlite3.OperationalError) or str(path) == ":memory:":
                raise  # it is not damaged: the disk is full, or may not be written
            aside = set_aside(Path(path))
            log.error("'%s' was damaged (%s), and is now '%s'", path, error, aside.name)
            self._db = _open(str(path))

    def close(self) -> None:
        self._db.close()

    def load(self, companion: str) -> dict[int, Cursor]:
        rows = self._db.execute(
            "SELECT game, sent, archived, sent_at FROM cursors WHERE companion = ?", (companion,)
        )
        return {game: Cursor(*rest) for game, *rest in rows.fetchall()}

    def save(self, companion: str, cursors: Mapping[int, Cursor], scanned: int) -> None:
        """Writes cursors, and the highest number of a game that was looked at; sqlite3.Error where the disk
        does not take them."""
        rows = [(companion, game, c.sent, c.archived, c.sent_at) for game, c in cursors.items()]
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?, ?)", rows)
            self._db.execute("INSERT OR REPLACE INTO scanned VALUES (?, ?)", (companion, scanned))

    def scanned(self, companion: str) -> int | None:
        """Returns the highest number of a game that was looked at; None where none was."""
        row = self._db.execute("SELECT game FROM scanned WHERE companion = ?", (companion,)).fetchone()
        return row and int(row[0])

    @property
    def discovery(self) -> set[str]:
        """Returns the topics on which Home Assistant was told of this board."""
        return {topic for (topic,) in self._db.execute("SELECT topic FROM discovery").fetchall()}

    def note_discovery(self, topic: str) -> None:
        with self._db:
            self._db.execute("INSERT OR IGNORE INTO discovery VALUES (?)", (topic,))


def _open(path: str) -> sqlite3.Connection:
    if path != ":memory:":
        make_private(path)
    db = sqlite3.connect(path, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL").fetchall()
        db.execute("PRAGMA synchronous = FULL")
        db.executescript(SCHEMA)
        if (verdict := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(verdict)
        db.execute("SELECT * FROM cursors LIMIT 1").fetchall()
    except (sqlite3.Error, UnicodeDecodeError):
        db.close()
        raise
    return db
