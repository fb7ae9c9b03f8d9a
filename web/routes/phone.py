"""A phone, or any browser with a camera, as the camera of the table.

The arbiter shows a code with a ticket. Whoever scans it may make that device the camera, and nothing else; at
home, and with a seat of the game, no ticket is needed. The device then sends pictures with its key.
"""

from __future__ import annotations

from typing import Literal

from flask import Response
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.exceptions import Forbidden, Gone, UnsupportedMediaType

from companion.language import say
from vision.sources.phone import NAME, PhoneCamera, PhoneTakenError
from web.routes.auth import caller, is_reachable, page_address, require
from web.routes.camera import board_seen
from web.routes.eyes import exchange
from web.routes.invitations import draw_code
from web.server.context import context
from web.server.subject import Subject, refused, there

blueprint = Subject("phone", __name__, url_prefix="/api/v1")
TICKET_S = 3600
"""Seconds for which a ticket is good."""
REASONS = {
    "hidden": say("the phone's page is hidden: bring it to the front again"),
    "taken": say("another program on the phone uses its camera: close that"),
    "left": say("the phone is the camera no more"),
}
"""The reasons for a pause, in words."""


@blueprint.get("/phone")
def show_phone() -> dict[str, object]:
    """Tells where a phone becomes the camera, for those who may invite one; whether other devices reach
    that address, and whether their browsers would give it a camera there (`secure`)."""
    require()
    return {"link": _link(), "reachable": is_reachable(), "secure": context().settings.https}


@blueprint.get("/phone/qr.svg")
def show_phone_code() -> Response:
    """Draws that address as a QR code."""
    require()
    return draw_code(_link())


@blueprint.post("/phone")
def join(*, ticket: str = "", replace: bool = False) -> dict[str, object]:
    """Makes the caller's device the camera, and returns the key that its pictures carry. 409 while another
    phone is, unless that is to be replaced."""
    may_exchange = _may_exchange(ticket)
    key = _phone().join(replace=replace)
    if may_exchange:
        exchange(NAME)
    return {"key": key}


@blueprint.post("/phone/pictures/<key>", takes="image/jpeg")
def show_picture(jpeg: bytes, key: str) -> dict[str, object]:
    """Takes a picture (JPEG) of the device that is the camera; an empty body says that all is as it was.

    Tells how the camera is, as the table does (`status`), and where the corners of the board lie in its
    pictures (SW, SE, NE, NW; shares of width and height).
    """
    with refused(ValueError, UnsupportedMediaType), refused(PhoneTakenError, Gone):
        _phone().show(key, jpeg)
    snapshot = context().table.snapshot
    is_read = snapshot.session is not None  # nobody looks at a board without a game
    status = next((source for source in snapshot.sources if is_read and source.name == NAME), None)
    return {"status": status, "corners": _corners()}


@blueprint.post("/phone/pause/<key>")
def pause(key: str, *, why: Literal["hidden", "taken", "left"]) -> Response:
    """Notes why no pictures come for now: `hidden`, `taken` or `left`."""
    with refused(PhoneTakenError, Gone):
        _phone().pause(key, REASONS[why])
    return Response(status=204)


def _phone() -> PhoneCamera:
    return there(context().services.phone, say("there is no camera here"))


def _may_exchange(ticket: str) -> bool:
    """Returns whether the caller may put a phone in the place of another camera: by the arbiter's right,
    or with a ticket. A seat is enough where a phone is the camera already; 403 to everybody else."""
    who, snapshot = caller(), context().table.snapshot
    if who.may_act("", snapshot):
        return True
    if who.seat_in(snapshot) and any(source.name == NAME for source in snapshot.sources):
        return False
    if not ticket:
        require()
    try:
        made = float(_signer().loads(ticket))
    except (BadSignature, ValueError, TypeError) as error:
        raise Forbidden(say("this code is damaged: scan it again")) from error
    if not 0 <= context().wall() - made <= TICKET_S:
        raise Forbidden(say("this code is too old: have the display show a new one"))
    return True


def _link() -> str:
    return f"{page_address()}phone#{_signer().dumps(context().wall())}"


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(context().settings.secret, salt="phone")


def _corners() -> list[tuple[float, float]]:
    """Returns the board's corners as shares of the picture; none while nobody knows where they are."""
    newest, (board, view) = context().services.newest_frame, board_seen(NAME)
    frame = newest(NAME) if newest else None
    if frame is None or board is None or view is None:
        return []
    height, width = frame.image.shape[:2]
    return [(round(float(x) / width, 4), round(float(y) / height, 4)) for x, y in view.pixels(board.corners)]
