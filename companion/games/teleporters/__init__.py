"""Teleporters, in parts: the board in numbers, moves, consequences, judgement, and arrangement."""

from companion.games.teleporters.rules import Teleporters

__all__ = ["Teleporters"]
