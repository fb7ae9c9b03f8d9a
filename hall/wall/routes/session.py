"""Tells who acts at the desk: everybody may look, and ruling needs the arbiter's PIN.

Without a PIN a browser on this machine is the arbiter, as on a board's page.
"""

from __future__ import annotations

from werkzeug.exceptions import Forbidden

from companion.language import say
from web.server import callers
from web.server.access import NO_PASS
from web.server.callers import refuse_tokens
from web.server.security import token
from web.server.shared import shared
from web.server.subject import Subject

blueprint = Subject("session", __name__, url_prefix="/api/v1/session")


def role() -> str:
    """Returns the caller's role: `home`, `arbiter` or `spectator`."""
    if callers.is_arbiter(callers.find_pass()):
        return "arbiter"
    return "home" if callers.is_at_home() else "spectator"


def require_arbiter() -> str:
    """Returns the caller's role if it may rule; else 403."""
    found = role()
    if found == "spectator":
        raise Forbidden(say("only the arbiter may do this: enter the arbiter's PIN"))
    return found


@blueprint.get("")
def show() -> dict[str, object]:
    """Tells who you are here, and the token that your POSTs must carry."""
    return {"role": role(), "csrf": token(), "pin": shared().settings.pin is not None}


@blueprint.post("/pin")
def enter_pin(*, pin: str) -> dict[str, object]:
    """Makes the caller the arbiter, for the right PIN."""
    callers.enter_pin(pin)
    return show()


@blueprint.post("/leave")
def leave() -> dict[str, object]:
    """Gives up the arbiter's role, in every copy of the browser's cookie."""
    refuse_tokens()
    if callers.find_pass() != NO_PASS:
        callers.give_pass(NO_PASS)
    return show()
