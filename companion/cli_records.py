"""`companion replay` and `companion records`: games on file and in the store."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from pathlib import Path

import click

from companion import exports
from companion.config import data_folder
from companion.core import GameError, IllegalActionError, Rules
from companion.present import outcome_words
from companion.record import Record, read_any
from companion.referee.guide import say_look
from companion.session import Session
from companion.store import Store, Summary

NO_NAMES = ("game", "place", "event", "date", "round")
DATA = click.option("--data", type=click.Path(path_type=Path), help="the folder of the stored games")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def replay(file: Path) -> int:
    """Checks the record in FILE (a record, a game text, or PGN for chess) and prints the final position."""
    record = read_file(file)
    try:
        session = record.session()
    except IllegalActionError as error:
        click.echo(f"companion: {file}: {error}", err=True)
        return 1
    click.echo(describe(session))
    return 0


@click.group()
def records() -> None:
    """The stored games."""


@records.command("list")
@DATA
@click.option("--search", default="", help="words that the game, its names or its place must hold")
@click.option("--deleted", is_flag=True, help="the deleted ones")
@click.option("-n", "limit", type=click.IntRange(1), default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="a JSON object a line")
def list_games(data: Path | None, search: str, deleted: bool, limit: int, as_json: bool) -> None:
    """The games, newest first."""
    for summary in open_store(data).list(search, limit=limit, deleted=deleted):
        click.echo(json.dumps(exports.summary_json(summary)) if as_json else _summary_line(summary))


@records.command("show")
@DATA
@click.argument("number", type=int)
def show(data: Path | None, number: int) -> None:
    """Game NUMBER: its moves in words, and the final position."""
    session = _open(data, number).session()
    for n, ply in enumerate(session.plies, 1):
        words = " ".join(session.rules.tell(event) for event in ply.events)
        click.echo(f"{n}. {ply.action}  {words}".rstrip())
    click.echo(describe(session))


@records.command("export")
@DATA
@click.argument("number", type=int)
@click.option("--format", "form", type=click.Choice(list(exports.FORMATS)), default="record")
@click.option("-o", "target", type=click.Path(path_type=Path), help="the file to write; else standard output")
def export(data: Path | None, number: int, form: str, target: Path | None) -> None:
    """Game NUMBER as a record, game text, PGN (chess), or Abstract Play record."""
    text = exports.FORMATS[form](_open(data, number))
    if target is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise GameError(f"cannot write '{target}': {error.strerror}") from error


@records.command("import")
@DATA
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def import_(data: Path | None, files: tuple[Path, ...]) -> None:
    """Adds the games of FILES (records, game texts, PGN). A damaged file adds nothing."""
    found = [(file, _checked(file)) for file in files]
    store = open_store(data)
    for file, record in found:
        click.echo(f"{file}: game {store.add(record, time.time())}")


@records.command("delete")
@DATA
@click.argument("number", type=int)
def delete(data: Path | None, number: int) -> None:
    """Takes game NUMBER out of the list; `restore` brings it back."""
    open_store(data).delete(number, time.time())


@records.command("restore")
@DATA
@click.argument("number", type=int)
def restore(data: Path | None, number: int) -> None:
    """Brings a deleted game back."""
    open_store(data).undelete(number)


def _checked(file: Path) -> Record:
    """The record in a file, whose game can be replayed."""
    record = read_file(file)
    try:
        record.session()
    except GameError as error:
        raise GameError(f"'{file}': {error}") from error
    return record


def read_file(file: Path) -> Record:
    """The record in a file. GameError says what is wrong with it."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise GameError(f"'{file}' is no text: a record, game text or PGN is wanted") from error
    except OSError as error:
        raise GameError(f"cannot read '{file}': {error.strerror}") from error
    if text.lstrip().startswith("["):
        return exports.read_pgn(text)
    return read_any(text)


def open_store(data: Path | None) -> Store:
    """The store of games in a folder, or in the usual one."""
    return Store(data_folder(data) / "games.sqlite")


def _open(data: Path | None, number: int) -> Record:
    """A stored game that everybody may read."""
    record = open_store(data).load(number)
    if type(record.game.rules).view is not Rules.view and record.session().outcome is None:
        raise GameError(f"game {number} holds secrets of its players: it opens when it is over")
    return record


def describe(session: Session) -> str:
    """The final position in words: whose turn or who won, and what stands where."""
    position, outcome = session.position, session.outcome
    head = outcome_words(outcome) if outcome else f"{position.to_act.capitalize()} to act."
    pieces = [f"{place} {say_look(look)}" for place, look in sorted(session.rules.pieces(position).items())]
    return "\n".join((f"{session.game.head}, {len(session.plies)} actions", head, *pieces))


def _summary_line(summary: Summary) -> str:
    when = datetime.fromtimestamp(summary.started, UTC).strftime("%Y-%m-%d %H:%M")
    names = " – ".join(name for key, name in summary.head.items() if key not in NO_NAMES)
    parts = (when, summary.game, f"{summary.plies} actions", summary.result or "going on", names)
    return f"{summary.id:5}  " + "  ".join(parts).rstrip()
