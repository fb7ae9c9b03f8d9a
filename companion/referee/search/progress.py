"""The progress of a search: what it has found and reached, and therefore what it still looks for."""

from __future__ import annotations

from math import inf

from companion.referee.search.bounds import Bounds
from companion.referee.search.budget import Budget
from companion.referee.search.expansion import Expansion
from companion.referee.search.node import Node
from companion.referee.search.stories import Stories, Story

EQUAL_COST = 1e-6
"""Nats: what is cheaper by less is no cheaper."""


class Progress:
    """The stories found, the bounds that follow from them, and the cheapest way to each node so far."""

    def __init__(self, expansion: Expansion, budget: Budget, bounds: Bounds) -> None:
        self.stories = Stories(expansion)
        self.budget = budget
        self.bounds = bounds
        self._cheapest: dict[object, float] = {}

    def promises(self, node: Node) -> bool:
        """Returns whether a likely story may come of a node, and no cheaper way leads to the same."""
        is_cheaper = node.cost_so_far < self._cheapest.get(node.key, inf) - EQUAL_COST
        return is_cheaper and self.bounds.allow(node)

    def reach(self, node: Node) -> None:
        """Notes the cheapest way to a node."""
        self._cheapest[node.key] = node.cost_so_far

    def record(self, node: Node) -> Story:
        """Adds the story that leads to a node, and looks for none that is much dearer from now on."""
        story = self.stories.add(node)
        self.bounds.tighten(story.cost)
        self.budget.count_stories(len(self.stories))
        return story
