"""Rooks: four Teleports on a 4×4 section of the board, no two of them in one row or column."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.board import Board
from companion.games.puzzles.placing import Placing, Position, Task


class Rooks(Placing):
    name = "rooks"
    title = "Rooks"
    board = "rooks"
    piece = "Teleport"
    piece_look = "solver/teleport"
    conflict_rule = "PZ-5"
    number_rule = "PZ-6"

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        return Position(frozenset(), _task(board))


@cache
def _task(board: Board) -> Task:
    claims = {site: frozenset({f"column {x:g}", f"row {y:g}"}) for site, (x, y) in board.sites.items()}
    return Task(claims, 4)
