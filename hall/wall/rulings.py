"""The rulings of the arbiter's desk, and the requests to a board's API that carry them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.errors import CompanionError
from companion.language import say


class RulingError(CompanionError):
    """A ruling that there is not, or whose values are none."""


@dataclass(frozen=True, slots=True)
class RulingForm:
    """The path of the API that takes a ruling, and the fields that it has, each of its type."""

    path: str
    fields: Mapping[str, type]


FORMS: Mapping[str, RulingForm] = {
    "result": RulingForm("results", {"winner": str}),
    "takeback": RulingForm("takebacks", {"count": int, "plies": int}),
    "correction": RulingForm("corrections", {"looks": dict, "turn": str, "plies": int}),
    "give": RulingForm("times/give", {"player": str, "seconds": int}),
    "set": RulingForm("times/set", {"player": str, "seconds": int}),
    "stop": RulingForm("clock/stop", {}),
    "start": RulingForm("clock/start", {}),
    "answer": RulingForm("answers", {"question": int, "choice": list}),
    "board": RulingForm("beliefs", {}),
}


def request_of(kind: str, values: Mapping[str, object], number: int) -> tuple[str, Mapping[str, object]]:
    """Returns the path and the body by which a ruling on the game with this number is asked for. RulingError
    for what is none."""
    form = FORMS.get(kind)
    if form is None:
        raise RulingError(say("there is no such ruling"))
    is_whole = values.keys() == form.fields.keys()
    if not is_whole or not all(_is(values[name], type_) for name, type_ in form.fields.items()):
        raise RulingError(say("this ruling lacks something"))
    return form.path, {**values, "number": number}


def _is(value: object, type_: type) -> bool:
    return isinstance(value, type_) and isinstance(value, bool) == (type_ is bool)
