"""The levels of an opponent: how much it thinks about a turn, and how far its judgement errs."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """A strength. `noise` is in pieces: the usual error in the worth of a turn, so that mistakes look honest.

    Time limits nothing but the wait: an answer of the same level, seed and position is the same everywhere.
    """

    nodes: int
    """The actions that may be tried for a turn."""
    depth: int
    """The turns that are looked ahead, with one's own."""
    noise: float


LEVELS = {
    1: Level(nodes=2_000, depth=1, noise=1.5),
    2: Level(nodes=2_000, depth=1, noise=0.5),
    3: Level(nodes=2_000, depth=2, noise=0.4),
    4: Level(nodes=2_500, depth=4, noise=0.2),
    5: Level(nodes=8_000, depth=9, noise=0.1),
    6: Level(nodes=30_000, depth=40, noise=0.0),
}
