"""From messages to sightings."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import zip_longest

import pytest

from companion.core.board import load_board
from companion.core.game import EMPTY
from companion.sensing.observation import Sighting, Touch
from firmware_bridge.line.frames import Damage
from firmware_bridge.line.link import Down
from firmware_bridge.line.messages import (
    Change,
    Fault,
    Gap,
    Hello,
    Levels,
    Message,
    Mute,
    Sensor,
    Snapshot,
    State,
    Trouble,
    Tune,
    pack_states,
)
from firmware_bridge.line.wiring import MEGA, wire
from firmware_bridge.sensing.calibration import Calibration, SensorLevels, SensorVerdict, drift_of
from firmware_bridge.sensing.grid import SURE_STATE, DeviceClock, Grid, certainty, reading
from firmware_bridge.setup.calibrate import examine
from tests.samples import first_few

TRIUNE = load_board("triune")
WIRING = wire(TRIUNE, Sensor.REED, MEGA)
HALL = wire(TRIUNE, Sensor.ANALOGUE, MEGA)
SITES = WIRING.sites
HELLO = Hello(1, 0, 1, 64, 0, 2, 1, WIRING.check, 0, "triune-reed-mega")


def snapshot(time: int, *occupied: str) -> Snapshot:
    return Snapshot(time, pack_states([State(int(site in occupied)) for site in SITES]))


def change(time: int, site: str, occupied: bool) -> Change:
    return Change(time, SITES.index(site), int(occupied), 1023 * occupied)


def feed(grid: Grid, *events: tuple[float, Message | Gap | Damage | Down]) -> list[Sighting]:
    return [s for now, event in events if (s := grid.receive(event, now)) is not None]


def test_a_switch_knows_that_something_stands_there_and_not_what() -> None:
    (sighting,) = feed(Grid(WIRING), (1.0, snapshot(1000, "a1")))
    assert sighting.observation is not None
    assert sighting.still
    readings = sighting.observation.readings
    assert readings["a1"].of("red/solid") > readings["a1"].of(EMPTY)
    assert readings["a1"].best() is None
    assert readings["a2"].best() == EMPTY
    assert len(readings) == 64


def test_changes_come_with_the_order_of_hands() -> None:
    grid = Grid(WIRING)
    sightings = feed(
        grid,
        (1.0, snapshot(1000, "a1", "b2")),
        (1.5, change(1500, "b2", occupied=False)),
        (2.0, change(2000, "a1", occupied=False)),
        (2.4, change(2400, "b2", occupied=True)),
        (2.75, snapshot(2750, "b2")),
    )
    assert [s.still for s in sightings] == [True, False, False, False, True]
    touches = [t for s in sightings for t in s.touches]
    assert [(t.place, t.lifted) for t in touches] == [("b2", True), ("a1", True), ("b2", False)]
    assert [t.time for t in touches] == sorted(t.time for t in touches)
    assert isinstance(touches[0], Touch)


def test_what_a_snapshot_says_anew_was_lost_and_has_no_order() -> None:
    grid = Grid(WIRING)
    sightings = feed(
        grid,
        (1.0, snapshot(1000, "a1")),
        (1.2, Gap(2)),
        (1.25, snapshot(1250, "b2")),
        (1.8, snapshot(1800, "b2")),
    )
    assert not sightings[1].still
    assert sightings[2].still
    assert [s.touches for s in sightings] == [(), None, ()]


def test_a_pulled_cable_is_said_and_the_board_is_not_guessed() -> None:
    (_, lost) = feed(Grid(WIRING), (1.0, snapshot(1000, "a1")), (2.0, Down("cable")))
    assert lost.observation is None
    assert lost.trouble == "cable"
    assert not lost.still


def test_after_a_restart_of_the_device_its_clock_is_read_anew() -> None:
    grid = Grid(WIRING)
    feed(grid, (100.0, snapshot(99_000)), (100.0, HELLO), (100.1, snapshot(10)))
    sightings = feed(grid, (101.0, change(900, "a1", occupied=True)), (101.5, snapshot(1400, "a1")))
    (touch,) = sightings[-1].touches
    assert touch.time == pytest.approx(100.99, abs=0.1)


def test_the_least_delay_counts_as_none() -> None:
    clock = DeviceClock()
    clock.seconds(1000, 6.0)
    clock.seconds(2000, 6.9)
    assert clock.seconds(3000, 8.5) == pytest.approx(7.9, abs=0.02)


class Resonator:
    """A device's counter that runs fast or slow, and has counted for a while when it is first heard."""

    def __init__(self, ppm: float, begun: int = 0) -> None:
        self._rate, self._begun = 1000 * (1 + ppm / 1e6), begun

    def __call__(self, now: float) -> int:
        return (self._begun + int(now * self._rate)) % 2**32


HOUR = 3600.0


def alive(
    resonator: Resonator, end: float, jitter: float = 0.0, period: float = 0.25
) -> Iterator[tuple[float, int]]:
    """The device's signs of life until then: when each arrives, and its time."""
    rng = random.Random(7)
    for n in range(round(end / period)):
        yield n * period + rng.uniform(0, jitter), resonator(n * period)


@pytest.mark.parametrize("ppm", [-5000, -500, -30, 0, 30, 500, 5000])
@pytest.mark.parametrize("begun", [0, 2**31 - 100_000, 2**32 - 100_000], ids=["new", "half", "wraps"])
@pytest.mark.parametrize("jitter", [0.0, 0.02, 0.2])
def test_the_clock_is_followed_whatever_the_resonator(ppm: float, begun: int, jitter: float) -> None:
    clock, resonator = DeviceClock(), Resonator(ppm, begun)
    errors = []
    for now, time in alive(resonator, HOUR / 4, jitter):
        clock.seconds(time, now)
        errors.append(clock.seconds(resonator(now - 0.1), now) - (now - 0.1))
    assert max(map(abs, errors[100:])) < 0.01 + jitter / 2


@pytest.mark.parametrize(("ppm", "late"), [(0, 0.5), (-5000, 5.0), (5000, 30.0)])
def test_messages_that_were_held_up_move_the_clock_little(ppm: float, late: float) -> None:
    clock, resonator = DeviceClock(), Resonator(ppm)
    for now, time in alive(resonator, 60.0):
        clock.seconds(time, now)
    for n in range(20):
        told = 60.0 + late * n / 20
        assert clock.seconds(resonator(told), 60.0 + late) == pytest.approx(told, abs=0.012 * late + 0.01)


@pytest.mark.parametrize("begun", [HOUR, 2**31 / 1000, 49.7 * 24 * HOUR], ids=lambda s: f"{s:.0f}s")
def test_a_device_that_starts_anew_unheard_has_a_new_clock(begun: float) -> None:
    clock = DeviceClock()
    clock.seconds(int(begun * 1000), 100.0)
    assert clock.seconds(300, 101.0) == pytest.approx(101.0)
    assert clock.seconds(550, 101.3) == pytest.approx(101.25, abs=0.01)


@pytest.mark.parametrize(
    ("ppm", "begun"), first_few(2, [(5000, 0), (0, 2**32 - 3_600_000), (-500, 0), (-5000, 0)])
)
def test_after_an_hour_a_piece_that_slides_over_a_site_is_still_no_touch(ppm: float, begun: int) -> None:
    grid, resonator = Grid(WIRING), Resonator(ppm, begun)
    feed(grid, (0.0, snapshot(resonator(0.0))), (0.1, change(resonator(0.1), "a1", occupied=True)))
    feed(grid, *((now, snapshot(time, "a1")) for now, time in alive(resonator, HOUR, period=1.0)))
    slid = [(HOUR + at, change(resonator(HOUR + at), "c3", on)) for at, on in ((0.5, True), (0.7, False))]
    sightings = feed(grid, *slid, (HOUR + 1.5, snapshot(resonator(HOUR + 1.5), "a1")))
    assert [s.touches for s in sightings] == [(), (), ()]
    assert [s.still for s in sightings] == [False, False, True]


def test_a_chattering_sensor_is_blind_until_it_is_quiet() -> None:
    grid = Grid(WIRING)
    feed(grid, (0.0, snapshot(0)))
    last = feed(grid, *((n / 10, change(n * 100, "c3", bool(n % 2))) for n in range(1, 14)))[-1]
    assert last.observation is not None
    assert "c3" not in last.observation.readings
    assert last.trouble == "sensors left out: c3 (noisy)"
    (later,) = feed(grid, (20.0, snapshot(20_000)))
    assert later.observation is not None
    assert "c3" in later.observation.readings


def test_a_site_that_may_be_a_ghost_is_blind() -> None:
    grid = Grid(WIRING)
    feed(grid, (0.0, snapshot(0, "a1", "a2", "b1", "b2")))
    assert grid.blind(0.0) == {}
    feed(grid, (0.1, Fault(Trouble.DIODE, SITES.index("b2"), 1)))
    assert grid.blind(0.1) == {"a1": "a ghost, perhaps"}
    feed(grid, (0.2, snapshot(200, "a1", "a2", "b2")))
    assert grid.blind(0.2) == {}


def test_a_broken_wire_shows_in_its_level() -> None:
    grid = Grid(HALL)
    feed(grid, (0.0, snapshot(0)), (0.1, Levels(100, 0, 0, (512, 1023, 510))))
    assert grid.blind(0.1) == {"a2": "dead"}
    feed(grid, (0.2, Levels(200, 0, 0, (512, 511, 510))))
    assert grid.blind(0.2) == {}


def test_two_switches_that_close_as_one_are_blind_until_one_changes() -> None:
    grid = Grid(WIRING)
    feed(grid, (0.0, snapshot(0)), (1.0, change(1000, "c3", True)), (1.03, change(1030, "c4", True)))
    assert grid.blind(1.1) == {"c3": "bleeding", "c4": "bleeding"}
    feed(grid, (2.0, change(2000, "c4", False)))
    assert grid.blind(2.1) == {}


def test_a_board_that_is_filled_at_once_is_no_bleeding() -> None:
    grid = Grid(WIRING)
    feed(grid, (0.0, snapshot(0)), *((1.0, change(1000, site, True)) for site in SITES[:16]))
    assert grid.blind(1.1) == {}


def test_a_neighbour_that_blinks_is_not_put_down_with_a_piece() -> None:
    grid = Grid(WIRING)
    feed(grid, (0.0, snapshot(0, "c4")), (1.0, change(1000, "c4", False)), (1.05, change(1050, "c3", True)))
    feed(grid, (1.08, change(1080, "c4", True)))
    assert grid.blind(1.1) == {}


@pytest.mark.parametrize(("first", "second", "later"), [("c3", "c6", 1030), ("c3", "c4", 1200)])
def test_two_pieces_that_are_put_down_apart_are_two(first: str, second: str, later: int) -> None:
    grid = Grid(WIRING)
    feed(grid, (0.0, snapshot(0)), (1.0, change(1000, first, True)), (2.0, change(later, second, True)))
    assert grid.blind(2.0) == {}


class Hall:
    """A grid of linear sensors in play, whose levels are read after each change."""

    def __init__(self) -> None:
        self.grid, self.now = Grid(HALL), 0.0
        self.level = dict.fromkeys(SITES, 512)
        feed(self.grid, (0.0, snapshot(0)))
        self.read()

    def read(self) -> None:
        self.now += 1.0
        for first in range(0, 64, 16):
            levels = tuple(self.level[s] for s in SITES[first : first + 16])
            feed(self.grid, (self.now, Levels(round(self.now * 1000), 0, first, levels)))

    def put(self, site: str, swing: int) -> None:
        """A piece comes that moves the level by so much, or goes (0)."""
        self.now += 1.0
        self.level[site] = 512 + swing
        feed(self.grid, (self.now, change(round(self.now * 1000), site, bool(swing))))
        self.read()

    def blind(self) -> dict[str, str]:
        return self.grid.blind(self.now)


def test_a_sensor_that_hardly_feels_three_pieces_in_a_row_is_weak_until_it_feels_one() -> None:
    hall = Hall()
    for site in ("a1", "c1", "e1", "g1", "a4"):
        hall.put(site, 160)
    for _ in range(3):
        assert hall.blind() == {}
        hall.put("e5", 0)
        hall.put("e5", 50)
    assert hall.blind() == {"e5": "weak"}
    hall.put("e5", 0)
    hall.put("e5", 150)
    assert hall.blind() == {}


def test_an_empty_site_that_its_neighbour_moves_is_bleeding() -> None:
    hall = Hall()
    for site in ("a1", "c1", "e1", "g1"):
        hall.put(site, 160)
    hall.level["e5"] = 512 + 30
    hall.put("e4", 160)
    assert hall.blind() == {"e5": "bleeding"}
    hall.level["e5"] = 512
    hall.put("e4", 0)
    assert hall.blind() == {}


def test_a_level_that_drifts_alone_is_learned_anew() -> None:
    hall = Hall()
    for site in ("a1", "c1", "e1", "g1"):
        hall.put(site, 160)
    hall.level["e5"] = 512 + 30
    hall.read()
    hall.put("e4", 160)
    assert hall.blind() == {}


GOOD = SensorLevels(rest=512, noise=1, north=160, south=0, press=80, release=56)


def calibration(**bad: SensorVerdict) -> Calibration:
    sites = {site: SensorLevels(512, 1, 160, 0, 80, 56, bad.get(site, SensorVerdict.GOOD)) for site in SITES}
    poles = {"north": ("red/solid", "red/marked"), "south": ("blue/solid",)}
    return Calibration(WIRING.check, "analogue", sites, poles)


def test_bad_sensors_are_left_out_and_silenced() -> None:
    grid = Grid(HALL, calibration(a1=SensorVerdict.DEAD, a3=SensorVerdict.STUCK))
    (sighting,) = feed(grid, (0.0, snapshot(0, "a1", "a2", "a3")))
    assert sighting.observation is not None
    assert {"a1", "a3"}.isdisjoint(sighting.observation.readings)
    assert sighting.trouble == "sensors left out: a1 (dead) and a3 (stuck)"
    *tunes, mute = grid.setup()
    assert tunes == [Tune(i, 512, 80, 56) for i in range(64)]
    assert mute == Mute(bytes((0b101, 0, 0, 0, 0, 0, 0, 0)))


def test_a_pole_tells_the_colour() -> None:
    poles = calibration().poles
    north, south = reading(State.NORTH, SURE_STATE, poles), reading(State.SOUTH, SURE_STATE, poles)
    assert north.of("red/solid") == north.of("red/marked") > north.of("blue/solid") == north.of(EMPTY)
    assert south.best() == "blue/solid"
    assert reading(State.OPEN, SURE_STATE, poles).best() == EMPTY


@pytest.mark.parametrize(
    ("state", "levels"),
    [
        (State.NORTH, (700, 660, 620, 590)),
        (State.OPEN, (512, 530, 560, 575)),
    ],
)
def test_the_nearer_to_the_border_the_less_sure(state: State, levels: tuple[int, ...]) -> None:
    certainties = [certainty(GOOD, state, level) for level in levels]
    assert certainties == sorted(certainties, reverse=True)
    assert certainties[0] == SURE_STATE
    assert 0 < certainties[-1] < SURE_STATE / 2


def levels(*values: int) -> list[Levels]:
    """Returns a scan in the parts in which a device sends it."""
    return [Levels(0, 0, first, values[first : first + 29]) for first in range(0, len(values), 29)]


@pytest.mark.parametrize("drift", [-20, 0, 17, 37])
@pytest.mark.parametrize("occupied", [0, 32])
def test_levels_that_move_together_are_followed(drift: int, occupied: int) -> None:
    """The supply moves all levels at rest alike: pieces, here with swings of their own, do not hide it."""
    rng = random.Random(1)
    swings = [rng.choice((1, -1)) * rng.randrange(100, 220) for _ in range(occupied)]
    rest = [512 + drift + rng.randrange(-1, 2) for _ in SITES]
    seen = [level + swing for level, swing in zip_longest(rest, swings, fillvalue=0)]
    grid = Grid(HALL, calibration())
    (sighting,) = feed(
        grid, *((0.0, part) for part in levels(*seen)), (0.1, snapshot(100, *SITES[:occupied]))
    )
    assert abs(grid.drift - drift) <= 1
    assert sighting.observation is not None
    empty = sighting.observation.readings[SITES[-1]]
    assert empty.of(EMPTY) - empty.of("red/solid") > SURE_STATE / 2
    assert grid.setup()[0] == Tune(0, 512 + round(grid.drift), 80, 56)
    assert occupied or not examine(HALL.sensor, [dict(zip(SITES, seen, strict=True))], grid.calibration)


def test_where_no_sensors_agree_the_drift_is_not_known() -> None:
    seen = {site: 512 + 9 * n for n, site in enumerate(SITES)}
    assert drift_of(calibration(), seen) is None


def test_what_no_device_of_this_board_says_is_let_go() -> None:
    grid = Grid(WIRING)
    assert feed(grid, (0.0, Change(0, 0, 1, 0)), (0.1, Snapshot(0, b"\0")), (0.2, Damage("crc", 9))) == []
    feed(grid, (1.0, snapshot(1000)))
    assert feed(grid, (1.1, Change(1100, 200, 1, 0)), (1.1, Change(1100, 0, 3, 0))) == []
