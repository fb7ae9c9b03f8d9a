"""Puzzles from games: what is one, those that the package brings, and the commands."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import games
from companion.core.game import GameError
from companion.record.record import read_any
from companion.record.task import make_task, progress
from opponent import puzzles
from opponent.cli import puzzle
from opponent.mind import choose
from opponent.puzzles import FILE, FoundPuzzle, collection, is_puzzle, of_day, proved, question, why_none

WITHOUT = {"magnet", "no_overlap", "jump_to_center", "queens", "rooks"}
"""The games without puzzles: what is best is hidden, or they are puzzles themselves."""
PROVED = 1
"""So many puzzles of a game are searched again in each run; all of them in the soak."""
SMOTHERED = "chess fen=6rk/6pp/7N/8/8/8/5PPP/6K1_w_-_-_0_1"
SHOWN = {name: [found for found in collection() if found.game == name] for name in games.GAMES}


@pytest.mark.parametrize("name", games.GAMES)
def test_every_game_without_secrets_has_puzzles(name: str) -> None:
    assert bool(why_none(name)) == (name in WITHOUT)
    assert bool(SHOWN[name]) == (name not in WITHOUT)


@pytest.mark.parametrize("name", sorted(set(games.GAMES) - WITHOUT))
def test_every_puzzle_is_reached_and_solved_by_legal_actions(name: str) -> None:
    if name == "chess":
        pytest.importorskip("chess")
    for found in SHOWN[name]:
        session = read_any(found.text).session()
        assert session.outcome is None
        assert progress(make_task(*_of(found)), session) == "open"
        solved = read_any(" ".join((found.text, *found.solution))).session()
        assert progress(make_task(*_of(found)), solved) == "solved"
        assert found.other in session.players


def _of(found: FoundPuzzle) -> tuple[str, tuple[str, ...]]:
    return found.text, found.solution


def _searched(count: int | None) -> list[FoundPuzzle]:
    return [found for of_game in SHOWN.values() for found in of_game[:count]]


@pytest.mark.parametrize("found", _searched(PROVED), ids=lambda found: found.game)
def test_a_search_finds_the_same_one_best_turn(found: FoundPuzzle) -> None:
    if found.game == "chess":
        pytest.importorskip("chess")
    assert proved(found, seed=5)


@pytest.mark.soak
@pytest.mark.parametrize("found", _searched(None), ids=lambda found: found.game)
def test_a_search_of_each_puzzle_finds_the_same_one_best_turn(found: FoundPuzzle) -> None:
    assert proved(found, seed=5)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (SMOTHERED, False),  # a mate at first sight
        ("chess fen=4k3/8/8/8/8/8/8/R3K2R_w_KQ_-_0_1", False),  # many turns win
        ("chess", False),
        ("triune", False),
        ("draughts f6-g5 e3-f4", False),  # there is nothing else to do
    ],
)
def test_what_is_a_puzzle(text: str, is_one: bool) -> None:
    if text.startswith("chess"):
        pytest.importorskip("chess")
    assert is_puzzle(choose(question(read_any(text).session()))) == is_one


def test_the_package_brings_no_puzzle_twice() -> None:
    assert Counter(map(FoundPuzzle.write, collection())).most_common(1)[0][1] == 1
    assert "".join(f"{found.write()}\n" for found in collection()) == FILE.read_text(encoding="utf-8")


def test_lines_that_are_no_puzzles_are_left_out() -> None:
    text = "triune a2-a3 | b7~\n\n# nothing\ntriune |\ntriune a2-a3\n"
    assert list(puzzles.read(text)) == [FoundPuzzle("triune a2-a3", ("b7~",))]


def test_the_commands_find_show_and_check(tmp_path: Path) -> None:
    run = CliRunner().invoke
    shown = run(puzzle, ["today", "draughts", "--solution"])
    today = of_day("draughts", date.today())
    assert today
    assert shown.output.strip() == today.write()
    assert run(puzzle, ["today", "Draughts"]).output.strip() == today.text
    assert isinstance(run(puzzle, ["today", "magnet"]).exception, GameError)
    assert isinstance(run(puzzle, ["find", "queens"]).exception, GameError)
    (found,) = puzzles.read(run(puzzle, ["find", "draughts", "--count", "1", "--seed", "4"]).output)
    assert found.game == "draughts"
    file = tmp_path / "wrong.txt"
    file.write_text("triune | a2-a3\n", encoding="utf-8")
    assert run(puzzle, ["check", str(file)]).output == "triune | a2-a3\n"
