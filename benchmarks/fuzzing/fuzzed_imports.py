"""Games from elsewhere: records, game texts, PGN and PDN, imported by the command line.

A refused import changes nothing. An accepted game is stored as it was read, and comes out equal as a record,
and in every other form in which it can be read again.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from functools import cache
from pathlib import Path
from random import Random
from zlib import crc32

from benchmarks.fuzzing.command import companion, words
from benchmarks.fuzzing.mutation import mutated_bytes, mutated_text
from benchmarks.fuzzing.target import Outcome, demand, refused
from benchmarks.simulation.random_records import random_record
from companion import games
from companion.cli.records import read_file
from companion.core.game import GameError
from companion.record import exports
from companion.record.record import Record, read_record, write_record
from companion.store.store import Store

GAMES_OF_A_KIND = 6
LENGTHS = (0, 1, 12, 40, 90)
"""Entries that are tried for a game."""
DRAWN = 40
"""Of so many accepted files one is drawn too."""
MOST_IMPORTS = 100
"""Files that one store takes before another is begun."""
IMPORTED = re.compile(r": game (\d+)( is there already)?$")
"""The line on a game of a file."""
UNTOUCHED = 0.55
"""The share of inputs that no change spoils."""
TAGS = (
    '[Event "?"]', '[Site "a \\"b\\" c"]', '[Round "-"]', '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]', '[SetUp "1"]',
    '[Date "2024.??.??"]', '[UTCDate "0001.01.01"]', '[UTCTime "24:61:00"]', '[Result "1-0"]',
    '[GameType "20"]', '[GameType "21"]', '[FEN "W:W31-50:B1-20"]', '[Variant "Atomic"]', '[White ""]',
)  # fmt: skip
BESIDES = (
    "{a comment}", "{[%by white] why}", "{[%clk 0:01:02]}", "; to the end\n", "$1", "!?",
    "(1. e4 (1. d4) e5)", "(1. 9-13)", "1-0", "1/2-1/2", "*", "...", "\n% for other programs\n", "{}",
    "{[%by ] x}",
)  # fmt: skip
HEADS = (
    "place: Ångström 100%", "started: 2024-02-30T00:00:00Z", "started: 0001-01-01T00:00:00.000Z",
    "started: 9999-12-31T23:59:59.999Z", "clock: 5+3", "clock: 1e9", "red: {x}", "corrects: game 1",
    "a-b_c: =", "markers: laid",
    f"event: {'W' * 3000}", f"red: {'so many words ' * 200}", "event:", "started: 2024-01-01", "game: triune",
)  # fmt: skip
LINES = (
    "2024-01-01T10:00:00.000Z comment {by=red}", "2024-01-01T10:00:00.000Z takeback 1 {by=arbiter}",
    "2024-01-01T10:00:00.000Z redo", "2024-01-01T10:00:00.000Z resign {by=red}",
    "2024-01-01T10:00:00.000Z flag {by=blue clock=0.0}", "2024-01-01T10:00:00.000Z offer {by=red}",
    "2024-01-01T10:00:00.000Z accept {by=blue}", "2024-01-01T10:00:00.000Z result {by=arbiter}",
    "2024-01-01T10:00:00.000Z note %41%20 {certainty=0.00004 clock=1e8}", "2024-01-01T10:00:00.000Z note %ff",
    "2024-01-01T10:00:00.000Z correction turn=red;a1=empty", "2024-01-01T10:00:00.000Z takeback 000001",
    "9999-12-31T23:59:59.999Z comment %0a%0d%e2%80%a8x {by=%20}",
)  # fmt: skip
ENDS = ("\n", "\n", "\n", "\r\n", "\r", "\x85", "\n\n")


class Fuzzed:
    """The import of games."""

    suffix = ".txt"

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp())
        self._taken = 0

    def make(self, chance: Random) -> bytes:
        form = chance.choice(("record", "record", "record", "text", "text", "pgn", "pgn", "pdn", "pdn"))
        text = _decorated(form, written(form, chance), chance)
        if chance.random() < UNTOUCHED:
            return text.encode()
        for _ in range(chance.choice((1, 1, 2, 4))):
            text = mutated_text(text, chance, (*BESIDES, *text.split()[:200]))
        content = text.encode("latin-1" if chance.random() < 0.05 else "utf-8", "replace")
        return mutated_bytes(content, chance) if chance.random() < 0.1 else content

    def attempt(self, content: bytes) -> Outcome:
        file, data = self._folder / "game.txt", self._folder / "data"
        file.write_bytes(content)
        if self._taken >= MOST_IMPORTS:
            shutil.rmtree(data)
            self._taken = 0
        before = _stored(data)
        result = companion("records", "import", file, "--data", data)
        if result.status == 2:
            demand(_stored(data) == before, "a refused import changes nothing")
            demand(companion("replay", file).status != 0, "what is not imported is not replayed either")
            return refused(words(result))
        found = read_file(file).records
        told = [match.groups() for line in result.lines if (match := IMPORTED.search(line))]
        demand(len(told) == len(found), "every game of a file is imported, or was there")
        self._taken += len(found)
        with Store(data / "games.sqlite") as store:
            for (number, was_there), record in zip(told, found, strict=True):
                if not was_there:  # that one may have gone on since
                    _check_stored(store.load(int(number)), record)
        for record in found:
            _check_forms(record, is_drawn=crc32(content) % DRAWN == 0)
        return Outcome(1)

    def close(self) -> None:
        shutil.rmtree(self._folder)


def _stored(data: Path) -> bytes:
    file = data / "games.sqlite"
    return file.read_bytes() if file.exists() else b""


@cache
def _heads() -> tuple[str, ...]:
    """Returns the games that can be played here, in each of their variants."""
    options = (
        (name, o.name, v) for name in games.installed() for o in games.rules(name).options for v in o.values
    )
    varied = (f"{name} {option}={value}" for name, option, value in options)
    return tuple(head for head in (*games.installed(), *varied) if _can_begin(head))


def _can_begin(head: str) -> bool:
    try:
        random_record(head, 0, 1)
    except (GameError, IndexError):
        return False
    return True


@cache
def _record(head: str, seed: int, length: int) -> Record:
    return random_record(head, seed, length)


def written(form: str, chance: Random) -> str:
    """Returns a game as text in a form, if it can have it; else as a record."""
    head = {"pgn": "chess", "pdn": "draughts"}.get(form) or chance.choice(_heads())
    record = _record(head, chance.randrange(GAMES_OF_A_KIND), chance.choice(LENGTHS))
    if form not in exports.forms_of(record):
        form = "record"
    return exports.formats()[form].write(record).decode()


def _decorated(form: str, text: str, chance: Random) -> str:
    """Returns a text with more of what its form may have: most of it can be read."""
    more = chance.choice((0, 0, 1, 2))
    if form == "record":
        head, _, log = text.partition("\n\n")
        heads, lines = chance.sample(HEADS, more // 2), log.splitlines()
        for line in chance.sample(LINES, more):
            lines.insert(chance.randrange(len(lines) + 1), line)
        text = "\n".join([head, *heads, "", *lines]) + "\n"
    elif form in ("pgn", "pdn"):
        tags, _, moves = text.partition("\n\n")
        found = moves.split(" ")
        for word in chance.sample(BESIDES[:7], more):
            found.insert(chance.randrange(len(found) + 1), word)
        text = "\n".join([tags, *chance.sample(TAGS, more // 2)]) + "\n\n" + " ".join(found)
        if chance.random() < 0.1:
            text = f"{text}\n\n{written(form, chance)}"
    if chance.random() < 0.1:
        text = chance.choice(("\ufeff", " ", "\n", "\t\n")) + text
    return text.replace("\n", chance.choice(ENDS)) if chance.random() < 0.3 else text


def _check_stored(kept: Record, record: Record) -> None:
    """Checks that a game is kept as it was read, and comes out of its record equal."""
    demand(kept.log == record.log, "the log is kept as it was read")
    demand(kept.notes == record.notes, "the comments are kept as they were read")
    demand(_names(kept) == _names(record), "the names are kept as they were read")
    demand(kept.session() == record.session(), "the game is kept as it was read")
    text = write_record(kept)
    again = read_record(text)
    demand(again.session().actions == record.session().actions, "a record holds the same game")
    demand(again.notes == record.notes, "a record holds the same comments")
    demand(write_record(again) == text, "a record that is read is written the same")


def _names(record: Record) -> dict[str, str]:
    return {key: " ".join(value.split()) for key, value in record.head.items() if key != "game"}


def _check_forms(record: Record, is_drawn: bool) -> None:
    """Checks that every form of a game can be made, and that those which can be read hold the same game."""
    session = record.session()
    is_corrected = any(ply.entry.kind == "correction" for ply in session.plies)
    for name in exports.forms_of(record):
        form = exports.formats()[name]
        if not (form.is_text or is_drawn):
            continue
        content = form.write(record)
        if name in ("text", "pgn", "pdn") and not is_corrected:
            again = exports.find_games(content.decode()).records[0].session()
            demand(again.actions == session.actions, f"{name} holds the same actions")
            demand(again.position == session.position, f"{name} leads to the same position")
