"""Makes an application: its cookie, its languages and its security, before it has any view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import is_dataclass
from functools import cache
from typing import Any

from flask import Flask, Response
from werkzeug.routing import Rule

from web.server import bodies, security
from web.server.cookies import Cookies
from web.server.joined import join_files
from web.server.languages import speak_languages
from web.server.shared import Shared


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
        MAX_CONTENT_LENGTH=bodies.LARGEST,
    )
    speak_languages(app)
    join_files(app)
    app.extensions["companion"] = shared
    security.protect(app)
    return app
