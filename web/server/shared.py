"""The values that all requests of an application share, whatever it shows: settings, who may act, streams."""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable

from flask import current_app

from web.server.access import Access
from web.server.attempts import Attempts
from web.server.news import News
from web.server.settings import Settings
from web.server.shares import Shares
from web.server.tokens import Tokens


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
        self.streams = threading.BoundedSemaphore(settings.streams)
        self.address_streams = Shares(settings.address_streams)
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
