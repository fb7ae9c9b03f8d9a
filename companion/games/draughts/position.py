"""A position of draughts: who has pieces where, which of them are kings, and the counts that end in draws."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from companion.core.bits import members
from companion.core.board import Board
from companion.core.game import Look, Place, Player
from companion.core.players import say_player
from companion.games.draughts.board import PLAYERS, Mask, Variant
from companion.language import say

Key: TypeAlias = tuple[Mask, Mask, Mask, int]
"""The part of a position that counts for repetition: the pieces of each side, the kings, the side to move."""
KINDS = ("man", "king")
SIXTEEN, FIVE = 32, 10
"""Moves, both players' together, after which few pieces against a single king are a draw."""


class Position(NamedTuple):
    """The pieces, and the side to move.

    `quiet` counts the moves since a man moved or a piece was captured; `left` are the moves that remain to a
    game against a single king (DR-15). `past` are the positions that may come again; they are not compared.
    """

    variant: Variant
    white: Mask
    black: Mask
    kings: Mask
    seat: int
    quiet: int = 0
    left: int = 0
    ends_drawn: bool = True
    """True if a draw by repetition or by a count of moves ends the game by itself."""
    past: tuple[Key, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self[:-1] == other[:-1]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:-1])

    @property
    def turn(self) -> Player:
        return PLAYERS[self.seat]

    @property
    def to_act(self) -> Player:
        return PLAYERS[self.seat]

    @property
    def own(self) -> Mask:
        """The pieces of the side to move."""
        return self.black if self.seat else self.white

    @property
    def theirs(self) -> Mask:
        """The pieces of the other side."""
        return self.white if self.seat else self.black

    @property
    def empty(self) -> Mask:
        return self.variant.net.all & ~(self.white | self.black)

    @property
    def key(self) -> Key:
        return self.white, self.black, self.kings, self.seat

    def pieces(self, seat: int) -> Mask:
        return self.black if seat else self.white


def start(variant: Variant, board: Board) -> Position:
    white, black = (sum(1 << variant.net.index[site] for site in board.areas[player]) for player in PLAYERS)
    return Position(variant, white, black, 0, variant.first)


def look(position: Position) -> dict[Place, Look]:
    names = position.variant.net.names
    return {
        names[bit]: player for seat, player in enumerate(PLAYERS) for bit in members(position.pieces(seat))
    }


def pieces(position: Position) -> dict[Place, Look]:
    index, kings = position.variant.net.index, position.kings
    return {site: f"{player}/{KINDS[kings >> index[site] & 1]}" for site, player in look(position).items()}


def few_limit(position: Position) -> int:
    """Returns how long a game with so few pieces may last against a single king (DR-15); 0 for no limit."""
    variant, sides = position.variant, (position.white, position.black)
    if not variant.few or (position.white | position.black).bit_count() > 4:
        return 0
    return _limit_against(position, *sides) or _limit_against(position, *sides[::-1])


def _limit_against(position: Position, alone: Mask, others: Mask) -> int:
    """Returns the moves that others, a king among them, have against a side that is a single king; else 0."""
    is_single_king = alone.bit_count() == 1 and alone & position.kings
    if not is_single_king or not others & position.kings:
        return 0
    return SIXTEEN if others.bit_count() == 3 else FIVE


def with_limit(position: Position) -> Position:
    """Returns the position with the moves that a game which begins here has against a single king."""
    return position._replace(left=few_limit(position))


def problem_of(position: Position) -> str:
    """Returns what is wrong with an arrangement of pieces, in words; '' where all is well."""
    variant = position.variant
    if position.white & position.black:
        return say("two pieces stand on one square")
    for seat, player in enumerate(PLAYERS):
        pieces = position.pieces(seat)
        if pieces.bit_count() > variant.men:
            return say("{player} has at most {men} pieces", player=say_player(player), men=variant.men)
        if stray := pieces & ~position.kings & variant.net.king_rows[seat]:
            return say(
                "{player}'s piece on {place} is a king",
                player=say_player(player),
                place=variant.net.name(stray)[0],
            )
    if not position.white and not position.black:
        return say("there is no piece on the board")
    return ""
