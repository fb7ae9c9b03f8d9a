"""The live stream: the newest snapshot to every display, as server-sent events.

A stream starts with the whole state, so a display that slept or lost the network is right at once. Only
the newest snapshot counts: a display that reads slowly misses those in between, and one that has stalled is
told nothing until it reads on; it costs the table nothing. Each stream keeps a thread of the server, so their
number is capped, each ends after a while (displays come back by themselves), and the kernel drops one that
stays silent. As whom a display sees the game is asked anew for each
snapshot: a seat holds for one game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from flask import Blueprint, Response, request
from werkzeug.exceptions import ServiceUnavailable

from companion.snapshot import Snapshot
from companion.timekeeping import steadied
from web.auth import Caller, caller
from web.context import Context, Shown, context

blueprint = Blueprint("live", __name__, url_prefix="/api/v1")
RETRY_MS = 1000
LOOK = 1.0
"""After so many seconds of silence a stream looks whether its display is still there, and reads."""


class Line(Protocol):
    """The connection to a display."""

    def is_gone(self) -> bool:
        """Whether the display hung up."""

    def is_full(self) -> bool:
        """Whether something waits that the display has not read."""


class FreeLine:
    """A line of which nothing is known: a server that does not say."""

    def is_gone(self) -> bool:
        return False

    def is_full(self) -> bool:
        return False


@blueprint.get("/events")
def events() -> Response:
    """A stream of `state` events (the JSON of `/state`), with a `beat` where nothing happens."""
    shared, who = context(), caller()
    if not shared.streams.acquire(blocking=False):
        raise ServiceUnavailable("too many displays are connected", retry_after=10)
    line = request.environ.get("companion.line", FreeLine())
    known = request.headers.get("Last-Event-ID", "")
    stream = Response(follow(shared, who, line, known), mimetype="text/event-stream")
    stream.call_on_close(shared.streams.release)
    stream.headers["Cache-Control"] = "no-cache"
    stream.headers["X-Accel-Buffering"] = "no"
    return stream


def follow(shared: Context, who: Caller, line: Line, known: str = "") -> Iterator[bytes]:
    """The stream's bytes, from the state now to its end; the state with the tag `known` is left out."""
    config, table = shared.config, shared.table
    table_time = steadied(config.wall)
    told = begun = config.clock()
    snapshot = table.snapshot
    yield b": board companion\nretry: %d\n\n" % RETRY_MS + beat(table_time())
    while True:
        now, shown = config.clock(), shared.published.show(snapshot, who.viewer(snapshot))
        if shown.tag != known:
            known, told = shown.tag, now
            yield event(shown)
        elif now - told >= config.heartbeat:
            told = now
            yield beat(table_time())
        is_over = now - begun >= config.stream_seconds or shared.closing.is_set() or not table.is_open
        if is_over or line.is_gone():
            return
        snapshot = _next(shared, line, snapshot)


def _next(shared: Context, line: Line, told: Snapshot) -> Snapshot:
    """A newer snapshot as soon as there is one, or what was told after a while of silence."""
    if line.is_full():
        shared.closing.wait(LOOK)  # the table's news wake only those who read them
        return told
    return shared.table.wait(told.id, LOOK) or told


def beat(now: float) -> bytes:
    """A sign of life, with the table's time: the clocks of displays run by it."""
    return b"event: beat\ndata: %.2f\n\n" % now


def event(shown: Shown) -> bytes:
    """One `state` event; JSON on one line needs no other framing."""
    return b"id: %s\nevent: state\ndata: %s\n\n" % (shown.tag.encode(), shown.text)
