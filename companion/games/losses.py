"""The pieces that have left the board: those that were there before and are no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.core.game import Look


def lost(before: Iterable[Look], now: Iterable[Look]) -> tuple[Look, ...]:
    """Returns the looks that there were more of before, each as often as it is missing now."""
    return tuple((Counter(before) - Counter(now)).elements())
