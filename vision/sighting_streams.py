"""Streams of sightings: a source of frames joined with the reader of a board.

In go the frames of a source and a profile; out come `Sighting`s, which the table or `companion watch` takes
up. Of a file every frame is seen. Of a live source only the newest one is, as often as reading allows: a slow
reader sees the present and not a queue of the past, rests in proportion to its work, and says so where that
makes it slow. Both learn on in play, from frames of which all is known.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from companion.core.board import Board
from companion.core.errors import CompanionError
from companion.core.game import EMPTY, Look, Place
from companion.language import say
from companion.sensing.observation import Sighting
from companion.sensing.sources import SourceError
from vision.attention import Attention
from vision.calibration.profile import ProfileError, load_profile
from vision.geometry.view import View
from vision.pace import Pace
from vision.reading.reader import Reader
from vision.sources.capture import FrameCapture
from vision.sources.source import CameraFrame, Source, in_a_line, open_source

log = logging.getLogger(__name__)
NEEDS_PROFILE = "the source '{}' needs a profile: make one with `companion calibrate` and give --profile FILE"

DOUBTFUL = 10.0
"""Nats by which a frame may speak against what is believed and still be a lesson."""
FEW_MISREAD = 3
"""Places that may be misread beside."""
CONFIRMED = 2
"""Actions that are believed beside a place that shows something else, until that place counts as misread."""
MISREAD = 0.5
"""Nats by which one place may speak against what is believed and still be a lesson itself."""
RELEARN = 5.0
"""Seconds between two lessons from a board on which nothing changes: light changes no faster."""
TIMEOUT = 0.5
"""Seconds to wait for a frame before the state of the source is reported."""
UNREAD = 1.0
"""Seconds between two sightings that say that frames come, while there is no game to read them for."""
SHARE = 2 / 3
"""The largest share of one core's time that reading takes: the rest is for the table and the page."""


class AdaptiveReader:
    """A reader that goes on learning from frames of which all is known.

    It remembers the board as it is believed, and learns how the light changes, how the board looks where a
    piece stood, and looks that it never saw.
    """

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._learned_at: float | None = None
        self._looks: Mapping[Place, Look] = {}
        self._doubted: Mapping[Place, int] = {}
        """The places that showed something else than was believed, and how often the game went on beside
        each."""

    def learn(
        self,
        frame: CameraFrame,
        sighting: Sighting,
        looks: Mapping[Place, Look],
        left_open: Collection[Place] = (),
    ) -> None:
        """Learns from a frame and its sighting, where board and game agree that these looks stand there, but
        for places where that is open."""
        if not agrees(sighting, looks):
            return
        is_due = self._learned_at is None or frame.time - self._learned_at >= RELEARN
        goes_on = looks != self._looks
        changed = {place for place, _ in looks.items() ^ self._looks.items()}
        self._doubted = {
            place: 0 if place in changed else self._doubted.get(place, 0) + goes_on
            for place in doubted(sighting, looks)
        }
        # Who plays on beside such a place takes the board for right: it was misread.
        left_out = {place for place, count in self._doubted.items() if count < CONFIRMED} | {*left_open}
        if is_due or goes_on:
            self.reader.learn(frame.image, looks, left_out)
            self._learned_at, self._looks = frame.time, looks
        else:
            self.reader.remember(frame.image, looks, left_out)


def agrees(sighting: Sighting, looks: Mapping[Place, Look]) -> bool:
    """Returns whether a sighting is calm and may well show these looks, but for a few places."""
    if not sighting.still or sighting.hand or sighting.trouble or sighting.observation is None:
        return False
    otherwise = doubted(sighting, looks)
    seen = {p: r for p, r in sighting.observation.readings.items() if p not in otherwise}
    rest = replace(sighting.observation, readings=seen)
    return len(otherwise) <= FEW_MISREAD and rest.surprise(looks) < DOUBTFUL


def doubted(sighting: Sighting, looks: Mapping[Place, Look]) -> frozenset[Place]:
    """Returns the places that a sighting shows otherwise than these looks, or not at all."""
    readings = sighting.observation.readings if sighting.observation else {}
    return frozenset(
        place
        for place, reading in readings.items()
        if not reading.tells or reading.misfit(looks.get(place, EMPTY)) >= MISREAD
    )


class FileSightings:
    """The sightings of every frame of a file."""

    live = False

    def __init__(self, source: Source, reader: Reader) -> None:
        self._source, self._adaptive = source, AdaptiveReader(reader)
        self._attention = attend(reader, source.name)
        self._latest: tuple[CameraFrame, Sighting] | None = None

    def sightings(self) -> Iterator[Sighting]:
        while frame := self._source.read():
            sighting = self._attention.see(frame)
            if sighting:
                self._latest = frame, sighting
                yield sighting

    def learn(
        self, sighting: Sighting, looks: Mapping[Place, Look], left_open: Collection[Place] = ()
    ) -> None:
        """Learns from the frame of the latest sighting that these looks stand there; from no other frame."""
        if self._latest and sighting is self._latest[1]:
            self._adaptive.learn(*self._latest, looks, left_open)

    def __enter__(self) -> FileSightings:
        return self

    def __exit__(self, *_: object) -> None:
        self._source.close()


@dataclass(frozen=True)
class WatchedGame:
    """A game in front of a camera: a number of its own, and what prepares a reader for its board.

    To prepare one may take seconds, and is done beside the camera's thread. CompanionError says why there is
    none.
    """

    number: int
    prepare: Callable[[], Reader]


class LiveSightings:
    """The sightings of the newest frames of a device, read for the game that is on.

    `game` returns the game that is on, or None; `known` returns what surely stands on the board of a
    sighting, to learn from, or None while nobody has judged it or that is open. Both are asked by the thread
    that runs `sightings`, `known` until another frame is read. While there is no game frames are left unread,
    and sightings say only that they come; while another game is prepared for, only that the camera learns.
    `clock` returns seconds, `spent` those for which the processor worked for the calling thread, and `wait`
    waits for an event, at most some seconds: the system's, unless others are handed in.
    """

    live = True

    def __init__(
        self,
        capture: FrameCapture,
        game: Callable[[], WatchedGame | None],
        known: Callable[[Sighting], Mapping[Place, Look] | None] = lambda sighting: None,
        *,
        clock: Callable[[], float] = time.monotonic,
        spent: Callable[[], float] = time.thread_time,
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
    ) -> None:
        self._capture, self._game, self._known, self._wait = capture, game, known, wait
        self._frames, self._readings = Pace(SHARE, spent), Pace(SHARE, clock)
        """The pace of all frames, which sets the pauses, and that of those that were read, which is told.
        While others have the processor they need no pause."""
        self._stopped, self._recalibrated = threading.Event(), threading.Event()
        self._number: int | None = None
        self._preparing: Future[Reader] | None = None
        self._attention: Attention | None = None
        self._adaptive: AdaptiveReader | None = None
        self._untaught: tuple[CameraFrame, Sighting] | None = None
        """The newest frame with its sighting, as long as nothing was learned of it."""
        self._seen_in: tuple[int, View] | None = None
        """The game whose board the last frame showed, and where it lay; None where that is not known."""
        self._not_prepared = ""
        """The reason why there is no reader; empty where there is one."""
        self._is_unlearned = False
        """Whether that is so until the camera is set up for this board."""
        self._not_read = ""
        """The reason why the last frame could not be read; empty where it could."""
        self._told_at = -inf
        """The time of the last frame of which it was told that it came, while there was no game."""

    @classmethod
    def of_one_game(cls, capture: FrameCapture, reader: Reader) -> LiveSightings:
        """Returns the sightings of a device in front of which one game is played, without learning on."""
        game = WatchedGame(0, lambda: reader)
        return cls(capture, lambda: game)

    def sightings(self) -> Iterator[Sighting]:
        """Yields what is seen until `stop`, or until no frame will come any more. A lost device is told too.

        The device is started once there is somebody to read its frames. A recording waits at its picture
        until it can be read: while the camera is set up, say.
        """
        with ThreadPoolExecutor(1, f"learn {self._capture.name}") as preparer:
            if self._follow_game(preparer) and self._preparing:
                wait([self._preparing])
                self._adopt_reader()
            if not self._stopped.is_set():
                self._capture.start()
            while not self._stopped.is_set() and not self._capture.over:
                if not self._capture.live and not self._is_prepared(preparer):
                    yield from self._hold()
                    continue
                frame = self._capture.take(TIMEOUT)
                if frame is None:
                    yield from self._losses()
                elif self._follow_game(preparer):
                    with self._frames.work():
                        yield from self._see(frame)
                    self._wait(self._stopped, self._frames.pause)
                elif frame.time - self._told_at >= UNREAD:
                    self._told_at = frame.time
                    yield replace(self._blind(frame.time, ""), learning=True)  # of the game that comes
            yield from self._losses()

    def stop(self) -> None:
        """Ends `sightings` and gives the device back. Any thread may call this."""
        self._stopped.set()
        self._capture.stop()

    def view(self, number: int) -> View | None:
        """Returns where the board of a game lies in the newest frames; None while that is not known. Any
        thread may call this."""
        seen_in = self._seen_in
        return seen_in[1] if seen_in and seen_in[0] == number else None

    def recalibrated(self) -> None:
        """Notes that the profile changed, so that a reader is prepared anew. Any thread may call this."""
        self._recalibrated.set()

    def _follow_game(self, preparer: Executor) -> bool:
        """Returns whether a game is on, and begins to prepare for one that is new or newly calibrated."""
        game = self._game()
        if game is None:
            self._number = None
            return False
        is_prepared = game.number == self._number and not self._recalibrated.is_set()
        if not is_prepared and self._preparing is None:
            self._recalibrated.clear()  # before the profile is read: a later change is seen once more
            self._number = game.number
            self._attention = self._adaptive = self._untaught = None  # two readers take twice as much
            self._preparing = preparer.submit(game.prepare)
        return True

    def _is_prepared(self, preparer: Executor) -> bool:
        """Returns whether a game is on whose board can be read."""
        return self._follow_game(preparer) and self._preparing is None and self._attention is not None

    def _hold(self) -> Iterator[Sighting]:
        """Leaves a recording at its picture, and yields why."""
        self._capture.rest()
        if self._number is not None and (frame := self._capture.latest):
            yield from self._read(frame)
        self._wait(self._stopped, TIMEOUT)

    def _adopt_reader(self) -> None:
        """Reads by what was prepared from now on, once it is done."""
        if self._preparing is None or not self._preparing.done():
            return
        prepared, self._preparing = self._preparing, None
        try:
            reader = prepared.result()
        except CompanionError as error:
            self._not_prepared = str(error)
            self._is_unlearned = isinstance(error, ProfileError)
        except Exception as error:
            log.error("%s cannot be prepared", self._capture.name, exc_info=error)
            self._not_prepared = say("the camera cannot be prepared: {error}", error=in_a_line(error))
            self._is_unlearned = False
        else:
            self._attention = attend(reader, self._capture.name, self._readings)
            self._adaptive = AdaptiveReader(reader)
            self._not_prepared = ""

    def _see(self, frame: CameraFrame) -> Iterator[Sighting]:
        """Yields what a frame tells. One over which reading breaks is told, and does not end the stream."""
        try:
            yield from self._read(frame)
            self._not_read = ""
        except Exception as error:
            sighting = unread(frame, self._capture.name, error, self._not_read)
            self._not_read = sighting.trouble
            yield sighting

    def _read(self, frame: CameraFrame) -> Iterator[Sighting]:
        if self._preparing:
            # A frame from before this game was laid, or before its looks were known, tells nothing of it.
            yield replace(self._blind(frame.time, ""), learning=True)
            self._adopt_reader()
            return
        if self._attention is None:
            blind = replace(self._blind(frame.time, self._not_prepared), unlearned=self._is_unlearned)
            yield replace(blind, still=True)  # nobody has to wait for it
            return
        self._learn()
        if sighting := self._attention.see(frame):
            self._note_view(sighting)
            self._untaught = frame, sighting
            yield replace(sighting, note=self._readings.words)

    def _learn(self) -> None:
        """Learns of the newest frame, once it is known what stands on its board."""
        if self._adaptive is None or self._untaught is None:
            return
        frame, sighting = self._untaught
        looks = self._known(sighting)
        if looks is not None:
            self._adaptive.learn(frame, sighting, looks)
            self._untaught = None

    def _note_view(self, sighting: Sighting) -> None:
        """Notes where the board lies now, unless something is wrong with the picture."""
        if self._adaptive is None or self._number is None or sighting.trouble:
            self._seen_in = None
        else:
            self._seen_in = self._number, self._adaptive.reader.view

    def _losses(self) -> Iterator[Sighting]:
        """Yields that the device is lost, if it is.

        The time stays that of its last frame: the tracker takes a device that is gone for a silent one.
        """
        status = self._capture.status
        if status.state != "ok" and not self._stopped.is_set():
            latest = self._capture.latest
            yield self._blind(latest.time if latest else 0.0, status.words)

    def _blind(self, time: float, trouble: str) -> Sighting:
        """Returns a sighting that tells nothing of the board."""
        self._seen_in = None
        return Sighting(time, self._capture.name, None, still=False, trouble=trouble)

    def __enter__(self) -> LiveSightings:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def attend(reader: Reader, name: str, pace: Pace | None = None) -> Attention:
    """Returns what chooses the frames of a source to read by this reader; `pace` measures each reading."""

    def read(frame: CameraFrame) -> Sighting:
        with pace.work() if pace else nullcontext():
            return read_frame(reader, frame, name)

    return Attention(reader, read)


def read_frame(reader: Reader, frame: CameraFrame, name: str) -> Sighting:
    """Returns a frame's sighting; a picture that stands for a moment that held is believed at once."""
    sighting = reader.read(frame.image, frame.time, name).sighting
    return replace(sighting, still=True, held=True) if frame.still else sighting


def unread(frame: CameraFrame, name: str, error: Exception, before: str) -> Sighting:
    """Returns the sighting of a frame over which reading broke; logs it, unless `before` was the same."""
    words = say("the picture cannot be read: {error}", error=in_a_line(error))
    if words != before:
        log.error("a frame of %s cannot be read", name, exc_info=error)
    return Sighting(frame.time, name, None, trouble=words)


def open_stream(
    text: str, board: Board, profile: str | Path | None = None, folder: Path | None = None
) -> LiveSightings | FileSightings:
    """Opens a source of frames with its reader, as `companion.sensing.sources.Opener` says."""
    reader = None if profile is None else _make_reader(profile, board)
    source = open_source(text)
    if reader is None:
        source.close()
        raise SourceError(NEEDS_PROFILE.format(text))
    if source.live:
        return LiveSightings.of_one_game(FrameCapture(source, reopen=lambda: open_source(text)), reader)
    return FileSightings(source, reader)


def _make_reader(profile: str | Path, board: Board) -> Reader:
    try:
        return Reader(load_profile(profile), board)
    except ProfileError as error:
        raise SourceError(str(error)) from error
