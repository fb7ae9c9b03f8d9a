"""Writes a game's whole log as text, and reads it: a head of `key: value` lines, then a line for each entry.

Unlike a game text, which holds the actions that stand, a record holds all that happened: takebacks, refused
actions and corrections, where each came from, and how sure that was. Comments follow the entry that they are
about. A record that is read back makes the same session, entry for entry.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, unquote

from companion.core.comments import tidy_comment, tidy_line
from companion.core.game import GameError
from companion.games.text import Game, read_game, split
from companion.language import say
from companion.record.clock import parse_controls
from companion.record.session import KINDS, Entry, Session, restore

FIRST_LINE = "Board Companion record 1"
VERSIONED = re.compile(r"Board Companion record \d+")
HEAD = re.compile(r"([a-z][a-z0-9 _-]*): *(.*)", re.IGNORECASE)
LINE = re.compile(r"(\d{4}-\S+(?:Z|[+-]\d\d:\d\d)) +([a-z]+)(?: +([^{\s][^{]*?))?(?: +\{(.*)\})?")
TIME = re.compile(r"\d{4}-")
BLANKS = str.maketrans("\t\u00a0", "  ")
"""Blanks that no line of a record has: in its words they are written otherwise."""
MARK = re.compile(r"([a-z]+)=(\S+)")
COUNT = re.compile(r"\d{1,9}", re.ASCII)
COMMENT, GAME, STARTED = "comment", "game", "started"
CORRECTS = "corrects"
"""The key in the head of a corrected game that names the game it was made from."""
LONGEST_CLOCK = 1e9
"""Seconds."""
EXAMPLE = "2026-01-31T14:02:11.250Z"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class RecordError(GameError):
    """A record that cannot be read or made: the line, and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Note:
    """A comment on a game by a player or the arbiter; an empty one takes back its author's comment there.

    `line` is the line of the log that it is about, from 1; 0 is the game as a whole.
    """

    text: str
    line: int = 0
    by: str = ""
    time: float = 0.0


@dataclass(frozen=True)
class Record:
    """A game as it is kept: its head (names, place, date…), its log, and comments on it.

    `notes` are in the order of their lines. `started` is in seconds since 1970, 0 where nobody knows.
    """

    game: Game
    log: tuple[Entry, ...]
    head: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    started: float = 0.0

    def session(self) -> Session:
        return restore(self.game, self.log)

    @property
    def began(self) -> float:
        """Returns when the game was begun, else when its first entry was made: seconds since 1970, or 0."""
        return self.started or (self.log[0].time if self.log else 0.0)


def is_moment(seconds: float) -> bool:
    """Returns whether seconds since 1970 are a moment that a calendar has: of the years 1 to 9999, to the
    last millisecond."""
    return -62_135_596_800 <= seconds <= 253_402_300_799.999


def standing_notes(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Returns the comments that stand: of each author the last one on each line, if it is not empty."""
    latest = {(note.line, note.by): note for note in notes}
    return tuple(sorted((n for n in latest.values() if n.text), key=lambda n: n.line))


def write_record(record: Record) -> str:
    """Returns the record as text, which ends with a line break."""
    head = {k: v for k, v in record.head.items() if k not in (GAME, STARTED)}
    if record.started:
        head[STARTED] = write_time(record.started)
    lines = [f"{key}: {' '.join(value.split())}" for key, value in head.items()]
    return "\n".join((FIRST_LINE, f"{GAME}: {record.game.head}", *lines, "", *_write_log(record))) + "\n"


def read_record(text: str) -> Record:
    """Reads the record of a text; the game is not replayed yet.

    RecordError names the line that is wrong, ClockError a time control that cannot be read.
    """
    lines = text.splitlines()
    if lines and VERSIONED.fullmatch(lines[0].strip()) and lines[0].strip() != FIRST_LINE:
        raise RecordError(
            say("line 1: a later version wrote '{line}': update this one", line=lines[0].strip())
        )
    if not lines or lines[0].strip() != FIRST_LINE:
        raise RecordError(say("line 1: a record begins with '{line}'", line=FIRST_LINE))
    head: dict[str, str] = {}
    told = list(_lines_told(lines))
    split_at = next((at for at, (_, line) in enumerate(told) if not is_of_head(line)), len(told))
    for n, line in told[:split_at]:
        key, value = _read_head(n, line)
        if key in head:
            raise RecordError(say("line {number}: '{key}' is told a second time", number=n, key=key))
        head[key] = value
    if GAME not in head:
        raise RecordError(say("the head has no line 'game: …'"))
    game = read_game(head.pop(GAME))
    if "clock" in head:
        parse_controls(head["clock"], game.rules.players(game.start()))
    started = _read_time(head.pop(STARTED), f"'{STARTED}'") if STARTED in head else 0.0
    log: list[Entry] = []
    notes: list[Note] = []
    for n, line in told[split_at:]:
        _read_line(n, line, log, notes)
    return Record(game, tuple(log), head, tuple(notes), started)


def _lines_told(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields the lines of a record after its first, with their numbers. E-mails break long ones, and pages
    have blanks of another kind."""
    begun: tuple[int, str] | None = None
    for number, told in enumerate(lines[1:], 2):
        line = told.translate(BLANKS).strip()
        if begun and line and not (TIME.match(line) or HEAD.fullmatch(line)):
            begun = begun[0], f"{begun[1]} {line}"
            continue
        if begun:
            yield begun
        begun = (number, line) if line else None
    if begun:
        yield begun


UNSEEN = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Marks that nobody sees: of files that were joined, of syllables and directions, and of pages from which a
game was copied."""


def bare(text: str) -> str:
    """Returns a text without marks that nobody sees, and without blanks around it."""
    return UNSEEN.sub("", text).strip()


def read_any(text: str) -> Record:
    """Reads a record, or a bare game text, of which every word is an action. GameError says what is wrong."""
    text = bare(text)
    if VERSIONED.match(text):
        return read_record(text)
    game, actions = split(text)
    log = tuple(Entry("action", action, source="text") for action in actions)
    return Record(game, log)


def is_of_head(line: str) -> bool:
    """Tells whether a line of a record may be of its head: those of the log begin with a time."""
    return not line.lstrip()[:1].isdigit()


def _write_log(record: Record) -> Iterator[str]:
    about: dict[int, list[Note]] = {}
    for note in record.notes:
        about.setdefault(note.line, []).append(note)
    yield from map(write_note, about.get(0, ()))
    for n, entry in enumerate(record.log, 1):
        yield write_entry(entry)
        yield from map(write_note, about.get(n, ()))


def write_entry(entry: Entry) -> str:
    """Returns an entry as its line in a record."""
    marks = {"by": entry.by, "source": entry.source}
    if (certainty := round(entry.certainty, 4)) < 1:
        marks["certainty"] = f"{certainty:.4f}"
    if entry.clock is not None:
        marks["clock"] = f"{entry.clock:.1f}"
    return _write_line(entry.time, entry.kind, entry.text, marks)


def write_note(note: Note) -> str:
    """Returns a comment as its line in a record."""
    return _write_line(note.time, COMMENT, note.text, {"by": note.by})


def _write_line(time: float, kind: str, text: str, marks: Mapping[str, str]) -> str:
    words = " ".join(f"{k}={_encode(v)}" for k, v in marks.items() if v)
    is_tidy = text == text.strip(" ")  # blanks at the edges of a line are not read back
    told = " ".join(map(_encode, text.split(" "))) if is_tidy else _encode(text)
    return " ".join(part for part in (write_time(time), kind, told, f"{{{words}}}" if words else "") if part)


def write_time(seconds: float, precision: str = "milliseconds") -> str:
    """Returns seconds since 1970 as ISO 8601 has them, in UTC, to milliseconds or `seconds`."""
    moment = EPOCH + timedelta(milliseconds=round(1000 * seconds))  # of itself it would be cut, not rounded
    return moment.isoformat(timespec=precision).replace("+00:00", "Z")


def _read_time(text: str, where: str) -> float:
    try:
        seconds = round(datetime.fromisoformat(text).timestamp(), 3)
    except (ValueError, OverflowError) as error:
        raise RecordError(
            say(
                "{where}: '{text}' is no time, such as {example}",
                where=where,
                text=text[:40],
                example=EXAMPLE,
            )
        ) from error
    if not is_moment(seconds):
        raise RecordError(say("{where}: '{text}' is not in the years 1 to 9999", where=where, text=text))
    return seconds


def _read_head(number: int, line: str) -> tuple[str, str]:
    match = HEAD.fullmatch(line.strip())
    if not match:
        raise RecordError(
            say("line {number}: write 'key: value', not '{text}'", number=number, text=line.strip())
        )
    key = match[1].lower()
    return key, match[2] if key in (GAME, STARTED) else tidy_line(match[2])


def _read_line(number: int, line: str, log: list[Entry], notes: list[Note]) -> None:
    """Adds the entry or comment that a line of the log holds."""
    match = LINE.fullmatch(line)
    if not match or match[2] not in (*KINDS, COMMENT):
        raise RecordError(
            say("line {number}: write 'TIME KIND TEXT {{…}}', not '{line}'", number=number, line=line)
        )
    when, kind, text, words = match.groups()
    seconds, told = _read_time(when, say("line {number}", number=number)), unquote(text or "")
    marks = {key: unquote(value) for key, value in MARK.findall(words or "")}
    if kind == COMMENT:
        notes.append(Note(tidy_comment(told), len(log), marks.get("by", ""), seconds))
        return
    if kind == "takeback" and not COUNT.fullmatch(told):
        raise RecordError(
            say(
                "line {number}: 'takeback' needs the number of actions, not '{told}'",
                number=number,
                told=told[:40],
            )
        )
    certainty = _read_number(number, marks, "certainty", 1)
    clock = _read_number(number, marks, "clock", LONGEST_CLOCK)
    by, source = marks.get("by", ""), marks.get("source", "")
    log.append(Entry(kind, told, by, source, 1.0 if certainty is None else certainty, seconds, clock))


def _read_number(line: int, marks: Mapping[str, str], key: str, most: float) -> float | None:
    """Reads the number of a mark, from 0 to `most`; None where the mark is not there."""
    if key not in marks:
        return None
    try:
        value = float(marks[key])
    except ValueError:
        value = math.nan
    if not 0 <= value <= most:  # nan is not, either
        raise RecordError(
            say(
                "line {line}: '{key}' is a number from 0 to {most:g}, not '{value}'",
                line=line,
                key=key,
                most=most,
                value=marks[key][:40],
            )
        )
    return value


def _encode(word: str) -> str:
    return "".join(c if c.isprintable() and c not in "% {}" else quote(c, safe="") for c in word)
