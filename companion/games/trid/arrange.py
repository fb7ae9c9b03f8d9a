"""An arbiter's correction of a TRID position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import say_player, seat_of
from companion.games.trid.board import KINDS
from companion.games.trid.moves import has_won
from companion.games.trid.position import PLAYERS, Position, look, pawns
from companion.games.trid.words import PIECE_NAMES
from companion.language import say


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    seat = seat_of(turn, PLAYERS[: position.players])
    standing = {place: name for place, name in looks.items() if name != EMPTY}
    if turn == position.turn and standing == look(position):
        return position
    fields = [0] * len(position.fields)
    for place, name in looks.items():
        _put(position, fields, place, name)
    arranged = Position(position.net, bytes(fields), position.players, seat)
    for player in range(position.players):
        _check_pawns(arranged, player)
    return arranged._replace(winner=_winner(arranged))


def _put(position: Position, fields: list[int], place: Place, name: Look) -> None:
    if place not in position.net.index:
        raise PositionError(say("'{place}' is not a field of the board", place=place))
    owner, _, kind = name.partition("/")
    if name == EMPTY:
        return
    if owner not in PLAYERS[: position.players] or kind not in KINDS:
        raise PositionError(say("'{look}' on {place} is not a pawn of this game", look=name, place=place))
    field = position.net.index[place]
    if field in position.net.walls:
        raise PositionError(say("{place} is a wall: no pawn stands there", place=place))
    fields[field] = 4 * PLAYERS.index(owner) + 1 + KINDS.index(kind)


def _check_pawns(position: Position, seat: int) -> None:
    player, own = PLAYERS[seat], pawns(position.fields, position.players)[seat]
    counts = Counter(KINDS[(position.fields[field] & 3) - 1] for field in own)
    most = Counter(position.net.starts[position.side(seat)].values())
    for kind, number in counts.items():
        if number > most[kind]:
            raise PositionError(
                say(
                    "{player} has at most {most} of the kind {kind}",
                    player=say_player(player),
                    most=most[kind],
                    kind=say(PIECE_NAMES[kind]),
                )
            )
    is_playing = own or seat == position.seat
    if is_playing and not counts["master"]:
        raise PositionError(
            say("{player} has no master: without it {player} is out", player=say_player(player))
        )


def _winner(position: Position) -> int:
    """Returns the seat that has won, or -1."""
    seats = range(position.players)
    return next((seat for seat in seats if has_won(position, position.fields, seat)), -1)
