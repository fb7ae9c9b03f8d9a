"""The studio: renders pictures like photographs of games of chess and draughts, by Blender.

Boards, pieces, tables, lamps and cameras are made by chance.
"""
