"""An arbiter's correction of a Teleporters position."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import EMPTY, Look, Place, Player, PositionError
from companion.core.players import say_player, seat_of
from companion.games.teleporters.board import INDEX, NAMES, PLAYERS, PORT_AT
from companion.games.teleporters.position import (
    CORNERS_OF,
    LOOKS,
    POLES,
    TELEPORTS,
    Owed,
    Position,
    Squares,
    arrived,
    available,
    new_turn,
    port_bit,
    ports_of,
)
from companion.language import say


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    """Returns the position with these looks and this player's turn. PositionError says why there is none.

    One piece may be missing: its owner owes it. Where the turn is the same the moves left are kept, and the
    marks of pieces that still stand where they did.
    """
    side = seat_of(turn, PLAYERS)
    squares = _squares(looks)
    owed = _missing(position, squares)
    fresh = new_turn(squares, side, position.pads)._replace(owed=owed)
    has_moves_left = position.pole_moves > 0 or position.port_moves > 0
    if side != position.side or not (has_moves_left or owed):
        return fresh
    return fresh._replace(
        pole_moves=position.pole_moves,
        port_moves=position.port_moves,
        moved=frozenset(mark for mark in position.moved if _still_there(position.squares, squares, mark)),
    )


def _still_there(before: Squares, after: Squares, mark: Place) -> bool:
    """Returns whether the piece of a mark stands where it did: a Pole (`d2`), else a Port or a unit."""
    square = INDEX[mark.lstrip("=")[:2]]
    is_pole = mark in INDEX
    bits = 3 if is_pole else ~3
    return before[square] & bits == after[square] & bits


def _squares(looks: Mapping[Place, Look]) -> Squares:
    squares = [0] * 64
    for place, seen in looks.items():
        if seen != EMPTY:
            square, bit = _piece(place, seen)
            squares[square] |= bit
    for name, there in zip(NAMES, squares, strict=True):
        _check_square(name, there)
    if all(arrived(tuple(squares), side) == POLES for side in (0, 1)):
        raise PositionError(say("not both sides can have all four Poles on their Goal"))
    return tuple(squares)


def _piece(place: Place, seen: Look) -> tuple[int, int]:
    """Returns the square of a piece and its bit there."""
    owner, _, kind = seen.partition("/")
    if seen not in LOOKS:
        raise PositionError(say("'{seen}' is not a piece of Teleporters", seen=seen))
    side = PLAYERS.index(owner)
    if kind == "pole" and place in INDEX:
        return INDEX[place], side + 1
    if kind == "port" and place in PORT_AT:
        square, corner = PORT_AT[place]
        return square, port_bit(side, corner)
    raise PositionError(
        say(
            "{piece:a} cannot stand on '{place}'",
            piece=say("Pole") if kind == "pole" else say("Port"),
            place=place,
        )
    )


def _check_square(name: str, there: int) -> None:
    """Refuses pieces that cannot stand on one square."""
    south, north = ports_of(there, 0), ports_of(there, 1)
    is_mixed = south and north
    is_single = len(CORNERS_OF[south | north]) <= 1
    if is_mixed or not (is_single or south | north in TELEPORTS):
        raise PositionError(
            say("two Ports on {place} need to be of one colour, in opposite corners", place=name)
        )
    pole = there & 3
    opposing_ports = {0: 0, 1: north, 2: south}[pole]
    if opposing_ports in TELEPORTS:  # TP-17
        raise PositionError(say("a Teleport on {place} cannot hold an opposing Pole", place=name))


def _missing(position: Position, squares: Squares) -> Owed | None:
    """Returns the piece that is missing from the board, and so in its owner's hand."""
    found: list[tuple[str, int]] = []
    for side, player in enumerate(PLAYERS):
        poles = sum(1 for there in squares if there & 3 == side + 1)
        ports = sum(len(CORNERS_OF[ports_of(there, side)]) for there in squares)
        if max(poles, ports) > POLES:
            raise PositionError(say("{player} has four Poles and four Ports", player=say_player(player)))
        found += [("pole", side)] * (POLES - poles) + [("port", side)] * (POLES - ports)
    if len(found) > 1:
        raise PositionError(say("pieces are missing: each side has four Poles and four Ports"))
    if not found:
        return None
    kind, side = found[0]
    if kind == "port" and not available(squares, position.pads[side], side):
        raise PositionError(
            say("{player}'s missing Port has no available portpad", player=say_player(PLAYERS[side]))
        )
    owed = position.owed
    return owed if owed and (owed.kind, owed.side) == (kind, side) else Owed(kind, side, False)
