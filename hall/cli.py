"""`companion hall`: what a hall of boards needs beside its tables, each command loaded when it is called."""

from __future__ import annotations

import click

from companion.cli.lazy_commands import LazyCommands

COMMANDS = {
    "up": ("hall.up:up", "a whole hall on this machine: broker, archive and wall"),
    "archive": ("hall.archive.cli:archive", "takes the games of all boards into a database"),
    "games": ("hall.archive.cli:games", "lists the games in the archive"),
    "export": ("hall.archive.cli:export", "writes a game of the archive as a file"),
    "acl": ("hall.acl:acl", "the rights of boards and hall at a Mosquitto broker, as a file"),
    "boards": ("hall.boards:boards", "the line that each board types, with its password"),
    "rounds": ("hall.rounds.cli:rounds", "the pairings of a round, to the boards"),
    "results": ("hall.rounds.cli:results", "the results of a round, as CSV or TRF"),
    "wall": ("hall.wall.cli:wall", "all boards on one page, and the arbiter's desk"),
}
"""The commands: where each is, and its line in the help."""


@click.group(cls=LazyCommands, table=COMMANDS)
def hall() -> None:
    """Many boards: their archive, wall, arbiter's desk and rounds."""
