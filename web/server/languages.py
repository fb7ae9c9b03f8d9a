"""The language of a display: the one chosen on it, else the browser's first that the program speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, has_request_context, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.datastructures import LanguageAccept

from companion.language import ENGLISH, LANGUAGES, page_words, say, translated
from companion.wire.codec import write

COOKIE = "language"
"""The cookie in which a page keeps the language that was chosen on it. It holds nothing else."""
RIGHT_TO_LEFT = {"ar", "fa", "he", "ur"}
"""The languages that are written from right to left."""


def language() -> str:
    """Returns the language in which the current request is answered, as `en`."""
    if not has_request_context():
        return ENGLISH
    return language_of(request.cookies, request.accept_languages)


def language_of(cookies: Mapping[str, str], accepted: LanguageAccept) -> str:
    """Returns the language of a display whose browser sends these cookies and takes these languages."""
    chosen = cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    wanted = (tag for tag, weight in accepted if weight > 0)
    known = (name for tag in wanted for name in (tag, tag.split("-")[0]) if name in LANGUAGES)
    return next(known, ENGLISH)


def speak_languages(app: Flask) -> None:
    """Has an application answer each request in its own language, in JSON and in pages."""
    app.json = TranslatedJSON(app)
    app.jinja_env.globals.update(t=in_language, language=language, languages=LANGUAGES, direction=_direction)
    app.jinja_env.globals["catalogue"] = lambda: page_words(language())  # what the page's code needs
    app.after_request(_tell_language)


def in_language(text: str) -> str:
    """Returns a text, which a catalogue has, in the language of the current request."""
    return str(translated(say(text), language()))


def _direction() -> str:
    return "rtl" if language() in RIGHT_TO_LEFT else "ltr"


def _tell_language(response: Response) -> Response:
    """Tells caches that the same address is answered in several languages."""
    if response.mimetype in ("text/html", "application/json"):
        response.vary.update(("Accept-Language", "Cookie"))
    return response


class TranslatedJSON(DefaultJSONProvider):
    """Writes JSON, and what is on the wire, with its messages in the language of the current request."""

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        return write(obj, language()).decode()
