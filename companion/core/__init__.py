"""The core: the contracts of games and notations, boards as data, and the values that all rooms share."""
