"""Other stories that come to the same as one: in another order, another way, with two pieces exchanged, or
with what is gone again elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, TypeAlias

from companion.core import Action, Place, Rules
from companion.referee.paths import grip

Actions: TypeAlias = tuple[Action, ...]


def variants(rules: Rules[Any], position: Any, actions: Actions) -> Iterator[Actions]:
    """Two actions in a row the other way round, or one done another way; not all may be legal."""
    for n, action in enumerate(actions):
        before, rest = actions[:n], actions[n + 1 :]
        if rest:
            yield (*before, rest[0], action, *rest[1:])
        hands = grip(rules, action)
        for other in () if rules.is_transient(action) else rules.legal_at(position, hands):
            if other != action and grip(rules, other) == hands:
                yield (*before, other, *rest)
        position = rules.play(position, action).position


def otherwise_gone(rules: Rules[Any], position: Any, actions: Actions) -> Iterator[Actions]:
    """Stories in which something that is gone when a turn is over (Magnet's pillar) stood elsewhere; not all
    may be legal."""
    for n, action in enumerate(actions):
        if rules.is_transient(action):
            others = (other for other in rules.legal(position) if other != action)
            yield from ((*actions[:n], other, *actions[n + 1 :]) for other in others)
        position = rules.play(position, action).position


def exchanges(rules: Rules[Any], position: Any, actions: Actions) -> Iterator[Actions]:
    """Legal stories in which two pieces went each where the other did."""
    ways = [grip(rules, action) for action in actions]
    moved = [n for n, way in enumerate(ways) if len({*way}) == 2]
    for m, n in combinations(moved, 2):
        crossed = (ways[m][0], ways[n][1]), (ways[n][0], ways[m][1])
        for first, second in (crossed, crossed[::-1]):
            yield from _gripped(rules, position, actions, {m: first, n: second})


def _gripped(
    rules: Rules[Any], position: Any, actions: Actions, wanted: Mapping[int, tuple[Place, Place]]
) -> Iterator[Actions]:
    """These actions with others in place of some, which begin and end where wanted, if all are legal."""
    changed: list[Action] = []
    for n, action in enumerate(actions):
        if n in wanted:
            near = rules.legal_at(position, wanted[n][:1])
            action = next((a for a in near if grip(rules, a) == wanted[n]), "")
        if not action or rules.judge(position, action):
            return
        changed.append(action)
        position = rules.play(position, action).position
    yield tuple(changed)
