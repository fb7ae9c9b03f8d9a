"""Which legal actions explain what is seen: best-first search over positions.

A node's priority is what its actions cost (long stories are less likely than short ones) plus how badly
its board still fits. Only actions that touch a place which is wrong now, or that touch none (ending a
turn), are tried first: when every piece that moved ends right, each action of the story touches one.
Where that finds nothing, every legal action is tried within the same budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Any, TypeAlias

from companion.core import Action, Look, Place, Player, Rules
from companion.referee.evidence import CAP, Evidence

Clock: TypeAlias = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the search goes (in each of its two widths), and what it believes.

    Costs and misfits in nats: `first` for a story's first action, `more` for each further one, `turn`
    extra where another player goes on; a board fits when its misfit is at most `fit`; rivals within
    `margin` of the best story are reported too. A story dearer than `offence` and `place` for each place
    that changed is less likely than hands that broke the rules.
    """

    actions: int = 16
    nodes: int = 3000
    seconds: float = 0.6
    first: float = 1.0
    more: float = 0.6
    turn: float = 1.5
    offence: float = 4.0
    place: float = 1.5
    fit: float = 3.0
    margin: float = 3.0
    rivals: int = 8


@dataclass(frozen=True, slots=True)
class Story:
    """Actions that lead to a board that fits: `cost` is their unlikeliness, `misfit` what still speaks
    against the board that they lead to."""

    actions: tuple[Action, ...]
    position: Any
    cost: float
    misfit: float

    @property
    def weight(self) -> float:
        return self.cost + self.misfit


@dataclass(frozen=True, slots=True)
class _Node:
    position: Any
    looks: Mapping[Place, Look]
    misfit: float
    cost: float
    actions: tuple[Action, ...]
    player: Player


def explain(
    rules: Rules[Any], position: Any, evidence: Evidence, limits: Limits, clock: Clock
) -> list[Story]:
    """Stories that fit, likeliest first, each leading to another position; [] when there are none."""
    for wide in (False, True):
        found = _search(rules, position, evidence, limits, clock, wide)
        if found:
            return found
    return []


def _search(
    rules: Rules[Any], position: Any, evidence: Evidence, limits: Limits, clock: Clock, wide: bool
) -> list[Story]:
    deadline = clock() + limits.seconds
    looks = rules.look(position)
    dearest = limits.offence + limits.place * len(evidence.wrong(looks))
    heap: list[tuple[float, int, _Node]] = []
    tie = count()
    heappush(heap, (0.0, next(tie), _Node(position, looks, evidence.total(looks), 0.0, (), position.to_act)))
    done: set[Any] = set()
    found: list[Story] = []
    for _ in range(limits.nodes):
        if not heap or _is_settled(found, heap[0][0], limits) or clock() > deadline:
            break
        _, _, node = heappop(heap)
        if node.position in done:
            continue
        done.add(node.position)
        if node.misfit <= limits.fit:
            found.append(Story(node.actions, node.position, node.cost, node.misfit))
        if len(node.actions) < limits.actions:
            for child in _children(rules, node, evidence, limits, wide):
                if child.cost <= dearest and child.position not in done:
                    heappush(heap, (child.cost + child.misfit, next(tie), child))
    return sorted(found, key=lambda story: story.weight)


def _is_settled(found: list[Story], next_weight: float, limits: Limits) -> bool:
    if not found:
        return False
    best = min(found, key=lambda story: story.weight)
    detour = CAP * min(len(best.actions) - 1, 2)
    return len(found) >= limits.rivals or next_weight > best.weight + max(limits.margin, detour)


def _children(
    rules: Rules[Any], node: _Node, evidence: Evidence, limits: Limits, wide: bool
) -> Iterator[_Node]:
    wrong = evidence.wrong(node.looks)
    player = node.position.to_act
    step = limits.more if node.actions else limits.first
    step += limits.turn if player != node.player else 0.0
    for action in _candidates(rules, node.position, wrong, wide):
        after = rules.play(node.position, action).position
        looks = rules.look(after)
        misfit = node.misfit + evidence.change(node.looks, looks)
        cost = node.cost + step + rules.rarity(node.position, action)
        yield _Node(after, looks, misfit, cost, (*node.actions, action), player)


def _candidates(
    rules: Rules[Any], position: Any, wrong: frozenset[Place], wide: bool
) -> Iterator[Action]:
    for action in rules.legal(position):
        path = rules.path(action)
        if wide or not path or not wrong.isdisjoint(path) or rules.is_transient(action):
            yield action
