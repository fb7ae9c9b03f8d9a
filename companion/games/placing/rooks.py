"""Rooks: four Teleports on a 4×4 section of the board, no two of them in one row or column."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.core.board import Board
from companion.games.placing.position import PlacedKind, PlacingTask
from companion.games.placing.rules import Placing
from companion.language import say

TELEPORT = PlacedKind(
    say("Teleport"), say("Teleports"), "solver/teleport", conflict_rule="PZ-5", number_rule="PZ-6"
)


class Rooks(Placing):
    name = "rooks"
    title = say("Rooks")
    board = "rooks"
    piece = TELEPORT

    def task(self, options: Mapping[str, str], board: Board) -> PlacingTask:
        return _task(board)


@cache
def _task(board: Board) -> PlacingTask:
    claims = {site: frozenset({f"column {x:g}", f"row {y:g}"}) for site, (x, y) in board.sites.items()}
    return PlacingTask(TELEPORT, claims, 4)
