"""Server-sent events: places for displays.

A stream is the answer to a request like any other; its iterator yields b"" where there is nothing to tell
now. The server then looks again when there is news, or after a second. Their number is limited, and that of
one address more so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Response, request
from werkzeug.exceptions import ServiceUnavailable

from companion.language import say
from web.server.shared import Shared

KIND = "text/event-stream"
BEGIN = b": board companion\nretry: 1000\n\n"
"""The first bytes of a stream: a display that loses it comes back after a second."""


def answer_stream(shared: Shared, events: Iterator[bytes]) -> Response:
    """Returns the answer that streams these bytes. 503 when there is no place for another display."""
    give_back = _take_place(shared, request.remote_addr or "")
    stream = Response(events, mimetype=KIND)
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
