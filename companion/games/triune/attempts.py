"""Actions of Triune that a player may have meant by a change of the board that no legal action explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Changes
from companion.games.changes import arrived, vacated
from companion.games.triune.board import INDEX
from companion.games.triune.position import Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Yields moves from a square that was left to one that was entered, then flips."""
    yield from _moves(position, changed)
    for place, (was, now) in changed.items():
        if was.partition("/")[0] == now.partition("/")[0]:
            yield f"{place}~"


def _moves(position: Position, changed: Changes) -> Iterator[str]:
    entered = arrived(changed)
    for start in vacated(changed):
        for end in entered:
            mark = "x" if position.squares[INDEX[end]] else "-"
            yield start + mark + end
