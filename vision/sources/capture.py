"""Captures the newest frame of a source, in a thread of its own.

Cameras queue frames, and a referee that reads them in order sees the past. So one thread reads as fast as
frames come and overwrites the last one; `FrameCapture.take` returns the newest. When the device is lost, for
whatever its driver raises, the thread says so and opens it again as soon as it is back. A recording has no
present: none of its frames is lost, and on a machine that cannot follow it plays more slowly.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.language import say
from companion.sensing.sources import SourceError
from vision.sources.source import AdjustingSource, CameraFrame, Source, SourceLostError, in_a_line

log = logging.getLogger(__name__)
PATIENCE = 3.0
"""Seconds for which the end of the thread is waited for: a driver may hang."""
RETRY = 1.0
"""Seconds between two tries to open a lost device again."""
OVER = ("ended", "failed")
"""The states after which no frame comes."""


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a capture: `ok`, `lost` (it goes on trying), `ended` or `failed`; `words` say why."""

    state: str = "ok"
    words: str = ""


class FrameCapture:
    """Reads a source in its own thread, a file at its own pace and not before its last frame was taken.

    `reopen` opens a lost device again; it is tried every `retry` seconds. A source that keeps its newest
    picture itself is read `on_demand`, once somebody waits for a frame. `clock` returns seconds and `wait`
    waits for an event, at most some seconds: the system's, unless others are handed in.
    """

    def __init__(
        self,
        source: Source,
        reopen: Callable[[], Source] | None = None,
        *,
        retry: float = RETRY,
        on_demand: bool = False,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[threading.Event, float], bool] = threading.Event.wait,
    ) -> None:
        self.name, self.live = source.name, source.live
        self._source: Source | None = source
        self._reopen, self._retry, self._clock, self._wait = reopen, retry, clock, wait
        self._on_demand, self._awaited = on_demand, False
        self._changed = threading.Condition()
        self._stop, self._adjusting, self._resting = (threading.Event() for _ in range(3))
        self.status = Status()
        self.latest: CameraFrame | None = None
        """The newest frame, whether it was taken or not."""
        self.seen = self.dropped = 0
        """The frames that came, and those that were overwritten before anybody took them."""
        self._fresh = False
        self._start: float | None = None
        self._thread = threading.Thread(target=self._run, name=f"capture {self.name}", daemon=True)

    def start(self) -> FrameCapture:
        self._thread.start()
        return self

    def stop(self) -> None:
        """Ends the thread, which gives the device back. The thread of a driver that hangs is not waited for
        longer than PATIENCE: it ends when the driver returns."""
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread.ident is None:
            self._close()
        else:
            self._thread.join(PATIENCE)

    def adjust(self) -> None:
        """Lets the device adjust exposure, white balance and focus again, where it holds them. Any thread may
        call this."""
        self._adjusting.set()

    def rest(self) -> None:
        """Lets a recording go on at its own pace from when its newest frame is taken, however long that was
        left. Any thread may call this."""
        self._resting.set()

    def __enter__(self) -> FrameCapture:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def take(self, timeout: float | None = None) -> CameraFrame | None:
        """Waits for a frame that was not taken yet, and returns it. Returns None after `timeout` seconds, and
        at once where no frame will come any more (`over`)."""
        with self._changed:
            self._awaited = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._fresh or self.over, timeout)
            if not self._fresh:
                return None
            self._fresh = False
            self._changed.notify_all()
            return self.latest

    @property
    def over(self) -> bool:
        """True if no frame will come any more."""
        return self._stop.is_set() or self.status.state in OVER

    def _run(self) -> None:
        while self._is_wanted():
            try:
                self._read(self._source or self._open())
            except SourceLostError as error:
                self._lose(str(error))
            except Exception as error:  # a driver may raise anything, and nobody else would tell
                self._fail(error)
        self._close()

    def _is_wanted(self) -> bool:
        """Waits until a frame is wanted; returns False where none will come any more."""
        with self._changed:
            if self._on_demand:
                self._changed.wait_for(lambda: self._awaited or self.over)
            return not self.over

    def _open(self) -> Source:
        if self._reopen is None:
            raise SourceError(say("{name} cannot be opened again", name=self.name))
        source = self._source = self._reopen()
        if not source.live:  # it goes on where it was
            self._start = None
            for _ in range(self.seen):
                source.read()
        return source

    def _read(self, source: Source) -> None:
        if self._adjusting.is_set():
            self._adjusting.clear()
            if isinstance(source, AdjustingSource):
                source.adjust()
        frame = source.read()
        if frame is None:
            self._tell(Status("ended", say("the recording is at its end")))
        elif source.live:
            self._publish(frame)
        else:
            self._play(frame)

    def _play(self, frame: CameraFrame) -> None:
        """Publishes a frame of a file when it is due, and waits until it is taken."""
        if self._start is None:
            self._start = self._clock() - frame.time
        due = self._start + frame.time
        left = due - self._clock()
        if left <= 0 or not self._wait(self._stop, left):
            self._publish(replace(frame, time=due))
            with self._changed:
                self._changed.wait_for(lambda: not self._fresh or self.over)
        if self._resting.is_set():
            self._resting.clear()
            self._start = self._clock() - frame.time

    def _publish(self, frame: CameraFrame) -> None:
        with self._changed:
            self.seen += 1
            self.dropped += self._fresh
            self.latest, self._fresh, self.status = frame, True, Status()
            self._awaited = False
            self._changed.notify_all()

    def _lose(self, words: str) -> None:
        self._close()
        if self._reopen is None:
            self._tell(Status("failed", words))
            return
        self._tell(Status("lost", words))
        self._wait(self._stop, self._retry)

    def _fail(self, error: Exception) -> None:
        """Ends for an error of no lost device, unless it may come back as one would."""
        device = self._source is not None and self._source.live
        if self.status.state == "lost":
            self._lose(self.status.words)
        elif isinstance(error, SourceError):
            self._tell(Status("failed", str(error)))
        else:
            log.error("%s cannot be read", self.name, exc_info=error)
            words = say("{name} cannot be read: {error}", name=self.name, error=in_a_line(error))
            self._lose(words) if device else self._tell(Status("failed", words))

    def _tell(self, status: Status) -> None:
        with self._changed:
            self.status = status
            self._changed.notify_all()

    def _close(self) -> None:
        source, self._source = self._source, None
        try:
            if source is not None:
                source.close()
        except Exception as error:  # what is broken cannot always be closed
            log.warning("%s cannot be closed: %s", self.name, in_a_line(error))
