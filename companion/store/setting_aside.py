"""Sets a store whose file is damaged aside, under a name that is free, so that a new one can be begun.

A file counts as damaged where SQLite says so: it is no database, a part of it is missing, a page of it is
not as SQLite wrote it, or a table is made by words that SQLite does not understand. One that another program
holds, or that a disk does not give, is not.
"""

from __future__ import annotations

import fcntl
import sqlite3
from contextlib import closing
from pathlib import Path

from companion.core.damaged_files import set_file_aside
from companion.language import say
from companion.store.connection import connect_to_read, is_damage
from companion.store.rows import StoreError
from companion.store.store import VERSION

BESIDE = ("-wal", "-shm")
"""The ends of the names of SQLite's files beside a store: they go where it goes."""
TABLES = ("games", "entries", "summaries")
"""The tables without which nothing can be played or listed."""
LOCKED = 0x40000002
"""The first of the bytes on which SQLite holds a lock while a file is open, and how many they are."""
LOCK_BYTES = 510


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
