"""No Overlap (Challenge 1): pawns on the Ternion board that own the intersections on their lines.

The number of pawns that fit is a property of the board. Its file has it under `tables`, `no_overlap`: for
each reach the most pawns, and with these the fewest intersections left unclaimed. Without it the puzzle is
never 'solved', and the score alone tells how well it went.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

from companion.core.board import Board
from companion.core.game import Count, Option, Site
from companion.core.puzzle import SOLVER
from companion.games.placing import solve
from companion.games.placing.position import PlacedKind, PlacingTask, Position
from companion.games.placing.rules import Placing
from companion.language import say, say_in

PAWN = PlacedKind(say_in("ternion", "pawn"), say("pawns"), "solver", conflict_rule="PZ-2", number_rule="PZ-2")
KNOWN, BETTER = 10.0, 1.0
"""Processor seconds to find the score that a board's file has, of which a PC needs half a one and a Pi some;
and a better one, which takes them all where there is none."""


class NoOverlap(Placing):
    name = "no_overlap"
    title = say("No Overlap")
    board = "ternion"
    options = (
        Option(
            "reach",
            ("line", "neighbour"),
            "line",
            "owned: as far as the lines run, or one line away",
            "reach: {value}",
        ),
    )
    piece = PAWN

    def task(self, options: Mapping[str, str], board: Board) -> PlacingTask:
        return _task(board, options["reach"])

    def counts(self, position: Position) -> tuple[Count, ...]:
        task = position.task
        return (
            *super().counts(position),
            Count(say("intersections unclaimed"), {SOLVER: position.unclaimed}, len(task.claims)),
        )

    def check_board(self, board: Board) -> Iterator[str]:
        """Yields where other scores are found than the board's file has; they change with its outline."""
        for reach, (pawns, unclaimed) in board.tables.get("no_overlap", {}).items():
            task, which = _task(board, reach), f'"tables": "no_overlap": "{reach}"'
            if not solve.find(task, KNOWN):
                yield f"{which}: {pawns} pawns that leave {unclaimed} intersections unclaimed were not found"
            elif solve.find(replace(task, pieces=pawns + 1, unclaimed=None), BETTER):
                yield f"{which}: {pawns + 1} pawns fit on this board, not only {pawns}"


@cache
def _task(board: Board, reach: str) -> PlacingTask:
    joined = _joined(board)
    claims = {site: frozenset({site, *_owned(board, joined, site, reach == "line")}) for site in board.sites}
    pawns, unclaimed = board.tables.get("no_overlap", {}).get(reach, (None, None))
    return PlacingTask(PAWN, claims, pawns, unclaimed, limit=False)


def _joined(board: Board) -> dict[Site, list[Site]]:
    joined: dict[Site, list[Site]] = {site: [] for site in board.sites}
    for one, other in board.links:
        joined[one].append(other)
        joined[other].append(one)
    return joined


def _owned(board: Board, joined: dict[Site, list[Site]], site: Site, straight_on: bool) -> Iterator[Site]:
    for near in joined[site]:
        way = _way(board, site, near)
        yield near
        if straight_on and 0 in way:  # a diamond's side leads to one intersection only
            yield from _straight_on(board, joined, near, way)


def _straight_on(
    board: Board, joined: dict[Site, list[Site]], here: Site, way: tuple[float, float]
) -> Iterator[Site]:
    for near in joined[here]:
        if _way(board, here, near) == way:
            yield near
            yield from _straight_on(board, joined, near, way)


def _way(board: Board, start: Site, end: Site) -> tuple[float, float]:
    (x, y), (a, b) = board.sites[start], board.sites[end]
    return round(a - x, 6), round(b - y, 6)
