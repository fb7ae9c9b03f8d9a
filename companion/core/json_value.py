"""Values of a JSON file that are checked as they are read.

A value knows the key under which it stands. Asked for a type and a range it returns the value as that, or
raises a JsonValueError that names the key.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from companion.language import say


class JsonValueError(ValueError):
    """A value that is not what it must be; one line, which names its key."""


@dataclass(frozen=True)
class JsonValue:
    """A value, None where there is none, and the keys that lead to it: `models[2].mean`."""

    value: object
    key: str = ""

    def __getitem__(self, name: str) -> JsonValue:
        """Returns the value that an object holds under a name; one of None where it holds none."""
        value = self.object().get(name)
        return JsonValue(value, f"{self.key}.{name}" if self.key else name)

    def or_else(self, default: object) -> JsonValue:
        """Returns the value, or a default where there is none."""
        return JsonValue(default, self.key) if self.value is None else self

    def object(self) -> dict[str, object]:
        if not isinstance(self.value, dict):
            raise self.wrong(say("must be an object"))
        return self.value

    def pairs(self) -> list[tuple[str, JsonValue]]:
        return [(name, self[name]) for name in self.object()]

    def items(self, count: int | None = None) -> list[JsonValue]:
        """Returns the values of a list, which must be `count` where that is given."""
        if not isinstance(self.value, list):
            raise self.wrong(say("must be a list"))
        if count not in (None, len(self.value)):
            raise self.wrong(say("must have {count} values", count=count))
        return [JsonValue(value, f"{self.key}[{n}]") for n, value in enumerate(self.value)]

    def text(self) -> str:
        """Returns the value as printable text."""
        if not isinstance(self.value, str) or not self.value.isprintable():
            raise self.wrong(say("must be a text"))
        return self.value

    def choice(self, known: Collection[str]) -> str:
        if not isinstance(self.value, str) or self.value not in known:
            raise self.wrong(say("must be one of {known}", known=", ".join(known)))
        return self.value

    def texts(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self.items())

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.wrong(say("must be true or false"))
        return self.value

    def number(self, least: float, most: float) -> float:
        """Returns the value as a number in a range, both ends included."""
        value = self.value
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(say("must be a number from {least:g} to {most:g}", least=least, most=most))
        return float(value)

    def numbers(self, count: int, least: float, most: float) -> tuple[float, ...]:
        """Returns the values of a list of `count` such numbers."""
        return tuple(item.number(least, most) for item in self.items(count))

    def whole(self, least: int, most: int) -> int:
        """Returns the value as a whole number in a range, both ends included."""
        number = self.number(least, most)
        if not number.is_integer():
            raise self.wrong(say("must be a whole number"))
        return int(number)

    def wholes(self, count: int, least: int, most: int) -> tuple[int, ...]:
        """Returns the values of a list of `count` such whole numbers."""
        return tuple(item.whole(least, most) for item in self.items(count))

    def wrong(self, words: str) -> JsonValueError:
        """Returns an error that says of this value's key what is wrong."""
        return JsonValueError(say("{key} {problem}", key=self.key or say("it"), problem=words))
