"""Server-sent events: places for displays.

A stream is the answer to a request like any other; its iterator yields b"" where there is nothing to tell
now. The server then looks again when there is news, or after a second. Their number is limited, and that of
one address more so.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from flask import Response, request
from werkzeug.exceptions import ServiceUnavailable

from companion.language import say
from web.server.shared import Shared

KIND = "text/event-stream"
BEGIN = b": board companion\nretry: 1000\n\n"
"""The first bytes of a stream: a display that loses it comes back after a second."""


def answer_stream(shared: Shared, events: Iterator[bytes]) -> Response:
    """Returns the answer that streams these bytes. 503 when there is no place for another display."""
    address, displays = request.remote_addr or "", shared.displays
    if not displays.take(address):
        words = say("too many displays are connected")
        if not displays.are_taken:
            words = say("too many displays are connected from this device: close some of its pages")
        raise ServiceUnavailable(words, retry_after=10)
    stream = Response(events, mimetype=KIND)
    stream.call_on_close(partial(displays.give_back, address))
    stream.headers["Cache-Control"] = "no-cache"
    stream.headers["X-Accel-Buffering"] = "no"
    return stream


def beat(now: float) -> bytes:
    """Returns a sign of life with the server's time, by which the clocks of displays run."""
    return b"event: beat\ndata: %.2f\n\n" % now
