"""Draughts: English on 8 × 8 squares, international on 10 × 10."""

from companion.games.draughts.rules import Draughts

__all__ = ["Draughts"]
