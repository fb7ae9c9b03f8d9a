"""Fixtures of the hall's tests: databases of both kinds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hall.archive.archive import Archive
from hall.archive.database import Database, open_database
from tests.databases import Cluster, cluster


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """A server of PostgreSQL."""
    with cluster() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "hall.sqlite")
    server: Cluster = request.getfixturevalue("postgresql")
    return server.new_schema()


@pytest.fixture
def database(address: str) -> Iterator[Database]:
    """An empty database."""
    opened = open_database(address)
    yield opened
    opened.close()


@pytest.fixture
def archive(database: Database) -> Archive:
    """An archive in which nothing is yet."""
    made = Archive(database)
    made.prepare(1.0)
    return made
