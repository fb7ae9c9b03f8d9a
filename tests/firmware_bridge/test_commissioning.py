"""Commissioning: faults put into a virtual grid are named, and exchanged wires are made up for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from commissioned import Bench, device
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.board import load_board
from firmware_bridge.line.messages import Hello, Sensor, Snapshot, State, pack_states
from firmware_bridge.line.wiring import MEGA, rewire, wire
from firmware_bridge.sensing.grid import Grid
from firmware_bridge.sensing.lamps import PUT
from firmware_bridge.sensing.virtual import VirtualDevice
from firmware_bridge.sensing.virtual_faults import parse_faults, put_in, solder_ring
from firmware_bridge.setup.calibrate import GridSetupError
from firmware_bridge.setup.commissioning import CommissioningStage
from firmware_bridge.setup.lamp_tests import LampTest
from firmware_bridge.setup.sheet import findings_by_site, sheet_of
from firmware_bridge.setup.simulated_builder import SimulatedBuilder
from firmware_bridge.setup.walk import Walk, walking_order
from firmware_bridge.setup.words import plain_text, prompt


def faulty(faults: str, board: str = "rooks", sensor: Sensor = Sensor.ANALOGUE) -> VirtualDevice:
    found = device(board, sensor)
    parsed = parse_faults(f"virtual?{faults}")
    assert parsed is not None
    put_in(found, parsed)
    return found


@pytest.mark.parametrize(
    ("faults", "words"),
    [
        ("", []),
        ("exchanged=a1,b1", ["The wires of a1 and b1 are exchanged."]),
        ("turned=c3", ["c3: turned over."]),
        ("dead=d4", ["d4 does not answer."]),
        ("weak=b2", ["b2: weak (35 %)."]),
        ("stuck=c2", ["c2: stuck."]),
        ("noisy=d1", ["d1: noisy."]),
        ("bleeding=c3", ["c3: bleeding."]),
        ("supply=1", ["The sensors' supply is noisy: it moves all levels by N counts."]),
        (
            "exchanged=a1,b1&turned=c3&dead=d4&weak=b2",
            [
                "The wires of a1 and b1 are exchanged.",
                "d4 does not answer.",
                "b2: weak (35 %).",
                "c3: turned over.",
            ],
        ),
        (
            "exchanged=a1,b1&exchanged=c1,d4,d3",
            [
                "The wires of a1 and b1 are exchanged.",
                "The wires of c1, d3 and d4 are exchanged in a ring: c1 has that of d3, and so on.",
            ],
        ),
        ("exchanged=a1,b1&dead=a1", ["The wires of a1 and b1 are exchanged.", "a1 does not answer."]),
        (
            "exchanged=a1,b1&turned=a1,b1",
            ["The wires of a1 and b1 are exchanged.", "a1: turned over.", "b1: turned over."],
        ),
    ],
)
def test_faults_are_named_and_nothing_else(faults: str, words: list[str]) -> None:
    found = device("rooks", seed=3)
    found.sensors = {site: replace(sensor, swing=160.0) for site, sensor in found.sensors.items()}
    parsed = parse_faults(f"virtual?{faults}")
    put_in(found, parsed or ())
    sheet = sheet_of(Bench(found).commission())
    named = [finding.words for finding in sheet.findings]
    if "supply" in faults:
        assert named[0].startswith("The sensors' supply is noisy: it moves all levels by")
        assert len(named) == 1
    else:
        assert named == words
    assert sheet.is_whole is (not words)
    assert sheet.untried == ()


@pytest.mark.parametrize("sensor", [Sensor.REED, Sensor.DIGITAL])
def test_switches_are_commissioned_too(sensor: Sensor) -> None:
    found = faulty("exchanged=a1,b1&dead=d4&stuck=c2", sensor=sensor)
    sheet = sheet_of(Bench(found).commission())
    assert findings_by_site(sheet) == {"a1": "exchanged", "b1": "exchanged", "d4": "dead", "c2": "stuck"}
    assert sheet.weakest == ()


def test_of_several_faults_of_a_site_the_map_names_the_first() -> None:
    work = Bench(faulty("exchanged=a1,b1&weak=a1")).commission()
    assert findings_by_site(sheet_of(work)) == {"a1": "exchanged", "b1": "exchanged"}


@pytest.mark.parametrize("sensor", Sensor)
def test_exchanged_rows_are_named_as_rows(sensor: Sensor) -> None:
    noun = {Sensor.REED: "row", Sensor.DIGITAL: "register", Sensor.ANALOGUE: "multiplexer"}[sensor]
    sheet = sheet_of(Bench(faulty("rows=1,2", "triune", sensor)).commission())
    (finding,) = sheet.findings
    assert finding.words.startswith(f"Exchanged: {noun} 1")
    assert f"{noun} 2" in finding.words


def test_a_weak_magnet_in_a_piece_is_named() -> None:
    work = Bench(device("rooks")).commission(pieces=(1.0, 0.95, 0.4, -1.05))
    assert [round(p.share, 1) for p in work.walk.pieces[2:]] == [0.4, 1.1]
    found = sheet_of(work).findings
    assert [finding.kind for finding in found] == ["weak piece"]
    assert found[0].words.startswith("Piece 3 ")


def test_a_magnet_that_is_weak_everywhere_is_named() -> None:
    found = device("rooks")
    found.sensors = {site: replace(s, swing=s.swing * 0.3) for site, s in found.sensors.items()}
    assert [finding.kind for finding in sheet_of(Bench(found).commission()).findings] == ["weak magnet"]


@pytest.mark.parametrize(("rest", "words"), [(540, "6 % above"), (484, "5 % below")])
def test_a_supply_that_is_not_the_controller_s_is_named(rest: float, words: str) -> None:
    found = device("rooks")
    found.sensors = {site: replace(sensor, rest=rest) for site, sensor in found.sensors.items()}
    (finding,) = sheet_of(Bench(found).commission()).findings
    assert words in finding.words


SITES = tuple(load_board("rooks").sites)


@st.composite
def exchanges(draw: st.DrawFn) -> dict[str, str]:
    sites = draw(st.lists(st.sampled_from(SITES), max_size=5, unique=True))
    ends = draw(st.permutations(sites))
    return {wire: end for wire, end in zip(sites, ends, strict=True) if wire != end}


@settings(max_examples=25, deadline=None)
@given(exchanges(), st.sampled_from(list(Sensor)), st.sampled_from([*SITES, None]))
def test_after_the_map_every_touch_reads_right(
    wires: dict[str, str], sensor: Sensor, dead: str | None
) -> None:
    found = device("rooks", sensor)
    found.wires = dict(wires)
    if dead:
        found.sensors[dead] = replace(found.sensors[dead], swing=0.0)
    work = Bench(found).commission()
    sheet = sheet_of(work)
    assert work.walk.wires == wires
    named = {site for f in sheet.findings if f.kind == "exchanged" for site in f.sites}
    assert named == set(wires)
    made = work.calibration()
    grid = Grid(rewire(found.wiring, made.wires), made)
    assert made.blind == ({dead} if dead else set())
    for site in SITES:
        told = [State.NORTH if wires.get(wire, wire) == site else State.OPEN for wire in SITES]
        sighting = grid.receive(Snapshot(0, pack_states(told)), 0.0)
        assert sighting is not None
        assert sighting.observation is not None
        readings = sighting.observation.readings
        felt = {place for place, reading in readings.items() if reading.best() != "empty"}
        assert felt == ({site} - made.blind)


# ---- hands that err ----


def walk_to(bench: Bench, site: str) -> None:
    bench.until(lambda work: work.walk.asked == site, SimulatedBuilder(bench.device))
    bench.device.arrange({})
    bench.step(0.5)


def hold(bench: Bench, site: str, seconds: float = 0.8) -> None:
    """Holds the magnet on a site, and lifts it."""
    bench.device.set(site, State.NORTH)
    bench.step(seconds)
    bench.device.set(site, State.OPEN)
    bench.step(0.4)


def test_a_magnet_that_passes_over_neighbours_is_no_answer() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "c1")
    for site in ("d1", "d2", "b3", "a1"):
        hold(bench, site, 0.3)
    assert bench.work.walk.asked == "c1"
    assert "c1" not in bench.work.walk.answers


def test_a_hand_that_rests_on_a_site_that_was_right_is_told_so() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "c1")
    hold(bench, "b1", 2.0)
    assert bench.work.heard.words == "b1 is felt, and was right before. Put the magnet on c1."
    assert bench.work.walk.asked == "c1"
    hold(bench, "c1")
    assert bench.work.walk.asked == "d1"


def test_a_builder_who_is_one_site_ahead_is_asked_to_look_again() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "b1")
    hold(bench, "c1", 2.0)
    assert bench.work.heard.words == "c1 is felt. If the magnet is on b1, lift it and put it there again."
    hold(bench, "b1")
    assert bench.work.walk.asked == "c1"
    assert not bench.work.walk.wires


@pytest.mark.parametrize("sensor", Sensor)
def test_two_magnets_at_once_are_told_and_no_sensor_is_blamed_for_the_other(sensor: Sensor) -> None:
    bench = Bench(device("rooks", sensor))
    walk_to(bench, "b1")
    bench.device.set("c3", State.NORTH)
    hold(bench, "b1", 2.0)
    assert bench.work.heard.words == (
        "c3 is felt too. Hold a single magnet on b1: lift it and put it there again."
    )
    assert bench.work.walk.asked == "b1"
    bench.device.set("c3", State.OPEN)
    bench.step(0.5)
    bench.commission()
    assert sheet_of(bench.work).is_whole


def test_two_sensors_that_always_answer_together_are_walked_all_the_same() -> None:
    bench = Bench(device("rooks", Sensor.REED))
    walk_to(bench, "b1")
    for _ in range(2):
        bench.device.set("c3", State.NORTH)
        hold(bench, "b1", 2.0)
        bench.device.set("c3", State.OPEN)
        bench.step(0.5)
    assert (bench.work.walk.asked, bench.work.heard.words) == ("c1", "b1 answers.")


def test_a_wrong_answer_is_withdrawn_when_its_sensor_answers_elsewhere() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "b1")
    hold(bench, "d3", 2.0)  # the builder mistook it
    assert bench.work.walk.answers["b1"] is not None
    assert bench.work.walk.wires
    bench.work.ask("d3")
    hold(bench, "d3")
    assert "b1" not in bench.work.walk.answers
    assert not bench.work.walk.wires
    bench.commission()
    assert sheet_of(bench.work).is_whole


def test_a_magnet_that_slides_to_the_next_site_need_not_be_lifted() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "b1")
    for site in ("b1", "c1", "d1"):
        bench.device.arrange({site: State.NORTH})
        bench.step(0.7)
    assert bench.work.walk.asked == "d2"
    assert all(bench.work.walk.answers[site] for site in ("b1", "c1", "d1"))


def test_a_magnet_that_came_down_askew_is_measured_at_its_best() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "b1")
    bench.device.set("b1", State.NORTH, 0.5)
    bench.step(0.8)
    assert bench.work.walk.asked == "c1"
    bench.device.set("b1", State.NORTH, 1.0)
    bench.step(0.8)
    answer = bench.work.walk.answers["b1"]
    assert answer is not None
    assert abs(answer.swing) == pytest.approx(abs(bench.device.sensors["b1"].swing), abs=4)


def test_the_order_is_the_builder_s() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "c1")
    work = bench.work
    work.step(Walk.skip)
    assert work.walk.asked == "d1"
    work.step(Walk.back)
    assert work.walk.asked == "c1"
    work.step(Walk.back)
    assert (work.walk.asked, "b1" in work.walk.answers) == ("b1", False)
    work.ask("d4")
    hold(bench, "d4")
    assert work.walk.answers["d4"] is not None
    assert work.walk.asked == "c4"
    work.go_on()
    assert sheet_of(work).untried
    assert not sheet_of(work).is_whole
    with pytest.raises(GridSetupError, match="of 16 sites were tried"):
        work.calibration()


def test_a_site_that_is_asked_for_after_the_end_leads_on_to_those_that_were_left() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "c1")
    bench.work.go_on()
    bench.work.ask("c1")
    bench.commission()
    assert sheet_of(bench.work).is_whole


def test_a_site_without_an_answer_says_what_to_do_after_a_while() -> None:
    bench = Bench(faulty("dead=b1"))
    walk_to(bench, "b1")
    bench.step(7.0)
    assert bench.work.is_overdue
    assert prompt(bench.work).startswith("Nothing is felt at b1.")
    bench.work.step(Walk.silence)
    assert bench.work.walk.answers["b1"] is None


def test_a_magnet_that_flickers_is_told_from_none() -> None:
    bench = Bench(device("rooks", Sensor.REED))
    walk_to(bench, "b1")
    for _ in range(30):
        hold(bench, "b1", 0.2)
    assert bench.work.walk.asked == "b1"
    assert prompt(bench.work).startswith("b1 is felt, but not steadily.")


@pytest.mark.parametrize("sites", [("z9",), ("a1" * 300,)])
def test_a_site_that_there_is_not_is_refused(sites: tuple[str]) -> None:
    work = Bench(device("rooks")).work
    for deed in (work.ask, work.mark_dark, work.see_lamp):
        with pytest.raises(GridSetupError, match="no site"):
            deed(sites[0])


def test_nothing_is_asked_for_before_the_board_was_measured() -> None:
    work = Bench(device("rooks")).work
    work.go_on()
    assert work.stage is CommissioningStage.EMPTY
    with pytest.raises(GridSetupError, match="empty board"):
        work.ask("a1")


# ---- the line ----


def test_a_cable_that_is_pulled_costs_nothing_that_was_found() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "c2")
    known = dict(bench.work.walk.answers)
    bench.pull()
    bench.step(5.0)
    assert prompt(bench.work).startswith("The grid is not there: the cable was pulled.")
    assert bench.work.due(bench.now) == []
    bench.plug_in()
    assert (bench.work.walk.asked, bench.work.walk.answers) == ("c2", known)
    bench.commission()
    assert sheet_of(bench.work).is_whole
    assert ("Line", "0 frames lost or damaged, 1 times unplugged, 0 restarts") in sheet_of(bench.work).facts


def test_a_cable_that_is_pulled_while_the_empty_board_is_measured() -> None:
    bench = Bench(device("rooks"))
    bench.work.measure_empty()
    bench.step(1.0)
    bench.pull()
    bench.step(4.0)
    assert bench.work.empty.is_measuring
    bench.plug_in()
    bench.until(lambda work: work.stage is not CommissioningStage.EMPTY)


def test_another_grid_is_not_gone_on_with() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "c2")
    bench.pull()
    other = device("triune")
    bench.work.receive(_up(other), bench.now)
    assert "another grid" in prompt(bench.work)


def _up(found: VirtualDevice) -> Hello:
    wiring = found.wiring
    return Hello(1, 0, wiring.sensor, len(wiring.sites), 0, 2, 1, wiring.check, 5, wiring.name)


def test_a_controller_that_starts_anew_meanwhile_is_told_on_the_sheet() -> None:
    bench = Bench(device("rooks"))
    walk_to(bench, "c2")
    hello = bench.work.hello
    bench.work.receive(_up(bench.device), bench.now)
    bench.work.receive(replace(hello, uptime=1, reset=4), bench.now)
    words = [finding.words for finding in sheet_of(bench.work).findings]
    assert "The controller's last start was caused by low voltage." in words
    assert any("started anew" in word for word in words)


@pytest.mark.parametrize(
    ("reset", "words"),
    [(0, ""), (1, ""), (2, ""), (4, "low voltage"), (5, ""), (9, "a firmware that stood still")],
)
def test_the_cause_of_the_last_start_is_named_where_it_is_a_fault(reset: int, words: str) -> None:
    work = Bench(device("rooks")).work
    work.hello = replace(work.hello, reset=reset)
    found = [finding.words for finding in sheet_of(work).findings]
    assert found == ([f"The controller's last start was caused by {words}."] if words else [])


# ---- an empty board that is not ----


def test_a_piece_that_stands_on_the_empty_board_is_named() -> None:
    bench = Bench(device("rooks"))
    bench.device.set("c3", State.NORTH)
    bench.work.measure_empty()
    bench.step(5.0)
    assert bench.work.stage is CommissioningStage.EMPTY
    assert bench.work.heard.words.startswith("Not at rest: c3 (stuck).")
    bench.device.set("c3", State.OPEN)
    bench.work.measure_empty()
    bench.until(lambda work: work.stage is CommissioningStage.LAMPS)


# ---- lamps ----


def test_lamps_are_tried_in_each_colour_and_one_after_the_other() -> None:
    bench = Bench(device("rooks"))
    bench.until(lambda work: work.stage is CommissioningStage.LAMPS, SimulatedBuilder(bench.device))
    seen = []
    for _ in range(3):
        colours = set(bench.work.lamps().values())
        assert len(bench.work.lamps()) == 16
        seen += [colour.index(max(colour)) for colour in colours]
        bench.work.yes()
    assert seen == [0, 1, 2]
    assert bench.work.lamp_tests.test is LampTest.RUN
    run = []
    for _ in range(200):
        (site,) = bench.work.lamps()
        run += [site] if run[-1:] != [site] else []
        bench.step()
    start = run.index("a1")
    assert tuple(run[start : start + 16]) == walking_order(bench.work.wiring)
    bench.work.yes()
    assert bench.work.stage is CommissioningStage.WALK
    assert bench.work.lamps() == {"a1": PUT}


def lamp_words(bench: Bench) -> list[str]:
    return [finding.words for finding in sheet_of(bench.work).findings if finding.kind == "lamps"]


@pytest.mark.parametrize(
    ("dark", "words"),
    [
        (("b2",), "Dark lamps: b2."),
        (("b2", "d1"), "Dark lamps: b2, d1."),
        (("c4", "d1", "d2", "d3", "d4"), "All lamps from c4 on are dark."),
        (SITES, "All lamps from a1 on are dark."),
    ],
)
def test_dark_lamps_are_named(dark: tuple[str, ...], words: str) -> None:
    bench = Bench(device("rooks"))
    for site in dark:
        bench.work.mark_dark(site)
    assert lamp_words(bench) == [words]
    for site in dark:
        bench.work.mark_dark(site)
    assert lamp_words(bench) == []


def test_lamps_that_are_exchanged_or_of_another_kind_are_named() -> None:
    bench = Bench(device("rooks"))
    bench.until(lambda work: work.stage is CommissioningStage.LAMPS, SimulatedBuilder(bench.device))
    for answer in (False, True, True, False):
        bench.work.yes() if answer else bench.work.no()
    assert lamp_words(bench) == [
        "The lamps shine in other colours than asked for.",
        "The light does not run along the rows.",
    ]
    bench.work.ask("a1")
    bench.work.see_lamp("b1")
    bench.work.ask("b1")
    bench.work.see_lamp("a1")
    assert lamp_words(bench)[1] == "Lamps shine at other sites: that of a1 at b1 and that of b1 at a1."
    bench.work.see_lamp("b1")
    assert lamp_words(bench)[1] == "Lamps shine at other sites: that of a1 at b1."


def test_lamps_of_a_grid_that_lies_turned_are_no_fault() -> None:
    found = device("rooks")
    found.wires = dict(zip(SITES, reversed(SITES), strict=True))
    bench = Bench(found)
    bench.until(lambda work: work.stage is CommissioningStage.WALK, SimulatedBuilder(found))
    bench.work.see_lamp("d4")
    bench.commission()
    assert [finding.kind for finding in sheet_of(bench.work).findings] == ["exchanged"]
    assert "turned by 180°" in sheet_of(bench.work).findings[0].words


# ---- what is known already ----


def test_what_the_calibration_makes_up_for_needs_nothing_done() -> None:
    found = faulty("exchanged=a1,b1&turned=c3")
    first = Bench(found).commission()
    assert not sheet_of(first).is_whole
    again = Bench(found, first.calibration()).commission()
    sheet = sheet_of(again)
    assert sheet.is_whole
    assert [finding.mended for finding in sheet.findings] == [True, True]
    assert "known  The wires of a1 and b1 are exchanged." in plain_text(sheet, "today")


def test_wires_that_were_exchanged_back_make_the_map_a_fault() -> None:
    found = faulty("exchanged=a1,b1")
    known = Bench(found).commission().calibration()
    found.wires = {}
    again = Bench(found, known).commission()
    (finding,) = sheet_of(again).findings
    assert "in use exchanges wires that are soldered as in the table" in finding.words
    assert again.calibration().wires == {}


def test_without_the_map_levels_are_those_of_the_wires() -> None:
    found = faulty("exchanged=a1,b1&weak=a1")
    work = Bench(found).commission()
    assert work.calibration().blind == {"a1"}
    assert work.calibration(with_map=False).blind == {"b1"}
    assert work.calibration().without_map() == work.calibration(with_map=False)


@pytest.mark.parametrize("board", ["triune", "magnet", "trid", "ternion"])
def test_the_walk_goes_to_and_fro_and_leaves_no_site_out(board: str) -> None:
    wiring = wire(load_board(board), Sensor.REED, MEGA)
    order = walking_order(wiring)
    assert sorted(order) == sorted(wiring.sites)
    at = dict(zip(wiring.sites, wiring.spots, strict=True))
    assert [at[site][1] for site in order] == sorted(y for _, y in wiring.spots)


def test_a_ring_may_be_soldered_upon_another() -> None:
    found = device("rooks")
    solder_ring(found, "a1", "b1")
    solder_ring(found, "b1", "c1")
    assert Bench(found).commission().walk.wires == found.wires
