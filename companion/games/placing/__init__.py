"""Puzzles of placing: each site claims something, and no two pieces may claim the same.

A queen claims its row, column and diagonals, a rook its row and column, a pawn of No Overlap the
intersections on its lines. One set of rules serves all of them; each puzzle says what its sites claim.
"""
