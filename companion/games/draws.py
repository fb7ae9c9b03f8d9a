"""The option by which draws that the rules declare of themselves end a game only when they are claimed."""

from __future__ import annotations

from companion.core.game import Option

CLAIMED = "claimed"
DRAWS = Option(
    "draws",
    ("ended", CLAIMED),
    "ended",
    "draws by repetition, moves or material",
    "draws: {value}",
    ("end the game by themselves", "may be claimed"),
)
"""Older games, games by other rules and games in which nobody noticed went on after such a draw."""
