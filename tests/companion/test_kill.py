"""`kill -9` of a table at any moment: the game stands as it was last shown, or one action further.

The whole server is killed by `python -m benchmarks attack kills`, which `tests/test_attacks.py` tries.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from companion.store.store import Store
from tests.companion import player

ROOT = Path(__file__).resolve().parents[2]
Moves = list[str]


def is_next(shown: Moves, found: Moves) -> bool:
    """Whether one action, takeback or new game leads from what was shown to what was found, or none."""
    begun_anew = found == [] and len(shown) >= player.LONGEST
    return found in (shown, shown[:-1]) or (bool(found) and found[:-1] == shown) or begun_anew


def standing(path: Path) -> tuple[int, Moves]:
    """The newest game in a store and the moves that stand in it."""
    store = Store(path)
    try:
        number = store.list(limit=1)[0].id
        return number, list(store.load(number).session().actions)
    finally:
        store.close()


def killed_player(path: Path, seed: int, lines: int) -> tuple[int, Moves]:
    """Lets a table play until it has printed so many lines and kills it; what it showed last."""
    command = [sys.executable, "-m", player.__name__, str(path), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        shown = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        shown += process.stdout.readlines()
    whole = [line for line in shown if line.endswith("\n")]
    number, moves = json.loads(whole[-1])
    return number, moves


def check_player(path: Path, seed: int) -> None:
    shown, moves = killed_player(path, seed, random.Random(seed).randrange(1, 120))
    number, found = standing(path)
    if number == shown:
        assert is_next(moves, found)
    else:
        assert (number, found) == (shown + 1, [])


@pytest.mark.parametrize("seed", range(4))
def test_a_killed_table(tmp_path: Path, seed: int) -> None:
    check_player(tmp_path / "games.sqlite", seed)


@pytest.mark.soak
def test_a_table_killed_200_times(tmp_path: Path) -> None:
    for seed in range(200):
        check_player(tmp_path / "games.sqlite", seed)
