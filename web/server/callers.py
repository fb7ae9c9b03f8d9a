"""Tells who sends a request: this machine, another one, or a proxy, behind which anybody may be; a program by
its token, or a browser by the pass that its cookie names. Checks the PIN that makes a browser the arbiter.

A request with a token (`Authorization: Bearer …`) needs no cookie and no token against cross-site requests:
no browser adds this header by itself. One that names a token which there is not is refused, wherever it comes
from and whatever it asks for.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
from collections.abc import Callable
from dataclasses import replace

from flask import g, request, session
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Forbidden, TooManyRequests, Unauthorized

from companion.language import say, say_count
from web.server.access import ITSELF, Attempts, Pass
from web.server.shared import shared
from web.server.tokens import Token

PROXY_HEADERS = ("forwarded", "via", "x-forwarded", "x-real-ip", "x-client-ip", "true-client-ip")
"""The beginnings of headers by which proxies tell of themselves, or of who is behind them."""
SCHEME = "bearer"
LOOKING = ("GET", "HEAD", "OPTIONS")
"""The methods that change nothing."""


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


def guesser() -> str:
    """Returns the address for which a wrong PIN or code counts. All clients of a proxy count as one."""
    if is_near():
        return ITSELF
    address = block_of(request.remote_addr or "")
    return f"{address} by a proxy" if is_handed_on() else address


def count_attempt(attempts: Attempts, say_wait: Callable[[int], str]) -> None:
    """Counts an attempt of the caller. 429 where it has to wait, in words for so many minutes."""
    wait = attempts.take(guesser())
    if wait > 0:
        raise TooManyRequests(say_wait(max(1, math.ceil(wait / 60))), retry_after=math.ceil(wait))


def block_of(address: str) -> str:
    """Returns the block of addresses that one device may take as it likes: of IPv6 a whole network (/64)."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((int(found), 64), strict=False))


def check_bearer() -> None:
    """Finds the token of the current request. 401 where there is no such token, 429 after too many of those;
    403 where it only reads and the request would change something."""
    g.token = token = _find()
    if token and token.only_reads and request.method not in LOOKING:
        raise Forbidden(say("this token only reads: to act it needs the scope seat:PLAYER or arbiter"))


def bearer() -> Token | None:
    """Returns the token of the current request; None where it brings none."""
    found: Token | None = g.get("token")
    return found


def refuse_tokens() -> None:
    """Answers 403 to programs: what is asked for is a person's to do."""
    if bearer():
        raise Forbidden(say("this is done on the page or on the command line, and with no token"))


def _find() -> Token | None:
    scheme, _, secret = request.headers.get("Authorization", "").strip().partition(" ")
    if scheme.lower() != SCHEME:
        return None
    if token := shared().tokens.find(secret.strip()):
        return token
    # A right token is never kept waiting: with 256 random bits nobody finds one by trying.
    words = say("too many requests with a wrong token: it is unknown, or was revoked")
    count_attempt(shared().token_attempts, lambda minutes: words)
    raise Unauthorized(
        say("this token is unknown, or was revoked: 'companion token new' makes another one"),
        www_authenticate=WWWAuthenticate(SCHEME, {"error": "invalid_token"}),
    )


def find_pass() -> Pass:
    """Returns the pass of the current request; `NO_PASS` where it has none, or it has ended."""
    return shared().access.find(pass_name())


def pass_name() -> str:
    """Returns the name that the request's cookie gives; '' for none."""
    return str(session.get("pass", ""))


def give_pass(what: Pass) -> None:
    """Gives the caller a pass in the place of the one it had, and keeps that over a restart."""
    access = shared().access
    session["pass"] = access.passes.give(what, instead=pass_name())
    access.save()


def is_arbiter(found: Pass) -> bool:
    """Returns whether a pass was given for the PIN that is set now."""
    pin = shared().settings.pin
    return bool(pin) and hmac.compare_digest(found.mark, _mark(str(pin)))


def is_at_home() -> bool:
    """Returns whether the request may act for everybody: no PIN is set, and it comes from this machine."""
    return shared().settings.pin is None and is_near()


def enter_pin(given: str) -> None:
    """Makes the caller the arbiter. 403 for a wrong PIN, 429 after too many of them."""
    refuse_tokens()
    pin, access = shared().settings.pin, shared().access
    if pin is None:
        raise Forbidden(say("no PIN is set on this server"))
    count_attempt(
        access.attempts,
        lambda minutes: say_count(
            "too many wrong PINs: wait a minute", "too many wrong PINs: wait {n} minutes", minutes
        ),
    )
    if not hmac.compare_digest(given.encode(), pin.encode()):
        access.save()
        raise Forbidden(say("that is not the PIN"))
    access.attempts.succeed(guesser())
    give_pass(replace(find_pass(), mark=_mark(pin)))


def _mark(pin: str) -> str:
    return hashlib.blake2b(pin.encode(), key=shared().settings.secret, digest_size=16).hexdigest()
