"""The tracker: what counts as a board that held."""

from dataclasses import replace

import pytest

from companion.games.text import read_game
from companion.sensing.observation import Reading, Sighting, Touch
from companion.table.policy import POLICY, Policy
from companion.table.tracker import Held, Tracker
from tests.companion.sensor import Sensor

GAME = read_game("triune")


@pytest.fixture
def sensor() -> Sensor:
    return Sensor(GAME)


class Watch:
    """A tracker, and by which policy it waits."""

    def __init__(self, policy: Policy = POLICY) -> None:
        self.tracker, self.policy = Tracker(), policy

    def see(self, sighting: Sighting) -> Held | None:
        """The board that held, after one more sighting."""
        self.tracker = self.tracker.see(sighting, self.policy)
        return self.tracker.held(sighting.time, self.policy)

    def understand(self) -> None:
        self.tracker = self.tracker.understood()


def see(watch: Watch, sensor: Sensor, count: int, **how: object) -> list[Held | None]:
    return [watch.see(sensor.sight(**how)) for _ in range(count)]  # type: ignore[arg-type]


def test_a_board_counts_when_it_held(sensor: Sensor) -> None:
    found = see(Watch(Policy(hold=0.35)), sensor, 6)
    assert [held is not None for held in found] == [False, False, False, False, True, True]
    assert found[-1] is not None
    assert found[-1].told_apart["a1"] == "red/solid"


def test_one_sighting_is_never_enough(sensor: Sensor) -> None:
    sensor.step = 5.0
    assert see(Watch(Policy(hold=0.0, silence=99)), sensor, 2)[0] is None


def test_a_picture_that_stands_for_a_moment_is_believed_at_once(sensor: Sensor) -> None:
    held = Watch().see(replace(sensor.sight(), held=True))
    assert held is not None
    assert held.at_once


def test_a_picture_with_a_hand_is_a_board_of_what_can_be_seen(sensor: Sensor) -> None:
    watch = Watch()
    watch.see(replace(sensor.sight(), held=True))
    sighting = sensor.sight(hand=True)
    assert sighting.observation is not None
    flat = Reading(dict.fromkeys(sensor.known, 0.0), 0.0)
    seen = replace(sighting.observation, readings={**sighting.observation.readings, "a1": flat})
    held = watch.see(replace(sighting, observation=seen, held=True))
    assert held is not None
    assert held.hand
    assert "a1" not in held.told_apart
    assert "a2" in held.told_apart


def test_between_two_pictures_hands_may_have_been_unseen(sensor: Sensor) -> None:
    watch = Watch()
    for hand in (True, False):
        watch.see(replace(sensor.sight(hand=hand), held=True))
    watch.understand()
    held = watch.see(replace(sensor.sight(), held=True))
    assert held is not None
    assert not held.unaided


@pytest.mark.parametrize("how", [{"hand": True}, {"still": False}])
def test_nothing_counts_while_a_hand_or_motion_is_there(sensor: Sensor, how: dict[str, bool]) -> None:
    watch = Watch()
    see(watch, sensor, 6)
    assert see(watch, sensor, 9, **how) == [None] * 9
    assert see(watch, sensor, 4) == [None] * 4
    assert see(watch, sensor, 2)[-1] is not None


def test_a_piece_on_its_way_does_not_count(sensor: Sensor) -> None:
    watch = Watch()
    see(watch, sensor, 6)
    for start, end in (("a2", "a3"), ("a3", "a4"), ("a4", "a5")):
        sensor.move(start, end)
        assert see(watch, sensor, 2) == [None, None]
    held = see(watch, sensor, 6)[-1]
    assert held is not None
    assert held.told_apart["a5"] == "red/solid"
    assert held.told_apart["a3"] == "empty"


def test_a_place_that_keeps_changing_its_mind_is_left_out(sensor: Sensor) -> None:
    watch = Watch()
    see(watch, sensor, 6)
    found = []
    for n in range(40):
        wrong = {"d5": "red/solid"} if n // 2 % 2 else {}
        found.append(watch.see(sensor.sight(wrong=wrong)))
    held = found[-1]
    assert held is not None
    assert "d5" not in held.observation.readings
    assert "d6" in held.observation.readings


def test_doubtful_readings_do_not_start_afresh(sensor: Sensor) -> None:
    watch = Watch()
    see(watch, sensor, 6)
    sensor.known = ("empty", "red/solid")
    assert all(see(watch, sensor, 5))


def test_what_cannot_be_told_makes_nothing_forgotten(sensor: Sensor) -> None:
    """For a while d5 is read as nothing in particular: it was empty, and is."""
    watch = Watch()
    see(watch, sensor, 10)
    blank = Reading(dict.fromkeys(sensor.known, 0.0), -1.0)
    for _ in range(20):
        sighting = sensor.sight()
        assert sighting.observation is not None
        readings = {**sighting.observation.readings, "d5": blank}
        held = watch.see(replace(sighting, observation=replace(sighting.observation, readings=readings)))
    assert held is not None
    found = held.observation.readings["d5"]
    assert found.of("empty") - found.of("red/solid") > 7.0


def test_two_sources_are_fused_and_one_that_is_silent_is_left_out() -> None:
    watch, one, two = Watch(), Sensor(GAME, "one"), Sensor(GAME, "two")
    held = None
    for _ in range(6):
        watch.see(one.sight())
        held = watch.see(two.sight())
    assert held is not None
    assert held.observation.source == "one+two"
    for _ in range(30):
        held = watch.see(one.sight())
    assert held is not None
    assert held.observation.source == "one"


def test_a_hand_over_one_source_holds_all_back() -> None:
    watch, one, two = Watch(), Sensor(GAME, "one"), Sensor(GAME, "two")
    for _ in range(6):
        watch.see(one.sight())
        watch.see(two.sight())
    watch.see(two.sight(hand=True))
    assert watch.see(one.sight()) is None


def test_a_lost_source_does_not_hold_the_others_back() -> None:
    watch, one, two = Watch(), Sensor(GAME, "one"), Sensor(GAME, "two")
    for _ in range(6):
        watch.see(one.sight())
        watch.see(two.sight())
    watch.see(two.lose("the cable is out"))
    held = watch.see(one.sight())
    assert held is not None
    assert held.observation.source == "one"


def test_touches_are_not_known_from_a_loss_until_the_board_is_understood(sensor: Sensor) -> None:
    watch = Watch(Policy(hold=0.0))

    def felt(*touches: Touch) -> tuple[Touch, ...] | None:
        watch.see(replace(sensor.sight(), touches=touches))
        held = watch.see(sensor.sight())
        assert held is not None
        return held.touches

    up, down = Touch(0.1, "a2", lifted=True), Touch(0.3, "a3", lifted=False)
    assert felt(up) == (up,)
    watch.see(replace(sensor.sight(), touches=None))
    assert felt(down) is None
    watch.understand()
    assert felt(down) == (down,)


def test_a_source_is_lost_once_it_has_gone_on_and_fallen_silent() -> None:
    tracker, began = Tracker(), Sensor(GAME, "one").sight()
    for seconds, silent in ((0, []), (6, []), (16, ["one"])):
        if not seconds:
            tracker = tracker.see(began, POLICY)
        assert sorted(tracker.silent(began.time + seconds, POLICY)) == silent
    tracker = tracker.see(replace(began, time=began.time + 1), POLICY)
    assert sorted(tracker.silent(began.time + 6, POLICY)) == ["one"]


def test_kinds_are_those_of_the_newest_sighting_and_another_kind_is_another_board(sensor: Sensor) -> None:
    watch, shown = Watch(), []
    for kind in ("white/pawn", "white/queen"):
        for _ in range(8):
            sighting = sensor.sight()
            assert sighting.observation
            told = replace(sighting.observation, kinds={"a1": kind})
            held = watch.see(replace(sighting, observation=told))
        assert held
        assert held.observation.kinds == {"a1": kind}
        shown.append(held.told_apart)
    assert shown[0] != shown[1]


def test_what_one_source_tells_of_kinds_holds_beside_another() -> None:
    sensor, other = Sensor(GAME).observation(), Sensor(GAME, "other").observation()
    assert (replace(sensor, kinds={"a1": "white/queen"}) + other).kinds == {"a1": "white/queen"}
