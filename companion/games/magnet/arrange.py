"""An arbiter's correction of a Magnet position.

A look is a colour, or names a rank (`red/2`) or a kind and a rank (`red/31`: value 3, rank 1). What it
leaves open is kept from the piece that stood there, or from the one that has gone elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core import EMPTY, Look, Place, PositionError
from companion.games.magnet.moves import affected, begin, movable
from companion.games.magnet.net import PLAYERS
from companion.games.magnet.position import (
    KINDS,
    KING,
    MAGNET,
    UNKNOWN,
    VALUES,
    Position,
    kind_of,
    letters_left,
    owned,
    piece,
)


def arrange(position: Position, looks: Mapping[Place, Look], side: int) -> Position:
    """The position with these looks and that side's turn, before its magnet is placed or after that.

    The magnet is seen where it stands alone; beside a piece it is taken to be where it was.
    """
    if position.ready < 2:
        raise PositionError("both players set up first")
    for place in looks:
        if place not in position.net.index:
            raise PositionError(f"'{place}' is not a vertex of the board")
    wanted = {position.net.index[place]: look for place, look in looks.items() if look != EMPTY}
    pieces = _pieces(position, {v: look for v, look in wanted.items() if look != MAGNET})
    _check_pieces(position, pieces)
    start = position._replace(seen=(), fixed=False, over=None, revealed=_revealed(position, pieces))
    seen = [vertex for vertex, look in wanted.items() if look == MAGNET]
    if len(seen) > 1:
        raise PositionError("there is one magnet")
    magnet = seen[0] if seen else position.magnet if position.magnet in wanted else -1
    left = _left(position, pieces, side, magnet) if magnet >= 0 else ()
    if left:
        return start._replace(pieces=pieces, side=side, magnet=magnet, left=left, capture=None)
    if seen:
        raise PositionError("the magnet has no piece left to move: take it off the board")
    return begin(start, pieces, side)


def _left(position: Position, pieces: bytes, side: int, magnet: int) -> tuple[int, ...]:
    """The pieces that the magnet still draws: not those that had their move before the correction."""
    left = movable(position.net, pieces, magnet, tuple(affected(position.net, pieces, side, magnet)))
    if (position.magnet, position.side) != (magnet, side):
        return left
    return tuple(v for v in left if v in position.left or pieces[v] != position.pieces[v])


def _pieces(position: Position, wanted: Mapping[int, Look]) -> bytes:
    pieces, unknown = bytearray(len(position.pieces)), []
    for vertex, look in wanted.items():
        side, kind, rank = _read(look)
        was = position.pieces[vertex]
        if kind or (rank and position.declared):
            pieces[vertex] = piece(side, kind, rank)
        elif was and was >> 6 == side:
            pieces[vertex] = piece(side, kind_of(was), rank) if rank else was
        else:
            unknown.append((vertex, side))
    for side in (0, 1):
        _fill(position, pieces, [vertex for vertex, owner in unknown if owner == side], side)
    return bytes(pieces)


def _read(look: Look) -> tuple[int, int, int]:
    """Side, kind and rank; 0 for what the look leaves open."""
    owner, _, name = look.partition("/")
    kind, rank = name[:-1], name[-1:]
    if owner not in PLAYERS or kind not in KINDS or (rank not in "1234"):
        raise PositionError(f"'{look}' is not a piece of Magnet")
    return PLAYERS.index(owner), KINDS.index(kind), int(rank or 0)


def _fill(position: Position, pieces: bytearray, vertices: list[int], side: int) -> None:
    """Puts the one piece of the side that has gone from its vertex on the one that is new.

    With several it cannot be known which went where, and whether that matters is a secret.
    """
    if not vertices:
        return
    gone = [position.pieces[v] for v in owned(position.pieces, side) if not pieces[v]]
    if len(gone) != 1 or len(vertices) != 1:
        raise PositionError(f"correct {PLAYERS[side]}'s pieces one at a time, or name their kinds")
    pieces[vertices[0]] = gone[0]


def _check_pieces(position: Position, pieces: bytes) -> None:
    for side, player in enumerate(PLAYERS):
        codes = [pieces[vertex] for vertex in owned(pieces, side)]
        kinds = [kind_of(code) for code in codes]
        if not codes or len(codes) > len(position.net.letters):
            raise PositionError(f"{player} has 1 to {len(position.net.letters)} pieces")
        if any(code & 7 > VALUES[kind_of(code)] for code in codes):
            raise PositionError(f"a piece of {player}'s has a rank above its value")
        for kind, letter in enumerate(KINDS):
            if kind and kinds.count(kind) > position.net.letters.count(letter):
                raise PositionError(f"{player} has not so many pieces of the kind '{letter}'")
        if not position.declared and kinds.count(KING) != 1:
            raise PositionError(f"{player} has one king")


def _revealed(position: Position, pieces: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Of the kinds revealed those that are not back on the board; room for unknown pieces is made first."""
    found = []
    for side in (0, 1):
        kinds = [kind_of(pieces[vertex]) for vertex in owned(pieces, side)]
        room = [number - kinds.count(kind) for kind, number in enumerate(letters_left(position, side))]
        counts = [
            seen + min(room[kind], 0) if kind != UNKNOWN else 0
            for kind, seen in enumerate(position.revealed[side])
        ]
        found.append(tuple(counts))
    return found[0], found[1]
