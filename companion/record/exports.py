"""Writes a game in the forms in which it leaves: record, game text, the notations of its game, the Abstract
Play game record, pictures and a score sheet.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from html import unescape
from itertools import pairwise
from pkgutil import resolve_name
from urllib.parse import unquote

from companion import games
from companion.core import whole_files
from companion.core.game import GameError
from companion.language import ENGLISH, say, say_count
from companion.record.notations import FoundGames, find_notated, is_notated, notations, write_notated
from companion.record.record import (
    UNSEEN,
    VERSIONED,
    Record,
    RecordError,
    is_of_head,
    read_any,
    write_record,
    write_time,
)
from companion.record.review import rounds, spell
from companion.record.session import Session

SITE = "Board Companion"
PADDING = "\0\x1a"
"""What old systems put behind the end of a text."""


@dataclass(frozen=True)
class ExportForm:
    """A form in which a game leaves: the file's suffix, its media type (`kind`), and the function that makes
    it.

    Functions that draw are named as text, `module:function`, and loaded when they are used, since no module
    here knows how to draw. A picture shows one step of the game, which its function takes besides the record;
    the others that are drawn have words, and take their language.
    """

    suffix: str
    kind: str
    make: Callable[[Record], str] | str
    about: str
    of_step: bool = False

    @property
    def is_text(self) -> bool:
        return callable(self.make) or self.suffix == "svg"

    def write(self, record: Record, step: int | None = None, language: str = ENGLISH) -> bytes:
        """Returns the file; `step` is the last one unless given.

        GameError says why a game cannot have this form.
        """
        if callable(self.make):
            return self.make(record).encode()
        maker: Callable[..., bytes] = resolve_name(self.make)
        if self.of_step:
            return maker(record, check_step(record, step))
        return maker(record, language)


def check_step(record: Record, step: int | None) -> int:
    """Returns the step of a record that is meant: the last one unless given.

    RecordError where there is none such.
    """
    count = len(record.session().plies)
    if step is None:
        return count
    if not 0 <= step <= count:
        raise RecordError(say("the game has {count} steps: there is no step {step}", count=count, step=step))
    return step


def text(record: Record) -> str:
    """Returns the game text: the actions that stand. RecordError where a correction makes that impossible."""
    session = record.session()
    _refuse_corrected(session)
    return session.text + "\n"


NO_TEXT = say("This is no text: a record, a game text, PGN or PDN is wanted.")


def decoded(content: bytes) -> tuple[str, tuple[str, ...]]:
    """Returns the text of a file, and what has to be said of that: a line may be in Windows-1252, of which
    Latin-1's letters are a part. RecordError where it is none."""
    text, strays = whole_files.decoded(content)
    if not strays:
        return text, ()
    if "\0" in text and not is_notated(text):
        raise RecordError(NO_TEXT)
    number, encoding = strays[0]
    remark = say_count(
        "line {number} is read as {encoding}: it is not UTF-8",
        "{n} lines, the first of them line {number}, are read as {encoding}: they are not UTF-8",
        len(strays),
        number=number,
        encoding=encoding,
    )
    return text, (remark,)


AROUND = re.compile(r"^[ \t]*(?:>[ \t]?)+|^```\w*$|<[a-z/!][^<>]*>", re.MULTILINE | re.IGNORECASE)
"""What stands around the lines of a game that was sent: an e-mail's marks for quoted ones, fences of a chat,
tags of a page."""
FEN_ALONE = re.compile(r"(?:[1-8a-z]+/){7}[1-8a-z]+/?(?:[ _][wb]\b.*)?|[wb]:[wb][\dk].*", re.IGNORECASE)
BEGIN = re.compile(
    r"""
    ^ [ \t>]* (?: \[ [ \t]* \w+ \s [^]\n]+ \]
        | 1 (?: \s*\.[\s.…]* | \s+ ) (?: [A-Z]?[a-h][1-8] | \d\d?-\d )
        | Board\ Companion\ record\ \d )
    """,
    re.MULTILINE | re.VERBOSE,
)
"""The begin of a game behind words of whoever sends it: a tag, its first move, or a record."""


def find_games(text: str, takes_boards: bool = True) -> FoundGames:
    """Reads the games of a text: a record, a game text, or those games of a notation (PGN, PDN) that can be
    read. GameError where there is none, and unless it `takes_boards` where one names the file of its board.

    Where something cannot be read, the text is read once more without what was put around its lines.
    """
    text = UNSEEN.sub("", text.rstrip(PADDING))
    if "\0" in text:
        raise RecordError(NO_TEXT)
    plain = unescape(AROUND.sub(lambda around: "\n" if around[0][0] == "<" else "", text))
    readings, failures = list[FoundGames](), list[GameError]()
    for version in dict.fromkeys((text, plain)):
        try:
            readings.append(_find_plain(version, takes_boards))
        except GameError as error:
            failures.append(error)
            continue
        if not readings[-1].wrong:
            break
    if not readings:
        raise failures[-1]
    return min(readings, key=lambda found: len(found.wrong))


def _find_plain(text: str, takes_boards: bool) -> FoundGames:
    """Reads the games of a text that begins with one, or has words before the first."""
    remarks = tuple[str, ...]()
    if FEN_ALONE.fullmatch(text.strip()):
        text = f'[FEN "{text.strip()}"]'
    if not is_notated(text) and not _begins_game(text) and (begin := BEGIN.search(text)):
        count = text.count("\n", 0, begin.start())
        words = say("the game begins in line {line}: what stands before it is passed over", line=count + 1)
        remarks = (words,)
        text = count * "\n" + text[begin.start() :]
    found = find_notated(text) if is_notated(text) else _find_own(text, takes_boards)
    return replace(found, remarks=(*remarks, *found.remarks))


def _find_own(text: str, takes_boards: bool) -> FoundGames:
    """Reads the records and game texts of a text, each of which begins on a line of its own."""
    lines = text.splitlines(keepends=True)
    if not takes_boards and any("board=" in unquote(line) for line in lines if is_of_head(line)):
        raise RecordError(say("a game on a board of its own is imported on the command line"))
    starts = [n for n, line in enumerate(lines) if _begins_game(line)]
    if len(starts) < 2 or "".join(lines[: starts[0]]).strip():
        return FoundGames((read_any(text),))
    records, wrong = list[Record](), list[str]()
    for start, end in pairwise([*starts, len(lines)]):
        try:
            record = read_any("".join(lines[start:end]))
            record.session()
        except GameError as error:
            wrong.append(say("the game from line {line} on: {problem}", line=start + 1, problem=error))
        else:
            records.append(record)
    if not records:
        raise RecordError(wrong[0])
    return FoundGames(tuple(records), tuple(wrong))


def _begins_game(line: str) -> bool:
    words = line.split(maxsplit=1)
    return bool(VERSIONED.match(line.lstrip())) or (bool(words) and words[0] in games.known())


def abstract_play(record: Record) -> str:
    """Returns the Abstract Play game record (JSON; its schema is AbstractPlay/recranks, gamerecord.json).

    A game that is not over is marked as unrated. RecordError where a correction makes a record impossible.
    """
    session = record.session()
    _refuse_corrected(session)
    began, ended = record.began, max((entry.time for entry in record.log), default=record.began)
    head: dict[str, object] = {
        "game": {"name": session.rules.title, "variants": list(session.game.given)},
        "site": {"name": record.head.get("place", SITE)},
        "date-start": write_time(began, "seconds"),
        "date-end": write_time(ended, "seconds"),
        "date-generated": write_time(ended, "seconds"),
        "players": [_player(session, record.head, seat) for seat in session.players],
    }
    if "event" in record.head and "round" in record.head:  # the schema wants both or neither
        head |= {"event": record.head["event"], "round": record.head["round"]}
    if session.outcome is None:
        head["unrated"] = True
    moves = [[spell(session, turn) or None for turn in turns] for turns in rounds(session)]
    return json.dumps({"header": head, "moves": moves}, ensure_ascii=False, indent=1) + "\n"


def _refuse_corrected(session: Session) -> None:
    if any(ply.entry.kind == "correction" for ply in session.plies):
        raise RecordError(say("an arbiter corrected this game: only --format record can hold it"))


def _player(session: Session, head: Mapping[str, str], seat: str) -> Mapping[str, object]:
    outcome = session.outcome
    return {"name": head.get(seat, seat), "result": int(outcome is not None and outcome.winner == seat)}


@cache
def formats() -> dict[str, ExportForm]:
    """Returns all forms by name: those of every game, and the notations of those that are played here."""
    own = {
        name: ExportForm(
            name,
            notation.media_type,
            partial(write_notated, name=name),
            say("{format}, for {game}", format=name.upper(), game=game),
        )
        for name, (notation, game) in notations().items()
    }
    return {
        "record": ExportForm("txt", "text/plain", write_record, say("all that happened, with comments")),
        "text": ExportForm("txt", "text/plain", text, say("the game text: the actions that stand")),
        **own,
        "abstract": ExportForm(
            "json", "application/json", abstract_play, say("the Abstract Play game record")
        ),
        "svg": ExportForm(
            "svg", "image/svg+xml", "web.drawing.diagrams:svg", say("a diagram of a step"), of_step=True
        ),
        "png": ExportForm(
            "png", "image/png", "web.drawing.diagrams:png", say("a diagram of a step"), of_step=True
        ),
        "gif": ExportForm(
            "gif", "image/gif", "web.drawing.diagrams:gif", say("the game as a moving picture")
        ),
        "webp": ExportForm(
            "webp", "image/webp", "web.drawing.diagrams:webp", say("the game as a moving picture, smaller")
        ),
        "pdf": ExportForm(
            "pdf", "application/pdf", "web.drawing.score_sheet:pdf", say("a score sheet to print")
        ),
    }


def forms_of(record: Record, session: Session | None = None) -> tuple[str, ...]:
    """Returns the names of the forms that a game can have. `session` is what its log comes to, if known."""
    is_corrected = any(ply.entry.kind == "correction" for ply in (session or record.session()).plies)
    barred = {name for name, (_, game) in notations().items() if game != record.game.rules.name}
    if is_corrected:
        barred |= {"text", "abstract"}
    return tuple(name for name in formats() if name not in barred)
