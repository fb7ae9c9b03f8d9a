"""An arbiter's correction in the Ternion games: the position that a corrected board amounts to.

No camera sees move markers, what is owed, or which pawns make a ternion. These are kept while it is the same
player's turn and the T and A markers lie as they did. A board without markers starts a turn afresh.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import say_player, seat_of
from companion.games.ternion.consequences import after_ternion, find_ternion, open_turn
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    COLOURS,
    GONE,
    PAWNS,
    TERNION,
    Phase,
    Position,
    move_markers,
    on_board,
    reserve,
    vacant_sites,
)
from companion.language import say

FLAGS = {"": 0, "T": TERNION, "A": ADDED}
ONLY_MARKED = bytes(content if content & (TERNION | ADDED) else 0 for content in range(256))
"""The contents after pawns without a T or A are taken off: a table for `translate`."""


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    """Returns the position with these looks and this player's turn. PositionError says why there is none.

    Looks of the turn's move markers, as the page draws them, are passed over.
    """
    markers = move_markers(position)
    sites = _contents(position, {place: look for place, look in looks.items() if place not in markers})
    seat = _seat(position, turn)
    if sites == position.sites and seat == position.seat:
        return position
    marked = sites.translate(ONLY_MARKED)
    is_same_turn = position.winner < 0 and position.markers and seat == position.seat
    if is_same_turn and marked == position.sites.translate(ONLY_MARKED):
        return _go_on(position._replace(sites=sites))
    if any(marked):
        raise PositionError(
            say("T and A markers lie otherwise than in this turn: put them back, or take all off")
        )
    return _begin(position, sites, seat)


def _contents(position: Position, looks: Mapping[Place, Look]) -> bytes:
    sites = bytearray(position.setup.net.vacant)
    for place, look in looks.items():
        if look != EMPTY:
            site = _site(position, place)
            sites[site] = _content(position, site, look)
    for colour, player in enumerate(position.setup.players, start=1):
        if on_board(bytes(sites), colour) > PAWNS:
            raise PositionError(say("{player} has only {most} pawns", player=say_player(player), most=PAWNS))
    return bytes(sites)


def _site(position: Position, place: Place) -> int:
    net = position.setup.net
    if place not in net.index or net.index[place] not in net.area:
        raise PositionError(say("'{place}' is no place for a pawn in this play area", place=place))
    return net.index[place]


def _content(position: Position, site: int, look: Look) -> int:
    owner, _, marker = look.partition("+")
    if look == "+T":
        if not position.sites[site] & GONE:
            raise PositionError(say("a T alone lies only where a pawn was removed this turn"))
        return position.sites[site]
    if owner not in position.setup.players or marker not in FLAGS:
        raise PositionError(say("'{look}' is not a piece of this game", look=look))
    return (COLOURS.index(owner) + 1) | FLAGS[marker]


def _seat(position: Position, turn: Player) -> int:
    seat = seat_of(turn, position.setup.players)
    if position.out >> seat & 1:
        raise PositionError(say("{player} has dropped out", player=say_player(turn)))
    return seat


def _go_on(position: Position) -> Position:
    """Returns the same turn after pawns without a marker were put elsewhere: what is owed may change."""
    if position.phase is Phase.CHOOSE:
        if position.sites[position.moved] & COLOUR != position.colour:
            raise PositionError(say("the pawn whose ternion is to be chosen must stay: take the move back"))
        return find_ternion(position, position.moved, []).position
    if position.phase is Phase.ADD:
        owed = min(position.owed, reserve(position), len(vacant_sites(position)))
        return position._replace(owed=owed) if owed else after_ternion(position)
    return position


def _begin(position: Position, sites: bytes, seat: int) -> Position:
    """Returns a fresh turn, or a placement while the placement phase is on."""
    if position.phase is not Phase.PLACE:
        return Position(position.setup, sites, seat, Phase.MOVE, before=sites, out=position.out)
    begun = open_turn(position._replace(sites=sites), seat)
    is_placing = begun.phase is Phase.PLACE
    if begun.seat != seat or (is_placing and not _have_placed_in_turn(begun)):
        raise PositionError(
            say("in the placement phase all have placed alike, those before the player one more")
        )
    return begun


def _have_placed_in_turn(position: Position) -> bool:
    """Returns whether each player has placed as many pawns as the one to act, those before one more."""
    placed = [on_board(position.sites, seat + 1) for seat in range(len(position.setup.players))]
    own = placed[position.seat]
    return placed == [own + 1 if seat < position.seat else own for seat in range(len(placed))]
