"""Camera and grid over one board: one of them goes wrong, is told so, and play goes on with the other."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from companion.core.game import EMPTY, Look, Place
from companion.games.text import Game, read_game
from companion.sensing.observation import Observation, Reading, Sighting, Touch
from companion.table import messages as m
from companion.table.desk import Desk
from companion.table.sensor_conflicts import find_clashes, find_odds
from tests.companion.sensor import Sensor
from tests.stores import open_store

CLOSED, OPEN = Reading({EMPTY: -4.6}, 0.0), Reading({EMPTY: 0.0}, -4.6)


class Grid(Sensor):
    """Feels where something stands, and nothing else."""

    def observation(self, wrong: Mapping[Place, Look] | None = None) -> Observation:
        shown = {**self.looks, **(wrong or {})}
        felt = {p: CLOSED if shown.get(p, EMPTY) != EMPTY else OPEN for p in self.game.board.sites}
        return Observation(self.time, felt, self.name)


class FeelingGrid(Grid):
    """Feels lifts and placings, too, but for places whose sensors are dead."""

    def __init__(self, game: Game, *dead: Place) -> None:
        super().__init__(game, "grid")
        self.dead, self.felt = dead, list[Touch]()

    def move(self, start: Place, end: Place, look: Look | None = None) -> None:
        super().move(start, end, look)
        touches = Touch(self.time + 0.01, start, lifted=True), Touch(self.time + 0.02, end, lifted=False)
        self.felt += [touch for touch in touches if touch.place not in self.dead]

    def observation(self, wrong: Mapping[Place, Look] | None = None) -> Observation:
        return super().observation({**(wrong or {}), **dict.fromkeys(self.dead, EMPTY)})

    def sight(self, *args: Any, **more: Any) -> Sighting:
        sighting = super().sight(*args, **more)
        felt = tuple(touch for touch in self.felt if touch.time <= self.time)
        self.felt = self.felt[len(felt) :]
        return replace(sighting, touches=felt)


class Two:
    """A desk with both sensors over its board; `stuck` ones go on showing what they showed."""

    def __init__(self) -> None:
        game = read_game("triune")
        self.desk = Desk(open_store(), wall=lambda: 1_000.0)
        self.desk.handle(m.NewGame("triune"))
        self.camera = Sensor(game, "camera")
        self.grid: Grid = Grid(game, "grid")
        self.see()

    def see(self, seconds: float = 0.8) -> None:
        for _ in range(round(seconds / 0.1)):
            for sensor in (self.camera, self.grid):
                self.desk.handle(m.SightingArrived(sensor.sight()))

    def move(self, start: Place, end: Place, *seeing: Sensor) -> None:
        for sensor in seeing:
            sensor.move(start, end)
        self.see(2.5)

    @property
    def actions(self) -> tuple[str, ...]:
        return self.desk.session.actions

    @property
    def troubled(self) -> dict[str, str]:
        return {s.name: s.words for s in self.desk.snapshot.sources if s.state == "trouble"}


@pytest.fixture
def two() -> Two:
    return Two()


def test_both_see_the_same(two: Two) -> None:
    two.move("a2", "a3", two.camera, two.grid)
    assert two.actions == ("a2-a3",)
    assert not two.troubled


@pytest.mark.parametrize("stuck", ["camera", "grid"])
def test_a_stuck_sensor_is_told_and_play_goes_on_with_the_other(two: Two, stuck: str) -> None:
    well = two.grid if stuck == "camera" else two.camera
    two.move("a2", "a3", well)
    two.move("b7", "b6", well)
    two.move("c2", "c3", well)
    assert two.actions == ("a2-a3", "b7-b6", "c2-c3")
    assert list(two.troubled) == [stuck]
    assert "a2" in two.troubled[stuck]


def test_a_sensor_that_agrees_again_is_believed_again(two: Two) -> None:
    two.move("a2", "a3", two.grid)
    assert list(two.troubled) == ["camera"]
    two.camera.looks = dict(two.grid.looks)
    two.see(1.0)
    assert not two.troubled
    two.move("b7", "b6", two.camera, two.grid)
    assert two.actions == ("a2-a3", "b7-b6")


def test_a_camera_that_looks_elsewhere_is_told(two: Two) -> None:
    two.camera.looks = {}
    two.see(4.0)
    assert list(two.troubled) == ["camera"]
    two.move("a2", "a3", two.grid)
    assert two.actions == ("a2-a3",)
    assert two.desk.snapshot.verdict is None


@pytest.mark.parametrize("dead", ["a3", "a2", "b6"])
def test_a_place_that_feels_nothing_hinders_no_move_that_the_camera_sees(two: Two, dead: str) -> None:
    two.grid = FeelingGrid(two.camera.game, dead)
    two.grid.time = two.camera.time
    two.see()
    for start, end in (("a2", "a3"), ("b7", "b6"), ("c2", "c3")):
        two.move(start, end, two.camera, two.grid)
        two.see(2.0)  # the camera saw no hand: a change without one waits longer
    assert two.actions == ("a2-a3", "b7-b6", "c2-c3")
    assert two.desk.snapshot.verdict is None
    assert not two.troubled.keys() - {"grid"}


@pytest.mark.parametrize("stuck", ["a3", "b3"])
@pytest.mark.parametrize(("end", "expected"), [("a3", ("a2-a3",)), ("a5", ())])
def test_a_sensor_that_sticks_while_a_piece_is_moved_hides_neither_play_nor_offence(
    two: Two, stuck: str, end: str, expected: tuple[str, ...]
) -> None:
    two.grid = grid = FeelingGrid(two.camera.game)
    grid.time = two.camera.time
    two.see()
    grid.felt = [Touch(grid.time, stuck, lifted=False)]
    grid.looks[stuck] = "red/solid"
    two.see(0.2)
    grid.dead = (stuck,)  # from now on it feels nothing, and is closed
    grid.move("a2", end)
    grid.dead = ()
    two.camera.move("a2", end)
    two.see(6.0)
    verdict = two.desk.snapshot.verdict
    assert two.actions == expected
    assert (verdict.kind if verdict else "") == ("" if expected else "refused")


def test_one_place_that_is_felt_wrongly_is_told_and_seen_by_the_other(two: Two) -> None:
    two.grid.looks["d4"] = "red/solid"
    two.see(4.0)
    assert two.troubled == {"grid": "one sensor sees d4 otherwise than the others: play goes on with those"}
    two.move("a2", "a3", two.camera, two.grid)
    assert two.actions == ("a2-a3",)


def test_an_illegal_move_that_both_see_is_refused(two: Two) -> None:
    two.move("a2", "a5", two.camera, two.grid)
    assert two.desk.snapshot.verdict is not None
    assert two.desk.snapshot.verdict.kind == "refused"
    assert not two.troubled


def test_a_wrong_colour_is_no_contradiction(two: Two) -> None:
    two.camera.looks["a2"] = "blue/solid"
    two.see(2.5)
    verdict = two.desk.snapshot.verdict
    assert verdict is not None
    assert verdict.kind == "refused"


def test_a_sensor_that_falls_silent_is_told(two: Two) -> None:
    for _ in range(60):
        two.desk.handle(m.SightingArrived(two.grid.sight()))
    assert {s.name: s.state for s in two.desk.snapshot.sources} == {"camera": "lost", "grid": "ok"}
    two.camera.time = two.grid.time
    two.see()
    assert {s.state for s in two.desk.snapshot.sources} == {"ok"}


def test_a_sensor_that_speaks_after_a_long_time_is_not_told_as_silent(two: Two) -> None:
    two.desk.handle(m.SightingArrived(two.camera.sight()))
    two.camera.time += 60.0
    two.desk.handle(m.SightingArrived(two.camera.sight()))
    assert {s.name: s.state for s in two.desk.snapshot.sources} == {"camera": "ok", "grid": "lost"}


@pytest.mark.parametrize(
    ("camera", "grid", "expected"),
    [
        ("red/solid", CLOSED, False),
        ("empty", OPEN, False),
        ("empty", CLOSED, True),
        ("red/solid", OPEN, True),
        ("red/solid", Reading({EMPTY: 0.0}, -1.0), False),
    ],
)
def test_two_readings_clash_where_no_look_is_likely_to_both(
    camera: Look, grid: Reading, expected: bool
) -> None:
    seen = replace(Sensor(read_game("triune")).observation({"d4": camera}), source="camera")
    felt = Observation(0.0, {"d4": grid}, "grid")
    assert find_clashes(seen, felt) == (frozenset({"d4"}) if expected else frozenset())
    odds = find_odds((seen, felt), {"d4": camera})
    assert odds == ({"grid": frozenset({"d4"})} if expected else {})
