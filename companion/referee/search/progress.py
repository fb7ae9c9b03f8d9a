"""The progress of a search: what it has found and reached, and therefore what it still looks for.

A node is worth keeping while its cost so far and the lower bound on the rest (the heuristic) are within the
cost bound. The cost bound falls as better stories are found. The budget says how many actions may be tried,
and which share of the time has passed.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf
from typing import TypeAlias

from companion.referee.evidence.evidence import CAP
from companion.referee.search.expansion import Expansion
from companion.referee.search.limits import Limits
from companion.referee.search.node import Node
from companion.referee.search.stories import Stories, Story

Spent: TypeAlias = Callable[[], float]
"""Returns which share of its time a search has had."""
EXPLORE = 0.6
"""The share of its time in which a search looks for more stories; in the rest it varies those it found."""
EQUAL_COST = 1e-6
"""Nats: what is cheaper by less is no cheaper."""


class Bounds:
    """The lower bound on the cost of what is still to come, and the bound on the cost of a story.

    `further_cost` is the least cost of an action after the first, `changed` the number of places that show
    how many actions there may have been.
    """

    def __init__(self, limits: Limits, cost_bound: float, further_cost: float, changed: int) -> None:
        self.cost_bound = cost_bound
        """A story that costs more is of no interest."""
        self._limits = limits
        self._further_cost = further_cost
        self._changed = changed
        self._reach = 2
        """The most places that one action was seen to change."""

    def note_change(self, pieces: int) -> None:
        """Notes that an action changes so many places: no later bound may assume fewer."""
        self._reach = max(self._reach, pieces)

    def tighten(self, cost: float) -> None:
        """Lowers the cost bound to what is within the margin of a story of this cost."""
        self.cost_bound = min(self.cost_bound, cost + self._limits.margin)

    def heuristic(self, node: Node) -> float:
        """Returns the least that a story costs beyond this node (h)."""
        return self.lower_bound(node.piece_misfit, node.misfit, node.handled, bool(node.actions))

    def lower_bound(self, piece_misfit: float, misfit: float, handled: float, has_begun: bool) -> float:
        """Returns the least that the actions cost which are still needed for a board that fits.

        Each of them puts right at most as many places as any action was seen to change, and each place
        takes at most `CAP` off the misfit. Where players alternate each further action is a reply.
        """
        limits = self._limits
        if piece_misfit <= limits.fit:
            return limits.answer if misfit > limits.fit else 0.0
        places = ceil((piece_misfit - limits.fit) / CAP)
        actions = ceil(places / self._reach)
        first = self._further_cost if has_begun else min(limits.first, self._further_cost)
        extra = handled + places / 2 - max(handled, self._changed / 2)
        return first + self._further_cost * (actions - 1) + limits.extra * max(0, ceil(extra))

    def allow(self, node: Node) -> bool:
        """Returns whether a story that goes on from this node may be likely enough."""
        return node.cost_so_far + self.heuristic(node) <= self.cost_bound


class Budget:
    """Counts the actions that were tried, and the stories that were found, against their limits."""

    def __init__(self, limits: Limits, spent: Spent) -> None:
        self._limits = limits
        self._spent = spent
        self._tries = 0
        self._most_tries = limits.tries
        self._stories = 0

    def count_try(self) -> None:
        self._tries += 1

    def count_stories(self, stories: int) -> None:
        """Notes how many stories are found; after the first, only so many more tries are left."""
        if not self._stories and stories:
            self._most_tries = min(self._most_tries, self._tries + self._limits.rest)
        self._stories = stories

    def renew(self) -> None:
        """Grants the tries that are left after a first story once more."""
        self._most_tries = self._tries + self._limits.rest

    def is_used_up(self) -> bool:
        """Returns whether enough was tried, or enough stories are found."""
        return self._tries >= self._most_tries or self._stories >= self._limits.rivals

    def is_late(self) -> bool:
        """Returns whether the time for looking for more stories is over; all of it, while there is none."""
        return self._spent() >= (EXPLORE if self._stories else 1)

    def is_over(self) -> bool:
        """Returns whether nothing more may be tried, nor any time is left."""
        return self.is_used_up() or self._spent() >= 1


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
