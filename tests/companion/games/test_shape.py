"""All games have one shape: the same modules and functions for the same things, and no name outside."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from companion import games

ROOT = Path(__file__).resolve().parents[3]
GAMES = ROOT / "companion" / "games"
PACKAGES = sorted(folder.name for folder in GAMES.iterdir() if (folder / "__init__.py").exists())
NAMES = {
    "rules": set(),
    "position": {"Position"},
    "moves": {"legal"},
    "consequences": {"play"},
    "judge": {"judge"},
    "words": {"SENTENCES", "path"},
    "arrange": {"arrange"},
    "attempts": {"attempts"},
}
"""The names that each module of a game has; `consequences` may be part of `moves`."""
OWN = {
    "chess": {"estimate", "pgn"},
    "draughts": {"estimate", "board", "pdn"},
    "escape": {"estimate", "board"},
    "jumping": {"board", "plan"},
    "magnet": {"estimate", "audit", "board"},
    "placing": {"no_overlap", "queens", "rooks", "solve"},
    "teleporters": {"estimate", "board", "consequences"},
    "ternion": {"estimate", "board", "consequences", "factor", "spaces"},
    "trid": {"estimate", "board"},
    "triune": {"estimate", "board"},
}
"""The modules of a game beside these: its estimate where it is played against somebody, its board,
notations, searches, and games that share its rules."""
TABLES = {
    "companion/wire/hall.py",  # what is paired where nothing is said
    "hardware/doctor.py",  # the library that chess needs
    "hardware/cross_section.py",  # boards whose cuts the guide shows
    "hardware/magnets.py",  # those under the pieces
    "hardware/plugged_in.py",  # the board that is bought with sensors in it
    "hardware/print/template.py",  # boards that are printed
    "hardware/wiring/below.py",  # the first project, seen from below
    "hardware/wiring/draw.py",  # boards that are wired
    "hardware/wiring/figures.py",  # the magnet under a piece
    "vision/virtual/render/finish.py",  # the wood of each virtual board
}
"""Modules in which such a word is the name of something else: of a board's file, a library, or a thing."""


def modules(package: str) -> set[str]:
    return {file.stem for file in (GAMES / package).glob("*.py")} - {"__init__"}


def test_every_game_of_the_product_is_in_one_of_the_packages() -> None:
    found = {place.removeprefix("companion.games.").partition(".")[0] for place in games.GAMES.values()}
    assert found == set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_game_has_the_modules_of_all_games_and_few_of_its_own(package: str) -> None:
    assert modules(package) == NAMES.keys() - {"consequences"} | OWN[package]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_same_things_have_the_same_names(package: str) -> None:
    if package == "chess":
        pytest.importorskip("chess")
    for name, wanted in NAMES.items():
        found = name if name in modules(package) else "moves"
        module = import_module(f"companion.games.{package}.{found}")
        assert not [word for word in wanted if not hasattr(module, word)], found


def others() -> Iterator[Path]:
    """Yields the modules of the product outside the games' packages, but for training and tables of data."""
    for package in ("companion", "vision", "web", "hardware", "firmware_bridge"):
        for file in sorted((ROOT / package).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            is_game = name.startswith("companion/games/")
            if not (is_game or name.startswith("vision/training/") or name in TABLES):
                yield file


def test_no_game_is_named_outside_its_package() -> None:
    """Neither by an import, nor by a text that is its name."""
    named = set(games.GAMES) | set(PACKAGES)
    imported = re.compile(rf"companion\.games\.({'|'.join(PACKAGES)})\b")
    files = list(others())
    assert len(files) > 150
    found = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        found += [f"{file}: {match[0]}" for match in imported.finditer(text)]
        constants = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
        found += [f"{file}: {node.value}" for node in constants if node.value in named]
    assert found == []
