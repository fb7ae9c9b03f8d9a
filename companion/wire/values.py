"""The base of the wire's classes, and their texts and numbers, each with its meaning and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass
from typing import Annotated, Any, ClassVar, TypeAlias, dataclass_transform

from msgspec import Meta

MOST_ITEMS = 400
"""The most pieces, names, sources or choices that a reader takes, and the most characters of a name."""

Text: TypeAlias = Annotated[str, Meta(max_length=MOST_ITEMS)]
"""A name, a spelling."""
Words: TypeAlias = Annotated[str, Meta(max_length=10 * MOST_ITEMS)]
"""A sentence or some, or what people wrote."""
Whole: TypeAlias = Annotated[int, Meta(ge=0, lt=2**31)]
Number: TypeAlias = Annotated[float, Meta(gt=-1e12, lt=1e12)]
Time: TypeAlias = Annotated[float, Meta(gt=-1e12, lt=1e12, description="Seconds since 1970.")]


@dataclass_transform(frozen_default=True)
class Wire:
    """The base of what is sent: each class is a frozen dataclass.

    The text below a member says what it means; pages and documents are told so.
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls, *, kw_only: bool = False) -> None:
        dataclass(frozen=True, kw_only=kw_only)(cls)


def _named(name: str, words: str) -> Meta:
    return Meta(title=name, description=words, max_length=MOST_ITEMS)


Place: TypeAlias = Annotated[
    str,
    _named(
        "Place", "A site such as `a2`, a place beside the board, or the way between two sites, as `c4-c5`."
    ),
]
Look: TypeAlias = Annotated[
    str, _named("Look", "How a piece looks: `red/marked`, `white+T`; `empty` for nothing.")
]
Player: TypeAlias = Annotated[
    str, _named("Player", "A player's name in the rules: `red`, `white`, `solver`.")
]

Texts: TypeAlias = Annotated[Mapping[Text, Words], Meta(max_length=MOST_ITEMS)]
Places: TypeAlias = Annotated[tuple[Place, ...], Meta(max_length=MOST_ITEMS)]
Players: TypeAlias = Annotated[tuple[Player, ...], Meta(max_length=MOST_ITEMS)]
Pieces: TypeAlias = Annotated[Mapping[Place, Look], Meta(max_length=MOST_ITEMS)]


def one_of(*values: str) -> Meta:
    """Returns what describes a text that is one of these; a reader takes others, which a later version may
    have."""
    return Meta(extra_json_schema={"enum": list(values)})
