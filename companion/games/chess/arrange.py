"""An arbiter's correction of a chess position.

A look is a colour, or names a kind (`white/knight`). What it leaves open is kept from the piece that stood
there, or from the one that has gone elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import chess

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import seat_of
from companion.games.chess.position import PLAYERS, Position, player_of
from companion.games.chess.words import status_words
from companion.language import say


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    is_white = seat_of(turn, PLAYERS) == 0
    pieces = _pieces(position.board, looks)
    if turn == position.turn and pieces == position.board.piece_map():
        return position
    board = chess.Board(None)
    board.turn = is_white
    board.set_piece_map(pieces)
    _keep_rights(board, position.board)
    if board.status() != chess.STATUS_VALID:
        raise PositionError(say("no chess position: {problem}", problem=status_words(board.status())))
    return replace(position, board=board)


def _keep_rights(board: chess.Board, before: chess.Board) -> None:
    """Keeps castling where king and rook still stand, and en passant while the pawn's step still shows."""
    board.castling_rights = chess.BB_CORNERS & before.castling_rights
    board.castling_rights = board.clean_castling_rights()
    board.ep_square = before.ep_square if board.turn == before.turn else None
    if board.status() & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None


def _pieces(board: chess.Board, looks: Mapping[Place, Look]) -> dict[chess.Square, chess.Piece]:
    """Returns the pieces: their kinds as said, else as they stood, else as the one that went away."""
    found: dict[chess.Square, chess.Piece] = {}
    unknown: list[tuple[chess.Square, chess.Color]] = []
    for place, look in looks.items():
        if look == EMPTY:
            continue
        square, piece = _read_look(place, look)
        was = board.piece_at(square)
        if piece:
            found[square] = piece
        elif was and player_of(was.color) == look:
            found[square] = was
        else:
            unknown.append((square, look == PLAYERS[0]))
    for square, colour in unknown:
        found[square] = _newcomer(board, looks, colour, len([c for _, c in unknown if c == colour]))
    return found


def _newcomer(board: chess.Board, looks: Mapping[Place, Look], colour: chess.Color, many: int) -> chess.Piece:
    """Returns the one piece of a colour that has gone from its square."""
    gone = [
        piece
        for square, piece in board.piece_map().items()
        if piece.color == colour
        and not looks.get(chess.SQUARE_NAMES[square], EMPTY).startswith(player_of(colour))
    ]
    if many == 1 and len({piece.piece_type for piece in gone}) == 1:
        return gone[0]
    raise PositionError(say("which pieces these are cannot be seen: name their kinds on the page"))


def _read_look(place: Place, look: Look) -> tuple[chess.Square, chess.Piece | None]:
    owner, _, kind = look.partition("/")
    if place not in chess.SQUARE_NAMES or owner not in PLAYERS or kind not in ("", *chess.PIECE_NAMES[1:]):
        raise PositionError(
            say("'{look}' on '{place}' is not a piece of chess on its board", look=look, place=place)
        )
    square = chess.SQUARE_NAMES.index(place)
    return square, chess.Piece(chess.PIECE_NAMES.index(kind), owner == PLAYERS[0]) if kind else None
