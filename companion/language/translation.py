"""The door to other languages: every message in some data is put into the language of whoever reads it."""

from __future__ import annotations

from typing import Any

from companion.language.catalogue import ENGLISH, catalogue
from companion.language.message import Lookup, Message, Template


def translated(data: Any, language: str) -> Any:
    """Returns data as JSON knows them, with every message in this language. Other texts stay as they are."""
    if language == ENGLISH:
        return data
    if isinstance(data, Message):
        return data.rendered(_lookup(language))
    if isinstance(data, dict):
        return {key: translated(value, language) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [translated(value, language) for value in data]
    return data


def _lookup(language: str) -> Lookup:
    found = catalogue(language)

    def look_up(template: Template, form: str) -> str | None:
        return found.find(template.one, form, template.number, template.context)

    return Lookup(look_up, found.point)
