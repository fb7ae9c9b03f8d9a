"""Moves of Jump to the Center that may have been meant by a change that no legal move explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import EMPTY, Changes
from companion.games.changes import vacated
from companion.games.jumping.position import Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    """Yields for each place that was entered the jumps to it from a place that was left, then the step."""
    left = vacated(changed)
    entered = [place for place, (was, _) in changed.items() if was == EMPTY]
    for end in entered:
        for start in left:
            yield from (f"{start}x{over}-{end}" for over in left if over != start)
            yield f"{start}-{end}"
