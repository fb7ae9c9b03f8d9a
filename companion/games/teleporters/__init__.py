"""Teleporters: Poles cross the board through the walls of Ports, and by Teleports, each made of two Ports."""
