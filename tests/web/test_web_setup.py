"""Setting a camera up from the page: the virtual table's pictures stand for those of a real camera."""

from __future__ import annotations

import threading
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from web_clients import OPEN, Client, serving
from web_pages import enter_pin, expect, leave, visit

from companion.core.board import load_board
from companion.games.text import read_game, replay, split
from companion.record.session import begin
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from vision.calibration.profile import load_profile
from vision.geometry.lens import usual_lens
from vision.sources.source import CameraFrame
from vision.sources.virtual import VirtualTable
from vision.virtual.render.finish import finish_of
from vision.virtual.render.light import LightSource
from vision.virtual.render.outlook import Mast, look, shifted
from vision.virtual.render.painter import ImageSensor, Painter
from vision.virtual.tabletop import Tabletop
from web import Services, Settings, create_app
from web.runtime.camera_setup import CalibrationResult, CameraSetup

TERNION = "ternion_factor players=2 pawns=4 d10 i10 c8 h3 e5 g5 f7 h7"
"""All pawns are placed, on a board that begins empty."""


class Device:
    """A camera over a Triune board, and a note of what was learned."""

    def __init__(self, folder: Path) -> None:
        self.now = 1_700_000_000.0
        game = read_game("triune")
        self.virtual = VirtualTable(load_board("triune"), Random(5))
        self.looks = dict(game.rules.look(game.start()))
        self.show(self.looks)
        self.told = 0
        self.adjusted = 0
        self.folder, self.snapshot = folder, Snapshot()
        self.bench = CameraSetup(
            lambda camera: self.shot,
            folder,
            self.learned,
            lambda: self.now,
            self.adjust,
            lambda: self.snapshot,
        )

    @property
    def services(self) -> Services:
        return Services(camera_setup=self.bench, newest_frame=lambda camera: self.shot)

    def show(self, looks: dict[str, str]) -> None:
        self.stands = looks
        self.shot: CameraFrame | None = CameraFrame(0.0, self.virtual.picture(looks), 0)

    def show_game(self, text: str, looks: dict[str, str] | None = None) -> None:
        """Shows the board as a game text leaves it, or with these looks on it."""
        game, position, _ = replay(text)
        self.virtual.lay(game.rules, position, game.board)
        self.show(dict(game.rules.look(position)) if looks is None else looks)

    def learned(self) -> None:
        self.told += 1

    def adjust(self, camera: str) -> None:
        self.adjusted += 1


@pytest.fixture
def device(tmp_path: Path) -> Device:
    folder = tmp_path / "profiles"
    folder.mkdir()
    return Device(folder)


@pytest.fixture
def client(table: Table, device: Device) -> Client:
    return Client(
        create_app(
            table, services=Services(camera_setup=device.bench, newest_frame=lambda camera: device.shot)
        )
    )


def test_a_camera_is_set_up_in_three_steps(client: Client, device: Device, tmp_path: Path) -> None:
    device.show({})
    assert client.post("/api/v1/setup/empty", {"game": "triune"}).status_code == 200
    device.show(device.looks)
    assert device.adjusted == 0, "a camera that is held stays so"
    found = client.post("/api/v1/setup/aim", {"game": "triune"}).get_json()
    assert device.adjusted == 1
    expected = device.virtual.view.pixels(load_board("triune").corners)
    assert "pixels a step" in found["placement"]["words"]
    assert found["placement"]["advice"] == []
    step = abs(expected[1][0] - expected[0][0]) / 8
    assert np.array(found["corners"]) == pytest.approx(expected, abs=step / 4)
    lesson = client.post("/api/v1/setup/calibration", {"game": "triune"}).get_json()
    assert lesson == {"board": "triune", "read": 64, "wrong": []}
    assert load_profile(tmp_path / "profiles" / "triune.json").board == "triune"
    assert device.told == 1
    assert client.get("/api/v1/setup/seen.jpg").data[:2] == b"\xff\xd8"
    assert listed(client) == [("", "Triune", "triune", True)]


@pytest.mark.parametrize(
    "text",
    ["triune", "triune a2-a3 b7~", "chess e2e4 e7e5", "magnet =44t24232TK33 =22433Kt234T4"],
)
def test_pieces_on_a_board_that_is_said_to_be_empty_are_seen(
    client: Client, device: Device, text: str
) -> None:
    """A game that was going on was taken for the empty board, but for its start position."""
    device.show_game(text)
    answer = client.post("/api/v1/setup/empty", {"game": text.split()[0]})
    assert answer.status_code == 409
    assert "still pieces on the board" in answer.get_json()["error"]


def test_pieces_on_a_board_that_begins_empty_are_named(client: Client, device: Device) -> None:
    """They were taken for what the empty board looks like, and nothing was said."""
    device.show_game(TERNION)
    lesson = client.post("/api/v1/setup/calibration", {"game": "ternion_factor"}).get_json()
    assert lesson["wrong"]
    assert set(lesson["wrong"]) <= set(TERNION.split())
    device.show({})
    lesson = client.post("/api/v1/setup/calibration", {"game": "ternion_factor"}).get_json()
    assert lesson["wrong"] == []


def test_a_piece_that_has_no_like_is_not_misread(client: Client, device: Device) -> None:
    """Each Master of TRID was called misread, however often it was learned."""
    device.show_game("trid")
    lesson = client.post("/api/v1/setup/calibration", {"game": "trid"}).get_json()
    assert (lesson["read"], lesson["wrong"]) == (150, [])


@pytest.mark.parametrize("stands", ["triune a2-a3 g7-g6 b2-b3", "triune"])
def test_in_the_middle_of_a_game_its_position_teaches(client: Client, device: Device, stands: str) -> None:
    """It had to be cleared away for the start position, or was learned as that."""
    game, actions = split("triune a2-a3 g7-g6 b2-b3")
    device.snapshot = Snapshot(session=begin(game).play(*actions), number=1)
    device.show_game(stands)
    lesson = client.post("/api/v1/setup/calibration", {"game": "triune"}).get_json()
    assert lesson["wrong"] == []
    [example] = load_profile(device.folder / "triune.json").examples
    assert {p: look for p, look in example.looks.items() if look != "empty"} == device.stands


def test_a_camera_that_moved_since_the_empty_board_spoils_nothing(client: Client, device: Device) -> None:
    device.show_game("chess", {})
    device.shot = CameraFrame(0.0, np.roll(device.shot.image, 30, axis=1), 0)  # type: ignore[union-attr]
    assert client.post("/api/v1/setup/empty", {"game": "chess"}).status_code == 200
    device.show_game("chess")
    lesson = client.post("/api/v1/setup/calibration", {"game": "chess"}).get_json()
    assert (lesson["read"], lesson["wrong"]) == (64, [])


def listed(client: Client) -> list[tuple[str, str, str, bool]]:
    found = client.get("/api/v1/setup/profiles").get_json()["profiles"]
    return [(p["name"], p["title"], p["board"], p["used"]) for p in found]


@pytest.mark.parametrize(
    ("path", "body", "code", "words"),
    [
        ("aim", {"game": "ludo"}, 400, "no game"),
        ("aim", {"game": "triune board=/etc/passwd"}, 400, "no game"),
        ("calibration", {"game": "triune", "corners": [[1, 2]]}, 400, "four"),
        (
            "calibration",
            {"game": "triune", "corners": [[1, 2], [3, 4], [5, 6], [7, True]]},
            400,
            "Expected `float`, got `bool`",
        ),
        ("calibration", {"game": "triune", "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]}, 409, "corners"),
        ("profiles", {"profile": {}}, 409, "profile"),
    ],
)
def test_what_cannot_be_set_up(
    client: Client, device: Device, path: str, body: object, code: int, words: str
) -> None:
    answer = client.post(f"/api/v1/setup/{path}", body)
    error = answer.get_json()["error"]
    assert (answer.status_code, "\n" in error) == (code, False)
    assert words in error
    assert device.told == 0


def test_a_camera_without_a_picture_says_so(client: Client, device: Device) -> None:
    device.shot = None
    answer = client.post("/api/v1/setup/aim", {"game": "triune"})
    assert (answer.status_code, "no picture" in answer.get_json()["error"]) == (409, True)


def test_only_the_arbiter_sets_up(table: Table, device: Device) -> None:
    guest = Client(create_app(table, OPEN, Services(camera_setup=device.bench)), "10.0.0.9", "10.0.0.1")
    for path in ("aim", "empty", "calibration"):
        assert guest.post(f"/api/v1/setup/{path}", {"game": "triune"}).status_code == 403
    for path, body in (
        ("profiles", {"profile": {}}), ("names", {"board": "triune", "name": "x"}),
        ("profiles/x/use", {}), ("profiles/x/deletion", {}),
    ):  # fmt: skip
        assert guest.post(f"/api/v1/setup/{path}", body).status_code == 403
    for path in ("profiles", "profiles/triune", "boards/triune", "seen.jpg"):
        assert guest.get(f"/api/v1/setup/{path}").status_code == 403


@pytest.mark.browser
@pytest.mark.parametrize("size", ["7 inch", pytest.param("phone", marks=pytest.mark.soak)])
def test_a_newcomer_sets_the_camera_up(browser: Any, table: Table, device: Device, size: str) -> None:
    """Hands on the board between the taps; the camera is not over the board from the first, the board is not
    empty at once, and a piece stands wrong at first."""
    app = create_app(
        table,
        Settings(port=0, streams=8),
        Services(camera_setup=device.bench, newest_frame=lambda camera: device.shot),
    )
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup", size)
        said = page.locator(".said")
        page.select_option("select", "triune")
        device.shot = CameraFrame(0.0, np.full((480, 640, 3), 8, np.uint8), 0)
        page.tap("text=Find the board")
        expect(said).to_contain_text("too dark")
        device.show({})
        expect(said).to_contain_text("The board is found")
        page.tap("text=The corners are right")
        device.show(device.looks)
        page.tap("button >> text=The board is empty")
        expect(said).to_contain_text("still pieces on the board")
        device.show({})
        page.tap("button >> text=The board is empty")
        expect(said).to_contain_text("Put the pieces as the game begins")
        expect(page.locator("img.start")).to_be_visible()
        looks = dict(device.looks)
        looks["d4"] = looks.pop("c1")
        device.show(looks)
        page.tap("text=Learn how it looks")
        expect(said).to_contain_text("Read otherwise")
        expect(said).to_contain_text("c1")
        page.tap("text=Go on with it all the same")
        expect(said).to_contain_text("not read all places right")
        page.tap("text=One step back")
        device.show(device.looks)
        page.tap("text=Learn how it looks")
        expect(said).to_contain_text("All 64 places are read right")
        expect(page.locator("img.seen")).to_be_visible()
        page.fill("input[type=text]", "Club board")
        page.tap("text=Keep it")
        expect(said).to_contain_text("Kept as “Club board”")
        [kept] = device.bench.library.profiles()
        assert (kept.name, kept.board, kept.used) == ("Club board", "triune", True)
        page.tap("text=Play now")
        page.wait_for_url("**/")
        expect(page.locator("#setup h1")).to_have_text("Triune")
        expect(page.locator("text=Start the game")).to_be_visible()
        leave(page, faults=1)


@pytest.mark.browser
def test_a_picture_that_comes_late_moves_no_button(browser: Any, table: Table, device: Device) -> None:
    """The button moved away from under the finger, and the tap was lost."""
    device.show({})
    held: list[Any] = []
    with serving(create_app(table, Settings(port=0, streams=8), device.services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup", "tablet")
        page.route("**/api/v1/boards/**", lambda route: held.append(route))
        page.select_option("select", "triune")
        page.tap("text=Find the board")
        page.tap("text=The corners are right")
        page.tap("text=Leave this out")
        learn, picture = page.locator("text=Learn how it looks"), page.locator("img.start")
        before = learn.bounding_box()
        expect(picture).to_have_js_property("naturalWidth", 0)
        for route in held:
            route.continue_()
        expect(picture).not_to_have_js_property("naturalWidth", 0)
        assert learn.bounding_box() == before
        leave(page)


@pytest.mark.browser
def test_a_page_loaded_anew_goes_on_where_it_was(
    browser: Any, table: Table, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while the camera learns: it went back to its first step, and left a profile without a name."""
    begun, may_learn, learn = threading.Event(), threading.Event(), device.bench._learn

    def wait_and_learn(*given: Any) -> CalibrationResult:
        begun.set()
        assert may_learn.wait(30)
        return learn(*given)

    monkeypatch.setattr(device.bench, "_learn", wait_and_learn)
    with serving(create_app(table, Settings(port=0, streams=8), device.services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup", "tablet")
        heading, said = page.locator("#steps h2"), page.locator(".said")
        page.select_option("select", "triune")
        page.tap("text=Find the board")
        expect(said).to_contain_text("The board is found")
        page.reload()
        expect(heading).to_contain_text("2 of 5")
        expect(said).to_contain_text("The board is found")
        page.tap("text=The corners are right")
        page.tap("text=Leave this out")
        page.tap("text=Learn how it looks")
        assert begun.wait(30)
        page.reload()
        expect(heading).to_contain_text("4 of 5")
        expect(said).to_contain_text("Learning goes on")
        may_learn.set()
        expect(said).to_contain_text("All 64 places are read right")
        page.fill("input[type=text]", "Club board")
        page.reload()
        expect(heading).to_contain_text("5 of 5")
        expect(page.locator("img.seen")).to_be_visible()
        expect(page.locator("input[type=text]")).to_have_value("Club board")
        page.tap("text=Keep it")
        expect(said).to_contain_text("Kept as “Club board”")
        page.reload()
        expect(heading).to_contain_text("1 of 5")
        page.tap("text=Find the board")
        expect(heading).to_contain_text("2 of 5")
        device.bench.since += 60  # another companion, which knows nothing of that
        page.reload()
        expect(heading).to_contain_text("1 of 5")
        page.context.close()  # requests that a reload ends are faults to the browser


@pytest.mark.browser
def test_the_page_says_how_to_place_the_camera_while_it_is_moved(
    browser: Any, table: Table, device: Device
) -> None:
    """It goes on looking after the board is found; what has the focus keeps it."""
    with serving(create_app(table, Settings(port=0, streams=8), device.services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup", "tablet")
        page.select_option("select", "triune")
        device.shot = picture_from(steepness=45)
        page.tap("text=Find the board")
        advice, arrow = page.locator(".placement li[data-kind]"), page.locator("#advice-arrow")
        expect(advice).to_contain_text("45° from the table is too flat")
        expect(arrow).to_have_text("Too flat")
        page.focus("text=Find it again")
        for place, words, title in (
            ({"turn": 25.0, "farther": 1.2}, "Turn the board by about 25° anticlockwise", "Turned"),
            ({"aside_mm": (0.0, -150.0)}, "Tilt the camera up a little", "Up"),
            ({"farther": 1.8}, "Lower the camera: a step measures", "Lower"),
        ):
            device.shot = picture_from(**place)  # type: ignore[arg-type]
            expect(advice).to_contain_text(words)
            expect(arrow).to_have_text(title)
            expect(arrow).to_be_visible()
        device.shot = picture_from()
        expect(page.locator(".placement")).to_contain_text("The camera stands well.")
        expect(arrow).to_be_hidden()
        assert page.evaluate("document.activeElement.textContent") == "Find it again"
        page.tap("text=The corners are right")
        expect(page.locator(".placement")).to_have_count(0)
        leave(page)


def picture_from(
    *,
    steepness: float = 75.0,
    farther: float = 1.0,
    aside_mm: tuple[float, float] = (0.0, 0.0),
    turn: float = 0.0,
) -> CameraFrame:
    """A picture of the empty Triune board by a camera that aims at a point beside its middle."""
    board, size = load_board("triune"), (800, 600)
    lens = usual_lens(size)
    aim = np.array([4.0, 4.0]) - 0.5 + np.array(aside_mm) / board.pitch_mm
    view = shifted(look(board, lens, size, Mast(aim, 16.0 * farther, steepness, -90)), 0, 0, turn)
    painter = Painter(board, view, LightSource(), finish_of(board), ImageSensor())
    return CameraFrame(0.0, painter.draw(Tabletop(board), np.random.default_rng(1)), 0)


@pytest.mark.browser
def test_the_pin_is_entered_where_the_camera_is_set_up(browser: Any, table: Table, device: Device) -> None:
    settings = Settings(port=0, streams=8, pin="4711")
    with serving(create_app(table, settings, device.services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup", "tablet")
        expect(page.locator("#steps")).to_contain_text("Only the arbiter sets the camera up.")
        enter_pin(page)
        expect(page.locator("text=Find the board")).to_be_visible()
        leave(page)


@pytest.mark.browser
def test_a_corner_is_dragged_under_a_magnifier(browser: Any, table: Table, device: Device) -> None:
    app = create_app(
        table,
        Settings(port=0, streams=8),
        Services(camera_setup=device.bench, newest_frame=lambda camera: device.shot),
    )
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup", "tablet")
        page.select_option("select", "triune")
        page.tap("text=Find the board")
        expect(page.locator(".said")).to_contain_text("The board is found")
        [x, y] = device.virtual.view.pixels(load_board("triune").corners)[0]
        box, width = page.locator("#picture").bounding_box(), device.shot.image.shape[1]  # type: ignore[union-attr]
        scale = box["width"] / width
        finger = {"pointerId": 7, "pointerType": "touch", "isPrimary": True, "bubbles": True}
        for kind, dx, held in (("down", 0, True), ("move", -30, True), ("up", -30, False)):
            at = {"clientX": box["x"] + x * scale + dx, "clientY": box["y"] + y * scale}
            page.evaluate(POINTER, {"kind": kind, "at": {**finger, **at}})
            expect(page.locator("#magnifier")).to_be_visible(visible=held)
        page.tap("text=The corners are right")
        page.tap("text=Leave this out")
        page.route("**/setup/calibration", lambda route: route.abort())
        with page.expect_request("**/setup/calibration") as learning:
            page.tap("text=Learn how it looks")
        sent = learning.value.post_data_json["corners"]
        assert sent[0] == pytest.approx([x - 30 / scale, y], abs=2)
        page.context.close()


POINTER = """({kind, at}) => {
  const canvas = document.querySelector("#picture");
  canvas.setPointerCapture = () => {};  // a pointer that no hand holds cannot be captured
  canvas.dispatchEvent(new PointerEvent("pointer" + kind, at));
}"""
