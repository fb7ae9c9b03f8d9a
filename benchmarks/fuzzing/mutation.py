"""Changes valid inputs a little: bytes, texts and JSON, each as people, programs and failing disks do."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

Keys: TypeAlias = tuple[str | int, ...]

CHARACTERS = "\0\t\n\r \x0b\x1c\x7f\x85\xa0\u2028\ufeff\ufffd‮ñ½♞𝄞{}[]();=%\"'\\/+-*0"
"""Characters that are blanks, ends of lines or marks to somebody."""
NUMBERS: tuple[float, ...] = (
    0,
    -1,
    1,
    0.5,
    3,
    255,
    1e-300,
    1e300,
    -1e300,
    10**400,
    float("inf"),
    float("nan"),
)
VALUES: tuple[object, ...] = (None, True, False, "", "a", "a1", "\ud800", [], {}, [[]], [1, 2], {"a": 1})


def mutated_text(text: str, chance: Random, words: Sequence[str] = ()) -> str:
    """Returns a text with one change; `words` are such as mean something in it."""
    return chance.choice(TEXT_CHANGES)(text, chance, words)


def _without_span(text: str, chance: Random, words: Sequence[str]) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + text[at + chance.randint(1, 12) :]


def _cut_off(text: str, chance: Random, words: Sequence[str]) -> str:
    return text[: chance.randrange(len(text) + 1)]


def _with_character(text: str, chance: Random, words: Sequence[str]) -> str:
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(CHARACTERS) + text[at + chance.randint(0, 1) :]


def _with_word(text: str, chance: Random, words: Sequence[str]) -> str:
    parts = text.split(" ")
    parts[chance.randrange(len(parts))] = chance.choice(words or CHARACTERS)
    return " ".join(parts)


def _with_line_again(text: str, chance: Random, words: Sequence[str]) -> str:
    lines = text.split("\n")
    lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    return "\n".join(lines)


def _without_line(text: str, chance: Random, words: Sequence[str]) -> str:
    lines = text.split("\n")
    del lines[chance.randrange(len(lines))]
    return "\n".join(lines)


def _with_lines_exchanged(text: str, chance: Random, words: Sequence[str]) -> str:
    lines = text.split("\n")
    a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]
    return "\n".join(lines)


TEXT_CHANGES: tuple[Callable[[str, Random, Sequence[str]], str], ...] = (
    _without_span,
    _cut_off,
    _with_character,
    _with_word,
    _with_line_again,
    _without_line,
    _with_lines_exchanged,
)


def mutated_bytes(content: bytes, chance: Random) -> bytes:
    """Returns bytes of which some are other ones, missing, doubled, or zero."""
    if not content:
        return chance.randbytes(chance.randint(1, 8))
    at, size = chance.randrange(len(content)), chance.randint(1, 8)
    before, span, after = content[:at], content[at : at + size], content[at + size :]
    kind = chance.randrange(6)
    if kind == 0:
        return before + chance.randbytes(len(span)) + after
    if kind == 1:
        return before + bytes((span[0] ^ 1 << chance.randrange(8),)) + span[1:] + after
    if kind == 2:
        return before + after
    if kind == 3:
        return before + span + span + after
    return before + bytes(len(span)) + after if kind == 4 else before


def mutated_json(data: Any, chance: Random, words: Sequence[str] = ()) -> Any:
    """Returns a copy of a JSON value in which one value is changed, missing, doubled, or another's."""
    places = list(places_in(data))
    keys = chance.choice(places)
    out = copy.deepcopy(data)
    if not keys:
        return mutated_value(out, chance, words)
    *path, last = keys
    home = value_at(out, tuple(path))
    kind = chance.randrange(8)
    if kind == 0:
        del home[last]
    elif kind == 1 and isinstance(home, list):
        home.insert(int(last), copy.deepcopy(home[int(last)]))
    elif kind == 1:
        home[f"{last}{chance.choice('a1 ')}"] = copy.deepcopy(home[last])
    elif kind == 2:
        home[last] = copy.deepcopy(value_at(data, chance.choice(places)))
    else:
        home[last] = mutated_value(home[last], chance, words)
    return out


def mutated_value(value: object, chance: Random, words: Sequence[str] = ()) -> object:
    """Returns another value: mostly one of the same kind, so that it is looked at more closely."""
    if chance.random() < 0.2:
        return chance.choice(VALUES)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        near = value + chance.choice((-1, 1, 0.5, 1e-9))
        return chance.choice((near, near, -value, value * 10, chance.choice(NUMBERS)))
    if isinstance(value, str):
        return chance.choice(words) if words and chance.random() < 0.5 else mutated_text(value, chance)
    if isinstance(value, list):
        return chance.sample(value, len(value)) if chance.random() < 0.5 else value[: len(value) // 2]
    if isinstance(value, dict):
        return dict(chance.sample(list(value.items()), len(value) // 2))
    return chance.choice(VALUES)


def places_in(data: Any, keys: Keys = ()) -> Iterator[Keys]:
    """Yields the keys that lead to each value. Of a list's like values only some are named, so that others
    are chosen as often."""
    yield keys
    inner = list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []
    for key in inner if len(inner) < 12 else (*inner[:4], *inner[4 :: len(inner) // 6]):
        yield from places_in(data[key], (*keys, key))


def value_at(data: Any, keys: Keys) -> Any:
    """Returns the value to which keys lead."""
    for key in keys:
        data = data[key]
    return data
