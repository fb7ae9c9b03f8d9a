"""Queens: Poles on the 8×8 board, no two of them in one row, column or diagonal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.core.board import Board
from companion.core.game import Option
from companion.games.placing.position import PlacedKind, PlacingTask
from companion.games.placing.rules import Placing
from companion.language import say

POLE = PlacedKind(say("Pole"), say("Poles"), "solver/pole", conflict_rule="PZ-3", number_rule="PZ-4")


class Queens(Placing):
    name = "queens"
    title = say("Queens")
    board = "queens"
    options = (
        Option(
            "n",
            ("8", "7", "6", "5"),
            "8",
            "how many Poles; with fewer than 8 no further one may fit",
            "{value} Poles",
        ),
    )
    piece = POLE

    def task(self, options: Mapping[str, str], board: Board) -> PlacingTask:
        return _task(board, int(options["n"]))


@cache
def _task(board: Board, count: int) -> PlacingTask:
    claims = {
        site: frozenset({f"column {x:g}", f"row {y:g}", f"rising {x - y:g}", f"falling {x + y:g}"})
        for site, (x, y) in board.sites.items()
    }
    return PlacingTask(POLE, claims, count, full=True)
