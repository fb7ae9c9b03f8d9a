"""The virtual table: its camera's picture, and fingers on it."""

from __future__ import annotations

from flask import Blueprint, Response, abort
from werkzeug.exceptions import BadRequest

from web.auth import require
from web.config import Tabletop
from web.context import context
from web.fields import fields

blueprint = Blueprint("camera", __name__, url_prefix="/api/v1/table")
KINDS = ("down", "move", "up", "cancel", "turn")


@blueprint.get("/picture.jpg")
def picture() -> Response:
    """The table as its camera sees it now."""
    return Response(_tabletop().picture(), mimetype="image/jpeg")


@blueprint.post("/fingers")
def fingers() -> Response:
    """What a finger did on the picture: a list of `[kind, x, y]`, in pixels of the picture, in order."""
    moves = fields(moves=list)["moves"]
    require()
    tabletop = _tabletop()
    for kind, x, y in [_move(move) for move in moves[:200]]:
        tabletop.point(kind, x, y)
    return Response(status=204)


def _tabletop() -> Tabletop:
    found = context().config.tabletop
    if found is None:
        abort(404, "there is no virtual table here: start with --source virtual")
    return found


def _move(move: object) -> tuple[str, float, float]:
    match move:
        case [str(kind), int() | float() as x, int() | float() as y] if kind in KINDS:
            return kind, float(x), float(y)
    raise BadRequest(f"a move is [kind, x, y] with a kind of {', '.join(KINDS)}")
