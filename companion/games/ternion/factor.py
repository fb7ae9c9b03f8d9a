"""Ternion Factor: on the intersections, along the lines."""

from __future__ import annotations

from companion.core.board import Board
from companion.core.game import Option
from companion.games.ternion.board import Crossing, lines
from companion.games.ternion.rules import Ternion
from companion.language import say


class TernionFactor(Ternion):
    name = "ternion_factor"
    title = say("Ternion Factor")
    board = "ternion"
    options = (
        Option("players", ("2", "3", "4"), "2", "how many play", "{value} players"),
        Option(
            "pawns", ("6", "4"), "6", "pawns placed by each: 6 standard, 4 extended", "{value} pawns each"
        ),
        Option(
            "ternion",
            ("connected", "hub"),
            "connected",
            "what is a ternion",
            "ternion: {value}",
            ("any chain", "moved pawn in the middle"),
        ),
    )

    def crossings(self, board: Board) -> tuple[Crossing, ...]:
        return lines(board)
