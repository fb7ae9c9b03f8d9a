"""The body of a POST: one JSON object with exactly the fields that its view declares, each of its type.

`takes` is both the check and the description: the API's document is made from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, TypeAlias

from flask import request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import BadRequest

View: TypeAlias = Callable[..., ResponseReturnValue]
NAMES = {str: "text", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}
LONGEST = 400
HALVES = re.compile("[\ud800-\udfff]")
"""Half characters (surrogates), which JSON can spell and no file can hold."""
LIMITS = {"record": 200_000, "text": 2000}
"""Fields whose text may be longer than that."""


class Body(NamedTuple):
    """The fields that a view takes, and which of them may be left out."""

    kinds: Mapping[str, type]
    optional: tuple[str, ...]


def takes(*, optional: tuple[str, ...] = (), **kinds: type) -> Callable[[View], View]:
    """Hands the view the fields of the request's JSON, checked, as its first argument."""

    def declare(view: View) -> View:
        @wraps(view)
        def checked(**parts: Any) -> ResponseReturnValue:
            return view(_read(checked.body), **parts)  # type: ignore[attr-defined]

        checked.body = Body(kinds, optional)  # type: ignore[attr-defined]
        return checked

    return declare


def _read(declared: Body) -> dict[str, Any]:
    """BadRequest for a field unknown, missing, or of another type."""
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
    """A field that is an object of texts."""
    found = body.get(name, {})
    if not all(isinstance(value, str) and len(value) <= LONGEST for value in found.values()):
        raise BadRequest(f"every value of '{name}' must be text")
    return dict(found)


def _check(body: dict[str, Any], name: str, kind: type, optional: bool) -> None:
    if name not in body:
        if not optional:
            raise BadRequest(f"the field '{name}' is missing")
        return
    value = body[name]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise BadRequest(f"'{name}' must be {NAMES[kind]}")
    if isinstance(value, int) and abs(value) >= 2**31:
        raise BadRequest(f"'{name}' is too large")
    if isinstance(value, str) and len(value) > LIMITS.get(name, LONGEST):
        raise BadRequest(f"'{name}' is too long")
