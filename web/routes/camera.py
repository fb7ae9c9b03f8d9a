"""The camera's picture, and touches of the virtual table that it may show.

Everybody may see the picture of a virtual table, as they see the board. A real camera's picture leaves this
machine only for the arbiter, who aims the camera.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from flask import Response, request

from companion.core.board import Board
from companion.core.game import Action
from companion.language import say
from companion.table.snapshot import Verdict
from companion.wire.values import Wire
from vision.geometry.seen_places import seen_places
from vision.geometry.view import View
from vision.sources.virtual import VirtualTable
from vision.virtual.tabletop import laid_looks
from web.routes.auth import require
from web.runtime.jpeg import Picture
from web.server.context import context
from web.server.made_once import answer_kept
from web.server.subject import Pixel, Subject, there

blueprint = Subject("camera", __name__, url_prefix="/api/v1")
MOST_MOVES = 200
FingerMove: TypeAlias = tuple[Literal["down", "move", "up", "cancel", "turn"], Pixel, Pixel]


@blueprint.get("/picture.jpg")
def picture() -> Response:
    """Sends the newest picture, small if asked so; nothing (204) as long as the camera has sent none, and
    nothing new (304) to whom has it. It is that of the first camera, or of `camera`.

    The header `Seen-Places` names where the board lies: while it is the same, `/seen-places` is, too.
    """
    camera = request.args.get("camera", "")
    frame = _newest_frame(camera)
    jpeg = context().pictures.jpeg(frame.image if frame else None, request.args.get("small") == "1")
    if jpeg is None:
        return Response(status=204)
    board, view = board_seen(camera)
    response = answer_kept(jpeg, "image/jpeg", "no-store")
    response.headers["Seen-Places"] = f"{hash((board and board.name, view)) & 0xFFFFFFFF:08x}"
    return response


@blueprint.get("/seen-places")
def show_seen_places() -> dict[str, object]:
    """Tells where the places of the board lie in the picture; no places while that is not known.

    For each the pixel of its middle, and by how many pixels right and down a step east and a step south lead.
    """
    frame = _newest_frame()
    board, view = board_seen()
    if frame is None or board is None or view is None:
        return {"size": None, "places": {}}
    size = frame.image.shape[1], frame.image.shape[0]
    places = seen_places(view, {**board.sites, **board.places}, size)
    return {"size": size, "places": {name: [round(v, 1) for v in place] for name, place in places.items()}}


def _newest_frame(camera: str = "") -> Picture | None:
    """Returns the newest frame of a camera, for those who may see it."""
    services = context().services
    newest_frame = there(services.newest_frame, say("there is no camera here"))
    if services.virtual_table is None:
        require()
    return newest_frame(camera)


def board_seen(camera: str = "") -> tuple[Board | None, View | None]:
    """Returns the board of the game that is on, and where it lies in a camera's picture, as its pieces are
    laid."""
    services, snapshot = context().services, context().table.snapshot
    if snapshot.session is None or snapshot.number is None or services.view is None:
        return None, None
    view = services.view(snapshot.number, camera)
    return snapshot.session.game.board, view.turned() if view and snapshot.is_turned else view


class Touched(Wire):
    """The answer to touches on the virtual table."""

    missed: bool
    """Nothing lay where the finger came down last."""


@blueprint.post("/table/fingers")
def touch(*, moves: list[FingerMove]) -> Touched:
    """Takes the touches of a finger on the picture: a list of `[kind, x, y]` in order, in pixels of the
    picture.
    """
    require()
    hand = _fingers()
    acts = {"move": hand.drag, "up": hand.drop, "cancel": hand.drop, "turn": hand.turn_over}
    missed = False
    for kind, x, y in moves[:MOST_MOVES]:
        if kind == "down":
            missed = not hand.press(x, y)
        else:
            acts[kind](x, y)
    return Touched(missed)


@blueprint.post("/table/order")
def put_in_order() -> Response:
    """Lays the virtual table as the game has it, or takes off what was captured and still stands there."""
    require()
    hand, snapshot = _fingers(), context().table.snapshot
    session, verdict = there(snapshot.session, say("no game is on")), snapshot.verdict
    rules, position = session.rules, session.position
    for action in _standing(verdict):
        if rules.judge(position, action):
            break
        position = rules.after(position, action)
    hand.become(snapshot.as_laid(session.game.board, laid_looks(rules, position)))
    return Response(status=204)


def _standing(verdict: Verdict | None) -> tuple[Action, ...]:
    """Returns the actions that stand once a board is put right as the steps of a verdict say."""
    if verdict is None:
        return ()
    is_begun = verdict.kind == "unfinished" and verdict.action
    return (*verdict.after, verdict.action, *verdict.then) if is_begun else verdict.after


def _fingers() -> VirtualTable:
    words = say("there is no virtual table here: start with --source virtual")
    return there(context().services.virtual_table, words)
