"""Keeps a browser's session in a cookie, which is signed and has no date: a Pi's clock may be wrong.

The browser counts by itself how long it keeps the cookie (`Max-Age`). The cookie names a pass (`access.py`),
which says what the browser may do, and which ends by the time for which the server has run.
"""

from __future__ import annotations

from flask import Flask, Request, Response, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature

from web.server.bearer import bearer

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
