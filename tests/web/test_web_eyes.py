"""What sees the board is exchanged while a game is on: cameras, and boards with sensors that are found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import chess
import pytest
from web_clients import Client

from companion.sensing.sources import SourceError
from companion.table.messages import NewGame
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from hardware.plugged_in import Found, find_boards
from tests.firmware_bridge.made_eboards import PluggedMillennium, squares_of
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

    def search(played: Any, used: Any) -> list[Found]:
        ports = [SimpleNamespace(device=str(board.path), vid=0x0403, pid=0x6015)]
        return find_boards(played, used, ports=lambda: ports, chessnuts=list)

    with Runtime(table, ("virtual",), tmp_path, Random(7), tmp_path, search) as runtime:
        yield runtime


def wait_for(table: Table, wanted: Callable[[Snapshot], bool]) -> Snapshot:
    """Returns the first snapshot that is as wanted."""
    snapshot = table.snapshot
    for _ in range(300):
        if wanted(snapshot):
            return snapshot
        snapshot = table.wait(snapshot.id, 10.0) or table.snapshot
    raise AssertionError([snapshot.sources, snapshot.verdict])


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
    wait_for(table, shows(source))
    assert client.get("/api/v1/session").json["table"] is False
    board.put("e2", ".")
    board.put("e4", "P")
    wait_for(table, lambda snapshot: bool(snapshot.session and snapshot.session.actions == ("e2e4",)))
    found = client.post("/api/v1/eyes/search", {}).json["boards"]
    assert [(one["source"], one["used"]) for one in found] == [(source, True)]
    assert client.post("/api/v1/eyes", {"source": "virtual"}).status_code == 200
    wait_for(table, shows("virtual"))
    assert client.post("/api/v1/eyes", {"source": source}).status_code == 200
    wait_for(table, shows(source))


def test_a_board_that_is_pulled_out_is_told_and_taken_up_again(
    table: Table, runtime: Runtime, board: PluggedMillennium
) -> None:
    assert table.ask(NewGame("chess")).ok
    source = f"millennium:{board.path}"
    runtime.find_boards()
    runtime.look_through(source)
    wait_for(table, shows(source))
    board.pull()
    told = wait_for(table, shows(source, "lost"))
    assert "the Millennium board is not connected" in told.sources[0].words
    again = PluggedMillennium(board.path, LAID)
    wait_for(table, shows(source))
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
    sources, found = ("virtual", "serial:virtual"), [Found(source, "a board")]
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


def test_the_test_before_play_is_of_whatever_sees_the_board(
    table: Table, runtime: Runtime, board: PluggedMillennium
) -> None:
    assert table.ask(NewGame("chess")).ok
    runtime.find_boards()
    runtime.look_through(f"millennium:{board.path}")
    wait_for(table, shows(f"millennium:{board.path}"))
    runtime.tests.begin()

    def wait_for_stage(number: int, stage: str) -> None:
        for _ in range(300):
            progress = runtime.tests.look()
            if progress is None or progress.is_done or progress.places[number].stage.name == stage:
                return
            table.wait(table.snapshot.id, 0.1)
        raise AssertionError(progress)

    for number, (square, letter) in enumerate((("a1", "R"), ("d2", "P"), ("h8", "r"))):
        wait_for_stage(number, "READY")
        board.put(square, ".")
        wait_for_stage(number, "CHANGED")
        board.put(square, letter)
        wait_for_stage(number, "DONE")
    wait_for(table, shows(f"millennium:{board.path}"))
    session = table.snapshot.session
    assert session
    assert (session.log, table.snapshot.verdict) == ((), None)
