"""The live stream: sends the newest snapshot to every display, as server-sent events.

A stream starts with the whole state, so a display that slept or lost the network is right at once. Only the
newest snapshot counts: a display that reads slowly misses those in between, and one that has stalled gets
nothing until it reads on. Neither costs the table anything. Each stream ends after a while (displays come
back by themselves), and the kernel drops one that stays silent. The viewer is determined anew for each
snapshot, because a seat holds for one game; the stream ends with the pass, or the token, that its display
came with.
"""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, request

from companion.language import ENGLISH
from companion.record.timekeeping import choose_steady_time
from web.routes.auth import Caller, caller, goes_on
from web.server import languages
from web.server.context import Context, context
from web.server.made_once import Made
from web.server.streams import BEGIN, answer_stream, beat
from web.server.subject import Subject

blueprint = Subject("live", __name__, url_prefix="/api/v1")


@blueprint.get("/events")
def events() -> Response:
    """Streams `state` events (the JSON of `/state`), and a `beat` while nothing happens."""
    shared, who = context(), caller()
    known = request.headers.get("Last-Event-ID", "")
    return answer_stream(shared, follow(shared, who, languages.language(), known))


def follow(shared: Context, who: Caller, language: str = ENGLISH, known: str = "") -> Iterator[bytes]:
    """Yields the bytes of a stream in a language, from the state now to its end; b"" where nothing is new.

    The state with the tag `known` is left out.
    """
    settings, services, table = shared.settings, shared.services, shared.table
    table_time = choose_steady_time(services.wall)
    told = begun = services.clock()
    yield BEGIN + beat(table_time())
    while goes_on(who, shared):
        now, snapshot = services.clock(), table.snapshot
        is_over = shared.closing.is_set() or not table.is_open
        shown = shared.show(snapshot, who.viewer(snapshot), language)
        if shown.tag != known:
            known, told = shown.tag, now
            yield event(shown)
        elif is_over or now - begun >= settings.stream_seconds:
            return
        elif now - told >= settings.heartbeat:
            told = now
            yield beat(table_time())
        else:
            yield b""


def event(shown: Made) -> bytes:
    """Returns one `state` event. JSON on one line needs no other framing."""
    return b"id: %s\nevent: state\ndata: %s\n\n" % (shown.tag.encode(), shown.content)
