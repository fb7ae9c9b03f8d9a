"""Actions of Magnet that a player may have meant by a change of the board that no legal action explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import Changes
from companion.games.changes import arrived, departed
from companion.games.magnet.board import PLAYERS
from companion.games.magnet.position import MAGNET, Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Yields placements of the magnet, then moves of pieces that are gone, own pieces first.

    A move is yielded as it is spelled and, for `judge`, with each vertex to which the piece may have gone.
    """
    come = arrived(changed)
    for place, look in come.items():
        if look == MAGNET:
            yield f"@{place}"
    owners = {place: look for place, look in departed(changed).items() if look in PLAYERS}
    for start in sorted(owners, key=lambda place: owners[place] != position.turn):
        yield start
        for end, look in come.items():
            if look == owners[start]:
                yield f"{start}>{end}"
