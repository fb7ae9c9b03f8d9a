"""What portable notations share, PGN of chess and PDN of draughts: tags, results, and comments with authors.

A comment names its author as `[%by white]`, in the form that PGN has for commands; programs that do not know
it leave it alone. The notations know no braces in a comment: they become parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from companion.record import Note, Record, standing_notes, tidy_note
from companion.session import Session

TAGS = {"white": "White", "black": "Black", "event": "Event", "place": "Site", "round": "Round"}
"""The tags of what a record's head names."""
AUTHOR = re.compile(r"\s*\[%by (\w*)\]\s*")
NO_BRACES = str.maketrans("{}", "()")


class Parsed(NamedTuple):
    """A game that was read: its head, its moves as the game spells them, the comments on them, when it began
    (seconds since 1970, or 0), and the winner by its tags: '' for a draw, None while it goes on."""

    head: dict[str, str]
    moves: list[str]
    notes: tuple[Note, ...]
    started: float
    winner: str | None


def notes_by_line(record: Record) -> dict[int, list[Note]]:
    """The comments that stand, by the line of the log that they are on."""
    said: dict[int, list[Note]] = {}
    for note in standing_notes(record.notes):
        said.setdefault(note.line, []).append(note)
    return said


def write_notes(notes: Iterable[Note]) -> str:
    """The comments on a line as one; one by nobody known comes first, without a mark."""
    marked = sorted((bool(n.by), f"[%by {n.by}] {n.text}" if n.by else n.text) for n in notes)
    return " ".join(text for _, text in marked).translate(NO_BRACES)


def read_notes(comment: str, line: int) -> Iterator[Note]:
    """The comments that a comment on a line consists of."""
    first, *rest = AUTHOR.split(comment)
    for by, text in (("", first), *zip(rest[::2], rest[1::2], strict=True)):
        if text.strip():
            yield Note(tidy_note(text), line, by)


def read_start(tags: Mapping[str, str]) -> float:
    """When a game began by its tags; 0 where they do not say."""
    date, clock = tags.get("UTCDate") or tags.get("Date", ""), tags.get("UTCTime", "12:00:00")
    try:
        return datetime.strptime(f"{date} {clock} +0000", "%Y.%m.%d %H:%M:%S %z").timestamp()
    except ValueError:
        return 0.0


def tags_of(record: Record, session: Session, further: Mapping[str, str]) -> dict[str, str]:
    """A game's tags, with further ones of its notation."""
    tags = {tag: record.head.get(key, "?").replace('"', "'") for key, tag in TAGS.items()}
    tags |= {"Date": "????.??.??", "Result": result_of(session), **further}
    if record.began:
        began = datetime.fromtimestamp(record.began, UTC)
        tags["Date"] = tags["UTCDate"] = began.strftime("%Y.%m.%d")
        tags["UTCTime"] = began.strftime("%H:%M:%S")
    return tags


def result_of(session: Session) -> str:
    """How a game ended, as the notations spell it."""
    outcome = session.outcome
    if outcome is None:
        return "*"
    results: Mapping[str | None, str] = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
    return results[outcome.winner]
