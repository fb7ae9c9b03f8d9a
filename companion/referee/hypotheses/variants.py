"""Sequences of actions that come to the same as another one.

They have another order, go another way, exchange two pieces, or differ by what is gone again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, TypeAlias

from companion.core.game import Action, Place
from companion.core.rules import Rules
from companion.referee.hypotheses.paths import grip

Actions: TypeAlias = tuple[Action, ...]


def variants(rules: Rules[Any], position: Any, actions: Actions) -> Iterator[Actions]:
    """Yields sequences with two neighbours the other way round, or one action done another way.

    Not all may be legal.
    """
    for n, action in enumerate(actions):
        before, rest = actions[:n], actions[n + 1 :]
        if rest:
            yield (*before, rest[0], action, *rest[1:])
        if not rules.is_transient(action):
            hands = grip(rules, action)
            for other in rules.legal_at(position, hands):
                if other != action and grip(rules, other) == hands:
                    yield (*before, other, *rest)
        position = rules.after(position, action)


def vary_what_is_gone(rules: Rules[Any], position: Any, actions: Actions) -> Iterator[Actions]:
    """Yields sequences in which something that is gone when a turn is over stood elsewhere.

    Not all may be legal.
    """
    for n, action in enumerate(actions):
        if rules.is_transient(action):
            for other in rules.legal(position):
                if other != action:
                    yield (*actions[:n], other, *actions[n + 1 :])
        position = rules.after(position, action)


def exchanges(rules: Rules[Any], position: Any, actions: Actions) -> Iterator[Actions]:
    """Yields legal sequences in which two pieces each go where the other did."""
    ways = [grip(rules, action) for action in actions]
    moved = [n for n, way in enumerate(ways) if len({*way}) == 2]
    for m, n in combinations(moved, 2):
        crossed = (ways[m][0], ways[n][1]), (ways[n][0], ways[m][1])
        for first, second in (crossed, crossed[::-1]):
            yield from _rerouted(rules, position, actions, {m: first, n: second})


def _rerouted(
    rules: Rules[Any], position: Any, actions: Actions, wanted: Mapping[int, tuple[Place, Place]]
) -> Iterator[Actions]:
    """Yields the actions, if all are legal, with others in place of some that begin and end where wanted."""
    rerouted: list[Action] = []
    for n, action in enumerate(actions):
        if n in wanted:
            near = rules.legal_at(position, wanted[n][:1])
            action = next((a for a in near if grip(rules, a) == wanted[n]), "")
        if not action or rules.judge(position, action):
            return
        rerouted.append(action)
        position = rules.after(position, action)
    yield tuple(rerouted)
