"""Makes an application: its cookie, its languages and its security, before it has any view.

A browser's session is in a cookie, which is signed and has no date: a Pi's clock may be wrong. The browser
counts by itself how long it keeps the cookie (`Max-Age`). The cookie names a pass (`access.py`), which says
what the browser may do, and which ends by the time for which the server has run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature
from werkzeug.routing import Rule

from web.server import security
from web.server.callers import bearer
from web.server.connection import LARGEST
from web.server.joined import join_files
from web.server.languages import speak_languages
from web.server.shared import Shared

PAGES = "pages"
"""The blueprint of the pages."""


class Cookies(SecureCookieSessionInterface):
    """Reads and writes sessions as cookies of this server."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        signer, value = self.get_signing_serializer(app), request.cookies.get(self.get_cookie_name(app))
        if signer is None:
            return None
        try:
            return self.session_class(signer.loads(value)) if value else self.session_class()
        except BadSignature:
            return self.session_class()

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Sends the cookie when it has changed, and with each page: it is kept on from then.

        A picture that was asked for before a seat was taken, and answered after, would bring the old cookie
        back if it carried one; so would the empty answer while there is no picture yet.
        """
        if bearer():  # a program keeps no cookie
            return
        if session.accessed:
            response.vary.add("Cookie")
        signer = self.get_signing_serializer(app)
        is_sent = session.modified or request.blueprint == PAGES
        if not session or signer is None or not is_sent:
            return
        response.set_cookie(
            self.get_cookie_name(app),
            str(signer.dumps(dict(session))),
            max_age=app.permanent_session_lifetime,
            path=self.get_cookie_path(app),
            httponly=self.get_cookie_httponly(app),
            secure=self.get_cookie_secure(app),
            samesite=self.get_cookie_samesite(app),
        )
        response.vary.add("Cookie")


class UnbuiltRule(Rule):
    """A route whose addresses are worked out how to write when the first one is asked for: few ever are, and
    it is nine tenths of the work of making an application."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., Any]:
        compiled = cache(super()._compile_builder)
        return lambda rule, /, **values: compiled(append_unknown)(rule, **values)


class Application(Flask):
    url_rule_class = UnbuiltRule

    def make_response(self, rv: Any) -> Response:
        """Returns what a view returned as an answer: values of the wire too are sent as JSON."""
        return super().make_response(self.json.response(rv) if is_dataclass(rv) else rv)


def make_application(shared: Shared, cookie: str) -> Flask:
    """Returns an application without views.

    Its templates and static files are those of `web`. `cookie` begins the name of its session's cookie, and
    the port ends it: servers on other ports of the same machine get the same cookies.
    """
    settings = shared.settings
    app = Application("web")
    app.session_interface = Cookies()
    app.config.update(
        SECRET_KEY=settings.secret,
        SESSION_COOKIE_NAME=f"{cookie}-{settings.port}",
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=settings.https,
        PERMANENT_SESSION_LIFETIME=settings.session_seconds,
        MAX_CONTENT_LENGTH=LARGEST,
    )
    speak_languages(app)
    join_files(app)
    app.extensions["companion"] = shared
    security.protect(app)
    return app
