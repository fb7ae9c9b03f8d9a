"""Seats and permissions: everybody may look, and acting needs a seat or the arbiter's PIN.

On a server without a PIN nothing of this shows: a browser on this machine acts for everybody. On one that is
open to the network a player scans a QR code with the seat's signed link, or the arbiter enters the PIN. That
gives the browser a pass (`web.server.passes`), which its cookie names. A seat is for one game of one store.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from flask import Blueprint, Response, abort, jsonify, request, session
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.exceptions import Forbidden, TooManyRequests

from companion.core.players import say_player
from companion.core.rules import Rules
from companion.language import say, say_count
from companion.record.session import ARBITER
from companion.table.snapshot import Snapshot
from web.routes.boards import sits_north
from web.server.addresses import block_of, host_names, outward_address
from web.server.attempts import ITSELF
from web.server.context import context
from web.server.fields import takes
from web.server.passes import NOTHING, Pass
from web.server.security import token
from web.server.settings import LOOPBACK

blueprint = Blueprint("auth", __name__)
PROXY_HEADERS = ("forwarded", "via", "x-forwarded", "x-real-ip", "x-client-ip", "true-client-ip")
"""The beginnings of headers by which proxies tell of themselves, or of who is behind them."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request: its standing (`home`, `arbiter` or `spectator`), and its seat in game
    `number`.
    """

    standing: str
    seat: str = ""
    number: int | None = None
    pass_name: str = ""
    """The name of the pass that gives seat or role; '' for none."""

    def seat_in(self, snapshot: Snapshot) -> str:
        """Returns the caller's seat in the game that is on; '' for none."""
        return self.seat if self.number is not None and snapshot.number == self.number else ""

    def role(self, snapshot: Snapshot) -> str:
        """Returns `home`, `arbiter`, `seat` or `spectator`."""
        return "seat" if self.standing == "spectator" and self.seat_in(snapshot) else self.standing

    def viewer(self, snapshot: Snapshot) -> str | None:
        """Returns as whom the caller sees the game.

        Only its own seat sees a player's secrets; the arbiter does not.
        """
        if seat := self.seat_in(snapshot):
            return seat
        return None if self.standing == "spectator" or has_secrets(snapshot) else ARBITER

    def may_act(self, player: str, snapshot: Snapshot) -> bool:
        """Returns whether the caller acts for this player ('': for the game as a whole)."""
        return self.standing in ("home", "arbiter") or (bool(player) and player == self.seat_in(snapshot))


def has_secrets(snapshot: Snapshot) -> bool:
    """Returns whether the players of the game that is on know different things."""
    return snapshot.session is not None and type(snapshot.session.rules).view is not Rules.view


def caller() -> Caller:
    """Returns the sender of the current request."""
    settings, found = context().settings, _pass()
    name = _pass_name() if found != NOTHING else ""
    if settings.pin and hmac.compare_digest(found.mark, _mark(settings.pin)):
        return Caller(ARBITER, pass_name=name)
    standing = "home" if settings.pin is None and is_near() else "spectator"
    if found.store != context().store_identity:
        return Caller(standing)
    return Caller(standing, found.seat, found.number, name)


def _pass() -> Pass:
    return context().access.find(_pass_name())


def _pass_name() -> str:
    return str(session.get("pass", ""))


def _give(what: Pass) -> None:
    """Gives the caller a pass in the place of the one it had, and keeps that over a restart."""
    access = context().access
    session["pass"] = access.passes.give(what, instead=_pass_name())
    access.save()


def is_near() -> bool:
    """Returns whether the request comes from this machine, and through no proxy."""
    if is_handed_on():
        return False
    try:
        return ipaddress.ip_address(request.remote_addr or "").is_loopback
    except ValueError:
        return False


def is_handed_on() -> bool:
    """Returns whether a proxy handed the request on: then nobody knows who sent it.

    One that says nothing of itself (nginx, as it comes) speaks HTTP/1.0, which no browser does.
    """
    told = any(name.lower().startswith(PROXY_HEADERS) for name, _ in request.headers)
    return told or request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"


def require(player: str = "") -> Caller:
    """Returns the caller if it may act for this player ('': for the game as a whole); else 403."""
    who = caller()
    if not who.may_act(player, context().table.snapshot):
        if player in ("", ARBITER):
            raise Forbidden(
                say("only the arbiter may do this: scan a seat's code, or enter the arbiter's PIN")
            )
        raise Forbidden(
            say("only that player's seat may do this: scan a seat's code, or enter the arbiter's PIN")
        )
    return who


def require_seat(player: str) -> None:
    """Answers 403 where players know different things and the caller is not this one: a refusal tells
    secrets.
    """
    snapshot = context().table.snapshot
    if has_secrets(snapshot) and caller().seat_in(snapshot) != player:
        raise Forbidden(
            say("only {player} can do this: the pieces are hidden from others", player=say_player(player))
        )


def describe(who: Caller) -> dict[str, Any]:
    """Returns a caller as the page needs it."""
    settings, services, snapshot = context().settings, context().services, context().table.snapshot
    game, seat = snapshot.session, who.seat_in(snapshot)
    return {
        "role": who.role(snapshot),
        "seat": seat,
        "north": bool(game and seat and sits_north(game, seat)),
        "csrf": token(),
        "pin": settings.pin is not None,
        "open": settings.is_open,
        "table": services.virtual_table is not None,
        "bench": services.camera_setup is not None,
        "grid": services.grid_setup is not None,
        "secrets": has_secrets(snapshot),
    }


@blueprint.get("/api/v1/session")
def show_session() -> Response:
    """Tells who you are here, and the token that your POSTs must carry."""
    return jsonify(describe(caller()))


@blueprint.post("/api/v1/session/pin")
@takes(pin=str)
def enter_pin(body: dict[str, Any]) -> Response:
    """Makes the caller the arbiter, for the right PIN."""
    given = body["pin"]
    pin, access, address = context().settings.pin, context().access, _guesser()
    if pin is None:
        raise Forbidden(say("no PIN is set on this server"))
    wait = access.attempts.take(address)
    if wait > 0:
        minutes = max(1, math.ceil(wait / 60))
        words = say_count(
            "too many wrong PINs: wait a minute", "too many wrong PINs: wait {n} minutes", minutes
        )
        raise TooManyRequests(words, retry_after=math.ceil(wait))
    if not hmac.compare_digest(given.encode(), pin.encode()):
        access.save()
        raise Forbidden(say("that is not the PIN"))
    access.attempts.succeed(address)
    _give(replace(_pass(), mark=_mark(pin)))
    return jsonify(describe(caller()))


def _guesser() -> str:
    """Returns the address that an attempt at the PIN counts for. A proxy's clients are one, and strangers."""
    if is_near():
        return ITSELF
    address = block_of(request.remote_addr or "")
    return f"{address} by a proxy" if is_handed_on() else address


@blueprint.post("/api/v1/session/seat")
@takes(seat=str, token=str, optional=("seat", "token"))
def take_seat(body: dict[str, Any]) -> Response:
    """Gives the caller the seat of a signed link; at home, any seat to look from ('' for none)."""
    if "token" in body:
        seat = _read_link(body["token"])
    elif caller().standing == "home":
        seat = body.get("seat", "")
        _check_player(seat)
    else:
        raise Forbidden(say("scan the seat's code"))
    mark = _pass().mark
    _give(Pass(seat, *_game(), mark) if seat else Pass(mark=mark))
    return jsonify(describe(caller()))


@blueprint.post("/api/v1/session/leave")
@takes()
def leave(body: dict[str, Any]) -> Response:
    """Gives up the seat or the arbiter's role, in every copy of the browser's cookie."""
    if _pass() != NOTHING:
        _give(NOTHING)
    return jsonify(describe(caller()))


def seat_link(player: str) -> str:
    """Returns the address that gives a phone this seat."""
    return f"{page_address()}seat#{_signer().dumps([player, *_game()])}"


def _game() -> tuple[int | None, str]:
    """Returns what a seat holds for: the game that is on, and the store that it is in."""
    return context().table.snapshot.number, context().store_identity


def page_address() -> str:
    """Returns where other devices find this page. A display on the machine itself may call it `localhost`."""
    parts = urlsplit(request.host_url)
    if not context().settings.is_open or parts.hostname not in LOOPBACK:
        return request.host_url
    name = outward_address() or host_names()[-1]
    return urlunsplit(parts._replace(netloc=f"{name}:{parts.port}" if parts.port else name))


def is_reachable() -> bool:
    """Returns whether other devices can open the page: it is served to them, or came by a name of theirs."""
    return context().settings.is_open or urlsplit(request.host_url).hostname not in LOOPBACK


def players() -> tuple[str, ...]:
    """Returns the seats of the current game."""
    found = context().table.snapshot.session
    return found.players if found else ()


def _check_player(player: str) -> None:
    if player and player not in players():
        abort(404, say("there is no such seat"))


def _read_link(text: str) -> str:
    try:
        player, *game = _signer().loads(text)
    except (BadSignature, ValueError, TypeError) as error:
        raise Forbidden(say("this link is damaged: scan the code again")) from error
    if game != list(_game()) or game[0] is None:
        raise Forbidden(say("this link belongs to an earlier game: scan the code again"))
    return str(player)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(context().settings.secret, salt="seat")


def _mark(pin: str) -> str:
    return hashlib.blake2b(pin.encode(), key=context().settings.secret, digest_size=16).hexdigest()
