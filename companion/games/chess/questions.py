"""Chess' questions: what a pawn became cannot be seen."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action, Asked
from companion.games.chess.position import Position
from companion.games.chess.words import label
from companion.language import say


def ask(position: Position, choices: Sequence[Sequence[Action]]) -> Asked | None:
    """Returns the question for promotions of one pawn; None for other choices."""
    moves = [choice[0] for choice in choices if choice]
    is_promotion = all(len(move) == 5 for move in moves) and len({move[:4] for move in moves}) == 1
    if len(moves) < len(choices) or not is_promotion:
        return None
    return Asked(say("What did the pawn become?"), tuple(label(move) for move in moves))
