"""Magnet: pieces of secret value that a pillar draws along the lines of a hexagon."""
