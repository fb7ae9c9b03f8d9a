"""Ternion Factor and Ternion Spaces: one game on two nets.

Both are played alike: pawns stand on the sites of a net (the intersections of the lines, or the spaces
between them) and cross from one to the next. The games differ in how sites are joined and where a move marker
lies. So there is one set of rules, and a module for each game that says so.
"""
