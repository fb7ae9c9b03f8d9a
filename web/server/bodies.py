"""The bodies of requests: how large they may be, checked before they are kept.

Waitress reads a whole body, and keeps it in a file if it is long, before the application hears of the
request. `Request` refuses a body that is too large as soon as its headers say so, or as soon as that much has
come. Nobody needs a cookie to send one. So only one large body (a camera's profile) is taken in at a time.
"""

from __future__ import annotations

import json
import threading
import weakref
from typing import Any

from waitress.parser import HTTPRequestParser
from waitress.utilities import Error
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

from companion.language import say, translated
from web.server.languages import language_of

LARGEST = 256 * 1024
"""The bytes that a body may have."""
LARGEST_PROFILE = 6 * 1024 * 1024
"""The bytes that the body with a profile may have: with what its connection needs, less than 10 MB."""
PROFILES = "/api/v1/setup/profiles"


class BodyError(Error):  # type: ignore[misc]
    """A refusal of a body, in the form of the API's errors, which the page shows."""

    def __init__(self, code: int, reason: str, words: str) -> None:
        super().__init__(words)
        self.code, self.reason = code, reason

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        headers = [("Content-Type", "application/json")]
        return f"{self.code} {self.reason}", headers, json.dumps({"error": self.body}).encode()


def too_large(most: int) -> BodyError:
    size = f"{most // 1024**2} MB" if most >= 1024**2 else f"{most // 1024} kB"
    return BodyError(
        413, "Content Too Large", say("this is too large: at most {size} are taken here", size=size)
    )


def busy() -> BodyError:
    return BodyError(
        503, "Service Unavailable", say("another profile is being loaded: try again in a minute")
    )


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request that comes in. It holds `large`, a server's one place for a large body, until it is closed
    or forgotten.
    """

    def __init__(self, large: threading.Lock, settings: Any) -> None:
        super().__init__(settings)
        self._large = large
        self._give_back: weakref.finalize[..., Request] | None = None

    def received(self, data: bytes) -> int:
        taken = int(super().received(data))
        refusal = self._refusal() if self.headers_finished else None
        if refusal:
            refusal.body = translated(refusal.body, self._language())
            self.error, self.completed = refusal, True
            self.expect_continue = False  # waitress would ask for the body all the same
        return taken

    def close(self) -> None:
        super().close()
        if self._give_back:
            self._give_back()  # does so once, however often it is called

    def _language(self) -> str:
        cookies = parse_cookie(self.headers.get("COOKIE", ""))
        accepted = parse_accept_header(self.headers.get("ACCEPT_LANGUAGE", ""), LanguageAccept)
        return language_of(cookies, accepted)

    def _refusal(self) -> BodyError | None:
        """Returns why the body is not taken in, or None."""
        size = max(self.content_length, self.body_bytes_received)
        if size <= LARGEST:
            return None
        if self.path != PROFILES:
            return too_large(LARGEST)
        if size > LARGEST_PROFILE:
            return too_large(LARGEST_PROFILE)
        if self._give_back is None and not self._large.acquire(blocking=False):
            return busy()
        self._give_back = self._give_back or weakref.finalize(self, self._large.release)
        return None
