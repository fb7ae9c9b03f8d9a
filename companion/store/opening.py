"""Opens the games for a table that plays on, whatever has become of their file.

A damaged store is set aside, and a new one is begun. Of one on a disk that cannot be written the games can be
listed and exported, and the table plays on in memory: what is played is shown and not kept.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from companion.core.game import GameError
from companion.language import say
from companion.store.setting_aside import find_file_damage, set_aside
from companion.store.store import Store

log = logging.getLogger(__name__)
READ_ONLY = say(
    "the disk of the games cannot be written: play is watched and shown, and is not kept. Export what you "
    "need, and restart the machine; if that does not help, change its card."
)


class PlayingStore(NamedTuple):
    """The store that a table plays on, and what a person has to know of the stored games ('' for nothing)."""

    store: Store
    warning: str = ""


@contextmanager
def open_to_play(path: Path) -> Iterator[PlayingStore]:
    """Opens the games for a table, and closes them afterwards. StoreError where no games can be opened."""
    warning = _set_damaged_aside(path)
    with Store(path) as kept:
        if not _is_read_only(kept):
            _erase_pictures(kept)
            yield PlayingStore(kept, warning)
            return
        log.error("'%s': %s", path, READ_ONLY)
        with Store(":memory:", first=kept.highest + 1) as played:
            _go_on(kept, played)
            yield PlayingStore(played, READ_ONLY)


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
