"""Between what lies on the board and a position: the start, what a camera sees, an arbiter's correction."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from companion.board import Board, BoardError
from companion.core import EMPTY, Look, Place, Player, PositionError
from companion.games.teleporters.position import (
    CORNERS,
    CORNERS_OF,
    HOMES,
    INDEX,
    NAMES,
    PLAYERS,
    PORTS,
    QUADRANTS,
    TELEPORTS,
    Owed,
    Pads,
    Position,
    Squares,
    arrived,
    available,
    port_bit,
    ports_of,
)

LOOKS = tuple(f"{player}/{kind}" for kind in ("pole", "port") for player in PLAYERS)
PORT_AT = {place: (s, c) for s in QUADRANTS for c, place in enumerate(PORTS[s])}


def start(board: Board, first: int) -> Position:
    """The position of the rulebook, 'Setting up', on this board. BoardError when it has no such places."""
    squares = [0] * 64
    pads: list[Pads] = []
    for side, player in enumerate(PLAYERS):
        pads.append(_pads(board, player))
        for square, corner in pads[side]:
            squares[square] |= port_bit(side, corner)
        for square in _poles(board, side):
            squares[square] |= side + 1
    if len({square for own in pads for square, _ in own}) != 8:
        raise BoardError('"tables": "portpads" needs eight different squares')
    return Position(tuple(squares), first, 2, 2, frozenset(), None, (pads[0], pads[1]))


def _pads(board: Board, player: Player) -> Pads:
    stripes = board.tables.get("portpads", {}).get(player, {})
    if len(stripes) != 4 or any(f"{s}{c}" not in PORT_AT for s, c in stripes.items()):
        raise BoardError(
            f'"tables": "portpads" needs for {player} four squares of ranks 2 to 7, each with the corner '
            f"of its stripes ({', '.join(CORNERS)})"
        )
    return tuple((INDEX[s], CORNERS.index(c)) for s, c in stripes.items())


def _poles(board: Board, side: int) -> list[int]:
    home = [NAMES[s] for s in HOMES[side]]
    poles = board.areas.get(f"{PLAYERS[side]} poles", ())
    if len(set(poles)) != 4 or not set(poles) <= set(home):
        raise BoardError(f'"areas": "{PLAYERS[side]} poles" needs four of {", ".join(home)}')
    return [INDEX[s] for s in poles]


def look(position: Position) -> Mapping[Place, Look]:
    return _look_of(position.squares)


@lru_cache(maxsize=4096)
def _look_of(squares: Squares) -> Mapping[Place, Look]:
    """Many positions of a search differ in nothing that can be seen."""
    found: dict[Place, Look] = {}
    for square, there in enumerate(squares):
        if there:
            found.update(_pieces(square, there))
    return found


@cache
def _pieces(square: int, there: int) -> Mapping[Place, Look]:
    """A pole and Ports, as they are seen on one square."""
    ports = {
        PORTS[square][corner]: f"{player}/port"
        for side, player in enumerate(PLAYERS)
        for corner in CORNERS_OF[ports_of(there, side)]
    }
    return {NAMES[square]: f"{PLAYERS[there >> 1 & 1]}/pole", **ports} if there & 3 else ports


def arrange(position: Position, looks: Mapping[Place, Look], turn: Player) -> Position:
    """The position with these looks. One piece may be missing: its owner owes it.

    Moves left and marks are kept, where the turn is the same and the marked piece still stands there.
    """
    if turn not in PLAYERS:
        raise PositionError(f"'{turn}' does not play Teleporters: the turn is south's or north's")
    squares = _squares(looks)
    owed = _missing(position, squares)
    side = PLAYERS.index(turn)
    fresh = Position(squares, side, 2, 2, frozenset(), owed, position.pads)
    if side != position.side:
        return fresh
    moved = frozenset(mark for mark in position.moved if _still_there(position.squares, squares, mark))
    left = position.pole_moves, position.port_moves
    return fresh._replace(pole_moves=left[0], port_moves=left[1], moved=moved) if any(left) or owed else fresh


def _still_there(before: Squares, after: Squares, mark: Place) -> bool:
    square = INDEX[mark.lstrip("=")[:2]]
    bits = 3 if mark[0] != "=" and len(mark) == 2 else ~3
    return before[square] & bits == after[square] & bits


def _squares(looks: Mapping[Place, Look]) -> Squares:
    squares = [0] * 64
    for place, seen in looks.items():
        if seen != EMPTY:
            square, bit = _piece(place, seen)
            squares[square] |= bit
    for square, there in enumerate(squares):
        _check_square(NAMES[square], there)
    if all(arrived(tuple(squares), side) == 4 for side in (0, 1)):
        raise PositionError("not both sides can have all four Poles on their Goal")
    return tuple(squares)


def _piece(place: Place, seen: Look) -> tuple[int, int]:
    owner, _, kind = seen.partition("/")
    if seen not in LOOKS:
        raise PositionError(f"'{seen}' is not a piece of Teleporters")
    side = PLAYERS.index(owner)
    if kind == "pole" and place in INDEX:
        return INDEX[place], side + 1
    if kind == "port" and place in PORT_AT:
        square, corner = PORT_AT[place]
        return square, port_bit(side, corner)
    raise PositionError(f"a {kind.capitalize()} cannot stand on '{place}'")


def _check_square(name: str, there: int) -> None:
    for side in (0, 1):
        ports = ports_of(there, side)
        if not ports:
            continue
        if ports_of(there, 1 - side) or (len(CORNERS_OF[ports]) > 1 and ports not in TELEPORTS):
            raise PositionError(f"two Ports on {name} need to be of one colour, in opposite corners")
        if ports in TELEPORTS and there & 3 == 2 - side:
            raise PositionError(f"a Teleport on {name} cannot hold an opposing Pole")


def _missing(position: Position, squares: Squares) -> Owed | None:
    """The piece that is missing from the board, and so in its owner's hand."""
    found = []
    for side, player in enumerate(PLAYERS):
        poles = sum(1 for there in squares if there & 3 == side + 1)
        ports = sum(len(CORNERS_OF[ports_of(there, side)]) for there in squares)
        if max(poles, ports) > 4:
            raise PositionError(f"{player} has four Poles and four Ports")
        found += [("pole", side)] * (4 - poles) + [("port", side)] * (4 - ports)
    if len(found) > 1:
        raise PositionError("pieces are missing: each side has four Poles and four Ports")
    if not found:
        return None
    kind, side = found[0]
    if kind == "port" and not available(squares, position.pads[side], side):
        raise PositionError(f"{PLAYERS[side]}'s missing Port has no available portpad")
    old = position.owed
    return old if old and (old.kind, old.side) == found[0] else Owed(kind, side, False)
