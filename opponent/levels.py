"""The levels of an opponent: how much it thinks about a turn, and how often it overlooks what is good."""

from __future__ import annotations

from typing import NamedTuple


class Level(NamedTuple):
    """A strength. Time only limits the wait: a level, seed and position have the same answer everywhere."""

    nodes: int
    """The actions that may be tried for a turn."""
    depth: int
    """The turns that are looked ahead, with one's own."""
    slips: float = 0.0
    """The share of its actions that are chosen at first sight, from a few."""


FIRST_SIGHT = 3
"""The actions that are seen at first sight, beside captures and what wins at once."""
MOST_SLIPS, FEWER = 0.6, 3
"""The slips of level 1, and how many times fewer each level has than the one below: where the first slip
decides a game, it then wins three of four."""
LEVELS = {
    1: Level(nodes=350, depth=1, slips=MOST_SLIPS),
    2: Level(nodes=600, depth=2, slips=MOST_SLIPS / FEWER),
    3: Level(nodes=1_500, depth=3, slips=MOST_SLIPS / FEWER**2),
    4: Level(nodes=8_000, depth=6, slips=MOST_SLIPS / FEWER**3),
    5: Level(nodes=16_000, depth=9, slips=MOST_SLIPS / FEWER**4),
    6: Level(nodes=32_000, depth=40),
}
