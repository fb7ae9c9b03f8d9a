"""What the routes of a subject are made of: views, the bodies of POSTs, and refusals.

The body of a POST is a JSON object with exactly the fields that its view takes. The view names them as its
keyword-only parameters, each with its type, and those that may be left out have defaults. The API's document
is made from them too. What fails inside is answered in its own words, with a status that says why.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter, signature
from types import UnionType
from typing import Annotated, Any, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

from flask import Blueprint, abort, request
from msgspec import NODEFAULT, Meta, Struct, defstruct, field
from msgspec.structs import asdict
from werkzeug.exceptions import BadRequest, HTTPException

from companion.language import say
from companion.wire.codec import WireError, decode

View: TypeAlias = Callable[..., Any]
Pixel: TypeAlias = Annotated[float, Meta(gt=-1e5, lt=1e5)]
"""How far right or down a point of a picture is."""
Viewed = TypeVar("Viewed", bound=View)
Thing = TypeVar("Thing")
LONGEST = 400
LIMITS = {"record": 200_000, "text": 2000}
"""The fields whose text may be longer than `LONGEST`, with their limits."""
NO_TEXTS: dict[str, str] = {}
"""A field of texts that was left out."""
TOO_LONG = re.compile(r"of length <= \d+ - at `\$\.(\w+)")


class Subject(Blueprint):
    """The routes of one subject. What a view returns, a value of the wire or an object, goes out as JSON."""

    def get(self, rule: str, **options: Any) -> Callable[[Viewed], Viewed]:
        return super().get(rule, **options)

    def post(self, rule: str, **options: Any) -> Callable[[Viewed], Viewed]:
        """Returns a decorator for a view that takes fields of the request's JSON; or its whole body as the
        first argument, where it `takes` this media type."""
        takes = options.pop("takes", "")

        def decorated(view: Viewed) -> Viewed:
            body = None if takes else getattr(view, "body", None) or body_of(view)

            @wraps(view)
            def taking(**parts: Any) -> Any:
                return view(**parts, **_read(body)) if body else view(request.get_data(), **parts)

            taking.body, taking.takes_kind = body, takes  # type: ignore[attr-defined]
            self.add_url_rule(rule, view_func=taking, methods=["POST"], **options)
            return cast(Viewed, taking)

        return decorated


def body_of(view: View, **more: type) -> type[Struct]:
    """Returns the class of the bodies that a view takes, with `more` fields that may be left out."""
    hints = get_type_hints(view, include_extras=True)
    taken = [p for p in signature(view).parameters.values() if p.kind is Parameter.KEYWORD_ONLY]
    fields = [
        (p.name, hints[p.name], NODEFAULT if p.default is Parameter.empty else p.default) for p in taken
    ]
    fields += [(name, kind, None) for name, kind in more.items()]
    limited = [
        (name, _limited(kind, LIMITS.get(name, LONGEST)), field(default=default))
        for name, kind, default in fields
    ]
    return defstruct("Body", limited, forbid_unknown_fields=True, kw_only=True)


def _limited(kind: Any, longest: int = LONGEST) -> Any:
    """Returns the type of a field with its limits; one that may be left out for None is not None itself."""
    if kind is str:
        return Annotated[str, Meta(max_length=longest)]
    if kind is int:
        return Annotated[int, Meta(gt=-(2**31), lt=2**31)]
    if kind is object:
        return Any
    if get_origin(kind) is UnionType:
        return _limited(get_args(kind)[0], longest)
    parts = tuple(map(_limited, get_args(kind)))
    return get_origin(kind)[parts] if parts else kind


def _read(body: type[Struct]) -> dict[str, Any]:
    """Returns the fields of the body. BadRequest for a field that is unknown, missing or of another type."""
    if request.data and not request.is_json:
        raise BadRequest("send one JSON object")
    try:
        return asdict(decode(request.data or b"{}", body))
    except WireError as error:
        too_long = TOO_LONG.search(str(error))
        raise BadRequest(say("'{name}' is too long", name=too_long[1]) if too_long else str(error)) from error


@contextmanager
def refused(error: type[Exception], refusal: type[HTTPException]) -> Iterator[None]:
    """Turns an error of this kind into a refusal."""
    try:
        yield
    except error as found:
        raise refusal(str(found)) from found


def there(found: Thing | None, words: str) -> Thing:
    """Returns what was found; 404 with these words for nothing."""
    if found is None:
        abort(404, words)
    return found
