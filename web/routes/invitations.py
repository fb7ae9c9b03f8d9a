"""Invites phones and other displays: the addresses to open, as text and as QR codes.

Everybody may invite others to watch. The links of seats are for those who may hand out seats.
"""

from __future__ import annotations

import io
from collections.abc import Mapping

import segno
from flask import Response

from companion.wire.values import Player, Wire
from web.routes.auth import caller, check_player, is_reachable, page_address, players, require, seat_link
from web.server.context import context
from web.server.subject import Subject

blueprint = Subject("invitations", __name__, url_prefix="/api/v1")


class Invitations(Wire):
    """The addresses at which other devices find the page, and may take seats."""

    watch: str
    reachable: bool
    """Other devices reach the page at all."""
    seats: Mapping[Player, str]
    """The link of each seat, for those who may hand out seats."""


@blueprint.get("/invitations")
def show_links() -> Invitations:
    """Tells the address of the page, whether other devices reach it, and the link of each seat for those who
    may hand out seats."""
    may_invite = caller().may_act("", context().table.snapshot)
    seats = {player: seat_link(player) for player in players()} if may_invite else {}
    return Invitations(page_address(), is_reachable(), seats)


@blueprint.get("/invitations/qr.svg")
def show_page_code() -> Response:
    """Draws the page's address as a QR code: whoever scans it watches."""
    return draw_code(page_address())


@blueprint.get("/seats/<player>/qr.svg")
def show_code(player: str) -> Response:
    """Draws a seat's link as a QR code, for those who may hand out seats."""
    require()
    check_player(player)
    return draw_code(seat_link(player))


def draw_code(link: str) -> Response:
    """Returns a link as a QR code."""
    out = io.BytesIO()
    segno.make(link, error="m").save(
        out, kind="svg", border=3, xmldecl=False, svgclass=None, lineclass=None, light="#fff", omitsize=True
    )
    return Response(out.getvalue(), mimetype="image/svg+xml")
