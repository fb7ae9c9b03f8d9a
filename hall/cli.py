"""`companion hall`: what a hall of boards needs beside its tables, each command loaded when it is called."""

from __future__ import annotations

import click

from companion.core.lazy import load

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


class Commands(click.Group):
    """The commands by name, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = load(COMMANDS[name][0])
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])


@click.group(cls=Commands)
def hall() -> None:
    """Many boards: their archive, wall, arbiter's desk and rounds."""
