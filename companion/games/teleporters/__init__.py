"""Teleporters: Poles cross the board through the walls of Ports, and by Teleports, each made of two Ports."""

from companion.games.teleporters.rules import Teleporters

__all__ = ["Teleporters"]
