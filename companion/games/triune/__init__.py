"""Triune: discs that step once or leap three times, and turn over instead of moving."""

from companion.games.triune.rules import Triune

__all__ = ["Triune"]
