"""perft: how many action sequences of a length there are; the field's check of a rules engine."""

from __future__ import annotations

from typing import Any

from companion.core import Action, Rules


def perft(rules: Rules[Any], position: Any, depth: int) -> int:
    """Sequences of `depth` actions; a game that ends earlier counts as none."""
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in rules.legal(position))
    return sum(perft(rules, rules.play(position, a).position, depth - 1) for a in rules.legal(position))


def divide(rules: Rules[Any], position: Any, depth: int) -> dict[Action, int]:
    """The same, apart for each first action."""
    return {a: perft(rules, rules.play(position, a).position, depth - 1) for a in rules.legal(position)}
