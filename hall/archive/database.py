"""The contract between the archive and a database. `postgresql.py` keeps it, and `sqlite.py`; both pass the
same tests, and both read the same SQL, with `?` for each value.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Protocol

from companion.core.errors import CompanionError

Row = tuple[Any, ...]
ARCHIVE = "hall.sqlite"
"""The file of the archive in the data folder, where no database is named."""
POSTGRESQL = ("postgresql://", "postgres://")
"""What the address of a database on a server begins with."""
POSTGRESQL_DATABASE = "hall.archive.postgresql:PostgresqlDatabase"
SMALLEST = 512
"""The bytes of the smallest database. Of a smaller file SQLite makes an empty one when it is read."""
SQLITE_DATABASE = "hall.archive.sqlite:SqliteDatabase"


class DatabaseError(CompanionError):
    """A database that cannot be used as it is."""


class DatabaseAwayError(DatabaseError):
    """A database that does not answer now, or takes no writing. Nothing was written; later it may work."""


class ValueRefusedError(DatabaseError):
    """A value that this database cannot hold. Nothing was written; later it will not work either."""


class Database(Protocol):
    """A connection to a database, made when it is first used, and again after it was lost; for one thread.

    Every method raises DatabaseAwayError and ValueRefusedError.
    """

    @property
    def dialect(self) -> str:
        """Returns `postgresql` or `sqlite`: which of two migrations with one number is meant."""

    def transaction(self) -> AbstractContextManager[None]:
        """Returns a context whose statements are done all, and for good when it ends, or none."""

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        """Returns the rows that answer a query."""

    def insert(self, statement: str, rows: Sequence[Row]) -> int:
        """Runs a statement for each row, and returns how many rows it added."""

    def run(self, script: str) -> None:
        """Runs several statements, which hold no values."""

    def lock_schema(self) -> None:
        """Waits until no other program changes the schema, and keeps others waiting until the transaction
        ends. Called first in it."""

    def close(self) -> None:
        """Closes the connection."""


def is_missing(name: str) -> bool:
    """Returns whether a database is a file of SQLite that is not there, or holds nothing; a server is not
    asked."""
    if name.startswith(POSTGRESQL):
        return False
    file = Path(name)
    return not file.is_file() or file.stat().st_size < SMALLEST


def open_database(name: str | Path) -> Database:
    """Returns the database of an address, `postgresql://…`, or of a file of SQLite.

    It is not connected yet. DatabaseError where the library for it is missing, or the address is none.
    """
    if isinstance(name, str) and name.startswith(POSTGRESQL):
        try:
            kind = resolve_name(POSTGRESQL_DATABASE)
        except ImportError as error:
            raise DatabaseError("PostgreSQL needs a library: pip install 'board-companion[hall]'") from error
    elif isinstance(name, str) and "://" in name:
        shown = name.partition("://")[0]
        raise DatabaseError(f"a database is postgresql://… or a file of SQLite, not '{shown}://…'")
    else:
        kind = resolve_name(SQLITE_DATABASE)
    database: Database = kind(name)
    return database
