"""Escape!, a race of jumping pawns across the Ternion board, each side towards the other's home zone."""
