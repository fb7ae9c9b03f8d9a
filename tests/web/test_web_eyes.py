"""What sees the board is exchanged while a game is on: cameras, and boards with sensors that are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import chess
import cv2
import numpy as np
import pytest
from web_clients import Client, until

from companion.core.game import Look, Place
from companion.record.session import Session
from companion.sensing.sources import SourceError
from companion.table.messages import NewGame
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from hardware.plugged_in import PluggedSource, Plugs, find_boards
from tests.firmware_bridge.made_eboards import PluggedMillennium, squares_of
from tests.samples import first_few
from vision.calibration.calibrate import calibrate as learn_profile
from vision.calibration.profile import Example
from vision.sources.source import CameraFrame
from vision.sources.virtual import VirtualTable
from web import Services, Settings, create_app
from web.cli import _open_eyes
from web.runtime.runtime import Runtime

LAID = squares_of(chess.Board())


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PluggedMillennium]:
    made = PluggedMillennium(tmp_path / "board", LAID)
    yield made
    if made.path.exists():
        made.pull()


@pytest.fixture
def runtime(table: Table, board: PluggedMillennium, tmp_path: Path) -> Iterator[Runtime]:
    """A table with the virtual board, and a computer into which a Millennium board is plugged."""

    def search(played: Any, used: Any) -> list[PluggedSource]:
        ports = [SimpleNamespace(device=str(board.path), vid=0x0403, pid=0x6015)]
        return find_boards(played, used, Plugs(ports=lambda: ports, chessnuts=list))

    with Runtime(table, ("virtual",), tmp_path, Random(7), tmp_path, search) as runtime:
        yield runtime


def shows(source: str, state: str = "ok") -> Callable[[Snapshot], bool]:
    return lambda snapshot: [(one.name, one.state) for one in snapshot.sources] == [(source, state)]


def test_a_board_with_sensors_is_found_and_taken_and_left_again(
    table: Table, runtime: Runtime, board: PluggedMillennium
) -> None:
    source = f"millennium:{board.path}"
    assert table.ask(NewGame("chess")).ok
    page = create_app(table, Settings(), Services())
    _open_eyes(page.extensions["companion"], runtime, board.path.parent)
    client = Client(page)
    refused = client.post("/api/v1/eyes", {"source": source})
    assert (refused.status_code, "search again" in refused.json["error"]) == (409, True)
    found = client.post("/api/v1/eyes/search", {}).json["boards"]
    assert [(one["source"], one["trouble"], one["used"]) for one in found] == [(source, "", False)]
    assert client.post("/api/v1/eyes", {"source": source}).status_code == 200
    until(table, shows(source))
    assert client.get("/api/v1/session").json["table"] is False
    board.put("e2", ".")
    board.put("e4", "P")
    until(table, lambda snapshot: bool(snapshot.session and snapshot.session.actions == ("e2e4",)))
    found = client.post("/api/v1/eyes/search", {}).json["boards"]
    assert [(one["source"], one["used"]) for one in found] == [(source, True)]
    assert client.post("/api/v1/eyes", {"source": "virtual"}).status_code == 200
    until(table, shows("virtual"))
    assert client.post("/api/v1/eyes", {"source": source}).status_code == 200
    until(table, shows(source))


def test_a_board_that_is_pulled_out_is_told_and_taken_up_again(
    table: Table, runtime: Runtime, board: PluggedMillennium
) -> None:
    assert table.ask(NewGame("chess")).ok
    source = f"millennium:{board.path}"
    runtime.find_boards()
    runtime.look_through(source)
    until(table, shows(source))
    board.pull()
    told = until(table, shows(source, "lost"))
    assert "the Millennium board is not connected" in told.sources[0].words
    again = PluggedMillennium(board.path, LAID)
    until(table, shows(source))
    again.pull()


def test_a_sensor_that_was_not_found_is_not_opened(runtime: Runtime, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"mine")
    for source in (f"chessnut:{file}", "serial:socket://example.com:80", "trace:x", "video:x"):
        with pytest.raises(SourceError):
            runtime.look_through(source)
    assert file.read_bytes() == b"mine"
    assert runtime.virtual


def test_sensors_of_the_start_go_on_beside_a_camera(
    table: Table, board: PluggedMillennium, tmp_path: Path
) -> None:
    source = f"millennium:{board.path}"
    sources, found = ("virtual", "serial:virtual"), [PluggedSource(source, "a board")]
    with Runtime(table, sources, tmp_path, Random(7), tmp_path, lambda *_: found) as runtime:
        grid = runtime.grid
        runtime.look_through("phone")
        assert runtime.grid is grid
        runtime.find_boards()
        runtime.look_through(source)
        assert ([one.text for one in runtime.sensors], runtime.cameras) == ([source], [])
        runtime.look_through("virtual")
        assert [one.text for one in runtime.sensors] == ["serial:virtual"]
        assert runtime.virtual


@pytest.mark.parametrize(
    ("light", "place", "words"),
    [
        (1.0, {}, ""),
        (0.1, {}, "too dark"),
        (9.0, {}, "glare"),
        (1.0, {"steepness": 25.0}, "flat"),
        (1.0, {"farther": 0.6}, "do not fit into the picture"),
        (1.0, {"aside_mm": (250.0, 0.0)}, "too near the picture"),
    ],
)
def test_what_is_wrong_with_a_picture_is_said(
    table: Table,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    light: float,
    place: dict[str, Any],
    words: str,
) -> None:
    from tests.vision.test_camera_check import seen

    assert table.ask(NewGame("chess")).ok
    view = seen(**place)
    width, height = view.size
    noise = np.random.default_rng(1).integers(60, 160, (height, width, 3))
    picture = np.clip(noise * light, 0, 255).astype(np.uint8)
    with Runtime(table, ("camera:7",), tmp_path, Random(7), tmp_path) as runtime:
        monkeypatch.setattr(runtime, "newest", lambda name: CameraFrame(0.0, picture, 0))
        monkeypatch.setattr(runtime, "view", lambda number, name: view)
        told = str(runtime.say_of_picture())
        assert words in told
        assert bool(told) == bool(words)


def test_a_grid_that_is_chosen_can_be_set_up(table: Table, tmp_path: Path) -> None:
    page = create_app(table, Settings(), Services())
    found = [PluggedSource("serial:virtual", "a grid")]
    with Runtime(table, ("virtual",), tmp_path, Random(7), tmp_path, lambda *_: found) as runtime:
        _open_eyes(page.extensions["companion"], runtime, tmp_path)
        client = Client(page)
        assert client.post("/api/v1/eyes/search", {}).status_code == 200
        for source, has_grid in (("serial:virtual", True), ("virtual", False), ("serial:virtual", True)):
            assert client.post("/api/v1/eyes", {"source": source}).status_code == 200
            assert client.get("/api/v1/session").json["grid"] is has_grid
            # 200, or 409 while it has yet to answer
            assert (client.get("/api/v1/setup/grid").status_code == 404) is not has_grid


class Hands:
    """Hands before a board that is seen in one way or another: they take pieces off, and lay all again."""

    def __init__(self, runtime: Runtime, board: PluggedMillennium, session: Session) -> None:
        self.runtime, self.board, self.laid = runtime, board, session.look
        self.camera = VirtualTable(session.game.board, Random(7))
        self.jpeg = b""
        self.key = runtime.phone.join()
        self.lay(self.laid)

    def lay(self, looks: Mapping[Place, Look]) -> None:
        rows = (f"{file}{rank}" for rank in range(8, 0, -1) for file in "abcdefgh")
        letters = dict(zip(rows, LAID, strict=True))
        self.board.squares = "".join(letter if at in looks else "." for at, letter in letters.items())
        if self.runtime.virtual:
            self.runtime.virtual.become(looks)
        self.jpeg = cv2.imencode(".jpg", self.camera.picture(looks))[1].tobytes()

    def send(self) -> None:
        """Has the phone send what it sees."""
        self.runtime.phone.show(self.key, self.jpeg)


@pytest.mark.parametrize(
    ("eyes", "sources"),
    first_few(
        3,
        {
            "a phone": ("phone",),
            "a grid beside a camera": ("virtual", "serial:virtual"),
            "an e-board": (),
            "a camera": ("virtual",),
        }.items(),
    ),
)
def test_the_test_before_play_is_of_whatever_sees_the_board(
    table: Table, board: PluggedMillennium, tmp_path: Path, eyes: str, sources: tuple[str, ...]
) -> None:
    assert table.ask(NewGame("chess")).ok
    found = [PluggedSource(f"millennium:{board.path}", "a board")]
    with Runtime(table, sources, tmp_path, Random(7), tmp_path, lambda *_: found) as runtime:
        session = table.snapshot.session
        assert session
        hands = Hands(runtime, board, session)
        if "phone" in sources:
            examples = [Example(hands.camera.picture(looks), looks) for looks in (session.look,)]
            looks = session.rules.looks(session.first)
            learn_profile(session.game.board, session.game.head, looks, examples).save(
                tmp_path / "chess.json"
            )
            runtime.learned()
        if not sources:
            runtime.find_boards()
            runtime.look_through(found[0].source)

        def wait_until(is_so: Callable[[], bool]) -> None:
            for _ in range(600):
                if is_so():
                    return
                hands.send()
                table.wait(table.snapshot.id, 0.1)
            raise AssertionError([runtime.tests.look(), table.snapshot.sources])

        def is_at(number: int, stage: str) -> bool:
            progress = runtime.tests.look()
            return not progress or progress.done or progress.places[number].stage == stage

        def all_see() -> bool:
            seen = [(one.state, "tested" in one.words) for one in table.snapshot.sources]
            return seen == max(1, len(sources)) * [("ok", False)]

        wait_until(all_see)
        runtime.tests.begin()
        for number, square in enumerate(("a1", "d2", "h8")):
            wait_until(partial(is_at, number, "ready"))
            hands.lay({place: look for place, look in hands.laid.items() if place != square})
            wait_until(partial(is_at, number, "changed"))
            hands.lay(hands.laid)
            wait_until(partial(is_at, number, "done"))
        wait_until(all_see)
        session = table.snapshot.session
        assert session
        assert (session.log, table.snapshot.verdict) == ((), None)


@pytest.mark.browser
def test_from_the_first_page_to_play_on_a_board_with_sensors(
    browser: Any, table: Table, runtime: Runtime, board: PluggedMillennium, tmp_path: Path
) -> None:
    from web_clients import serving
    from web_pages import expect, leave, visit

    page_app = create_app(table, Settings(port=0), Services())
    _open_eyes(page_app.extensions["companion"], runtime, tmp_path)
    with serving(page_app) as (address, port):
        page = visit(browser, f"http://{address}:{port}", "tablet")
        page.tap("text=Play on my own board")
        page.tap("text=A board with sensors")
        page.tap("text=Use this board")
        page.tap("[data-game=chess]")
        page.tap("text=Start the game")
        tried = page.locator(".board-test li")
        for number, (square, letter) in enumerate((("a1", "R"), ("d2", "P"), ("h8", "r"))):
            expect(tried.nth(number)).to_have_attribute("data-stage", "ready")
            board.put(square, ".")
            expect(tried.nth(number)).to_have_attribute("data-stage", "changed")
            board.put(square, letter)
            expect(tried.nth(number)).to_have_attribute("data-stage", "done")
        page.tap("text=Begin to play")
        expect(page.locator(".board-test")).to_have_count(0)
        board.put("e2", ".")
        board.put("e4", "P")
        expect(page.locator("#moves .move .action")).to_have_text(["e4"])
        board.pull()
        expect(page.locator("#news .notice")).to_contain_text("The Millennium board is not connected")
        leave(page)
