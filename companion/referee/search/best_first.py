"""Best-first search for the legal actions that explain what is seen.

The search begins at all positions that are held to be possible, each with what speaks against it, and takes
the most promising node from the `frontier` again and again. A node's priority is its cost so far (long
stories are less likely than short ones) plus, until a story is found, how badly its pieces still fit, and
from then on a lower bound on what is still to pay (`bounds`). `expansion` makes the nodes that follow it.
Of nodes from which the same may follow only the cheapest counts. At last `variation` looks for variants of
the stories that were found, which no sensor can tell from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from typing import Any, TypeAlias

from companion.core.rules import Rules
from companion.referee.evidence.evidence import Evidence
from companion.referee.search.expansion import Expansion
from companion.referee.search.limits import Limits
from companion.referee.search.node import Effort, NextAction, Node, Root
from companion.referee.search.progress import Bounds, Budget, Progress, Spent
from companion.referee.search.stories import Explanation
from companion.referee.search.variation import Variation

OFTEN = 16
"""After so many actions that follow one node the search looks at the time."""
Priority: TypeAlias = tuple[float, float]
"""The lowest goes first; the second number decides between equals."""


def explain(
    rules: Rules[Any],
    roots: Sequence[Root],
    evidence: Evidence,
    limits: Limits,
    spent: Spent,
    most: float = inf,
) -> Explanation:
    """Returns the stories that begin at these roots and explain the evidence, none dearer than `most`."""
    expansion = Expansion(rules, evidence, limits, roots)
    progress = Progress(expansion, Budget(limits, spent), _first_bounds(expansion, most))
    is_exhaustive = Exploration(expansion, progress).run()
    Variation(expansion, progress).run(most)
    return Explanation(progress.stories.ranked(), is_exhaustive)


def _first_bounds(expansion: Expansion, most: float) -> Bounds:
    """Returns the bounds before any story is found: none is likelier than that hands broke the rules."""
    limits = expansion.limits
    if not limits.turn_is_over:
        most = min(most, limits.offence_cost(expansion.disturbed, expansion.evidence))
    # Where players alternate, each further action is another player's.
    further_cost = limits.more + (limits.turn if expansion.rules.alternates else 0.0)
    return Bounds(limits, most, further_cost, expansion.changed)


class Frontier:
    """The open nodes of a search, ordered by priority among those of the same length."""

    def __init__(self, longest: int) -> None:
        self._heaps: list[list[tuple[Priority, int, Node]]] = [[] for _ in range(longest + 1)]
        self._tie = count()

    def __bool__(self) -> bool:
        return any(self._heaps)

    def push(self, node: Node, priority: Priority) -> None:
        heappush(self._heaps[len(node.actions)], (priority, next(self._tie), node))

    def pop_best(self) -> Node:
        """Removes and returns the best node of all."""
        heaps = [heap for heap in self._heaps if heap]
        return heappop(min(heaps, key=lambda heap: heap[0][0]))[2]

    def pop_in_turn(self, turn: int) -> Node:
        """Removes and returns the best node of one length, of each in turn."""
        heaps = [heap for heap in self._heaps if heap]
        return heappop(heaps[turn % len(heaps)])[2]

    def reorder(self, priority: Callable[[Node], Priority]) -> None:
        for heap in self._heaps:
            heap[:] = [(priority(node), n, node) for _, n, node in heap]
            heapify(heap)


class Exploration:
    """Visits nodes, the most promising first, until none is left or the budget is used up."""

    def __init__(self, expansion: Expansion, progress: Progress) -> None:
        self._expansion = expansion
        self._limits = expansion.limits
        self._progress = progress
        self._frontier = Frontier(self._limits.actions)

    def run(self) -> bool:
        """Searches from all roots. Returns whether every node was visited that promised anything."""
        for root in self._expansion.roots:
            if root.misfit <= self._limits.fit and not self._limits.turn_is_over:
                self._record(root)
            self._push(root)
        budget = self._progress.budget
        for turn in count():
            if not self._frontier:
                break
            if budget.is_used_up() or budget.is_late():
                return False
            node = self._pop(turn)
            if self._progress.promises(node):
                self._visit(node)
        return True

    def _pop(self, turn: int) -> Node:
        """Removes the best node from the frontier.

        Until a story is found, it is every other time the best of one length, of each in turn: a story that
        nearly fits is soon found, and may be a trap from which none goes on.
        """
        if turn % 2 and not self._progress.stories:
            return self._frontier.pop_in_turn(turn // 2)
        return self._frontier.pop_best()

    def _push(self, node: Node) -> None:
        self._frontier.push(node, self._priority(node))

    def _priority(self, node: Node) -> Priority:
        """Returns the priority of a node.

        At first what nearly fits goes first; once a story is found, what may turn out the likeliest.
        """
        if self._progress.stories:
            return node.cost_so_far + self._progress.bounds.heuristic(node), node.piece_misfit
        return node.cost_so_far + node.piece_misfit, node.piece_misfit

    def _record(self, node: Node) -> None:
        """Records the story that leads to a node; with the first one the frontier's order changes."""
        is_first = not self._progress.stories
        self._progress.record(node)
        if is_first:
            self._frontier.reorder(self._priority)

    def _visit(self, node: Node) -> None:
        """Records a node if it explains the board, and adds what follows it to the frontier."""
        self._progress.reach(node)
        if self._explains(node):
            self._record(node)
        if self._may_go_on(node):
            for child in self._children(node):
                if self._progress.promises(child):
                    self._push(child)

    def _explains(self, node: Node) -> bool:
        """Returns whether a node fits the board, and is likelier than that hands broke the rules there."""
        if node.misfit > self._limits.fit:
            return False
        if self._limits.turn_is_over:
            return node.begins_turn
        if self._is_guess(node):
            return False
        explained = self._expansion.disturbed - node.wrong
        return node.cost_so_far <= self._limits.offence_cost(explained, self._expansion.evidence)

    def _is_guess(self, node: Node) -> bool:
        """Returns whether the last action would be seen, were it not gone again, and nothing shows."""
        return node.changes_nothing and self._expansion.rules.is_transient(node.actions[-1])

    def _may_go_on(self, node: Node) -> bool:
        """Returns whether a story may have more actions than those that lead to a node."""
        is_whole_turn = self._limits.turn_is_over and node.begins_turn
        return len(node.actions) < self._limits.actions and not is_whole_turn

    def _children(self, node: Node) -> Iterator[Node]:
        """Yields the nodes that follow one and may fit, while there is time."""
        expansion, budget = self._expansion, self._progress.budget
        for n, following in enumerate(expansion.next_actions(node), 1):
            if n % OFTEN == 0 and budget.is_late():
                return
            budget.count_try()
            cost = node.cost_so_far + following.step_cost + expansion.unlifted(node, following.action)
            if cost <= self._progress.bounds.cost_bound:
                child = self._child(node, following)
                if child:
                    yield child

    def _child(self, node: Node, following: NextAction) -> Node | None:
        """Returns the node after an action; None where too little comes right by what it changes."""
        expansion = self._expansion
        known = expansion.rules.change(node.position, following.action)
        if known is not None:
            # Some games tell what an action changes sooner than by playing it.
            effort = self._effort(node, following, len(known))
            if not self._may_fit(node, effort, expansion.evidence_for(node).piece_misfit_change(known)):
                return None
        effect = expansion.effect(node, following.action)
        effort = self._effort(node, following, effect.fit.pieces)
        if not self._may_fit(node, effort, effect.fit.piece_misfit):
            return None
        return expansion.child(node, following, effect, effort)

    def _effort(self, node: Node, following: NextAction, pieces: int) -> Effort:
        self._progress.bounds.note_change(pieces)
        return self._expansion.effort(node, following, pieces)

    def _may_fit(self, node: Node, effort: Effort, piece_misfit_change: float) -> bool:
        """Returns whether a likely story may go on so, by nothing but how the pieces fit then."""
        bounds = self._progress.bounds
        piece_misfit = node.piece_misfit + piece_misfit_change
        rest = bounds.lower_bound(piece_misfit, 0.0, effort.handled, has_begun=True)
        return effort.cost_so_far + rest <= bounds.cost_bound
