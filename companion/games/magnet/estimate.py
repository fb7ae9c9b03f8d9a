"""Estimates how well each side stands in Magnet, and what may be hidden behind a view."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from companion.core.game import Player
from companion.games.magnet.board import PLAYERS
from companion.games.magnet.position import (
    KING,
    VALUES,
    Position,
    is_unknown,
    kind_of,
    letters_left,
    piece,
)

WINS = 15.0
"""The worth of a win that is open to the side whose turn begins: its king on the centre, which may declare
victory, or the other king within reach."""
USUAL = 2.8
"""The value of a piece that is not known, on the average."""
WORTH = {
    piece(side, kind, rank): 3.0 if kind == KING else 0.5 + (value if kind else USUAL) / 8 + rank / 8
    for side in (0, 1)
    for kind, value in enumerate(VALUES)
    for rank in range(1, 5)
}
"""The worth of each piece, by its byte: of its kind and rank."""
SLIPS = {2: 0.05, 3: 0.012, 4: 0.1, 5: 0.03}
"""The share of actions chosen at first sight, by level. From level 4 on, several guesses at what is hidden
make up for many."""


def estimate(position: Position) -> Mapping[Player, float]:
    worth, side = [0.0, 0.0], position.side
    kings: dict[int, int] = {}
    for vertex, code in enumerate(position.pieces):
        if code:
            worth[code >> 6] += WORTH[code]
            if kind_of(code) == KING:
                kings[code >> 6] = vertex
    if position.magnet < 0:
        is_at_centre = kings.get(side) == position.net.centre
        if is_at_centre or (1 - side in kings and _is_in_reach(position, kings[1 - side])):
            worth[side] += WINS
    return dict(zip(PLAYERS, worth, strict=True))


def _is_in_reach(position: Position, king: int) -> bool:
    """Tells whether a piece of the other side may be drawn over a king: the closest on a line, over whatever
    it captures on the way (MG-3, MG-5, MG-7)."""
    pieces, own = position.pieces, position.pieces[king] >> 6
    for ray in position.net.rays[king]:
        for distance, vertex in enumerate(ray, 1):
            code = pieces[vertex]
            if code and code >> 6 != own:
                if code & 7 >= distance:
                    return True
                break
    return False


def guess(view: Position, viewer: Player, rng: Random) -> Position:
    """Returns the position with a kind for each unknown piece: those left that its rank allows, by chance.

    The highest ranks choose first, after the king: so all find one.
    """
    pieces = bytearray(view.pieces)
    hidden = [vertex for vertex, code in enumerate(pieces) if is_unknown(code)]
    for side in (0, 1):
        left = [kind for kind, count in enumerate(letters_left(view, side)) for _ in range(count)]
        known = [kind_of(code) for code in pieces if code and code >> 6 == side and not is_unknown(code)]
        for kind in known:
            if kind in left:
                left.remove(kind)
        rng.shuffle(left)
        vertices = [vertex for vertex in hidden if pieces[vertex] >> 6 == side]
        rng.shuffle(vertices)
        vertices.sort(key=lambda vertex: -(pieces[vertex] & 7))
        humble = [vertex for vertex in vertices if pieces[vertex] & 7 == 1]
        if KING in left and humble:
            left.remove(KING)
            vertices.remove(humble[0])
            pieces[humble[0]] = piece(side, KING, 1)
        for vertex in vertices:
            rank = pieces[vertex] & 7
            fitting = [kind for kind in left if VALUES[kind] >= rank]
            if fitting:
                left.remove(fitting[0])
                pieces[vertex] = piece(side, fitting[0], rank)
    return view._replace(pieces=bytes(pieces))
