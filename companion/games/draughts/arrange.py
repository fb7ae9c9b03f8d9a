"""An arbiter's correction of a draughts position.

A look is a colour, or names a kind (`white/king`). What it leaves open is kept from the piece that stood
there, or from those that have gone elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import seat_of
from companion.games.draughts.board import PLAYERS, Mask
from companion.games.draughts.position import KINDS, Position, problem_of, with_limit
from companion.language import say


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    seat = seat_of(turn, PLAYERS)
    white, black, kings = _read_looks(position, looks)
    arranged = Position(position.variant, white, black, kings, seat, ends_drawn=position.ends_drawn)
    if arranged.key == position.key:
        return position
    if problem := problem_of(arranged):
        raise PositionError(problem)
    return with_limit(arranged)


def _read_looks(position: Position, looks: Mapping[Place, Look]) -> tuple[Mask, Mask, Mask]:
    """Returns the pieces of White and of Black, and the kings.

    A piece is a king as said, else as it stood, else as those that went. One that comes to the row where men
    become kings is one.
    """
    sides, kings, newcomers = [0, 0], 0, [0, 0]
    for place, look in looks.items():
        if look == EMPTY:
            continue
        seat, bit, kind = _read_look(position, place, look)
        stood_there = bool(bit & position.pieces(seat))
        sides[seat] |= bit
        if kind == "king" or (not kind and stood_there and bit & position.kings):
            kings |= bit
        elif not kind and not stood_there:
            newcomers[seat] |= bit
    for seat, unknown in enumerate(newcomers):
        kings |= unknown & _kings_among(position, seat, sides[seat], unknown)
    return sides[0], sides[1], kings


def _read_look(position: Position, place: Place, look: Look) -> tuple[int, Mask, str]:
    """Returns the seat, the square and the kind of a piece; '' for a kind that the look leaves open."""
    index = position.variant.net.index
    owner, _, kind = look.partition("/")
    if place not in index or owner not in PLAYERS or kind not in ("", *KINDS):
        raise PositionError(
            say("'{look}' on '{place}' is not a piece of draughts on a dark square", look=look, place=place)
        )
    return PLAYERS.index(owner), 1 << index[place], kind


def _kings_among(position: Position, seat: int, pieces: Mask, newcomers: Mask) -> Mask:
    """Returns which newcomers are kings: all or none, as those that went away, or those on the king row."""
    gone = position.pieces(seat) & ~pieces
    kings = gone & position.kings
    row = position.variant.net.king_rows[seat]
    if newcomers & ~row and kings and kings != gone:
        raise PositionError(say("which pieces these are cannot be seen: name their kinds on the page"))
    return newcomers if kings else newcomers & row
