"""Chess in words: actions as UCI (`e2e4`, `e7e8q`), sentences for events, and positions as FEN."""

from __future__ import annotations

import re
from collections.abc import Sequence

import chess

from companion.core.game import Action, Asked, OptionError, Place
from companion.core.rules import say_spelled
from companion.games.chess.position import Position
from companion.games.portable import DASHES
from companion.language import NamedPhrases, Phrases, listed, say

PIECE_NAMES: NamedPhrases = {
    "king": "king",
    "queen": "queen",
    "rook": "rook",
    "bishop": "bishop",
    "knight": "knight",
    "pawn": "pawn",
}
SENTENCES: NamedPhrases = {
    "moved": "{player} moves {piece:the} from {start} to {end}.",
    "castled": "{player} castles on the king's side.",
    "castled long": "{player} castles on the queen's side.",
    "captured": "{player} captures {piece:the} on {sites}.",
    "promoted": "{player}'s pawn becomes {piece:a}.",
    "check": "{player} is in check.",
    "won": "{player} wins: {reason}.",
    "drawn": "The game is drawn: {reason}.",
}
ACTION_KINDS: NamedPhrases = {"....": "move", "....[qrbn]": "promote"}
LABELS: NamedPhrases = {"....q": "queen", "....r": "rook", "....b": "bishop", "....n": "knight"}
"""Of promotions only the new piece differs."""


UCI = re.compile("([a-h][1-8])([a-h][1-8])([qrbn]?)")


def read(position: Position, text: str) -> Action:
    """Returns the move that players write as `Nf3`, `exd5`, `O-O` or `e8=Q`, also one that is not allowed;
    else the text itself."""
    if UCI.fullmatch(text):
        return text
    try:
        move = position.board.parse_san(text)
    except chess.IllegalMoveError:
        return _attempted(position.board, text)
    except ValueError:  # no move, or one of several
        return text
    return move.uci() if move else text


def _attempted(board: chess.Board, text: str) -> Action:
    """Returns the move that is not allowed, of the piece that may be meant and comes nearest to it; the text
    itself where there is no such piece."""
    if castling := re.match("[O0]-[O0](-[O0])?", text):
        rank = "1" if board.turn else "8"
        return f"e{rank}{'c' if castling[1] else 'g'}{rank}"
    if not (named := chess.SAN_REGEX.match(text)):
        return text
    letter, file, rank, end, promotion = named.groups("")
    kind, becomes = chess.PIECE_SYMBOLS.index(letter.lower() or "p"), promotion.lstrip("=").lower()
    if not letter and "x" not in text:
        file = end[0]
    pieces = board.pieces(kind, board.turn) - chess.SquareSet.from_square(chess.parse_square(end))
    names = [chess.SQUARE_NAMES[square] for square in pieces]
    moves = [
        chess.Move.from_uci(start + end) for start in names if start[0] in file or not file if rank in start
    ]

    def farness(move: chess.Move) -> tuple[bool, int]:
        return not board.is_pseudo_legal(move), chess.square_distance(move.from_square, move.to_square)

    return min(moves, key=farness).uci() + becomes if moves else text


def write(position: Position, action: Action) -> str:
    """Returns a move in standard algebraic notation: `Nf3`, `exd5`, `O-O`, `e8=Q+`; one that is not legal in
    full: `Ra1-h8`, `e2xe4`."""
    move, board = UCI.fullmatch(action), position.board
    if move is None:
        return action
    start, end, promoted = move.groups()
    if start != end and board.is_legal(chess.Move.from_uci(action)):
        return board.san(chess.Move.from_uci(action))
    piece, taken = (board.piece_at(chess.parse_square(square)) for square in (start, end))
    letter = piece.symbol().upper() if piece and piece.piece_type != chess.PAWN else ""
    return f"{letter}{start}{'x' if taken else '-'}{end}{f'={promoted.upper()}' if promoted else ''}"


def path(action: Action) -> tuple[Place, ...]:
    return (action[:2], action[2:4])


def prompt(position: Position) -> str:
    if position.board.is_check():
        return say("check: bring the king to safety")
    return say("make a move")


def read_fen(text: str) -> chess.Board:
    """Returns the board of a FEN, as options spell it. OptionError where it is none, or no chess position."""
    fen = text.replace("_", " ")
    try:
        board = chess.Board(tidy_fen(fen))
    except ValueError as error:
        words = say(
            "'{fen}' is no FEN: write one such as '{example}'", fen=fen[:80], example=chess.STARTING_FEN
        )
        raise OptionError(words) from error
    if board.status() != chess.STATUS_VALID:
        problem = status_words(board.status())
        raise OptionError(say("'{fen}' is no position of chess: {problem}", fen=fen[:80], problem=problem))
    return board


def tidy_fen(text: str) -> str:
    """Returns a FEN without what books of positions put behind it, or instead of its counters."""
    pieces, *rest = text.translate(DASHES).replace("_", " ").split() or [""]
    turn, rights, counters = rest[:1], rest[1:3], [word.strip(";") for word in rest[3:5]]
    are_counted = len(counters) == 2 and all(map(str.isdecimal, counters))
    castling = ("".join(sorted(word, key=str.islower)) for word in rights[:1])  # White's before Black's
    told = [pieces.rstrip("/"), *map(str.lower, turn), *castling, *map(str.lower, rights[1:])]
    return " ".join(told + counters if are_counted else told)


def write_position(position: Position) -> str:
    return position.board.fen()


def status_words(status: chess.Status) -> str:
    return listed(
        [say(FAULTS[flag]) for flag in FAULTS if flag & status] or [say("this cannot have come about")]
    )


FAULTS: Phrases = {
    chess.STATUS_NO_WHITE_KING: "no white king",
    chess.STATUS_NO_BLACK_KING: "no black king",
    chess.STATUS_TOO_MANY_KINGS: "too many kings",
    chess.STATUS_TOO_MANY_WHITE_PAWNS: "too many white pawns",
    chess.STATUS_TOO_MANY_BLACK_PAWNS: "too many black pawns",
    chess.STATUS_PAWNS_ON_BACKRANK: "pawns on the first or the last rank",
    chess.STATUS_TOO_MANY_WHITE_PIECES: "too many white pieces",
    chess.STATUS_TOO_MANY_BLACK_PIECES: "too many black pieces",
    chess.STATUS_BAD_CASTLING_RIGHTS: "castling that is not possible",
    chess.STATUS_INVALID_EP_SQUARE: "en passant that is not possible",
    chess.STATUS_OPPOSITE_CHECK: "the side that has just moved is in check",
    chess.STATUS_EMPTY: "no pieces",
    chess.STATUS_TOO_MANY_CHECKERS: "too many pieces give check",
    chess.STATUS_IMPOSSIBLE_CHECK: "a check that cannot have come about",
}


def ask(position: Position, choices: Sequence[Sequence[Action]]) -> Asked | None:
    """Returns the question for promotions of one pawn; None for other choices."""
    moves = [choice[0] for choice in choices if choice]
    is_promotion = all(len(move) == 5 for move in moves) and len({move[:4] for move in moves}) == 1
    if len(moves) < len(choices) or not is_promotion:
        return None
    return Asked(say("What did the pawn become?"), tuple(say_spelled(LABELS, move) for move in moves))
