"""An arbiter's correction: the position that a board as it should stand amounts to.

What no camera sees (move markers, what is owed, the ternions) is kept while it is the same player's turn
and the T and A markers lie as they did; a board without markers starts a turn afresh.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core import EMPTY, Look, Place, Player, PositionError
from companion.games.ternion.net import COLOURS
from companion.games.ternion.position import (
    ADDED,
    COLOUR,
    GONE,
    PAWNS,
    TERNION,
    Phase,
    Position,
    on_board,
    reserve,
    vacant_sites,
)
from companion.games.ternion.turn import find_ternion, open_turn, settle

MARKS = {"": 0, "T": TERNION, "A": ADDED}
MARKED = bytes(c if c & (TERNION | ADDED) else 0 for c in range(256))


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    """The position with these looks and this player's turn. PositionError says why there is none."""
    sites = _contents(position, looks)
    seat = _seat(position, turn)
    if sites == position.sites and seat == position.seat:
        return position
    marks = sites.translate(MARKED)
    if position.winner < 0 and position.markers and seat == position.seat and marks == _marks(position):
        return _amend(position._replace(sites=sites))
    if any(marks):
        raise PositionError("T and A markers lie otherwise than in this turn: put them back, or take all off")
    return _begin(position, sites, seat)


def _contents(position: Position, looks: Mapping[Place, Look]) -> bytes:
    sites = bytearray(position.setup.net.vacant)
    for place, look in looks.items():
        if look != EMPTY:
            site = _site(position, place)
            sites[site] = _content(position, site, look)
    for colour, player in enumerate(position.setup.players, start=1):
        if on_board(bytes(sites), colour) > PAWNS:
            raise PositionError(f"{player} has only {PAWNS} pawns")
    return bytes(sites)


def _site(position: Position, place: Place) -> int:
    net = position.setup.net
    if place not in net.index or net.index[place] not in net.area:
        raise PositionError(f"'{place}' is no place for a pawn in this play area")
    return net.index[place]


def _content(position: Position, site: int, look: Look) -> int:
    owner, _, marker = look.partition("+")
    if look == "+T":
        if not position.sites[site] & GONE:
            raise PositionError("a T alone lies only where a pawn was removed this turn")
        return position.sites[site]
    if owner not in position.setup.players or marker not in MARKS:
        raise PositionError(f"'{look}' is not a piece of this game")
    return (COLOURS.index(owner) + 1) | MARKS[marker]


def _seat(position: Position, turn: Player) -> int:
    players = position.setup.players
    if turn not in players:
        raise PositionError(f"'{turn}' does not play: the turn is one of {', '.join(players)}")
    seat = players.index(turn)
    if position.out >> seat & 1:
        raise PositionError(f"{turn} has dropped out")
    return seat


def _marks(position: Position) -> bytes:
    return position.sites.translate(MARKED)


def _amend(position: Position) -> Position:
    """The same turn, with pawns that carry no marker standing otherwise."""
    if position.phase is Phase.CHOOSE:
        if position.sites[position.moved] & COLOUR != position.colour:
            raise PositionError("the pawn whose ternion is to be chosen must stay: take the move back")
        return find_ternion(position, position.moved, []).position
    if position.phase is Phase.ADD:
        owed = min(position.owed, reserve(position), len(vacant_sites(position)))
        return position._replace(owed=owed) if owed else settle(position)
    return position


def _begin(position: Position, sites: bytes, seat: int) -> Position:
    """A fresh turn, or a placement while the placement phase is on."""
    if position.phase is not Phase.PLACE:
        return Position(position.setup, sites, seat, Phase.MOVE, before=sites, out=position.out)
    begun = open_turn(position._replace(sites=sites), seat)
    if begun.seat != seat or (begun.phase is Phase.PLACE and not _in_step(begun)):
        raise PositionError("in the placement phase all have placed alike, those before the player one more")
    return begun


def _in_step(position: Position) -> bool:
    placed = [on_board(position.sites, i + 1) for i in range(len(position.setup.players))]
    own = placed[position.seat]
    return placed == [own + 1 if seat < position.seat else own for seat in range(len(placed))]
