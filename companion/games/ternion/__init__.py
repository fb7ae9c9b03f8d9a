"""Ternion Factor and Ternion Spaces: one game on two nets.

Both are played alike: pawns stand on the nodes of a net (intersections, or the spaces between the
lines) and cross from one to the next; what differs is the net and what marks a crossing. So there is one
set of rules, and a module for each game that lays its net.
"""
