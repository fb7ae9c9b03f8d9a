"""Moves of chess that a player may have meant by a change of the board that no legal move explains."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from companion.core.game import Changes, Site
from companion.games.changes import arrived, vacated
from companion.games.chess.judge import CASTLING
from companion.games.chess.moves import change
from companion.games.chess.position import Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    for move in (move for side in CASTLING.values() for move in side):
        if changed.keys() == change(position, move.uci()).keys() and position.board.is_castling(move):
            yield move.uci()  # king and rook went together, allowed or not: these are no two moves
            return
    entered = arrived(changed)
    for start in vacated(changed):
        for end, colour in entered.items():
            if colour == changed[start][0]:
                yield start + end + ("q" if _is_promoted(position.board, start, end) else "")


def _is_promoted(board: chess.Board, start: Site, end: Site) -> bool:
    """Returns whether what stands at the start would become another piece; nothing else does."""
    piece = board.piece_at(chess.parse_square(start))
    last = chess.square_rank(chess.parse_square(end)) in (0, 7)
    return last and piece is not None and piece.piece_type == chess.PAWN
