"""What the page's tests share: clients with a cookie and a token, a clock, a noted hand, a real server."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.table.snapshot import Snapshot
from companion.table.table import Table
from web import Settings
from web.server.server import Server

PATIENCE_S = 60.0
"""Seconds that what must come may take on a busy machine."""
LITTLE_THOUGHT = 600
"""Positions that are enough to see a mate in one."""
OPEN = Settings(host="0.0.0.0", pin="4711", secret=b"k" * 32)  # an open server with a PIN


@dataclass
class Clock:
    """Seconds that pass only when a test says so."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Hand:
    """A virtual table that notes what was done to it."""

    done: list[tuple[Any, ...]] = field(default_factory=list)

    def press(self, x: float, y: float) -> bool:
        self.done.append(("press", x, y))
        return x >= 0

    def drag(self, x: float, y: float) -> None:
        self.done.append(("drag", x, y))

    def drop(self, x: float, y: float) -> None:
        self.done.append(("drop", x, y))

    def turn_over(self, x: float, y: float) -> None:
        self.done.append(("turn_over", x, y))

    def become(self, looks: Any) -> None:
        self.done.append(("become", dict(looks)))


class Client:
    """A browser: keeps its cookie, sends the token it was given."""

    def __init__(self, app: Flask, address: str = "127.0.0.1", host: str = "localhost") -> None:
        self.http: FlaskClient = app.test_client()
        self._base = {"base_url": f"http://{host}", "environ_base": {"REMOTE_ADDR": address}}
        self.token = self.get("/api/v1/session").get_json()["csrf"]

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.http.get(path, **{**self._base, "buffered": True, **more})

    def post(self, path: str, body: object = None, **headers: str) -> TestResponse:
        sent = {"X-CSRF-Token": self.token, **{k.replace("_", "-"): v for k, v in headers.items()}}
        content = json.dumps({} if body is None else body)
        kind = "application/json"
        return self.http.post(path, data=content, content_type=kind, headers=sent, **self._base)

    def post_bytes(self, path: str, body: bytes, kind: str) -> TestResponse:
        headers = {"X-CSRF-Token": self.token, "Content-Type": kind}
        return self.http.post(path, data=body, headers=headers, **self._base)

    def state(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.get("/api/v1/state").data)
        return found


def until(table: Table, is_so: Callable[[Snapshot], Any]) -> Any:
    """Returns the first snapshot of which this is so."""
    snapshot: Snapshot | None = table.snapshot
    while snapshot and not is_so(snapshot):
        snapshot = table.wait(snapshot.id, PATIENCE_S)
    assert snapshot, [table.snapshot.sources, table.snapshot.verdict]
    return snapshot


@contextmanager
def serving(app: Flask) -> Iterator[tuple[str, int]]:
    """The application behind the real server, on a free port."""
    server = Server(app)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield "127.0.0.1", server.port
    finally:
        server.close()
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the server did not end"
