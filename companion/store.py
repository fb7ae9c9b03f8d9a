"""The games on disk: one SQLite file, append-only, written through before anything is shown as done.

WAL and `synchronous=FULL`: once `append` returns, neither a killed process nor a power cut loses the
entry. Triggers refuse to change or delete what a log holds; a deleted game is only marked, and comes back.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core import GameError, Outcome
from companion.record import Record
from companion.session import Entry
from companion.text import read_game

SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, head TEXT NOT NULL, started REAL NOT NULL);
CREATE TABLE IF NOT EXISTS entries (
    game INTEGER NOT NULL REFERENCES games, n INTEGER NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
    by TEXT NOT NULL, source TEXT NOT NULL, certainty REAL NOT NULL, time REAL NOT NULL,
    clock REAL, PRIMARY KEY (game, n)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS summaries (
    game INTEGER PRIMARY KEY REFERENCES games, plies INTEGER NOT NULL, result TEXT NOT NULL,
    words TEXT NOT NULL, deleted REAL);
CREATE INDEX IF NOT EXISTS games_by_start ON games (started DESC);
CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE UPDATE ON entries BEGIN
    SELECT RAISE(ABORT, 'a log only grows'); END;
CREATE TRIGGER IF NOT EXISTS entries_remain BEFORE DELETE ON entries BEGIN
    SELECT RAISE(ABORT, 'a log only grows'); END;
"""
VERSION = 1


class StoreError(GameError):
    """The games cannot be read or written: one line that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in the list of games: `words` is what a search looks through."""

    id: int
    game: str
    head: Mapping[str, str]
    started: float
    plies: int
    result: str
    deleted: bool


class Store:
    """The stored games. One thread writes; opening another store on the same file is for readers."""

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)
        try:
            self._db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            self._prepare()
        except sqlite3.Error as error:
            raise StoreError(
                f"cannot use '{self._path}' for the games ({error}): name another with --data"
            ) from error

    def close(self) -> None:
        self._db.close()

    def begin(self, game: str, head: Mapping[str, str], started: float) -> int:
        """A new game on disk; its number."""
        words = " ".join((game, *head.values())).lower()
        with _Transaction(self._db):
            row = self._db.execute(
                "INSERT INTO games (game, head, started) VALUES (?, ?, ?)",
                (game, json.dumps(dict(head)), started),
            )
            number = int(row.lastrowid or 0)
            self._db.execute("INSERT INTO summaries VALUES (?, 0, '', ?, NULL)", (number, words))
        return number

    def append(self, number: int, n: int, entry: Entry, plies: int, result: str) -> None:
        """Writes entry n of a game through to disk, with the summary that it leads to."""
        values = (entry.kind, entry.text, entry.by, entry.source, entry.certainty, entry.time, entry.clock)
        with _Transaction(self._db):
            self._db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (number, n, *values))
            self._db.execute(
                "UPDATE summaries SET plies = ?, result = ? WHERE game = ?", (plies, result, number)
            )

    def add(self, record: Record, started: float) -> int:
        """A whole game at once (an import): checked by replaying it first, stored all or not at all."""
        session = record.session()
        result = result_word(session.outcome)
        with _Transaction(self._db):
            number = self.begin(record.game.head, record.head, started)
            for n, entry in enumerate(record.log):
                self.append(number, n, entry, len(session.plies), result)
        return number

    def load(self, number: int) -> Record:
        """A game with its log. StoreError where there is no such game."""
        row = self._db.execute("SELECT game, head FROM games WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise StoreError(f"there is no game {number}: 'companion records list' shows those there are")
        rows = self._db.execute(
            "SELECT kind, text, by, source, certainty, time, clock FROM entries WHERE game = ? ORDER BY n",
            (number,),
        )
        return Record(read_game(row[0]), tuple(Entry(*r) for r in rows), json.loads(row[1]))

    def latest(self) -> int | None:
        """The number of the game that was begun last, when it is not over."""
        row = self._db.execute(
            "SELECT game, result FROM summaries WHERE deleted IS NULL ORDER BY game DESC LIMIT 1"
        ).fetchone()
        return None if row is None or row[1] else int(row[0])

    def list(self, words: str = "", limit: int = 50, offset: int = 0, deleted: bool = False) -> list[Summary]:
        """Games, newest first, whose game text, names or head hold all the words."""
        tests = "".join(" AND words LIKE ? ESCAPE '\\'" for _ in words.split())
        rows = self._db.execute(
            "SELECT id, games.game, head, started, plies, result, deleted FROM games"  # noqa: S608
            " JOIN summaries ON summaries.game = id"
            f" WHERE (deleted IS NOT NULL) = ?{tests} ORDER BY started DESC, id DESC LIMIT ? OFFSET ?",
            (deleted, *map(_pattern, words.lower().split()), limit, offset),
        )
        return [Summary(r[0], r[1], json.loads(r[2]), r[3], r[4], r[5], r[6] is not None) for r in rows]

    def delete(self, number: int, when: float) -> None:
        """Takes a game out of the list; `undelete` brings it back."""
        self._mark(number, when)

    def undelete(self, number: int) -> None:
        self._mark(number, None)

    def _mark(self, number: int, deleted: float | None) -> None:
        done = self._db.execute("UPDATE summaries SET deleted = ? WHERE game = ?", (deleted, number))
        if not done.rowcount:
            raise StoreError(f"there is no game {number}")

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.execute("PRAGMA recursive_triggers = ON")  # else REPLACE deletes past them
        found = self._db.execute("PRAGMA user_version").fetchone()[0]
        if found > VERSION:
            raise sqlite3.DatabaseError(f"written by a later version ({found})")
        self._db.executescript(SCHEMA)
        self._db.execute(f"PRAGMA user_version = {VERSION}")


class _Transaction:
    """All or nothing; inside another one, a part of it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._outer = db.in_transaction

    def __enter__(self) -> None:
        if not self._outer:
            self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        if not self._outer:
            self._db.execute("ROLLBACK" if kind else "COMMIT")


def result_word(outcome: Outcome | None) -> str:
    """What the list of games shows: '' while a game goes on, the winner, or 'draw'."""
    return "" if outcome is None else outcome.winner or "draw"


def _pattern(word: str) -> str:
    for character in "\\%_":
        word = word.replace(character, "\\" + character)
    return f"%{word}%"
