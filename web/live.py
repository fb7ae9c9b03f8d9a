"""The live stream: the newest snapshot to every display, as server-sent events.

A stream starts with the whole state, so a display that slept or lost the network is right at once. Only
the newest snapshot counts: a display that reads slowly misses those in between. Each stream keeps a thread
of the server, so their number is capped, each ends after a while (displays come back by themselves), and
the server drops one whose reader has stalled. As whom a display sees the game is asked anew for each
snapshot: a seat holds for one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Blueprint, Response, request
from werkzeug.exceptions import ServiceUnavailable

from web.auth import Caller, caller
from web.context import Context, context

blueprint = Blueprint("live", __name__, url_prefix="/api/v1")
RETRY_MS = 1000
LOOK = 1.0
"""After so many seconds of silence a stream looks whether its display is still there."""


@blueprint.get("/events")
def events() -> Response:
    """A stream of `state` events (the JSON of `/state`), with a `beat` where nothing happens."""
    shared, who = context(), caller()
    if not shared.streams.acquire(blocking=False):
        raise ServiceUnavailable("too many displays are connected", retry_after=10)
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    stream = Response(follow(shared, who, gone), mimetype="text/event-stream")
    stream.call_on_close(shared.streams.release)
    stream.headers["Cache-Control"] = "no-cache"
    stream.headers["X-Accel-Buffering"] = "no"
    return stream


def follow(shared: Context, who: Caller, gone: Callable[[], bool]) -> Iterator[bytes]:
    """The stream's bytes, from the whole state now to its end."""
    config = shared.config
    end = config.clock() + config.stream_seconds
    snapshot, silent = shared.table.snapshot, 0.0
    yield b": board companion\nretry: %d\n\n" % RETRY_MS + beat(config.wall())
    yield event(snapshot.id, shared.published.text(snapshot, who.viewer(snapshot)))
    while config.clock() < end and not (gone() or shared.closing.is_set()) and shared.table.is_open:
        newer = shared.table.wait(snapshot.id, LOOK)
        silent += LOOK
        if newer is not None:
            snapshot, silent = newer, 0.0
            yield event(snapshot.id, shared.published.text(snapshot, who.viewer(snapshot)))
        elif silent >= config.heartbeat:
            silent = 0.0
            yield beat(config.wall())


def beat(now: float) -> bytes:
    """A sign of life, with this machine's time of day: the clocks of displays run by it."""
    return b"event: beat\ndata: %.2f\n\n" % now


def event(number: int, text: bytes) -> bytes:
    """One `state` event; JSON on one line needs no other framing."""
    return b"id: %d\nevent: state\ndata: %s\n\n" % (number, text)
