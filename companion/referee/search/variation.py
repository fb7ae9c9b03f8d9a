"""Variants of the stories that were found, which no sensor can tell from them.

They begin at another root, have another order, do the same in another way, or differ by what is gone again.
They are nearly as likely as the story that they vary, however unlikely that one is itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import combinations, count
from typing import Any, TypeAlias

from companion.core.game import Action, Place
from companion.core.rules import Rules
from companion.referee.hypotheses.paths import grip
from companion.referee.search.expansion import Expansion
from companion.referee.search.node import Node
from companion.referee.search.progress import EQUAL_COST, Progress
from companion.referee.search.stories import Story

Actions: TypeAlias = tuple[Action, ...]


class Variation:
    """Varies the stories that a search found, and records what is likely enough."""

    def __init__(self, expansion: Expansion, progress: Progress) -> None:
        self._expansion = expansion
        self._rules = expansion.rules
        self._progress = progress
        self._replayed: dict[tuple[int, Actions], Node | None] = {}

    def run(self, most: float) -> None:
        """Varies all stories; none of the new ones is dearer than `most`."""
        self._progress.budget.renew()
        stories = self._progress.stories.all()
        if not stories:
            return
        best = min(stories, key=lambda story: story.cost)
        # Hands that broke the rules are no longer the measure, but the best story.
        self._progress.bounds.cost_bound = most
        self._progress.bounds.tighten(best.cost)
        self._spread(stories)
        start = self._expansion.roots[best.root]
        gone = vary_what_is_gone(self._rules, start.position, best.actions)
        self._spread(self._record_likely((start, actions) for actions in gone))

    def _spread(self, stories: list[Story]) -> None:
        """Varies these stories by order or way, the likeliest also by their root, and what comes of it."""
        least = min((story.cost for story in stories), default=0.0)
        elsewhere = [
            (root, story.actions)
            for story in stories
            if story.cost <= least + EQUAL_COST
            for root in self._expansion.roots
            if root.root != story.root
        ]
        tie = count()
        waiting = [(s.cost, next(tie), s) for s in (*stories, *self._record_likely(elsewhere))]
        heapify(waiting)
        while waiting and not self._progress.budget.is_over():
            _, _, story = heappop(waiting)
            for varied in self._vary(story):
                heappush(waiting, (varied.cost, next(tie), varied))

    def _vary(self, story: Story) -> list[Story]:
        """Records and returns what comes to the same as a story."""
        root = self._expansion.roots[story.root]
        if story.ahead:
            # A piece seen where it went before it left: it may have been another.
            self._record_exchanges(root, story.actions)
        ways = variants(self._rules, root.position, story.actions)
        return self._record_likely((root, actions) for actions in ways)

    def _record_likely(self, ways: Iterable[tuple[Node, Actions]]) -> list[Story]:
        """Records and returns the stories of these that are likely enough, while there is time."""
        stories: list[Story] = []
        for root, actions in ways:
            if self._progress.budget.is_over():
                break
            node = self._replay(root, actions)
            if node and self._progress.promises(node) and self._fits(node):
                self._progress.reach(node)
                stories.append(self._progress.record(node))
        return stories

    def _record_exchanges(self, root: Node, actions: Actions) -> None:
        """Records the same actions with two pieces that went each where the other did."""
        for exchanged in exchanges(self._rules, root.position, actions):
            node = self._replay(root, exchanged)
            if node and self._fits(node):
                self._progress.record(node)

    def _fits(self, node: Node) -> bool:
        return node.misfit <= self._expansion.limits.fit

    def _replay(self, root: Node, actions: Actions) -> Node | None:
        """Returns the node that actions lead to; None where they are not all legal, or no whole turn."""
        node: Node | None = root
        for action in actions:
            node = self._next(node, action) if node else None
        is_whole_turn = node is not None and node.begins_turn
        return node if is_whole_turn or not self._expansion.limits.turn_is_over else None

    def _next(self, node: Node, action: Action) -> Node | None:
        """Returns the node after an action; None where that is not legal. Many replays begin alike."""
        key = node.root, (*node.actions, action)
        if key not in self._replayed:
            self._progress.budget.count_try()
            self._replayed[key] = self._play(node, action)
        return self._replayed[key]

    def _play(self, node: Node, action: Action) -> Node | None:
        expansion = self._expansion
        if self._rules.judge(node.position, action):
            return None
        following, effect = expansion.next_action(node, action), expansion.effect(node, action)
        effort = expansion.effort(node, following, effect.fit.pieces)
        return expansion.child(node, following, effect, effort)


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
