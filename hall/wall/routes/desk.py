"""The arbiter's desk: rulings, sent to a board's own API; what was ruled; ticks; the boards' addresses."""

from __future__ import annotations

import secrets
from dataclasses import asdict, replace

from flask import Response, jsonify
from werkzeug.exceptions import BadRequest, Conflict, ServiceUnavailable

from companion.language import say
from hall.wall.board_addresses import AddressError, BoardAddress, read_board_address
from hall.wall.board_calls import OF_STATUS, BoardAnswer
from hall.wall.context import context
from hall.wall.journal import JournalError, Ruling
from hall.wall.routes.live import asked_board
from hall.wall.routes.session import require_arbiter
from hall.wall.rulings import RulingError, request_of
from web.server.callers import pass_name
from web.server.subject import Subject

blueprint = Subject("desk", __name__, url_prefix="/api/v1/desk")


@blueprint.post("/rulings")
def rule(*, board: str, number: int, kind: str, values: dict[str, object]) -> Response:
    """Sends a ruling to a board, for the game with this number, and answers what the board says.

    It is in the journal before it is sent. 409 where another game is on, or the board refuses.
    """
    by = _by()
    ruled = asked_board(board)
    try:
        path, asked = request_of(kind, values, number)
    except RulingError as error:
        raise BadRequest(str(error)) from error
    if ruled.told.number != number:
        raise Conflict(say("another game is on at that board now: nothing was done"))
    address = context().addresses.known.get(ruled.name)
    if address is None:
        raise Conflict(say("the desk does not know this board's address: enter it first"))
    at = round(context().wall(), 1)
    ruling = Ruling(secrets.token_hex(8), at, by, str(ruled.name), number, kind, values)
    _begin(ruling)
    answer = context().calls.post(address, path, asked, ruled.told.companion)
    _end(ruling, answer)
    return _tell(answer)


def _begin(ruling: Ruling) -> None:
    """Writes down what is about to be ruled. 503 where that cannot be: then nothing is sent."""
    try:
        context().journal.note(ruling)
    except JournalError as error:
        raise ServiceUnavailable(str(error)) from error


def _end(ruling: Ruling, answer: BoardAnswer) -> None:
    """Writes down what the board answered. Where the disk is full by now, the log of the program has it."""
    words = str.__str__(answer.words)
    try:
        context().journal.note(replace(ruling, status=answer.status, answer=words))
    except JournalError:
        context().log.exception("ruling %s was answered: %s %s", ruling.id, answer.status, words)


def _tell(answer: BoardAnswer) -> Response:
    """Returns a board's answer: its refusals are 409, and 502 means that the board was not heard."""
    response = jsonify(words=answer.words) if answer.is_done else jsonify(error=answer.words)
    response.status_code = 200 if answer.is_done else 409 if answer.status else 502
    return response


@blueprint.get("/rulings")
def show_rulings() -> dict[str, object]:
    """Sends the latest rulings, the newest first."""
    require_arbiter()
    return {"rulings": [asdict(ruling) for ruling in context().journal.rulings]}


@blueprint.post("/ticks")
def tick(*, need: str, seen: bool) -> dict[str, object]:
    """Ticks a need off for all desks, or takes the tick back."""
    by = _by()
    try:
        context().journal.tick(need, by, round(context().wall(), 1), seen)
    except JournalError as error:
        raise ServiceUnavailable(str(error)) from error
    return {"seen": seen}


@blueprint.get("/boards")
def show_addresses() -> dict[str, object]:
    """Sends the boards' addresses; of the tokens only whether there are any."""
    require_arbiter()
    return {"boards": _addresses()}


def _addresses() -> dict[str, dict[str, object]]:
    return {
        str(name): {"address": found.address, "fingerprint": found.fingerprint, "token": bool(found.token)}
        for name, found in context().addresses.known.items()
    }


@blueprint.post("/boards")
def enter_address(*, board: str, address: str, token: str = "", fingerprint: str = "") -> dict[str, object]:
    """Keeps a board's address and token; '' as its address forgets both.

    409 where the board refuses the token. One that is not heard may be switched off: `words` say so.
    """
    require_arbiter()
    named, addresses, words = asked_board(board), context().addresses, ""
    try:
        if address.strip():
            found = read_board_address(address, token, fingerprint)
            words = _try_token(found, named.told.companion) if found.token else ""
            addresses.set(named.name, found)
        else:
            addresses.forget(named.name)
    except AddressError as error:
        raise BadRequest(str(error)) from error
    return {"boards": _addresses(), "words": words}


def _try_token(found: BoardAddress, companion: str) -> str:
    """Returns why a board is not heard; '' where it is. 409 where no ruling would be taken there."""
    nothing: dict[str, object] = {"head": {}}  # is for an arbiter, and changes nothing
    answer = context().calls.post(found, "head", nothing, companion)
    if answer.status in OF_STATUS:
        raise Conflict(answer.words)
    return "" if answer.status else answer.words


def _by() -> str:
    """Returns the arbiter as the journal names it: `home`, or `arbiter` and the beginning of the pass."""
    role = require_arbiter()
    return role if role == "home" else f"{role} {pass_name()[:6]}"
