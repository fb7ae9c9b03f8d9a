"""Keeps the games on disk: one SQLite file that only grows, written through before anything is shown as done.

With WAL and `synchronous=FULL` neither a killed process nor a power cut loses an entry once `append` returns.
Triggers refuse to change or delete entries and comments. A deleted game is only marked, and can be brought
back.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Self

from companion.core.comments import folded
from companion.core.game import GameError, Outcome, Player
from companion.core.players import COLOURS
from companion.games.text import read_game
from companion.language import say
from companion.record.clock import Times
from companion.record.head import HEAD, PAIRING, change_head
from companion.record.record import CORRECTS, Note, Record, write_entry, write_note
from companion.record.session import GIVEN_UP, Entry
from companion.store.connection import Transaction, connect, connect_to_read, is_damage
from companion.store.rows import (
    ROWS,
    StoreError,
    Summary,
    damaged,
    is_duration,
    is_text,
    known_start,
    read_entry,
    read_head,
    read_note,
    read_summary,
)

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
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS at_table (
    id INTEGER PRIMARY KEY CHECK (id = 1), game INTEGER REFERENCES games);
CREATE TABLE IF NOT EXISTS clocks (
    game INTEGER NOT NULL REFERENCES games, player TEXT NOT NULL, lines INTEGER NOT NULL,
    remaining REAL NOT NULL, spent REAL NOT NULL, PRIMARY KEY (game, player)) WITHOUT ROWID;
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
ABSURD = 2**31 - 1
"""A number that no game gets: it is more than the page takes."""
ENDED = {
    "open": "result = ''",
    "won": f"result NOT IN ('', 'draw', '{GIVEN_UP}')",
    "draw": "result = 'draw'",
}
"""The tests of how a game ended, by name."""
SEATS = json.dumps(list(COLOURS))
"""The keys under which a head has names of players, as the queries for them want these."""
PLAYED = """ AND EXISTS (
    SELECT 1 FROM json_each(CASE WHEN json_valid(head) THEN head ELSE '{}' END) AS told
    WHERE told.key IN (SELECT value FROM json_each(?)) AND told.value = ?)"""
"""The test of whether somebody of a name played."""
PLAYERS = """
SELECT told.value FROM games JOIN summaries ON summaries.game = games.id,
    json_each(CASE WHEN json_valid(head) THEN head ELSE '{}' END) AS told
WHERE deleted IS NULL AND told.key IN (SELECT value FROM json_each(?))
GROUP BY told.value ORDER BY MAX(started) DESC LIMIT ?"""
IDENTITY = "identity"
"""The name under which the settings hold the store's identity. Stores made before have none yet."""
TURNED = "turned"
"""The name under which the settings hold whether the board lies turned round, as `1` or `0`."""


class Store:
    """The stored games. Who opens them closes them: use it as a context, or call `close`.

    One table writes a game's log; other stores of the same file may add comments and marks. `first` is the
    lowest number that a new game gets.
    """

    def __init__(self, path: Path | str, first: int = 1) -> None:
        self._path, self._first = str(path), first
        try:
            self._db = self._open()
        except (sqlite3.Error, UnicodeDecodeError) as error:  # words of SQLite may be damaged too
            raise _unusable(self._path, error) from error
        self.transaction = Transaction(self._db)

    def _open(self) -> sqlite3.Connection:
        """Opens the file; only to be read where the disk takes no writing any more."""
        db = connect(self._path)
        try:
            _prepare(db)
        except sqlite3.OperationalError as error:
            db.close()
            if "locked" in str(error) or not Path(self._path).exists():
                raise
            return connect_to_read(self._path)
        except (sqlite3.Error, UnicodeDecodeError):
            db.close()
            raise
        return db

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    @property
    def identity(self) -> str:
        """Returns what tells this store from every other one, also from a later one under the same name.

        A game's number is only good together with it. It is '' where none could be written.
        """
        return _setting(self._db, IDENTITY)

    @property
    def highest(self) -> int:
        """Returns the highest number of a game; 0 where there is none, or where a disk has made it absurd."""
        query = "SELECT COALESCE(MAX(id), 0) FROM games WHERE id < ?"
        return int(self.transaction.row(query, (ABSURD,))[0])

    def check_writable(self) -> None:
        """Writes to the file what is in it already. Raises sqlite3.Error where it cannot be written."""
        with self.transaction:
            self._db.execute(f"PRAGMA user_version = {VERSION}")

    def begin(self, game: str, head: Mapping[str, str], started: float, number: int | None = None) -> int:
        """Adds a new game, and returns its number: the one that is given where it is free, else the next."""
        with self.transaction:
            if number is None or self._has(number):
                number = max(self.highest + 1, self._first)
            self._db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?)", (number, game, json.dumps(dict(head)), started)
            )
            self._db.execute("INSERT INTO summaries VALUES (?, 0, '', ?, NULL)", (number, _words(game, head)))
        return number

    def _change_head(self, number: int, text: str) -> None:
        game, kept = self.transaction.row("SELECT game, head FROM games WHERE id = ?", (number,))
        head = change_head(read_head(number, kept), text)
        self._db.execute("UPDATE games SET head = ? WHERE id = ?", (json.dumps(head), number))
        self._db.execute("UPDATE summaries SET words = ? WHERE game = ?", (_words(game, head), number))

    def _has(self, number: int) -> bool:
        return self.transaction.row("SELECT 1 FROM games WHERE id = ?", (number,)) is not None

    def append(self, number: int, n: int, entry: Entry, plies: int, result: str) -> None:
        """Writes entry n of a game through to disk, with the summary and the head that it leads to."""
        with self.transaction:
            self._append(number, n, entry, plies, result)
            if entry.kind == HEAD:
                self._change_head(number, entry.text)

    def _append(self, number: int, n: int, entry: Entry, plies: int, result: str) -> None:
        values = (entry.kind, entry.text, entry.by, entry.source, entry.certainty, entry.time, entry.clock)
        with self.transaction:
            self._db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (number, n, *values))
            self._db.execute(
                "UPDATE summaries SET plies = ?, result = ? WHERE game = ?", (plies, result, number)
            )

    def add(self, record: Record, now: float = 0.0, number: int | None = None) -> int:
        """Adds a whole game at once, all or nothing, and returns its number, as `begin` does.

        The game is replayed first. It counts as begun when the record says so, else `now`; 0 where nobody
        knows.
        """
        session = record.session()
        result = result_word(session.outcome)
        with self.transaction:
            number = self.begin(record.game.head, record.head, record.began or now, number)
            for n, entry in enumerate(record.log):
                self._append(number, n, entry, len(session.plies), result)  # its head is as it became
            for note in record.notes:
                self._note(number, note)
        return number

    def add_new(self, records: Iterable[Record]) -> Iterator[tuple[int, bool]]:
        """Adds those games of a file that are not there yet; one that was deleted is brought back. Yields the
        number of each, and whether it is new."""
        numbers: list[int] = []
        for record in records:
            known = self.find(record, numbers)
            if known is not None and self.is_deleted(known):
                self.undelete(known)
            numbers.append(self.add(record) if known is None else known)
            yield numbers[-1], known is None

    def find(self, record: Record, besides: Collection[int] = ()) -> int | None:
        """Returns the number of a game that this is, or that has gone on since, `besides` some; None where
        there is none. Games are known by what their records say."""
        rows = self.transaction.rows(
            "SELECT id FROM games WHERE started BETWEEN ? AND ? AND game = ? AND head = ? ORDER BY id",
            (record.began - 0.001, record.began + 0.001, record.game.head, json.dumps(dict(record.head))),
        )
        others = (number for (number,) in rows if number not in besides)
        return next((number for number in others if self._has_all_of(number, record)), None)

    def _has_all_of(self, number: int, record: Record) -> bool:
        """Tells whether a game holds what a record says. One of which it is known when it began may hold more
        by now."""
        try:
            kept = self.load(number)
        except GameError:  # it is damaged
            return False
        lines, known = ([write_entry(entry) for entry in one.log] for one in (record, kept))
        known = known[: len(lines)] if record.began else known
        return lines == known and set(map(write_note, record.notes)) <= set(map(write_note, kept.notes))

    def correct(self, number: int, corrected: Record) -> int:
        """Adds a record that corrects a game, which stays; returns the number of the new game."""
        head = {**corrected.head, CORRECTS: f"game {number}"}
        return self.add(replace(corrected, head=head), corrected.began)

    def note(self, number: int, note: Note) -> None:
        """Adds a comment. StoreError where there is no such game, or no such line in its log."""
        with self.transaction:
            lines = len(self.load(number).log)
            if not 0 <= note.line <= lines:
                raise StoreError(
                    say(
                        "game {number} has {lines} lines: there is no line {line}",
                        number=number,
                        lines=lines,
                        line=note.line,
                    )
                )
            self._note(number, note)

    def load(self, number: int) -> Record:
        """Returns a game with its log. StoreError where there is no such game."""
        row = self.transaction.row("SELECT game, head, started FROM games WHERE id = ?", (_number(number),))
        if row is None:
            raise StoreError(_missing(number))
        if not is_text(row[0]) or not isinstance(row[2], int | float):
            raise damaged(number, say("it is not known which game it is, or when it was begun"))
        notes = self.transaction.rows(
            "SELECT text, line, by, time FROM notes WHERE game = ? ORDER BY line, id", (number,)
        )
        return Record(
            game=read_game(row[0]),
            log=self.log(number),
            head=read_head(number, row[1]),
            notes=tuple(read_note(number, r) for r in notes),
            started=known_start(row[2]),
        )

    def log(self, number: int, first: int = 0) -> tuple[Entry, ...]:
        """Returns the lines of a game's log from line `first` on (from 0).

        StoreError where one is damaged or missing.
        """
        rows = self.transaction.rows(
            "SELECT n, kind, text, by, source, certainty, time, clock FROM entries"
            " WHERE game = ? AND n >= ? ORDER BY n",
            (number, first),
        )
        return tuple(read_entry(number, line, r) for line, r in enumerate(rows, first))

    def lines(self, number: int) -> int:
        return int(self.transaction.row("SELECT COUNT(*) FROM entries WHERE game = ?", (number,))[0])

    def check(self) -> Iterator[tuple[int, str]]:
        """Replays all games, the deleted ones too. Yields the number of each that is damaged, and why.

        StoreError where one has lost its number: only a damaged file has such a game.
        """
        for (number,) in self.transaction.rows("SELECT id FROM games ORDER BY id"):
            if not isinstance(number, int):
                raise _damaged(self._path, say("a game has no number"))
            try:
                self.load(number).session()
            except (GameError, sqlite3.Error) as error:
                yield number, str(error)

    def version(self, number: int) -> tuple[int, str, bool, int] | None:
        """Returns what changes whenever a game does: lines of its log, its head, its comments, whether it is
        deleted.

        None where there is no such game.
        """
        row = self.transaction.row(
            "SELECT (SELECT COUNT(*) FROM entries WHERE game = games.id), head, deleted,"
            " (SELECT COUNT(*) FROM notes WHERE game = games.id)"
            " FROM games JOIN summaries ON summaries.game = id WHERE games.id = ?",
            (_number(number),),
        )
        return None if row is None else (int(row[0]), str(row[1]), row[2] is not None, int(row[3]))

    def started(self, number: int) -> float:
        """Returns when a game was begun, in seconds since 1970; 0 where nobody knows."""
        row = self.transaction.row("SELECT started FROM games WHERE id = ?", (_number(number),))
        return known_start(row[0]) if row and isinstance(row[0], int | float) else 0.0

    def put_on(self, number: int | None) -> None:
        """Remembers which game is on the table; None for none."""
        with self.transaction:
            self._db.execute("INSERT OR REPLACE INTO at_table VALUES (1, ?)", (number,))

    def keep_turned(self, is_turned: bool) -> None:
        """Remembers whether the board of the table lies turned round."""
        with self.transaction:
            row = TURNED, str(int(is_turned))
            self._db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", row)

    @property
    def is_turned(self) -> bool:
        """Returns whether the board of the table lay turned round last."""
        return _setting(self._db, TURNED) == "1"

    def keep_times(self, number: int, lines: int, times: Mapping[Player, Times]) -> None:
        """Remembers what a game's clock shows after so many lines of its log."""
        rows = [(number, player, lines, *time) for player, time in times.items()]
        with self.transaction:
            self._db.executemany("INSERT OR REPLACE INTO clocks VALUES (?, ?, ?, ?, ?)", rows)

    def times(self, number: int, lines: int) -> dict[Player, Times]:
        """Returns what a game's clock showed last, where its log had so many lines then."""
        query = "SELECT player, remaining, spent FROM clocks WHERE game = ? AND lines = ?"
        try:
            rows = self.transaction.rows(query, (number, lines))
        except sqlite3.Error:  # a store of an earlier version that is only read, or a damaged one
            return {}
        return {player: Times(*seconds) for player, *seconds in rows if all(map(is_duration, seconds))}

    def latest(self) -> int | None:
        """Returns the number of the game that was on the table last, if it is not over.

        Where none ever was on it, the game that was added last counts. Imports are on no table.
        """
        seated = self.transaction.row("SELECT game FROM at_table")
        row = self.transaction.row(
            "SELECT game, result FROM summaries WHERE deleted IS NULL AND (game = ? OR ?)"
            " ORDER BY game DESC LIMIT 1",
            (seated[0] if seated else None, not seated),
        )
        return None if row is None or row[1] else int(row[0])

    def has_begun(self, pairing: str) -> bool:
        """Returns whether a game was begun for this pairing of a round. Deleted games do not count."""
        query = (
            "SELECT 1 FROM games JOIN summaries ON summaries.game = games.id"
            " WHERE deleted IS NULL AND CASE WHEN json_valid(head) THEN json_extract(head, ?) END = ? LIMIT 1"
        )
        return bool(pairing) and self.transaction.row(query, (f"$.{PAIRING}", pairing)) is not None

    def list(
        self,
        words: str = "",
        limit: int = 50,
        before: int | None = None,
        deleted: bool = False,
        *,
        game: str = "",
        player: str = "",
        ended: str = "",
    ) -> list[Summary]:
        """Returns games, newest first, whose game text, names or head hold all the words.

        `before` is the game after which the list goes on: so a page deep down is found as fast as the first.
        With `game` they are that game's, with `player` those that somebody of this name played, and with
        `ended`, a key of `ENDED`, those that ended so.
        """
        tests = "".join(" AND folded(words) LIKE ? ESCAPE '\\'" for _ in words.split())
        tests += " AND games.game || ' ' LIKE ? ESCAPE '\\'" if game else ""
        tests += PLAYED if player else ""
        tests += f" AND {ENDED[ended]}" if ended else ""
        older = "" if before is None else " AND (started, id) < (SELECT started, id FROM games WHERE id = ?)"
        values = (
            deleted,
            *([] if before is None else [before]),
            *map(_pattern, folded(words).split()),
            *([_pattern(game + " ").removeprefix("%")] if game else []),
            *([SEATS, player] if player else []),
            limit,
        )
        rows = self.transaction.rows(
            f"{ROWS} WHERE (deleted IS NOT NULL) = ?{older}{tests} ORDER BY started DESC, id DESC LIMIT ?",
            values,
        )
        return [read_summary(row) for row in rows]

    def players(self, limit: int = 200) -> tuple[str, ...]:
        """Returns the names of those who played last, by the alphabet."""
        names = [row[0] for row in self.transaction.rows(PLAYERS, (SEATS, limit)) if is_text(row[0])]
        return tuple(sorted(names, key=lambda name: (name.casefold(), name)))

    def is_deleted(self, number: int) -> bool:
        row = self.transaction.row("SELECT deleted FROM summaries WHERE game = ?", (number,))
        return row is not None and row[0] is not None

    def delete(self, number: int, when: float) -> None:
        """Takes a game out of the list, to which `undelete` brings it back."""
        self._mark(number, when)

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


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL").fetchall()  # an answer left unread keeps a lock
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA recursive_triggers = ON")  # else REPLACE deletes past them
    found = db.execute("PRAGMA user_version").fetchall()[0][0]
    if found > VERSION:
        raise sqlite3.DatabaseError(say("written by a later version ({found})", found=found))
    db.executescript(SCHEMA)
    if found != VERSION:  # a disk that is full takes no write
        db.execute(f"PRAGMA user_version = {VERSION}")
    if not _setting(db, IDENTITY):
        with suppress(sqlite3.OperationalError):  # the disk is full: it gets one later
            db.execute("INSERT OR IGNORE INTO settings VALUES (?, ?)", (IDENTITY, secrets.token_hex(16)))


def _setting(db: sqlite3.Connection, name: str) -> str:
    try:
        row = db.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
    except sqlite3.Error:  # a store of the first version, or a damaged one
        return ""
    return "" if row is None else str(row[0])


def result_word(outcome: Outcome | None) -> str:
    """Returns a result as the list of games shows it: the winner, 'draw', 'given up', or '' for none yet."""
    if outcome is None:
        return ""
    return outcome.winner or (GIVEN_UP if outcome.reason == GIVEN_UP else "draw")


def _unusable(path: str, error: Exception) -> StoreError:
    if is_damage(error):
        return _damaged(path, str(error))
    return StoreError(
        say("cannot use '{path}' for the games ({error}): name another with --data", path=path, error=error)
    )


def _damaged(path: str, words: str) -> StoreError:
    return StoreError(
        say(
            "'{path}' is damaged ({words}): 'companion records repair' saves what can be read",
            path=path,
            words=words,
        )
    )


def _words(game: str, head: Mapping[str, str]) -> str:
    """Returns the words by which a game is found."""
    return " ".join((game, *head.values())).lower()


def _number(number: int) -> int:
    """Returns a game's number. StoreError for one that is larger than the file can hold."""
    if abs(number) >= 2**63:
        raise StoreError(_missing(number))
    return number


def _missing(number: int) -> str:
    return say("there is no game {number}: 'companion records list' shows those there are", number=number)


def _pattern(word: str) -> str:
    for character in "\\%_":
        word = word.replace(character, "\\" + character)
    return f"%{word}%"
