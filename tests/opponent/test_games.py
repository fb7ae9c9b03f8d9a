"""Whole games: with hardly a thought an opponent beats chance, in every game; so no estimate misleads it."""

import pytest

from benchmarks.opponent import by_chance, by_level, by_one_ply, main, pairing
from companion import games
from companion.core.puzzle import Puzzle
from opponent.levels import LEVELS, Level

HEADS = [name for name in games.GAMES if not isinstance(games.rules(name), Puzzle)]
LIGHT, LIGHTER = 9, 8
THOUGHTS = {LIGHT: Level(nodes=1_500, depth=2), LIGHTER: Level(nodes=500, depth=2)}
"""Levels of these tests that think a little, and never play at first sight. Secrets take more thought."""


@pytest.fixture(autouse=True)
def _light(monkeypatch: pytest.MonkeyPatch) -> None:
    for level, thought in THOUGHTS.items():
        monkeypatch.setitem(LEVELS, level, thought)


@pytest.mark.parametrize("head", [*HEADS, "trid players=3"])
def test_chance_is_beaten(head: str) -> None:
    if head == "chess":
        pytest.importorskip("chess")
    level = LIGHT if head == "magnet" else LIGHTER
    tally = pairing(head, by_level(level, []), by_chance, 2, seed=1, turns=400)
    assert tally.won == 2, tally


def test_a_look_ahead_beats_one_ply() -> None:
    tally = pairing("magnet", by_level(LIGHT, []), by_one_ply, 4, seed=1, turns=200)
    assert tally.won >= 3, tally


def test_the_benchmark_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--game", "triune", "--games", "2", "--level", "2", "--ladder"])
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["game", "pairing", "share"]
    assert [row[33:51].strip() for row in rows] == [
        "level 2 : chance",
        "level 2 : one ply",
        "level 2 : level 1",
    ]
