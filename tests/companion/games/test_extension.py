"""A game that comes as a package of its own is found by its entry point, with its board and rulebook."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "docs" / "examples" / "pebbles"
ENTRY_POINTS = "[board_companion.games]\npebbles = pebbles_game:Pebbles\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the installed package: its module, board, rulebook, and what an installer notes of it."""
    shutil.copytree(EXAMPLE / "pebbles_game", tmp_path / "pebbles_game")
    files = {
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
