"""Seats and permissions: everybody may look, and acting needs a seat or the arbiter's PIN.

On a server without a PIN nothing of this shows: a browser on this machine acts for everybody. On one that is
open to the network a player scans a QR code with the seat's signed link, or the arbiter enters the PIN. That
gives the browser a pass (`web.server.access`), which its cookie names. A seat is for one game of one store.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit, urlunsplit

from flask import abort, request
from itsdangerous import BadSignature, URLSafeSerializer
from werkzeug.exceptions import Forbidden

from companion.core.players import say_player
from companion.language import say
from companion.record.opponents import others_in
from companion.record.session import ARBITER
from companion.table.snapshot import Snapshot
from companion.wire.values import Player, Wire, one_of
from hardware.machine import outward_address
from web.routes.boards import sits_north
from web.server import callers
from web.server.access import NO_PASS, Pass
from web.server.callers import bearer, find_pass, give_pass, is_arbiter, is_at_home, pass_name, refuse_tokens
from web.server.certificate import host_names
from web.server.context import Context, context
from web.server.security import token
from web.server.settings import LOOPBACK
from web.server.subject import Subject
from web.server.tokens import SEAT, Token

blueprint = Subject("auth", __name__)


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request: its standing (`home`, `arbiter` or `spectator`), and its seat in game
    `number`; for a program, with its token.
    """

    standing: str
    seat: str = ""
    number: int | None = None
    pass_name: str = ""
    """The name of the pass that gives seat or role; '' for none."""
    token: Token | None = None
    """The token that gives them instead."""

    def seat_in(self, snapshot: Snapshot) -> str:
        """Returns the caller's seat in the game that is on; '' for none.

        A program's seat holds in every game, but where players have secrets only in the one that was on when
        its token was made: nobody's pieces are shown by a token that was made before they were set.
        """
        if snapshot.session is None or self.seat not in snapshot.session.players:
            return ""
        is_its_game = self.number is not None and snapshot.number == self.number
        is_open = self.token is not None and not has_secrets(snapshot)
        return self.seat if is_its_game or is_open else ""

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
    session = snapshot.session
    return session is not None and session.rules.keeps_secrets(session.first)


def caller() -> Caller:
    """Returns the sender of the current request. One with a token is what that says, and nothing else."""
    if token := bearer():
        return _program(token)
    found = find_pass()
    name = pass_name() if found != NO_PASS else ""
    if is_arbiter(found):
        return Caller(ARBITER, pass_name=name)
    standing = "home" if is_at_home() else "spectator"
    if found.store != context().store_identity:
        return Caller(standing)
    return Caller(standing, found.seat, found.number, name)


def _program(token: Token) -> Caller:
    """Returns a program as the caller that its token makes it."""
    number = token.number if token.store == context().store_identity else None
    return Caller(ARBITER if token.is_arbiter else "spectator", token.seat, number, token=token)


def goes_on(who: Caller, shared: Context) -> bool:
    """Returns whether the pass or the token that a caller came with goes on."""
    return shared.tokens.holds(who.token.id) if who.token else shared.access.holds(who.pass_name)


def require(player: str = "") -> Caller:
    """Returns the caller if it may act for this player ('': for the game as a whole); else 403."""
    who = caller()
    if not who.may_act(player, context().table.snapshot):
        if who.token:
            raise Forbidden(_say_lacking(who, player))
        if player in ("", ARBITER):
            raise Forbidden(
                say("only the arbiter may do this: scan a seat's code, or enter the arbiter's PIN")
            )
        raise Forbidden(
            say("only that player's seat may do this: scan a seat's code, or enter the arbiter's PIN")
        )
    return who


def _say_lacking(who: Caller, player: str) -> str:
    """Says which scope a token lacks to act for a player ('': for the game as a whole)."""
    if player in ("", ARBITER):
        return say("this token lacks the scope {scope}", scope=ARBITER)
    if who.seat == player:
        return say(
            "this token was made for another game: in one with hidden pieces, make it while that is on"
        )
    return say("this token lacks the scope {scope}", scope=f"{SEAT}{player}")


def require_seat(player: str) -> None:
    """Answers 403 where players know different things and the caller is not this one: a refusal tells
    secrets.
    """
    snapshot = context().table.snapshot
    if has_secrets(snapshot) and caller().seat_in(snapshot) != player:
        raise Forbidden(
            say("only {player} can do this: the pieces are hidden from others", player=say_player(player))
        )


class Session(Wire):
    """The caller's role and seat, and the services of this server."""

    role: Annotated[str, one_of("home", "arbiter", "seat", "spectator")]
    seat: Player
    north: bool
    """The seat's pieces begin in the north: its own display shows the board from there."""
    csrf: str
    """The token that POSTs must carry."""
    pin: bool
    """A PIN is set."""
    open: bool
    """The server is open to the network."""
    table: bool
    """There is a virtual table."""
    bench: bool
    """There is a camera that can be set up."""
    eyes: bool
    """The camera can be exchanged."""
    grid: bool
    """There is a sensor grid."""
    secrets: bool
    """The players of this game know different things."""


def describe(who: Caller) -> Session:
    """Returns a caller as the page needs it."""
    settings, services, snapshot = context().settings, context().services, context().table.snapshot
    game, seat = snapshot.session, who.seat_in(snapshot)
    return Session(
        role=who.role(snapshot),
        seat=seat,
        north=bool(game and seat and sits_north(game, seat)),
        csrf="" if who.token else token(),
        pin=settings.pin is not None,
        open=settings.is_open,
        table=services.virtual_table is not None,
        bench=services.camera_setup is not None,
        eyes=services.look_through is not None,
        grid=services.grid_setup is not None,
        secrets=has_secrets(snapshot),
    )


@blueprint.get("/api/v1/session")
def show_session() -> Session:
    """Tells who you are here, and the token that your POSTs must carry."""
    return describe(caller())


@blueprint.post("/api/v1/session/pin")
def enter_pin(*, pin: str) -> Session:
    """Makes the caller the arbiter, for the right PIN."""
    callers.enter_pin(pin)
    return describe(caller())


@blueprint.post("/api/v1/session/seat")
def take_seat(*, seat: str = "", token: str | None = None) -> Session:
    """Gives the caller the seat of a signed link; at home, any seat to look from ('' for none)."""
    refuse_tokens()
    if token is not None:
        seat = _read_link(token)
    elif caller().standing == "home":
        check_player(seat)
    else:
        raise Forbidden(say("scan the seat's code"))
    mark = find_pass().mark
    give_pass(Pass(seat, *game_that_is_on(), mark) if seat else Pass(mark=mark))
    return describe(caller())


@blueprint.post("/api/v1/session/leave")
def leave() -> Session:
    """Gives up the seat or the arbiter's role, in every copy of the browser's cookie."""
    refuse_tokens()
    if find_pass() != NO_PASS:
        give_pass(NO_PASS)
    return describe(caller())


def seat_link(player: str) -> str:
    """Returns the address that gives a phone this seat."""
    return f"{page_address()}seat#{_signer().dumps([player, *game_that_is_on()])}"


def game_that_is_on() -> tuple[int | None, str]:
    """Returns what a seat holds for: the number of the game that is on, and the identity of its store."""
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
    """Returns the seats of the current game that somebody can take: nobody here plays the others."""
    snapshot = context().table.snapshot
    others = others_in(snapshot.head)
    seats = snapshot.session.players if snapshot.session else ()
    return tuple(seat for seat in seats if seat not in others)


def check_player(player: str) -> None:
    if player and player not in players():
        abort(404, say("there is no such seat"))


def _read_link(text: str) -> str:
    try:
        player, *game = _signer().loads(text)
    except (BadSignature, ValueError, TypeError) as error:
        raise Forbidden(say("this link is damaged: scan the code again")) from error
    if game != list(game_that_is_on()) or game[0] is None:
        raise Forbidden(say("this link belongs to an earlier game: scan the code again"))
    check_player(player)
    return str(player)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(context().settings.secret, salt="seat")
