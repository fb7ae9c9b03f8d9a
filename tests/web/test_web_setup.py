"""Setting a camera up from the page: the virtual table's pictures stand for those of a real camera."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from web_clients import OPEN, Client, serving
from web_pages import expect, leave, visit

from companion.board import load_board
from companion.table import Table
from companion.text import read_game
from vision.profile import load_profile
from vision.sources.virtual import VirtualTable
from web import Config, create_app
from web.workbench import Shot, Workbench


class Device:
    """A camera over a Triune board, and a note of what was learned."""

    def __init__(self, folder: Path) -> None:
        game = read_game("triune")
        self.virtual = VirtualTable(load_board("triune"), Random(5))
        self.looks = dict(game.rules.look(game.start()))
        self.show(self.looks)
        self.told = 0
        self.bench = Workbench(lambda: self.shot, folder, self.learned)

    def show(self, looks: dict[str, str]) -> None:
        self.shot: Shot | None = Shot(self.virtual.picture(looks))

    def learned(self) -> None:
        self.told += 1


@pytest.fixture
def device(tmp_path: Path) -> Device:
    folder = tmp_path / "profiles"
    folder.mkdir()
    return Device(folder)


@pytest.fixture
def client(table: Table, device: Device) -> Client:
    return Client(create_app(table, Config(bench=device.bench, newest=lambda: device.shot)))


def test_a_camera_is_set_up_in_three_steps(client: Client, device: Device, tmp_path: Path) -> None:
    device.show({})
    assert client.post("/api/v1/setup/empty", {"game": "triune"}).status_code == 200
    device.show(device.looks)
    found = client.post("/api/v1/setup/aim", {"game": "triune"}).get_json()
    expected = device.virtual.view.pixels(load_board("triune").corners)
    step = abs(expected[1][0] - expected[0][0]) / 8
    assert np.array(found["corners"]) == pytest.approx(expected, abs=step / 4)
    lesson = client.post("/api/v1/setup/calibration", {"game": "triune"}).get_json()
    assert (lesson["board"], lesson["read"], lesson["wrong"]) == ("triune", 64, [])
    assert load_profile(tmp_path / "profiles" / "triune.json").board == "triune"
    assert device.told == 1
    assert client.get("/api/v1/setup/seen.jpg").data[:2] == b"\xff\xd8"
    assert client.get("/api/v1/setup/profiles").get_json() == {"boards": ["triune"]}


def test_a_profile_goes_out_and_comes_in_again(client: Client, device: Device, tmp_path: Path) -> None:
    assert client.post("/api/v1/setup/calibration", {"game": "triune"}).status_code == 200
    text = client.get("/api/v1/setup/profiles/triune").data
    path = tmp_path / "profiles" / "triune.json"
    path.unlink()
    taken = client.post("/api/v1/setup/profiles", {"profile": json.loads(text)})
    assert taken.get_json() == {"board": "triune"}
    assert json.loads(path.read_text())["game"] == "triune"
    assert device.told == 2


@pytest.mark.parametrize(
    ("path", "body", "code", "words"),
    [
        ("aim", {"game": "ludo"}, 400, "no game"),
        ("aim", {"game": "triune board=/etc/passwd"}, 400, "no game"),
        ("calibration", {"game": "triune", "corners": [[1, 2]]}, 400, "four"),
        ("calibration", {"game": "triune", "corners": [[1, 2], [3, 4], [5, 6], [7, True]]}, 400, "four"),
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
    guest = Client(create_app(table, Config(**{**vars(OPEN), "bench": device.bench})), "10.0.0.9", "10.0.0.1")
    for path in ("aim", "empty", "calibration"):
        assert guest.post(f"/api/v1/setup/{path}", {"game": "triune"}).status_code == 403
    for path in ("profiles", "profiles/triune", "seen.jpg"):
        assert guest.get(f"/api/v1/setup/{path}").status_code == 403


@pytest.mark.browser
def test_a_newcomer_sets_the_camera_up(browser: Any, table: Table, device: Device, tmp_path: Path) -> None:
    app = create_app(table, Config(port=0, streams=8, bench=device.bench, newest=lambda: device.shot))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup", "tablet")
        page.select_option("select", "triune")
        device.show({})
        page.tap("text=The board is empty now")
        expect(page.locator(".said")).to_contain_text("is kept", timeout=30_000)
        device.show(device.looks)
        page.tap("text=2. Find the board")
        expect(page.locator(".said")).to_contain_text("The board is found", timeout=30_000)
        page.tap("text=3. Learn from the start position")
        expect(page.locator(".said")).to_contain_text("All 64 places are read right", timeout=30_000)
        expect(page.locator("img.seen")).to_be_visible()
        page.screenshot(path=tmp_path / "setup.png")
        leave(page)


def test_a_corner_is_dragged_under_a_magnifier(browser: Any, table: Table, device: Device) -> None:
    app = create_app(table, Config(port=0, streams=8, bench=device.bench, newest=lambda: device.shot))
    with serving(app) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup", "tablet")
        page.select_option("select", "triune")
        page.tap("text=2. Find the board")
        expect(page.locator(".said")).to_contain_text("The board is found", timeout=30_000)
        [x, y] = device.virtual.view.pixels(load_board("triune").corners)[0]
        box, width = page.locator("#picture").bounding_box(), device.shot.image.shape[1]  # type: ignore[union-attr]
        scale = box["width"] / width
        finger = {"pointerId": 7, "pointerType": "touch", "isPrimary": True, "bubbles": True}
        for kind, dx, held in (("down", 0, True), ("move", -30, True), ("up", -30, False)):
            at = {"clientX": box["x"] + x * scale + dx, "clientY": box["y"] + y * scale}
            page.evaluate(POINTER, {"kind": kind, "at": {**finger, **at}})
            expect(page.locator("#magnifier")).to_be_visible(visible=held)
        with page.expect_request("**/setup/calibration") as learning:
            page.tap("text=3. Learn from the start position")
        sent = learning.value.post_data_json["corners"]
        assert sent[0] == pytest.approx([x - 30 / scale, y], abs=2)
        expect(page.locator(".said")).not_to_have_text("Looking…", timeout=30_000)
        page.context.close()


POINTER = """({kind, at}) => {
  const canvas = document.querySelector("#picture");
  canvas.setPointerCapture = () => {};  // a pointer that no hand holds cannot be captured
  canvas.dispatchEvent(new PointerEvent("pointer" + kind, at));
}"""
