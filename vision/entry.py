"""Values from a file's JSON, each with the key it stands under: asked for what it must be, a value that is
something else is refused by that key.
"""

from __future__ import annotations

from dataclasses import dataclass


class EntryError(ValueError):
    """A value that is not what it must be: one line that names its key."""


@dataclass(frozen=True)
class Entry:
    """A value, None where there is none, and the keys that lead to it: `models[2].mean`."""

    value: object
    key: str = ""

    def __getitem__(self, name: str) -> Entry:
        """What an object holds under a name."""
        value = self.object().get(name)
        return Entry(value, f"{self.key}.{name}" if self.key else name)

    def object(self) -> dict[str, object]:
        if not isinstance(self.value, dict):
            raise self.wrong("must be an object")
        return self.value

    def pairs(self) -> list[tuple[str, Entry]]:
        """The names and values of an object."""
        return [(name, self[name]) for name in self.object()]

    def items(self, count: int | None = None) -> list[Entry]:
        """The values of a list, of so many of them."""
        if not isinstance(self.value, list):
            raise self.wrong("must be a list")
        if count not in (None, len(self.value)):
            raise self.wrong(f"must have {count} values")
        return [Entry(value, f"{self.key}[{n}]") for n, value in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value.isprintable():
            raise self.wrong("must be a text")
        return self.value

    def texts(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self.items())

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.wrong("must be true or false")
        return self.value

    def number(self, least: float, most: float) -> float:
        value = self.value
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(f"must be a number from {least:g} to {most:g}")
        return float(value)

    def numbers(self, count: int, least: float, most: float) -> tuple[float, ...]:
        return tuple(item.number(least, most) for item in self.items(count))

    def whole(self, least: int, most: int) -> int:
        number = self.number(least, most)
        if not number.is_integer():
            raise self.wrong("must be a whole number")
        return int(number)

    def wholes(self, count: int, least: int, most: int) -> tuple[int, ...]:
        return tuple(item.whole(least, most) for item in self.items(count))

    def wrong(self, words: str) -> EntryError:
        return EntryError(f"{self.key or 'it'} {words}")
