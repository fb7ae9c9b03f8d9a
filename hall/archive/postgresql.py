"""The archive's database on a server of PostgreSQL, by psycopg 3."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache

import psycopg
from psycopg import conninfo

from hall.archive.database import DatabaseAwayError, DatabaseError, Row, ValueRefusedError

SETTINGS = {
    "application_name": "board-companion-archive",
    "client_encoding": "UTF8",
    "connect_timeout": "5",
    # A server whose cable was pulled is missed after some twenty seconds, not after hours.
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "2",
    "tcp_user_timeout": "20000",
}
"""The settings of a connection that the address does not give."""
REFUSED = ("22", "23", "54")
"""Classes of PostgreSQL's errors that lie with a value: what it is, what it breaks, how large it is."""
COMMIT_FOR_GOOD = """
SELECT set_config('synchronous_commit', 'on', false) FROM pg_settings
WHERE name = 'synchronous_commit' AND setting = 'off'
"""
"""The broker forgets what was stored. A server that is set up to answer before its log is written would lose
the last lines when it is killed."""
SCHEMA_LOCK = 0x626F617264  # 'board'
"""The number of the advisory lock of who changes the schema."""


class PostgresqlDatabase:
    """A database on a server of PostgreSQL. See `database.Database`."""

    dialect = "postgresql"

    def __init__(self, address: str) -> None:
        try:
            given = conninfo.conninfo_to_dict(address)
        except psycopg.ProgrammingError as error:
            words = str(error).partition(":")[0]  # what follows may be a password
            raise DatabaseError(f"this is no address of a PostgreSQL database: {words}") from error
        self._name = f"postgresql://{given.get('host', '')}/{given.get('dbname', '')}"
        self._address = conninfo.make_conninfo("", **{**SETTINGS, **given})
        self._db: psycopg.Connection[Row] | None = None

    def __str__(self) -> str:
        """Returns the address without user and password, as it may be shown."""
        return self._name

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._explain_errors(), self._connect().transaction():
            yield

    def rows(self, query: str, values: Sequence[object] = ()) -> list[Row]:
        with self._explain_errors():
            return self._connect().execute(_write_marks(query), values).fetchall()

    def insert(self, statement: str, rows: Sequence[Row]) -> int:
        with self._explain_errors(), self._connect().cursor() as cursor:
            cursor.executemany(_write_marks(statement), rows)
            return max(0, cursor.rowcount)

    def run(self, script: str) -> None:
        with self._explain_errors():
            self._connect().execute(script.encode())

    def lock_schema(self) -> None:
        self.rows("SELECT pg_advisory_xact_lock(?)", (SCHEMA_LOCK,))

    def close(self) -> None:
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()
            self._db = None

    def _connect(self) -> psycopg.Connection[Row]:
        if self._db is None or self._db.closed:
            db = psycopg.connect(self._address, autocommit=True)
            encoding = db.info.parameter_status("server_encoding")
            if encoding != "UTF8":
                db.close()
                raise DatabaseError(f"the database {self} must be made with ENCODING 'UTF8', not {encoding}")
            db.execute(COMMIT_FOR_GOOD)
            self._db = db
        return self._db

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, UnicodeError) as error:
            words = " ".join(str(error).split())
            if _is_refused(error):
                raise ValueRefusedError(words) from error
            self.close()
            raise DatabaseAwayError(f"the database {self} cannot be used: {words}") from error


def _is_refused(error: Exception) -> bool:
    """Returns whether an error lies with a value, and not with the database."""
    if isinstance(error, psycopg.Error) and error.sqlstate:
        return error.sqlstate[:2] in REFUSED
    return isinstance(error, psycopg.DataError | UnicodeError)


@cache
def _write_marks(statement: str) -> bytes:
    """Returns a statement with the marks that psycopg has for values."""
    return statement.replace("%", "%%").replace("?", "%s").encode()
