"""Opens the games for a table that plays on, whatever has become of their file.

A damaged store is set aside, and a new one is begun. Of one on a disk that cannot be written the games can be
listed and exported, and the table plays on in memory: what is played is shown and not kept.

A file counts as damaged where SQLite says so: it is no database, a part of it is missing, a page of it is
not as SQLite wrote it, or a table is made by words that SQLite does not understand. One that another program
holds, or that a disk does not give, is not.
"""

from __future__ import annotations

import fcntl
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.core.damaged_files import set_file_aside
from companion.core.game import GameError
from companion.language import say
from companion.store.connection import connect_to_read, is_damage
from companion.store.rows import StoreError
from companion.store.store import VERSION, Store

log = logging.getLogger(__name__)
READ_ONLY = say(
    "the disk of the games cannot be written: play is watched and shown, and is not kept. Export what you "
    "need, and restart the machine; if that does not help, change its card."
)

BESIDE = ("-wal", "-shm")
"""The ends of the names of SQLite's files beside a store: they go where it goes."""
TABLES = ("games", "entries", "summaries")
"""The tables without which nothing can be played or listed."""
LOCKED = 0x40000002
"""The first of the bytes on which SQLite holds a lock while a file is open, and how many they are."""
LOCK_BYTES = 510


@contextmanager
def open_to_play(path: Path) -> Iterator[tuple[Store, str]]:
    """Opens the games for a table, and closes them afterwards: gives the store that it plays on, and what a
    person has to know of the stored games ('' for nothing). StoreError where no games can be opened."""
    warning = _set_damaged_aside(path)
    with Store(path) as kept:
        if not _is_read_only(kept):
            _erase_pictures(kept)
            yield kept, warning
            return
        log.error("'%s': %s", path, READ_ONLY)
        with Store(":memory:", first=kept.highest + 1) as played:
            _go_on(kept, played)
            yield played, READ_ONLY


def _set_damaged_aside(path: Path) -> str:
    words = find_file_damage(path)
    if not words:
        return ""
    aside = set_aside(path)
    warning = say(
        "the stored games were damaged ({words}), and are now '{name}': a new store was begun. 'companion "
        "records repair FILE' brings back what can be read of it.",
        words=words,
        name=aside.name,
    )
    log.error("'%s': %s", path, warning)
    return warning


def _is_read_only(store: Store) -> bool:
    """Returns whether the disk takes no writing at all. One that is full is tried again during play."""
    try:
        store.check_writable()
    except sqlite3.Error as error:
        return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
    return False


def _erase_pictures(store: Store) -> None:
    """Erases the pictures of doubtful actions that an earlier version could keep: they are overwritten."""
    try:
        if not store.transaction.rows("SELECT 1 FROM sqlite_schema WHERE name = 'pictures'"):
            return
        store.transaction.rows("PRAGMA secure_delete = ON")
        with store.transaction:
            store.transaction.db.execute("DROP TABLE pictures")
            store.transaction.db.execute("DELETE FROM settings WHERE name = 'keep pictures'")
        store.transaction.rows("PRAGMA wal_checkpoint(TRUNCATE)")  # none stays in the journal either
    except sqlite3.Error:  # pictures that stay until the next start must not stop play
        log.exception("pictures of an earlier version are not erased yet")


def _go_on(kept: Store, played: Store) -> None:
    """Takes the game that was on the table over, if it can be gone on with."""
    number = kept.latest()
    if number is None:
        return
    try:
        played.add(kept.load(number), 0.0, number)
    except GameError:
        return
    played.put_on(number)


def find_file_damage(path: Path) -> str:
    """Returns what is wrong with a store's file; '' where nothing is, or there is no file yet.

    An empty file counts as damaged: there may have been games in it.

    StoreError where that cannot be found out, as on a disk that fails, or by a program that is too old.
    """
    if not path.exists():
        return ""
    if path.stat().st_size == 0:
        return say("it is empty")
    try:
        with closing(connect_to_read(str(path))) as db:
            for table in TABLES:
                db.execute(f"SELECT * FROM {table} LIMIT 1").fetchall()  # noqa: S608 (the names are ours)
            version = db.execute("PRAGMA user_version").fetchone()[0]
            verdict = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
            if words := _find_schema_damage(db):
                return words
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if is_damage(error):
            return str(error)
        raise StoreError(
            say("cannot read '{path}' ({error}): is the disk failing?", path=path, error=error)
        ) from error
    if version > VERSION:
        raise StoreError(
            say(
                "'{path}' was written by a later version ({version}): update this one",
                path=path,
                version=version,
            )
        )
    return "" if verdict == "ok" else " ".join(verdict.replace("*", " ").split())


def _find_schema_damage(db: sqlite3.Connection) -> str:
    """Returns what is wrong with the SQL that makes tables and triggers; '' where nothing is.

    SQLite may read past a bad one, and refuse all writing.
    """
    schema = db.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid").fetchall()
    with closing(sqlite3.connect(":memory:")) as empty:
        for (sql,) in schema:
            try:
                empty.execute(sql)
            except (sqlite3.Error, UnicodeError):  # SQLite's own words may quote what is no text
                return say("the words that a table is made by are damaged")
    return ""


def set_aside(path: Path) -> Path:
    """Renames a store and SQLite's files beside it, and returns its new name.

    StoreError where another program holds it.
    """
    check_unused(path)
    aside = set_file_aside(path)
    for end in BESIDE:
        if (file := Path(f"{path}{end}")).exists():
            file.rename(f"{aside}{end}")
    return aside


def check_unused(path: Path) -> None:
    """Raises a StoreError where another program has the store open: SQLite locks these bytes while it has."""
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, LOCK_BYTES, LOCKED)
        except OSError as error:
            raise StoreError(
                say("another program holds '{path}': end it, and try again", path=path)
            ) from error
