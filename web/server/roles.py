"""The pass that a request's cookie names, and the PIN that makes its browser the arbiter."""

from __future__ import annotations

import hashlib
import hmac
import math
from dataclasses import replace

from flask import session
from werkzeug.exceptions import Forbidden, TooManyRequests

from companion.language import say, say_count
from web.server.access import Pass
from web.server.bearer import refuse_tokens
from web.server.nearness import guesser, is_near
from web.server.shared import shared


def find_pass() -> Pass:
    """Returns the pass of the current request; `NOTHING` where it has none, or it has ended."""
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
    pin, access, address = shared().settings.pin, shared().access, guesser()
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
    give_pass(replace(find_pass(), mark=_mark(pin)))


def _mark(pin: str) -> str:
    return hashlib.blake2b(pin.encode(), key=shared().settings.secret, digest_size=16).hexdigest()
