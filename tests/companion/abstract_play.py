"""The Abstract Play game record as a schema, after the public one (AbstractPlay/recranks, gamerecord.json).

Only what JSON Schema calls type, required, additionalProperties, items, minItems, uniqueItems, oneOf and
the format of a date is used; `violations` checks just these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TEXT = {"type": "string"}
DATE = {"type": "string", "format": "date-time"}
PLAYER = {
    "type": "object",
    "properties": {
        "name": TEXT, "userid": TEXT, "score": {"type": "number"}, "is_ai": {"type": "boolean"},
        "result": {"type": "integer"},
    },
    "additionalProperties": True,
    "required": ["name", "result"],
}  # fmt: skip
GAME = {
    "type": "object",
    "properties": {"name": TEXT, "variants": {"type": "array", "uniqueItems": True, "items": TEXT}},
    "additionalProperties": False,
    "required": ["name"],
}
SITE = {
    "type": "object",
    "properties": {"name": TEXT, "gameid": {"oneOf": [TEXT, {"type": "number"}]}},
    "additionalProperties": False,
    "required": ["name"],
}
MOVE = {
    "type": "object",
    "properties": {"sequence": {"type": "integer"}, "move": TEXT, "result": TEXT},
    "additionalProperties": False,
    "required": ["move"],
}
RECORD: dict[str, Any] = {
    "type": "object",
    "properties": {
        "header": {
            "type": "object",
            "properties": {
                "game": GAME, "site": SITE, "event": TEXT, "round": TEXT, "date-start": DATE,
                "date-end": DATE, "date-generated": DATE, "unrated": {"type": "boolean"},
                "startingPosition": TEXT,
                "players": {"type": "array", "minItems": 1, "uniqueItems": True, "items": PLAYER},
            },
            "additionalProperties": True,
            "required": ["game", "site", "date-start", "date-end", "date-generated", "players"],
        },
        "moves": {
            "type": "array",
            "items": {"type": "array", "items": {"oneOf": [{"type": "null"}, TEXT, MOVE]}},
        },
    },
    "additionalProperties": False,
    "required": ["header", "moves"],
}  # fmt: skip
KINDS: dict[str, Any] = {
    "string": str, "object": dict, "array": list, "boolean": bool, "integer": int, "number": (int, float),
    "null": type(None),
}  # fmt: skip
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def violations(value: Any, schema: dict[str, Any], path: str = "record") -> Iterator[str]:
    """Where a value breaks a schema, and how."""
    if "oneOf" in schema:
        if sum(not list(violations(value, one)) for one in schema["oneOf"]) != 1:
            yield f"{path}: none of its kinds"
        return
    kind = schema["type"]
    if not isinstance(value, KINDS[kind]) or (isinstance(value, bool) and kind in ("integer", "number")):
        yield f"{path}: not of type {kind}"
        return
    if schema.get("format") == "date-time" and not MOMENT.fullmatch(value):
        yield f"{path}: no moment in time"
    if kind == "object":
        yield from _of_object(value, schema, path)
    if kind == "array":
        yield from _of_array(value, schema, path)


def _of_object(value: dict[str, Any], schema: dict[str, Any], path: str) -> Iterator[str]:
    yield from (f"{path}.{key}: missing" for key in schema["required"] if key not in value)
    for key, part in value.items():
        if key in schema["properties"]:
            yield from violations(part, schema["properties"][key], f"{path}.{key}")
        elif not schema["additionalProperties"]:
            yield f"{path}.{key}: not known"


def _of_array(value: list[Any], schema: dict[str, Any], path: str) -> Iterator[str]:
    if len(value) < schema.get("minItems", 0):
        yield f"{path}: too few"
    if schema.get("uniqueItems") and any(part in value[:n] for n, part in enumerate(value)):
        yield f"{path}: an item twice"
    for n, part in enumerate(value):
        yield from violations(part, schema["items"], f"{path}[{n}]")
