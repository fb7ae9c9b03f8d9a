"""The search for the legal actions that explain a board, from all positions that are held to be possible.

`best_first` visits nodes: it takes the most promising one from the frontier, and `expansion` makes the nodes
that follow it, with their cost so far. `progress` drops those from which no likely story can come, and says
how long the search may go on. A node that explains the board becomes one of the `stories`; at last
`variation` adds those that look the same. `limits` holds the figures.
"""
