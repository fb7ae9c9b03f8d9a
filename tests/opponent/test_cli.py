"""`companion best`."""

import json

import pytest
from click.testing import CliRunner

from opponent.cli import best


def answers(*words: str) -> list[dict[str, object]]:
    result = CliRunner().invoke(best, words, catch_exceptions=False)
    assert result.exit_code == 0
    return [json.loads(line) for line in result.output.splitlines()]


def test_the_best_turn_is_printed() -> None:
    (answer,) = answers("triune", "a2-a3", "--level", "2")
    assert answer["player"] == "blue"
    assert answer["actions"]
    assert answer == answers("triune", "a2-a3", "--level", "2")[0]


def test_the_turns_that_lost_most_are_printed() -> None:
    pytest.importorskip("chess")
    (answer,) = answers("--back", "chess f2f3 e7e5 g2g4 d8h4")
    assert answer["ply"] == 3
    assert answer["played"] == ["g2g4"]
    assert answer["left"] == 0
