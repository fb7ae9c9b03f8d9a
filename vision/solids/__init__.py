"""Pieces as solids: what looks of many faces show from above, sample by sample."""
