"""The studio: pictures like photographs of games of chess and draughts, rendered by Blender.

Boards, pieces, tables, lamps and cameras are made by chance.
"""
