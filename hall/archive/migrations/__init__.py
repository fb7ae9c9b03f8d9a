"""Brings a database's schema up to date, by the numbered files of SQL in this folder.

`NNN_name.sql` is for both dialects, `NNN_name.postgresql.sql` and `NNN_name.sqlite.sql` for one. A file that
was published is never changed: what is to be otherwise gets the next number.
"""

from __future__ import annotations

from importlib.resources import files

from hall.archive.database import Database, DatabaseError

VERSIONS = """
CREATE TABLE IF NOT EXISTS schema_version (
    version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied DOUBLE PRECISION NOT NULL);
"""


class LaterVersionError(DatabaseError):
    """A database that a later version of the program has changed."""


def migrations(dialect: str) -> dict[int, tuple[str, str]]:
    """Returns the migrations of a dialect by number: the name of each, and its SQL."""
    found = {}
    for file in files(__package__).iterdir():
        name, *dialects = file.name.removesuffix(".sql").split(".")
        if file.name.endswith(".sql") and dialects in ([], [dialect]):
            number, _, words = name.partition("_")
            found[int(number)] = (words, file.read_text(encoding="utf-8"))
    return dict(sorted(found.items()))


def migrate(database: Database, now: float) -> None:
    """Runs the migrations that a database lacks, all or none, and one program at a time.

    LaterVersionError where a later version of the program has changed it.
    """
    known = migrations(database.dialect)
    with database.transaction():
        database.lock_schema()
        database.run(VERSIONS)
        version = database.rows("SELECT COALESCE(MAX(version), 0) FROM schema_version")[0][0]
        if version > max(known):
            raise LaterVersionError(
                f"a later version of the companion has changed the database {database}: use that one"
            )
        for number in range(version + 1, max(known) + 1):
            name, script = known[number]
            database.run(script)
            database.insert("INSERT INTO schema_version VALUES (?, ?, ?)", [(number, name, now)])
