"""Triune: discs that step once or leap three times, and turn over instead of moving."""
