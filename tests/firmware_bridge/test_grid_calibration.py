"""Calibration of grids: every bad sensor found, and none that is good."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from companion.core.board import load_board
from companion.core.game import Site
from firmware_bridge.line.messages import Sensor, Snapshot, State, pack_states
from firmware_bridge.line.wiring import MEGA, Wiring, wire
from firmware_bridge.sensing.calibration import (
    Calibration,
    GridCalibrationError,
    SensorLevels,
    SensorVerdict,
    load_calibration,
)
from firmware_bridge.sensing.grid import Grid
from firmware_bridge.sensing.grid_source import open_grid_source
from firmware_bridge.sensing.virtual import VirtualSensor, spread
from firmware_bridge.sensing.virtual_faults import SENSORS
from firmware_bridge.setup.calibrate import (
    GridSetupError,
    Scan,
    calibrate,
    check_reactions,
    examine,
    heat,
)


def scan(wiring: Wiring, sensors: Mapping[Site, VirtualSensor], rng: random.Random, *on: Site) -> Scan:
    """Levels with a magnet on these sites; a neighbour in the list of sites feels a tenth of it."""
    return {site: sensors[site].level(State(int(site in on)), rng) for site in wiring.sites}


def measure(
    wiring: Wiring, sensors: Mapping[Site, VirtualSensor], rng: random.Random
) -> tuple[list[Scan], dict[Site, Scan]]:
    """Scans of the empty board, and for each site one with a magnet on it."""
    empty = [scan(wiring, sensors, rng) for _ in range(10)]
    return empty, {site: scan(wiring, sensors, rng, site) for site in wiring.sites}


@pytest.mark.parametrize("board", ["triune", "magnet"])
@pytest.mark.parametrize("seed", range(15))
def test_all_bad_sensors_are_found_and_no_good_one(board: str, seed: int) -> None:
    rng = random.Random(seed)
    wiring = wire(load_board(board), Sensor.ANALOGUE, MEGA)
    bad = rng.sample(wiring.sites, 5)
    faults = {site: "dead" if i < 3 else "stuck" for i, site in enumerate(bad)}
    sensors = spread(wiring, rng, gain=0.3, offset=30)
    sensors |= {site: SENSORS[fault](sensors[site]) for site, fault in faults.items()}
    found = calibrate(wiring, *measure(wiring, sensors, rng))
    assert {site: str(found.sites[site].verdict) for site in found.blind} == faults
    for site in set(wiring.sites) - set(bad):
        levels = found.sites[site]
        assert levels.release < levels.press < abs(levels.swing)


@pytest.mark.parametrize(
    ("fault", "verdict"),
    [
        (VirtualSensor(noise=40), SensorVerdict.NOISY),
        (VirtualSensor(swing=60), SensorVerdict.WEAK),
        (VirtualSensor(swing=0), SensorVerdict.DEAD),
        (VirtualSensor(rest=672, swing=0), SensorVerdict.STUCK),
        (VirtualSensor(swing=-160), SensorVerdict.GOOD),
    ],
)
def test_verdicts(fault: VirtualSensor, verdict: SensorVerdict) -> None:
    rng = random.Random(3)
    wiring = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)
    sensors = spread(wiring, rng) | {"c3": fault}
    found = calibrate(wiring, *measure(wiring, sensors, rng))
    assert found.sites["c3"].verdict is verdict
    assert found.blind == (frozenset() if verdict is SensorVerdict.GOOD else {"c3"})


POLES = {"north": ("red/solid",), "south": ("blue/solid",)}
TRIUNE = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)


def calibrate_turned(turned: set[Site], poles: Mapping[str, tuple[str, ...]]) -> Calibration:
    """Returns the calibration by a walk with north up, where the sensors of some sites are turned over."""
    rng = random.Random(3)
    sensors = spread(TRIUNE, rng)
    sensors |= {site: replace(sensors[site], swing=-sensors[site].swing) for site in turned}
    return calibrate(TRIUNE, *measure(TRIUNE, sensors, rng), poles)


def looks_of(calibration: Calibration | None, states: Mapping[Site, State]) -> dict[Site, str | None]:
    """Returns the likeliest look of each of these sites, where sensors say this."""
    grid = Grid(TRIUNE, calibration)
    told = [states.get(site, State.OPEN) for site in TRIUNE.sites]
    sighting = grid.receive(Snapshot(0, pack_states(told)), 0.0)
    assert sighting is not None
    assert sighting.observation is not None
    return {site: sighting.observation.readings[site].best() for site in states}


@pytest.mark.parametrize("turned", [set(), {"c3"}, set(TRIUNE.sites[:40]), set(TRIUNE.sites)])
def test_a_sensor_that_is_turned_over_is_named_and_tells_no_other_colour(turned: set[Site]) -> None:
    found = calibrate_turned(turned, POLES)
    assert set(found.turned) == turned
    assert not found.blind
    red = {site: State.SOUTH if site in turned else State.NORTH for site in ("c3", "h8")}
    blue = {site: State.NORTH if site in turned else State.SOUTH for site in ("c3", "h8")}
    assert looks_of(found, red) == dict.fromkeys(red, "red/solid")
    assert looks_of(found, blue) == dict.fromkeys(blue, "blue/solid")


def test_where_no_look_is_known_most_sensors_lie_right() -> None:
    assert calibrate_turned({"c3"}, {}).turned == ("c3",)
    assert set(calibrate_turned(set(TRIUNE.sites) - {"c3"}, {}).turned) == {"c3"}


def test_where_the_walk_has_not_been_no_pole_tells_a_colour() -> None:
    rng = random.Random(3)
    empty, walk = measure(TRIUNE, spread(TRIUNE, rng), rng)
    del walk["c3"]
    found = calibrate(TRIUNE, empty, walk, POLES)
    assert found.sites["c3"].turned is None
    assert looks_of(found, {"d4": State.NORTH}) == {"d4": "red/solid"}


def test_a_walk_over_half_a_board_does_not_suffice() -> None:
    rng = random.Random(5)
    empty, walk = measure(TRIUNE, spread(TRIUNE, rng), rng)
    half = {site: walk[site] for site in TRIUNE.sites[:32]}
    with pytest.raises(GridSetupError, match="only 32 of 64 sensors felt a magnet: was the board empty"):
        check_reactions(calibrate(TRIUNE, empty, half))


def test_a_neighbour_that_bleeds_shows_in_the_walk() -> None:
    rng = random.Random(3)
    wiring = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)
    sensors = spread(wiring, rng)
    empty, walk = measure(wiring, sensors, rng)
    walk["c4"] = {**walk["c4"], "c3": round(sensors["c3"].rest + 0.6 * sensors["c3"].swing)}
    found = calibrate(wiring, empty, walk)
    assert {site: found.sites[site].verdict for site in found.blind} == {"c3": SensorVerdict.BLEEDING}


def test_switches_are_calibrated_too() -> None:
    wiring = wire(load_board("triune"), Sensor.REED, MEGA)
    rest = dict.fromkeys(wiring.sites, 0) | {"a1": 1023}
    walk = {site: rest | {site: 0 if site == "b1" else 1023} for site in wiring.sites}
    found = calibrate(wiring, [rest] * 5, walk)
    bad = {site: found.sites[site].verdict for site in found.blind}
    assert bad == {"a1": SensorVerdict.STUCK, "b1": SensorVerdict.DEAD}


def test_without_a_walk_it_is_refused_with_what_to_do() -> None:
    rng = random.Random(1)
    empty, _ = measure(TRIUNE, spread(TRIUNE, rng), rng)
    with pytest.raises(GridSetupError, match="walk one magnet"):
        calibrate(TRIUNE, empty, {})


def test_a_calibration_is_saved_and_read_again(tmp_path: Path) -> None:
    rng = random.Random(2)
    wiring = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)
    measured = measure(wiring, spread(wiring, rng) | {"a1": VirtualSensor(swing=0)}, rng)
    found = calibrate(wiring, *measured, poles={"north": ("red/solid",)})
    found.save(tmp_path / "grid.json")
    assert load_calibration(tmp_path / "grid.json") == found
    assert max(heat(found).values()) < 1.5
    assert heat(found)["a1"] < 0.1


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": "other"}', "null"])
def test_a_file_that_is_no_calibration_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "grid.json"
    path.write_text(text)
    with pytest.raises(GridCalibrationError, match="companion grid setup"):
        load_calibration(path)
    with pytest.raises(GridCalibrationError, match="cannot read"):
        load_calibration(tmp_path / "none.json")


def damage(path: Path, site: str, **wrong: object) -> None:
    """Writes a calibration of a Triune board in which one sensor has these values."""
    wiring = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)
    levels = dict.fromkeys(wiring.sites, SensorLevels(512.0, 1.0, 160.0, 0.0, 40, 24))
    data = json.loads(msgspec.json.encode(Calibration(wiring.check, wiring.sensor.word, levels)))
    data["sites"][site] |= wrong
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize(
    "wrong",
    [
        {"press": 300},
        {"press": 40.5},
        {"release": 41},
        {"rest": -1},
        {"rest": float("nan")},
        {"north": [160]},
        {"verdict": "fine"},
        {"turned": "yes"},
    ],
    ids=str,
)
def test_values_that_no_sensor_can_have_are_refused(tmp_path: Path, wrong: Mapping[str, object]) -> None:
    path = tmp_path / "grid.json"
    damage(path, "c3", **wrong)
    with pytest.raises(GridCalibrationError) as refused:
        load_calibration(path)
    assert str(refused.value) == (
        f"'{path}' is no calibration of a grid: make it again with `companion grid setup`"
    )


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("sites", {}),
        ("poles", {"north": "red/solid"}),
        ("poles", {"south": [["red/solid"]]}),
        ("format", "board-companion grid 2"),
    ],
)
def test_a_calibration_without_sites_or_with_odd_looks_is_refused(
    tmp_path: Path, part: str, value: object
) -> None:
    path = tmp_path / "grid.json"
    damage(path, "c3")
    path.write_text(json.dumps(json.loads(path.read_text()) | {part: value}), encoding="utf-8")
    with pytest.raises(GridCalibrationError, match="is no calibration of a grid"):
        load_calibration(path)


def test_a_damaged_calibration_is_told_and_play_goes_on_without_it(tmp_path: Path) -> None:
    damage(tmp_path / "grid.json", "c3", press=300)
    with open_grid_source("serial:virtual", load_board("triune"), folder=tmp_path) as source:
        seen = next(s for s in source.sightings() if s.observation is not None)
        assert "is no calibration of a grid" in seen.trouble
        damage(tmp_path / "grid.json", "c3")
        source.adopt(load_calibration(tmp_path / "grid.json"))
        assert next(s for s in source.sightings() if s.observation is not None and not s.trouble).still


def test_an_examination_names_each_bad_site() -> None:
    rng = random.Random(4)
    wiring = wire(load_board("magnet"), Sensor.ANALOGUE, MEGA)
    faults = {"a1": "dead", "b2": "stuck"}
    sensors = spread(wiring, rng)
    sensors |= {site: SENSORS[fault](sensors[site]) for site, fault in faults.items()}
    sensors |= {"c3": VirtualSensor(noise=50), "d4": VirtualSensor(rest=0, swing=0)}
    empty, walk = measure(wiring, spread(wiring, random.Random(4)), rng)
    known = calibrate(wiring, empty, walk)
    scans = [scan(wiring, sensors, rng) for _ in range(20)]
    noisy = {"c3": SensorVerdict.NOISY, "d4": SensorVerdict.DEAD}
    assert examine(wiring.sensor, scans, known) == noisy
    assert examine(wiring.sensor, scans, known, is_empty=True) == {"b2": SensorVerdict.STUCK} | noisy
    assert examine(wiring.sensor, empty, known, is_empty=True) == {}
