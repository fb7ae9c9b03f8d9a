"""Describes the API (OpenAPI 3.1) from its routes, their docstrings and the fields that they take."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from flask import Flask, Response, current_app, jsonify
from msgspec import Struct
from werkzeug.routing import Rule

from companion import games
from companion.record.exports import formats
from companion.record.notations import notations
from companion.wire.schema import PLACE, Schema, class_schemas, classes_in, schema_of
from web.server.context import context
from web.server.security import TOKEN_HEADER
from web.server.subject import LONGEST, Subject

blueprint = Subject("openapi", __name__, url_prefix="/api/v1")
PREFIX = "/api/v1"
NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
PARTS: dict[str, Schema] = {"IntegerConverter": NUMBER}
TYPES = {".jpg": "image/jpeg", ".svg": "image/svg+xml", "/events": "text/event-stream"}
QUERIES: dict[str, dict[str, Schema]] = {
    "judge": {key: {"type": "string", "maxLength": LONGEST} for key in ("action", "from", "to")},
    "picture": {"small": {"type": "string", "enum": ["0", "1"]}},
    "list_records": {
        "words": {"type": "string"},
        "deleted": {"type": "string", "enum": ["0", "1"]},
        "before": NUMBER,
    },
    "show_record": {"from": NUMBER},
}
ERRORS = {
    "400": "The request cannot be read, or holds what there is not.",
    "401": "The token is unknown, was revoked, or is none.",
    "403": "The caller may not do this, or the request came from another site.",
    "404": "There is no such thing here.",
    "409": "It is refused: against the rules (`breaks`), or not possible now.",
    "413": "The body is too large.",
    "429": "Too many wrong PINs or tokens: wait `Retry-After` seconds.",
    "500": "A fault of the server's.",
    "503": "Not now: try again after `Retry-After` seconds.",
}
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string"}, "breaks": {"type": "array", "items": {"type": "object"}}},
}


@blueprint.get("/openapi.json")
def show_openapi() -> Response:
    """Sends this description."""
    made = context().description.find("", lambda: jsonify(describe(current_app)).data)
    return made.answer("application/json")


def describe(app: Flask) -> Schema:
    """Returns the OpenAPI document of an application's API."""
    paths: dict[str, Schema] = {}
    for rule in _rules(app):
        methods = sorted((rule.methods or set()) & {"GET", "POST"})
        paths.setdefault(_path(rule), {}).update({m.lower(): _operation(app, rule, m) for m in methods})
    told = filter(None, map(answer_of, (app.view_functions[rule.endpoint] for rule in _rules(app))))
    schemes = {
        "token": {"type": "apiKey", "in": "header", "name": TOKEN_HEADER},
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of a program, with its scopes.",
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Board Companion", "version": "1", "description": "A table and its records."},
        "paths": paths,
        "components": {"schemas": {"Error": ERROR, **class_schemas(told)}, "securitySchemes": schemes},
    }


def _rules(app: Flask) -> list[Rule]:
    """Returns the addresses of the API, by the alphabet."""
    found = (rule for rule in app.url_map.iter_rules() if rule.rule.startswith(PREFIX))
    return sorted(found, key=lambda rule: rule.rule)


def _path(rule: Rule) -> str:
    return re.sub(r"<(?:[^>:]+:)?(\w+)>", r"{\1}", rule.rule)


def _operation(app: Flask, rule: Rule, method: str) -> Schema:
    view = app.view_functions[rule.endpoint]
    name = rule.endpoint.rpartition(".")[2]
    body: type[Struct] | None = getattr(view, "body", None)
    operation: Schema = {
        "operationId": name,
        "summary": " ".join((view.__doc__ or "").split()),
        "parameters": [*_parts(rule), *_queries(name)],
        "responses": {**_answer(rule, view), **_errors()},
    }
    if body is not None:
        content = {"application/json": {"schema": _schema(body)}}
        operation["requestBody"] = {"required": True, "content": content}
        operation["security"] = [{"token": []}, {"bearer": []}]
    elif kind := getattr(view, "takes_kind", ""):
        operation["requestBody"] = {"required": False, "content": {kind: {}}}
        operation["security"] = [{"token": []}, {"bearer": []}]
    else:
        operation["security"] = [{}, {"bearer": []}]  # looking is free
    return operation


def _parts(rule: Rule) -> list[Schema]:
    return [
        {"name": name, "in": "path", "required": True, "schema": _part(rule, name)}
        for name in sorted(rule.arguments)
    ]


def _part(rule: Rule, name: str) -> Schema:
    converter = rule._converters[name]
    if type(converter).__name__ == "AnyConverter":
        return {"type": "string", "enum": sorted(converter.items)}  # type: ignore[attr-defined]
    return PARTS.get(type(converter).__name__, {"type": "string"})


def _queries(name: str) -> list[Schema]:
    return [{"name": key, "in": "query", "schema": schema} for key, schema in QUERIES.get(name, {}).items()]


def answer_of(view: Callable[..., object]) -> Any:
    """Returns the type of what a view tells, or by which its response is annotated; None for others."""
    told = get_type_hints(view, include_extras=True).get("return")
    told = get_args(told)[1] if get_origin(told) is Annotated else told
    return told if any(classes_in(told)) else None


def _answer(rule: Rule, view: Callable[..., object]) -> Schema:
    kind = next((kind for end, kind in TYPES.items() if rule.rule.endswith(end)), "application/json")
    told = answer_of(view)
    content = {kind: {"schema": schema_of(told)} if told else {}}
    answers = {"200": {"description": "Done, or what was asked for.", "content": content}}
    if rule.rule.endswith("/picture.jpg"):
        answers["204"] = {"description": "There is none yet."}
    if rule.rule.startswith(f"{PREFIX}/table"):
        return {"204": {"description": "Done."}}
    if rule.endpoint.startswith("feeds."):
        content |= {notation.media_type: {} for notation, _ in notations().values()}
    if "/export/" in rule.rule:
        answers["200"]["content"] = {form.kind: {} for form in formats().values()}
    if rule.rule.endswith(":form>"):
        answers["200"]["content"] = {"image/svg+xml": {}, "image/png": {}}
    return {**answers, "304": {"description": "As it was."}}


def _errors() -> Schema:
    schema = {"schema": {"$ref": "#/components/schemas/Error"}}
    content = {"application/json": schema}
    return {code: {"description": words, "content": content} for code, words in ERRORS.items()}


def _schema(body: type[Struct]) -> Schema:
    _, found = msgspec.json.schema_components([body], ref_template=PLACE)
    schema: Schema = found["Body"]
    if "game" in schema["properties"]:
        schema["properties"]["game"] = {"type": "string", "enum": list(games.installed())}
    return schema
