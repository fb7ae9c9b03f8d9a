"""Actions of a puzzle of placing that may have been meant by a change that no legal action explains."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.game import EMPTY, Changes
from companion.games.placing.position import Position


def attempts(position: Position, changed: Changes) -> Iterator[str]:
    for place, (was, now) in changed.items():
        if EMPTY in (was, now) and was != now:
            yield f"{'+' if was == EMPTY else '-'}{place}"
