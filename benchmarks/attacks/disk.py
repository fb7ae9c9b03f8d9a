"""Plays at a table whose disk fills up, fails, is slow, or takes no writing any more.

    python -m benchmarks attack disk [KIND…]

`full`, `failing`, `read-only` and `slow` are a disk under SQLite that errs as it is told; `tmpfs-full`,
`tmpfs-posts` and `tmpfs-read-only` a small file system of its own, which only root can make. A move is
laid, and another one while nothing is stored. The page has to say within two seconds what is wrong, and
both moves once the disk takes games again. On a slow disk the page has to answer within a second, and the
moves are told late. A store that was made read-only while nobody used it has to be listed and exported.
`tmpfs-posts` sends what is to be kept to the page of a companion on a full disk: no answer may be 500.
Times are real.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from benchmarks.attacks.disk_under_sqlite import FAULTS, FaultyDisk
from benchmarks.running.browser import Browser, RefusedError
from benchmarks.running.companion import companion
from companion.core.game import EMPTY, Look, Place
from companion.games.text import read_game
from companion.record.exports import formats
from companion.sensing.observation import Observation, Reading, Sighting
from companion.store.store import Store
from companion.table.desk import Desk
from companion.table.messages import NewGame, SightingArrived
from companion.table.present import present
from companion.table.table import Table

GAME = "triune"
MOVES = (("a2", "a3"), ("b7", "b6"))
SEES_S, SURE = 0.1, 8.0
"""Seconds between sightings; nats between what is seen and all else."""
TOLD_WITHIN, ANSWERS_WITHIN, PATIENCE = 2.0, 1.0, 12.0
SLOW_S = 0.4
"""Seconds by which each sync of a slow disk takes longer."""
TMPFS_MB = 2
Switch = Callable[[], object]


class Board(threading.Thread):
    """A board before a sensor, which sees all of it ten times a second."""

    def __init__(self, table: Table) -> None:
        super().__init__(daemon=True)
        game = read_game(GAME)
        position = game.start()
        self._table, self._over = table, threading.Event()
        self._places, self._known = (*game.board.sites, *game.board.places), game.rules.looks(position)
        self._looks: Mapping[Place, Look] = dict(game.rules.look(position))

    def move(self, start: Place, end: Place) -> None:
        looks = dict(self._looks)
        looks[end] = looks.pop(start)
        self._looks = looks

    def run(self) -> None:
        while not self._over.wait(SEES_S):
            now, looks = time.monotonic(), self._looks
            readings = {place: self._reading(looks.get(place, EMPTY)) for place in self._places}
            self._table.post(SightingArrived(Sighting(now, "sensor", Observation(now, readings, "sensor"))))

    def stop(self) -> None:
        self._over.set()
        self.join()

    def _reading(self, look: Look) -> Reading:
        return Reading({known: 0.0 if known == look else -SURE for known in self._known}, -SURE)


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks attack disk")
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], metavar="KIND", help=", ".join(KINDS))
    kinds = parser.parse_args(args).kinds or list(KINDS)
    are_kept = [KINDS[kind](kind) for kind in kinds]
    return 0 if all(are_kept) else 1


def err(kind: str) -> bool:
    """Attacks with a disk that answers with errors; returns whether the marks are kept."""
    with _folder() as folder, _faulty() as disk:
        return disk is None or trial(
            kind, folder, lambda: setattr(disk, "fault", kind), lambda: setattr(disk, "fault", "")
        )


def slow(kind: str) -> bool:
    """Attacks with a disk that takes its time."""
    with _folder() as folder, _faulty() as disk, _at_table(folder) as (table, board):
        if disk is None:
            return True
        disk.delay = SLOW_S
        board.move(*MOVES[0])
        worst, begun = 0.0, time.monotonic()
        while len(_actions(table)) < 1 and time.monotonic() < begun + PATIENCE:
            asked = time.perf_counter()
            present(table.snapshot)
            worst = max(worst, time.perf_counter() - asked)
            time.sleep(0.02)
        took, is_told = time.monotonic() - begun, bool(_actions(table))
    print(f"{kind}: the page answers within {1000 * worst:.0f} ms, the move is told after {took:.1f} s")
    return is_told and worst < ANSWERS_WITHIN


def fill(kind: str) -> bool:
    """Attacks with a file system that is full."""
    with _folder() as folder, _tmpfs(folder) as is_there:
        if not is_there:
            return True
        filler = folder / "filler"
        return trial(kind, folder, lambda: _fill(filler), filler.unlink)


def forbid(kind: str) -> bool:
    """Attacks with a file system that cannot be written any more, as cards die."""
    with _folder() as folder, _tmpfs(folder) as is_there:
        if not is_there:
            return True
        with Store(folder / "games.sqlite") as store, Table(Desk(store)) as table:
            table.ask(NewGame(f"{GAME} a2-a3 b7-b6"))
        _mount("-o", "remount,ro", str(folder))
        with Store(folder / "games.sqlite") as store:
            listed = [summary.id for summary in store.list()]
            written = formats()["text"].write(store.load(1))
            with Table(Desk(store)) as table:
                refusal = table.ask(NewGame(GAME))
                words = _trouble(table)
    print(f"{kind}: listed {listed}, exported {len(written)} bytes; told '{words}'")
    return listed == [1] and b"a2-a3" in written and not refusal.ok and bool(words)


def post(kind: str) -> bool:
    """Attacks the page of a companion on a full file system."""
    with _folder() as folder, _tmpfs(folder) as is_there:
        if not is_there:
            return True
        with companion(folder) as server:
            port = server.port()
            assert port is not None, "the companion did not start"
            page = Browser(port)
            for path, body in BEFORE:
                page.ask(path, body)
            _fill(folder / "filler")
            told = [_status(page, path, body) for path, body in POSTS]
    print(f"{kind}: {len(told)} POSTs on a full disk are answered by {dict(Counter(told))}")
    return 500 not in told and 503 in told


def _status(page: Browser, path: str, body: object) -> int:
    try:
        page.ask(path, body)
    except RefusedError as error:
        return error.status
    return 200


LONG_GAME = "triune " + "a1~ a8~ " * 500
BEFORE = [("games", {"game": GAME}), ("records", {"record": f"{GAME} a2-a3"})]
POSTS: list[tuple[str, dict[str, object]]] = [
    ("records", {"record": LONG_GAME}),
    ("records", {"record": LONG_GAME}),
    ("records/2/notes", {"text": "x" * 1500}),
    ("records/2/notes", {"text": "y" * 1500}),
    ("records/2/corrections", {"names": {"red": "Eve"}}),
    ("records/2/deletion", {}),
    ("records/2/return", {}),
    ("tokens", {"name": "lamp", "scopes": ["read"]}),
    ("actions", {"action": "a2-a3"}),
    ("takebacks", {}),
    ("head", {"head": {"event": "x" * 80}}),
    ("results", {"winner": "red"}),
    ("games", {"game": GAME}),
    ("openings", {"number": 2}),
    ("closings", {}),
    ("session/leave", {}),
]


KINDS: dict[str, Callable[[str], bool]] = {
    **dict.fromkeys(FAULTS, err),
    "slow": slow,
    "tmpfs-full": fill,
    "tmpfs-posts": post,
    "tmpfs-read-only": forbid,
}


def trial(kind: str, folder: Path, break_disk: Switch, mend_disk: Switch) -> bool:
    """Lays a move on a broken disk, and another; mends it. Returns whether all was told in time."""
    with _at_table(folder) as (table, board):
        break_disk()
        board.move(*MOVES[0])
        said_after = _until(lambda: bool(_trouble(table)))
        words = _trouble(table)
        board.move(*MOVES[1])
        time.sleep(1.0)
        has_kept_still = not _actions(table)
        mend_disk()
        told_after = _until(lambda: len(_actions(table)) == len(MOVES) and not _trouble(table))
        number = table.snapshot.number or 0
    with Store(folder / "games.sqlite") as store:
        stored = store.load(number).session().actions
    print(f"{kind}: said after {said_after:.1f} s: '{words}'")
    print(f"  both moves told {told_after:.1f} s after it was mended; stored: {' '.join(stored)}")
    return said_after < TOLD_WITHIN and has_kept_still and told_after < PATIENCE and len(stored) == len(MOVES)


@contextmanager
def _at_table(folder: Path) -> Iterator[tuple[Table, Board]]:
    """Opens a table whose games are in this folder, with a game on it and a board before it."""
    with Store(folder / "games.sqlite") as store, Table(Desk(store)) as table:
        table.ask(NewGame(GAME))
        board = Board(table)
        board.start()
        try:
            time.sleep(1.0)  # the board that stands is seen
            yield table, board
        finally:
            board.stop()


def _trouble(table: Table) -> str:
    """Returns what the page says is wrong."""
    return " ".join(source.words for source in present(table.snapshot).sources if source.words)


def _actions(table: Table) -> tuple[str, ...]:
    session = table.snapshot.session
    return session.actions if session else ()


def _until(happens: Callable[[], bool]) -> float:
    """Returns the seconds until it happens; at most PATIENCE are waited."""
    begun = time.monotonic()
    while not happens() and time.monotonic() < begun + PATIENCE:
        time.sleep(0.02)
    return time.monotonic() - begun


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@contextmanager
def _faulty() -> Iterator[FaultyDisk | None]:
    """Puts a disk that errs under SQLite; None, and a line, where this Python's SQLite cannot be reached."""
    with ExitStack() as stack:
        try:
            disk = stack.enter_context(FaultyDisk())
        except OSError as error:
            print(f"skipped: {error}")
            disk = None
        yield disk


@contextmanager
def _tmpfs(folder: Path) -> Iterator[bool]:
    """Mounts a small file system; False, and a line, where that is not possible."""
    if os.geteuid() != 0 or not _mount("-t", "tmpfs", "-o", f"size={TMPFS_MB}m", "tmpfs", str(folder)):
        print("skipped: only root can mount a tmpfs")
        yield False
        return
    try:
        yield True
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def _mount(*args: str) -> bool:
    return subprocess.run(["mount", *args], check=False, capture_output=True).returncode == 0


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file, suppress(OSError):
        for size in (65536, 4096, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))
