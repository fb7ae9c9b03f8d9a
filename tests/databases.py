"""A real PostgreSQL for tests: one cluster for all of a run, in a folder of its own, without fsync.

PostgreSQL does not run for root: where the tests do, it runs for the user `postgres`, or `nobody`.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_numbers = itertools.count(1)
SETTINGS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "shared_buffers=32MB",
    "max_connections=60",
    "autovacuum=off",
)


def binaries() -> Path | None:
    """Returns the folder of PostgreSQL's programs; None where they are not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda p: int(p.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("postgres")
    return Path(on_path).parent if on_path else None


class Cluster:
    """A server of PostgreSQL on a free port of 127.0.0.1, with these settings."""

    def __init__(self, programs: Path, folder: Path, settings: tuple[str, ...] = SETTINGS) -> None:
        self._programs, self._data, self._settings = programs, folder / "data", settings
        self._user = _plain_user()
        if self._user:
            shutil.chown(folder, self._user)
        self._run(
            "initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-locale", "--no-sync"
        )
        self.port = _free_port()
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -k '' -c listen_addresses=127.0.0.1"
        options += "".join(f" -c {setting}" for setting in self._settings)
        self._run("pg_ctl", "--wait", "--silent", "--log", str(self._data / "log"), "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "--wait", "--silent", "--mode=immediate", "stop")

    def new_schema(self) -> str:
        """Makes a schema, and returns the address by which it is an empty database of its own: making a whole
        database takes half a second."""
        import psycopg

        name = f"hall{os.getpid()}_{next(_numbers)}"
        with psycopg.connect(self.address, autocommit=True) as db:
            db.execute(f"CREATE SCHEMA {name}".encode())
        return f"{self.address}?options=-csearch_path%3D{name}"

    @property
    def pid(self) -> int:
        """The number of the process that has started all others of the server."""
        return int((self._data / "postmaster.pid").read_text().split()[0])

    @property
    def address(self) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def _run(self, program: str, *options: str) -> None:
        subprocess.run(
            [self._programs / program, "--pgdata", self._data, *options],
            user=self._user,
            cwd="/",
            check=True,
            timeout=60,
            stdout=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
        )


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """Starts a server for a while; skips the test where PostgreSQL is not installed."""
    programs = binaries()
    if programs is None:
        pytest.skip("needs PostgreSQL: sudo apt install postgresql")
    with tempfile.TemporaryDirectory(prefix="postgresql-") as folder:
        server = Cluster(programs, Path(folder))
        try:
            yield server
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):  # a test may have stopped it
                server.stop()


def _plain_user() -> str | None:
    """Returns the user that PostgreSQL runs as: None for the one of the tests."""
    if os.getuid():
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
