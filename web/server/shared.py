"""The values that all requests of an application share, whatever it shows: settings, who may act, streams.

One address may use its share of the places, so that one device cannot shut the page for others. What costs
much, as a drawing does, one request at a time may do, and few others wait for their turn: each that waits
takes a thread of the server.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf

from flask import current_app

from web.server.access import Access, Attempts
from web.server.settings import Settings
from web.server.tokens import Tokens

PLACES = 4
"""The most requests that have their turn or wait."""
OF_ONE = 2
"""The most of them that come from one address."""
WAIT = 30.0
"""The seconds for which a request waits for its turn."""


class News:
    """Wakes all who wait for news. They wait in the server's loop; any thread may tell."""

    def __init__(self) -> None:
        self._came = asyncio.Event()
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop of the server, while it runs."""

    def tell(self) -> None:
        if self.loop:
            with suppress(RuntimeError):  # it has ended meanwhile
                self.loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._came.set()
        self._came = asyncio.Event()

    async def wait(self, seconds: float) -> None:
        """Returns as soon as there is news, or after some seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._came.wait()


class Shares:
    """Counts the places that each address holds, and gives none more than `most`, nor all of them more than
    so many `together`. Any thread may call it."""

    def __init__(self, most: int, together: float = inf) -> None:
        self._most, self._together = most, together
        self._held: Counter[str] = Counter()
        self._lock = threading.Lock()

    @property
    def held(self) -> int:
        """Returns how many places are held, by all addresses together."""
        with self._lock:
            return self._held.total()

    @property
    def are_taken(self) -> bool:
        """Returns whether none is left for anybody."""
        return self.held >= self._together

    def take(self, address: str) -> bool:
        """Takes a place for an address. Returns whether there was one left for it."""
        with self._lock:
            if self._held[address] >= self._most or self._held.total() >= self._together:
                return False
            self._held[address] += 1
            return True

    def give_back(self, address: str) -> None:
        """Gives a place back that was taken."""
        with self._lock:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]


class Turns:
    """The turns of those who wait for the same thing. Any thread may call it."""

    def __init__(self, wait: float = WAIT) -> None:
        self._wait = wait
        self._places, self._turn = Shares(OF_ONE, PLACES), threading.Lock()

    @contextmanager
    def turn(self, address: str) -> Iterator[bool]:
        """Waits for the turn of an address, and keeps it. Gives False where there is none for it in time."""
        has_place = self._places.take(address)
        has_turn = has_place and self._turn.acquire(timeout=self._wait)
        try:
            yield has_turn
        finally:
            if has_turn:
                self._turn.release()
            if has_place:
                self._places.give_back(address)


class Shared:
    """What the server and its security need of an application.

    `clock` gives seconds that never jump, `wall` seconds since 1970. Without `access` and `tokens` who may
    act is known until the server ends.
    """

    def __init__(
        self,
        settings: Settings,
        access: Access | None = None,
        tokens: Tokens | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.wall = wall
        self.access = access or Access(clock, settings.session_seconds)
        self.tokens = tokens or Tokens(wall)
        self.token_attempts = Attempts(clock)
        self.displays = Shares(settings.address_streams, settings.streams)
        self.closing = threading.Event()
        """Set when the server stops: streams end."""
        self.news, self.pace = News(), 0.0
        """What wakes streams, and the least seconds between two looks of a stream for what is new."""
        self.log = logging.getLogger("web")
        self.failures = Counter[tuple[str | None, str]]()
        """How often requests failed by a fault of ours, by their view and the kind of error."""


def shared() -> Shared:
    """Returns what the current application shares."""
    found: Shared = current_app.extensions["companion"]
    return found
