"""JSON schemas of the wire's classes, each member with its words: other descriptions are made from them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from types import UnionType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

import msgspec

PLACE = "#/components/schemas/{name}"
"""Where documents have the schemas of classes."""
Schema: TypeAlias = dict[str, Any]
"""A JSON schema, or a part of one."""


def schema_of(kind: Any) -> Schema:
    """Returns the schema of a type, in which its classes are referred to."""
    if get_origin(kind) is UnionType:
        return {"anyOf": [schema_of(part) for part in get_args(kind)]}
    (found,), _ = msgspec.json.schema_components([kind], ref_template=PLACE)
    return found


def class_schemas(kinds: Iterable[Any], *, are_sent: bool = True) -> dict[str, Schema]:
    """Returns the schemas of all classes in these types, by name, and of the texts that have a name there.

    What is sent has all its members but those that may be unset; a reader needs those without a default.
    """
    classes = {kind.__name__: kind for top in kinds for kind in classes_in(top)}
    _, found = msgspec.json.schema_components(classes.values(), ref_template=PLACE)
    texts: dict[str, Schema] = {}
    described = {name: _described(found[name], classes[name], are_sent, texts) for name in sorted(found)}
    return texts | described


def classes_in(kind: Any) -> Iterator[type]:
    """Yields the classes of the wire in a type, and in their members."""
    if isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, msgspec.Struct)):
        yield kind
        for hint in get_type_hints(kind).values():
            yield from classes_in(hint)
    for part in get_args(kind):
        yield from classes_in(part)


def _described(schema: Schema, kind: type, are_sent: bool, texts: dict[str, Schema]) -> Schema:
    hints, words = get_type_hints(kind), words_of(kind)
    members = {
        name: _referring(member, texts) | ({"description": words[name]} if name in words else {})
        for name, member in schema["properties"].items()
    }
    unset = {name for name, hint in hints.items() if msgspec.UnsetType in get_args(hint)}
    required = [name for name in members if name not in unset] if are_sent else schema.get("required", [])
    described = {"description": " ".join((kind.__doc__ or "").split()), "type": "object"}
    return {**described, "properties": members, "required": required}


def _referring(schema: Any, texts: dict[str, Schema]) -> Any:
    """Returns a schema without defaults, which refers to texts that have a name; notes their schemas."""
    if isinstance(schema, list):
        return [_referring(part, texts) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "title" in schema:
        name = schema["title"]
        texts[name] = {"type": "string", **{key: schema[key] for key in ("description", "maxLength")}}
        return {"$ref": PLACE.format(name=name)}
    return {key: _referring(value, texts) for key, value in schema.items() if key != "default"}


def words_of(kind: type) -> dict[str, str]:
    """Returns the words of each member: the text that stands below it in its class."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("companion.wire") or is_dataclass(base):
            (body,) = ast.parse(inspect.cleandoc("\n" + inspect.getsource(base))).body
            assert isinstance(body, ast.ClassDef)
            for member, below in zip(body.body, body.body[1:], strict=False):
                match member, below:
                    case ast.AnnAssign(target=ast.Name(name)), ast.Expr(value=ast.Constant(str(words))):
                        found[name] = " ".join(words.split())
    return found
