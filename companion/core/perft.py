"""perft, the number of action sequences of a length: the field's check of a rules engine."""

from __future__ import annotations

from typing import Any

from companion.core.game import Action
from companion.core.rules import Rules


def perft(rules: Rules[Any], position: Any, depth: int) -> int:
    """Returns the number of sequences of `depth` actions; a game that ends earlier counts as none."""
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in rules.legal(position))
    return sum(perft(rules, rules.play(position, a).position, depth - 1) for a in rules.legal(position))


def divide(rules: Rules[Any], position: Any, depth: int) -> dict[Action, int]:
    """Returns the same number apart for each first action."""
    return {a: perft(rules, rules.play(position, a).position, depth - 1) for a in rules.legal(position)}
