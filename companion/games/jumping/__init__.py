"""Puzzles of jumping: Jump to the Center (Challenge 2)."""

from companion.games.jumping.rules import JumpToCenter

__all__ = ["JumpToCenter"]
