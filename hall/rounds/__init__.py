"""Rounds of a tournament: pairings that a pairing program made, to the boards, and results back to it."""
