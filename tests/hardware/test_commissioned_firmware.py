"""Commissioning against the real firmware: wires exchanged on a simulated chip are named and made up for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import serial

from benchmarks.simulation.chip import SimulatedBoard, missing_tools
from companion.core.board import load_board
from firmware_bridge.line.messages import TO_HOST, Hello, Message, Peer, Sensor
from firmware_bridge.line.wiring import UNO, rewire, wire
from firmware_bridge.sensing.grid import Grid
from firmware_bridge.setup.commissioning import Commissioning, CommissioningStage
from firmware_bridge.setup.sheet import findings_by_site, sheet_of
from firmware_bridge.setup.walk import Walk

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "-")
STEP_MS = 40.0
SILENT = "d4"
WIRES = {"a1": "b1", "b1": "a1"}


class Bench:
    """A simulated board with a commissioning on its line, in simulated time."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.line = serial.Serial(board.port, 115200, timeout=60)
        self.peer = Peer(TO_HOST)
        self._written = self._due = 0
        hello = next(event for event in self.step([]) if isinstance(event, Hello))
        self.work = Commissioning(board.wiring, hello)

    @property
    def now(self) -> float:
        return self.board.time / 1e6

    def step(self, messages: list[Message]) -> Iterator[object]:
        """Sends messages, lets a moment pass, and yields what came."""
        for message in messages:
            data = self.peer.send(message)
            self.line.write(data)
            self._written += len(data)
            self.board.tell(f"await {self._written}")  # the terminal hands bytes over in its own time
        self._due += sum(len(frame.encoded) + 2 for frame in self.board.advance(STEP_MS))
        while self._due > 0:
            data = self.line.read(self._due)
            assert data, "the terminal has lost something"
            self._due -= len(data)
            yield from self.peer.events(data)

    def work_on(self) -> None:
        for event in self.step(self.work.due(self.now)):
            self.work.receive(event, self.now)  # type: ignore[arg-type]

    def hold(self, site: str) -> None:
        """Holds the magnet on a site until it has answered, or said to be silent, and lifts it."""
        self.board.set(site, site != SILENT)
        told = self.work.told
        while self.work.told == told:
            self.work_on()
            if self.work.is_overdue:
                self.work.step(Walk.silence)
        self.board.set(site, False)
        for _ in range(8):
            self.work_on()


@pytest.mark.parametrize("sensor", [Sensor.REED, Sensor.ANALOGUE])
def test_exchanged_wires_and_a_dead_sensor_are_named(sensor: Sensor) -> None:
    wiring = wire(load_board("rooks"), sensor, UNO)
    with SimulatedBoard(wiring, wires=WIRES) as board:
        bench = Bench(board)
        work = bench.work
        work.measure_empty()
        while work.stage is not CommissioningStage.WALK:
            bench.work_on()
        while work.stage is CommissioningStage.WALK:
            assert work.walk.asked
            bench.hold(work.walk.asked)
        work.go_on()
        sheet = sheet_of(work)
        assert findings_by_site(sheet) == {"a1": "exchanged", "b1": "exchanged", SILENT: "dead"}
        assert work.walk.wires == WIRES
        made = work.calibration()
        grid = Grid(rewire(wiring, made.wires), made)
        list(bench.step(grid.setup()))
        board.set("a1", True)
        for _ in range(10):
            for event in bench.step([]):
                grid.receive(event, bench.now)  # type: ignore[arg-type]
        assert [site for site, state in grid.states.items() if state] == ["a1"]
        bench.line.close()
