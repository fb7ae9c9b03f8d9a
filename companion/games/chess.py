"""Chess, through the `chess` library (GPL-3, an optional extra): this module only speaks its language.

Actions are UCI (`e2e4`, `e7e8q`). A camera tells white from black and nothing more; kinds follow from
the game. Rule numbers CH-n stand for articles of the FIDE Laws of Chess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import chess

from companion.board import Board
from companion.core import (
    EMPTY,
    Action,
    Breach,
    Changes,
    Count,
    Event,
    Look,
    Option,
    OptionError,
    Outcome,
    Place,
    Player,
    PositionError,
    Rules,
    Step,
)

PLAYERS = ("white", "black")
SPELLING = re.compile(r"([a-h][1-8])([a-h][1-8])([qrbn]?)")
CASTLING = {
    chess.WHITE: (chess.Move(chess.E1, chess.G1), chess.Move(chess.E1, chess.C1)),
    chess.BLACK: (chess.Move(chess.E8, chess.G8), chess.Move(chess.E8, chess.C8)),
}
"""How each side castles, whether or not it may."""
ENDINGS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "neither side can give mate",
    chess.Termination.SEVENTYFIVE_MOVES: "75 moves without a capture or a pawn's move",
    chess.Termination.FIVEFOLD_REPETITION: "the same position for the fifth time",
}


def _player(colour: chess.Color) -> Player:
    return PLAYERS[0] if colour == chess.WHITE else PLAYERS[1]


@dataclass(frozen=True, eq=False)
class Position:
    """A board of the library, with its history; never changed once it is in here.

    Equal when pieces, turn, rights and move counters are: the history, which repetition is told from, is not
    compared.
    """

    board: chess.Board

    @property
    def turn(self) -> Player:
        return _player(self.board.turn)

    @property
    def to_act(self) -> Player:
        return self.turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.board == other.board

    def __hash__(self) -> int:
        return hash((self.board.occupied_co[True], self.board.occupied_co[False], self.board.turn))

    def __repr__(self) -> str:
        return f"Position({self.board.fen()!r})"


class Chess(Rules[Position]):
    name = "chess"
    title = "Chess"
    board = "chess"
    options = (Option("fen", (), "", "where to begin: a FEN with _ for its blanks"),)
    alternates = True
    sentences: ClassVar[Mapping[str, str]] = {
        "moved": "{player} moves the {kind} from {start} to {end}.",
        "castled": "{player} castles on the {wing}.",
        "captured": "{player} captures the {kind} on {sites}.",
        "promoted": "{player}'s pawn becomes a {kind}.",
        "check": "{player} is in check.",
        "won": "{player} wins: {reason}.",
        "drawn": "The game is drawn: {reason}.",
    }

    def players(self, position: Position) -> tuple[Player, ...]:
        return PLAYERS

    def can_win(self, position: Position, player: Player) -> bool:
        return not position.board.has_insufficient_material(player == PLAYERS[0])  # CH: FIDE 6.9

    def start(self, options: Mapping[str, str], board: Board) -> Position:
        return Position(read_fen(options["fen"]) if options["fen"] else chess.Board())

    def legal(self, position: Position) -> Iterator[Action]:
        if self.outcome(position) is None:
            for move in position.board.legal_moves:
                yield move.uci()

    def judge(self, position: Position, action: str) -> tuple[Breach, ...]:
        if self.outcome(position):
            return (Breach("GEN-3"),)
        match = SPELLING.fullmatch(action)
        if not match:
            return (Breach("GEN-1"),)
        if match[1] == match[2]:
            return (Breach("CH-2", (match[1],)),)
        return _judge(position.board, chess.Move.from_uci(action))

    def play(self, position: Position, action: Action) -> Step[Position]:
        before, move = position.board, chess.Move.from_uci(action)
        after = before.copy(stack=before.halfmove_clock)  # positions before cannot come again
        after.push(move)
        return Step(Position(after), tuple(_events(before, move, after)))

    def outcome(self, position: Position) -> Outcome | None:
        found = position.board.outcome()
        if found is None:
            return None
        winner = None if found.winner is None else _player(found.winner)
        return Outcome(winner, ENDINGS[found.termination])

    def look(self, position: Position) -> Mapping[Place, Look]:
        squares = position.board.occupied_co
        return {
            chess.SQUARE_NAMES[s]: _player(colour)
            for colour in chess.COLORS
            for s in chess.scan_forward(squares[colour])
        }

    def looks(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *PLAYERS)

    def palette(self, position: Position) -> tuple[Look, ...]:
        return (EMPTY, *(f"{player}/{kind}" for player in PLAYERS for kind in chess.PIECE_NAMES[1:] if kind))

    def pieces(self, position: Position) -> Mapping[Place, Look]:
        return {chess.SQUARE_NAMES[s]: _face(p) for s, p in position.board.piece_map().items()}

    def path(self, action: Action) -> tuple[Place, ...]:
        return (action[:2], action[2:4])

    def label(self, action: Action) -> str:
        return chess.piece_name(chess.PIECE_SYMBOLS.index(action[4])) if len(action) == 5 else action

    def prompt(self, position: Position) -> str:
        return "get out of check" if position.board.is_check() else "make a move"

    def attempts(self, position: Position, changed: Changes) -> Iterator[str]:
        gone = [p for p, (was, now) in changed.items() if was != EMPTY and now == EMPTY]
        come = [p for p, (was, now) in changed.items() if now not in (EMPTY, was)]
        for start in gone:
            for end in come:
                if changed[start][0] == changed[end][1]:
                    yield from (start + end, start + end + "q")

    def rarity(self, position: Position, action: Action) -> float:
        return {"r": 1.2, "b": 1.4, "n": 1.0}.get(action[4:], 0.0)

    def arrange(self, position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
        if turn not in PLAYERS:
            raise PositionError(f"'{turn}' does not play chess: the turn is white's or black's")
        pieces = _kinds(position.board, looks)
        if turn == position.turn and pieces == position.board.piece_map():
            return position
        board = chess.Board(None)
        board.turn = turn == PLAYERS[0]
        board.set_piece_map(pieces)
        _keep_rights(board, position.board)
        if board.status() != chess.STATUS_VALID:
            raise PositionError(f"no chess position: {_status_words(board.status())}")
        return Position(board)

    def counts(self, position: Position) -> tuple[Count, ...]:
        board = position.board
        sides = {_player(c): board.occupied_co[c].bit_count() for c in (True, False)}
        return (Count("pieces", sides, 16),)


def read_fen(text: str) -> chess.Board:
    """A board by its FEN, as options spell it. OptionError where it is none, or no chess position."""
    try:
        board = chess.Board(text.replace("_", " "))
    except ValueError as error:
        raise OptionError(f"chess: fen={text[:80]} is no FEN ({error})") from error
    if board.status() != chess.STATUS_VALID:
        raise OptionError(f"chess: fen={text[:80]} is no position: {_status_words(board.status())}")
    return board


def _face(piece: chess.Piece) -> Look:
    return f"{_player(piece.color)}/{chess.piece_name(piece.piece_type)}"


def _judge(board: chess.Board, move: chess.Move) -> tuple[Breach, ...]:
    start, end = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
    piece, there = board.piece_at(move.from_square), board.piece_at(move.to_square)
    if piece is None or piece.color != board.turn:
        return (Breach("CH-1", (start,)),)
    if there and there.color == piece.color:
        return (Breach("CH-3", (end,)),)  # first: the library takes castling by the rook's square, too
    if board.is_legal(move):
        return ()
    if board.is_pseudo_legal(move):
        castling = board.is_castling(move)
        return (Breach("CH-6", (start, end)),) if castling else (_check_breach(board, move),)
    return (_movement_breach(board, move, piece),)


def _movement_breach(board: chess.Board, move: chess.Move, piece: chess.Piece) -> Breach:
    ends = (chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square])
    last = chess.square_rank(move.to_square) == (7 if piece.color else 0)
    pawn = piece.piece_type == chess.PAWN
    if bool(move.promotion) != (pawn and last):
        return Breach("CH-7", ends)
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


def _events(before: chess.Board, move: chess.Move, after: chess.Board) -> Iterator[Event]:
    player = _player(before.turn)
    start, end = chess.SQUARE_NAMES[move.from_square], chess.SQUARE_NAMES[move.to_square]
    kind = chess.piece_name(before.piece_type_at(move.from_square) or chess.PAWN)
    if before.is_castling(move):
        wing = "king's side" if before.is_kingside_castling(move) else "queen's side"
        yield Event("castled", player, (start, end), {"wing": wing})
    else:
        yield Event("moved", player, (start, end), {"kind": kind, "start": start, "end": end})
    if before.is_capture(move):
        yield _capture(before, move)
    if move.promotion:
        yield Event("promoted", player, (end,), {"kind": chess.piece_name(move.promotion)})
    yield from _ending(after)


def _capture(before: chess.Board, move: chess.Move) -> Event:
    square = move.to_square
    if before.is_en_passant(move):
        square += -8 if before.turn else 8
    kind = chess.piece_name(before.piece_type_at(square) or chess.PAWN)
    return Event("captured", _player(before.turn), (chess.SQUARE_NAMES[square],), {"kind": kind})


def _ending(after: chess.Board) -> Iterator[Event]:
    found = after.outcome()
    if found is None:
        if after.is_check():
            yield Event("check", _player(after.turn), tuple(chess.SQUARE_NAMES[s] for s in after.checkers()))
    elif found.winner is None:
        yield Event("drawn", "", (), {"reason": ENDINGS[found.termination]})
    else:
        yield Event("won", _player(found.winner), (), {"reason": ENDINGS[found.termination]})


def _keep_rights(board: chess.Board, before: chess.Board) -> None:
    """Castling where king and rook still stand, and taking en passant while the pawn's step still shows."""
    board.castling_rights = chess.BB_CORNERS & before.castling_rights
    board.castling_rights = board.clean_castling_rights()
    board.ep_square = before.ep_square if board.turn == before.turn else None
    if board.status() & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None


def _kinds(board: chess.Board, looks: Mapping[Place, Look]) -> dict[chess.Square, chess.Piece]:
    """The pieces of an arrangement: kinds as said, else as they stood, else as the one that went away."""
    found: dict[chess.Square, chess.Piece] = {}
    unknown: list[tuple[chess.Square, chess.Color]] = []
    for place, look in looks.items():
        if look == EMPTY:
            continue
        square, piece = _read_look(place, look)
        was = board.piece_at(square)
        if piece:
            found[square] = piece
        elif was and _player(was.color) == look:
            found[square] = was
        else:
            unknown.append((square, look == PLAYERS[0]))
    for square, colour in unknown:
        found[square] = _newcomer(board, looks, colour, len([c for _, c in unknown if c == colour]))
    return found


def _newcomer(
    board: chess.Board, looks: Mapping[Place, Look], colour: chess.Color, many: int
) -> chess.Piece:
    gone = [
        piece
        for square, piece in board.piece_map().items()
        if piece.color == colour
        and not looks.get(chess.SQUARE_NAMES[square], EMPTY).startswith(_player(colour))
    ]
    if many == 1 and len({p.piece_type for p in gone}) == 1:
        return gone[0]
    raise PositionError("which pieces these are cannot be seen: name their kinds on the page")


def _read_look(place: Place, look: Look) -> tuple[chess.Square, chess.Piece | None]:
    owner, _, kind = look.partition("/")
    if place not in chess.SQUARE_NAMES or owner not in PLAYERS or kind not in ("", *chess.PIECE_NAMES[1:]):
        raise PositionError(f"'{look}' on '{place}' is not a piece of chess on its board")
    square = chess.SQUARE_NAMES.index(place)
    return square, chess.Piece(chess.PIECE_NAMES.index(kind), owner == PLAYERS[0]) if kind else None


def _status_words(status: chess.Status) -> str:
    return ", ".join(str(flag.name).lower().replace("_", " ") for flag in chess.Status if flag & status)
