"""Bounds of the search: what a story costs at least, and what it may cost at most.

A node is worth keeping while its cost so far and the lower bound on the rest (the heuristic) are within the
cost bound. The cost bound falls as better stories are found.
"""

from __future__ import annotations

from math import ceil

from companion.referee.evidence.evidence import CAP
from companion.referee.search.limits import Limits
from companion.referee.search.node import Node


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
