"""The arbiter's desk: rulings, sent to a board's own API; what was ruled; ticks; the boards' addresses."""

from __future__ import annotations

import secrets
from dataclasses import asdict, replace
from typing import Any

from flask import Blueprint, Response, jsonify
from werkzeug.exceptions import BadRequest, Conflict, ServiceUnavailable

from companion.language import say
from hall.wall.board_addresses import AddressError, read_board_address
from hall.wall.board_calls import Answer
from hall.wall.context import context
from hall.wall.hall import Board
from hall.wall.journal import JournalError, Ruling
from hall.wall.routes.live import asked_board
from hall.wall.routes.session import require_arbiter
from hall.wall.rulings import RulingError, request_of
from web.server.fields import takes
from web.server.roles import pass_name

blueprint = Blueprint("desk", __name__, url_prefix="/api/v1/desk")


@blueprint.post("/rulings")
@takes(board=str, number=int, kind=str, values=dict)
def rule(body: dict[str, Any]) -> Response:
    """Sends a ruling to a board, for the game with this number, and answers what the board says.

    It is in the journal before it is sent. 409 where another game is on, or the board refuses.
    """
    by = _by()
    board = asked_board(body["board"])
    try:
        path, asked = request_of(body["kind"], body["values"], body["number"])
    except RulingError as error:
        raise BadRequest(str(error)) from error
    if board.told.number != body["number"]:
        raise Conflict(say("another game is on at that board now: nothing was done"))
    address = context().addresses.known.get(board.name)
    if address is None:
        raise Conflict(say("the desk does not know this board's address: enter it first"))
    ruling = _begin(board, by, body)
    answer = context().calls.post(address, path, asked)
    _end(ruling, answer)
    return _tell(answer)


def _begin(board: Board, by: str, body: dict[str, Any]) -> Ruling:
    """Writes down what is about to be ruled. 503 where that cannot be: then nothing is sent."""
    kind, values = body["kind"], body["values"]
    at = round(context().wall(), 1)
    ruling = Ruling(secrets.token_hex(8), at, by, str(board.name), board.told.number, kind, values)
    try:
        context().journal.note(ruling)
    except JournalError as error:
        raise ServiceUnavailable(str(error)) from error
    return ruling


def _end(ruling: Ruling, answer: Answer) -> None:
    """Writes down what the board answered. Where the disk is full by now, the log of the program has it."""
    words = str.__str__(answer.words)
    try:
        context().journal.note(replace(ruling, status=answer.status, answer=words))
    except JournalError:
        context().log.exception("ruling %s was answered: %s %s", ruling.id, answer.status, words)


def _tell(answer: Answer) -> Response:
    """Returns a board's answer: its refusals are 409, and 502 means that the board was not heard."""
    response = jsonify(words=answer.words) if answer.is_done else jsonify(error=answer.words)
    response.status_code = 200 if answer.is_done else 409 if answer.status else 502
    return response


@blueprint.get("/rulings")
def show_rulings() -> Response:
    """Sends the latest rulings, the newest first."""
    require_arbiter()
    return jsonify(rulings=[asdict(ruling) for ruling in context().journal.rulings])


@blueprint.post("/ticks")
@takes(need=str, seen=bool)
def tick(body: dict[str, Any]) -> Response:
    """Ticks a need off for all desks, or takes the tick back."""
    by = _by()
    try:
        context().journal.tick(body["need"], by, round(context().wall(), 1), body["seen"])
    except JournalError as error:
        raise ServiceUnavailable(str(error)) from error
    return jsonify(seen=body["seen"])


@blueprint.get("/boards")
def show_addresses() -> Response:
    """Sends the boards' addresses; of the tokens only whether there are any."""
    require_arbiter()
    known = context().addresses.known
    return jsonify(
        boards={
            str(name): {
                "address": found.address,
                "fingerprint": found.fingerprint,
                "token": bool(found.token),
            }
            for name, found in known.items()
        }
    )


@blueprint.post("/boards")
@takes(board=str, address=str, token=str, fingerprint=str, optional=("token", "fingerprint"))
def enter_address(body: dict[str, Any]) -> Response:
    """Keeps a board's address and token; '' as its address forgets both."""
    require_arbiter()
    name, addresses = asked_board(body["board"]).name, context().addresses
    try:
        if body["address"].strip():
            found = read_board_address(body["address"], body.get("token", ""), body.get("fingerprint", ""))
            addresses.set(name, found)
        else:
            addresses.forget(name)
    except AddressError as error:
        raise BadRequest(str(error)) from error
    return show_addresses()


def _by() -> str:
    """Returns the arbiter as the journal names it: `home`, or `arbiter` and the beginning of the pass."""
    role = require_arbiter()
    return role if role == "home" else f"{role} {pass_name()[:6]}"
