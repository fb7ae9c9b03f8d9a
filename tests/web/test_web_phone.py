"""A phone as the camera: who may become it, what it may send, and a game refereed through a browser."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from flask import Flask
from web_clients import Client, until

from companion.table.messages import NewGame
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from vision.sources.phone import PhoneCamera
from vision.sources.source import SourceLostError
from web import Services, Settings, create_app
from web.cli import _open_eyes
from web.runtime.runtime import Runtime

PICTURE = cv2.imencode(".jpg", np.full((96, 128, 3), 90, np.uint8))[1].tobytes()
HOST = "192.168.1.2"
BECOME = """(as) => {
  Object.defineProperty(document, "visibilityState", { value: as, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
TAKE = """() => {
  const devices = navigator.mediaDevices, open = devices.getUserMedia.bind(devices);
  const isFree = new Promise((free) => { window.giveBack = free; });
  devices.getUserMedia = (wanted) => isFree.then(() => open(wanted));
  document.getElementById("video").srcObject.getVideoTracks()[0].dispatchEvent(new Event("ended"));
}"""
"""Takes the camera away from the page, until it is given back."""


class Eyes:
    """The services of a page whose camera is exchanged on paper alone."""

    def __init__(self) -> None:
        self.now, self.chosen = 1000.0, list[str]()
        self.phone = PhoneCamera(lambda: self.now)

    def services(self) -> Services:
        return Services(phone=self.phone, look_through=self.chosen.append, wall=lambda: self.now)


@pytest.fixture
def eyes() -> Eyes:
    return Eyes()


@pytest.fixture
def app(table: Table, eyes: Eyes) -> Flask:
    return create_app(table, Settings(host="0.0.0.0", pin="4711"), eyes.services())


def phone_of(app: Flask, host: int = 40) -> Client:
    return Client(app, f"192.168.1.{host}", HOST)


def send(client: Client, key: str, body: bytes, kind: str = "image/jpeg") -> Any:
    return client.post_bytes(f"/api/v1/phone/pictures/{key}", body, kind)


@pytest.fixture
def ticket(app: Flask) -> str:
    arbiter = Client(app, "192.168.1.30", HOST)
    assert arbiter.post("/api/v1/session/pin", {"pin": "4711"}).status_code == 200
    link = arbiter.get("/api/v1/phone").json["link"]
    assert link.startswith(f"http://{HOST}")
    assert arbiter.get("/api/v1/phone/qr.svg").mimetype == "image/svg+xml"
    return str(link.partition("#")[2])


def test_who_scanned_the_code_becomes_the_camera(app: Flask, eyes: Eyes, ticket: str) -> None:
    phone = phone_of(app)
    joined = phone.post("/api/v1/phone", {"ticket": ticket})
    assert (joined.status_code, eyes.chosen) == (200, ["phone"])
    answer = send(phone, joined.json["key"], PICTURE)
    assert answer.json == {"status": None, "corners": []}
    frame = eyes.phone.read()
    assert frame is not None
    assert frame.image.shape == (96, 128, 3)
    # It is the camera, and nothing else.
    assert phone.get("/api/v1/phone").status_code == 403
    assert phone.post("/api/v1/eyes", {"source": "virtual"}).status_code == 403


@pytest.mark.parametrize("wrong", ["", "x", "1000.0"])
def test_without_a_code_a_phone_has_no_right(app: Flask, eyes: Eyes, wrong: str) -> None:
    assert phone_of(app).post("/api/v1/phone", {"ticket": wrong}).status_code == 403
    assert eyes.chosen == []


@pytest.mark.parametrize("path", ["pictures", "pause"])
def test_without_its_key_nobody_speaks_for_the_phone(app: Flask, eyes: Eyes, ticket: str, path: str) -> None:
    phone = phone_of(app)
    key = phone.post("/api/v1/phone", {"ticket": ticket}).json["key"]
    send(phone, key, PICTURE)
    other = phone_of(app, 41)
    for wrong in ("none", key[:-1], "schlüssel"):
        answer = other.post_bytes(f"/api/v1/phone/{path}/{wrong}", b'{"why": "left"}', "application/json")
        assert answer.status_code == 410
    assert eyes.phone.is_there


def test_a_code_is_good_for_an_hour(app: Flask, eyes: Eyes, ticket: str) -> None:
    eyes.now += 3601
    refused = phone_of(app).post("/api/v1/phone", {"ticket": ticket})
    assert (refused.status_code, "too old" in refused.json["error"]) == (403, True)


def test_a_second_phone_replaces_the_first_only_if_asked_to(app: Flask, eyes: Eyes, ticket: str) -> None:
    first, second = phone_of(app), phone_of(app, 41)
    key = first.post("/api/v1/phone", {"ticket": ticket}).json["key"]
    assert send(first, key, PICTURE).status_code == 200
    assert second.post("/api/v1/phone", {"ticket": ticket}).status_code == 409
    other = second.post("/api/v1/phone", {"ticket": ticket, "replace": True}).json["key"]
    assert send(second, other, PICTURE).status_code == 200
    told = send(first, key, PICTURE)
    assert (told.status_code, told.json["error"]) == (410, "another phone is the camera now")
    assert first.post(f"/api/v1/phone/pause/{key}", {"why": "left"}).status_code == 410


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"GIF89a", 415),
        (b"\x89PNG\r\n", 415),
        (PICTURE + bytes(300_000), 413),
        (b"", 200),
        (PICTURE[:200], 200),
    ],
)
def test_other_bodies_are_refused_and_change_nothing(
    app: Flask, eyes: Eyes, ticket: str, body: bytes, status: int
) -> None:
    phone = phone_of(app)
    key = phone.post("/api/v1/phone", {"ticket": ticket}).json["key"]
    send(phone, key, PICTURE)
    assert eyes.phone.read()
    assert send(phone, key, body).status_code == status
    send(phone, key, PICTURE)
    assert eyes.phone.read()


def test_a_new_phone_shows_nothing_of_the_one_before() -> None:
    clock = count(step=0.5)
    phone = PhoneCamera(lambda: next(clock))
    phone.show(phone.join(), PICTURE)
    assert phone.read()
    phone.show(phone.join(replace=True), PICTURE[:200])  # damaged, and no other one comes
    with pytest.raises(SourceLostError):
        phone.read()


def test_five_hundred_pictures_leave_the_newest(app: Flask, eyes: Eyes, ticket: str) -> None:
    phone = phone_of(app)
    key = phone.post("/api/v1/phone", {"ticket": ticket}).json["key"]
    for shade in range(500):
        eyes.phone.show(key, cv2.imencode(".jpg", np.full((8, 8, 3), shade // 2, np.uint8))[1].tobytes())
    frame = eyes.phone.read()
    assert frame is not None
    assert (frame.index, int(frame.image[0, 0, 0])) == (0, 249)


def test_a_picture_has_the_time_at_which_it_came(eyes: Eyes) -> None:
    """However late it is unpacked, a board lies as it does since then."""
    key = eyes.phone.join()
    eyes.phone.show(key, PICTURE)
    eyes.now = 1000.4
    assert eyes.phone.read().time == 1000.0  # type: ignore[union-attr]
    eyes.phone.show(key, b"")
    eyes.now = 1000.5
    assert eyes.phone.read().time == 1000.5, "a beat says that it is still so"  # type: ignore[union-attr]


def test_the_camera_is_exchanged_while_a_game_is_on(table: Table, tmp_path: Path) -> None:
    assert table.ask(NewGame("triune")).ok
    app = create_app(table, Settings(), Services())
    with Runtime(table, ("virtual",), tmp_path, Random(7)) as runtime:
        page = app.extensions["companion"]
        page.services = replace(page.services, phone=runtime.phone)
        _open_eyes(page, runtime, tmp_path)
        client = Client(app)
        assert client.get("/api/v1/session").json["table"]
        assert client.post("/api/v1/eyes", {"source": "video:x.avi"}).status_code == 409
        assert client.get("/api/v1/session").json["table"]
        key = client.post("/api/v1/phone").json["key"]
        assert send(client, key, PICTURE).status_code == 200
        session = client.get("/api/v1/session").json
        assert (session["table"], session["bench"]) == (False, True)
        shown = {source.name for source in until(table, shows("phone")).sources}
        assert shown == {"phone"}
        assert client.post("/api/v1/eyes", {"source": "virtual"}).status_code == 200
        assert {source.name for source in until(table, shows("virtual")).sources} == {"virtual"}


def shows(source: str) -> Callable[[Snapshot], bool]:
    """Returns whether a snapshot shows how this source is, and no other camera."""
    return lambda snapshot: [status.name for status in snapshot.sources] == [source]


def make_y4m(frames: Iterator[Any], rate: int, file: Path) -> None:
    """Writes frames as Chromium's fake camera reads them: raw YUV 4:2:0."""
    with file.open("wb") as out:
        for frame in frames:
            height, width = frame.shape[:2]
            if not out.tell():
                out.write(f"YUV4MPEG2 W{width} H{height} F{rate}:1 Ip A1:1 C420jpeg\n".encode())
            out.write(b"FRAME\n" + cv2.cvtColor(frame, cv2.COLOR_BGR2YUV_I420).tobytes())


def frames_of(video: Path) -> Iterator[Any]:
    source = cv2.VideoCapture(str(video))
    while (read := source.read())[0]:
        yield read[1]


@pytest.fixture
def profile(shared: Path, tmp_path: Path) -> Path:
    """The profile of the recorded game's board."""
    from test_web_run import companion

    video = shared / "photos" / "webcam-chess" / "scholarsmate.avi"
    quiet, profile = tmp_path / "quiet.png", tmp_path / "profile.json"
    cv2.imwrite(str(quiet), next(frames_of(video)))
    command = companion("calibrate", "--game", "chess", "--image", str(quiet), "-o", str(profile))
    subprocess.run(command, check=True, capture_output=True)
    return profile


@pytest.fixture
def with_camera(
    chromium: str, playwright: Any, tmp_path: Path
) -> Iterator[Callable[[Iterator[Any], int], Any]]:
    """Opens a browser whose camera shows some frames again and again."""
    from web_pages import ARGUMENTS

    opened: list[Any] = []

    def launch(frames: Iterator[Any], rate: int) -> Any:
        make_y4m(frames, rate, tmp_path / "camera.y4m")
        fake = [
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={tmp_path / 'camera.y4m'}",
        ]
        opened.append(playwright.chromium.launch(executable_path=chromium, args=[*ARGUMENTS, *fake]))
        return opened[-1]

    yield launch
    for browser in opened:
        browser.close()


@pytest.mark.browser
@pytest.mark.parametrize(
    "picture",
    [
        "webcam-chess/chessBoard005.jpg",
        pytest.param("webcam-chess/chessBoard003.jpg", marks=pytest.mark.soak),
        pytest.param("webcam-chess/chessBoard013.jpg", marks=pytest.mark.soak),
        pytest.param("samryan-chess/13.jpg", marks=pytest.mark.soak),
    ],
)
def test_from_the_first_page_to_play_on_a_board_that_was_never_seen(
    shared: Path, with_camera: Any, tmp_path: Path, picture: str
) -> None:
    from test_web_run import running
    from web_pages import expect, leave, visit

    browser = with_camera(iter([photograph(shared / "photos" / picture)] * 10), 10)
    with running("--data", str(tmp_path / "data")) as address:
        page = visit(browser, address, "tablet", permissions=["camera"])
        opened = make_this_browser_the_camera(page)
        page.wait_for_event("response", is_picture)
        page.locator("#steps select").select_option("chess")
        page.tap("text=Find the board")
        page.tap("text=The corners are right")
        page.tap("text=Leave this out")
        page.tap("text=Learn how it looks")
        expect(page.locator("#steps .said")).to_contain_text("All 64 places are read right")
        page.tap("text=Play now")
        page.tap("text=Start the game")
        expect(page.locator(".board-test li[data-stage=ready]")).to_have_count(3)
        page.tap("text=Play without this test")
        expect(page.locator("#sources")).to_contain_text("Phone: sees the board")
        expect(page.locator(".turn .name")).to_have_text("White")
        expect(opened.locator("#words")).to_contain_text("sees the board")
        leave(page)


@pytest.mark.browser
def test_a_phone_that_is_the_camera_already_is_gone_on_with(with_camera: Any, tmp_path: Path) -> None:
    from test_web_run import running
    from web_pages import leave, visit

    browser = with_camera(iter([np.zeros((48, 64, 3), np.uint8)] * 10), 10)
    with running("--source", "phone", "--data", str(tmp_path / "data")) as address:
        page = visit(browser, address, "tablet", permissions=["camera"])
        make_this_browser_the_camera(page)
        leave(page)


def make_this_browser_the_camera(page: Any) -> Any:
    """The window that sends the pictures; the page has gone on to set the camera up."""
    page.tap("text=Play on my own board")
    with page.expect_popup() as opened:
        page.tap("text=This browser’s camera")
    opened.value.locator("#start").click()
    page.wait_for_url("**/setup")
    return opened.value


def is_picture(response: Any) -> bool:
    """Tells whether a response is a picture of the camera: before the first one there is none (204)."""
    return "/picture.jpg" in response.url and response.status == 200


def photograph(path: Path) -> Any:
    """A picture as large as a camera's, of an even number of pixels as its frames have."""
    image = cv2.imread(str(path))
    scale = min(1.0, 1280 / max(image.shape[:2]))
    width, height = (2 * round(scale * side / 2) for side in image.shape[1::-1])
    return cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)


@pytest.mark.soak
@pytest.mark.browser
def test_a_recorded_game_is_refereed_through_a_phone(
    shared: Path, profile: Path, with_camera: Any, tmp_path: Path
) -> None:
    from test_web_run import PATIENCE, WRITTEN, running
    from web_pages import expect, visit

    *frames, last = frames_of(shared / "photos" / "webcam-chess" / "scholarsmate.avi")
    frames = [*frames[:1] * 60, *frames, *[last] * 60]  # the players sit down, and shake hands
    browser = with_camera(iter(frames), 10)  # at half the speed: they moved every two seconds
    told = ("--game", "chess", "--source", "phone", "--profile", str(profile))
    with running(*told, "--data", str(tmp_path / "data")) as address:
        tablet = visit(browser, address, "tablet")
        expect(tablet.locator("#news")).to_contain_text("No phone sends pictures yet")
        phone = visit(browser, f"{address}phone", "phone", permissions=["camera"])
        phone.tap("#start")
        expect(phone.locator("#words")).to_contain_text("sees the board")
        expect(tablet.locator("#moves .move .action")).to_have_text(WRITTEN, timeout=PATIENCE)
        expect(tablet.locator(".turn .prompt")).to_have_text("Checkmate")


@pytest.mark.browser
def test_what_interrupts_a_phone_is_told_and_taken_up_again(
    shared: Path, profile: Path, with_camera: Any, tmp_path: Path
) -> None:
    from test_web_run import running
    from web_pages import expect, visit

    still = next(frames_of(shared / "photos" / "webcam-chess" / "scholarsmate.avi"))
    browser = with_camera(iter([still] * 10), 10)
    told = ("--game", "chess", "--source", "phone", "--profile", str(profile))
    with running(*told, "--data", str(tmp_path / "data")) as address:
        tablet = visit(browser, address, "tablet")
        phone = visit(browser, f"{address}phone", "phone", permissions=["camera"])
        phone.tap("#start")
        state, card = tablet.locator("#sources"), tablet.locator("#news")

        def sees() -> None:
            expect(state).to_contain_text("Phone: sees the board")

        sees()
        phone.context.set_offline(True)
        expect(card).to_contain_text("The phone sends no more pictures")
        phone.context.set_offline(False)
        sees()
        phone.evaluate(BECOME, "hidden")
        expect(card).to_contain_text("page is hidden")
        phone.evaluate(BECOME, "visible")
        sees()
        phone.evaluate(TAKE)
        expect(card).to_contain_text("nother program on the phone uses its camera")
        phone.evaluate("giveBack()")
        sees()
