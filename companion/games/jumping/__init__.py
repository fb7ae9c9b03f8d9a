"""Puzzles of jumping: Jump to the Center (Challenge 2)."""
