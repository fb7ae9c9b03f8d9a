"""Server-sent events: places for displays, and the connection that a stream keeps to each.

Each stream keeps a thread of the server: their number is limited, and that of one address more so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from flask import Response, request
from werkzeug.exceptions import ServiceUnavailable

from companion.language import say
from web.server.shared import Shared

BEGIN = b": board companion\nretry: 1000\n\n"
"""The first bytes of a stream: a display that loses it comes back after a second."""
LOOK = 1.0
"""The seconds of silence after which a stream checks whether its display is still there, and reads."""


class Line(Protocol):
    """The connection to a display."""

    def is_gone(self) -> bool:
        """Returns whether the display hung up."""

    def is_full(self) -> bool:
        """Returns whether something waits that the display has not read."""


class FreeLine:
    """The connection of a server that tells nothing of it."""

    def is_gone(self) -> bool:
        return False

    def is_full(self) -> bool:
        return False


def current_line() -> Line:
    """Returns the connection of the current request."""
    line: Line = request.environ.get("companion.line", FreeLine())
    return line


def answer_stream(shared: Shared, events: Iterator[bytes]) -> Response:
    """Returns the answer that streams these bytes. 503 when there is no place for another display."""
    give_back = _take_place(shared, request.remote_addr or "")
    stream = Response(events, mimetype="text/event-stream")
    stream.call_on_close(give_back)
    stream.headers["Cache-Control"] = "no-cache"
    stream.headers["X-Accel-Buffering"] = "no"
    return stream


def beat(now: float) -> bytes:
    """Returns a sign of life with the server's time, by which the clocks of displays run."""
    return b"event: beat\ndata: %.2f\n\n" % now


def _take_place(shared: Shared, address: str) -> Callable[[], None]:
    """Takes a place for a display, and returns the function that gives it back."""
    if not shared.address_streams.take(address):
        raise ServiceUnavailable(
            say("too many displays are connected from this device: close some of its pages"), retry_after=10
        )
    if not shared.streams.acquire(blocking=False):
        shared.address_streams.give_back(address)
        raise ServiceUnavailable(say("too many displays are connected"), retry_after=10)

    def give_back() -> None:
        shared.address_streams.give_back(address)
        shared.streams.release()

    return give_back
