"""The stored games: listed and searched, replayed step by step, exported, deleted with a way back.

Looking is free, as it is at the board; a game whose players know different things opens when it is over.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from flask import Blueprint, Response, abort, jsonify, request
from werkzeug.exceptions import BadRequest, Conflict, Forbidden

from companion import exports
from companion.core import GameError, Rules
from companion.messages import OpenGame
from companion.present import present_ply
from companion.record import Record, read_any
from companion.session import Session
from companion.store import Store, StoreError
from web.api import tell
from web.auth import require
from web.boards import answer_board
from web.context import context
from web.drawing import draw_board
from web.fields import takes

blueprint = Blueprint("records", __name__, url_prefix="/api/v1")
PAGE = 50
TYPES = {"pgn": ("application/x-chess-pgn", "pgn"), "abstract": ("application/json", "json")}
"""The type and the suffix of exports that are not plain text."""


@blueprint.get("/records")
def list_records() -> Response:
    """The games, newest first, whose game, players' names or place hold all the words asked for."""
    words, deleted = request.args.get("words", "")[:200], request.args.get("deleted") == "1"
    offset = request.args.get("offset", 0, int)
    if not 0 <= offset < 2**31:
        raise BadRequest("'offset' must be a number from 0")
    found = _store().list(words, PAGE + 1, offset, deleted)
    games = [{**exports.summary_json(summary), "number": summary.id} for summary in found[:PAGE]]
    return jsonify(games=games, more=len(found) > PAGE)


@blueprint.get("/records/<int(max=2147483647):number>")
def show_record(number: int) -> Response:
    """A game to be replayed: for each step what was done, and what stood on the board then."""
    record, session = _open(number)
    plies = range(1, len(session.plies) + 1)
    played = ({**present_ply(session, n, None), "pieces": _pieces(session, n)} for n in plies)
    outcome = session.outcome
    return jsonify(
        number=number, game=record.game.rules.name, title=record.game.rules.title, head=dict(record.head),
        players=list(session.players), steps=[{"pieces": _pieces(session, 0)}, *played], forms=_forms(record),
        outcome=outcome and {"winner": outcome.winner, "reason": outcome.reason},
    )  # fmt: skip


@blueprint.get("/records/<int(max=2147483647):number>/board")
def show_board(number: int) -> Response:
    """The board that a game was played on."""
    return answer_board(_open(number)[0].game)


@blueprint.get("/records/<int(max=2147483647):number>/<int(max=2147483647):step>.svg")
def show_diagram(number: int, step: int) -> Response:
    """The board after so many steps, as a picture that stands alone."""
    record, session = _open(number)
    if step > len(session.plies):
        abort(404, "the game has fewer steps")
    pieces = _pieces(session, step)
    drawing = draw_board(record.game.board, sorted(set(pieces.values())), pieces)
    return Response(drawing, mimetype="image/svg+xml")


@blueprint.get("/records/<int(max=2147483647):number>/export/<form>")
def export(number: int, form: str) -> Response:
    """A game in one of its forms, as a file."""
    if form not in exports.FORMATS:
        abort(404, f"a game is exported as {', '.join(exports.FORMATS)}")
    record, _ = _open(number)
    kind, suffix = TYPES.get(form, ("text/plain", "txt"))
    try:
        response = Response(exports.FORMATS[form](record), mimetype=kind)
    except GameError as error:
        raise Conflict(str(error)) from error
    response.headers["Content-Disposition"] = f'attachment; filename="game-{number}.{suffix}"'
    return response


@blueprint.post("/records")
@takes(record=str)
def take(body: dict[str, Any]) -> Response:
    """Adds a game from elsewhere: a record, a game text or PGN. It is replayed first."""
    require()
    try:
        record = _read(body["record"])
        session = record.session()
    except GameError as error:
        raise BadRequest(str(error)) from error
    number = _store().add(record, context().config.wall())
    return jsonify(number=number, plies=len(session.plies))


@blueprint.post("/records/<int(max=2147483647):number>/deletion")
@takes()
def delete(body: dict[str, Any], number: int) -> Response:
    """Takes a game out of the list; it can come back."""
    return _mark(number, deleted=True)


@blueprint.post("/records/<int(max=2147483647):number>/return")
@takes()
def undelete(body: dict[str, Any], number: int) -> Response:
    """Brings a deleted game back."""
    return _mark(number, deleted=False)


@blueprint.post("/openings")
@takes(number=int)
def open_game(body: dict[str, Any]) -> Response:
    """Goes on with a stored game at the table."""
    number = body["number"]
    require()
    return tell(OpenGame(number))


def _mark(number: int, *, deleted: bool) -> Response:
    require()
    try:
        if deleted:
            _store().delete(number, context().config.wall())
        else:
            _store().undelete(number)
    except StoreError as error:
        abort(404, str(error))
    return jsonify(number=number, deleted=deleted)


def _read(text: str) -> Record:
    if "board=" in unquote(text):
        raise BadRequest("a game on a board of its own is imported on the command line")
    return exports.read_pgn(text) if text.lstrip().startswith("[") else read_any(text)


def _store() -> Store:
    store = context().config.store
    if store is None:
        abort(404, "no games are kept here")
    return store


def _open(number: int) -> tuple[Record, Session]:
    try:
        record = _store().load(number)
        session = record.session()
    except GameError as error:
        abort(404, str(error))
    if type(session.rules).view is not Rules.view and session.outcome is None:
        raise Forbidden("this game holds secrets: it opens when it is over")
    return record, session


def _pieces(session: Session, step: int) -> dict[str, str]:
    return dict(session.rules.pieces(session.positions()[step]))


def _forms(record: Record) -> list[str]:
    return [form for form in exports.FORMATS if form != "pgn" or record.game.rules.name == "chess"]
