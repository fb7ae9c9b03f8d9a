"""Tokens of programs, as the arbiter makes, lists and revokes them on the page.

A token makes no other one: else revoking it would not end what it gave away.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from werkzeug.exceptions import BadRequest, NotFound, ServiceUnavailable

from companion.language import say
from web.routes.auth import game_that_is_on, require
from web.server.callers import refuse_tokens
from web.server.context import context
from web.server.subject import Subject, refused
from web.server.tokens import TokenError, TokenInfo, describe_token

blueprint = Subject("tokens", __name__, url_prefix="/api/v1")


class MadeToken(TokenInfo):
    """A token that was made just now."""

    token: str
    """Its secret, which no other answer tells."""


@blueprint.get("/tokens")
def list_tokens() -> list[TokenInfo]:
    """Lists the tokens of programs, without their secrets, for the arbiter."""
    _require_person()
    return [describe_token(token) for token in context().tokens.list()]


@blueprint.post("/tokens")
def make_token(*, name: str, scopes: list[str]) -> MadeToken:
    """Makes a token for a program, with the scopes `read`, `seat:PLAYER` or `arbiter`. Only this answer tells
    its secret."""
    _require_person()
    with refused(TokenError, BadRequest), _kept():
        token, secret = context().tokens.make(name, scopes, *game_that_is_on())
    return MadeToken(**vars(describe_token(token)), token=secret)


@blueprint.post("/tokens/<token_id>/revocation")
def revoke_token(token_id: str) -> TokenInfo:
    """Revokes a token: its next request is refused, and its streams end."""
    _require_person()
    with refused(TokenError, NotFound), _kept():
        return describe_token(context().tokens.revoke(token_id))


@contextmanager
def _kept() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        words = say("the file of the tokens cannot be used ({error})", error=error.strerror)
        raise ServiceUnavailable(words) from error


def _require_person() -> None:
    refuse_tokens()
    require()
