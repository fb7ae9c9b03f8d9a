"""Games at addresses that stay, for programs that ask again and again: broadcasts, displays, archives.

`current` is the game on the table. Each is as everybody may know it, whoever asks: so a cache may keep it,
and a page of elsewhere may read it where the server is open to the network. What players and arbiter say of a
game (comments) is left out: nobody gets advice from a broadcast.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated

from flask import Response, abort
from werkzeug.exceptions import Forbidden, NotFound

from companion.core.game import GameError
from companion.language import say
from companion.record.notations import notations, write_notated
from companion.record.record import Record
from companion.record.session import Session
from companion.table.present import present_game
from companion.wire.codec import write
from companion.wire.state import Feed
from web.server.context import context
from web.server.languages import language
from web.server.subject import Subject, refused, there

blueprint = Subject("feeds", __name__, url_prefix="/api/v1")
JSON = "json"


@dataclass(frozen=True, slots=True)
class FedGame:
    """A game, as it is on the table or in the store; `version` changes whenever the game does."""

    number: int
    version: tuple[object, ...]
    load: Callable[[], tuple[Record, Session]]


@blueprint.get("/current.<form>")
def show_current(form: str) -> Annotated[Response, Feed]:
    """Sends the game on the table as everybody may know it: `json`, or a notation of its game (`pgn`,
    `pdn`)."""
    return _send(there(context().table.snapshot.number, say("no game is on")), form)


@blueprint.get("/games/<int(max=2147483647):number>.<form>")
def show_game(number: int, form: str) -> Annotated[Response, Feed]:
    """Sends a game as everybody may know it: `json`, or a notation of its game (`pgn`, `pdn`)."""
    return _send(number, form)


def _send(number: int, form: str) -> Response:
    """Sends a game in a form; 304 where the asker has it already."""
    if form not in (JSON, *notations()):
        abort(404, say("a game is sent as {formats}", formats=", ".join((JSON, *notations()))))
    played, language_ = _find(number), language()
    key, version = (number, form, language_), (played.number, *played.version)
    feed = context().feeds.find(key, lambda: _write(played, form, language_), version)
    kind = "application/json" if form == JSON else notations()[form][0].media_type
    response = feed.answer(f"{kind}; charset=utf-8", "no-cache")
    if context().settings.is_open:
        response.headers["Access-Control-Allow-Origin"] = "*"
    return response


def _find(number: int) -> FedGame:
    """Returns a game that everybody may look at: on the table, or stored."""
    shared = context()
    snapshot, store = shared.table.snapshot, shared.services.store
    if snapshot.number == number and (session := snapshot.session):
        head: Mapping[str, str] = snapshot.head

        def on_table() -> tuple[Record, Session]:
            started = store.started(number) if store else 0.0
            return Record(session.game, session.log, head, started=started), session

        return FedGame(number, (len(session.log), *head.items()), on_table)
    found = store.version(number) if store else None
    if store is None or found is None or found[2]:
        abort(404, say("there is no game {number}", number=number))
    kept = store

    @refused(GameError, NotFound)
    def stored() -> tuple[Record, Session]:
        record = kept.load(number)
        return record, record.session()

    return FedGame(number, found, stored)


def _write(played: FedGame, form: str, language_: str) -> bytes:
    """Makes the file. 403 for an unfinished game with secrets that is not on the table, 404 for a notation of
    another game."""
    record, session = played.load()
    if form == JSON:
        is_on = context().table.snapshot.number == played.number
        if not is_on and session.may_hide:
            raise Forbidden(say("this game holds secrets: it opens when it is over"))
        return write(present_game(session, record.head, played.number), language_)
    if notations()[form][1] != session.rules.name:
        title = session.rules.title
        abort(404, say("{game} is not written as {format}: ask for json", game=title, format=form.upper()))
    silent = Record(record.game, record.log, record.head, started=record.started)
    return write_notated(silent, form, session).encode()
