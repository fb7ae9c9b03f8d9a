"""The rules of chess that an action breaks, the squares concerned, and what is wrong there.

CH-n are articles of the FIDE Laws.
"""

from __future__ import annotations

import chess

from companion.core.game import Breach, Site
from companion.core.players import say_player
from companion.games.chess.moves import outcome
from companion.games.chess.position import Position, player_of
from companion.games.chess.words import UCI
from companion.games.reasons import say_blocked, say_whose
from companion.language import Message, NamedPhrases, say

CASTLING = {
    chess.WHITE: (chess.Move(chess.E1, chess.G1), chess.Move(chess.E1, chess.C1)),
    chess.BLACK: (chess.Move(chess.E8, chess.G8), chess.Move(chess.E8, chess.C8)),
}
"""The king's moves by which each side castles, whether or not it may."""
WAYS: NamedPhrases = {
    "pawn": "A pawn does not move from {start} to {end}.",
    "knight": "A knight does not move from {start} to {end}.",
    "bishop": "A bishop does not move from {start} to {end}.",
    "rook": "A rook does not move from {start} to {end}.",
    "queen": "A queen does not move from {start} to {end}.",
    "king": "A king does not move from {start} to {end}.",
}


def judge(position: Position, action: str) -> tuple[Breach, ...]:
    if outcome(position):
        return (Breach("GEN-3"),)
    match = UCI.fullmatch(action)
    if not match:
        return (Breach("GEN-1"),)
    if match[1] == match[2]:
        words = say("Nothing moves from {start} to {end}.", start=match[1], end=match[1])
        return (Breach("CH-2", (match[1],), words),)
    return _judge_move(position.board, chess.Move.from_uci(action))


def _judge_move(board: chess.Board, move: chess.Move) -> tuple[Breach, ...]:
    start, end = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
    piece, there = board.piece_at(move.from_square), board.piece_at(move.to_square)
    if piece is None or piece.color != board.turn:
        owner = player_of(piece.color) if piece else ""
        return (Breach("CH-1", (start,), say_whose(start, owner, player_of(board.turn))),)
    if there and there.color == piece.color:  # first: the library takes castling by the rook's square, too
        owner = player_of(there.color)
        words = say("{player} has a piece on {end} already.", player=say_player(owner), end=end)
        return (Breach("CH-3", (end,), words),)
    is_promotion = piece.piece_type == chess.PAWN and chess.square_rank(move.to_square) == (
        7 if piece.color else 0
    )
    if bool(move.promotion) != is_promotion:
        right = chess.Move(move.from_square, move.to_square, chess.QUEEN if is_promotion else None)
        words = (
            say("No pawn is promoted by this move to {end}.", end=end)
            if move.promotion
            else say("The pawn that reaches {end} has to become another piece.", end=end)
        )
        return (*_judge_move(board, right), Breach("CH-7", (start, end), words))
    if board.is_legal(move):
        return ()
    if board.is_pseudo_legal(move):
        return (_castling_breach(board, move) if board.is_castling(move) else _check_breach(board, move),)
    return (_movement_breach(board, move, piece),)


def _movement_breach(board: chess.Board, move: chess.Move, piece: chess.Piece) -> Breach:
    if piece.piece_type == chess.KING and move in CASTLING[piece.color]:
        return _castling_breach(board, move)
    blocked = board.occupied & chess.between(move.from_square, move.to_square)
    if blocked and _reaches_when_clear(board, move, blocked):
        names = _names(blocked)
        return Breach("CH-4", names, say_blocked(names))
    start, end = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
    return Breach("CH-2", (start, end), say(WAYS[chess.piece_name(piece.piece_type)], start=start, end=end))


def _names(squares: chess.Bitboard) -> tuple[Site, ...]:
    return tuple(chess.SQUARE_NAMES[square] for square in chess.scan_forward(squares))


def _castling_breach(board: chess.Board, move: chess.Move) -> Breach:
    start, end = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
    way = _names(board.occupied & chess.between(move.from_square, move.to_square))
    words: Message = say("The king cannot castle from {start} to {end} now.", start=start, end=end)
    if board.is_check():
        words = say("The king on {start} is in check: it cannot castle.", start=start)
    elif way:
        words = say_blocked(way)
    return Breach("CH-6", (start, end), words)


def _reaches_when_clear(board: chess.Board, move: chess.Move, blocked: int) -> bool:
    clear = board.copy(stack=False)
    for square in chess.scan_forward(blocked):
        clear.remove_piece_at(square)
    return clear.is_pseudo_legal(move)


def _check_breach(board: chess.Board, move: chess.Move) -> Breach:
    after = board.copy(stack=False)
    after.push(move)
    king = after.king(board.turn)
    assert king is not None  # else nobody were in check
    attackers = _names(after.attackers_mask(not board.turn, king))
    name = chess.SQUARE_NAMES[king]
    words = say("The king on {king} would be attacked from {place}.", king=name, place=attackers[0])
    return Breach("CH-5", (name, *attackers), words)
