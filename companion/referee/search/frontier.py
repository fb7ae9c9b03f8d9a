"""The nodes that wait to be expanded: one heap for each number of actions."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TypeAlias

from companion.referee.search.node import Node

Priority: TypeAlias = tuple[float, float]
"""The lowest goes first; the second number decides between equals."""
_Item: TypeAlias = tuple[Priority, int, Node]


class Frontier:
    """The open nodes of a search, ordered by priority among those of the same length."""

    def __init__(self, longest: int) -> None:
        self._heaps: list[list[_Item]] = [[] for _ in range(longest + 1)]
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
