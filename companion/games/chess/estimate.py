"""Estimates how well each side stands in chess, by material and place: for play without an engine."""

from __future__ import annotations

from collections.abc import Mapping

import chess

from companion.core.game import Action, Player
from companion.games.chess.position import Position, player_of

WORTH = {chess.PAWN: 1.0, chess.KNIGHT: 3.1, chess.BISHOP: 3.3, chess.ROOK: 5.0, chess.QUEEN: 9.5}
CENTRE = {chess.PAWN: 0.02, chess.KNIGHT: 0.07, chess.BISHOP: 0.04, chess.ROOK: 0.01, chess.QUEEN: 0.01}
"""What each step towards the centre is worth to a piece."""
RANK, KING, MANY = 0.04, 0.08, 14
"""The worth of a rank to a pawn, and that of a step to the king: away from the centre while there are many
pieces, then towards it."""
STEPS = [min(s % 8, 7 - s % 8) + min(s // 8, 7 - s // 8) for s in chess.SQUARES]


def takes(position: Position, action: Action) -> bool:
    board, end = position.board, chess.parse_square(action[2:4])
    return bool(board.occupied >> end & 1) or len(action) == 5


def estimate(position: Position) -> Mapping[Player, float]:
    return {player_of(colour): _worth(position.board, colour) for colour in chess.COLORS}


def _worth(board: chess.Board, colour: chess.Color) -> float:
    own, worth = board.occupied_co[colour], 0.0
    for kind in WORTH:
        for square in chess.scan_forward(board.pieces_mask(kind, colour)):
            worth += WORTH[kind] + CENTRE[kind] * STEPS[square]
            if kind == chess.PAWN:
                worth += RANK * (square // 8 if colour else 7 - square // 8)
    king = board.king(colour)
    away = -KING if board.occupied.bit_count() > MANY else KING
    return worth + (away * STEPS[king] if king is not None and own else 0.0)
