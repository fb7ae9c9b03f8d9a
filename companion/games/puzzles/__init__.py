"""Solitaire puzzles: games with one seat, whose referee also knows how they can be solved.

Queens, rooks and No Overlap are one kind of puzzle: each site claims something (a row, a diagonal, an
intersection), and no two pieces may claim the same. Jump to the Center is a game of jumps of its own.
"""

from companion.games.puzzles.jump_to_center import JumpToCenter
from companion.games.puzzles.no_overlap import NoOverlap
from companion.games.puzzles.queens import Queens
from companion.games.puzzles.rooks import Rooks

__all__ = ["JumpToCenter", "NoOverlap", "Queens", "Rooks"]
