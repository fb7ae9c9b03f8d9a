"""A plan for Jump to the Center: a beam search, turn by turn, for the fewest turns it can find.

Pawns are a bit set, so that a turn (three moves of one pawn) is a handful of bit operations. A position that
several turns lead to is kept once. The most promising positions of each turn go on: those with few pawns,
close together and close to the centre. The beam is widened until the time is up, or until a plan is found
that cannot be shortened by a turn: each turn removes three pawns at most.
"""

from __future__ import annotations

import heapq
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import TypeAlias

from companion.core.bits import members
from companion.core.game import Action
from companion.games.jumping.board import Net
from companion.games.jumping.position import MOVES, Position

Move: TypeAlias = tuple[int, int, int]
"""The start, the place that is jumped (-1: a step) and the end."""
Weights: TypeAlias = tuple[float, float, float]
BEAMS = (
    (10, (4.0, 1.5, 0.5)),
    (30, (3.0, 1.0, 0.0)),
    (100, (4.0, 1.0, 0.1)),
    (300, (3.0, 1.0, 0.0)),
)
"""For each beam the number of positions that go on from each turn, and the weights in their choice: of a pawn
that is left, of a step to the next pawn, of a step to the centre."""
LONGEST = 24
"""The number of turns after which a plan is given up."""


@dataclass(frozen=True)
class Tables:
    """A net in numbers: places by index, and how many steps any two are apart."""

    names: tuple[str, ...]
    across: tuple[tuple[int, ...], ...]
    apart: tuple[tuple[int, ...], ...]
    centre: int


@dataclass(frozen=True, slots=True)
class PlanNode:
    """Pawns as a bit set, and the turns that led there."""

    pawns: int
    turn: tuple[Move, ...] = ()
    before: PlanNode | None = None


def plan(position: Position, seconds: float, clock: Callable[[], float] = time.monotonic) -> list[Action]:
    """Returns the actions of the shortest solution found in this time; [] when none was."""
    deadline, found = clock() + seconds, list[Action]()
    longest = LONGEST
    for beam in BEAMS:
        actions = _search(position, beam, longest, lambda: clock() > deadline)
        if actions is None or longest <= _fewest_turns(position):
            break
        if actions:
            found, longest = actions, -(-len(actions) // MOVES) - 1
    return found


def _fewest_turns(position: Position) -> int:
    return max(1, -(-(len(position.pawns) - 1) // MOVES))


def _search(
    position: Position, beam: tuple[int, Weights], longest: int, is_late: Callable[[], bool]
) -> list[Action] | None:
    """Returns a solution of at most so many turns; [] when the beam holds none, None when time was up."""
    tables = _tables(position.net)
    number = {name: i for i, name in enumerate(tables.names)}
    goal = 1 << number[position.net.centre]
    width, promise = beam[0], partial(_promise, tables, beam[1])
    layer = [PlanNode(sum(1 << number[name] for name in position.pawns))]
    mover = number[position.mover] if position.mover else None
    moves = MOVES - position.moves
    for _ in range(longest):
        following: dict[int, PlanNode] = {}
        for node in layer:
            if is_late():
                return None
            for pawns, turn in _turns(tables, node.pawns, mover, moves):
                if pawns not in following:
                    following[pawns] = PlanNode(pawns, turn, node)
        mover, moves = None, MOVES
        if goal in following:
            return _spell(tables, following[goal])
        layer = heapq.nsmallest(width, following.values(), promise)
    return []


def _spell(tables: Tables, node: PlanNode) -> list[Action]:
    names, actions = tables.names, list[Action]()
    while node.before:
        turn = [
            f"{names[start]}x{names[over]}-{names[end]}" if over >= 0 else f"{names[start]}-{names[end]}"
            for start, over, end in node.turn
        ]
        actions[:0] = turn
        node = node.before
    return actions


def _turns(
    tables: Tables, pawns: int, mover: int | None, moves: int
) -> Iterator[tuple[int, tuple[Move, ...]]]:
    """Yields the results of a turn: the pawns after it, and its moves."""
    for pawn in (mover,) if mover is not None else members(pawns):
        lines: list[tuple[int, int, tuple[Move, ...]]] = [(pawns, pawn, ())]
        for _ in range(moves):
            lines = [
                (after, end, (*line, (here, over, end)))
                for state, here, line in lines
                for after, over, end in _moves(tables, state, here)
            ]
        yield from ((after, line) for after, _, line in lines)


def _moves(tables: Tables, pawns: int, here: int) -> Iterator[tuple[int, int, int]]:
    for near in tables.across[here]:
        if not pawns >> near & 1:
            yield pawns ^ (1 << here | 1 << near), -1, near
        else:
            for far in tables.across[near]:
                if not pawns >> far & 1:
                    yield pawns ^ (1 << here | 1 << near | 1 << far), near, far


def _promise(tables: Tables, weights: Weights, node: PlanNode) -> float:
    """Returns less for fewer pawns, each nearer to another, all nearer to the centre."""
    places = [*members(node.pawns)]
    lonely = sum(min((tables.apart[a][b] for b in places if b != a), default=0) for a in places)
    far = sum(tables.apart[tables.centre][a] for a in places)
    return weights[0] * len(places) + weights[1] * lonely + weights[2] * far


@cache
def _tables(net: Net) -> Tables:
    names = tuple(net.across)
    number = {name: i for i, name in enumerate(names)}
    across = tuple(tuple(number[near] for near in net.across[name]) for name in names)
    apart = tuple(_steps_from(across, i) for i in range(len(names)))
    return Tables(names, across, apart, number[net.centre])


def _steps_from(across: tuple[tuple[int, ...], ...], start: int) -> tuple[int, ...]:
    steps, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for near in across[here]:
            if near not in steps:
                steps[near] = steps[here] + 1
                queue.append(near)
    return tuple(steps.get(i, len(across)) for i in range(len(across)))
