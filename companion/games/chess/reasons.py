"""Chess' refusals in words: for each broken rule the one thing that is wrong here."""

from __future__ import annotations

import chess

from companion.core.game import Breach
from companion.core.players import say_player
from companion.games.chess.position import Position, player_of
from companion.games.reasons import say_blocked, say_whose
from companion.language import Message, NamedPhrases, say

WAYS: NamedPhrases = {
    "pawn": "A pawn does not move from {start} to {end}.",
    "knight": "A knight does not move from {start} to {end}.",
    "bishop": "A bishop does not move from {start} to {end}.",
    "rook": "A rook does not move from {start} to {end}.",
    "queen": "A queen does not move from {start} to {end}.",
    "king": "A king does not move from {start} to {end}.",
}


def explain(position: Position, action: str, breach: Breach) -> Message:
    start, end, board = action[:2], action[2:4], position.board
    match breach.rule:
        case "CH-1":
            return say_whose(start, _owner(board, start), position.turn)
        case "CH-2":
            return _say_way(board, start, end)
        case "CH-3":
            return say(
                "{player} has a piece on {end} already.", player=say_player(_owner(board, end)), end=end
            )
        case "CH-4":
            return say_blocked(breach.sites)
        case "CH-5":
            return _say_check(breach)
        case "CH-6":
            return _say_castling(board, start, end)
    return _say_promotion(action, end)


def _owner(board: chess.Board, square: str) -> str:
    piece = board.piece_at(chess.parse_square(square))
    return player_of(piece.color) if piece else ""


def _say_way(board: chess.Board, start: str, end: str) -> Message:
    piece = board.piece_type_at(chess.parse_square(start))
    if start == end or not piece:
        return say("Nothing moves from {start} to {end}.", start=start, end=end)
    return say(WAYS[chess.piece_name(piece)], start=start, end=end)


def _say_check(breach: Breach) -> Message:
    king, *attackers = breach.sites
    return say("The king on {king} would be attacked from {place}.", king=king, place=attackers[0])


def _say_castling(board: chess.Board, start: str, end: str) -> Message:
    if board.is_check():
        return say("The king on {start} is in check: it cannot castle.", start=start)
    way = board.occupied & chess.between(chess.parse_square(start), chess.parse_square(end))
    if way:
        return say_blocked([chess.SQUARE_NAMES[square] for square in chess.scan_forward(way)])
    return say("The king cannot castle from {start} to {end} now.", start=start, end=end)


def _say_promotion(action: str, end: str) -> Message:
    if len(action) > 4:
        return say("No pawn is promoted by this move to {end}.", end=end)
    return say("The pawn that reaches {end} has to become another piece.", end=end)
