"""Testing and calibrating a sensor grid from the page: a virtual grid with bad sensors, and fingers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from web_clients import OPEN, Client, serving
from web_pages import enter_pin, expect, leave, visit

from companion.table.messages import NewGame
from companion.table.snapshot import SourceStatus
from companion.table.table import Table
from firmware_bridge.grid_setup import GridSetup
from firmware_bridge.grid_source import SETTING_UP, VirtualGridSource
from firmware_bridge.sensors import Calibration, load_calibration
from web import Services, Settings, cli, create_app
from web.runtime.runtime import Runtime

PATIENCE = 20.0


@dataclass
class Desk:
    """A table with a virtual grid at it; c3 is dead, f6 stuck, b7 noisy."""

    table: Table
    source: VirtualGridSource
    setup: GridSetup
    path: Path

    def until(self, is_so: Callable[[SourceStatus], bool]) -> None:
        """Waits until this is so of what the page shows of the grid."""
        shown = -1
        while snapshot := self.table.wait(shown, PATIENCE):
            shown = snapshot.id
            if any(map(is_so, snapshot.sources)):
                return
        raise AssertionError("the page never showed it")


@pytest.fixture
def desk(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    runtime = Runtime(table, ("serial:virtual",), tmp_path, random.Random(1))
    source = runtime.grid
    assert isinstance(source, VirtualGridSource)
    sensors = source.device.sensors
    sensors["c3"] = replace(sensors["c3"], fault="dead")
    sensors["f6"] = replace(sensors["f6"], fault="stuck")
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


def test_a_grid_is_calibrated_step_by_step(client: Client, desk: Desk) -> None:
    sites = desk.source.device.wiring.sites
    assert client.get("/api/v1/setup/grid").get_json()["board"] == "triune"
    assert post(client, "empty")["steps"] == {"empty": 30, "full": 0, "walk": 0}
    post(client, "magnets", on=list(sites), off=[])
    assert post(client, "full")["spots"]["a1"]["share"] == pytest.approx(1.2, abs=0.15)
    post(client, "magnets", on=[], off=list(sites))
    turned = desk.source.device.sensors["e5"]
    desk.source.device.sensors["e5"] = replace(turned, swing=-turned.swing)
    for site in ("a1", "d4", "e5"):
        post(client, "magnets", on=[site], off=[])
        walked = post(client, "walk")
        post(client, "magnets", on=[], off=[site])
    assert walked["steps"]["walk"] == 3
    assert "Still to visit" in walked["words"]
    doubt = client.post("/api/v1/setup/grid/calibration", {})
    assert (doubt.status_code, doubt.get_json()["doubtful"]) == (409, True)
    assert "2 sites did not change: c3, f6. Were they empty at first" in doubt.get_json()["error"]
    assert "What stands on 3 sites is not felt if this is kept." in doubt.get_json()["error"]
    assert not desk.path.exists()
    found = post(client, "calibration", sure=True)
    assert bad(found) == {"b7": "noisy", "c3": "dead", "f6": "stuck"}
    assert found["saved"]
    assert found["words"].startswith(
        "61 of 64 sensors are good. Turned over: e5. Each lies with its other face up"
    )
    assert load_calibration(desk.path).blind == {"b7", "c3", "f6"}
    assert desk.source.grid
    assert desk.source.grid.calibration == load_calibration(desk.path)


def test_what_was_learned_is_kept_in_the_folder_of_the_games(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`companion run --data DIR`, and again after a restart."""
    known: list[Calibration | None] = []

    class Calibrating:
        """In the place of the server: what its first visitor does."""

        port = 0

        def __init__(self, served: tuple[Table, Services]) -> None:
            self._table, self._services = served

        def run(self) -> None:
            setup = self._services.grid_setup
            assert setup is not None
            assert isinstance(setup.source, VirtualGridSource)
            desk = Desk(self._table, setup.source, setup, tmp_path)
            desk.until(lambda source: source.state != "lost")
            assert setup.source.grid
            known.append(setup.source.grid.calibration)
            if len(known) > 1:
                return
            setup.take_empty()
            setup.source.put(setup.source.device.wiring.sites, present=True)
            setup.take_full()
            setup.finish()

    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "elsewhere"))
    monkeypatch.setattr(cli, "create_app", lambda table, settings, services: (table, services))
    monkeypatch.setattr(cli, "Server", Calibrating)
    for _ in range(2):
        options = ["--source", "serial:virtual", "--data", str(tmp_path / "data")]
        assert CliRunner().invoke(cli.run, options, catch_exceptions=False).exit_code == 0
    assert known == [None, load_calibration(tmp_path / "data" / "grid.json")]


def test_a_test_names_the_bad_sensors(client: Client) -> None:
    assert bad(post(client, "test", stands="empty")) == {"b7": "noisy", "f6": "stuck"}
    assert bad(post(client, "test", stands="")) == {"b7": "noisy"}


def test_nothing_that_stands_there_counts_while_the_grid_is_set_up(client: Client, desk: Desk) -> None:
    assert desk.table.ask(NewGame("triune")).ok
    post(client, "empty")
    desk.until(lambda source: source.words == SETTING_UP)
    verdict = desk.table.snapshot.verdict
    assert verdict is None or verdict.kind == "setup"
    post(client, "end")
    desk.until(lambda source: source.words != SETTING_UP)


@pytest.mark.parametrize(
    ("step", "body", "code", "words"),
    [
        ("full", {}, 409, "empty board"),
        ("walk", {}, 409, "empty board"),
        ("calibration", {}, 409, "begin with the empty board"),
        ("test", {"stands": "half"}, 400, "'empty', 'full'"),
        ("magnets", {"on": ["z9"], "off": []}, 400, "sites of the board"),
        ("magnets", {"on": [{}], "off": []}, 400, "must be text"),
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
    assert guest.post("/api/v1/setup/grid/empty", {}).status_code == 403


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
        post(client, "empty")
        assert source.device.magnets == ()
        post(client, "magnets", on=sites, off=[])
        assert post(client, "full")["words"].startswith("The full board is noted")
        assert post(client, "calibration")["words"] == "All 64 sensors are good."


@pytest.mark.browser
@pytest.mark.parametrize("size", ["7 inch", "tablet"])
def test_fingers_calibrate_a_grid(browser: Any, desk: Desk, size: str) -> None:
    app = create_app(desk.table, Settings(port=0, streams=8), Services(grid_setup=desk.setup))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup/grid", size)
        expect(page.locator(".spot")).to_have_count(64)
        page.tap("text=1. The board is empty")
        expect(page.locator(".said")).to_contain_text("empty board is noted", timeout=PATIENCE * 1000)
        page.locator('[data-site="a1"]').tap()
        expect(page.locator('[data-site="a1"] .felt')).to_be_visible()
        page.tap("text=Magnets on all sites")
        expect(page.locator(".spot .felt")).not_to_have_count(1)
        page.tap("text=Or: 64 magnets: every site has one")
        expect(page.locator(".said")).to_contain_text("2 sites did not change", timeout=PATIENCE * 1000)
        page.tap("text=3. Keep the calibration")
        expect(page.locator("#sheet")).to_contain_text("2 sites did not change", timeout=PATIENCE * 1000)
        assert not desk.path.exists()
        page.tap("text=Keep it all the same")
        expect(page.locator(".said")).to_contain_text("61 of 64 sensors are good", timeout=PATIENCE * 1000)
        expect(page.locator(".side .bad li")).to_have_count(3)
        expect(page.locator('[data-site="c3"]')).to_contain_text("dead")
        assert load_calibration(desk.path).blind == {"b7", "c3", "f6"}
        page.tap("text=1. The board is empty")
        expect(page.locator(".said")).to_contain_text("empty board is noted", timeout=PATIENCE * 1000)
        assert desk.source.is_busy
        page.tap("text=Back to the game")
        expect(page.locator(".games").first).to_be_visible()
        assert not desk.source.is_busy
        leave(page, faults=1)  # the browser reports the 409 of the doubt


@pytest.mark.browser
def test_the_pin_is_entered_where_a_grid_is_set_up(browser: Any, desk: Desk) -> None:
    app = create_app(desk.table, Settings(port=0, streams=8, pin="4711"), Services(grid_setup=desk.setup))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup/grid", "tablet")
        expect(page.locator("#side")).to_contain_text("Only the arbiter sets the grid up.")
        enter_pin(page)
        expect(page.locator(".spot")).to_have_count(64)
        leave(page)
