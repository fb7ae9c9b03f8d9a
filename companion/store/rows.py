"""Reads rows of the store's file as games, and says which of them a failing disk has damaged.

SQLite keeps whatever it finds in a column: a bad sector leaves bytes that are no text, numbers that are none,
lines that are missing. Here a row becomes a value only where it has the shape that the store gives it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from companion.core.game import GameError
from companion.language import say
from companion.record.record import COUNT, Note, is_moment, write_time
from companion.record.session import KINDS, Entry

ROWS = (
    "SELECT id, games.game, head, started, plies, result, deleted"
    " FROM games JOIN summaries ON summaries.game = id"
)
"""The rows that `read_summary` reads."""


DAMAGED = "damaged"
"""The key in the head of a game that was repaired: what of it is lost."""


class StoreError(GameError):
    """Games that cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A game in the list of games; `started` is 0 where nobody knows."""

    id: int
    game: str
    head: Mapping[str, str]
    started: float
    plies: int
    result: str
    deleted: bool
    is_damaged: bool = False
    """True where the row could not be read, and only the number and what is left of the rest are known; and
    where the game was repaired, and its head says what is lost."""

    def to_json(self) -> dict[str, Any]:
        """Returns the line of the list of games, as the command line and the page's API give it."""
        return {
            "number": self.id,
            "game": self.game,
            "head": dict(self.head),
            "started": write_time(self.started, "seconds") if self.started else None,
            "plies": self.plies,
            "result": self.result or None,
            "deleted": self.deleted,
            "damaged": self.is_damaged,
        }


def decode(content: bytes) -> str:
    """Returns a text of the file. Bytes that are none become half characters, which no text has."""
    return content.decode(errors="surrogateescape")


def read_summary(row: tuple[Any, ...]) -> Summary:
    """Returns the summary of a row (number, game text, head, start, plies, result, when it was deleted)."""
    number, game, head, started, plies, result, deleted = row
    known = _head_of(head)
    return Summary(
        id=number,
        game=game if is_text(game) else "",
        head=known or {},
        started=known_start(started) if _is_number(started) else 0.0,
        plies=plies if isinstance(plies, int) else 0,
        result=result if is_text(result) else "",
        deleted=deleted is not None,
        is_damaged=known is None or DAMAGED in known or not _is_whole(game, started, plies, result),
    )


def _is_whole(game: object, started: object, plies: object, result: object) -> bool:
    return is_text(game) and _is_number(started) and isinstance(plies, int) and is_text(result)


def read_head(number: int, text: object) -> Mapping[str, str]:
    """Returns the head of a game. StoreError where it is damaged."""
    head = _head_of(text)
    if head is None:
        raise damaged(number, say("its names cannot be read"))
    return head


def read_entry(number: int, line: int, row: tuple[Any, ...]) -> Entry:
    """Returns line `line` (from 0) of a game's log. StoreError where it is damaged or missing."""
    n, kind, text, by, source, certainty, time, clock = row
    is_whole = (
        n == line
        and kind in KINDS
        and all(map(is_text, (text, by, source)))
        and _is_number(certainty)
        and _is_time(time)
        and (clock is None or _is_number(clock))
        and (kind != "takeback" or COUNT.fullmatch(text) is not None)
    )
    if not is_whole:
        raise damaged(number, say("line {line} of its log cannot be read", line=line + 1))
    return Entry(kind, text, by, source, certainty, time, clock)


def read_note(number: int, row: tuple[Any, ...]) -> Note:
    """Returns a comment on a game. StoreError where it is damaged."""
    text, line, by, time = row
    if not (is_text(text) and isinstance(line, int) and is_text(by) and _is_time(time)):
        raise damaged(number, say("a comment on it cannot be read"))
    return Note(text, line, by, time)


def known_start(started: float) -> float:
    """Returns when a game was begun; 0 for a time that no calendar has, which earlier versions took in."""
    return started if is_moment(started) else 0.0


def damaged(number: int, what: str) -> StoreError:
    return StoreError(
        say(
            "game {number} is damaged: {what}. 'companion records check' names all that are",
            number=number,
            what=what,
        )
    )


def _head_of(text: object) -> Mapping[str, str] | None:
    """Returns what a head holds; None where it is none."""
    try:
        head = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(head, dict) or not all(map(is_text, (*head, *head.values()))):
        return None
    return head


def is_text(value: object) -> TypeGuard[str]:
    """Returns whether this is a text, all of which can be written as UTF-8."""
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def is_duration(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < math.inf


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and is_moment(value)
