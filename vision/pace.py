"""Pace: how often a live source is read, so that a slow computer sees the present and has time for the rest.

Whoever works on frames measures each piece of work. After it comes a pause in proportion, so that the work
takes at most a given share of the time; meanwhile newer frames replace older ones. On a fast computer the
pauses end before the next frame comes, and change nothing.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

from companion.language import say

LONGEST_PAUSE = 1.0
"""Seconds after which work goes on in any case: one piece of work that took long is no reason to stop."""
REMEMBERED = 5
"""Pieces of work whose median time is the usual one."""
SLOW = 0.5
"""Seconds between two readings from which it is told: a move must be seen for a third of a second, so it is
noticed late."""
SAME_PACE = 1.3
"""The factor by which the time between readings must change until other words are found for it."""


class Pace:
    """Keeps work on frames to a share of the time (0 to 1). `clock` returns seconds. For one thread."""

    def __init__(self, share: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rest, self._clock = 1 / share - 1, clock
        self._took: deque[float] = deque(maxlen=REMEMBERED)
        self._due = float("-inf")
        self._told = 0.0

    @contextmanager
    def work(self) -> Iterator[None]:
        """Measures a piece of work; a pause is due after it."""
        began = self._clock()
        try:
            yield
        finally:
            ended = self._clock()
            self._took.append(ended - began)
            self._due = ended + min(LONGEST_PAUSE, self._rest * (ended - began))

    @property
    def pause(self) -> float:
        """The seconds until work may go on; 0 where it may now."""
        return max(0.0, self._due - self._clock())

    @property
    def interval(self) -> float:
        """The usual seconds from one piece of work to the next, at the fastest; 0 before there was any."""
        usual = median(self._took) if self._took else 0.0
        return usual + min(LONGEST_PAUSE, self._rest * usual)

    @property
    def words(self) -> str:
        """That the camera is read seldom, where it is; '' else. The same words as long as little changes."""
        now = self.interval
        if now < SLOW / (SAME_PACE if self._told else 1):
            self._told = 0.0
        elif not self._told / SAME_PACE <= now <= self._told * SAME_PACE:
            self._told = now
        return say("read once in {told:.1f} s: this computer is slow", told=self._told) if self._told else ""
