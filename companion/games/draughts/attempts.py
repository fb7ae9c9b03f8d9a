"""Actions of draughts that a player may have meant by a change of the board that no legal one explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Changes, Place
from companion.games.changes import arrived, departed
from companion.games.draughts.moves import legal
from companion.games.draughts.position import Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Yields ways of a piece from a square that it left to one that it entered, the mover's own first."""
    gone, come = departed(changed), arrived(changed)
    for start in sorted(gone, key=lambda place: gone[place] != position.turn):
        for end, colour in come.items():
            if colour == gone[start]:
                yield from _carried(position, start, end)


def _carried(position: Position, start: Place, end: Place) -> Iterator[str]:
    """Yields the ways from one square to another: by a legal capture, by part of one, or otherwise."""
    for action in legal(position):
        squares = action.split("x")
        if squares[0] == start and end in squares[1:]:
            yield "x".join(squares[: squares.index(end, 1) + 1])
    likelier, other = "x-" if _passes_a_piece(position, start, end) else "-x"
    yield from (start + likelier + end, start + other + end)


def _passes_a_piece(position: Position, start: Place, end: Place) -> bool:
    net = position.variant.net
    if start not in net.index or end not in net.index:
        return False
    way = net.index[start], net.index[end]
    return bool(net.between.get(way, 0) & ~position.empty)
