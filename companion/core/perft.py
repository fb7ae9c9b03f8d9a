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
        return len([*rules.legal(position)])
    leaves = 0
    for action in rules.legal(position):
        leaves += perft(rules, rules.after(position, action), depth - 1)
    return leaves


def divide(rules: Rules[Any], position: Any, depth: int) -> dict[Action, int]:
    """Returns the number of sequences that begin with each action."""
    return {a: perft(rules, rules.after(position, a), depth - 1) for a in rules.legal(position)}
