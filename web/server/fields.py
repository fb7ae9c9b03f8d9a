"""The body of a POST: one JSON object with exactly the fields that its view takes, each of its type.

A view names them as its keyword-only parameters, and those that may be left out have defaults. `takes` checks
the body by them, and the API's document is made from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import Parameter, signature
from types import UnionType
from typing import Any, NamedTuple, TypeAlias, get_args, get_origin, get_type_hints

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
NO_TEXTS: dict[str, str] = {}
"""A field of texts that was left out."""
TEXTS = (dict[str, str], list[str])
"""The types of fields that hold nothing but texts."""


class Body(NamedTuple):
    """The fields that a view takes, and those of them that may be left out."""

    fields: Mapping[str, Any]
    optional: tuple[str, ...]

    @property
    def kinds(self) -> dict[str, type]:
        """Returns what JSON has for each field: a text, a number, a list."""
        return {name: get_origin(kind) or kind for name, kind in self.fields.items()}


def body_of(view: Callable[..., object]) -> Body:
    """Returns the fields that a view takes."""
    hints = get_type_hints(view)
    taken = [p for p in signature(view).parameters.values() if p.kind is Parameter.KEYWORD_ONLY]
    fields = {p.name: _without_none(hints[p.name]) for p in taken}
    return Body(fields, tuple(p.name for p in taken if p.default is not Parameter.empty))


def takes(view: View, body: Body | None = None) -> View:
    """Decorates a view that takes fields of the request's JSON."""
    body = body or body_of(view)

    @wraps(view)
    def checked(**parts: Any) -> ResponseReturnValue:
        return view(**parts, **_read(body))

    checked.body = body  # type: ignore[attr-defined]
    return checked


def _without_none(kind: Any) -> Any:
    """Returns the type of a field that may be left out for None."""
    return get_args(kind)[0] if get_origin(kind) is UnionType else kind


def takes_bytes(kind: str) -> Callable[[View], View]:
    """Returns a decorator for a view that takes the request's body, of this media type or empty, as its first
    argument."""

    def decorated(view: View) -> View:
        @wraps(view)
        def checked(**parts: Any) -> ResponseReturnValue:
            return view(request.get_data(), **parts)

        checked.takes_kind = kind  # type: ignore[attr-defined]
        return checked

    return decorated


def _read(declared: Body) -> dict[str, Any]:
    """Returns the fields of the body. BadRequest for a field that is unknown, missing or of another type."""
    body = _parse()
    for name in body:
        if name not in declared.fields:
            known = ", ".join(declared.fields) or "none"
            raise BadRequest(f"unknown field '{name[:40]}': the fields are {known}")
    for name, kind in declared.fields.items():
        if name in body:
            _check(name, body[name], kind)
        elif name not in declared.optional:
            raise BadRequest(f"the field '{name}' is missing")
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


def _check(name: str, value: Any, kind: Any) -> None:
    """Raises BadRequest unless a field's value is of this kind."""
    plain = get_origin(kind) or kind
    is_bool = isinstance(value, bool)  # in Python a bool is an int too
    if not isinstance(value, plain) or is_bool != (plain is bool):
        raise BadRequest(f"'{name}' must be {NAMES[plain]}")
    if isinstance(value, int) and abs(value) >= 2**31:
        raise BadRequest(f"'{name}' is too large")
    if isinstance(value, str) and len(value) > LIMITS.get(name, LONGEST):
        raise BadRequest(say("'{name}' is too long", name=name))
    if kind in TEXTS and not all(map(_is_text, value.values() if isinstance(value, dict) else value)):
        raise BadRequest(f"every value of '{name}' must be text")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST
