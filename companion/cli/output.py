"""Writes a file that a command made: to where the user wants it, or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from companion.core.errors import CompanionError
from companion.core.game import GameError
from companion.core.whole_files import write_whole


def check_target(form: str, is_text: bool, target: Path | None) -> None:
    """Refuses to write what is no text to a terminal. UsageError."""
    if target is None and not is_text and sys.stdout.isatty():
        raise click.UsageError(f"'{form}' is no text: name a file with -o")


def write_games(games: Iterable[tuple[str, Callable[[], bytes]]], target: Path | None) -> int:
    """Writes several games as one text: each has a name, and a function that makes its file. Tells those that
    cannot have this form: 1 where there are any, else 0."""
    contents, status = [], 0
    for name, make in games:
        try:
            contents.append(make())
        except CompanionError as error:
            click.echo(f"companion: game {name}: {error}", err=True)
            status = 1
    write_content(b"\n".join(contents), target)
    return status


def write_content(content: bytes, target: Path | None) -> None:
    """Writes a file whole, or to standard output where none is named. GameError where that cannot be."""
    if target is None:
        click.echo(content, nl=False)
        return
    try:
        write_whole(target, content)
    except OSError as error:
        raise GameError(f"cannot write '{target}': {error.strerror}") from error
