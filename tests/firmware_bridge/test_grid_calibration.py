"""Calibration of grids: every bad sensor found, and none that is good."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.board import load_board
from companion.core.game import Site
from firmware_bridge.calibrate import (
    InsufficientScansError,
    Scan,
    calibrate,
    examine,
    heat,
    walked,
)
from firmware_bridge.grid import Grid
from firmware_bridge.grid_source import open_grid_source
from firmware_bridge.messages import Sensor, Snapshot, State, pack_states
from firmware_bridge.sensors import (
    Calibration,
    GridCalibrationError,
    SensorLevels,
    SensorVerdict,
    load_calibration,
)
from firmware_bridge.virtual import VirtualSensor, spread
from firmware_bridge.wiring import MEGA, Wiring, wire


def scan(wiring: Wiring, sensors: Mapping[Site, VirtualSensor], rng: random.Random, *on: Site) -> Scan:
    """Levels with a magnet on these sites; a neighbour in the list of sites feels a tenth of it."""
    return {site: sensors[site].level(State(int(site in on)), rng) for site in wiring.sites}


def measure(
    wiring: Wiring, sensors: Mapping[Site, VirtualSensor], rng: random.Random
) -> tuple[list[Scan], list[Scan], list[Scan]]:
    empty = [scan(wiring, sensors, rng) for _ in range(10)]
    full = [scan(wiring, sensors, rng, *wiring.sites) for _ in range(10)]
    return empty, full, [scan(wiring, sensors, rng, site) for site in wiring.sites]


@pytest.mark.parametrize("board", ["triune", "magnet"])
@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("way", ["full", "walk", "both"])
def test_all_bad_sensors_are_found_and_no_good_one(board: str, seed: int, way: str) -> None:
    rng = random.Random(seed)
    wiring = wire(load_board(board), Sensor.ANALOGUE, MEGA)
    bad = rng.sample(wiring.sites, 5)
    faults = {site: "dead" if i < 3 else "stuck" for i, site in enumerate(bad)}
    sensors = spread(wiring, rng, gain=0.3, offset=30, faults=faults)
    empty, full, walk = measure(wiring, sensors, rng)
    found = calibrate(
        wiring, empty, full if way != "walk" else (), walked(empty, walk) if way != "full" else None
    )
    assert {site: str(found.sites[site].verdict) for site in found.blind} == faults
    for site in set(wiring.sites) - set(bad):
        levels = found.sites[site]
        assert levels.release < levels.press < abs(levels.swing)


@pytest.mark.parametrize(
    ("fault", "verdict"),
    [
        (VirtualSensor(noise=40), SensorVerdict.NOISY),
        (VirtualSensor(swing=60), SensorVerdict.WEAK),
        (VirtualSensor(fault="dead"), SensorVerdict.DEAD),
        (VirtualSensor(fault="stuck"), SensorVerdict.STUCK),
        (VirtualSensor(swing=-160), SensorVerdict.GOOD),
    ],
)
def test_verdicts(fault: VirtualSensor, verdict: SensorVerdict) -> None:
    rng = random.Random(3)
    wiring = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)
    sensors = spread(wiring, rng) | {"c3": fault}
    empty, full, _ = measure(wiring, sensors, rng)
    found = calibrate(wiring, empty, full)
    assert found.sites["c3"].verdict is verdict
    assert found.blind == (frozenset() if verdict is SensorVerdict.GOOD else {"c3"})


POLES = {"north": ("red/solid",), "south": ("blue/solid",)}
TRIUNE = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)


def calibrate_turned(turned: set[Site], poles: Mapping[str, tuple[str, ...]]) -> Calibration:
    """Returns the calibration by a walk with north up, where the sensors of some sites are turned over."""
    rng = random.Random(3)
    sensors = spread(TRIUNE, rng)
    sensors |= {site: replace(sensors[site], swing=-sensors[site].swing) for site in turned}
    empty, _, walk = measure(TRIUNE, sensors, rng)
    return calibrate(TRIUNE, empty, walk=walked(empty, walk), poles=poles)


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


def test_without_a_walk_no_pole_tells_a_colour() -> None:
    rng = random.Random(3)
    empty, full, _ = measure(TRIUNE, spread(TRIUNE, rng), rng)
    found = calibrate(TRIUNE, empty, full, poles=POLES)
    assert not found.turned
    assert looks_of(found, {"c3": State.NORTH}) == {"c3": None}


def test_half_a_board_of_pieces_is_no_full_board_and_a_walk_makes_up_for_it() -> None:
    """Chess: 32 pieces for 64 sites."""
    rng = random.Random(5)
    wiring = wire(load_board("chess"), Sensor.ANALOGUE, MEGA)
    sensors = spread(wiring, rng)
    empty, _, walk = measure(wiring, sensors, rng)
    full = [scan(wiring, sensors, rng, *wiring.sites[:32]) for _ in range(10)]
    with pytest.raises(
        InsufficientScansError, match="only 32 of 64 sensors felt a magnet: was the board empty"
    ):
        calibrate(wiring, empty, full)
    assert not calibrate(wiring, empty, full, walked(empty, walk)).blind
    assert not calibrate(wiring, empty, walk=walked(empty, walk)).blind


def test_a_neighbour_that_bleeds_shows_in_the_walk() -> None:
    rng = random.Random(3)
    wiring = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)
    sensors = spread(wiring, rng)
    empty, _, walk = measure(wiring, sensors, rng)
    over_c4 = {**walk[wiring.sites.index("c4")]}
    over_c4["c3"] = round(sensors["c3"].rest + 0.6 * sensors["c3"].swing)
    walk[wiring.sites.index("c4")] = over_c4
    found = calibrate(wiring, empty, walk=walked(empty, walk))
    assert {site: found.sites[site].verdict for site in found.blind} == {"c3": SensorVerdict.BLEEDING}


def test_switches_are_calibrated_too() -> None:
    wiring = wire(load_board("triune"), Sensor.REED, MEGA)
    empty = [dict.fromkeys(wiring.sites, 0) | {"a1": 1023}] * 5
    full = [dict.fromkeys(wiring.sites, 1023) | {"b1": 0}] * 5
    found = calibrate(wiring, empty, full)
    bad = {site: found.sites[site].verdict for site in found.blind}
    assert bad == {"a1": SensorVerdict.STUCK, "b1": SensorVerdict.DEAD}


@pytest.mark.parametrize("full", [(), "empty"])
def test_too_little_is_refused_with_what_to_do(full: object) -> None:
    rng = random.Random(1)
    wiring = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)
    empty, _, _ = measure(wiring, spread(wiring, rng), rng)
    with pytest.raises(InsufficientScansError, match=r"walk one magnet|over every site"):
        calibrate(wiring, empty, empty if full else ())


def test_a_calibration_is_saved_and_read_again(tmp_path: Path) -> None:
    rng = random.Random(2)
    wiring = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)
    empty, full, _ = measure(wiring, spread(wiring, rng, faults={"a1": "dead"}), rng)
    found = calibrate(wiring, empty, full, poles={"north": ("red/solid",)})
    found.save(tmp_path / "grid.json")
    assert load_calibration(tmp_path / "grid.json") == found
    assert max(heat(found).values()) < 1.5
    assert heat(found)["a1"] < 0.1


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": "other"}', "null"])
def test_a_file_that_is_no_calibration_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "grid.json"
    path.write_text(text)
    with pytest.raises(GridCalibrationError, match="companion calibrate --grid"):
        load_calibration(path)
    with pytest.raises(GridCalibrationError, match="cannot read"):
        load_calibration(tmp_path / "none.json")


def damage(path: Path, site: str, **wrong: object) -> None:
    """Writes a calibration of a Triune board in which one sensor has these values."""
    wiring = wire(load_board("triune"), Sensor.ANALOGUE, MEGA)
    levels = dict.fromkeys(wiring.sites, SensorLevels(512.0, 1.0, 160.0, 0.0, 40, 24))
    data = Calibration(wiring.check, wiring.sensor, levels).to_json()
    data["sites"][site] |= wrong
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"press": 300}, "'press' has to be a whole number from 1 to 255, not 300"),
        ({"press": 40.5}, "'press' has to be a whole number from 1 to 255, not 40.5"),
        ({"press": "40"}, "'press' has to be a whole number from 1 to 255, not '40'"),
        ({"press": True}, "not True"),
        ({"press": 0, "release": 0}, "not 0"),
        ({"release": 0}, "'release' has to be"),
        ({"release": 41}, "'release' is more than 'press'"),
        ({"rest": -1}, "'rest' has to be a number from 0 to 1023, not -1"),
        ({"rest": None}, "not None"),
        ({"rest": float("nan")}, "not nan"),
        ({"noise": float("inf")}, "not inf"),
        ({"north": [160]}, "'north' has to be a number from -1023 to 1023"),
        ({"south": "9" * 5000}, "'south' has to be a number"),
        ({"turned": "yes"}, "'turned' has to be true, false or null, not 'yes'"),
    ],
)
def test_values_that_no_sensor_can_have_are_refused_by_file_and_site(
    tmp_path: Path, wrong: Mapping[str, object], words: str
) -> None:
    path = tmp_path / "grid.json"
    damage(path, "c3", **wrong)
    with pytest.raises(GridCalibrationError) as refused:
        load_calibration(path)
    line = str(refused.value)
    assert line.startswith(f"'{path}': c3: ")
    assert words in line
    assert "companion calibrate --grid" in line
    assert len(line.splitlines()) == 1
    assert len(line) < len(str(path)) + 200


@pytest.mark.parametrize(
    ("part", "value", "words"),
    [
        ("sites", {}, "names no site"),
        ("poles", {"north": "red/solid"}, "the looks of 'north'"),
        ("poles", {"south": [["red/solid"]]}, "the looks of 'south'"),
    ],
)
def test_a_calibration_without_sites_or_with_odd_looks_is_refused(
    tmp_path: Path, part: str, value: object, words: str
) -> None:
    path = tmp_path / "grid.json"
    damage(path, "c3")
    path.write_text(json.dumps(json.loads(path.read_text()) | {part: value}), encoding="utf-8")
    with pytest.raises(GridCalibrationError, match=words):
        load_calibration(path)


def test_a_damaged_calibration_is_told_and_play_goes_on_without_it(tmp_path: Path) -> None:
    damage(tmp_path / "grid.json", "c3", press=300)
    with open_grid_source("serial:virtual", load_board("triune"), folder=tmp_path) as source:
        seen = next(s for s in source.sightings() if s.observation is not None)
        assert "c3: 'press'" in seen.trouble
        damage(tmp_path / "grid.json", "c3")
        source.adopt(load_calibration(tmp_path / "grid.json"))
        assert next(s for s in source.sightings() if s.observation is not None and not s.trouble).still


def test_an_examination_names_each_bad_site() -> None:
    rng = random.Random(4)
    wiring = wire(load_board("magnet"), Sensor.ANALOGUE, MEGA)
    faults = {"a1": "dead", "b2": "stuck"}
    sensors = spread(wiring, rng, faults=faults)
    sensors |= {"c3": VirtualSensor(noise=50), "d4": VirtualSensor(rest=0, fault="dead")}
    good = spread(wiring, random.Random(4))
    empty, full, _ = measure(wiring, good, rng)
    known = calibrate(wiring, empty, full)
    scans = [scan(wiring, sensors, rng, *wiring.sites[:30]) for _ in range(20)]
    occupied = {site: site in wiring.sites[:30] for site in wiring.sites}
    expected = {"a1": SensorVerdict.DEAD, "c3": SensorVerdict.NOISY, "d4": SensorVerdict.DEAD}
    if not occupied["b2"]:
        expected["b2"] = SensorVerdict.STUCK
    found = examine(wiring, scans, known, occupied)
    assert {site: found[site] for site in expected} == expected
    assert examine(wiring, empty, known) == {}
    assert examine(wiring, full, known, dict.fromkeys(wiring.sites, True)) == {}
