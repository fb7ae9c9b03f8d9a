"""Two cameras at one table, which look at the board from opposite sides: each has a profile of its own."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from web_clients import Client, serving, until
from web_pages import expect, visit

from companion.core.game import GameError
from companion.games.text import read_game, replay
from companion.table.messages import NewGame
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from vision.calibration.calibrate import calibrate
from vision.calibration.profile import Profile, load_profile
from vision.known.example import Example
from vision.sources.camera import lasting_name
from vision.sources.source import CameraFrame, SourceLostError
from vision.sources.virtual import RATE, VirtualCamera, VirtualScene, VirtualTable
from vision.virtual.render.outlook import overlook, shifted
from web import Services, Settings, create_app
from web.cli import _open_eyes
from web.runtime.camera_setup import CameraSetup
from web.runtime.profile_library import ProfileLibrary, used_file
from web.runtime.runtime import Runtime

CHESS = read_game("chess")
SIDES = {"camera:0": -90.0, "camera:1": 90.0}
"""The cameras, and from where each looks: from the south and from the north."""


class Side:
    """A virtual table as one camera sees it."""

    def __init__(self, table: VirtualTable, azimuth: float) -> None:
        self._table, self._seen = table, (table.scene, table.scene)
        self.view = overlook(CHESS.board, azimuth=azimuth)
        self.is_covered, self.is_plugged = False, True

    @property
    def scene(self) -> VirtualScene:
        """The table from here, with a hand before the camera while it is covered: the same while nothing
        changes."""
        scene, (before, shown) = self._table.scene, self._seen
        table = scene.table.reach((4.5, 4.5)) if self.is_covered else scene.table
        if scene is not before or shown.view is not self.view or bool(shown.table.hand) != bool(table.hand):
            self._seen = scene, replace(scene, table=table, view=self.view)
        return self._seen[1]

    @property
    def corners(self) -> list[tuple[float, float]]:
        """The corners in the picture, as somebody drags them there: the board is not found in every frame."""
        return [(x, y) for x, y in self.view.pixels(CHESS.board.corners).tolist()]

    def leave(self) -> None:
        """No hand stays."""


class Eye(VirtualCamera):
    """The camera of a side, which can be unplugged."""

    def __init__(self, side: Side, name: str) -> None:
        super().__init__(side, RATE, 1, time.monotonic, time.sleep)  # type: ignore[arg-type]
        self.side, self.name = side, name

    def read(self) -> CameraFrame | None:
        if not self.side.is_plugged:
            raise SourceLostError(f"{self.name} sends no more pictures")
        return super().read()


class Room:
    """A virtual table of chess with a camera on either side, and the page that both are set up from."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.table, self.virtual = table, VirtualTable(CHESS.board, Random(7))
        self.virtual.lay(CHESS.rules, CHESS.start(), CHESS.board)
        self.sides = {name: Side(self.virtual, azimuth) for name, azimuth in SIDES.items()}
        self.profiles = folder / "profiles"
        self.profiles.mkdir()

    def open(self, text: str) -> Eye:
        if not self.sides[text].is_plugged:
            raise SourceLostError(f"no {text}")
        return Eye(self.sides[text], text)

    def lay(self, text: str) -> None:
        """Lays the board as a game text leaves it, at once."""
        game, position, _ = replay(text)
        self.virtual.become(game.rules.look(position))

    def states(self, snapshot: Snapshot) -> dict[str, str]:
        return {source.name: source.state for source in snapshot.sources}

    def wait_for(self, **states: str) -> None:
        """Waits until the cameras, by their numbers, are in these states."""
        wanted = {f"camera:{number.removeprefix('n')}": state for number, state in states.items()}
        until(self.table, lambda snapshot: wanted.items() <= self.states(snapshot).items())

    def play(self, actions: str) -> None:
        """Lays the board as these actions leave it, and waits until they are accepted."""
        self.lay(f"chess {actions}")
        until(self.table, lambda snapshot: " ".join(snapshot.session.actions) == actions)


@pytest.fixture
def room(table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    room = Room(table, tmp_path)
    monkeypatch.setattr("web.runtime.runtime.open_source", room.open)
    monkeypatch.setattr("web.runtime.runtime.open_or_await", room.open)
    return room


@pytest.fixture
def runtime(room: Room, table: Table, tmp_path: Path) -> Iterator[Runtime]:
    with Runtime(table, tuple(SIDES), room.profiles, Random(7), tmp_path) as runtime:
        yield runtime


def learned(side: Side) -> Profile:
    """What the camera of a side learns from the start position."""
    looks = dict(CHESS.rules.look(CHESS.start()))
    seen = Eye(side, "").read()
    assert seen is not None
    known = CHESS.rules.looks(CHESS.start())
    return calibrate(CHESS.board, "chess", known, [Example(seen.image, looks)], (), side.corners)


def test_two_cameras_from_opposite_sides_play_a_game(room: Room, table: Table, runtime: Runtime) -> None:
    """They shared what was learned last: the other one's board was read turned."""
    learned(room.sides["camera:0"]).save(room.profiles / "chess.json")  # by a version that knew one camera
    page = create_app(table, Settings(), Services())
    _open_eyes(page.extensions["companion"], runtime, room.profiles.parent)
    client = Client(page)
    assert table.ask(NewGame("chess")).ok
    room.wait_for(n0="ok", n1="unlearned")
    room.play("e2e4")
    asked = {"game": "chess", "camera": "camera:1", "corners": room.sides["camera:1"].corners}
    lesson = client.post("/api/v1/setup/calibration", asked).json
    assert (lesson.get("read"), lesson.get("wrong")) == (64, []), lesson
    listed = client.get("/api/v1/setup/profiles").json["profiles"]
    assert [one["camera"] for one in listed] == ["camera:1", "camera:0"]
    assert client.get("/api/v1/setup/calibration").json["cameras"] == ["camera:0", "camera:1"]
    room.wait_for(n0="ok", n1="ok")
    south, north = (runtime.view(table.snapshot.number or 0, name) for name in SIDES)
    assert south is not None
    assert north is not None
    assert south.eye[1] < 1 < 8 < north.eye[1], "each sees the board from its own side"
    room.play("e2e4 e7e5")
    room.wait_for(n0="ok", n1="ok")
    room.sides["camera:1"].is_covered = True
    room.wait_for(n1="hand")
    room.lay("chess e2e4 e7e5 g1f3")
    room.sides["camera:1"].is_covered = False  # a hand that one of them sees may still be at the board
    room.play("e2e4 e7e5 g1f3")
    room.wait_for(n0="ok", n1="ok")
    room.sides["camera:1"].view = shifted(room.sides["camera:1"].view, 14, 6)
    room.play("e2e4 e7e5 g1f3 b8c6")
    room.wait_for(n0="ok", n1="ok")
    room.sides["camera:0"].is_plugged = False
    room.wait_for(n0="lost")
    room.play("e2e4 e7e5 g1f3 b8c6 f1c4")
    room.sides["camera:0"].is_plugged = True
    room.wait_for(n0="ok", n1="ok")
    room.play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6")
    assert table.snapshot.verdict is None


@pytest.mark.parametrize(
    ("files", "camera", "is_first", "used"),
    [
        ("chess", "camera:0", True, "chess"),  # an update asks nobody to set the camera up again
        ("chess", "camera:1", False, "chess@camera%3A1"),  # it was of the one camera
        ("chess chess@camera%3A0", "camera:0", True, "chess@camera%3A0"),
        ("chess@phone", "camera:0", True, "chess@camera%3A0"),  # the phone is another camera
        ("chess chess@phone", "camera:0", True, "chess"),
        ("chess chess@phone", "phone", True, "chess@phone"),
        ("", "http://10.0.0.7/video", True, "chess@http%3A%2F%2F10.0.0.7%2Fvideo"),
        ("", f"http://10.0.0.7/{'a' * 400}", True, f"chess@{'a' * 150}"),
    ],
)
def test_the_profile_of_a_camera(tmp_path: Path, files: str, camera: str, is_first: bool, used: str) -> None:
    for name in files.split():
        (tmp_path / f"{name}.json").touch()
    assert used_file(tmp_path, "chess", camera, is_first=is_first) == tmp_path / f"{used}.json"


def test_each_camera_has_its_own_profile(tmp_path: Path, room: Room) -> None:
    south, north = (learned(side) for side in room.sides.values())
    library = ProfileLibrary(
        room.profiles, lambda: None, lambda: 1.7e9, lambda: dict(zip(SIDES, "AB", strict=True))
    )
    library.put(south)
    library.put(north, "camera:1")
    library.keep("chess", "north", "camera:1")
    listed = {(one.name, one.camera) for one in library.profiles()}
    assert listed == {("", "camera:0"), ("north", "camera:1")}
    assert load_profile(room.profiles / "chess@A.json").view == south.view
    assert load_profile(room.profiles / "chess@B.json").view == north.view
    with pytest.raises(GameError, match="'camera:2' is no camera"):
        library.put(north, "camera:2")
    assert library.use("north") == "chess"
    assert load_profile(room.profiles / "chess@A.json").view == north.view


@pytest.mark.parametrize(
    ("text", "plugged", "name"),
    [
        ("camera", {0: "C920"}, "C920"),
        ("camera:0", {0: "C920", 2: "Brio"}, "C920"),
        ("camera:2", {0: "Brio", 2: "C920"}, "C920"),  # it was plugged in elsewhere
        ("camera:{by_id}/C920", {2: "C920"}, "C920"),
        ("camera:{by_id}/C920", {}, "C920"),  # it is not there now
        ("camera:1", {0: "C920"}, "camera:1"),
        ("camera", {}, "camera"),
        ("camera:0", {0: ""}, "camera:0"),  # nobody knows its make
        ("camera", {0: ""}, "camera:0"),
        ("camera:rtsp://me:secret@10.0.0.7/1?key=2", {}, "camera:rtsp://10.0.0.7/1"),
        ("phone", {}, "phone"),
    ],
)
def test_the_lasting_name_of_a_camera(
    tmp_path: Path, text: str, plugged: Mapping[int, str], name: str
) -> None:
    dev, by_id = tmp_path / "dev", tmp_path / "dev" / "by-id"
    by_id.mkdir(parents=True)
    for number, make in plugged.items():
        (dev / f"video{number}").touch()
        if make:
            (by_id / make).symlink_to(f"../video{number}")
    assert lasting_name(text.format(by_id=by_id), by_id, lambda: list(plugged)) == name


@pytest.mark.browser
def test_the_page_asks_which_camera_is_set_up(browser: Any, table: Table, tmp_path: Path) -> None:
    shots = {name: CameraFrame(0.0, np.full((48, 64, 3), 8, np.uint8), 0) for name in ("camera:0", "phone")}
    cameras = {"camera:0": "C920", "phone": "phone"}
    setup = CameraSetup(shots.__getitem__, tmp_path, lambda: None, cameras=lambda: cameras)
    services = Services(camera_setup=setup, newest_frame=shots.__getitem__)
    with serving(create_app(table, Settings(port=0, streams=8), services)) as (host, port):
        page = visit(browser, f"http://{host}:{port}/setup", "tablet")
        field = page.locator("select >> nth=0")
        expect(field.locator("option")).to_have_text(["Camera", "Phone"])
        with page.expect_request("**/picture.jpg?camera=phone"):
            field.select_option("phone")
        with page.expect_request("**/setup/aim") as aimed:
            page.tap("text=Find the board")
        assert aimed.value.post_data_json["camera"] == "phone"
        page.context.close()


def test_another_camera_in_the_same_place_is_read_by_its_own_profile(
    room: Room, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    side, makes = room.sides["camera:0"], {"camera:0": "C920"}
    monkeypatch.setattr("web.runtime.runtime.lasting_name", makes.__getitem__)
    given = {"camera:0": learned(side)}
    with Runtime(table, ("camera:0",), room.profiles, Random(7), tmp_path, given=given) as runtime:
        assert table.ask(NewGame("chess")).ok
        room.wait_for(n0="ok")
        assert [path.name for path in room.profiles.iterdir()] == ["chess@C920.json"]
        runtime._given = {}
        for make, state in (("Brio", "unlearned"), ("C920", "ok")):
            side.is_plugged = False
            room.wait_for(n0="lost")
            makes["camera:0"] = make
            side.is_plugged = True
            room.wait_for(n0=state)


def test_a_phone_that_was_asked_for_beside_a_camera_takes_no_place(
    room: Room, table: Table, tmp_path: Path
) -> None:
    runtime = Runtime(table, ("camera:0", "phone"), room.profiles, Random(7), tmp_path)
    runtime.look_through("phone")
    assert list(runtime.profile_names()) == ["camera:0", "phone"]
