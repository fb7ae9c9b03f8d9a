"""A grid that is lost, hangs, comes back, never comes or is another board's: what the page says, and that
the game goes on."""

from __future__ import annotations

import json
import os
import random
import select
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import pytest

from benchmarks.simulation.grid_unplug import interrupt
from companion.core.board import Board, load_board, read_board
from companion.games.board_file import new_board
from companion.table.desk import Desk
from companion.table.messages import NewGame, SightingArrived
from companion.table.table import Table
from firmware_bridge.line import link
from firmware_bridge.line.link import WAITING, serial_opener
from firmware_bridge.line.messages import Sensor
from firmware_bridge.line.wiring import MEGA, wire
from firmware_bridge.sensing.grid_source import GridSource
from firmware_bridge.sensing.virtual import VirtualDevice
from tests.shown import present
from tests.stores import open_store
from web.runtime.runtime import Runtime

PATIENCE = 60.0
TRIUNE = load_board("triune")


class Terminal:
    """A device behind a pseudo-terminal, as behind a USB port; leaving it pulls the plug."""

    def __init__(self, name: Path, mute: bool = False, board: Board = TRIUNE) -> None:
        self._name, self._mute = name, mute
        self._device = VirtualDevice(wire(board, Sensor.REED, MEGA), random.Random(1))
        self._stop = threading.Event()

    def __enter__(self) -> Terminal:
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self._name.unlink(missing_ok=True)
        self._name.symlink_to(os.ttyname(slave))
        self._slave = slave
        self._device.power_up()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._name.unlink()
        os.close(self._slave)
        os.close(self._master)

    def _run(self) -> None:
        while not self._stop.is_set():
            ready, _, _ = select.select([self._master], [], [], 0.02)
            data = os.read(self._master, 1024) if ready else b""
            answer = self._device.advance(time.monotonic(), data)
            if answer and not self._mute:
                os.write(self._master, answer)


@pytest.fixture
def table() -> Iterator[Table]:
    with Table(Desk(open_store())) as table:
        yield table


def words_when(table: Table, state: str, words: str = "") -> str:
    """What the page says of the grid, as soon as it is in this state."""
    shown = 0
    while snapshot := table.wait(shown - 1, PATIENCE):
        shown = snapshot.id + 1
        for source in present(snapshot, None)["sources"]:
            if source["state"] == state and words in source["words"]:
                return str(source["words"])
    raise AssertionError(f"the page never said that the grid is {state} ({words})")


def watch(table: Table, port: Path) -> GridSource:
    """A source on a port, whose sightings go to the table."""
    source = GridSource(serial_opener(str(port)), [TRIUNE], name="serial:")

    def feel() -> None:
        for sighting in source.sightings():
            table.post(SightingArrived(sighting))

    threading.Thread(target=feel, daemon=True).start()
    return source


def test_a_grid_that_never_comes_is_told_as_lost(table: Table, tmp_path: Path) -> None:
    with Runtime(table, (f"serial:{tmp_path}/none",), tmp_path, random.Random(1)):
        assert "is it plugged in?" in words_when(table, "lost")


def test_a_port_behind_which_nobody_answers_is_waited_for_and_given_up(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "HELLO_S", 10 * PATIENCE)
    port = tmp_path / "port"
    with Terminal(port, mute=True), watch(table, port):
        assert words_when(table, "lost", WAITING) == WAITING
        monkeypatch.setattr(link, "HELLO_S", link.WAIT_S)
        assert "no sensor grid answers" in words_when(table, "lost", "no sensor grid")


def test_a_pulled_plug_is_told_and_so_is_its_return(table: Table, tmp_path: Path) -> None:
    port = tmp_path / "port"
    with watch(table, port):
        for _ in range(3):
            with Terminal(port):
                words_when(table, "ok")
            assert "sensor grid is not connected" in words_when(table, "lost", "not connected")


def test_a_grid_of_the_owner_s_board_is_taken_on_while_a_game_is_on_that_board(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    port, file = tmp_path / "port", tmp_path / "mine.json"
    data = json.loads(new_board("triune"))
    data["sites"] = {site: data["sites"][site] for site in ("a2", "a1", *data["sites"])}
    file.write_text(json.dumps(data), encoding="utf-8")
    with (
        Terminal(port, board=read_board(str(file))),
        Runtime(table, (f"serial:{port}",), tmp_path, random.Random(1)) as runtime,
    ):
        for _ in range(2):
            words_when(table, "lost", "built for another board")
            assert table.ask(NewGame(f"triune board={file}")).ok
            words_when(table, "ok")
            assert runtime.grid
            assert runtime.grid.grid
            assert runtime.grid.grid.wiring.sites[:2] == ("a2", "a1")
            assert table.ask(NewGame("triune")).ok


@pytest.mark.parametrize("head", ["triune", "chess"])
@pytest.mark.parametrize("times", [8, pytest.param(100, marks=pytest.mark.soak)])
def test_a_game_goes_on_whenever_the_grid_is_lost(head: str, times: int) -> None:
    if head == "chess":
        pytest.importorskip("chess")
    record = interrupt(head, times, random.Random(1))
    assert record.tally.failures == []
    assert record.tally.counts["right"] + record.tally.counts["asked"] == times
    assert max(record.told) < 1.0
    assert max(record.back) < 1.0
