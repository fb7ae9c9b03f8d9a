"""The grid's commands, and the source behind them, on virtual grids."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
import serial
from click.testing import CliRunner
from serial.rfc2217 import PortManager

from companion.cli import main
from companion.cli.watch import referee
from companion.core.board import Board, load_board, read_board
from companion.games.board_file import new_board
from companion.games.text import read_game, replay
from companion.sensing.observation import Sighting
from companion.sensing.sources import SightingSource, open_sightings
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import NewGame
from companion.wire.events import ActionPlayed
from firmware_bridge import cli
from firmware_bridge.line.link import BAUD, WAITING, Down, LinkEvent, Port, PortError
from firmware_bridge.line.messages import (
    FIRMWARE,
    TO_DEVICE,
    Greet,
    Hello,
    Levels,
    Peer,
    Pong,
    Sensor,
    State,
)
from firmware_bridge.line.wiring import MEGA, Wiring, known_boards, wire, wiring_of
from firmware_bridge.sensing import grid_source
from firmware_bridge.sensing import replay as grid_replay
from firmware_bridge.sensing.calibration import Calibration, SensorLevels, SensorVerdict
from firmware_bridge.sensing.grid import Grid
from firmware_bridge.sensing.grid_source import GridSource, open_grid_source
from firmware_bridge.sensing.virtual import VirtualDevice, VirtualPort, VirtualSensor, spread
from firmware_bridge.sensing.virtual_faults import SENSORS
from firmware_bridge.setup.grid_setup import GridSetup, GridSetupError
from tests.companion.command import Command
from tests.traces import TraceWriter

TRIUNE = load_board("triune")


class Ticking:
    """A clock that moves a little each time somebody looks: threads need not sleep."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.002
        return self.now


def device(sensor: Sensor = Sensor.ANALOGUE, **faults: str) -> VirtualDevice:
    wiring = wire(TRIUNE, sensor, MEGA)
    sensors = spread(wiring, random.Random(2))
    sensors |= {site: SENSORS[fault](sensors[site]) for site, fault in faults.items()}
    return VirtualDevice(wiring, random.Random(1), sensors)


def opener(found: VirtualDevice) -> Callable[[], Port]:
    clock = Ticking()
    return lambda: VirtualPort(found, clock)


@pytest.fixture
def grid(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> VirtualDevice:
    """A virtual grid with three dead and two stuck sensors, where the commands look for one."""
    found = device(a1="dead", b2="dead", h8="dead", c3="stuck", d4="stuck")
    monkeypatch.setattr(cli, "grid_of", lambda text, boards, known: GridSource(opener(found), boards, known))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return found


def test_the_doctor_names_each_bad_site(grid: VirtualDevice) -> None:
    grid.sensors["e5"] = VirtualSensor(noise=40)
    result = CliRunner().invoke(cli.doctor_grid, ["--empty"])
    assert result.exit_code == 1
    assert [line.partition(" - ")[0] for line in result.stdout.splitlines()] == [
        "c3: stuck",
        "d4: stuck",
        "e5: noisy",
    ]
    assert "61 of 64 sensors are good" in result.stderr


def test_the_doctor_is_content_with_a_good_grid(grid: VirtualDevice) -> None:
    grid.sensors.update(spread(grid.wiring, random.Random(5)))
    assert CliRunner().invoke(cli.doctor_grid, ["--empty"]).exit_code == 0


def test_the_doctor_tells_of_an_older_firmware(grid: VirtualDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    grid.sensors.update(spread(grid.wiring, random.Random(5)))
    older = replace(grid._hello(0.0), minor=0, name=grid.wiring.name)
    monkeypatch.setattr(VirtualDevice, "_hello", lambda self, now: older)
    said = CliRunner().invoke(cli.doctor_grid, []).stderr
    assert "sensors are good. But the sensor grid's firmware is older" in said


def test_a_grid_goes_by_the_board_in_its_name_where_several_have_its_sites() -> None:
    said = device()._hello(0.0)
    for name, board in {"triune-reed-uno": "triune", "queens-reed-uno": "queens", "my own": "chess"}.items():
        assert wiring_of(replace(said, name=name), known_boards()).board == board


def test_setting_up_says_why_there_is_no_grid(tmp_path: Path) -> None:
    source = GridSource(opener(device()), [TRIUNE])
    setup = GridSetup(source, tmp_path / "grid.json")
    strange = replace(device()._hello(0.0), board=1, name="foo-reed-pico")
    events: dict[str, LinkEvent | None] = {
        "plug it in": None,
        "may take ten": Down(WAITING),
        "pulled": Down("pulled"),
        "foo-reed": strange,
    }
    for words, event in events.items():
        if event:
            source._deliver(event, 0.0)
        with pytest.raises(GridSetupError, match=words):
            setup.look()


def test_without_a_device_one_line_says_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = Command(capsys, monkeypatch)
    assert "not connected" in command.refuses("doctor", "grid", "--source", "serial:/dev/none")


@pytest.mark.parametrize(
    ("parts", "words"), [((0, 29, 58), ""), ((0, 58), "sends no levels"), ((), "no levels")]
)
def test_scans_that_somebody_else_cut_short_are_asked_for_again(
    parts: tuple[int, ...], words: str, tmp_path: Path
) -> None:
    """Another reader's credit replaces ours; what else the grid says does not keep us waiting for ever."""
    source = GridSource(opener(device()), [TRIUNE], clock=Ticking())
    while source.grid is None:
        source.link.step()

    def send(message: object) -> bool:
        for first in parts:
            source._deliver(Levels(0, 0, first, (0,) * min(29, 64 - first)), 0.0)
        for _ in range(2000 if words else 20):
            source._deliver(Pong(1, 1), 0.0)
        return True

    source.link.send = send  # type: ignore[method-assign]
    setup = GridSetup(source, tmp_path / "grid.json")
    if words:
        with pytest.raises(GridSetupError, match=words):
            setup.test()
    else:
        assert len(setup.test().spots) == 64


# ---- the source ----


def first(source: GridSource, wanted: Callable[[Sighting], bool]) -> Sighting:
    return next(s for s in source.sightings() if wanted(s))


def _taping(opens: Callable[[], Any], tape: list[tuple[float, bytes]]) -> Callable[[], Any]:
    """Returns what opens a port of which all that is read is written down, with the time."""

    def opens_taped() -> Any:
        port = opens()
        read = port.read

        def reads(size: int = 1) -> bytes:
            data: bytes = read(size)
            tape.extend([(time.monotonic(), data)] if data else [])
            return data

        port.read = reads
        return port

    return opens_taped


def test_the_source_finds_the_board_and_sees_it() -> None:
    found = device(Sensor.REED)
    found.arrange({"a1": State.NORTH})
    taped: list[tuple[float, bytes]] = []
    boards = [TRIUNE, load_board("magnet")]
    with GridSource(_taping(opener(found), taped), boards) as source:
        seen = first(source, lambda s: s.observation is not None)
        assert seen.observation is not None
        assert {p for p, r in seen.observation.readings.items() if r.best() is None} == {"a1"}
        found.set("b2", State.NORTH)
        touched = first(source, lambda s: bool(s.touches))
        assert [(t.place, t.lifted) for t in touched.touches] == [("b2", False)]
    again = [s for s in grid_replay.replay(taped, TRIUNE, "trace") if s.observation is not None]
    assert [(t.place, t.lifted) for s in again for t in s.touches] == [("b2", False)]
    assert again[0].observation is not None
    assert again[0].observation.readings.keys() == seen.observation.readings.keys()


def test_the_source_says_that_the_grid_is_built_for_another_board() -> None:
    source = GridSource(opener(device()), [load_board("magnet")])
    with source, pytest.raises(PortError, match="another board"):
        source.await_grid()


@pytest.mark.parametrize(
    ("version", "name", "words"),
    [
        (FIRMWARE, "triune-analogue-mega", ""),
        ((1, 0), "triune-analogue-mega", "older than this companion: flash it"),
        ((1, 0), "chess-analogue-mega", "older than this companion: flash it"),
        ((1, 255), "triune-analogue-mega", ""),
        ((1, 0), "my own firmware", ""),
    ],
)
def test_an_older_firmware_is_told_and_plays_on(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int], name: str, words: str
) -> None:
    found = device()
    said = Hello(*version, found.wiring.sensor, 64, 0, 2, 1, found.wiring.check, 0, name)
    monkeypatch.setattr(VirtualDevice, "_hello", lambda self, now: said)
    with GridSource(opener(found), [TRIUNE]) as source:
        seen = first(source, lambda s: s.observation is not None)
        assert (words in seen.trouble, bool(seen.trouble)) == (True, bool(words))
        source.trouble = "the sensor grid plays without its calibration"
        both = first(source, lambda s: "calibration" in s.trouble).trouble
        assert both == "; ".join(filter(None, (source.trouble, seen.trouble)))


def test_the_source_says_that_nothing_is_plugged_in() -> None:
    def none() -> Port:
        raise PortError("no sensor grid on any USB port")

    with GridSource(none, [TRIUNE]) as source:
        lost = first(source, lambda s: bool(s.trouble))
    assert lost.observation is None
    assert lost.trouble == "no sensor grid on any USB port"


def test_a_calibration_counts_that_is_adopted_while_the_device_comes_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = device()
    source = GridSource(opener(found), [TRIUNE])
    dead = {"a1": SensorLevels(512, 1, 0, 0, 40, 24, SensorVerdict.DEAD)}
    calibration = Calibration(found.wiring.check, found.wiring.sensor.word, dead)
    adopting = Thread(target=source.adopt, args=(calibration,))

    def meanwhile(wiring: Wiring, known: Calibration | None, name: str) -> Grid:
        adopting.start()
        adopting.join(0.2)  # it waits until the grid is there
        return Grid(wiring, known, name)

    monkeypatch.setattr(grid_source, "Grid", meanwhile)
    with source:
        first(source, lambda s: s.observation is not None)
        adopting.join()
    assert source.grid is not None
    assert source.grid.calibration == calibration


def test_the_virtual_grid_opens_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    with open_grid_source("serial:virtual", TRIUNE) as source:
        seen = first(source, lambda s: s.observation is not None)
    assert seen.source == "serial:virtual"


def test_a_grid_of_another_board_sees_nothing_of_the_game() -> None:
    """Two boards may name a site alike, where it is another one; the game learns nothing of it."""
    spaces, found = load_board("ternion_spaces"), device()
    found.set("a1", State.NORTH)
    with GridSource(opener(found), known_boards(spaces)) as source:
        other = first(source, lambda s: bool(s.trouble) and source.grid is not None)
        assert (other.observation, other.touches) == (None, None)
        assert other.trouble.startswith("the sensor grid is built for another board, of 64 sites: ")
        source.expect(TRIUNE)
        assert not first(source, lambda s: s.observation is not None).trouble


# ---- over a network ----


def serve(listener: socket.socket, found: VirtualDevice, rfc2217: bool = False) -> None:
    """Serves a device to those who connect, one after the other, until the listener is closed.

    With `rfc2217`, as a terminal server whose speed can be set: by pyserial's own end of that protocol.
    """
    while True:
        try:
            line, _ = listener.accept()
        except OSError:
            return
        with line, suppress(OSError):
            line.settimeout(0.01)
            port = VirtualPort(found, time.monotonic)
            settings = serial.serial_for_url("loop://", BAUD)
            negotiation = PortManager(settings, SimpleNamespace(write=line.sendall)) if rfc2217 else None
            while True:
                with suppress(TimeoutError):
                    if not (data := line.recv(1024)):
                        break
                    port.write(b"".join(negotiation.filter(data)) if negotiation else data)
                told = port.read()
                line.sendall(b"".join(negotiation.escape(told)) if negotiation else told)


@contextmanager
def remote(found: VirtualDevice, scheme: str = "socket") -> Iterator[str]:
    """Serves a device at a TCP port; yields the text of its source."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=serve, args=(listener, found, scheme == "rfc2217"))
        thread.start()
        yield f"serial:{scheme}://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
    thread.join()


def standing(text: str) -> dict[str, State]:
    """Returns the magnets of the position after a game text."""
    game, position, _ = replay(text)
    return {site: State.NORTH for site in game.rules.look(position) if site in game.board.sites}


def hands(source: SightingSource, found: VirtualDevice, text: str) -> Iterator[Sighting]:
    """Yields what a source sees; the pieces stand as this text says once the start was seen for a while."""
    for n, sighting in enumerate(islice(source.sightings(), 80)):
        if n == 4:
            found.arrange(standing(text))
        yield sighting


@pytest.mark.filterwarnings("ignore:set(Name|Daemon):DeprecationWarning")  # of pyserial 3.5
@pytest.mark.parametrize("scheme", ["socket", "rfc2217"])
@pytest.mark.parametrize(("game", "action"), [("triune", "a2-a3"), ("trid", "a4-a1")])
def test_a_game_is_played_over_a_network_port(
    game: str, action: str, scheme: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    board = read_game(game).board
    found = VirtualDevice(wire(board, Sensor.REED, MEGA), random.Random(1))
    found.arrange(standing(game))
    with Store(":memory:") as store, remote(found, scheme) as text, open_sightings(text, board) as source:
        desk = Desk(store)
        assert desk.handle(NewGame(game))[0].ok
        events = referee(desk, hands(source, found, f"{game} {action}"))
        assert next(e.action for e in events if isinstance(e, ActionPlayed)) == action


def test_a_network_port_that_nobody_serves_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    with open_sightings("serial:socket://127.0.0.1:1", TRIUNE) as source:
        lost = next(s for s in source.sightings() if s.trouble)
    assert "not connected" in lost.trouble
    assert lost.observation is None


# ---- a board of the owner's ----


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    """`mine.json` in the working folder: the board of Triune with two sites in another order."""
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    data = json.loads(new_board("triune"))
    data["sites"] = {site: data["sites"][site] for site in ("a2", "a1", *data["sites"])}
    Path("mine.json").write_text(json.dumps(data), encoding="utf-8")
    return read_board("mine.json")


@pytest.fixture
def trace(mine: Board) -> Path:
    """A trace of a grid of that board: Triune's pieces stand, and a2 goes to a3."""
    found = VirtualDevice(wire(mine, Sensor.REED, MEGA), random.Random(1))
    game = read_game("triune board=mine.json")
    found.arrange(dict.fromkeys(game.rules.look(game.start()), State.NORTH))
    found.power_up()
    steps = {200: ("a2", State.OPEN), 250: ("a3", State.NORTH)}
    with TraceWriter("trace", "serial:/dev/ttyACM0") as trace:
        trace.data(0.0, found.advance(0.0, Peer(TO_DEVICE).send(Greet())))
        for n in range(1, 500):
            if n in steps:
                found.set(*steps[n])
            trace.data(n / 50, found.advance(n / 50))
    return trace.folder


def test_a_trace_of_the_owner_s_grid_is_refereed(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["watch", "--game", "triune board=mine.json", "--source", f"trace:{trace}"])
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ended.value.code == 0
    assert [event["action"] for event in events if event["event"] == "action"] == ["a2-a3"]


def test_a_trace_of_another_board_s_grid_is_refused_in_one_line(
    trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["watch", "--game", "triune", "--source", f"trace:{trace}"])
    told = capsys.readouterr()
    assert (ended.value.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert "another board" in told.err


def test_what_is_watched_is_the_board_of_the_game(mine: Board) -> None:
    with open_sightings("serial:virtual", mine) as source:
        seen = next(s for s in source.sightings() if s.observation is not None)
    assert seen.observation is not None
    assert list(seen.observation.readings)[:2] == ["a2", "a1"]
