"""Which legal actions explain what is seen: best-first search over positions.

A node's priority is what its actions cost (long stories are less likely than short ones) plus how badly
its pieces still fit; its markers may be gone before the story ends. Only actions that touch a place which
is wrong now, or that touch none (ending a turn), are tried first: when every piece that moved ends right,
each action of the story touches one. Where that finds nothing, every legal action is tried within the
same budget. Actions in another order than that in which their changes were first seen cost more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any, TypeAlias

from companion.core import EMPTY, Action, Look, Place, Player, Rules
from companion.referee.evidence import CAP, DOUBT, Evidence

IsLate: TypeAlias = Callable[[], bool]
SITE = re.compile(r"[A-Za-z]\d+")
FEW = 12
"""So few legal actions are all tried."""
MOST = 6
"""How many places more may be wrong in the beginning of a story that came in a better order."""
SOON = 0.25
"""Seconds: changes seen so close together may have come in any order."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far the search goes, and what it believes.

    `seconds` are for all explaining of one observation, `beside` where an earlier position fits it already;
    `revision` more for histories that looked alike.

    Costs and misfits in nats: `first` for a story's first action, `more` for each further one, `turn`
    extra where another player goes on, `answer` for an answer that is owed, `disorder` for an action whose
    change was seen before those of earlier ones. A board fits when its misfit
    is at most `fit`; rivals within `margin` of the best story are reported too. A story dearer than
    `offence` and `place` for each place that changed is less likely than hands that broke the rules; each
    action on the board beyond one for each place that changed is a `detour`, which makes it dearer.
    `whole`: the board is known to be that after one turn (its player pressed the clock).
    """

    actions: int = 16
    nodes: int = 3000
    seconds: float = 0.6
    beside: float = 0.3
    revision: float = 0.2
    first: float = 1.0
    more: float = 0.6
    turn: float = 1.5
    answer: float = 0.3
    disorder: float = 1.5
    offence: float = 4.0
    place: float = 1.5
    detour: float = 3.0
    fit: float = 3.0
    margin: float = 3.0
    rivals: int = 12
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """Actions that lead to a board that fits: `cost` is their unlikeliness, `misfit` what still speaks
    against the board that they lead to."""

    actions: tuple[Action, ...]
    position: Any
    cost: float
    misfit: float
    marks: float = 0.0
    """How badly the move markers fit."""
    in_order: bool = True
    """Whether the changes were first seen in the order of the actions."""

    @property
    def weight(self) -> float:
        return self.cost + self.misfit + self.marks


@dataclass(frozen=True, slots=True)
class _Node:
    position: Any
    looks: Mapping[Place, Look]
    misfit: float
    hope: float
    cost: float
    actions: tuple[Action, ...]
    player: Player
    is_fresh: bool = False
    """Whether a turn begins here."""
    is_silent: bool = False
    """Whether the last action changed nothing on the board."""
    in_order: bool = True
    seen_last: float = -inf
    """When the latest change by these actions was first seen."""


def explain(
    rules: Rules[Any], position: Any, evidence: Evidence, limits: Limits, is_late: IsLate
) -> list[Story]:
    """Stories that fit, likeliest first, each leading to another position; [] when there are none, or
    none was found before it was late."""
    for wide in (False, True):
        found = _Search(rules, evidence, limits, wide, is_late).run(position)
        if found:
            return found
    return []


class _Search:
    """One search from one position, until a story is clearly the best or the budget is spent."""

    def __init__(
        self, rules: Rules[Any], evidence: Evidence, limits: Limits, wide: bool, is_late: IsLate
    ) -> None:
        self._rules, self._evidence, self._limits = rules, evidence, limits
        self._wide, self._is_late = wide, is_late
        self._heap: list[tuple[float, int, _Node]] = []
        self._tie = count()
        self._done: dict[Any, float] = {}
        self._found: dict[Any, Story] = {}
        self._changed = 0

    def run(self, position: Any) -> list[Story]:
        looks, evidence = self._rules.look(position), self._evidence
        self._changed = len(evidence.wrong(looks))
        dearest = self._limits.offence + self._limits.place * self._changed
        misfit, hope = evidence.total(looks), evidence.hope(looks)
        self._push(_Node(position, looks, misfit, hope, 0.0, (), position.to_act))
        for _ in range(self._limits.nodes):
            if not self._heap or self._is_settled(self._heap[0][0]) or self._is_late():
                break
            node = heappop(self._heap)[2]
            if self._is_new(node):
                self._visit(node, dearest)
        return sorted(self._found.values(), key=lambda story: story.weight)

    def _push(self, node: _Node) -> None:
        heappush(self._heap, (node.cost + node.hope, next(self._tie), node))

    def _is_new(self, node: _Node) -> bool:
        return node.cost < self._done.get(node.position, inf) - 1e-6

    def _visit(self, node: _Node, dearest: float) -> None:
        self._done[node.position] = node.cost
        fits = node.misfit <= self._limits.fit and (node.is_fresh or not self._limits.whole)
        if fits and not self._is_guess(node):
            self._tell(node, dearest)
        if len(node.actions) < self._limits.actions and not (self._limits.whole and node.is_fresh):
            for child in self._children(node):
                if child.cost <= dearest and self._is_new(child):
                    self._push(child)

    def _is_guess(self, node: _Node) -> bool:
        """Whether the last action is one that would be seen, were it not gone again, and nothing shows."""
        return node.is_silent and self._rules.is_transient(node.actions[-1]) and not self._limits.whole

    def _tell(self, node: _Node, dearest: float) -> None:
        handled = sum(1 for action in node.actions if self._rules.path(action))
        cost = node.cost + self._limits.detour * max(0, handled - max(self._changed, 1))
        if cost <= dearest:
            marks = self._evidence.mark_misfit(self._rules.marks(node.position), node.looks)
            self._found[node.position] = Story(
                node.actions, node.position, cost, node.misfit, marks, node.in_order
            )

    def _is_settled(self, next_weight: float) -> bool:
        if not self._found:
            return False
        best = min(self._found.values(), key=lambda story: story.weight)
        detour = CAP * (min(len(best.actions) - 1, 2) if best.in_order else MOST)
        full = len(self._found) >= self._limits.rivals
        return full or next_weight > best.weight + max(self._limits.margin, detour)

    def _children(self, node: _Node) -> Iterator[_Node]:
        rules, evidence, player = self._rules, self._evidence, node.position.to_act
        step = self._step_cost(node)
        for n, action in enumerate(self._candidates(node)):
            if n % 16 == 15 and self._is_late():
                return
            after = rules.play(node.position, action).position
            looks = rules.look(after)
            misfit, hope = evidence.change(node.looks, looks)
            cost = node.cost + step + rules.rarity(node.position, action)
            seen = self._first_seen(node.looks, looks)
            late = seen is not None and seen < node.seen_last - SOON
            cost += self._limits.disorder if late else 0.0
            actions = (*node.actions, action)
            last = node.seen_last if seen is None else max(seen, node.seen_last)
            fits = (node.misfit + misfit, node.hope + hope)
            fresh = after.turn != node.position.turn or rules.outcome(after) is not None
            yield _Node(after, looks, *fits, cost, actions, player, fresh, looks == node.looks,
                        node.in_order and not late, last)  # fmt: skip

    def _first_seen(self, before: Mapping[Place, Look], after: Mapping[Place, Look]) -> float | None:
        """When the last change from one board to the next was first seen; None where none is seen."""
        since = self._evidence.course.seen_since
        if not since:
            return None
        changed = {p for p, _ in before.items() ^ after.items() if p in since}
        times = [since[p] for p in changed if self._evidence.misfit(p, after.get(p, EMPTY)) <= DOUBT]
        return max(times, default=None)

    def _step_cost(self, node: _Node) -> float:
        limits, position = self._limits, node.position
        if position.to_act != position.turn:
            return limits.answer
        turn = limits.turn if position.to_act != node.player else 0.0
        return turn + (limits.more if node.actions else limits.first)

    def _candidates(self, node: _Node) -> Iterator[Action]:
        rules = self._rules
        actions = [a for a in rules.legal(node.position) if "?" not in a]  # '?' stands for what is secret
        if self._wide or len(actions) <= FEW:
            yield from actions
            return
        wrong = self._evidence.wrong_pieces(node.looks) or self._evidence.wrong(node.looks)
        wrong_sites = _with_sites(wrong | (self._evidence.course.touched or frozenset()))
        for action in actions:
            path = rules.path(action)
            if not path or not wrong_sites.isdisjoint(path) or rules.is_transient(action):
                yield action


def _with_sites(places: frozenset[Place]) -> set[Place]:
    """The places and the sites that they are parts of: `b2nw` and `b2`."""
    return {*places, *(match[0] for place in places if (match := SITE.match(place)))}
