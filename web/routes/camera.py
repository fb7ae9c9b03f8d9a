"""The camera's picture, and touches of the virtual table that it may show.

Everybody may see the picture of a virtual table, as they see the board. A real camera's picture leaves this
machine only for the arbiter, who aims the camera.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort
from werkzeug.exceptions import BadRequest

from web.routes.auth import require
from web.server.context import context
from web.server.fields import takes
from web.server.services import Fingers

blueprint = Blueprint("camera", __name__, url_prefix="/api/v1")
MOST_MOVES = 200


@blueprint.get("/picture.jpg")
def picture() -> Response:
    """Sends the newest picture; nothing (204) as long as the camera has sent none."""
    shared = context()
    if shared.services.newest_frame is None:
        abort(404, "there is no camera here")
    if shared.services.virtual_table is None:
        require()
    jpeg = shared.pictures.jpeg(shared.services.newest_frame())
    if jpeg is None:
        return Response(status=204)
    return Response(jpeg, mimetype="image/jpeg")


@blueprint.post("/table/fingers")
@takes(moves=list)
def touch(body: dict[str, Any]) -> Response:
    """Takes the touches of a finger on the picture: a list of `[kind, x, y]` in order, in pixels of the
    picture.
    """
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
    """Lays the virtual table as the game has it."""
    require()
    hand, session = _fingers(), context().table.snapshot.session
    if session is None:
        abort(404, "no game is on")
    hand.become(session.rules.look(session.rules.view(session.position, None)))
    return Response(status=204)


def _fingers() -> Fingers:
    found = context().services.virtual_table
    if found is None:
        abort(404, "there is no virtual table here: start with --source virtual")
    return found


def _move(move: object) -> tuple[str, float, float]:
    match move:
        case ["down" | "move" | "up" | "cancel" | "turn" as kind, int() | float() as x, int() | float() as y]:
            if abs(x) < 1e5 and abs(y) < 1e5:
                return kind, float(x), float(y)
    raise BadRequest("a move is [kind, x, y]: down, move, up, cancel or turn, and pixels of the picture")
