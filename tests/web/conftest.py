"""A real table with a stored game, the application around it, and clients of every standing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partialmethod
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask
from web_clients import OPEN, Client, serving

from companion.record.session import Session
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import NewGame
from companion.table.table import Table
from tests.readers import new_reader
from tests.stores import open_store
from vision.calibration.profile import Profile
from vision.geometry.view import View
from vision.reading.reader import Reader
from vision.sources.virtual import VirtualTable
from web import Services, Settings, create_app
from web.runtime.runtime import Runtime, learn_virtual


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(Desk(open_store(tmp_path / "games.db"))) as table:
        yield table


@pytest.fixture
def playing(table: Table) -> Table:
    """The table with a game of Triune on it, two plies old."""
    assert table.ask(NewGame("triune a2-a3 b7~", {"red": "Ann", "blue": "Ben"})).ok
    return table


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """The games as a second reader sees them."""
    return open_store(tmp_path / "games.db")


@pytest.fixture
def home(playing: Table, store: Store) -> Client:
    """A browser on the machine itself, where no PIN is set."""
    return Client(create_app(playing, services=Services(store=store)))


@pytest.fixture
def opened(playing: Table, store: Store) -> Flask:
    """The application opened to the network, with a PIN."""
    return create_app(playing, OPEN, Services(store=store))


@pytest.fixture
def guest(opened: Flask) -> Client:
    """A browser on another machine."""
    return Client(opened, "192.168.1.20", "192.168.1.2")


@pytest.fixture
def arbiter(opened: Flask) -> Client:
    client = Client(opened, "192.168.1.30", "192.168.1.2")
    assert client.post("/api/v1/session/pin", {"pin": "4711"}).status_code == 200
    return client


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    """What starts browsers: there is one for all tests."""
    api = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
    with api.sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(chromium: str, playwright: Any) -> Iterator[Any]:
    """One browser for all tests; each page has a context of its own."""
    from web_pages import ARGUMENTS

    browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture
def address(table: Table, store: Store) -> Iterator[str]:
    """The real server in front of the table."""
    app = create_app(table, Settings(port=0, streams=8), Services(store=store))
    with serving(app) as (host, port):
        yield f"http://{host}:{port}"


RATE = 8.0
"""Frames of the virtual camera in a second."""
PROFILES: dict[tuple[str, View], Profile] = {}
"""What the virtual table's camera learned, by the game and the view."""


def learn_once(virtual: VirtualTable, session: Session) -> Reader:
    """Returns a new reader each time, with a profile that is learned once: it is the same each time."""
    key = session.game.head, virtual.view
    if key not in PROFILES:
        PROFILES[key] = learn_virtual(virtual, session).profile
    return new_reader(PROFILES[key], session.game.board)


@pytest.fixture(autouse=True)
def light_virtual_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Virtual tables whose boards are learned once, with fewer frames than usual: each costs server and
    browser."""
    monkeypatch.setattr("web.runtime.runtime.learn_virtual", learn_once)
    monkeypatch.setattr(VirtualTable, "source", partialmethod(VirtualTable.source, RATE))


@pytest.fixture
def runtime(table: Table, tmp_path: Path) -> Iterator[Runtime]:
    """A virtual table whose camera is read."""
    with Runtime(table, ("virtual",), tmp_path, Random(7)) as runtime:
        yield runtime


@pytest.fixture
def playground(table: Table, runtime: Runtime) -> Iterator[str]:
    """The real server in front of the virtual table."""
    app = create_app(
        table,
        Settings(port=0, streams=8),
        Services(virtual_table=runtime.virtual, newest_frame=runtime.newest, view=runtime.view),
    )
    with serving(app) as (host, port):
        yield f"http://{host}:{port}"
