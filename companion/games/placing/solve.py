"""Solutions of puzzles of placing, found by a search that proves where there is none.

Sites are bits, and sets of sites are numbers. A task is a list of needs, of which a solution has a piece in
each, but for a few that it may spare. The search takes the need with the fewest sites that are still free,
tries each of them, and then to go without. What can no longer be met is counted at once: so it mostly fails
early, and answers within milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from companion.core.bits import members
from companion.core.game import Site
from companion.core.puzzle import Advice
from companion.games.placing.position import PlacingTask, Position
from companion.language import say

Clock = Callable[[], float]
BETTER = 0.5
"""Seconds for which a solution that keeps more pieces is looked for, once there is one."""


class TimeUpError(Exception):
    """The time for a search is over."""


@dataclass(frozen=True)
class Problem:
    """A task in numbers. `rivals` has for each site those that no piece can share the board with, itself
    among them."""

    sites: tuple[Site, ...]
    rivals: tuple[int, ...]
    needs: tuple[int, ...]
    spare: int
    """The number of needs that a solution may leave unmet."""
    pieces: int

    def bits(self, sites: frozenset[Site]) -> int:
        return sum(1 << i for i, site in enumerate(self.sites) if site in sites)

    def named(self, chosen: int) -> frozenset[Site]:
        return frozenset(site for i, site in enumerate(self.sites) if chosen >> i & 1)


@dataclass(frozen=True, slots=True)
class SolvingNode:
    """A part of a solution: the sites chosen, those still free, and what is still needed."""

    chosen: int
    free: int
    needs: tuple[int, ...]
    spare: int
    kept: int
    """The pieces on the board that a solution should keep."""
    lose: int
    """The number of them that it may do without."""


def advise(position: Position, seconds: float, clock: Clock = time.monotonic) -> Advice:
    """Advises the next piece of a solution that keeps all pieces; else which piece to take away first."""
    if position.solved:
        return Advice(True, None, say("Solved."))
    if position.task.pieces is None:
        return _advise_for_most(position, seconds, clock)
    deadline = clock() + seconds
    try:
        solution = next(solutions(position.task, deadline, clock, position.placed), None)
    except TimeUpError:
        return Advice(None, None, say("No solution was found in this time, and no proof that there is none."))
    if solution is None:
        solution = _keeping_most(position, deadline, clock)
    if solution is None:
        return Advice(False, None, say("This can no longer be solved."))
    return _advise_towards(position, solution)


def find(task: PlacingTask, seconds: float, clock: Clock = time.thread_time) -> frozenset[Site] | None:
    """Returns a solution; None where none was found in this time, which is the processor's."""
    try:
        return next(solutions(task, clock() + seconds, clock), None)
    except TimeUpError:
        return None


def _keeping_most(position: Position, deadline: float, clock: Clock) -> frozenset[Site] | None:
    """Returns a solution that keeps as many of the pieces on the board as those found in time."""
    best, lose = None, len(position.placed)
    try:
        while solution := next(solutions(position.task, deadline, clock, position.placed, lose), None):
            if best is None:
                deadline = min(deadline, clock() + BETTER)
            best, lose = solution, len(position.placed - solution) - 1
    except TimeUpError:
        pass
    return best


def _advise_towards(position: Position, solution: frozenset[Site]) -> Advice:
    piece = position.task.piece.name
    if wrong := position.placed - solution:
        site = min(wrong)
        words = say(
            "This can no longer be solved: take away {piece:the} on {place}.", piece=piece, place=site
        )
        return Advice(False, f"-{site}", words)
    site = min(solution - position.placed)
    return Advice(True, f"+{site}", say("Put {piece:a} on {place}.", piece=piece, place=site))


def _advise_for_most(position: Position, seconds: float, clock: Clock) -> Advice:
    """Advises the next of as many further pieces as are found in this time, where the most is not known."""
    solution, deadline = position.placed, clock() + seconds
    try:
        while True:
            task = replace(position.task, pieces=len(solution) + 1, unclaimed=None)
            solution = next(solutions(task, deadline, clock, position.placed))
    except (TimeUpError, StopIteration):
        pass
    if solution == position.placed:
        return Advice(None, None, say("No further {piece} fits.", piece=position.task.piece.name))
    return _advise_towards(position, solution)


def solutions(
    task: PlacingTask,
    deadline: float,
    clock: Clock,
    kept: frozenset[Site] = frozenset(),
    lose: int = 0,
) -> Iterator[frozenset[Site]]:
    """Yields each solution that keeps all these pieces but for so many. TimeUpError after the deadline."""
    problem = _problem(task)
    start = SolvingNode(
        0, (1 << len(problem.sites)) - 1, problem.needs, problem.spare, problem.bits(kept), lose
    )
    for chosen in _search(problem, start, lambda: clock() > deadline):
        yield problem.named(chosen)


def _search(problem: Problem, node: SolvingNode, is_late: Callable[[], bool]) -> Iterator[int]:
    """Yields the sites of each solution that goes on from a node."""
    if is_late():
        raise TimeUpError
    unmet = [need & node.free for need in node.needs if not need & node.chosen]
    needs = [need for need in unmet if need]
    spare = node.spare - (len(unmet) - len(needs))  # what nothing can meet any more is spared now
    left = problem.pieces - node.chosen.bit_count()
    due = (node.kept & node.free).bit_count() - node.lose
    if spare < 0 or not due <= left <= node.free.bit_count():
        return
    if left == 0 and len(needs) <= spare:
        yield node.chosen
    elif left and needs:
        for following in _branches(problem, replace(node, needs=tuple(needs), spare=spare)):
            yield from _search(problem, following, is_late)


def _branches(problem: Problem, node: SolvingNode) -> Iterator[SolvingNode]:
    """Yields the ways to meet the need with the fewest free sites, and to go without; no two overlap."""
    need = min(node.needs, key=int.bit_count)
    for site in members(need):
        bit, rivals = 1 << site, problem.rivals[site]
        lost = (node.kept & node.free & rivals & ~bit).bit_count()
        if lost <= node.lose:
            chosen, free = node.chosen | bit, node.free & ~rivals
            yield replace(node, chosen=chosen, free=free, lose=node.lose - lost)
        node = replace(node, free=node.free & ~bit, lose=node.lose - bool(node.kept & bit))
        if node.lose < 0:
            return
    if node.spare:
        yield node  # nothing free meets the need now: it is spared


@cache
def _problem(task: PlacingTask) -> Problem:
    """Returns a task of so many pieces in numbers.

    Where no further piece may fit, each site needs a piece on it or in conflict with it. Else each claim
    needs a piece, and as many are spared as the fewest claims of so many pieces leave over.
    """
    if task.pieces is None:
        raise ValueError("how many pieces?")
    sites = tuple(task.claims)
    claimants = dict.fromkeys(sorted(task.all_claims), 0)
    for i, site in enumerate(sites):
        for claim in task.claims[site]:
            claimants[claim] |= 1 << i
    rivals = tuple(_union(claimants[claim] for claim in task.claims[site]) for site in sites)
    if task.full:
        return Problem(sites, rivals, rivals, 0, task.pieces)
    fewest = sorted(len(claims) for claims in task.claims.values())[: task.pieces]
    spare = len(claimants) - sum(fewest) if task.unclaimed is None else task.unclaimed
    return Problem(sites, rivals, tuple(claimants.values()), spare, task.pieces)


def _union(sets: Iterator[int]) -> int:
    found = 0
    for bits in sets:
        found |= bits
    return found
