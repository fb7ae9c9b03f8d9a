"""An arbiter's correction in Escape!: the position that a corrected board amounts to."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.bits import mask
from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import say_player, seat_of
from companion.games.escape.board import Mask, Net
from companion.games.escape.position import PLAYERS, Position
from companion.language import say


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    seat = seat_of(turn, PLAYERS)
    _check_looks(position.net, looks)
    south, north = (_pawns(position.net, looks, player) for player in PLAYERS)
    arranged = Position(position.net, (south, north), seat)
    if arranged != position:
        _check_pawns(arranged)
    return arranged


def _check_looks(net: Net, looks: Mapping[Place, Look]) -> None:
    for place, look in looks.items():
        if place not in net.index:
            raise PositionError(say("'{place}' is not an intersection of the board", place=place))
        if look not in (EMPTY, *PLAYERS):
            raise PositionError(say("'{look}' is not a pawn of Escape!", look=look))


def _pawns(net: Net, looks: Mapping[Place, Look], player: Player) -> Mask:
    return mask(net.index[place] for place, look in looks.items() if look == player)


def _check_pawns(position: Position) -> None:
    """Refuses pawns where none can stand between two actions."""
    net = position.net
    for seat, player in enumerate(PLAYERS):
        pawns, most = position.pawns[seat], net.start[seat].bit_count()
        if not 1 <= pawns.bit_count() <= most:
            raise PositionError(
                say("{player} has 1 to {most} pawns on the board", player=say_player(player), most=most)
            )
        if pawns & net.home[1 - seat]:  # ES-4
            raise PositionError(
                say(
                    "a pawn of {player} in the other home zone has escaped: take it off",
                    player=say_player(player),
                )
            )
        if pawns & net.outside:  # ES-5
            raise PositionError(say("a pawn of {player} stands out of bounds", player=say_player(player)))
        if not net.home[seat] & ~position.occupied:  # ES-7
            raise PositionError(
                say("one intersection of {player}'s home zone stays empty", player=say_player(player))
            )
