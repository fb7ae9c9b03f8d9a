"""Boards as looks: how two boards differ, and a look without its marker."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from companion.core.game import EMPTY, Look, Place


def changes(before: Mapping[Place, Look], after: Mapping[Place, Look]) -> dict[Place, tuple[Look, Look]]:
    """Returns each place where two boards differ, with its look on either."""
    places = {place for place, _ in before.items() ^ after.items()}
    return {place: (before.get(place, EMPTY), after.get(place, EMPTY)) for place in places}


@cache
def bare(look: Look) -> Look:
    """Returns a look without its marker: `red+T` is `red`, `+T` is `empty`."""
    return look.partition("+")[0] or EMPTY


def bare_looks(looks: Mapping[Place, Look]) -> dict[Place, Look]:
    """Returns a board without its markers."""
    return {place: bare(look) for place, look in looks.items() if bare(look) != EMPTY}
