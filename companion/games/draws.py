"""The option by which draws that the rules declare of themselves end a game only when they are claimed."""

from __future__ import annotations

from companion.core.game import Option

CLAIMED = "claimed"
DRAWS = Option(
    "draws",
    ("ended", CLAIMED),
    "ended",
    "what a draw by repetition, by a count of moves or by too few pieces does",
    "draws: {value}",
    ("it ends the game", "it may be claimed"),
)
"""Older games, games by other rules and games in which nobody noticed went on after such a draw."""
