"""Changes of a board, taken apart into the pieces that went and the pieces that came.

The `attempts` of games read them, to guess which action was meant.
"""

from __future__ import annotations

from companion.core.game import EMPTY, Changes, Look, Place


def departed(changed: Changes) -> dict[Place, Look]:
    """Returns the looks that should stand where now another one stands, or none."""
    return {place: was for place, (was, now) in changed.items() if was not in (EMPTY, now)}


def arrived(changed: Changes) -> dict[Place, Look]:
    """Returns the looks that stand where another one should, or none."""
    return {place: now for place, (was, now) in changed.items() if now not in (EMPTY, was)}


def vacated(changed: Changes) -> list[Place]:
    """Returns the places that should hold something and are empty."""
    return [place for place in departed(changed) if changed[place][1] == EMPTY]
