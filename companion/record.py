"""A game's whole log as text: a head of `key: value` lines, then a line for each entry.

Unlike a game text, which holds the actions that stand, a record holds all that happened: takebacks,
refused actions, corrections, and where each came from and how sure that was. It reads back to the same
session, entry for entry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import quote, unquote

from companion.core import GameError
from companion.session import KINDS, Entry, Session, restore
from companion.text import Game, read_game, split

FIRST_LINE = "Board Companion record 1"
HEAD = re.compile(r"([a-z][a-z0-9 _-]*): *(.*)")
LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) +([a-z]+)(?: +([^{\s][^{]*?))?(?: +\{(.*)\})?")
MARK = re.compile(r"([a-z]+)=(\S+)")


class RecordError(GameError):
    """A record that cannot be read: the line and what is wrong with it."""


@dataclass(frozen=True)
class Record:
    """A game as it is kept: its head (`game`, names, place, date…) and its log."""

    game: Game
    log: tuple[Entry, ...]
    head: Mapping[str, str] = field(default_factory=dict)

    def session(self) -> Session:
        return restore(self.game, self.log)


def write_record(record: Record) -> str:
    """The record as text; ends with a line break."""
    head = [f"{key}: {' '.join(value.split())}" for key, value in record.head.items() if key != "game"]
    lines = [FIRST_LINE, f"game: {record.game.head}", *head, "", *map(_write_entry, record.log)]
    return "\n".join(lines) + "\n"


def read_record(text: str) -> Record:
    """The record of a text. RecordError names the line that is wrong; the game is not replayed yet."""
    lines = text.splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise RecordError(f"line 1: a record begins with '{FIRST_LINE}'")
    split_at = lines.index("") if "" in lines else len(lines)
    head = dict(_read_head(n, line) for n, line in enumerate(lines[1:split_at], 2))
    if "game" not in head:
        raise RecordError("the head has no line 'game: …'")
    entries = [(n, line) for n, line in enumerate(lines[split_at + 1 :], split_at + 2) if line.strip()]
    return Record(read_game(head["game"]), tuple(_read_entry(n, line) for n, line in entries), head)


def read_any(text: str) -> Record:
    """A record, or a bare game text (of which every word is an action). GameError says what is wrong."""
    if text.lstrip().startswith(FIRST_LINE):
        return read_record(text.lstrip())
    game, actions = split(text)
    log = tuple(Entry("action", action, source="text") for action in actions)
    return Record(game, log, {"game": game.head})


def _write_entry(entry: Entry) -> str:
    when = datetime.fromtimestamp(entry.time, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    marks = {"by": entry.by, "source": entry.source}
    if entry.certainty < 1:
        marks["certainty"] = f"{entry.certainty:.4f}"
    if entry.clock is not None:
        marks["clock"] = f"{entry.clock:.1f}"
    words = " ".join(f"{k}={_encode(v)}" for k, v in marks.items() if v)
    text = " ".join(_encode(word) for word in entry.text.split())
    return " ".join(part for part in (when, entry.kind, text, f"{{{words}}}" if words else "") if part)


def _read_head(number: int, line: str) -> tuple[str, str]:
    match = HEAD.fullmatch(line.strip())
    if not match:
        raise RecordError(f"line {number}: write 'key: value', not '{line.strip()}'")
    return match[1], match[2]


def _read_entry(number: int, line: str) -> Entry:
    match = LINE.fullmatch(line.strip())
    if not match or match[2] not in KINDS:
        raise RecordError(f"line {number}: write 'TIME KIND TEXT {{…}}', not '{line.strip()}'")
    when, kind, text, words = match.groups()
    marks = dict(MARK.findall(words or ""))
    try:
        seconds = datetime.fromisoformat(when).timestamp()
        certainty = float(marks.get("certainty", 1))
        clock = float(marks["clock"]) if "clock" in marks else None
    except ValueError as error:
        raise RecordError(f"line {number}: {error}") from error
    by, source = unquote(marks.get("by", "")), unquote(marks.get("source", ""))
    return Entry(kind, unquote(text or ""), by, source, certainty, round(seconds, 3), clock)


def _encode(word: str) -> str:
    return "".join(c if c.isprintable() and c not in "% {}" else quote(c, safe="") for c in word)
