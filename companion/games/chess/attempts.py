"""Moves of chess that a player may have meant by a change of the board that no legal move explains."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import chess

from companion.core.game import Changes, Site
from companion.games.changes import arrived, vacated
from companion.games.chess.judge import CASTLING
from companion.games.chess.moves import change
from companion.games.chess.position import Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    if castling := _castling(position, changed):
        yield castling.uci()
        return
    entered = arrived(changed)
    for start in vacated(changed):
        for end, colour in entered.items():
            if colour == changed[start][0]:
                yield start + end + ("q" if _is_promoted(position.board, start, end) else "")


def _castling(position: Position, changed: Changes) -> chess.Move | None:
    """Returns the castling, allowed or not, by which king and rook went together; None where they did not."""
    for move in chain.from_iterable(CASTLING.values()):
        if position.board.is_castling(move) and changed.keys() == change(position, move.uci()).keys():
            return move
    return None


def _is_promoted(board: chess.Board, start: Site, end: Site) -> bool:
    """Returns whether what stands at the start would become another piece; nothing else does."""
    piece = board.piece_at(chess.parse_square(start))
    last = chess.square_rank(chess.parse_square(end)) in (0, 7)
    return last and piece is not None and piece.piece_type == chess.PAWN
