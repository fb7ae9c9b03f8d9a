"""Evidence for and against a board: what the sensors saw there, when it changed, and where hands were felt.

`evidence` turns an observation into costs, `timeline` says how places came to change, and `looks` compares
boards. Nothing here knows the rules of a game.
"""
