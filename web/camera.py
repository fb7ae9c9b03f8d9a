"""The camera's picture, and fingers on the virtual table that it may show.

The picture of a virtual table is free to see, as the board itself is; a real camera's leaves this machine
only for the arbiter, who aims it.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort
from werkzeug.exceptions import BadRequest

from web.auth import require
from web.config import Fingers
from web.context import context
from web.fields import takes

blueprint = Blueprint("camera", __name__, url_prefix="/api/v1")
MOST_MOVES = 200


@blueprint.get("/picture.jpg")
def picture() -> Response:
    """The newest picture; nothing (204) as long as the camera has sent none."""
    shared = context()
    if shared.config.newest is None:
        abort(404, "there is no camera here")
    if shared.config.fingers is None:
        require()
    jpeg = shared.pictures.jpeg(shared.config.newest())
    if jpeg is None:
        return Response(status=204)
    return Response(jpeg, mimetype="image/jpeg")


@blueprint.post("/table/fingers")
@takes(moves=list)
def touch(body: dict[str, Any]) -> Response:
    """What a finger did on the picture: a list of `[kind, x, y]`, in pixels of the picture, in order."""
    given = body["moves"]
    require()
    hand = _fingers()
    acts = {"down": hand.press, "move": hand.drag, "up": hand.drop, "cancel": hand.drop}
    acts["turn"] = hand.turn_over
    moves = [_move(move) for move in given[:MOST_MOVES]]
    for kind, x, y in moves:
        acts[kind](x, y)
    return Response(status=204)


@blueprint.post("/table/order")
@takes()
def put_in_order(body: dict[str, Any]) -> Response:
    """Puts the virtual table as the game has it."""
    require()
    hand, session = _fingers(), context().table.snapshot.session
    if session is None:
        abort(404, "no game is on")
    hand.become(session.rules.look(session.rules.view(session.position, None)))
    return Response(status=204)


def _fingers() -> Fingers:
    found = context().config.fingers
    if found is None:
        abort(404, "there is no virtual table here: start with --source virtual")
    return found


def _move(move: object) -> tuple[str, float, float]:
    match move:
        case ["down" | "move" | "up" | "cancel" | "turn" as kind, int() | float() as x, int() | float() as y]:
            if abs(x) < 1e5 and abs(y) < 1e5:
                return kind, float(x), float(y)
    raise BadRequest("a move is [kind, x, y]: down, move, up, cancel or turn, and pixels of the picture")
