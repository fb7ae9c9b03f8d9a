"""Measures the store with 100,000 games: opening it, the list, searches, one game, and writing an action to
disk.

    python -m benchmarks store [GAMES]

The list of 100,000 games is wanted in under 100 ms.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.running.figures import spread
from companion.record.session import Entry
from companion.store.store import Store

GAMES, PLIES, RUNS, APPENDS = 100_000, 4, 30, 200
TEXTS = ("triune", "magnet setup=random", "ternion_factor players=3", "teleporters", "chess")
NAMES = ("Ann", "Ben", "Clara", "David", "Eva", "Farid", "Greta", "Hugo")
ACTIONS = ("a2-a3", "b7~", "a3-a4", "h7~")


def main(args: list[str]) -> int:
    games = int(args[0]) if args else GAMES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.sqlite"
        _fill(path, games)
        print(f"{games} games of {PLIES} entries: {path.stat().st_size / 1e6:.0f} MB")
        _tell("opened, and the first page of the list", lambda: _open_and_list(path))
        with Store(path) as store:
            for what, ask in _questions(store, games):
                _tell(what, ask)
            _tell("an action written through to disk", _writer(store), APPENDS)
    return 0


def _questions(store: Store, games: int) -> list[tuple[str, Callable[[], object]]]:
    return [
        ("the list's first page", lambda: store.list(limit=51)),
        ("a page in its middle", lambda: store.list(limit=51, before=games // 2)),
        ("its last page", lambda: store.list(limit=51, before=52)),
        ("a search that many games fit", lambda: store.list("ann triune", limit=51)),
        ("a search that one game fits", lambda: store.list(f"event{games // 2}", limit=51)),
        ("the last page of a search", lambda: store.list("ann triune", limit=51, before=500)),
        ("a search that no game fits", lambda: store.list("nobody", limit=51)),
        ("one game with its log", lambda: store.load(games // 2)),
    ]


def _fill(path: Path, games: int) -> None:
    """Fills the store with as many games as a club plays in a century, in one transaction."""
    chance = random.Random(7)
    with Store(path) as store, store.transaction:
        for n in range(games):
            red, blue = chance.sample(NAMES, 2)
            head = {"red": red, "blue": blue, "event": f"event{n}"}
            number = store.begin(chance.choice(TEXTS) if n % 2 else "triune", head, 1e9 + 3600 * n)
            for k, action in enumerate(ACTIONS):
                store.append(number, k, Entry("action", action, "", "camera:0", 0.98, 1e9 + k), k + 1, "")


def _open_and_list(path: Path) -> None:
    with Store(path) as store:
        store.list(limit=51)


def _writer(store: Store) -> Callable[[], None]:
    number = store.begin("triune", {}, 2e9)
    entries = iter(range(10**9))

    def write() -> None:
        n = next(entries)
        store.append(number, n, Entry("action", ACTIONS[n % 4], time=2e9 + n), n + 1, "")

    return write


def _tell(what: str, act: Callable[[], object], runs: int = RUNS) -> None:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        act()
        times.append(time.perf_counter() - began)
    print(f"{what}: {spread(times)}")
