"""The live picture of a real camera: marks land on the squares of a photograph whose corners are known."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from web_clients import OPEN, Client, serving
from web_pages import expect, leave, resize, visit

from companion.core.board import load_board
from companion.games.text import read_game
from companion.table.messages import NewGame, SightingArrived, Submit
from companion.table.table import Table
from tests.companion.sensor import Sensor
from vision.finding.locate import locate_corners
from vision.geometry.view import View
from web import Services, Settings, create_app

pytestmark = pytest.mark.browser
PHOTOS = {
    "a camera beside the h file": ("epatha-chess", "03d3ff45.jpg"),
    "one behind Black": ("jialinding-chess", "25_1.jpg"),
}
PIXEL = """(marks) => {
  const mark = document.querySelectorAll(`.overlay ${marks}`);
  const box = document.querySelector('.overlay').getScreenCTM().inverse();
  return [...mark].map((one) => {
    const at = box.multiply(one.getScreenCTM());
    return [one.dataset.site, at.e, at.f];
  });
}"""


@dataclass
class Photo:
    """A camera before which nothing changes, the true corners of its board, and how often it was asked."""

    image: Any
    corners: Any
    view: View | None
    asked: Counter[str] = field(default_factory=Counter)

    def newest(self, camera: str) -> Photo:
        self.asked["pictures"] += 1
        return self

    def square(self, site: str) -> Any:
        """The pixel of the middle of a square, by the photograph's labels."""
        whole = np.array([[-0.5, -0.5], [7.5, -0.5], [7.5, 7.5], [-0.5, 7.5]], dtype=np.float32)
        matrix = cv2.getPerspectiveTransform(whole, self.corners)
        at = np.array([["abcdefgh".index(site[0]), int(site[1]) - 1]], dtype=np.float32)
        return cv2.perspectiveTransform(at[None], matrix)[0, 0]

    def steps_off(self, site: str, pixel: tuple[float, float]) -> float:
        """By how many steps of the board a pixel lies off the middle of a square."""
        step = np.sqrt(cv2.contourArea(self.corners)) / 8
        return float(np.linalg.norm(self.square(site) - pixel) / step)


def photograph(shared: Path, folder: str, name: str) -> Photo:
    """A photograph, and where the companion finds its board by corners that somebody dragged there."""
    truth = json.loads((shared / "photos" / folder / "truth.json").read_text())
    label = next(picture for picture in truth["pictures"] if picture["file"] == name)
    image = np.asarray(cv2.imread(str(shared / "photos" / folder / name)), dtype=np.uint8)
    corners = np.array([label["corners"][side] for side in ("SW", "SE", "NE", "NW")], dtype=np.float32)
    dragged = [(x + 3, y - 2) for x, y in corners.tolist()]
    return Photo(image, corners, locate_corners(image, load_board("chess"), dragged).view)


@pytest.fixture(params=PHOTOS.values(), ids=PHOTOS.keys())
def photo(request: pytest.FixtureRequest, shared: Path) -> Photo:
    return photograph(shared, *request.param)


def services(photo: Photo) -> Services:
    return Services(newest_frame=photo.newest, view=lambda number, camera: photo.view)


@pytest.fixture
def beside(table: Table, photo: Photo) -> Iterator[str]:
    """The page of a table with this camera."""
    with serving(create_app(table, Settings(port=0, streams=8), services(photo))) as (host, port):
        yield f"http://{host}:{port}"


def drawn(page: Any, marks: str) -> dict[str, tuple[float, float]]:
    """The sites of marks over the picture, and the pixels of it in which their middles lie."""
    return {site: (x, y) for site, x, y in page.evaluate(PIXEL, marks)}


def test_marks_land_on_the_squares_of_a_photograph(
    browser: Any, beside: str, table: Table, photo: Photo
) -> None:
    assert table.ask(NewGame("chess e2e4")).ok
    page = visit(browser, beside, "tablet")
    expect(page.locator("#inset .overlay .mark.last")).to_have_count(2)
    page.tap("#inset")
    expect(page.locator("#tabletop .overlay .mark.last")).to_have_count(2)
    last = drawn(page, ".mark.last")
    assert set(last) == {"e2", "e4"}

    box = page.locator("#tabletop canvas").bounding_box()
    scale = box["width"] / photo.image.shape[1]
    x, y = photo.square("b8").tolist()
    page.mouse.click(box["x"] + x * scale, box["y"] + y * scale)
    expect(page.locator(".overlay .mark.chosen")).to_have_count(1)
    targets = drawn(page, ".mark.target")
    assert set(targets) == {"a6", "c6"}

    for site, pixel in (last | targets | drawn(page, ".mark.chosen")).items():
        assert photo.steps_off(site, pixel) < 0.2, site

    resize(page, "phone")
    frame, picture = (page.locator(name).bounding_box() for name in ("#boards", "#tabletop canvas"))
    assert abs(frame["y"] + frame["height"] - picture["y"] - picture["height"]) < 4
    leave(page)


@pytest.mark.parametrize("photo", [PHOTOS["one behind Black"]], indirect=True)
def test_what_is_wrong_and_the_way_back_are_drawn_and_follow_the_board(
    browser: Any, beside: str, table: Table, photo: Photo
) -> None:
    assert table.ask(NewGame("chess e2e4")).ok
    sensor = Sensor(read_game("chess"))
    page = visit(browser, beside, "tablet")
    page.tap("text=Camera")
    for start, end in (("e2", "e4"), ("d8", "h4")):
        sensor.move(start, end)
        for _ in range(30):
            assert table.ask(SightingArrived(sensor.sight())).ok
    expect(page.locator(".overlay .mark.broken").first).to_be_visible()
    expect(page.locator(".overlay .arrow.guide")).to_have_count(1)
    wrong = drawn(page, ".mark")
    assert {"d8", "e7"} <= set(wrong)
    assert all(photo.steps_off(site, pixel) < 0.2 for site, pixel in wrong.items())

    assert photo.view
    bump = np.array([[1, 0, 25], [0, 1, -10], [0, 0, 1]])
    moved = View.of(bump @ photo.view.matrix, photo.view.size, photo.view.extent)
    photo.view, photo.corners = moved, photo.corners + np.array([25, -10], dtype=np.float32)
    page.wait_for_function(
        "([x]) => Math.abs(document.querySelector('.overlay .mark').transform.baseVal[0].matrix.e - x) > 20",
        arg=[next(iter(wrong.values()))[0]],
    )
    assert all(photo.steps_off(site, pixel) < 0.2 for site, pixel in drawn(page, ".mark").items())

    photo.view = None  # the board is no longer found
    expect(page.locator(".overlay .mark")).to_have_count(0)
    leave(page)


def test_a_picture_is_made_only_while_somebody_looks(shared: Path, table: Table, browser: Any) -> None:
    photo = photograph(shared, *PHOTOS["one behind Black"])
    assert table.ask(NewGame("chess")).ok
    with serving(create_app(table, Settings(port=0, streams=8), services(photo))) as (host, port):
        assert photo.asked["pictures"] == 0
        page = visit(browser, f"http://{host}:{port}", "tablet")
        with page.expect_response("**/picture.jpg?small=1") as small:
            pass
        page.tap("#inset")
        with page.expect_response("**/picture.jpg") as large:
            pass
        length = "content-length"
        assert int(small.value.headers[length]) < int(large.value.headers[length]) / 3
        page.tap("text=More")
        leave(page)
        asked = photo.asked["pictures"]
        assert table.ask(Submit("e2e4")).ok
        assert photo.asked["pictures"] == asked


def test_only_the_arbiter_sees_a_real_camera(shared: Path, table: Table) -> None:
    photo = photograph(shared, *PHOTOS["one behind Black"])
    app = create_app(table, OPEN, services(photo))
    assert table.ask(NewGame("chess")).ok
    guest, arbiter = Client(app, "192.168.1.20", "192.168.1.2"), Client(app, "192.168.1.30", "192.168.1.2")
    assert arbiter.post("/api/v1/session/pin", {"pin": "4711"}).status_code == 200
    for path in ("picture.jpg", "picture.jpg?small=1", "seen-places"):
        assert guest.get(f"/api/v1/{path}").status_code == 403
        assert arbiter.get(f"/api/v1/{path}").status_code == 200
    picture = arbiter.get("/api/v1/picture.jpg")
    again = arbiter.get("/api/v1/picture.jpg", headers={"If-None-Match": picture.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Seen-Places"] == picture.headers["Seen-Places"]
    seen = arbiter.get("/api/v1/seen-places").get_json()
    assert seen["size"] == [1280, 720]
    assert photo.steps_off("e4", seen["places"]["e4"][:2]) < 0.2
