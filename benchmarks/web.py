"""Measures how fast the page's server sends: an event to 50 displays, with and without 200 stalled ones, and
a reload.

    python -m benchmarks web [tls]

By HTTP; with `tls` by HTTPS. Displays and server share one process and its interpreter lock here, so the
printed figures are on the safe side.
"""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.running.figures import spread
from companion.language import ENGLISH
from companion.record.session import ARBITER
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import NewGame, Submit, TakeBack
from companion.table.table import Table
from web import Settings, create_app
from web.server.certificate import self_made
from web.server.context import Context
from web.server.server import Server

DISPLAYS, STALLED, EVENTS, RELOADS, ASKED = 50, 200, 40, 40, 100
FILLING = 300
"""Actions until nothing more is kept for who does not read."""
PAGE = ("/", "/api/v1/session", "/api/v1/state", "/api/v1/board")


@dataclass(frozen=True)
class Dial:
    """Connects to the server, as it wants it."""

    port: int
    trust: ssl.SSLContext | None

    def connect(self, window: int = 0) -> socket.socket:
        connection = socket.socket()
        if window:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        connection.connect(("127.0.0.1", self.port))
        return self.trust.wrap_socket(connection, server_hostname="127.0.0.1") if self.trust else connection


class Display:
    """Reads a stream in a thread of its own, and notes which state came last, and when."""

    def __init__(self, dial: Dial) -> None:
        self.latest = ("", 0.0)
        self._socket = dial.connect()
        self._socket.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with self._socket.makefile("rb") as lines:
            for line in lines:
                if line.startswith(b"id: "):
                    self.latest = (line[4:].decode().strip(), time.perf_counter())


def main(args: list[str]) -> int:
    with _table() as table, ExitStack() as stack:
        certificate = self_made(Path(stack.enter_context(tempfile.TemporaryDirectory()))) if args else None
        streams = DISPLAYS + STALLED + 6
        settings = Settings(
            port=0,
            certificate=certificate,
            streams=streams,
            address_streams=streams,
            address_connections=2 * streams,
        )
        app = create_app(table, settings)
        server = Server(app)
        shared: Context = app.extensions["companion"]
        threading.Thread(target=server.run, daemon=True).start()
        stack.callback(server.close)
        trust = ssl.create_default_context(cafile=str(certificate.cert)) if certificate else None
        dial = Dial(server.port, trust)
        displays = [Display(dial) for _ in range(DISPLAYS)]
        _wait_for(displays, _tag(shared, table))
        print(f"event to 50 displays: {spread(_events(shared, table, displays))}")
        quiet = _ask(table)
        stalled = [_stall(dial) for _ in range(STALLED)]
        print(f"the same beside 200 clients that stall: {spread(_events(shared, table, displays))}")
        for n in range(FILLING):
            _act(table, n)
        busy = _ask(table)
        print(f"an action: {quiet}; beside 200 that have stalled: {busy}")
        reloads = [_reload(dial) for _ in range(RELOADS)]
        print(f"a page's reload, {len(PAGE)} requests: {spread(reloads)}")
        for connection in stalled:
            connection.close()
    return 0


@contextmanager
def _table() -> Iterator[Table]:
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "games.db") as store,
        Table(Desk(store)) as table,
    ):
        table.ask(NewGame("triune"))
        yield table


def _act(table: Table, n: int) -> None:
    table.ask(TakeBack() if n % 2 else Submit("a2-a3"))


def _ask(table: Table) -> str:
    """Returns how long an action at the table takes, and how much of a processor all that follows from it."""
    took, work = [], time.process_time()
    for n in range(ASKED):
        begun = time.perf_counter()
        _act(table, n)
        took.append(time.perf_counter() - begun)
        time.sleep(0.01)
    work = (time.process_time() - work) / ASKED
    return f"median {statistics.median(took) * 1000:.1f} ms, {work * 1000:.1f} ms of a processor"


def _events(shared: Context, table: Table, displays: list[Display]) -> list[float]:
    """Returns for each event and display the time from asking the table to the event's arrival; seconds."""
    took = []
    for n in range(EVENTS):
        begun = time.perf_counter()
        _act(table, n)
        _wait_for(displays, _tag(shared, table))
        took += [display.latest[1] - begun for display in displays]
    return took


def _tag(shared: Context, table: Table) -> str:
    """Returns the tag of what a display on this machine is shown now."""
    return shared.show(table.snapshot, ARBITER, ENGLISH).tag


def _wait_for(displays: list[Display], tag: str) -> None:
    end = time.perf_counter() + 30
    while not all(display.latest[0] == tag for display in displays):
        if time.perf_counter() > end:
            raise SystemExit("a display never got its event")
        time.sleep(0.002)


def _stall(dial: Dial) -> socket.socket:
    """Connects a client that asks for the stream and never reads it."""
    connection = dial.connect(4096)
    connection.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return connection


def _reload(dial: Dial) -> float:
    begun = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", dial.port)
    connection.sock = dial.connect()
    for path in PAGE:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        if path.endswith("state"):
            json.loads(body)
    connection.close()
    return time.perf_counter() - begun
