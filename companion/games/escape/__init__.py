"""Escape!, a race of jumping pawns across the Ternion board: each side makes for the other's home zone."""
