"""A position of chess: a board of the library. A camera tells white from black and nothing more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import chess

from companion.core.game import Look, Place, Player

PLAYERS = ("white", "black")
UNTOLD = {
    chess.Termination.INSUFFICIENT_MATERIAL,
    chess.Termination.SEVENTYFIVE_MOVES,
    chess.Termination.FIVEFOLD_REPETITION,
}
"""The draws that nobody at the board has to notice (FIDE 5.2.2, 9.6)."""


@dataclass(frozen=True, eq=False)
class Position:
    """A board of the library, with its history; never changed once it is in here.

    Equal when pieces, turn, rights and move counters are: the history, which repetition is told from, is not
    compared.
    """

    board: chess.Board
    ends_drawn: bool = True
    """True if a draw by repetition, by the count of moves or by too few pieces ends the game by itself."""

    @property
    def turn(self) -> Player:
        return player_of(self.board.turn)

    @property
    def to_act(self) -> Player:
        return self.turn

    @cached_property
    def ending(self) -> chess.Outcome | None:
        """The end of the game, as the library tells it; None while the game is on."""
        found = self.board.outcome()
        return None if found and found.termination in UNTOLD and not self.ends_drawn else found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and (self.board, self.ends_drawn) == (
            other.board,
            other.ends_drawn,
        )

    def __hash__(self) -> int:
        return hash((self.board.occupied_co[True], self.board.occupied_co[False], self.board.turn))

    def __repr__(self) -> str:
        return f"Position({self.board.fen()!r})"


def player_of(colour: chess.Color) -> Player:
    return PLAYERS[0] if colour == chess.WHITE else PLAYERS[1]


def look(position: Position) -> dict[Place, Look]:
    squares = position.board.occupied_co
    return {
        chess.SQUARE_NAMES[square]: player_of(colour)
        for colour in chess.COLORS
        for square in chess.scan_forward(squares[colour])
    }


def pieces(position: Position) -> dict[Place, Look]:
    return {
        chess.SQUARE_NAMES[square]: f"{player_of(piece.color)}/{chess.piece_name(piece.piece_type)}"
        for square, piece in position.board.piece_map().items()
    }


def checked(position: Position) -> tuple[Place, ...]:
    board = position.board
    king = board.king(board.turn)
    return (chess.SQUARE_NAMES[king],) if king is not None and board.is_check() else ()


def gone(first: Position, position: Position) -> tuple[Look, ...]:
    """Returns the pieces that were captured, the most valuable first. A promoted pawn is not one of them."""
    before, now = list(pieces(first).values()), list(pieces(position).values())
    for promoted in lost(now, before):
        before += [promoted]
        before.remove(f"{promoted.partition('/')[0]}/pawn")
    return tuple(sorted(lost(before, now), key=_VALUE.index))


_VALUE = [f"{player}/{kind}" for player in PLAYERS for kind in ("queen", "rook", "bishop", "knight", "pawn")]


def lost(before: Iterable[Look], now: Iterable[Look]) -> tuple[Look, ...]:
    """Returns the looks that there were more of before, each as often as it is missing now."""
    return tuple((Counter(before) - Counter(now)).elements())
