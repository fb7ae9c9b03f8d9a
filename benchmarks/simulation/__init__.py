"""Simulated games: players, their hands, cameras and grids that err, and a desk that records what they play.

Benchmarks measure with it, and tests of the referee and of the grid play with it. Time and chance are handed
in, so that the same seed gives the same game.
"""
