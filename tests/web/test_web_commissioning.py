"""Commissioning a sensor grid from the page: faults put into a virtual grid, simulated hands, and fingers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from web_clients import OPEN, PATIENCE_S, Client, serving
from web_hands import wait_until
from web_pages import expect, leave, visit

from companion.core.board import load_board
from companion.table.messages import NewGame
from companion.table.table import Table
from firmware_bridge.sensing.calibration import load_calibration
from firmware_bridge.sensing.grid_source import SETTING_UP, VirtualGridSource
from firmware_bridge.sensing.lamps import TAKE
from firmware_bridge.sensing.virtual import SteppedClock
from firmware_bridge.sensing.virtual_faults import parse_faults
from firmware_bridge.setup.commissioning import CommissioningStage
from firmware_bridge.setup.grid_setup import IDLE_S, GridSetup
from firmware_bridge.setup.simulated_builder import SimulatedBuilder
from web import Services, Settings, create_app
from web.runtime.runtime import Runtime

FAULTS = "virtual?exchanged=a1,b1&turned=c3&dead=d4&weak=b2"
PATH = "/api/v1/setup/grid/commissioning"
FOUND = [
    "The wires of a1 and b1 are exchanged.",
    "d4 does not answer.",
    "b2: weak (35 %).",
    "c3: turned over.",
]


BOARD = load_board("rooks")


def even_out(source: VirtualGridSource) -> None:
    """Makes all sensors alike but for their faults, so that shares are round."""
    for site, sensor in source.device.sensors.items():
        swing = 160.0 * {"b2": 0.35, "c3": -1.0, "d4": 0.0}.get(site, 1.0)
        source.device.sensors[site] = replace(sensor, swing=swing)


@dataclass
class Desk:
    """A table, and a virtual grid of 16 sites with faults whose time passes in `pump` alone."""

    table: Table
    source: VirtualGridSource
    setup: GridSetup
    path: Path
    clock: SteppedClock

    def pump(self, seconds: float = 0.0) -> None:
        """Lets the line run for a moment."""
        end = self.clock() + seconds
        self.source.link.step()
        while self.clock() < end:
            self.source.link.step()

    def until(self, is_so: Callable[[], bool]) -> None:
        for _ in range(20_000):
            if is_so():
                return
            self.pump()
        raise AssertionError("it never was")

    def commission(self, pieces: tuple[float, ...] = (1.0, 0.4)) -> None:
        """Lets simulated hands walk over the grid."""
        hands = SimulatedBuilder(self.source.device, pieces)

        def is_done() -> bool:
            with self.setup.commissioning() as work:
                hands.act(work, self.clock())
                return work.stage is CommissioningStage.SHEET

        self.until(is_done)


@pytest.fixture
def desk(table: Table, tmp_path: Path) -> Desk:
    clock = SteppedClock()
    source = VirtualGridSource(BOARD, None, "serial:virtual", parse_faults(FAULTS) or (), clock)
    even_out(source)
    setup = GridSetup(source, tmp_path / "grid.json")
    found = Desk(table, source, setup, tmp_path / "grid.json", clock)
    found.until(lambda: source.hello is not None)
    return found


@pytest.fixture
def client(desk: Desk) -> Client:
    return Client(create_app(desk.table, services=Services(grid_setup=desk.setup)))


def post(client: Client, deed: str = "", **body: object) -> dict[str, Any]:
    answer = client.post(f"{PATH}/{deed}".rstrip("/"), body)
    assert answer.status_code == 200, answer.get_json()
    found: dict[str, Any] = answer.get_json()
    return found


def test_faults_are_named_the_map_is_kept_and_can_be_taken_back(client: Client, desk: Desk) -> None:
    assert client.get("/api/v1/setup/grid").get_json()["commissioning"] is False
    begun = post(client)
    assert (begun["stage"], begun["words"]) == (
        "empty", "Clear the board: nothing may stand on it. Then measure it."
    )  # fmt: skip
    desk.commission()
    sheet = client.get(PATH).get_json()["sheet"]
    assert [f["words"] for f in sheet["findings"][:4]] == FOUND
    assert sheet["findings"][4]["words"].startswith("Piece 2 ")
    assert sheet["wires"] == {"a1": "b1", "b1": "a1"}
    assert not sheet["whole"]
    kept = post(client, "keeping", map=True)
    assert kept["saved"]
    assert [f["mended"] for f in kept["sheet"]["findings"]] == [True, False, False, True, False]
    assert load_calibration(desk.path).wires == {"a1": "b1", "b1": "a1"}
    shown = client.get("/api/v1/setup/grid").get_json()
    assert shown["wires"] == {"a1": "b1", "b1": "a1"}
    assert shown["commissioning"] is True
    answer = client.post("/api/v1/setup/grid/map-removal", {})
    assert answer.get_json()["wires"] == {}
    assert load_calibration(desk.path).wires == {}
    assert client.post("/api/v1/setup/grid/map-removal", {}).status_code == 409


def begin_lamps(client: Client, desk: Desk) -> None:
    post(client)
    post(client, "empty")
    desk.until(lambda: bool(client.get(PATH).get_json()["stage"] == "lamps"))


def test_a_commissioning_waits_for_who_left_it(client: Client, desk: Desk) -> None:
    begin_lamps(client, desk)
    asked = post(client, "on")["asked"]
    assert client.post("/api/v1/setup/grid/end", {}).status_code == 200
    assert not desk.source.is_busy
    found = client.get(PATH).get_json()
    assert (found["stage"], found["asked"]) == ("walk", asked)
    assert desk.source.is_busy


def test_lamps_are_the_commissioning_s_while_it_is_on(client: Client, desk: Desk) -> None:
    lamps = desk.source.device.lamps
    desk.source.shine({"d1": TAKE})
    desk.until(lambda: any(lamps))
    game_s = bytes(desk.source.device.lamps)
    begin_lamps(client, desk)
    desk.until(lambda: min(desk.source.device.lamps[::3]) > 0)
    client.post("/api/v1/setup/grid/end", {})
    desk.until(lambda: bytes(desk.source.device.lamps) == game_s)


def test_when_nobody_looks_any_more_play_goes_on_and_nothing_is_asked(client: Client, desk: Desk) -> None:
    begin_lamps(client, desk)
    post(client, "on")
    desk.pump(1.0)
    assert desk.source.is_busy
    desk.clock.wait(IDLE_S)
    desk.source.link.step()
    desk.until(lambda: not desk.source.is_busy and not any(desk.source.device.lamps))
    told = client.get(PATH).get_json()["stage"]
    assert told == "walk"


def test_a_game_that_is_on_sees_nothing_of_it(client: Client, desk: Desk) -> None:
    desk.until(lambda: bool(desk.source.grid and desk.source.grid.states))
    desk.source.waiting_sightings()
    post(client)
    desk.commission()
    seen = desk.source.waiting_sightings()
    assert seen
    assert {(sighting.observation, sighting.trouble) for sighting in seen} == {(None, SETTING_UP)}


@pytest.mark.parametrize(
    ("deed", "body", "code", "words"),
    [
        ("ask", {"site": "z9"}, 409, "no site 'z9'"),
        ("ask", {"site": "a1"}, 409, "measure the empty board"),
        ("ask", {}, 400, "missing required field `site`"),
        ("dark", {"site": "z9"}, 409, "no site"),
        ("keeping", {"map": True}, 409, "begin with the empty board"),
        ("keeping", {"map": "yes"}, 400, "Expected `bool`"),
    ],
)
def test_what_is_refused_says_what_to_do(
    client: Client, deed: str, body: object, code: int, words: str
) -> None:
    post(client)
    answer = client.post(f"{PATH}/{deed}", body)
    assert answer.status_code == code
    assert words in answer.get_json()["error"]


def test_before_it_was_begun_it_says_so(client: Client) -> None:
    for answer in (client.get(PATH), client.post(f"{PATH}/skip", {})):
        assert (answer.status_code, answer.get_json()["error"]) == (409, "begin the commissioning first")


def test_a_grid_that_is_unplugged_is_told_and_gone_on_with(client: Client, desk: Desk) -> None:
    begin_lamps(client, desk)
    post(client, "on")
    desk.source.pull()
    desk.pump()
    lost = client.get(PATH).get_json()
    assert lost["lost"]
    assert lost["words"].startswith("The grid is not there:")
    desk.until(lambda: not client.get(PATH).get_json()["lost"])
    found = client.get(PATH).get_json()
    assert (found["stage"], found["asked"]) == ("walk", "a1")
    assert found["said"] == "The grid is there again: it goes on where it was."
    desk.commission()
    assert "The wires of a1 and b1 are exchanged." in str(client.get(PATH).get_json()["sheet"])


def test_only_the_arbiter_commissions_a_grid(desk: Desk) -> None:
    guest = Client(create_app(desk.table, OPEN, Services(grid_setup=desk.setup)), "10.0.0.9", "10.0.0.1")
    assert guest.get(PATH).status_code == 403
    assert guest.post(PATH, {}).status_code == 403
    assert guest.post(f"{PATH}/empty", {}).status_code == 403


@pytest.fixture
def live(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runtime]:
    """The same grid while the companion runs, with the puzzle of rooks on the table."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    assert table.ask(NewGame("rooks")).ok
    with Runtime(table, (f"serial:{FAULTS}",), tmp_path, random.Random(1)) as runtime:
        assert isinstance(runtime.grid, VirtualGridSource)
        even_out(runtime.grid)
        shown = -1
        while runtime.grid.hello is None and (snapshot := table.wait(shown, PATIENCE_S)):
            shown = snapshot.id
        yield runtime


@pytest.mark.browser
def test_fingers_commission_a_grid_and_the_first_move_is_read_right(
    browser: Any, live: Runtime, tmp_path: Path
) -> None:
    source = live.grid
    assert isinstance(source, VirtualGridSource)
    services = Services(grid_setup=GridSetup(source, tmp_path / "grid.json"))
    with serving(create_app(live.table, Settings(port=0, streams=8), services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup/grid", "tablet")
        page.tap("text=Commission the grid")
        page.tap("text=The board is empty: measure it")
        for colour in ("red", "green", "blue"):  # a tap is for the question that is shown
            expect(page.locator(".said")).to_contain_text(colour)
            page.tap("text=Yes, all do")
        page.tap("text=Yes, it runs along the rows")
        walk(page)
        expect(page.locator(".said")).to_contain_text("Try the pieces' magnets")
        page.tap("text=Leave the pieces out")
        expect(page.locator(".said")).to_have_text("4 things have to be looked at.")
        for words in FOUND:
            expect(page.locator("ul.bad")).to_contain_text(words)
        expect(page.locator('[data-site="a1"]')).to_contain_text("exchanged")
        expect(page.locator(".side")).to_contain_text("a1 ↔ b1")
        page.tap("text=Keep it, with the map of the wires")
        expect(page.locator(".side")).to_contain_text("Kept: the grid uses it from now on.")
        assert load_calibration(tmp_path / "grid.json").wires == {"a1": "b1", "b1": "a1"}

        source.put(source.device.magnets, False)
        page.tap("text=Back to the game")
        expect(page.locator("#board svg")).to_be_visible()
        source.put(["a1"], True)
        expect(page.locator("#moves .move")).to_have_count(1)
        session = live.table.snapshot.session
        assert session is not None
        assert [str(action) for action in session.actions] == ["+a1"]
        leave(page)


@pytest.mark.browser
def test_a_page_that_was_opened_before_the_grid_is_there_says_why_and_goes_on(
    browser: Any, table: Table, tmp_path: Path
) -> None:
    runtime = Runtime(table, ("serial:virtual",), tmp_path, random.Random(1))
    assert runtime.grid is not None
    services = Services(grid_setup=GridSetup(runtime.grid, tmp_path / "grid.json"))
    with serving(create_app(table, Settings(port=0, streams=8), services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup/grid", "tablet")
        expect(page.locator(".said")).to_have_text("No sensor grid is connected: plug it in")
        with runtime:
            expect(page.locator("text=Commission the grid")).to_be_visible()
            leave(page, faults=len(page.faults))  # the refusals


@pytest.mark.browser
def test_a_page_says_when_the_companion_is_gone_and_follows_what_it_is_then(
    browser: Any, live: Runtime, tmp_path: Path
) -> None:
    source = live.grid
    assert isinstance(source, VirtualGridSource)
    setup = GridSetup(source, tmp_path / "grid.json")
    app = create_app(live.table, Settings(port=0, streams=8), Services(grid_setup=setup))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup/grid", "tablet")
        page.tap("text=Commission the grid")
        page.route("**/setup/grid/commissioning", lambda route: route.abort())
        expect(page.locator(".heard.wrong")).to_have_text("No connection to the table")
        page.unroute("**/setup/grid/commissioning")
        expect(page.locator(".heard.wrong")).to_have_count(0)
        app.extensions["companion"].services = Services(grid_setup=GridSetup(source, tmp_path / "grid.json"))
        expect(page.locator("text=Commission the grid")).to_be_visible()  # it has started anew
        source.lay(load_board("triune"), [])
        expect(page.locator('[data-site="h8"]')).to_be_visible()
        leave(page, faults=len(page.faults))


@pytest.mark.browser
def test_play_is_not_held_by_a_look_that_was_on_its_way(browser: Any, live: Runtime, tmp_path: Path) -> None:
    assert live.grid is not None
    services = Services(grid_setup=GridSetup(live.grid, tmp_path / "grid.json"))
    with serving(create_app(live.table, Settings(port=0, streams=8), services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup/grid", "tablet")
        page.tap("text=Commission the grid")
        expect(page.locator("text=The board is empty: measure it")).to_be_visible()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(f"{request.method} {request.url.rpartition('/')[2]}"))
        late: list[Any] = []
        page.route("**/setup/grid/commissioning", lambda route: late.append(route))
        wait_until(page, lambda: bool(late), "a look")
        page.tap("text=Back to the game")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert "POST end" not in asked
        late[0].continue_()
        expect(page.locator("#board svg")).to_be_visible()
        assert asked.index("POST end") > asked.index("GET commissioning")
        assert not live.grid.is_busy
        leave(page)


def walk(page: Any) -> None:
    """Puts a magnet on each site that the page asks for. At d4 nothing answers."""
    expect(page.locator(".spot.asked")).to_have_count(1)
    while page.locator(".spot.asked").count():
        site = page.locator(".spot.asked").get_attribute("data-site")
        spot = page.locator(f'[data-site="{site}"]')
        if site == "d4":
            page.keyboard.press("n")
        else:
            spot.tap()
        if site == "a1":  # b1 is felt: that could be a finger which is one site ahead
            expect(page.locator(".heard")).to_contain_text("lift it and put it there again")
            spot.tap()
            expect(page.locator(".felt")).to_have_count(0)
            spot.tap()
        again = page.locator(f'.spot.asked[data-site="{site}"]')
        expect(again).to_have_count(0)


@pytest.mark.browser
def test_a_sheet_that_does_not_suffice_says_why_it_is_not_kept(
    browser: Any, live: Runtime, tmp_path: Path
) -> None:
    assert live.grid is not None
    services = Services(grid_setup=GridSetup(live.grid, tmp_path / "grid.json"))
    with serving(create_app(live.table, Settings(port=0, streams=8), services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup/grid", "7 inch")
        page.tap("text=Commission the grid")
        page.tap("text=The board is empty: measure it")
        page.tap("text=Leave the lamps out")
        page.tap("text=End the walk here")
        page.tap("text=Keep this calibration")
        expect(page.locator(".heard.wrong")).to_contain_text("walk one magnet")
        for _ in range(2):  # it stays when the page has asked anew
            page.wait_for_event("requestfinished", lambda asked: asked.url.endswith("/commissioning"))
        expect(page.locator(".heard.wrong")).to_contain_text("walk one magnet")
        page.tap("text=Try a1 and what follows")
        expect(page.locator(".spot.asked")).to_have_attribute("data-site", "a1")
        leave(page, faults=1)  # the refusal
