"""The legal moves of chess, what follows from one, and how the game ends."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import chess

from companion.core.game import EMPTY, Action, Changes, Event, Outcome, Place, Step
from companion.games.chess.position import UNTOLD, Position, player_of
from companion.language import Phrases, say

ENDINGS: Phrases = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "neither side can give mate",
    chess.Termination.SEVENTYFIVE_MOVES: "75 moves without a capture or a pawn's move",
    chess.Termination.FIVEFOLD_REPETITION: "the same position for the fifth time",
}


def legal(position: Position) -> Iterator[Action]:
    if outcome(position) is None:
        for move in position.board.legal_moves:
            yield move.uci()


def legal_at(position: Position, places: Collection[Place]) -> Iterator[Action]:
    if outcome(position) is None:
        near = sum(chess.BB_SQUARES[chess.SQUARE_NAMES.index(place)] for place in places)
        board = position.board
        yield from (move.uci() for move in board.generate_legal_moves(from_mask=near))
        others = chess.BB_ALL & ~near
        ending = [move.uci() for move in board.generate_legal_moves(others, near)]
        # The library finds castling and a capture en passant by some of the squares that they change alone.
        special = (*board.generate_castling_moves(others), *board.generate_legal_ep(others))
        changing = (m.uci() for m in special if not change(position, m.uci()).keys().isdisjoint(places))
        yield from dict.fromkeys((*ending, *changing))


def change(position: Position, action: Action) -> Changes:
    board, move = position.board, chess.Move.from_uci(action)
    own, theirs = player_of(board.turn), player_of(not board.turn)
    names, start, end = chess.SQUARE_NAMES, move.from_square, move.to_square
    changed = {
        names[start]: (own, EMPTY),
        names[end]: (EMPTY if board.color_at(end) is None else theirs, own),
    }
    if board.is_en_passant(move):
        changed[names[_taken_en_passant(board, move)]] = theirs, EMPTY
    if board.is_castling(move):
        came, went = (end - 1, end + 1) if end > start else (end + 1, end - 2)
        changed |= {names[went]: (own, EMPTY), names[came]: (EMPTY, own)}
    return changed


def play(position: Position, action: Action) -> Step[Position]:
    before, move = position.board, chess.Move.from_uci(action)
    after = before.copy(stack=before.halfmove_clock)  # positions before cannot come again
    after.push(move)
    stands = replace(position, board=after)
    return Step(stands, tuple(_events(before, move, stands)))


def outcome(position: Position) -> Outcome | None:
    found = position.ending
    if found is None:
        return None
    winner = None if found.winner is None else player_of(found.winner)
    return Outcome(winner, say(ENDINGS[found.termination]))


def draw_reason(board: chess.Board) -> str:
    """Returns why a game is drawn that nobody has to claim a draw in; '' while it is not."""
    if not (board.halfmove_clock >= 16 or board.is_insufficient_material()):  # four returns of four plies
        return ""
    found = board.outcome()
    return say(ENDINGS[found.termination]) if found and found.termination in UNTOLD else ""


def claim(position: Position) -> str:
    """Returns why the player to move may claim a draw; '' while nobody may (FIDE 9.2, 9.3)."""
    if outcome(position):
        return ""
    if position.board.is_insufficient_material():  # else the game is over
        return say(ENDINGS[chess.Termination.INSUFFICIENT_MATERIAL])
    if position.board.is_repetition(3):
        return say("the same position for the third time")
    if position.board.is_fifty_moves():
        return say("50 moves without a capture or a pawn's move")
    return ""


def _events(before: chess.Board, move: chess.Move, after: Position) -> Iterator[Event]:
    player = player_of(before.turn)
    start, end = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
    kind = chess.piece_name(before.piece_type_at(move.from_square) or chess.PAWN)
    if before.is_castling(move):
        is_short = before.is_kingside_castling(move)
        yield Event("castled" if is_short else "castled long", player, (start, end))
    else:
        yield Event("moved", player, (start, end), {"piece": kind, "start": start, "end": end})
    if before.is_capture(move):
        yield _capture(before, move)
    if move.promotion:
        yield Event("promoted", player, (end,), {"piece": chess.piece_name(move.promotion)})
    yield from _ending(after)


def _capture(before: chess.Board, move: chess.Move) -> Event:
    square = _taken_en_passant(before, move) if before.is_en_passant(move) else move.to_square
    kind = chess.piece_name(before.piece_type_at(square) or chess.PAWN)
    return Event("captured", player_of(before.turn), (chess.SQUARE_NAMES[square],), {"piece": kind})


def _taken_en_passant(before: chess.Board, move: chess.Move) -> chess.Square:
    return move.to_square + (-8 if before.turn else 8)


def _ending(after: Position) -> Iterator[Event]:
    found, board = after.ending, after.board
    if found is None:
        if board.is_check():
            checkers = tuple(chess.SQUARE_NAMES[square] for square in board.checkers())
            yield Event("check", player_of(board.turn), checkers)
    elif found.winner is None:
        yield Event("drawn", "", (), {"reason": say(ENDINGS[found.termination])})
    else:
        yield Event("won", player_of(found.winner), (), {"reason": say(ENDINGS[found.termination])})
