"""The capture thread: the newest frame, a device that is lost and comes back, files at their own pace.

No test sleeps: sources block on events that the test sets, and time is the test's own.
"""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.board import load_board
from companion.sensing.observation import Sighting
from companion.sensing.sources import SourceError
from vision.arrays import Image
from vision.reading.reader import FrameReading
from vision.sighting_streams import LiveSightings
from vision.sources.capture import FrameCapture
from vision.sources.files import open_folder
from vision.sources.source import CameraFrame, SourceLostError
from vision.virtual.render import overlook

IMAGE = np.zeros((2, 2, 3), np.uint8)
LONG = 20.0  # seconds after which a test that hangs fails


class Fed:
    """A live source that delivers what the test feeds it: a frame's number, None for the end, an error."""

    live = True
    name = "fed"

    def __init__(self) -> None:
        self.inbox: queue.Queue[int | Exception | None] = queue.Queue()
        self.asked = threading.Semaphore(0)
        self.closed = threading.Event()

    def read(self) -> CameraFrame | None:
        self.asked.release()
        thing = self.inbox.get(timeout=LONG)
        if isinstance(thing, Exception):
            raise thing
        return None if thing is None else CameraFrame(float(thing), IMAGE, thing)

    def close(self) -> None:
        self.closed.set()

    def feed(self, *things: int | Exception | None) -> None:
        """Gives the thread these things, and waits until it comes back for more."""
        for thing in things:
            self.inbox.put(thing)
        for _ in things:
            assert self.asked.acquire(timeout=LONG)


@contextmanager
def capturing(source: Fed, **options: object) -> Iterator[FrameCapture]:
    capture = FrameCapture(source, retry=0.0, **options)  # type: ignore[arg-type]
    capture.start()
    assert source.asked.acquire(timeout=LONG)
    yield capture
    source.inbox.put(None)
    capture.stop()


def test_only_the_newest_frame_is_kept_and_taken_once() -> None:
    source = Fed()
    with capturing(source) as capture:
        source.feed(1, 2, 3)
        frame = capture.take(LONG)
        assert frame
        assert frame.index == 3
        assert capture.take(0) is None
        assert (capture.seen, capture.dropped) == (3, 2)
        assert capture.latest is frame
        source.feed(4)
        assert capture.take(LONG).index == 4  # type: ignore[union-attr]
    assert source.closed.is_set()


def test_a_source_that_keeps_its_newest_picture_is_read_when_one_is_asked_for() -> None:
    source = Fed()
    capture = FrameCapture(source, on_demand=True).start()
    for number in (1, 2):
        source.inbox.put(number)
        assert not source.asked.acquire(blocking=False), "nobody asked"
        assert capture.take(LONG).index == number  # type: ignore[union-attr]
        assert source.asked.acquire(timeout=LONG)
    assert capture.latest.index == 2  # type: ignore[union-attr]
    assert capture.take(0) is None
    assert source.asked.acquire(timeout=LONG)
    source.inbox.put(SourceLostError("it is gone"))  # who asked in vain hears of a loss all the same
    source.inbox.put(None)
    assert capture.take(LONG) is None
    assert capture.status.state == "failed"
    capture.stop()
    assert source.closed.is_set()


def test_an_end_is_no_loss_to_who_never_asks() -> None:
    source = Fed()
    FrameCapture(source, on_demand=True).start().stop()
    assert source.closed.is_set()
    assert not source.asked.acquire(blocking=False)


def test_the_end_of_a_source_is_told_and_wakes_who_waits() -> None:
    source = Fed()
    with capturing(source) as capture:
        source.feed(1)
        assert capture.take(LONG)
        source.inbox.put(None)
        assert capture.take(LONG) is None
        assert capture.status.state == "ended"
        assert capture.status.words == "the recording is at its end"  # who shows it names the source
        assert capture.over


def test_a_frame_that_came_just_before_the_end_is_still_delivered() -> None:
    source = Fed()
    with capturing(source) as capture:
        source.inbox.put(1)
        source.inbox.put(None)
        assert capture.take(LONG).index == 1  # type: ignore[union-attr]
        assert capture.take(LONG) is None


def test_a_lost_device_is_told_opened_again_and_goes_on() -> None:
    first, second = Fed(), Fed()
    tries: queue.Queue[Fed | Exception] = queue.Queue()
    tried = threading.Semaphore(0)

    def reopen() -> Fed:
        tried.release()
        thing = tries.get(timeout=LONG)
        if isinstance(thing, Exception):
            raise thing
        return thing

    with capturing(first, reopen=reopen) as capture:
        first.feed(1)
        first.inbox.put(SourceLostError("the cable is out"))
        assert tried.acquire(timeout=LONG)
        assert (capture.status.state, capture.status.words) == ("lost", "the cable is out")
        assert first.closed.is_set()
        for error in (SourceError("no camera 0"), RuntimeError("the driver is busy")):
            tries.put(error)
            assert tried.acquire(timeout=LONG)
            assert (capture.status.state, capture.status.words) == ("lost", "the cable is out")
            assert not capture.over
        tries.put(second)
        assert second.asked.acquire(timeout=LONG)
        second.feed(7)
        assert capture.take(LONG).index == 7  # type: ignore[union-attr]
        assert capture.status.state == "ok"
        second.inbox.put(None)


@pytest.mark.parametrize("error", [SourceError("cannot read picture"), SourceLostError("gone for good")])
def test_what_cannot_be_read_and_not_opened_again_fails_with_its_words(error: SourceError) -> None:
    source = Fed()
    with capturing(source) as capture:
        source.inbox.put(error)
        assert capture.take(LONG) is None
        assert (capture.status.state, capture.status.words) == ("failed", str(error))
    assert source.closed.is_set()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RuntimeError("the driver\nbroke"), "fed cannot be read: the driver broke"),
        (ValueError(), "fed cannot be read: ValueError"),
    ],
)
def test_whatever_a_device_raises_is_a_loss(
    error: Exception, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = Fed(), Fed()
    tries: queue.Queue[Fed] = queue.Queue()
    tried = threading.Semaphore(0)

    def reopen() -> Fed:
        tried.release()
        return tries.get(timeout=LONG)

    with capturing(first, reopen=reopen) as capture:
        first.feed(1)
        first.inbox.put(error)
        assert tried.acquire(timeout=LONG)
        assert (capture.status.state, capture.status.words) == ("lost", words)
        assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [error]
        assert first.closed.is_set()
        tries.put(second)
        assert second.asked.acquire(timeout=LONG)
        second.feed(7)
        assert capture.status.state == "ok"
        second.inbox.put(None)


def test_a_device_that_breaks_and_cannot_even_be_closed_fails_with_words() -> None:
    class Stuck(Fed):
        def close(self) -> None:
            super().close()
            raise OSError("stuck")

    source = Stuck()
    with capturing(source) as capture:
        source.inbox.put(RuntimeError("broken"))
        assert capture.take(LONG) is None
        assert (capture.status.state, capture.status.words) == ("failed", "fed cannot be read: broken")
    assert source.closed.is_set()


def test_a_file_that_cannot_be_read_is_not_begun_again() -> None:
    class Torn(Fed):
        live = False

    source = Torn()
    with capturing(source, reopen=Fed) as capture:
        source.inbox.put(RuntimeError("torn"))
        assert capture.take(LONG) is None
        assert (capture.status.state, capture.status.words) == ("failed", "fed cannot be read: torn")


def test_a_capture_that_never_ran_gives_its_source_back() -> None:
    source = Fed()
    capture = FrameCapture(source)
    capture.stop()
    assert source.closed.is_set()
    assert capture.take(LONG) is None


def test_stopping_wakes_who_waits() -> None:
    source = Fed()
    with capturing(source) as capture:
        taken: queue.Queue[CameraFrame | None] = queue.Queue()
        waiter = threading.Thread(target=lambda: taken.put(capture.take(LONG)))
        waiter.start()
        source.inbox.put(None)
        capture.stop()
        assert taken.get(timeout=LONG) is None
        waiter.join()


class Shortsighted:
    """A reader that reads every other frame."""

    board = profile = None
    view = overlook(load_board("chess"))

    def read(self, image: Image, time: float, source: str) -> FrameReading:
        if time % 2:
            raise ZeroDivisionError("too\nclose")
        return FrameReading(Sighting(time, source, None), "ok", {}, None)  # type: ignore[arg-type]


def test_a_frame_over_which_reading_breaks_is_told_and_the_next_is_read() -> None:
    source = Fed()
    stream = LiveSightings.of_one_game(FrameCapture(source), Shortsighted())  # type: ignore[arg-type]
    told = []
    with stream:
        source.inbox.put(1)
        for sighting in stream.sightings():
            told.append((sighting.time, sighting.trouble))
            source.inbox.put(len(told) + 1 if len(told) < 4 else None)
    words = "the picture cannot be read: too close"
    assert told[:4] == [(1.0, words), (2.0, ""), (3.0, words), (4.0, "")]


def test_a_camera_that_sees_is_told_before_there_is_a_game() -> None:
    """Who chooses a camera on the first page waits for it, however soon its first picture comes."""
    source = Fed()
    stream = LiveSightings(FrameCapture(source), lambda: None)
    told = []
    with stream:
        source.inbox.put(1)
        for sighting in stream.sightings():
            told.append((sighting.time, sighting.trouble, sighting.observation))
            source.inbox.put(len(told) + 1 if len(told) < 3 else None)
    assert told[:3] == [(1.0, "", None), (2.0, "", None), (3.0, "", None)]


class Film:
    """A file of three frames a tenth of a second apart."""

    live = False
    name = "film"

    def __init__(self) -> None:
        self.index = 0

    def read(self) -> CameraFrame | None:
        self.index += 1
        return CameraFrame(self.index * 0.1, IMAGE, self.index) if self.index <= 3 else None

    def close(self) -> None:
        pass


def test_a_file_is_read_at_its_own_pace_with_the_clocks_times() -> None:
    now, waits = [50.0], []

    def wait(stop: threading.Event, seconds: float) -> bool:
        waits.append(round(seconds, 6))
        now[0] += seconds
        return stop.is_set()

    capture = FrameCapture(Film(), clock=lambda: now[0], wait=wait).start()
    while capture.take(LONG):
        pass
    assert waits == [0.1, 0.1]
    assert capture.latest
    assert capture.latest.time == pytest.approx(50.2)
    assert capture.status.state == "ended"
    capture.stop()


def test_a_file_waits_for_who_reads_it_and_loses_nothing() -> None:
    now = [50.0]

    def wait(stop: threading.Event, seconds: float) -> bool:
        now[0] += seconds
        return stop.is_set()

    with FrameCapture(Film(), clock=lambda: now[0], wait=wait) as capture:
        frames = []
        while frame := capture.take(LONG):
            now[0] += 5.0  # the reader is slow
            frames.append((frame.index, round(frame.time, 6)))
        assert frames == [(1, 50.0), (2, 50.1), (3, 50.2)]
        assert capture.dropped == 0


class Adjusting(Fed):
    """A device that adjusts itself; notes which thread let it do so."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def adjust(self) -> None:
        self.told.append(threading.current_thread().name)


def test_a_device_adjusts_itself_when_asked_in_the_thread_that_reads_it() -> None:
    source = Adjusting()
    with capturing(source) as capture:
        source.feed(1)
        assert source.told == []
        capture.adjust()
        source.feed(2, 3)
        assert source.told == ["capture fed"]


def test_a_device_that_cannot_adjust_itself_is_read_on() -> None:
    source = Fed()
    with capturing(source) as capture:
        capture.adjust()
        source.feed(1, 2)
        assert capture.status.state == "ok"


def test_a_folder_that_was_away_goes_on_where_it_was(tmp_path: Path) -> None:
    folder, away = tmp_path / "stick", tmp_path / "pulled out"
    folder.mkdir()
    for n in range(3):
        (folder / f"{n}.png").write_bytes(cv2.imencode(".png", IMAGE + n)[1].tobytes())
    is_back, clock = threading.Event(), itertools.count()
    capture = FrameCapture(
        open_folder(str(folder)),
        lambda: open_folder(str(folder)),
        retry=7.0,
        clock=lambda: 10.0 * next(clock),
        wait=lambda _, seconds: seconds == 7.0 and not is_back.wait(LONG),
    )
    folder.rename(away)
    folder.mkdir()
    with capture:
        while capture.status.state != "lost":
            threading.Event().wait(0.001)
        folder.rmdir()
        away.rename(folder)
        is_back.set()
        frames = [capture.take(LONG) for _ in range(3)]
        assert [frame.index for frame in frames if frame] == [0, 1, 2]
        assert capture.take(LONG) is None
        assert capture.status.state == "ended"
