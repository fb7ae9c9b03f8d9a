"""Magnet: pieces of secret value that a pillar draws along the lines of a hexagon."""

from companion.games.magnet.rules import Magnet

__all__ = ["Magnet"]
