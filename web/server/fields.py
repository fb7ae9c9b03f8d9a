"""The body of a POST: one JSON object with exactly the fields that its view declares, each of its type.

`takes` both checks the body and describes it: the API's document is made from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, TypeAlias

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

from companion.core.json_text import HALVES
from companion.language import say

View: TypeAlias = Callable[..., ResponseReturnValue]
NAMES = {str: "text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}
LONGEST = 400
LIMITS = {"record": 200_000, "text": 2000}
"""The fields whose text may be longer than `LONGEST`, with their limits."""


class Body(NamedTuple):
    """The fields that a view takes, and those of them that may be left out."""

    kinds: Mapping[str, type]
    optional: tuple[str, ...]


def takes(*, optional: tuple[str, ...] = (), **kinds: type) -> Callable[[View], View]:
    """Decorates a view that takes the checked fields of the request's JSON as its first argument."""

    def declare(view: View) -> View:
        @wraps(view)
        def checked(**parts: Any) -> ResponseReturnValue:
            return view(_read(checked.body), **parts)  # type: ignore[attr-defined]

        checked.body = Body(kinds, optional)  # type: ignore[attr-defined]
        return checked

    return declare


def takes_jpeg(view: View) -> View:
    """Decorates a view that takes the request's body as its first argument: a picture, or nothing."""

    @wraps(view)
    def checked(**parts: Any) -> ResponseReturnValue:
        return view(request.get_data(), **parts)

    checked.is_jpeg = True  # type: ignore[attr-defined]
    return checked


def _read(declared: Body) -> dict[str, Any]:
    """Returns the fields of the body. BadRequest for a field that is unknown, missing or of another type."""
    body = _parse()
    for name in body:
        if name not in declared.kinds:
            known = ", ".join(declared.kinds) or "none"
            raise BadRequest(f"unknown field '{name[:40]}': the fields are {known}")
    for name, kind in declared.kinds.items():
        _check(body, name, kind, name in declared.optional)
    return body


def _parse() -> dict[str, Any]:
    try:
        body = request.get_json(silent=True) if request.data else {}
        text = json.dumps(body, ensure_ascii=False)
    except RecursionError as error:
        raise BadRequest("the JSON is nested too deep") from error
    if not isinstance(body, dict):
        raise BadRequest("send one JSON object")
    if HALVES.search(text):
        raise BadRequest("the text holds half a character: send UTF-8")
    return body


def texts(body: dict[str, Any], name: str) -> dict[str, str]:
    """Returns a field that is an object of texts."""
    found = body.get(name, {})
    if not all(isinstance(value, str) and len(value) <= LONGEST for value in found.values()):
        raise BadRequest(f"every value of '{name}' must be text")
    return dict(found)


def _check(body: dict[str, Any], name: str, kind: type, optional: bool) -> None:
    """Raises BadRequest unless the field is there, or may be left out, and its value is of this kind."""
    if name not in body and optional:
        return
    if name not in body:
        raise BadRequest(f"the field '{name}' is missing")

    value = body[name]
    is_bool = isinstance(value, bool)  # in Python a bool is an int too
    if not isinstance(value, kind) or is_bool != (kind is bool):
        raise BadRequest(f"'{name}' must be {NAMES[kind]}")
    if isinstance(value, int) and abs(value) >= 2**31:
        raise BadRequest(f"'{name}' is too large")
    if isinstance(value, str) and len(value) > LIMITS.get(name, LONGEST):
        raise BadRequest(say("'{name}' is too long", name=name))
