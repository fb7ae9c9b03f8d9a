"""Real boot loaders on simulated chips, reset by each opening of their port: the firmware comes to speak."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
import serial
from click.testing import CliRunner

from benchmarks.simulation.chip import SimulatedBoard, missing_tools
from companion.core.board import load_board
from firmware_bridge import cli
from firmware_bridge.line.conformance import check_device
from firmware_bridge.line.link import WAITING, DeviceLink, Down, LinkEvent
from firmware_bridge.line.messages import Hello, Sensor
from firmware_bridge.line.wiring import CONTROLLERS, wire
from firmware_bridge.sensing.grid_source import GridSource
from hardware.flash import Machine, Target, check_answer
from hardware.images import variant_of
from tests.hardware.boot_loaders import ATMEGABOOT, OPTIBOOT, STK500, build_boot_loader
from tests.samples import first_few

pytestmark = pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "-")
LOADERS = {"uno": OPTIBOOT, "old nano": ATMEGABOOT, "mega": STK500}


class Usb:
    """A board at a USB port, whose time passes while somebody reads. Opening resets it, unless `still`."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.still = False
        self.stray: list[float] = []
        """Seconds after the opening at which another program writes a byte."""

    def open(self, name: str = "") -> Line:
        if not self.still:
            self.board.press()
        return Line(self)

    def clock(self) -> float:
        return self.board.time / 1e6

    def wait(self, seconds: float) -> None:
        self.board.advance(1000 * seconds)


class Line:
    """An open port."""

    def __init__(self, usb: Usb) -> None:
        self._usb, self._line = usb, serial.Serial(usb.board.port, 115200, timeout=0.05)
        self._stray = [usb.clock() + seconds for seconds in usb.stray]

    def read(self, size: int = 1) -> bytes:
        if self._stray and self._usb.clock() >= self._stray[0]:
            self._stray.pop(0)
            self.write(b"A")
        sent = self._usb.board.advance(10)
        return self._line.read(sum(len(frame.encoded) + 2 for frame in sent))

    def write(self, data: bytes, /) -> int:
        self._line.write(data)
        self._usb.board.tell("listen")
        return len(data)

    def close(self) -> None:
        self._line.close()


@pytest.fixture(params=LOADERS, scope="module")
def usb(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Usb]:
    image = build_boot_loader(LOADERS[request.param], tmp_path_factory.mktemp("loader"))
    controller = CONTROLLERS["mega" if request.param == "mega" else "uno"]
    with SimulatedBoard(wire(load_board("triune"), Sensor.REED, controller), loader=image) as board:
        yield Usb(board)


@pytest.fixture
def fresh(usb: Usb) -> Usb:
    usb.still, usb.stray = False, []
    return usb


class Heard:
    """A link at a board, and what it hears."""

    def __init__(self, usb: Usb) -> None:
        self._usb, self.events = usb, list[LinkEvent]()
        self.link = DeviceLink(usb.open, lambda event, now: self.events.append(event), usb.clock)

    def __enter__(self) -> Heard:
        return self

    def __exit__(self, *error: object) -> None:
        self.link.stop()

    def await_up(self, seconds: float) -> float:
        """Lets the link work until the device is there, and returns the seconds that this took."""
        begun = self._usb.clock()
        while not any(isinstance(event, Hello) for event in self.events):
            self.link.step()
            assert self._usb.clock() - begun < seconds, f"no Hello in {seconds} s"
        return self._usb.clock() - begun


def test_the_link_hears_hello_after_the_reset(fresh: Usb) -> None:
    with Heard(fresh) as heard:
        heard.await_up(3.0)
        assert not [event for event in heard.events if isinstance(event, Down) and event.words != WAITING]


def test_a_running_board_that_no_opening_resets_is_greeted_as_soon_as_it_is_heard(fresh: Usb) -> None:
    fresh.wait(2.0)
    fresh.still = True
    with Heard(fresh) as heard:
        heard.await_up(1.0)


@pytest.mark.parametrize("stray", [pytest.param((0.5,), marks=pytest.mark.soak), (0.1, 0.4, 0.7)])
def test_a_byte_of_another_program_delays_hello_and_does_not_prevent_it(
    fresh: Usb, stray: tuple[float, ...]
) -> None:
    fresh.stray = list(stray)
    with Heard(fresh) as heard:
        heard.await_up(10.0)
        assert not [event for event in heard.events if isinstance(event, Down) and event.words != WAITING]


@pytest.mark.parametrize("still", [False, True])
def test_a_button_pressed_in_play_ends_in_hello(fresh: Usb, still: bool) -> None:
    """Also where the port's opening does not reset the board, so that it has to be left in peace."""
    with Heard(fresh) as heard:
        heard.await_up(3.0)
        fresh.still = still
        for _ in range(10):
            heard.link.step()
        heard.events.clear()
        fresh.board.press()
        heard.await_up(10.0)


def test_the_source_of_commissioning_and_doctor_finds_the_board(fresh: Usb) -> None:
    """Its link has a thread of its own, in which the board's time passes."""
    with GridSource(fresh.open, [load_board("triune")], clock=fresh.clock) as source:
        source.await_grid()
        assert source.grid is not None
        assert source.grid.wiring.controller is fresh.board.wiring.controller


def test_flashing_ends_with_the_answer(fresh: Usb) -> None:
    controller = fresh.board.wiring.controller.name
    machine = Machine(list, list, lambda command: (0, ""), fresh.open, fresh.wait, fresh.clock)
    variant = variant_of("triune", Sensor.REED, controller)
    begun = fresh.clock()
    hello = check_answer(machine, Target("a board", controller, fresh.board.port), variant)
    assert hello.name == variant.wiring.name
    assert fresh.clock() - begun < 5.0


@pytest.mark.parametrize("usb", first_few(1, LOADERS), indirect=True)
def test_the_check_of_the_protocol_passes(fresh: Usb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "grid_of", lambda text, boards: GridSource(fresh.open, boards))
    monkeypatch.setattr(cli, "check_device", partial(check_device, clock=fresh.clock))
    done = CliRunner().invoke(cli.grid, ["check", "serial:", "--board", "triune"])
    assert done.exit_code == 0, done.output
    assert "fault" not in done.output
