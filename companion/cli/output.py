"""Writes a file that a command made: to where the user wants it, or to standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion.core import whole_files
from companion.core.errors import CompanionError
from companion.core.game import GameError


def check_target(form: str, is_text: bool, target: Path | None) -> None:
    """Refuses to write what is no text to a terminal. UsageError."""
    if target is None and not is_text and sys.stdout.isatty():
        raise click.UsageError(f"'{form}' is no text: name a file with -o")


def check_writable(target: Path) -> None:
    """Refuses a file that cannot be written, before the work that makes it. GameError."""
    with refusing(target):
        whole_files.check_writable(target)


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
    with refusing(target):
        whole_files.write_whole(target, content)


@contextmanager
def refusing(target: Path) -> Iterator[None]:
    """Says of which file it is that it cannot be written. GameError."""
    try:
        yield
    except OSError as error:
        raise GameError(f"cannot write '{target}': {error.strerror}") from error
