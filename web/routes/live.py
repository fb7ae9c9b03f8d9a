"""The live stream: sends the newest snapshot to every display, as server-sent events.

A stream starts with the whole state, so a display that slept or lost the network is right at once. Only the
newest snapshot counts: a display that reads slowly misses those in between, and one that has stalled gets
nothing until it reads on. Neither costs the table anything. Each stream keeps a thread of the server: their
number is limited, each ends after a while (displays come back by themselves), and the kernel drops one that
stays silent. The viewer is determined anew for each snapshot, because a seat holds for one game; the
stream ends with the pass, or the token, that its display came with.
"""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, request

from companion.language import ENGLISH
from companion.record.timekeeping import steadied
from companion.table.snapshot import Snapshot
from web.routes.auth import Caller, caller, goes_on
from web.server import languages
from web.server.context import Context, Shown, context
from web.server.streams import BEGIN, LOOK, Line, answer_stream, beat, current_line

blueprint = Blueprint("live", __name__, url_prefix="/api/v1")


@blueprint.get("/events")
def events() -> Response:
    """Streams `state` events (the JSON of `/state`), and a `beat` while nothing happens."""
    shared, who = context(), caller()
    known = request.headers.get("Last-Event-ID", "")
    return answer_stream(shared, follow(shared, who, current_line(), languages.language(), known))


def follow(
    shared: Context, who: Caller, line: Line, language: str = ENGLISH, known: str = ""
) -> Iterator[bytes]:
    """Yields the bytes of a stream in a language, from the state now to its end.

    The state with the tag `known` is left out.
    """
    settings, services, table = shared.settings, shared.services, shared.table
    table_time = steadied(services.wall)
    told = begun = services.clock()
    snapshot = table.snapshot
    yield BEGIN + beat(table_time())
    while goes_on(who, shared):
        now, shown = services.clock(), shared.published.show(snapshot, who.viewer(snapshot), language)
        if shown.tag != known:
            known, told = shown.tag, now
            yield event(shown)
        elif now - told >= settings.heartbeat:
            told = now
            yield beat(table_time())
        is_over = now - begun >= settings.stream_seconds or shared.closing.is_set() or not table.is_open
        if is_over or line.is_gone():
            return
        snapshot = _next(shared, line, snapshot)


def _next(shared: Context, line: Line, told: Snapshot) -> Snapshot:
    """Returns a newer snapshot as soon as there is one, or the same one after a while of silence."""
    if line.is_full():
        shared.closing.wait(LOOK)  # the table wakes only those who read its news
        return told
    return shared.table.wait(told.id, LOOK) or told


def event(shown: Shown) -> bytes:
    """Returns one `state` event. JSON on one line needs no other framing."""
    return b"id: %s\nevent: state\ndata: %s\n\n" % (shown.tag.encode(), shown.text)
