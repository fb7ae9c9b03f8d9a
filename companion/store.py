"""The games on disk: one SQLite file, append-only, written through before anything is shown as done.

WAL and `synchronous=FULL`: once `append` returns, neither a killed process nor a power cut loses the
entry. Triggers refuse to change or delete what a log holds and what was commented on it; a deleted game is
only marked, and comes back (its pictures do not).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from companion import album
from companion.album import Album
from companion.core import GameError, Outcome
from companion.record import CORRECTS, Note, Record, is_moment
from companion.session import GIVEN_UP, Entry
from companion.text import read_game
from companion.transaction import Transaction

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
CREATE TABLE IF NOT EXISTS notes (
    id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, line INTEGER NOT NULL,
    text TEXT NOT NULL, by TEXT NOT NULL, time REAL NOT NULL);
CREATE TABLE IF NOT EXISTS at_table (
    id INTEGER PRIMARY KEY CHECK (id = 1), game INTEGER REFERENCES games);
CREATE INDEX IF NOT EXISTS games_by_start ON games (started DESC);
CREATE INDEX IF NOT EXISTS notes_of_game ON notes (game, line, id);
CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE UPDATE ON entries BEGIN
    SELECT RAISE(ABORT, 'a log only grows'); END;
CREATE TRIGGER IF NOT EXISTS entries_remain BEFORE DELETE ON entries BEGIN
    SELECT RAISE(ABORT, 'a log only grows'); END;
CREATE TRIGGER IF NOT EXISTS notes_stay BEFORE UPDATE ON notes BEGIN
    SELECT RAISE(ABORT, 'comments only grow'); END;
CREATE TRIGGER IF NOT EXISTS notes_remain BEFORE DELETE ON notes BEGIN
    SELECT RAISE(ABORT, 'comments only grow'); END;
"""
VERSION = 2


class StoreError(GameError):
    """The games cannot be read or written: one line that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in the list of games; `started` is 0 where nobody knows."""

    id: int
    game: str
    head: Mapping[str, str]
    started: float
    plies: int
    result: str
    deleted: bool


class Store:
    """The stored games. One table writes a game's log; comments and marks may come from other stores too."""

    def __init__(self, path: Path | str) -> None:
        self._path = str(path)
        try:
            self._db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            self._prepare()
            self.transaction = Transaction(self._db)
            self.pictures = Album(self.transaction)
        except sqlite3.Error as error:
            raise StoreError(
                f"cannot use '{self._path}' for the games ({error}): name another with --data"
            ) from error

    def close(self) -> None:
        self._db.close()

    def begin(self, game: str, head: Mapping[str, str], started: float) -> int:
        """A new game on disk; its number."""
        words = " ".join((game, *head.values())).lower()
        with self.transaction:
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
        with self.transaction:
            self._db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (number, n, *values))
            self._db.execute(
                "UPDATE summaries SET plies = ?, result = ? WHERE game = ?", (plies, result, number)
            )

    def add(self, record: Record, now: float) -> int:
        """A whole game at once (an import): checked by replaying it first, stored all or not at all.

        It counts as begun when the record says so, else `now`.
        """
        session = record.session()
        result = result_word(session.outcome)
        with self.transaction:
            number = self.begin(record.game.head, record.head, record.began or now)
            for n, entry in enumerate(record.log):
                self.append(number, n, entry, len(session.plies), result)
            for note in record.notes:
                self._note(number, note)
        return number

    def correct(self, number: int, amended: Record) -> int:
        """Adds a record that was made from a game to put it right; the game stays. The new game's number."""
        return self.add(replace(amended, head={**amended.head, CORRECTS: f"game {number}"}), amended.began)

    def note(self, number: int, note: Note) -> None:
        """Adds a comment. StoreError where there is no such game, or no such line in its log."""
        with self.transaction:
            lines = len(self.load(number).log)
            if not 0 <= note.line <= lines:
                raise StoreError(f"game {number} has {lines} lines: there is no line {note.line}")
            self._note(number, note)

    def load(self, number: int) -> Record:
        """A game with its log. StoreError where there is no such game."""
        row = self._db.execute(
            "SELECT game, head, started FROM games WHERE id = ?", (_number(number),)
        ).fetchone()
        if row is None:
            raise StoreError(_missing(number))
        log = self._db.execute(
            "SELECT kind, text, by, source, certainty, time, clock FROM entries WHERE game = ? ORDER BY n",
            (number,),
        )
        notes = self._db.execute(
            "SELECT text, line, by, time FROM notes WHERE game = ? ORDER BY line, id", (number,)
        )
        game, head, started = read_game(row[0]), json.loads(row[1]), _known(row[2])
        return Record(game, tuple(Entry(*r) for r in log), head, tuple(Note(*r) for r in notes), started)

    def put_on(self, number: int | None) -> None:
        """Remembers which game is on the table; None where none is."""
        with self.transaction:
            self._db.execute("INSERT OR REPLACE INTO at_table VALUES (1, ?)", (number,))

    def latest(self) -> int | None:
        """The number of the game that was on the table last, when it is not over: an import is on no table.
        Where none ever was, the game that was added last."""
        seated = self._db.execute("SELECT game FROM at_table").fetchall()
        row = self._db.execute(
            "SELECT game, result FROM summaries WHERE deleted IS NULL AND (game = ? OR ?)"
            " ORDER BY game DESC LIMIT 1",
            (seated[0][0] if seated else None, not seated),
        ).fetchone()
        return None if row is None or row[1] else int(row[0])

    def list(
        self, words: str = "", limit: int = 50, before: int | None = None, deleted: bool = False
    ) -> list[Summary]:
        """Games, newest first, whose game text, names or head hold all the words; only what comes after the
        game `before` in this list, where one is given: a page deep down is found as fast as the first."""
        tests = "".join(" AND words LIKE ? ESCAPE '\\'" for _ in words.split())
        older = "" if before is None else " AND (started, id) < (SELECT started, id FROM games WHERE id = ?)"
        rows = self._db.execute(
            "SELECT id, games.game, head, started, plies, result, deleted FROM games"  # noqa: S608
            " JOIN summaries ON summaries.game = id"
            f" WHERE (deleted IS NOT NULL) = ?{older}{tests} ORDER BY started DESC, id DESC LIMIT ?",
            (deleted, *([] if before is None else [before]), *map(_pattern, words.lower().split()), limit),
        )
        return [
            Summary(r[0], r[1], json.loads(r[2]), _known(r[3]), r[4], r[5], r[6] is not None) for r in rows
        ]

    def is_deleted(self, number: int) -> bool:
        row = self._db.execute("SELECT deleted FROM summaries WHERE game = ?", (number,)).fetchone()
        return row is not None and row[0] is not None

    def delete(self, number: int, when: float) -> None:
        """Takes a game out of the list; `undelete` brings it back. Its pictures are erased for good."""
        with self.transaction:
            self._mark(number, when)
            erased = self.pictures.erase(number)
        if erased:
            self._empty_journal()

    def erase_pictures(self) -> int:
        """Erases the pictures of all games for good; how many there were."""
        erased = self.pictures.erase()
        self._empty_journal()
        return erased

    def _empty_journal(self) -> None:
        """As far as no reader needs it: nothing that was erased stays in it."""
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def undelete(self, number: int) -> None:
        self._mark(number, None)

    def _mark(self, number: int, deleted: float | None) -> None:
        with self.transaction:
            done = self._db.execute(
                "UPDATE summaries SET deleted = ? WHERE game = ?", (deleted, _number(number))
            )
        if not done.rowcount:
            raise StoreError(_missing(number))

    def _note(self, number: int, note: Note) -> None:
        self._db.execute(
            "INSERT INTO notes (game, line, text, by, time) VALUES (?, ?, ?, ?, ?)",
            (number, note.line, note.text, note.by, note.time),
        )

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL").fetchall()  # an answer left unread keeps a lock
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.execute("PRAGMA recursive_triggers = ON")  # else REPLACE deletes past them
        found = self._db.execute("PRAGMA user_version").fetchall()[0][0]
        if found > VERSION:
            raise sqlite3.DatabaseError(f"written by a later version ({found})")
        self._db.executescript(SCHEMA + album.SCHEMA)
        self._db.execute(f"PRAGMA user_version = {VERSION}")


def result_word(outcome: Outcome | None) -> str:
    """What the list of games shows: '' while a game goes on, the winner, 'given up', or 'draw'."""
    if outcome is None:
        return ""
    return outcome.winner or (GIVEN_UP if outcome.reason == GIVEN_UP else "draw")


def _known(started: float) -> float:
    """When a game was begun; 0 for what no calendar has, which earlier versions took in."""
    return started if is_moment(started) else 0.0


def _number(number: int) -> int:
    """A game's number, which the file can hold; StoreError for a larger one, which no game has."""
    if abs(number) >= 2**63:
        raise StoreError(_missing(number))
    return number


def _missing(number: int) -> str:
    return f"there is no game {number}: 'companion records list' shows those there are"


def _pattern(word: str) -> str:
    for character in "\\%_":
        word = word.replace(character, "\\" + character)
    return f"%{word}%"
