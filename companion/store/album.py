"""Keeps small pictures of doubtful actions beside a game's log, where the table's owner wants them.

Their size and number have limits. A picture that is erased is overwritten in the file.
"""

from __future__ import annotations

import sqlite3

from companion.store.transaction import Transaction

SCHEMA = """
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pictures (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, line INTEGER NOT NULL,
    size INTEGER NOT NULL, jpeg BLOB NOT NULL, UNIQUE (game, line));
CREATE INDEX IF NOT EXISTS pictures_by_size ON pictures (size);
CREATE TRIGGER IF NOT EXISTS pictures_stay BEFORE UPDATE ON pictures BEGIN
    SELECT RAISE(ABORT, 'a picture is kept as it is'); END;
"""
LARGEST = 64 * 1024
"""Bytes of a picture, at most."""
MOST_OF_GAME = 100
MOST_OF_ALL = 256 * 1024 * 1024
"""Bytes of all pictures, at most: the oldest have to go."""
SWITCH = "keep pictures"


class Album:
    """The pictures in a store's file, each by its game and the line of the log that it belongs to."""

    def __init__(self, transaction: Transaction, most: int = MOST_OF_ALL) -> None:
        self._transaction, self._most = transaction, most
        self._db: sqlite3.Connection = transaction.db
        self._db.execute("PRAGMA secure_delete = ON")

    @property
    def is_wanted(self) -> bool:
        """Returns whether pictures are kept; they are not until the owner says so."""
        row = self._transaction.row("SELECT value FROM settings WHERE name = ?", (SWITCH,))
        return row is not None and row[0] == "on"

    def want(self, wanted: bool) -> None:
        """Keeps pictures from now on, or none any more; those that there are stay."""
        with self._transaction:
            self._db.execute(
                "INSERT INTO settings VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                (SWITCH, "on" if wanted else "off"),
            )

    def keep(self, game: int, line: int, jpeg: bytes) -> bool:
        """Keeps a picture; returns False where it is too large, its game has enough, or its line has one."""
        count = self._count("SELECT COUNT(*) FROM pictures WHERE game = ?", game)
        if not 0 < len(jpeg) <= LARGEST or count >= MOST_OF_GAME:
            return False
        with self._transaction:
            done = self._db.execute(
                "INSERT OR IGNORE INTO pictures (game, line, size, jpeg) VALUES (?, ?, ?, ?)",
                (game, line, len(jpeg), jpeg),
            )
            self._make_room()
        return done.rowcount == 1

    def lines(self, game: int) -> tuple[int, ...]:
        """Returns the lines of a game's log that have a picture."""
        rows = self._transaction.rows("SELECT line FROM pictures WHERE game = ? ORDER BY line", (game,))
        return tuple(row[0] for row in rows)

    def picture(self, game: int, line: int) -> bytes | None:
        row = self._transaction.row("SELECT jpeg FROM pictures WHERE game = ? AND line = ?", (game, line))
        return None if row is None else bytes(row[0])

    def erase(self, game: int | None = None) -> int:
        """Erases the pictures of a game, or all, for good; returns how many there were."""
        with self._transaction:
            done = self._db.execute("DELETE FROM pictures WHERE ? IS NULL OR game = ?", (game, game))
        return done.rowcount

    def _make_room(self) -> None:
        while self._count("SELECT COALESCE(SUM(size), 0) FROM pictures") > self._most:
            self._db.execute("DELETE FROM pictures WHERE id = (SELECT MIN(id) FROM pictures)")

    def _count(self, question: str, *values: int) -> int:
        return int(self._transaction.row(question, values)[0])
