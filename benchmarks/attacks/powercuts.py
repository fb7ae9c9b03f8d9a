"""Cuts the power while games are stored: what was acknowledged is there, and nothing is damaged.

    python -m benchmarks attack powercuts [--count 5000] [--acts 400] [--seed 1]

A table plays at a store, a page comments on its games, both are closed and opened again.
All that SQLite writes, syncs and deletes meanwhile is noted. Then the power is cut at any of these moments:
what was synced is on the disk; of what was not, each write is there, or missing, or torn into sectors of 512
bytes of which some are there. The store has to open, hold every entry and comment that was acknowledged
before the cut, and nothing that nobody sent. The marks are no loss and no damage.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from benchmarks.attacks.disk_under_sqlite import FaultyDisk, Op
from companion.core.errors import CompanionError
from companion.record.record import Note
from companion.record.session import Entry
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import Message, NewGame, OpenGame, Submit, TakeBack

COUNT, CUTS = 5000, 500
"""Cuts in all, and of one story."""
ACTS, LONGEST, REOPENED = 400, 40, 60
"""Acts of a story; the most actions of a game; acts between two closings of the store, on average."""
SECTOR = 512
NAME = "games.sqlite"
OPENED_ANEW = ("-journal", "-wal")
"""Ends of the files with whose first sync SQLite also syncs their folder."""


@dataclass(frozen=True)
class Promise:
    """A promise that is made once so many operations are done: lines of a game's log, and comments."""

    done: int
    number: int
    lines: int
    comments: int


@dataclass
class Story:
    """The operations of a disk, the promises made meanwhile, and the games as they became."""

    ops: list[Op] = field(default_factory=list)
    promises: list[Promise] = field(default_factory=list)
    logs: dict[int, tuple[Entry, ...]] = field(default_factory=dict)
    comments: dict[int, tuple[Note, ...]] = field(default_factory=dict)

    def promised(self, cut: int) -> dict[int, Promise]:
        """Returns what was promised of each game before a cut."""
        return {promise.number: promise for promise in self.promises if promise.done <= cut}


class Platters:
    """A disk as it is without power, after the operations that were `take`n."""

    def __init__(self) -> None:
        self._contents: list[bytearray] = []
        """By file: what of it is synced."""
        self._pending: list[list[Op]] = []
        """By file: what is not."""
        self._names: dict[str, int] = {}
        self._kept_names: dict[str, int] = {}
        self._renamed: list[tuple[str, int | None]] = []
        """Names that were given or taken away, and are not synced."""
        self._is_new: set[str] = set()

    def take(self, op: Op) -> None:
        match op.kind:
            case "create" if op.path in self._names:
                return
            case "create":
                self._name(op.path, len(self._contents))
                self._contents.append(bytearray())
                self._pending.append([])
                self._is_new |= {op.path} if op.path.endswith(OPENED_ANEW) else set()
            case "delete":
                self._name(op.path, None)
                if op.offset:
                    self._keep_names()
            case "sync":
                self._sync(op.path)
            case _:
                self._pending[self._names[op.path]].append(op)

    def cut(self, chance: random.Random) -> dict[str, bytes]:
        """Returns the files after a power cut."""
        names = dict(self._kept_names)
        for path, file in self._renamed[: chance.randint(0, len(self._renamed))]:
            _rename(names, path, file)
        return {path: self._torn(file, chance) for path, file in names.items()}

    def _name(self, path: str, file: int | None) -> None:
        _rename(self._names, path, file)
        self._renamed.append((path, file))

    def _keep_names(self) -> None:
        self._kept_names = dict(self._names)
        self._renamed.clear()

    def _sync(self, path: str) -> None:
        file = self._names[path]
        for op in self._pending[file]:
            _carry_out(self._contents[file], op)
        self._pending[file].clear()
        if path in self._is_new:
            self._is_new.remove(path)
            self._keep_names()

    def _torn(self, file: int, chance: random.Random) -> bytes:
        content, kept = bytearray(self._contents[file]), chance.random()
        for op in self._pending[file]:
            for part in _sectors(op) if chance.random() < 0.5 else [op]:
                if chance.random() < kept:
                    _carry_out(content, part)
        return bytes(content)


def _rename(names: dict[str, int], path: str, file: int | None) -> None:
    if file is None:
        names.pop(path, None)
    else:
        names[path] = file


def _carry_out(content: bytearray, op: Op) -> None:
    if op.kind == "truncate":
        del content[op.offset :]
        return
    content.extend(bytes(max(0, op.offset - len(content))))
    content[op.offset : op.offset + len(op.data)] = op.data


def _sectors(op: Op) -> Iterator[Op]:
    """Yields a write as the writes of single sectors."""
    if op.kind != "write":
        yield op
        return
    start, end = op.offset, op.offset + len(op.data)
    edges = [start, *range((start // SECTOR + 1) * SECTOR, end, SECTOR), end]
    for begin, stop in pairwise(edges):
        yield op._replace(offset=begin, data=op.data[begin - start : stop - start])


@dataclass
class Toll:
    """The sums over all cuts."""

    cuts: int = 0
    promises: int = 0
    ops: int = 0
    wrong: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.cuts} power cuts in {self.ops} writes and syncs, with {self.promises} promises to keep:"
            f" {len(self.wrong)} stores damaged or short of something"
        )


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks attack powercuts")
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--acts", type=int, default=ACTS, help="what is done between two new disks")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(args)
    try:
        toll = attack(options.count, options.acts, random.Random(options.seed))
    except OSError as error:
        print(f"skipped: {error}")
        return 0
    print(toll)
    print("\n".join(toll.wrong))
    return 1 if toll.wrong else 0


def attack(count: int, acts: int, chance: random.Random) -> Toll:
    """Tells stories, and cuts the power of each CUTS times."""
    toll = Toll()
    while toll.cuts < count:
        with tempfile.TemporaryDirectory() as folder:
            story = tell(Path(folder), chance, acts)
        toll.ops += len(story.ops)
        cut_often(story, min(CUTS, count - toll.cuts), chance, toll)
    return toll


def tell(folder: Path, chance: random.Random, acts: int) -> Story:
    """Plays at a table in this folder, and returns what its disk was told."""
    story = Story()
    with FaultyDisk(story.ops.append):
        left = acts
        while left > 0:
            part = min(left, chance.randint(1, 2 * REOPENED))
            _tell_part(folder / NAME, chance, part, story)
            left -= part
    with Store(folder / NAME) as store:
        for summary in store.list(limit=acts):
            record = store.load(summary.id)
            story.logs[summary.id], story.comments[summary.id] = record.log, record.notes
    return story


def _tell_part(path: Path, chance: random.Random, acts: int, story: Story) -> None:
    """Opens the store as a table and its page do, acts, and closes it."""
    with Store(path) as store, Store(path) as page:
        desk = Desk(store, rng=chance)
        number = store.latest()
        if number:
            desk.handle(OpenGame(number))
        for _ in range(acts):
            _act(desk, page, chance)
            number = desk.snapshot.number
            assert number is not None
            lines, comments = len(desk.session.log), len(page.load(number).notes)
            story.promises.append(Promise(len(story.ops), number, lines, comments))


def _act(desk: Desk, page: Store, chance: random.Random) -> None:
    number, roll = desk.snapshot.number, chance.random()
    if number is not None and roll < 0.1:
        page.note(number, Note(f"comment {roll}", 0, "arbiter", 1.0))
    else:
        reply, _ = desk.handle(_following(desk, chance))
        assert reply.ok, reply.words


def _following(desk: Desk, chance: random.Random) -> Message:
    """Returns what is done next at a table."""
    if desk.snapshot.number is None or desk.session.outcome or len(desk.session.plies) >= LONGEST:
        return NewGame("triune")
    if desk.session.plies and chance.random() < 0.1:
        return TakeBack()
    return Submit(chance.choice(list(desk.session.rules.legal(desk.session.position))))


def cut_often(story: Story, count: int, chance: random.Random, toll: Toll) -> None:
    """Cuts the power of a story at so many moments, and checks what is left."""
    platters, done = Platters(), 0
    for cut in sorted(chance.choices(range(len(story.ops) + 1), k=count)):
        for op in story.ops[done:cut]:
            platters.take(op)
        done = cut
        promised = story.promised(cut)
        toll.cuts, toll.promises = toll.cuts + 1, toll.promises + len(promised)
        with tempfile.TemporaryDirectory() as folder:
            for path, content in platters.cut(chance).items():
                (Path(folder) / Path(path).name).write_bytes(content)
            wrong = _check(Path(folder) / NAME, story, promised)
        toll.wrong += [f"cut {toll.cuts} after {cut} operations: {words}" for words in wrong]


def _check(path: Path, story: Story, promised: dict[int, Promise]) -> list[str]:
    """Opens a store after a cut; returns what is wrong with it."""
    try:
        with ExitStack() as stack:
            store = stack.enter_context(Store(path))
            numbers = {summary.id for summary in store.list(limit=len(story.logs) + 1)}
            wrong = [_compare(store, number, story, promised.get(number)) for number in numbers]
            wrong += [f"game {number} is missing" for number in promised.keys() - numbers]
        with closing(sqlite3.connect(path)) as db:
            wrong += [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
    except (CompanionError, sqlite3.Error) as error:
        return [str(error)]
    return [words for words in wrong if words]


def _compare(store: Store, number: int, story: Story, promise: Promise | None) -> str:
    """Returns what is wrong with a game: it has to be a beginning of what it became, and as long as
    promised."""
    record = store.load(number)
    lines, comments = len(record.log), len(record.notes)
    if record.log != story.logs[number][:lines] or record.notes != story.comments[number][:comments]:
        return f"game {number} holds what nobody sent"
    if promise and (lines < promise.lines or comments < promise.comments):
        return f"game {number} has {lines} lines and {comments} comments of {promise}"
    return ""
