"""Draughts: English on 8 × 8 squares, international on 10 × 10."""
