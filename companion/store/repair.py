"""Repairs a store: what can be read of a damaged one is saved into a new one, and nothing is overwritten.

A game whose log can be replayed in part keeps that part. What follows is kept as notes, as far as it can be
read, and the game's head says that it is damaged. The damaged file is set aside and stays as it is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.game import GameError
from companion.games.text import Game, read_game, split
from companion.record.record import CORRECTS, Note, Record
from companion.record.session import Entry, Session, as_note, begin, restore
from companion.store.connection import connect_to_salvage
from companion.store.opening import check_unused, find_file_damage, set_aside
from companion.store.rows import (
    DAMAGED,
    StoreError,
    is_text,
    known_start,
    read_entry,
    read_head,
    read_note,
)
from companion.store.store import Store

MOST_GAMES = 1_000_000
"""The highest number of a game that is looked for."""
NUMBERS = (
    "SELECT id FROM games ORDER BY id",
    "SELECT game FROM summaries ORDER BY game",
    "SELECT DISTINCT game FROM entries ORDER BY game",
    "SELECT DISTINCT game FROM notes ORDER BY game",
)
"""Queries of the numbers of games."""
ERRORS = (sqlite3.Error, UnicodeDecodeError, OverflowError)
"""Errors of SQLite at a row that it cannot read."""


@dataclass(frozen=True)
class Salvaged:
    """A game of a damaged store: its number there, its record as far as it can be read, and what is wrong.

    `record` is None where not even the game is known; `words` is '' where nothing is wrong.
    """

    number: int
    record: Record | None
    words: str = ""
    is_deleted: bool = False


@dataclass(frozen=True)
class Repair:
    """The result of a repair: the damaged store's name, under which it was set aside, and what became of
    games."""

    aside: Path
    games: tuple[tuple[Salvaged, int | None], ...]
    """Each game that was found, and its number in the store now; None where it could not be kept."""
    known: int = 0
    """How many others were in the store already."""


def find_damage(path: Path) -> str:
    """Returns what is wrong with a store, its file or the first of its games that is damaged; '' if nothing
    is."""
    if words := find_file_damage(path):
        return words
    return next((f"game {game.number}: {game.words}" for game in salvage(path) if game.words), "")


def repair(path: Path, now: float) -> Repair:
    """Saves what can be read of a store into a new one in its place, and sets it aside.

    The new store is whole before it takes the old one's name.
    """
    check_unused(path)
    draft = path.with_name(f"{path.name}.repaired")
    draft.unlink(missing_ok=True)  # of a repair that did not come to its end
    done = _save_all(path, draft, now)
    done = replace(done, aside=set_aside(path))
    draft.replace(path)
    return done


def bring_back(damaged: Path, path: Path, now: float) -> Repair:
    """Adds what can be read of a store that was set aside, or of another companion's, to the one that is in
    use. What is there already does not come again."""
    return _save_all(damaged, path, now)


def _save_all(damaged: Path, target: Path, now: float) -> Repair:
    found: list[tuple[Salvaged, int | None]] = []
    numbers: dict[int, int] = {}
    known = 0
    with Store(target, first=_highest(damaged) + 1) as store:
        for game in salvage(damaged):
            game = _renumbered(game, numbers)
            number = store.find(game.record, numbers.values()) if game.record else None
            if number is None:
                number = _save(store, game, now)
                found.append((game, number))
            else:
                known += 1
            if number is not None:
                numbers[game.number] = number
        seated = _latest(damaged)
        if store.latest() is None and any(number == seated for _, number in found):
            store.put_on(seated)
    return Repair(damaged, tuple(found), known)


def _renumbered(game: Salvaged, numbers: Mapping[int, int]) -> Salvaged:
    """Returns a corrected copy with the number that the game which it corrects has now."""
    record = game.record
    corrected = record.head.get(CORRECTS, "").removeprefix("game ") if record else ""
    if not record or not corrected.isdecimal() or int(corrected) not in numbers:
        return game
    head = {**record.head, CORRECTS: f"game {numbers[int(corrected)]}"}
    return replace(game, record=replace(record, head=head))


def _highest(path: Path) -> int:
    """Returns the highest number of a game in a damaged store, or 0."""
    with closing(connect_to_salvage(str(path))) as db:
        return max(_numbers(db), default=0)


def _save(store: Store, game: Salvaged, now: float) -> int | None:
    """Adds a game, under its own number where that is free; returns its number."""
    if game.record is None:
        return None
    try:
        number = store.add(game.record, number=game.number)
    except GameError:
        return None
    if game.is_deleted:
        store.delete(number, now)
    return number


def salvage(path: Path) -> Iterator[Salvaged]:
    """Yields the games of a damaged store, as far as they can be read."""
    with closing(connect_to_salvage(str(path))) as db:
        for number in _numbers(db):
            yield _salvage_game(db, number)


def _numbers(db: sqlite3.Connection) -> list[int]:
    """Returns the numbers of all games of which anything can be found, from either end of each table."""
    queries = (query + end for query in NUMBERS for end in ("", " DESC"))
    found = set(filter(_is_likely, (row[0] for query in queries for row in _read(db, query).rows)))
    missing = set(range(1, max(found, default=0))) - found
    return sorted(found.union(number for number in missing if _is_there(db, number)))


def _is_likely(number: object) -> bool:
    return isinstance(number, int) and 0 < number <= MOST_GAMES


def _is_there(db: sqlite3.Connection, number: int) -> bool:
    """Returns whether a game's own row can be found, though those beside it cannot be read."""
    return bool(_read(db, "SELECT 1 FROM games WHERE id = ?", number).rows)


def _salvage_game(db: sqlite3.Connection, number: int) -> Salvaged:
    summary = _read(db, "SELECT words, deleted FROM summaries WHERE game = ?", number)
    words, deleted = summary.first(2)
    game, is_named = _game_of(db, number, words)
    if game is None:
        return Salvaged(number, None, "it is not known which game it is")
    head, started, is_head_whole = _head_of(db, number)
    log = _log_of(db, number)
    session, unplayed = _replayed(game, log.whole)
    rest = (*unplayed, *log.rest)
    notes, are_notes_whole = _notes_of(db, number, len(session.log) + len(rest))
    losses = (
        "" if is_named else "its game is known from the list of games alone",
        "" if log.is_whole and not rest else f"only {len(session.log)} lines of its log are whole",
        "" if is_head_whole else "its names or its date are lost",
        "" if are_notes_whole else "comments are lost",
    )
    told = ", ".join(filter(None, losses))
    record = Record(game, (*session.log, *map(as_note, rest)), head, notes, started)
    if told:
        record = replace(record, head={**head, DAMAGED: told})
    return Salvaged(number, record, told, deleted is not None)


def _game_of(db: sqlite3.Connection, number: int, words: object) -> tuple[Game | None, bool]:
    """Returns the game of a record, and whether its own row says so, or only the words that find it."""
    (text,) = _read(db, "SELECT game FROM games WHERE id = ?", number).first(1)
    for given, read in ((text, read_game), (words, _first_game)):
        try:
            if is_text(given):
                game = read(given)
                game.start()
                return game, given is text
        except GameError:
            continue
    return None, False


def _first_game(text: str) -> Game:
    """Returns the game at the beginning of a text in which other words may follow."""
    return split(text)[0]


def _head_of(db: sqlite3.Connection, number: int) -> tuple[dict[str, str], float, bool]:
    """Returns the names of a game, when it was begun (0 where that is lost), and whether both are whole."""
    text, started = _read(db, "SELECT head, started FROM games WHERE id = ?", number).first(2)
    try:
        head, is_whole = dict(read_head(number, text)), True
    except StoreError:
        head, is_whole = {}, False
    if not isinstance(started, int | float):
        return head, 0.0, False
    return head, known_start(started), is_whole


class _Log(NamedTuple):
    """The lines of a log up to the first that is lost, those after it, and whether these are all."""

    whole: list[Entry]
    rest: list[Entry]
    is_whole: bool


def _log_of(db: sqlite3.Connection, number: int) -> _Log:
    query = "SELECT n, kind, text, by, source, certainty, time, clock FROM entries WHERE game = ? ORDER BY n"
    first, last = _read(db, query, number), _read(db, f"{query} DESC", number)
    found = dict(_entries(number, (*first.rows, *reversed(last.rows))))
    entries = [found[n] for n in sorted(found)]
    count = next(n for n in range(len(found) + 1) if n not in found)
    is_whole = first.is_whole and len(first.rows) == count
    return _Log(entries[:count], entries[count:], is_whole)


def _entries(number: int, rows: Iterable[Any]) -> Iterator[tuple[int, Entry]]:
    """Yields the lines that can be read, each with its place in the log from 0."""
    for row in rows:
        try:
            yield row[0], read_entry(number, row[0], row)
        except (StoreError, TypeError):  # it has no place
            continue


def _replayed(game: Game, entries: list[Entry]) -> tuple[Session, list[Entry]]:
    """Returns the session of the lines that can be replayed, and the others."""
    try:
        return restore(game, entries), []
    except GameError:
        session = begin(game)
    for line, entry in enumerate(entries):
        try:
            session = session.apply(entry)
        except GameError:
            return session, entries[line:]
    return session, []


def _notes_of(db: sqlite3.Connection, number: int, lines: int) -> tuple[tuple[Note, ...], bool]:
    """Returns the comments on a game that can be read, and whether these are all."""
    query = "SELECT text, line, by, time FROM notes WHERE game = ? ORDER BY line, id"
    found, notes = _read(db, query, number), []
    for row in found.rows:
        try:
            note = read_note(number, row)
        except StoreError:
            continue
        notes.append(replace(note, line=max(0, min(note.line, lines))))
    return tuple(notes), found.is_whole and len(notes) == len(found.rows)


def _latest(path: Path) -> int | None:
    """Returns the number of the game that was on the table, where that can be read."""
    with closing(connect_to_salvage(str(path))) as db:
        (number,) = _read(db, "SELECT game FROM at_table").first(1)
    return number if isinstance(number, int) else None


class _Rows(NamedTuple):
    """The rows of a query up to the first that SQLite cannot read, and whether these are all."""

    rows: list[Any]
    is_whole: bool

    def first(self, columns: int) -> Any:
        """Returns the first row; one of so many times None where there is none."""
        return self.rows[0] if self.rows else (None,) * columns


def _read(db: sqlite3.Connection, query: str, *values: object) -> _Rows:
    rows: list[Any] = []
    try:
        rows.extend(db.execute(query, values))
    except ERRORS:
        return _Rows(rows, is_whole=False)
    return _Rows(rows, is_whole=True)
