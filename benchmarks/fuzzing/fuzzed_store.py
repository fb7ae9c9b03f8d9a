"""Damaged stores: a file of games in which a disk flipped bits, zeroed pages, or lost the end.

An input is the damages. Every command ends in a line, whatever the file has become. A repair changes nothing
in the damaged file, and after it every game that is there can be replayed; where the file is sound, the games
are those that were stored.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.fuzzing.command import companion, words
from benchmarks.fuzzing.target import ACCEPTED, Outcome, demand, refused
from benchmarks.simulation.random_records import random_record
from companion import games
from companion.store.opening import find_file_damage
from companion.store.store import Store
from hardware.doctor import check_games

PAGE = 4096
"""Bytes of a page of SQLite's."""
GAMES = 14
COMMANDS: tuple[tuple[object, ...], ...] = (
    ("list",), ("list", "--json", "--search", "e"), ("list", "--deleted"), ("show", 3), ("show", 9),
    ("export", 4), ("export", 5, "--format", "abstract"), ("note", 2, "fine"), ("delete", 6), ("check",),
)  # fmt: skip
STATEMENTS = (
    "UPDATE games SET head = '{{\"game' WHERE id = {n}", "UPDATE games SET game = x'ff00' WHERE id = {n}",
    "UPDATE games SET game = 'chess fen=x' WHERE id = {n}", "UPDATE games SET started = 1e300 WHERE id = {n}",
    "UPDATE entries SET text = 'a9' WHERE game = {n} AND n = 2",
    "DELETE FROM entries WHERE game = {n} AND n = 1",
    "UPDATE entries SET kind = 'correction' WHERE game = {n} AND n = 0", "DELETE FROM games WHERE id = {n}",
    "UPDATE entries SET time = 9e99 WHERE game = {n}", "DELETE FROM summaries WHERE game = {n}",
    "UPDATE entries SET kind = 'takeback', text = '999999999' WHERE game = {n} AND n = 1",
    "UPDATE summaries SET plies = 'x', words = x'ff' WHERE game = {n}", "UPDATE at_table SET game = 'x'",
    "UPDATE entries SET by = x'fffe' WHERE game = {n}", "UPDATE notes SET line = -7 WHERE game = {n}",
    "DROP TABLE notes", "DROP INDEX games_by_start", "ALTER TABLE games DROP COLUMN head",
    "DROP TABLE settings",
    "UPDATE entries SET game = {n} + 1000000000000 WHERE game = {n}", "PRAGMA user_version = 7",
    "UPDATE settings SET value = x'ff'", "UPDATE entries SET n = 1e10 WHERE game = {n} AND n = 3",
    "UPDATE games SET id = 9223372036854775807 WHERE id = {n}", "UPDATE games SET id = -1 WHERE id = {n}",
)  # fmt: skip
"""The fate of a row whose bytes were changed in a page that is still whole."""


class Fuzzed:
    """The stored games."""

    suffix = ".json"

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp())
        self._whole = self._folder / "whole.sqlite"
        with Store(self._whole) as store:
            for n in range(GAMES):
                names = games.installed()
                store.add(random_record(names[n % len(names)], n, 30), 1.7e9)
            store.put_on(7)
            store.delete(8, 1.7e9)
        self._pages = self._whole.stat().st_size // PAGE

    def make(self, chance: Random) -> bytes:
        count = chance.choice((1, 1, 2, 5, 20))
        return json.dumps([self._damage(chance) for _ in range(count)]).encode()

    def attempt(self, content: bytes) -> Outcome:
        data = self._folder / "data"
        data.mkdir()
        try:
            return self._try(data, json.loads(content))
        finally:
            shutil.rmtree(data)

    def close(self) -> None:
        shutil.rmtree(self._folder)

    def _damage(self, chance: Random) -> dict[str, Any]:
        """Returns a damage, as `_damaged` does it; seldom one that leaves nothing to be read."""
        kind = chance.choices(("row", "bit", "page", "bytes", "end"), (8, 6, 2, 2, 1))[0]
        page = chance.choice((0, chance.randrange(self._pages), chance.randrange(self._pages)))
        at = page * PAGE + chance.randrange(PAGE)
        match kind:
            case "row":
                return {"row": chance.choice(STATEMENTS).format(n=chance.randint(1, GAMES))}
            case "bit":
                return {"bit": chance.randrange(8), "at": at}
            case "page":
                return {"page": page}
            case "bytes":
                return {"bytes": chance.randbytes(chance.choice((1, 8, 64))).hex(), "at": at}
        return {"end": chance.choice((0, 100, at, at, self._pages * PAGE - 1))}

    def _try(self, data: Path, damages: list[dict[str, Any]]) -> Outcome:
        file = data / "games.sqlite"
        shutil.copyfile(self._whole, file)
        for damage in damages:
            _do(file, damage)
        damaged = file.read_bytes()
        trouble = [r for r in (companion("records", *c, "--data", data) for c in COMMANDS) if r.status == 2]
        list(check_games(data))
        for beside in ("-wal", "-shm"):
            Path(f"{file}{beside}").unlink(missing_ok=True)
        file.write_bytes(damaged)
        repaired = companion("records", "repair", "--data", data)
        if repaired.status == 2:
            demand(file.read_bytes() == damaged, "a repair that is refused changes nothing")
            return refused(words(repaired))
        _check_repaired(data, damaged)
        return refused(words(trouble[0])) if len(trouble) == len(COMMANDS) else ACCEPTED


def _do(file: Path, damage: dict[str, Any]) -> None:
    """Damages a file."""
    if "row" in damage:
        _change_row(file, damage["row"])
        return
    content = bytearray(file.read_bytes())
    if "end" in damage:
        del content[damage["end"] :]
    elif "page" in damage:
        _put(content, damage["page"] * PAGE, bytes(PAGE))
    elif "bytes" in damage:
        _put(content, damage["at"], bytes.fromhex(damage["bytes"]))
    elif damage["at"] < len(content):
        content[damage["at"]] ^= 1 << damage["bit"]
    file.write_bytes(content)


def _put(content: bytearray, at: int, data: bytes) -> None:
    """Overwrites bytes, as far as there are any."""
    end = min(at + len(data), len(content))
    content[at:end] = data[: max(0, end - at)]


def _change_row(file: Path, statement: str) -> None:
    """Changes a row as no store does; a file that is damaged already may not let it."""
    with closing(sqlite3.connect(file)) as db:
        db.text_factory = bytes
        try:
            for trigger in ("entries_stay", "entries_remain", "notes_stay", "notes_remain"):
                db.execute(f"DROP TRIGGER IF EXISTS {trigger}")
            db.execute(statement)
            db.commit()
        except (sqlite3.Error, UnicodeDecodeError):
            db.rollback()


def _check_repaired(data: Path, damaged: bytes) -> None:
    """Checks that what is there now is sound, and that what was there is kept as it was."""
    file, aside = data / "games.sqlite", data / "games.sqlite.damaged"
    demand(find_file_damage(file) == "", "a repaired store is sound")
    kept = aside if aside.exists() else file
    demand(kept.read_bytes() == damaged, "a repair changes nothing in the damaged file")
    demand(companion("records", "check", "--data", data).status == 0, "after a repair every game is replayed")
    for number in _numbers(data):
        shown = companion("records", "export", number, "--data", data)
        demand(shown.status in (0, 2), "a repaired game is exported, or holds secrets")
    again = companion("records", "repair", "--data", data)
    demand("nothing is damaged" in again.out.decode(), "what is repaired needs no repair")


def _numbers(data: Path) -> Iterator[int]:
    for line in companion("records", "list", "--json", "--data", data).lines:
        yield json.loads(line)["number"]
