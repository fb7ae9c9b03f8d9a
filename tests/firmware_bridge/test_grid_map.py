"""The map of the wires: kept in the calibration's file, checked when it is read, and used by the grid."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from commissioned import Bench, device

from companion.core.board import load_board
from firmware_bridge import cli
from firmware_bridge.line.link import Port
from firmware_bridge.line.messages import (
    Change,
    Fault,
    Levels,
    Sensor,
    Snapshot,
    State,
    Trouble,
    pack_states,
)
from firmware_bridge.line.wiring import MEGA, rewire, wire
from firmware_bridge.sensing.calibration import (
    Calibration,
    GridCalibrationError,
    SensorVerdict,
    load_calibration,
)
from firmware_bridge.sensing.grid import Grid
from firmware_bridge.sensing.grid_source import GridSource, VirtualGridSource
from firmware_bridge.sensing.health import Health
from firmware_bridge.sensing.lamps import PUT
from firmware_bridge.sensing.virtual import SteppedClock, VirtualDevice, VirtualPort
from firmware_bridge.sensing.virtual_faults import parse_faults, put_in

WIRES = {"a1": "b1", "b1": "a1"}
ROOKS = load_board("rooks")
WIRING = wire(ROOKS, Sensor.ANALOGUE, MEGA)


@pytest.fixture(scope="module")
def known() -> Calibration:
    """The calibration of a grid with two wires exchanged, and a dead sensor at d4."""
    found = device("rooks")
    put_in(found, parse_faults("virtual?exchanged=a1,b1&dead=d4") or ())
    return Bench(found).commission().calibration()


def test_the_map_is_kept_in_the_file(tmp_path: Path, known: Calibration) -> None:
    known.save(tmp_path / "grid.json")
    assert load_calibration(tmp_path / "grid.json") == known
    assert json.loads((tmp_path / "grid.json").read_text())["wires"] == WIRES


def test_a_calibration_from_before_there_were_maps_is_read(tmp_path: Path, known: Calibration) -> None:
    data = json.loads(msgspec.json.encode(known))
    del data["wires"]
    (tmp_path / "grid.json").write_text(json.dumps(data))
    assert load_calibration(tmp_path / "grid.json").wires == {}


@pytest.mark.parametrize(
    "wires",
    [
        {"a1": "b1"},
        {"a1": "b1", "c1": "b1"},
        {"a1": "z9", "z9": "a1"},
        ["a1"],
        {"a1": 1},
    ],
)
def test_a_map_that_is_no_exchange_is_refused(tmp_path: Path, known: Calibration, wires: object) -> None:
    (tmp_path / "grid.json").write_text(json.dumps(json.loads(msgspec.json.encode(known)) | {"wires": wires}))
    with pytest.raises(GridCalibrationError, match="is no calibration of a grid"):
        load_calibration(tmp_path / "grid.json")


def test_all_that_the_device_numbers_is_read_by_the_map() -> None:
    grid = Grid(rewire(WIRING, WIRES))
    grid.receive(Snapshot(0, pack_states([State.NORTH] + [State.OPEN] * 15)), 0.0)
    assert [site for site, state in grid.states.items() if state] == ["b1"]
    number = WIRING.sites.index("b1")
    grid.receive(Change(10, number, State.NORTH, 700), 0.1)
    assert grid.states["a1"] is State.NORTH
    grid.receive(Levels(20, 0, 0, tuple(range(100, 116))), 0.2)
    assert (grid.levels["b1"], grid.levels["a1"], grid.levels["c1"]) == (100, 100 + number, 100 + 2 * number)
    grid.receive(Fault(Trouble.DIODE, 0, 1), 0.3)
    assert grid.health.bridged(0.3) == ("b1",)


def test_what_is_sent_to_the_device_is_numbered_by_the_map(known: Calibration) -> None:
    dead = replace(known, sites=known.sites | {"a1": replace(known.sites["a1"], verdict=SensorVerdict.DEAD)})
    grid = Grid(rewire(WIRING, WIRES), dead)
    *tunes, mute = grid.setup()
    number = WIRING.sites.index("b1")
    muted = [n for n in range(16) if mute.sites[n // 8] >> n % 8 & 1]  # type: ignore[attr-defined]
    assert sorted(muted) == sorted((number, WIRING.sites.index("d4")))
    rests = {tune.site: tune.rest for tune in tunes}  # type: ignore[attr-defined]
    assert rests[number] == round(known.sites["a1"].rest)


def test_ghosts_are_where_the_wires_are() -> None:
    """The fourth corner of a rectangle of addresses is where its wire ends."""
    reed = wire(load_board("triune"), Sensor.REED, MEGA)
    swapped = rewire(reed, {"b2": "h7", "h7": "b2"})
    health = Health(swapped)
    health.bad_diode("a1", 0.0)
    assert health.ghosts(["a1", "a2", "b1", "h7"], 0.0) == {"h7"}
    assert health.ghosts(["a1", "a2", "b1", "b2"], 0.0) == set()


def test_a_grid_that_is_in_use_takes_the_map_at_once_and_gives_it_back(known: Calibration) -> None:
    faults = parse_faults("virtual?exchanged=a1,b1&dead=d4") or ()
    with VirtualGridSource(ROOKS, None, "serial:virtual", faults) as source:

        def felt_first(site: str) -> set[str]:
            source.device.arrange({site: State.NORTH})
            for sighting in source.sightings():
                if sighting.observation:
                    readings = sighting.observation.readings
                    found = {place for place, reading in readings.items() if reading.best() != "empty"}
                    if found:
                        source.device.arrange({})
                        break
            for sighting in source.sightings():
                if sighting.observation and all(
                    reading.best() == "empty" for reading in sighting.observation.readings.values()
                ):
                    return found
            raise AssertionError

        assert felt_first("a1") == {"b1"}
        source.adopt(known)
        assert felt_first("a1") == {"a1"}
        source.adopt(known.without_map())
        assert felt_first("a1") == {"b1"}


def test_lamps_follow_a_grid_that_lies_turned(known: Calibration) -> None:
    source = VirtualGridSource(ROOKS, None, "serial:virtual", clock=SteppedClock())

    def lit() -> list[str]:
        for _ in range(100):
            source.link.step()
        return [site for n, site in enumerate(WIRING.sites) if any(source.device.lamps[3 * n : 3 * n + 3])]

    source.shine({"a1": PUT})
    assert lit() == ["a1"]
    half_turn = dict(zip(WIRING.sites, reversed(WIRING.sites), strict=True))
    for wires, lamp in (half_turn, "d4"), (WIRES, "a1"):
        source.adopt(replace(known, wires=wires))
        assert lit() == [lamp]


def opener(found: VirtualDevice) -> Port:
    ticks = iter(range(1_000_000))
    return VirtualPort(found, lambda: next(ticks) * 0.002)


@pytest.mark.parametrize(("faults", "bad"), [("exchanged=a1,b1", []), ("exchanged=a1,b1&stuck=a1", ["a1"])])
def test_the_doctor_reads_by_the_map(
    known: Calibration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: str, bad: list[str]
) -> None:
    good = replace(
        known, sites={site: replace(s, verdict=SensorVerdict.GOOD) for site, s in known.sites.items()}
    )
    good.save(tmp_path / "grid.json")
    found = device("rooks")
    put_in(found, parse_faults(f"virtual?{faults}") or ())
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setattr(
        cli, "grid_of", lambda text, boards, known: GridSource(lambda: opener(found), boards, known)
    )
    result = CliRunner().invoke(cli.doctor_grid, ["--empty", "--board", "rooks"])
    assert [line.partition(":")[0] for line in result.stdout.splitlines()] == bad


@pytest.mark.parametrize(
    ("text", "board", "wires"),
    [
        ("virtual", "rooks", {}),
        ("virtual?exchanged=a1,b1", "rooks", WIRES),
        ("virtual?exchanged=a1,z9", "rooks", {}),
        ("virtual?exchanged=a1,b1&exchanged=b1,c1", "rooks", {"a1": "b1", "b1": "c1", "c1": "a1"}),
    ],
)
def test_faults_are_written_behind_the_name(text: str, board: str, wires: dict[str, str]) -> None:
    found = VirtualDevice(wire(load_board(board), Sensor.ANALOGUE, MEGA), random.Random(1))
    put_in(found, parse_faults(text) or ())
    assert {wire: end for wire, end in found.wires.items() if wire != end} == wires
