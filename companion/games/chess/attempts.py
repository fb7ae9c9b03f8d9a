"""Moves of chess that a player may have meant by a change of the board that no legal move explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Changes
from companion.games.changes import arrived, vacated
from companion.games.chess.position import Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    entered = arrived(changed)
    for start in vacated(changed):
        for end, colour in entered.items():
            if colour == changed[start][0]:
                yield from (start + end, start + end + "q")
