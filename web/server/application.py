"""Makes an application: its cookie, its languages and its security, before it has any view."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flask import Flask
from werkzeug.routing import Rule

from web.server import bodies, security
from web.server.cookies import Cookies
from web.server.languages import speak_languages
from web.server.shared import Shared


def make_application(shared: Shared, cookie: str) -> Flask:
    """Returns an application without views.

    Its templates and static files are those of `web`. `cookie` is the name of its session's cookie: servers
    on other ports of the same machine get the same cookies, so each kind has its own.
    """
    settings = shared.settings
    app = _Application("web")
    app.session_interface = Cookies()
    app.config.update(
        SECRET_KEY=settings.secret,
        SESSION_COOKIE_NAME=cookie,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SECURE=settings.https,
        PERMANENT_SESSION_LIFETIME=settings.session_seconds,
        MAX_CONTENT_LENGTH=bodies.LARGEST,
    )
    speak_languages(app)
    app.extensions["companion"] = shared
    security.protect(app)
    return app


class _Rule(Rule):
    """A rule that prepares to build addresses when the first is built: most never build one, and preparing
    all of them would take most of the time in which an application starts."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        prepare = cache(super()._compile_builder)

        def build(rule: Rule, **values: object) -> tuple[str, str]:
            return prepare(append_unknown)(rule, **values)

        return build


class _Application(Flask):
    url_rule_class = _Rule
