"""The laws of pace, on a clock that is handed in: a slow computer sees the present, and has time left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from companion.sensing.observation import Observation, Reading, Sighting
from companion.table.sensor_conflicts import SensorConflicts
from companion.wire.state import SourceStatus
from vision import sighting_streams
from vision.pace import LONGEST_PAUSE, SLOW, Pace
from vision.sighting_streams import LiveSightings, WatchedGame
from vision.sources.camera import SHARE as UNPACKING
from vision.sources.camera import Camera
from vision.sources.capture import Status
from vision.sources.source import CameraFrame

PERIOD = 1 / 30
"""Seconds between two frames of the cameras here."""
PICTURE = np.zeros((2, 2, 3), np.uint8)


class Clock:
    """A clock that stands still unless work, or a wait, takes time."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def spend(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize("share", [0.25, 0.5, 2 / 3])
@pytest.mark.parametrize("cost", [0.001, 0.05, 0.3])
def test_work_takes_at_most_its_share(share: float, cost: float) -> None:
    clock = Clock()
    pace, began = Pace(share, clock), clock()
    for _ in range(50):
        with pace.work():
            clock.spend(cost)
        clock.spend(pace.pause)
    assert 50 * cost / (clock() - began) == pytest.approx(share)
    assert pace.interval == pytest.approx(cost / share)


def test_after_one_long_piece_of_work_it_goes_on_soon() -> None:
    clock = Clock()
    pace = Pace(0.25, clock)
    with pace.work():
        clock.spend(20.0)
    assert pace.pause == LONGEST_PAUSE
    clock.spend(0.4)
    assert pace.pause == pytest.approx(LONGEST_PAUSE - 0.4)
    clock.spend(9.0)
    assert pace.pause == 0.0


def test_work_that_fails_is_work() -> None:
    clock = Clock()
    pace = Pace(0.5, clock)

    def fail() -> None:
        with pace.work():
            clock.spend(0.2)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert pace.pause == pytest.approx(0.2)


def words_after(costs: list[float]) -> list[str]:
    """What is said after each piece of work, of a pace whose work takes half of the time."""
    clock = Clock()
    pace, said = Pace(0.5, clock), []
    for cost in costs:
        with pace.work():
            clock.spend(cost)
        said.append(pace.words)
    return said


def test_a_slow_pace_is_told_and_taken_back() -> None:
    assert words_after([SLOW / 2 - 0.01] * 5) == [""] * 5
    assert words_after([SLOW / 2 + 0.01] * 2)[-1] == "read once in 0.5 s: this computer is slow"
    said = words_after([0.4] * 5 + [0.02] * 5)
    assert said[4] == "read once in 0.8 s: this computer is slow"
    assert said[-1] == ""


def test_words_do_not_change_with_every_reading() -> None:
    """They stay through a fifth more or less, and near the limit they do not come and go."""
    assert len(set(words_after([0.4, 0.45, 0.37, 0.44, 0.36, 0.46, 0.38] * 5))) == 1
    limit = SLOW / 2
    assert len(set(words_after([limit + 0.01] + [limit * 0.95, limit * 1.05] * 20))) == 1
    assert words_after([0.3] * 5 + [0.9] * 5)[-1] == "read once in 1.8 s: this computer is slow"


class Film:
    """A camera's capture: at any moment it has the frame of the last whole period."""

    name, live, over, dropped = "camera:0", True, False, 0
    status, latest = Status(), None

    def __init__(self, clock: Clock) -> None:
        self._clock, self._last = clock, -1

    def start(self) -> None: ...
    def stop(self) -> None: ...

    def take(self, timeout: float | None = None) -> CameraFrame:
        index = int(self._clock() / PERIOD + 1e-6)
        if index == self._last:
            index += 1
            self._clock.now = index * PERIOD
        self._last = index
        return CameraFrame(index * PERIOD, PICTURE, index)


class SlowEye:
    """Reads a frame in the time that `cost` says for that moment; notes when, and how old the frame was."""

    def __init__(self, clock: Clock, cost: Callable[[float], float], pace: Pace) -> None:
        self._clock, self._cost, self._pace = clock, cost, pace
        self.begun: list[float] = []
        self.ages: list[float] = []

    def see(self, frame: CameraFrame) -> Sighting:
        with self._pace.work():
            self.begun.append(self._clock())
            self.ages.append(self._clock() - frame.time)
            self._clock.spend(self._cost(self._clock()))
            return Sighting(frame.time, "camera:0", Observation(frame.time, {"a1": Reading({"empty": 0.0})}))


def watch(
    monkeypatch: pytest.MonkeyPatch, cost: Callable[[float], float], count: int, share: float = 1.0
) -> tuple[list[Sighting], SlowEye]:
    """What comes of a live camera on a computer that reads so slowly, and of whose processor reading gets so
    large a share."""
    clock = Clock()
    eyes: list[SlowEye] = []

    def attend(_reader: object, _name: str, pace: Pace) -> SlowEye:
        eyes.append(SlowEye(clock, cost, pace))
        return eyes[-1]

    def wait(_event: threading.Event, seconds: float) -> bool:
        clock.spend(seconds)
        return False

    monkeypatch.setattr(sighting_streams, "attend", attend)
    monkeypatch.setattr(sighting_streams, "AdaptiveReader", lambda reader: None)
    film, game = Film(clock), WatchedGame(1, lambda: None)  # type: ignore[arg-type, return-value]
    stream = LiveSightings(film, lambda: game, clock=clock, spent=lambda: share * clock(), wait=wait)  # type: ignore[arg-type]
    sightings: Iterator[Sighting] = stream.sightings()
    seen = [next(sightings) for _ in range(count)]
    return seen, eyes[0]


@pytest.mark.parametrize("cost", [0.004, 0.03, 0.2, 0.8, 3.0])
def test_a_slow_reader_is_never_more_than_one_frame_behind(
    monkeypatch: pytest.MonkeyPatch, cost: float
) -> None:
    seen, eye = watch(monkeypatch, lambda _: cost, 60)
    assert max(eye.ages) <= PERIOD + 1e-6
    times = [sighting.time for sighting in seen]
    assert times == sorted(times)
    if cost < LONGEST_PAUSE:
        assert cost * (len(eye.begun) - 1) / (eye.begun[-1] - eye.begun[0]) <= sighting_streams.SHARE + 1e-6


def test_a_reader_to_which_others_leave_a_quarter_hardly_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    _, eye = watch(monkeypatch, lambda _: 0.2, 60, share=0.25)
    assert np.diff(eye.begun).max() <= 0.2 + 0.2 / 4 / 2 + PERIOD
    assert np.diff(eye.begun).min() >= 0.2 + 0.2 / 4 / 2


def test_a_fast_reader_sees_every_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    _, eye = watch(monkeypatch, lambda _: 0.004, 60)
    assert np.diff(eye.begun) == pytest.approx(PERIOD)


def test_a_reader_that_is_fast_again_is_back_at_once_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """For twenty seconds something else takes the processor; soon after all is as it was before."""
    seen, eye = watch(monkeypatch, lambda now: 0.6 if 105 <= now < 125 else 0.01, 300)
    begun = np.array(eye.begun)
    slow = np.diff(begun[(begun > 106) & (begun < 124)])
    assert slow == pytest.approx(0.9, abs=2 * PERIOD)
    after = begun[begun > 126.5]
    assert len(after) > 20
    assert np.diff(after) == pytest.approx(PERIOD)
    notes = {sighting.note for sighting, began in zip(seen, begun, strict=False) if 110 < began < 124}
    assert notes == {"read once in 0.9 s: this computer is slow"}
    assert seen[-1].note == seen[10].note == ""


class BusyDevice:
    """A camera whose frames come by the clock, and take some time to unpack."""

    def __init__(self, clock: Clock, cost: float) -> None:
        self.clock, self.cost, self.unpacked = clock, cost, 0
        self._next = clock()

    def grab(self) -> bool:
        # Of frames that waited, the driver's queue of one holds the newest.
        late = max(0.0, self.clock() - self._next)
        self._next += PERIOD * (late // PERIOD)
        self.clock.now = max(self.clock.now, self._next)
        self._next += PERIOD
        return True

    def retrieve(self) -> tuple[bool, np.ndarray]:
        self.clock.spend(self.cost)
        self.unpacked += 1
        return True, PICTURE

    def get(self, prop: int, /) -> float:
        return 0.0

    def set(self, prop: int, value: float, /) -> bool:
        return False

    def release(self) -> None: ...


@pytest.mark.parametrize(("cost", "rate"), [(0.002, 30), (0.008, 30), (0.03, 7.5), (0.1, 2.5)])
def test_a_camera_unpacks_no_more_than_its_share(cost: float, rate: float) -> None:
    clock = Clock()
    device = BusyDevice(clock, cost)
    camera, began = Camera(0, device, clock), clock()
    while clock() - began < 20:
        camera.read()
    spent = clock() - began
    assert device.unpacked * cost / spent <= UNPACKING + 0.01
    assert device.unpacked / spent == pytest.approx(rate, rel=0.15)


def test_a_camera_gives_a_frame_that_was_taken_just_now() -> None:
    clock = Clock()
    camera = Camera(0, BusyDevice(clock, 0.05), clock)
    for _ in range(20):
        frame = camera.read()
        assert frame is not None
        assert clock() - frame.time == pytest.approx(0.05), "the time in which it was unpacked"
        clock.spend(0.7)  # nobody reads for a while


def test_what_is_worth_knowing_of_a_camera_is_shown_while_nothing_is_wrong() -> None:
    conflicts, note = SensorConflicts(), "read once in 0.8 s: this computer is slow"
    seen = Sighting(1.0, "camera:0", None, still=True, note=note)
    assert conflicts.status(seen) == SourceStatus("camera:0", "ok", note)
    assert conflicts.status(replace(seen, trouble="too dark")).words == "too dark"
