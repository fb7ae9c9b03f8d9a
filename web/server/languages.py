"""The language of a display: the one chosen on it, else the browser's first that the program speaks."""

from __future__ import annotations

from typing import Any

from flask import Flask, has_request_context, request
from flask.json.provider import DefaultJSONProvider

from companion.language import ENGLISH, LANGUAGES, page_words, say, translated

COOKIE = "language"
"""The cookie in which a page keeps the language that was chosen on it. It holds nothing else."""


def language() -> str:
    """Returns the language in which the current request is answered, as `en`."""
    if not has_request_context():
        return ENGLISH
    chosen = request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return request.accept_languages.best_match(LANGUAGES, ENGLISH) or ENGLISH


def speak_languages(app: Flask) -> None:
    """Has an application answer each request in its own language, in JSON and in pages."""
    app.json = TranslatedJSON(app)
    app.jinja_env.globals.update(t=in_language, language=language, catalogue=_catalogue)


def in_language(text: str) -> str:
    """Returns a text, which a catalogue has, in the language of the current request."""
    return str(translated(say(text), language()))


def _catalogue() -> dict[str, Any]:
    """Returns what the page's code needs to speak the language of the current request; {} for English."""
    return dict(page_words(language()))


class TranslatedJSON(DefaultJSONProvider):
    """Writes JSON with its messages in the language of the current request."""

    sort_keys = False  # players are told in their order

    def dumps(self, obj: Any, **kwargs: Any) -> str:
        return super().dumps(translated(obj, language()), **kwargs)
