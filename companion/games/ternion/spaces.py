"""Ternion Spaces: in the triangles and squares, across the lines and intersections between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from companion.core.board import Board
from companion.core.game import Option
from companion.games.ternion.board import Crossing, borders
from companion.games.ternion.rules import Ternion
from companion.language import say


class TernionSpaces(Ternion):
    name = "ternion_spaces"
    title = say("Ternion Spaces")
    board = "ternion_spaces"
    renumbered: ClassVar[Mapping[str, str]] = {f"TF-{n}": f"TS-{n}" for n in (1, 3, 4, 6, 8)}
    options = (
        Option("players", ("2", "3", "4"), "2", "how many play", "{value} players"),
        Option(
            "ternion",
            ("hub", "connected"),
            "hub",
            "what is a ternion",
            "ternion: {value}",
            ("moved pawn in the middle", "any chain"),
        ),
    )

    def crossings(self, board: Board) -> tuple[Crossing, ...]:
        return borders(board)
