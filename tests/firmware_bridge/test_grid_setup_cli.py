"""`companion grid setup`: the same commissioning on the command line."""

from __future__ import annotations

import random
import re
from pathlib import Path
from queue import SimpleQueue

import click
import pytest
from click.testing import CliRunner, Result
from commissioned import device

from companion.config import data_folder
from companion.core.board import load_board
from firmware_bridge.cli import grid
from firmware_bridge.line.messages import Sensor, State
from firmware_bridge.line.wiring import MEGA, wire
from firmware_bridge.sensing.calibration import load_calibration
from firmware_bridge.sensing.grid_source import GridSource
from firmware_bridge.sensing.virtual import SteppedClock, VirtualDevice, VirtualPort
from firmware_bridge.setup.calibrate import GridSetupError
from firmware_bridge.setup.cli import CommissioningDialogue, obey
from firmware_bridge.setup.commissioning import Commissioning, CommissioningStage
from firmware_bridge.setup.grid_setup import GridSetup
from firmware_bridge.setup.heat import heat_map
from firmware_bridge.setup.lamp_tests import LampTest
from firmware_bridge.setup.sheet import sheet_of
from firmware_bridge.setup.simulated_builder import SimulatedBuilder
from firmware_bridge.setup.walk import load_notes
from tests.companion.command import Command

ROOKS, TRIUNE = load_board("rooks"), load_board("triune")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    return tmp_path


def set_up(*arguments: str) -> Result:
    return CliRunner().invoke(grid, ["setup", "--board", "rooks", *arguments], catch_exceptions=False)


def test_a_whole_grid_leaves_status_0_and_is_kept_when_that_is_asked_for(folder: Path) -> None:
    result = set_up("virtual", "--keep", "--heat", str(folder / "heat.svg"))
    assert result.exit_code == 0, result.output
    assert "This grid is whole." in result.output
    assert "\n  Board      rooks, 16 sites" in result.output
    kept = load_calibration(folder / "grid.json")
    assert kept.blind == set()
    assert (folder / "heat.svg").read_text() == heat_map(ROOKS, kept)
    assert heat_map(ROOKS, kept).count("<circle") == 16


def test_another_folder_of_games_has_a_calibration_of_its_own(folder: Path, tmp_path: Path) -> None:
    service = tmp_path / "service"
    assert set_up("virtual?exchanged=a1,b1", "--keep", "--data", str(service)).exit_code == 1
    assert not (folder / "grid.json").exists()
    assert "known  The wires of a1" in set_up("virtual?exchanged=a1,b1", "--data", str(service)).output
    assert set_up("--forget-map", "--data", str(service)).exit_code == 0
    assert load_calibration(service / "grid.json").wires == {}


def test_faults_are_named_and_leave_status_1(folder: Path) -> None:
    result = set_up("virtual?exchanged=a1,b1&turned=c3&dead=d4&weak=b2", "--no-keep")
    assert result.exit_code == 1
    faults = [line for line in result.output.splitlines() if line.startswith("fault")]
    # How weak b2 is measured to be depends on how strong its sensor would be.
    assert [re.sub(r"\(\d\d %\)", "(35 %)", line) for line in faults] == [
        "fault  The wires of a1 and b1 are exchanged.",
        "fault  d4 does not answer.",
        "fault  b2: weak (35 %).",
        "fault  c3: turned over.",
    ]
    assert "the wire of a1 ends at b1" in result.output
    assert not (folder / "grid.json").exists()


def test_a_map_that_was_kept_makes_up_for_exchanged_wires_until_it_is_forgotten(folder: Path) -> None:
    exchanged = "virtual?exchanged=a1,b1"
    assert set_up(exchanged, "--keep").exit_code == 1
    assert load_calibration(folder / "grid.json").wires == {"a1": "b1", "b1": "a1"}
    again = set_up(exchanged, "--no-keep")
    assert again.exit_code == 0
    assert "known  The wires of a1 and b1 are exchanged." in again.output
    assert set_up("--forget-map").exit_code == 0
    assert load_calibration(folder / "grid.json").wires == {}
    assert set_up(exchanged, "--no-keep").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["virtual?broken=a1"], "has no fault 'broken'"),
        (["virtual?rows=1"], "two numbers of rows"),
        (["/dev/none"], "not connected"),
        (["virtual", "--board", "nowhere.json"], "nowhere.json"),
        (["--forget-map"], "cannot read"),
        (["virtual", "-o", "/none/grid.json"], "cannot write '/none/grid.json': No such file"),
        (["virtual", "--heat", "/none/heat.svg"], "cannot write '/none/heat.svg': No such file"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    assert words in Command(capsys, monkeypatch).refuses("grid", "setup", *arguments)


def test_a_damaged_calibration_does_not_keep_one_from_making_it_anew(folder: Path) -> None:
    (folder / "grid.json").write_text("{")
    assert set_up("virtual", "--keep").exit_code == 0
    assert load_calibration(folder / "grid.json").blind == set()


class LeavingBuilder(SimulatedBuilder):
    """A builder who leaves after so many sites."""

    def __init__(self, device: VirtualDevice, most: int) -> None:
        super().__init__(device)
        self._most = most

    def act(self, work: Commissioning, now: float) -> None:
        if len(work.walk.answers) == self._most:
            raise click.Abort
        super().act(work, now)


def test_a_walk_that_is_broken_off_goes_on_another_day(folder: Path) -> None:
    clock, found = SteppedClock(), device("rooks", Sensor.REED)

    def begin(plugged: VirtualDevice) -> GridSetup:
        source = GridSource(lambda: VirtualPort(plugged, clock, clock.wait), [ROOKS, TRIUNE], clock=clock)
        while source.grid is None:
            source.link.step()
        return GridSetup(source, folder / "grid.json")

    with pytest.raises(click.Abort):
        CommissioningDialogue(begin(found), SimpleQueue(), LeavingBuilder(found, 5)).run()
    assert not begin(device("triune")).is_begun

    found.arrange({})
    setup = begin(found)
    with setup.commissioning() as work:
        assert (work.stage, len(work.walk.answers)) == (CommissioningStage.EMPTY, 5)
    work = CommissioningDialogue(setup, SimpleQueue(), LeavingBuilder(found, 17)).run()
    assert sheet_of(work).is_whole
    setup.keep(with_map=True)
    assert setup.is_kept
    assert not begin(found).is_begun
    work.ask("d4")
    assert not setup.is_kept


def test_notes_of_a_walk_that_are_damaged_are_none(folder: Path) -> None:
    (folder / "grid-walk.json").write_text('{"board": 1}')
    assert load_notes(folder / "grid-walk.json") is None


def session(
    device: VirtualDevice,
    builder: SimulatedBuilder | None = None,
    typed: SimpleQueue[str | None] | None = None,
) -> CommissioningDialogue:
    """A session with a device whose time passes while its line is read."""
    clock = SteppedClock()
    source = GridSource(lambda: VirtualPort(device, clock, clock.wait), [ROOKS], clock=clock)
    return CommissioningDialogue(
        GridSetup(source, data_folder() / "grid.json"), typed or SimpleQueue(), builder
    )


class TypingBuilder(SimulatedBuilder):
    """Hands that also type: where nothing answers they say so by the keyboard."""

    def act(self, work: Commissioning, now: float) -> None:
        if (
            work.stage in (CommissioningStage.EMPTY, CommissioningStage.LAMPS, CommissioningStage.PIECES)
            and not work.empty.is_measuring
        ):
            obey(work, "")
        elif work.is_overdue:
            obey(work, "n")
        else:
            super().act(work, now)


@pytest.mark.parametrize("sensor", Sensor)
def test_typed_lines_and_a_magnet_commission_a_grid(
    sensor: Sensor, capsys: pytest.CaptureFixture[str]
) -> None:
    device = VirtualDevice(wire(ROOKS, sensor, MEGA), random.Random(1))
    device.sensors["d4"] = type(device.sensors["d4"])(swing=0.0)
    work = session(device, TypingBuilder(device)).run()
    assert [site for site, answer in work.walk.answers.items() if answer is None] == ["d4"]
    assert not any(device.lamps)
    told = capsys.readouterr().out
    assert "Hold one piece on a1. Its lamp shines." in told
    assert "d4 does not answer." in told


def test_typed_words_do_what_they_say() -> None:
    device = VirtualDevice(wire(ROOKS, Sensor.REED, MEGA), random.Random(1))
    seen: list[Commissioning] = []

    class Typing(SimulatedBuilder):
        def act(self, work: Commissioning, now: float) -> None:
            if work.stage is CommissioningStage.LAMPS and work.lamp_tests.test is LampTest.RED:
                obey(work, "c3")
                obey(work, "n")
            elif work.stage is CommissioningStage.WALK and not seen:
                for typed in ("s", "s", "b", "d3", "b2!", "?", ""):
                    obey(work, typed)
                with pytest.raises(GridSetupError, match="no site 'c9'"):
                    obey(work, "c9")
                seen.append(work)
                obey(work, "sheet")
            else:
                super().act(work, now)

    work = session(device, Typing(device)).run()
    assert work.lamp_tests.dark == {"c3"}
    assert work.lamp_tests.has_other_colours
    assert work.lamp_tests.seen == {"d3": "b2"}
    assert work.walk.skipped == set(ROOKS.sites)


def test_a_line_that_ends_stops_it() -> None:
    device = VirtualDevice(wire(ROOKS, Sensor.REED, MEGA), random.Random(1))
    device.set("a1", State.NORTH)
    typed: SimpleQueue[str | None] = SimpleQueue()
    typed.put("")
    typed.put(None)
    with pytest.raises(click.Abort):
        session(device, typed=typed).run()


def test_poles_that_stand_for_looks_name_the_piece_to_walk_and_are_kept(folder: Path) -> None:
    result = set_up("virtual?turned=c3", "--keep", "--north", "red/solid", "--south", "blue/solid")
    assert "Hold one piece (red/solid) on a1." in result.output
    kept = load_calibration(folder / "grid.json")
    assert kept.poles == {"north": ("red/solid",), "south": ("blue/solid",)}
    assert kept.turned == ("c3",)


def test_what_does_not_suffice_is_not_kept(folder: Path) -> None:
    dead = ",".join(list(ROOKS.sites)[:8])
    result = set_up(f"virtual?dead={dead}", "--keep")
    assert result.exit_code == 1
    assert "Not kept: only 8 of 16 sensors felt a magnet" in result.output
    assert not (folder / "grid.json").exists()
