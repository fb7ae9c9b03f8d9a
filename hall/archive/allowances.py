"""Limits how much each board may bring in a day: lines that are well formed fill a disk too.

What is not taken is in no receipt: so a board that plays keeps it, and sends it again.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from broker_bridge.topics import BoardName

MOST_BYTES = 64 * 1024 * 1024
"""The most bytes of lines that are taken of a board in a day: thousands of games."""
DAY_S = 24 * 3600.0


@dataclass(slots=True)
class Allowances:
    """The bytes that each board has brought since its day began. Pure: the time is handed in."""

    _brought: dict[BoardName, tuple[float, int]] = field(default_factory=dict)

    def take(self, board: BoardName, size: int, now: float) -> bool:
        """Counts bytes that a board brings; returns whether they are taken."""
        since, count = self._brought.get(board, (now, 0))
        if now - since >= DAY_S:
            since, count = now, 0
        self._brought[board] = since, count + size
        return count + size <= MOST_BYTES

    def is_first_too_many(self, board: BoardName, size: int) -> bool:
        """Returns whether the bytes that were counted last are the first that were not taken."""
        _, count = self._brought[board]
        return count - size <= MOST_BYTES < count
