"""The body of a POST: one JSON object with exactly the fields asked for, each of its type."""

from __future__ import annotations

from typing import Any

from flask import request
from werkzeug.exceptions import BadRequest

NAMES = {str: "text", int: "a whole number", dict: "an object", list: "a list"}
LONGEST = 400


def fields(*, optional: tuple[str, ...] = (), **kinds: type) -> dict[str, Any]:
    """The fields of the request's JSON. BadRequest for a field unknown, missing, or of another type."""
    body = request.get_json(silent=True) if request.data else {}
    if not isinstance(body, dict):
        raise BadRequest("send one JSON object")
    for name in body:
        if name not in kinds:
            raise BadRequest(f"unknown field '{name[:40]}': the fields are {', '.join(kinds) or 'none'}")
    for name, kind in kinds.items():
        _check(body, name, kind, name in optional)
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
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadRequest(f"'{name}' must be {NAMES[kind]}")
    if isinstance(value, str) and len(value) > LONGEST:
        raise BadRequest(f"'{name}' is too long")
