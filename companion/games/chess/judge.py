"""The rules of chess that an action breaks, and the squares concerned. CH-n are articles of the FIDE Laws."""

from __future__ import annotations

import chess

from companion.core.game import Breach
from companion.games.chess.moves import outcome
from companion.games.chess.position import Position
from companion.games.chess.words import UCI

CASTLING = {
    chess.WHITE: (chess.Move(chess.E1, chess.G1), chess.Move(chess.E1, chess.C1)),
    chess.BLACK: (chess.Move(chess.E8, chess.G8), chess.Move(chess.E8, chess.C8)),
}
"""The king's moves by which each side castles, whether or not it may."""


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if outcome(position):
        return (Breach("GEN-3"),)
    match = UCI.fullmatch(action)
    if not match:
        return (Breach("GEN-1"),)
    if match[1] == match[2]:
        return (Breach("CH-2", (match[1],)),)
    return _judge_move(position.board, chess.Move.from_uci(action))


def _judge_move(board: chess.Board, move: chess.Move) -> tuple[Breach, ...]:
    start, end = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
    piece, there = board.piece_at(move.from_square), board.piece_at(move.to_square)
    if piece is None or piece.color != board.turn:
        return (Breach("CH-1", (start,)),)
    if there and there.color == piece.color:
        return (Breach("CH-3", (end,)),)  # first: the library takes castling by the rook's square, too
    is_promotion = piece.piece_type == chess.PAWN and chess.square_rank(move.to_square) == (
        7 if piece.color else 0
    )
    if bool(move.promotion) != is_promotion:
        right = chess.Move(move.from_square, move.to_square, chess.QUEEN if is_promotion else None)
        return (*_judge_move(board, right), Breach("CH-7", (start, end)))
    if board.is_legal(move):
        return ()
    if board.is_pseudo_legal(move):
        castling = board.is_castling(move)
        return (Breach("CH-6", (start, end)),) if castling else (_check_breach(board, move),)
    return (_movement_breach(board, move, piece),)


def _movement_breach(board: chess.Board, move: chess.Move, piece: chess.Piece) -> Breach:
    ends = (chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square])
    if piece.piece_type == chess.KING and move in CASTLING[piece.color]:
        return Breach("CH-6", ends)
    blocked = board.occupied & chess.between(move.from_square, move.to_square)
    if blocked and _reaches_when_clear(board, move, blocked):
        return Breach("CH-4", tuple(chess.SQUARE_NAMES[s] for s in chess.scan_forward(blocked)))
    return Breach("CH-2", ends)


def _reaches_when_clear(board: chess.Board, move: chess.Move, blocked: int) -> bool:
    clear = board.copy(stack=False)
    for square in chess.scan_forward(blocked):
        clear.remove_piece_at(square)
    return clear.is_pseudo_legal(move)


def _check_breach(board: chess.Board, move: chess.Move) -> Breach:
    after = board.copy(stack=False)
    after.push(move)
    king = after.king(board.turn)
    attackers = after.attackers(not board.turn, king) if king is not None else chess.SquareSet()
    names = (*((chess.SQUARE_NAMES[king],) if king is not None else ()),)
    return Breach("CH-5", names + tuple(chess.SQUARE_NAMES[s] for s in attackers))
