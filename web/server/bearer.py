"""The token that a request brings in its header: `Authorization: Bearer …`.

Such a request needs no cookie and no token against cross-site requests: no browser adds this header by
itself. One that names a token which there is not is refused, wherever it comes from and whatever it asks
for.
"""

from __future__ import annotations

import math

from flask import g, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Forbidden, TooManyRequests, Unauthorized

from companion.language import say
from web.server.nearness import guesser
from web.server.shared import shared
from web.server.tokens import Token

SCHEME = "bearer"
LOOKING = ("GET", "HEAD", "OPTIONS")
"""The methods that change nothing."""


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
    wait = shared().token_attempts.take(guesser())
    if wait > 0:
        raise TooManyRequests(
            say("too many requests with a wrong token: it is unknown, or was revoked"),
            retry_after=math.ceil(wait),
        )
    raise Unauthorized(
        say("this token is unknown, or was revoked: 'companion token new' makes another one"),
        www_authenticate=WWWAuthenticate(SCHEME, {"error": "invalid_token"}),
    )
