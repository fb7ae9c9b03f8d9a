"""Testing a sensor grid from the page: a virtual grid with bad sensors, and fingers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask
from web_clients import OPEN, Client, serving, until
from web_pages import enter_pin, expect, leave, visit

from companion.table.messages import NewGame
from companion.table.snapshot import SourceStatus
from companion.table.table import Table
from firmware_bridge.sensing.calibration import Calibration, load_calibration
from firmware_bridge.sensing.grid_source import SETTING_UP, VirtualGridSource
from firmware_bridge.setup.grid_setup import GridSetup
from tests.firmware_bridge.commissioned import Bench, device
from tests.samples import first_few
from web import Services, Settings, cli, create_app
from web.runtime.runtime import Runtime
from web.server.context import Context


@dataclass
class Desk:
    """A table with a virtual grid at it; c3 is dead, f6 stuck, b7 noisy."""

    table: Table
    source: VirtualGridSource
    setup: GridSetup
    path: Path

    def until(self, is_so: Callable[[SourceStatus], bool]) -> None:
        """Waits until this is so of what the page shows of the grid."""
        until(self.table, lambda snapshot: any(map(is_so, snapshot.sources)))


@pytest.fixture
def desk(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    runtime = Runtime(table, ("serial:virtual",), tmp_path, random.Random(1))
    source = runtime.grid
    assert isinstance(source, VirtualGridSource)
    sensors = source.device.sensors
    sensors["c3"] = replace(sensors["c3"], swing=0.0)
    sensors["f6"] = replace(sensors["f6"], rest=672.0, swing=0.0)
    sensors["b7"] = replace(sensors["b7"], noise=40)
    with runtime:
        found = Desk(table, source, GridSetup(source, tmp_path / "grid.json"), tmp_path / "grid.json")
        found.until(lambda source: source.state != "lost")
        yield found


@pytest.fixture
def client(desk: Desk) -> Client:
    return Client(create_app(desk.table, services=Services(grid_setup=desk.setup)))


def post(client: Client, step: str, **body: object) -> dict[str, Any]:
    answer = client.post(f"/api/v1/setup/grid/{step}", body)
    assert answer.status_code == 200, answer.get_json()
    found: dict[str, Any] = answer.get_json()
    return found


def bad(found: dict[str, Any]) -> dict[str, str]:
    return {site: spot["verdict"] for site, spot in found["spots"].items() if spot["verdict"]}


def test_what_was_learned_is_kept_in_the_folder_of_the_games(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`companion run --data DIR`, and again after a restart."""
    known: list[Calibration | None] = []

    class Calibrating:
        """In the place of the server: what its first visitor does."""

        port = 0

        def __init__(self, app: Flask) -> None:
            self._context: Context = app.extensions["companion"]

        def run(self) -> None:
            setup = self._context.services.grid_setup
            assert setup is not None
            assert isinstance(setup.source, VirtualGridSource)
            desk = Desk(self._context.table, setup.source, setup, tmp_path)
            desk.until(lambda source: source.state != "lost")
            assert setup.source.grid
            known.append(setup.source.grid.calibration)
            if len(known) > 1:
                return
            setup.begin()
            with setup.commissioning() as work:  # on a bench, whose time is its own: the line waits meanwhile
                bench = Bench(device())
                bench.work = work
                bench.commission()
            setup.keep(with_map=True)

    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "elsewhere"))
    monkeypatch.setattr("web.options.Server", Calibrating)
    for _ in range(2):
        options = ["--source", "serial:virtual", "--data", str(tmp_path / "data")]
        assert CliRunner().invoke(cli.run, options, catch_exceptions=False).exit_code == 0
    assert known == [None, load_calibration(tmp_path / "data" / "grid.json")]


def test_a_test_names_the_bad_sensors(client: Client) -> None:
    found = post(client, "test", empty=True)
    assert bad(found) == {"b7": "noisy", "f6": "stuck"}
    assert found["words"] == "62 of 64 sensors are good."
    assert bad(post(client, "test", empty=False)) == {"b7": "noisy"}


def test_nothing_that_stands_there_counts_while_the_grid_is_set_up(client: Client, desk: Desk) -> None:
    assert desk.table.ask(NewGame("triune")).ok
    post(client, "test", empty=True)
    desk.until(lambda source: source.words == SETTING_UP)
    verdict = desk.table.snapshot.verdict
    assert verdict is None or verdict.kind == "setup"
    post(client, "end")
    desk.until(lambda source: source.words != SETTING_UP)


@pytest.mark.parametrize(
    ("step", "body", "code", "words"),
    [
        ("test", {"empty": "half"}, 400, "Expected `bool`, got `str`"),
        ("map-removal", {}, 409, "no map of the wires is in use"),
        ("magnets", {"on": ["z9"], "off": []}, 400, "sites of the board"),
        ("magnets", {"on": [{}], "off": []}, 400, "Expected `str`, got `object`"),
    ],
)
def test_what_is_refused_says_what_to_do(
    client: Client, step: str, body: object, code: int, words: str
) -> None:
    answer = client.post(f"/api/v1/setup/grid/{step}", body)
    assert answer.status_code == code
    assert words in answer.get_json()["error"]


def test_without_a_grid_the_page_says_so(home: Client) -> None:
    answer = home.get("/api/v1/setup/grid")
    assert (answer.status_code, "no sensor grid" in answer.get_json()["error"]) == (404, True)


def test_a_grid_that_is_unplugged_is_said_to_be(client: Client, desk: Desk) -> None:
    desk.source.link.stop()
    answer = client.get("/api/v1/setup/grid")
    assert (answer.status_code, answer.get_json()["error"]) == (
        409, "no sensor grid is connected: plug it in"
    )  # fmt: skip


def test_only_the_arbiter_sets_a_grid_up(desk: Desk) -> None:
    guest = Client(create_app(desk.table, OPEN, Services(grid_setup=desk.setup)), "10.0.0.9", "10.0.0.1")
    assert guest.get("/api/v1/setup/grid").status_code == 403
    assert guest.post("/api/v1/setup/grid/test", {"empty": True}).status_code == 403


def test_magnets_on_a_virtual_grid_stay_where_they_are_put(table: Table, tmp_path: Path) -> None:
    """The virtual table beside it laid its own pieces again at once: no board was ever empty."""
    assert table.ask(NewGame("triune")).ok
    runtime = Runtime(table, ("virtual", "serial:virtual"), tmp_path, random.Random(1), tmp_path)
    source = runtime.grid
    assert isinstance(source, VirtualGridSource)
    with runtime:
        setup = GridSetup(source, tmp_path / "grid.json")
        found = Desk(table, source, setup, tmp_path / "grid.json")
        found.until(lambda status: status.name == source.name and status.state == "ok")
        client = Client(create_app(table, services=Services(grid_setup=setup)))
        sites = list(source.device.wiring.sites)
        post(client, "magnets", on=[], off=sites)
        assert post(client, "test", empty=True)["words"] == "All 64 sensors are good."
        assert source.device.magnets == ()


@pytest.mark.browser
@pytest.mark.parametrize("size", first_few(1, ["7 inch", "tablet"]))
def test_fingers_test_a_grid(browser: Any, desk: Desk, size: str) -> None:
    app = create_app(desk.table, Settings(port=0, streams=8), Services(grid_setup=desk.setup))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup/grid", size)
        expect(page.locator(".spot")).to_have_count(64)
        page.locator('[data-site="a1"]').tap()
        expect(page.locator('[data-site="a1"] .felt')).to_be_visible()
        page.tap("text=Take all magnets off")
        expect(page.locator('[data-site="a1"] .felt')).to_have_count(0)
        page.tap("text=It is empty")
        expect(page.locator(".said")).to_contain_text("62 of 64 sensors are good")
        expect(page.locator(".side .bad li")).to_have_count(2)
        expect(page.locator('[data-site="f6"]')).to_contain_text("stuck")
        assert desk.source.is_busy
        page.tap("text=Back to the game")
        expect(page.locator(".games").first).to_be_visible()
        assert not desk.source.is_busy
        leave(page)


@pytest.mark.browser
def test_the_pin_is_entered_where_a_grid_is_set_up(browser: Any, desk: Desk) -> None:
    app = create_app(desk.table, Settings(port=0, streams=8, pin="4711"), Services(grid_setup=desk.setup))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup/grid", "tablet")
        expect(page.locator("#side")).to_contain_text("Only the arbiter sets the grid up.")
        enter_pin(page)
        expect(page.locator(".spot")).to_have_count(64)
        leave(page)
