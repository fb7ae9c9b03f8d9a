"""Checks of every request, and headers of every answer.

Only a POST changes state. It needs a program's token (`web.server.callers`), or the session's token in a
header, which no other site can read or send; then it must not say that it comes from elsewhere. The name in
`Host` must be one of this server's: otherwise a page of the internet could point its own name at this machine
and act as if it were local. Errors are one line; what cannot be done is a 409, unless a view says otherwise.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import sqlite3
from urllib.parse import urlsplit

from flask import Flask, Response, g, jsonify, make_response, render_template, request, session
from werkzeug.exceptions import (
    BadRequest,
    Conflict,
    Forbidden,
    HTTPException,
    InternalServerError,
    ServiceUnavailable,
)

from companion.core.errors import CompanionError
from companion.language import Phrases, say, translated
from companion.store.trouble import is_trouble, say_trouble
from web.server.callers import LOOKING, bearer, check_bearer
from web.server.languages import language
from web.server.settings import Settings
from web.server.shared import shared

TOKEN_HEADER = "X-CSRF-Token"  # noqa: S105 (a header's name)
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HOME_DOMAINS = (".local", ".lan", ".home", ".home.arpa", ".fritz.box")
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), screen-wake-lock=(self)",
}


OF_EMBEDDED = {
    **{name: value for name, value in HEADERS.items() if name != "X-Frame-Options"},
    "Content-Security-Policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors *"),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""The headers of a page that others may show inside theirs: it must show nothing that can be acted on."""


def protect(app: Flask) -> None:
    """Adds the checks and the headers to every view of the application."""
    app.before_request(_check_host)
    app.before_request(_check_body)
    app.before_request(check_bearer)
    app.before_request(_check_post)
    app.after_request(_add_headers)
    app.register_error_handler(HTTPException, _tell)
    app.register_error_handler(CompanionError, lambda error: _tell(Conflict(str(error))))
    app.register_error_handler(sqlite3.OperationalError, _tell_trouble)
    app.register_error_handler(OSError, _tell_trouble)
    app.register_error_handler(Exception, _tell_crash)


def allow_embedding() -> None:
    """Lets pages of any site show the answer to the current request inside theirs."""
    g.is_embeddable = True


def token() -> str:
    """Returns the session's token against cross-site requests, and makes one if it has none."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return str(session["csrf"])


def is_local_name(host: str, settings: Settings) -> bool:
    """Returns whether a `Host` header names this machine: an address, a plain or `.local` name, or a given
    one.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if name in ("localhost", *settings.names):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return settings.is_open and bool(name) and ("." not in name or name.endswith(HOME_DOMAINS))
    return settings.is_open or address.is_loopback


USUAL: Phrases = {
    400: "The request cannot be read.",
    401: "This token is not known here.",
    404: "There is no such page here.",
    405: "This cannot be done here.",
    413: "This is too large.",
    415: "This is not of a kind that is taken here.",
    429: "This was asked for too often: wait a little.",
    500: "Something went wrong here.",
    503: "Not now: try again in a moment.",
}
OTHERWISE = "This was not possible."
"""The words for errors that bring none."""


def _check_host() -> None:
    if not is_local_name(request.host, shared().settings):
        raise BadRequest(say("this server does not go by that name: use its address"))


def _check_body() -> None:
    """Says why the server took the body not in, where that is so."""
    if refusal := request.environ.get("companion.refusal"):
        raise refusal


def _check_post() -> None:
    if request.method in LOOKING or bearer():
        return
    origin = request.headers.get("Origin")
    if origin is not None and _host_of(origin) != request.host:
        raise Forbidden(say("this request comes from another site"))
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden(say("this request comes from another site"))
    given = request.headers.get(TOKEN_HEADER, "")
    if not hmac.compare_digest(given.encode(), str(session.get("csrf", "")).encode()) or not given:
        raise Forbidden(say("the page is out of date: reload it"))


def _host_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError as error:
        raise BadRequest("the header Origin holds no address") from error


def _add_headers(response: Response) -> Response:
    response.headers.update(OF_EMBEDDED if g.get("is_embeddable") else HEADERS)
    certificate = shared().settings.certificate
    if (
        certificate and not certificate.is_self_made
    ):  # a browser that never trusted it could not come back by http
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def _tell(error: HTTPException) -> Response:
    words = " ".join(str(translated(_say_error(error), language())).split())
    if _is_person():
        response = make_response(render_template("error.html", words=words, page=""))
    else:
        response = jsonify(error=words)
    response.status_code = error.code or 500
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After", "WWW-Authenticate"):
            response.headers[name] = value
    return response


def _say_error(error: HTTPException) -> str:
    """Returns what is told of an error: its own words, or those for its kind where it has none."""
    if error.description and error.description != type(error).description:
        return error.description
    return say(USUAL.get(error.code, OTHERWISE))


def _is_person() -> bool:
    """Returns whether a person opened the address, rather than a script of the page."""
    accepted = request.accept_mimetypes
    return request.method == "GET" and accepted["text/html"] > accepted["application/json"]


def _tell_trouble(error: Exception) -> Response:
    """Tells that a disk takes nothing, as the table does."""
    return _tell(ServiceUnavailable(say_trouble(error))) if is_trouble(error) else _tell_crash(error)


def _tell_crash(error: Exception) -> Response:
    """Tells that the fault is ours.

    Its traceback is logged once, and then now and then how often it came: whoever finds a way to it does not
    fill the log.
    """
    failures, kind = shared().failures, (request.endpoint, type(error).__name__)
    failures[kind] += 1
    if failures[kind] == 1:
        shared().log.exception("a request failed: %s", request.path)
    elif failures[kind].bit_count() == 1:  # at each power of two
        shared().log.error("requests of '%s' failed by %s, %d by now", *kind, failures[kind])
    return _tell(InternalServerError(say("something went wrong here; it is in the log")))
