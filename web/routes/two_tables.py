"""One game at two tables: a code that invites another companion, joining it, and the messages of the two.

The guest's companion exchanges the code of six letters, once, for a token of its player's seat in this game.
With it, it tells what was done at its table, and is told what was done here.
"""

from __future__ import annotations

from typing import Annotated

from werkzeug.exceptions import Conflict, Forbidden

from companion.language import say
from companion.record.opponents import ELSEWHERE
from companion.table.messages import Meant, NewGame
from companion.wire.codec import WireError, decode, write
from companion.wire.values import Player, Text, Texts, Whole, Wire, Words
from web.routes.api import Done, Refusal, begin_asked, clock_in, names_in, tell
from web.routes.auth import caller, is_reachable, page_address, require
from web.runtime.agreement import AgreementMessage
from web.runtime.line import PeerLine
from web.runtime.other_table import OtherTable
from web.server.callers import count_attempt, refuse_tokens
from web.server.context import context
from web.server.security import TOKEN_HEADER
from web.server.subject import Subject, there
from web.server.tokens import SEAT

blueprint = Subject("two_tables", __name__, url_prefix="/api/v1/two-tables")


class LineState(Wire):
    """The game with another table, as the player here sees it, and who acts for all."""

    invites: bool
    """The other table has yet to join, by a code that is made here."""
    code: Text
    """The letters to be entered at the other table; '' where none were made."""
    address: Text
    """Where this companion is to be found; '' where others cannot reach it."""
    fingerprint: Text
    """Of the certificate by which the guest knows the host; '' without HTTPS."""
    wish: Text
    """What the other table wishes to take back; '' for nothing."""
    count: Whole
    """So many actions that is."""
    seal: bool
    """The player here may seal what nobody is told before the end."""


class Invited(Wire):
    """A guest's companion begins the game with this."""

    token: Text
    game: Text
    options: Texts
    names: Texts
    clock: Words
    here: Player
    """The seat at the host's table."""
    there: Player


@blueprint.get("")
def show_line() -> LineState:
    """Tells how the game with another table stands, for the player here and those who act for all."""
    other, certificate = _other(), context().settings.certificate
    shared = other.shared
    wish, count = other.asked()
    own = certificate.fingerprint if certificate else ""
    pin = shared.pin if shared and shared.address else own
    address = page_address().rstrip("/") if certificate and is_reachable() else ""
    invites = not (shared and shared.joined)
    return LineState(invites, other.code if shared else "", address, pin, wish, count, other.needs_seal())


@blueprint.post("/codes")
def invite() -> LineState:
    """Makes a code of six letters for the seat at another table, in the game that was begun for it."""
    require()
    _line().invite()
    return show_line()


@blueprint.post("/guests")
def welcome(*, code: str) -> Invited:
    """Takes the code of six letters, once, and gives the guest's companion a token for its seat. 403 for a
    wrong one or one that is too old, 429 after too many of those."""
    refuse_tokens()
    shared = context()
    count_attempt(shared.access.attempts, lambda minutes: say("too many wrong codes: wait"))
    kept, snapshot = _line().redeem(code), shared.table.snapshot
    shared.access.save()
    if kept is None or snapshot.session is None:
        raise Forbidden(say("that is not the code, or it is too old: have a new one made"))
    for token in shared.tokens.list():
        if token.name == ELSEWHERE:
            shared.tokens.revoke(token.id)
    seat = f"{SEAT}{kept.there}"
    _, secret = shared.tokens.make(ELSEWHERE, (seat,), kept.number, shared.store_identity)
    game, head = snapshot.session.game, snapshot.head
    defaults = {option.name: option.default for option in game.rules.options}
    options = {name: value for name, value in game.options.items() if value != defaults.get(name)}
    names = {seat: head[seat] for seat in snapshot.session.players if seat in head}
    return Invited(secret, game.rules.name, options, names, head.get("clock", ""), kept.here, kept.there)


@blueprint.post("/joining")
def join(*, address: str, code: str, number: int | None = None) -> Annotated[Done | Refusal, Done]:
    """Joins the game at another companion by its address and the code of six letters, and begins it here."""
    require()
    line = PeerLine(address)
    session, cookie = line.get("session")
    headers = {TOKEN_HEADER: str(session.get("csrf", "")), "Cookie": cookie}
    invited = line.post("two-tables/guests", {"code": code}, headers)
    line.close()
    try:
        found = decode(write(invited), Invited)
    except WireError as error:
        raise Conflict(say("the other table is of another version")) from error
    line.token = found.token
    begun = begin_asked(found.game, found.options)
    head = {**names_in(begun, found.names), **clock_in(begun, found.clock), ELSEWHERE: found.here}
    answer = tell(Meant(NewGame(begun.game.head, head), number))
    if isinstance(answer, Done):
        _line().join(line, found.there, found.here)
    return answer


@blueprint.post("/messages")
def exchange(*, told: AgreementMessage) -> AgreementMessage:
    """Takes what the guest's companion tells of its table, and tells of this one. It needs the token."""
    who = caller()
    if who.token is None or who.token.name != ELSEWHERE:
        raise Forbidden(say("this is for the other table: it needs the token of its seat"))
    other = _line()
    kept, snapshot = other.kept, context().table.snapshot
    if (
        kept is None
        or kept.address
        or snapshot.number != kept.number
        or (who.seat, who.number) != (kept.there, kept.number)
    ):
        raise Conflict(say("another game is on here"))
    return other.hear(told)


@blueprint.post("/answers")
def answer(*, wish: str, agrees: bool) -> LineState:
    """Grants or refuses what the other table wishes to take back."""
    _other().answer(wish, agrees)
    return show_line()


@blueprint.post("/seals")
def seal(*, told: str) -> LineState:
    """Seals what the player here has: the other table is told a hash now, and all of it after the end."""
    _other().seal(told)
    return show_line()


def _other() -> OtherTable:
    """Returns the line to another table, to the player here and those who act for all."""
    other = context().services.other_table
    require(other.kept.here if other and other.kept else "")
    return _line()


def _line() -> OtherTable:
    return there(context().services.other_table, say("there is no line to another table here"))
