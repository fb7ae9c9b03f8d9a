"""An arbiter's correction of a Triune position."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import seat_of
from companion.games.triune.board import INDEX
from companion.games.triune.position import KINDS, PIECES, PLAYERS, Position
from companion.language import say


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    side = seat_of(turn, PLAYERS)
    squares = [0] * len(INDEX)
    for place, look in looks.items():
        squares[_index(place)] = _piece(look)
    owners = [piece >> 2 for piece in squares if piece]
    red, blue = owners.count(0), owners.count(1)
    is_playable = min(red, blue) >= 1 and 1 < max(red, blue) <= PIECES
    if not is_playable:
        raise PositionError(say("each side has 1 to 16 pieces, and not both a single one"))
    return Position(tuple(squares), side, (red, blue))


def _index(place: Place) -> int:
    if place not in INDEX:
        raise PositionError(say("'{place}' is not a square of the board", place=place))
    return INDEX[place]


def _piece(look: Look) -> int:
    owner, _, kind = look.partition("/")
    if look == EMPTY:
        return 0
    if owner not in PLAYERS or kind not in KINDS[1:]:
        raise PositionError(say("'{look}' is not a piece of Triune", look=look))
    return 4 * PLAYERS.index(owner) + KINDS.index(kind)
