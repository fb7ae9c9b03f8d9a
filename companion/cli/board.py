"""`companion board`: starts a file for a board of one's own, and checks it."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.output import write_content
from companion.core.game import GameError
from companion.games import board_file as boardfile


@click.group()
def board() -> None:
    """Board files: for a board with another outline, other walls, portpads or start places."""


@board.command()
@click.argument("file")
@click.option("--like", required=True, help="the board, or the game, to begin with a copy of")
def new(file: str, like: str) -> None:
    """Starts FILE as a copy of a board, with notes on what may be changed."""
    path = Path(file)
    text = boardfile.new_board(like)
    if path.exists():
        raise GameError(f"'{file}' exists already: choose another name")
    write_content(text.encode(), path)
    click.echo(f"{file}: change what differs, then ask 'companion board check {file}'")


@board.command()
@click.argument("file")
def check(file: str) -> int:
    """Checks FILE, and tries each game that is played on it."""
    try:
        finding = boardfile.check_file(file)
    except OSError as error:
        raise GameError(f"cannot read '{file}': {error.strerror}") from error
    for problem in finding.problems:
        click.echo(f"{file}: {problem}")
    if finding.problems:
        return 1
    click.echo(f"{file}: fine; play on it with board={file}: {', '.join(finding.games)}")
    return 0
