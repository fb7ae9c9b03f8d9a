"""Messages: English words that remember how they were made, so that they can be said in another language.

A template holds a whole sentence or a whole name, with fields in braces: translators may order them as their
language needs it. A field may ask for a form of its value: `{piece:the}` is 'the white king'. In English the
forms are `the` and `a`; in a catalogue a form is the context (`msgctxt`) in which the value's own words are
looked up, so `{piece:den}` finds 'den weißen König' where a translator has entered it.

Where one English word is several in other languages, what it is said of is its context: the king of draughts
is not that of chess in German (`say_in`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

Phrases: TypeAlias = Mapping[Any, str]
"""Templates in a table: `.ci/catalogues` finds the texts of a constant that is annotated so."""
NamedPhrases: TypeAlias = Mapping[str, str]
"""The same, where each has a name."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A language: how it says texts, and how it writes numbers."""

    words: Callable[[Template, str], str | None]
    """Finds the words of a template in a form ('' for the plain one); None where there are none."""
    point: str = "."
    """What stands before the decimals of a number."""


class Message(str):
    """Words in English, which a catalogue can say in another language. It is and compares as a plain text."""

    __slots__ = ()

    def __str__(self) -> str:
        """Returns the message itself: `str` of it, or of an error that it is the text of, forgets nothing."""
        return self

    def __format__(self, form: str) -> str:
        return english(self, form) if form else self

    def rendered(self, lookup: Lookup, form: str = "") -> str:
        """Returns the message in the words that `lookup` finds, and in English where it finds none."""
        raise NotImplementedError

    def with_values(self, change: Callable[[Any], Any]) -> Message:
        return self


class _Said:
    """A message among the values of a template, which is said by the same lookup as the template."""

    def __init__(self, message: Message, lookup: Lookup) -> None:
        self.message, self.lookup = message, lookup

    def __format__(self, form: str) -> str:
        return self.message.rendered(self.lookup, form)


class _Figure(float):
    """A number among the values of a template, with what a language has before decimals."""

    point: str

    def __format__(self, form: str) -> str:
        return super().__format__(form).replace(".", self.point)


def _value(value: object, lookup: Lookup) -> object:
    """Returns a value of a template as it formats itself in a language."""
    if isinstance(value, Message):
        return _Said(value, lookup)
    if isinstance(value, float) and lookup.point != ".":
        figure = _Figure(value)
        figure.point = lookup.point
        return figure
    return value


class Template(Message):
    """A message from one template, or from a pair of them for one and for many."""

    __slots__ = ("context", "many", "number", "one", "values")
    context: str
    """Where the words are said, if they mean something else there; '' for nowhere in particular."""
    one: str
    many: str
    number: int
    values: Mapping[str, object]

    def rendered(self, lookup: Lookup, form: str = "") -> str:
        words = lookup.words(self, form)
        if words is None:
            return english(self, form)
        return words.format_map({key: _value(value, lookup) for key, value in self.values.items()})

    def with_values(self, change: Callable[[Any], Any]) -> Message:
        values = {key: change(value) for key, value in self.values.items()}
        return _template(self.one, self.many, self.number, values, self.context)


class Series(Message):
    """A message of several parts: sentences in a row, or the items of a list."""

    __slots__ = ("joined", "parts")
    joined: Callable[[Sequence[str], Lookup], str]
    parts: tuple[str, ...]

    def rendered(self, lookup: Lookup, form: str = "") -> str:
        parts = [part.rendered(lookup, form) if isinstance(part, Message) else part for part in self.parts]
        return self.joined(parts, lookup)

    def with_values(self, change: Callable[[Any], Any]) -> Message:
        return _series(self.joined, [change(part) for part in self.parts])


def say(template: str, /, **values: object) -> Template:
    """Returns the words of a template with its fields filled in."""
    return _template(template, "", 1, values)


def say_in(context: str, template: str, /, **values: object) -> Template:
    """Returns the words of a template as they are said in a context: the 'king' of 'draughts'."""
    return _template(template, "", 1, values, context)


def say_text(text: str, context: str = "") -> Template:
    """Returns a text from outside, as a catalogue may know it in a context. It is no template: its braces are
    braces."""
    return say_in(context, text.replace("{", "{{").replace("}", "}}"))


def say_count(one: str, many: str, n: int, /, **values: object) -> Template:
    """Returns the words for a number of things: `one` for one, `many` for others; `{n}` is the number."""
    return _template(one, many, n, {"n": n, **values})


def sentences(*parts: str) -> Message:
    """Returns sentences in a row, without those that are empty."""
    return _series(_in_a_row, [part for part in parts if part])


def listed(items: Sequence[str], last: str = "and") -> Message:
    """Returns a list in words: 'a, b and c'; with `last="or"`: 'a, b or c'."""
    return _series(partial(_ended_by, _OR if last == "or" else _AND), items)


def english(words: Message, form: str = "") -> str:
    """Returns a message in English, in a form: `the` or `a` puts the article before it."""
    return words.rendered(ENGLISH_LOOKUP, form)


def _template(one: str, many: str, number: int, values: Mapping[str, object], context: str = "") -> Template:
    # An error stands for the message that it is the text of.
    values = {key: str(value) if isinstance(value, Exception) else value for key, value in values.items()}
    # The text of a `str` is fixed when it is made.
    message = Template((many if many and number != 1 else one).format_map(values))
    message.one, message.many, message.number, message.values = one, many, number, values
    message.context = context
    return message


def _series(joined: Callable[[Sequence[str], Lookup], str], parts: Sequence[str]) -> Series:
    message = Series(joined(parts, ENGLISH_LOOKUP))
    message.joined, message.parts = joined, tuple(parts)
    return message


def _say_english(template: Template, form: str) -> str:
    words = template.many if template.many and template.number != 1 else template.one
    if form == "the":
        return f"the {words}"
    if form == "a":
        first = (template or words)[0]  # of the words with the fields filled in
        return f"an {words}" if first in "aeiouA" else f"a {words}"
    return words


ENGLISH_LOOKUP = Lookup(_say_english)
_AND = say("{items} and {last}", items="", last="")
_OR = say("{items} or {last}", items="", last="")


def _in_a_row(parts: Sequence[str], _: Lookup) -> str:
    return " ".join(parts)


def _ended_by(pattern: Template, parts: Sequence[str], lookup: Lookup) -> str:
    if len(parts) < 2:
        return "".join(parts)
    words = lookup.words(pattern, "") or pattern.one
    return words.format(items=", ".join(parts[:-1]), last=parts[-1])
