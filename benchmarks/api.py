"""Sends random requests to the whole API, as the API describes itself.

    python -m benchmarks api [SECONDS]

It runs for 600 seconds unless said otherwise. Schemathesis (`pip install schemathesis`) makes the requests
and prints every fault: an answer 5xx, one that is not declared, or one of another type than declared. Another
game begins every few seconds, so that there is always one to act in.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from random import Random

from benchmarks.pictures import virtual_camera
from companion import games
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import NewGame
from companion.table.table import Table
from web import Settings, create_app
from web.runtime.runtime import Runtime
from web.server.server import Server

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
PATIENT = ("--request-timeout", "60")
"""Looking for a board takes its time, above all where there is none."""
EACH = 3.0
"""Seconds of each game."""


def main(args: list[str]) -> int:
    command = shutil.which("schemathesis", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if command is None:
        print("this needs Schemathesis: .venv/bin/pip install schemathesis", file=sys.stderr)
        return 2
    seconds = args[0] if args else "600"
    with tempfile.TemporaryDirectory() as folder, _served(Path(folder)) as (address, cookie, token):
        return subprocess.run(
            [
                command, "run", f"{address}/api/v1/openapi.json", "--phases", "fuzzing", "--checks", CHECKS,
                "--max-time", seconds, "--max-examples", "100000", "--continue-on-failure", *PATIENT,
                "-H", f"X-CSRF-Token: {token}", "-H", f"Cookie: {cookie}",
            ],
            cwd=folder, check=False,
        ).returncode  # fmt: skip


@contextmanager
def _served(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Serves a virtual table whose camera can be set up; gives the address and a session that may do
    everything."""
    store, profiles = folder / "games.sqlite", folder / "profiles"
    profiles.mkdir()
    with (
        Store(store) as games,
        Store(store) as read,
        Table(Desk(games)) as table,
        Runtime(table, ("virtual",), profiles, Random(1)) as runtime,
    ):
        settings = Settings(port=0, streams=8, think_seconds=0.2, stream_seconds=0.2)
        services = replace(virtual_camera(profiles), store=read, virtual_table=runtime.virtual)
        app = create_app(table, settings, services)
        server = Server(app)
        threading.Thread(target=server.run, daemon=True).start()
        threading.Thread(target=_begin, args=(table,), daemon=True).start()
        answer = app.test_client().get("/api/v1/session", base_url="http://localhost")
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        try:
            yield f"http://127.0.0.1:{server.port}", cookie, answer.get_json()["csrf"]
        finally:
            server.close()


def _begin(table: Table) -> None:
    """Begins one game after the other: some requests make sense in some games alone."""
    for name in cycle(games.installed()):
        table.ask(NewGame(name))
        time.sleep(EACH)
