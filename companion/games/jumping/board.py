"""The places of the Ternion Spaces board, and which of them share a line.

A pawn crosses lines, never intersections. Two places share a line where they have two corners in common.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TypeAlias

from companion.core.board import Board, BoardError
from companion.core.game import Action, Site

PAWNS = 16
Leap: TypeAlias = tuple[Site, Action, tuple[tuple[Site, Action], ...]]
"""A place across a line, the step to it, and each place behind it with the jump to that."""


@dataclass(frozen=True)
class Net:
    """The places across a line from each place; where the pawns start; where the last one ends."""

    across: Mapping[Site, tuple[Site, ...]] = field(hash=False)
    start: frozenset[Site]
    centre: Site

    @cached_property
    def leaps(self) -> Mapping[Site, tuple[Leap, ...]]:
        """The moves from each place, spelled."""
        return {
            here: tuple(
                (near, f"{here}-{near}", tuple((far, f"{here}x{near}-{far}") for far in self.across[near]))
                for near in around
            )
            for here, around in self.across.items()
        }


@cache
def net_of(board: Board) -> Net:
    """Returns the net of a board. BoardError where the puzzle cannot be played on it."""
    corners = {place: frozenset(around) for place, around in board.tables.get("corners", {}).items()}
    if set(corners) != set(board.sites):
        raise BoardError('"tables": "corners" needs the corners of each site')
    across: dict[Site, list[Site]] = {site: [] for site in board.sites}
    for one, other in board.links:
        if len(corners[one] & corners[other]) == 2:  # a line in common, not an intersection alone
            across[one].append(other)
            across[other].append(one)
    diamonds, centre = board.areas.get("diamonds", ()), board.areas.get("centre", ())
    if len(diamonds) != PAWNS or len(centre) != 1:
        raise BoardError(f'"areas" needs {PAWNS} "diamonds" and one "centre"')
    return Net({site: tuple(near) for site, near in across.items()}, frozenset(diamonds), centre[0])
