"""The levels of an opponent: how much it thinks about a turn, and how often it plays at first sight."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """A strength. Time only limits the wait: a level, seed and position have the same answer everywhere."""

    nodes: int
    """The actions that may be tried for a turn."""
    depth: int
    """The turns that are looked ahead, with one's own."""
    slips: float = 0.0
    """The share of the turns that are played at first sight."""
    noise: float = 0.0
    """The usual error in the worth of a turn, in pieces; of a long turn also in that of its first action."""


FIRST_SIGHT = Level(nodes=500, depth=1, noise=1.5)
"""How a turn is played without much thought: captures are seen, and what answers them; not much else."""
LEVELS = {
    1: Level(nodes=500, depth=1, slips=1.0),
    2: Level(nodes=1_000, depth=2, slips=0.6),
    3: Level(nodes=2_000, depth=3, slips=0.35),
    4: Level(nodes=4_000, depth=4, slips=0.18),
    5: Level(nodes=10_000, depth=9, slips=0.06),
    6: Level(nodes=30_000, depth=40),
}
