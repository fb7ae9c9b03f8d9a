"""A game that comes as a package of its own is found by its entry point, with its board and rulebook."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
GAME = '''
"""Pebbles: players take pebbles by turns, and who takes the last one wins."""

from typing import NamedTuple

from companion.core.game import EMPTY, Breach, Event, Outcome, Step
from companion.core.rules import Rules

PLAYERS = ("red", "blue")


class Position(NamedTuple):
    pebbles: frozenset
    seat: int

    @property
    def turn(self):
        return PLAYERS[self.seat]

    to_act = turn


class Pebbles(Rules[Position]):
    name = "pebbles"
    title = "Pebbles"
    board = "pebbles"
    sentences = {"taken": "{player} takes the pebble on {sites}."}

    def players(self, position):
        return PLAYERS

    def start(self, options, board):
        return Position(frozenset(board.sites), 0)

    def legal(self, position):
        return (f"-{site}" for site in sorted(position.pebbles))

    def judge(self, position, action):
        if not position.pebbles:
            return (Breach("GEN-3"),)
        return () if action in self.legal(position) else (Breach("PB-1"),)

    def play(self, position, action):
        after = Position(position.pebbles - {action[1:]}, 1 - position.seat)
        return Step(after, (Event("taken", position.turn, (action[1:],)),))

    def outcome(self, position):
        return None if position.pebbles else Outcome(PLAYERS[1 - position.seat], "the last pebble")

    def look(self, position):
        return dict.fromkeys(position.pebbles, "red")

    def looks(self, position):
        return (EMPTY, "red")

    def path(self, action):
        return (action[1:],)

    def arrange(self, position, looks, turn):
        return Position(frozenset(looks), PLAYERS.index(turn))
'''
BOARD = {
    "format": "board-companion board 1",
    "name": "pebbles",
    "sites": {"a1": [0, 0], "b1": [1, 0], "c1": [2, 0]},
    "corners": [[-0.5, -0.5], [2.5, -0.5], [2.5, 0.5], [-0.5, 0.5]],
    "outline": [[-0.5, -0.5], [2.5, -0.5], [2.5, 0.5], [-0.5, 0.5]],
    "pieces": {"paint": {"red": "#a03020"}, "faces": {"": {"form": "disc", "radius": 0.3, "height": 0.2}}},
}
RULEBOOK = '[PB-1]\ntitle = "pebbles"\ntext = "Take one pebble that is there."\nsource = "Ruling"\n'
ENTRY_POINTS = "[board_companion.games]\npebbles = pebbles_game:Pebbles\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the installed package: its module, board, rulebook, and what an installer notes of it."""
    files = {
        "pebbles_game/__init__.py": GAME,
        "pebbles_game/boards/pebbles.json": json.dumps(BOARD),
        "pebbles_game/rulebook/pebbles.toml": RULEBOOK,
        "pebbles_game-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: pebbles-game\nVersion: 1.0\n",
        "pebbles_game-1.0.dist-info/entry_points.txt": ENTRY_POINTS,
    }
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def companion(site: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Runs `companion ARGS` in a Python of its own, which finds the folder's packages."""
    path = os.pathsep.join((str(ROOT), str(site)))
    call = [sys.executable, "-c", "from companion.cli import main; main()", *args]
    return subprocess.run(
        call, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("args", "lines"),
    [
        (("legal", "pebbles"), ["-a1", "-b1", "-c1"]),
        (("legal", "pebbles", "-b1"), ["-a1", "-c1"]),
        (
            ("judge", "pebbles -b1", "-b1"),
            [
                '{"legal": false, "breaks": [{"rule": "PB-1", "sites": [],'
                ' "text": "Take one pebble that is there."}]}'
            ],
        ),
    ],
)
def test_a_game_of_its_own_package_is_played(site: Path, args: tuple[str, ...], lines: list[str]) -> None:
    assert companion(site, *args).stdout.splitlines() == lines


def test_its_action_sequences_are_counted(site: Path) -> None:
    assert companion(site, "perft", "pebbles", "-n", "3").stdout.startswith("6 leaves")


def test_its_board_is_copied_and_checked(site: Path) -> None:
    copy = site / "copy.json"
    made = companion(site, "board", "new", str(copy), "--like", "pebbles")
    assert made.returncode == 0, made.stderr
    assert "pebbles" in companion(site, "board", "check", str(copy)).stdout


def test_without_the_package_there_is_no_such_game(tmp_path: Path) -> None:
    result = companion(tmp_path, "legal", "pebbles")
    assert result.returncode == 2
    assert "there is no game 'pebbles'" in result.stderr
