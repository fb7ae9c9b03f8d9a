"""`companion replay` and `companion records`: games on file and in the store."""

from __future__ import annotations

import json
import sqlite3
import time
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import click

from companion.cli.options import data_option
from companion.cli.output import check_target, write_content, write_games
from companion.config import data_folder
from companion.core.comments import tidy_comment
from companion.core.game import GameError, IllegalActionError
from companion.core.local_time import local_time
from companion.core.whole_files import read_whole
from companion.games.text import read_game
from companion.record import exports
from companion.record.correction import correct_record
from companion.record.exports import formats
from companion.record.notations import FoundGames
from companion.record.record import Note, Record
from companion.record.review import ReviewStep, review, say_aside, standing_lines
from companion.record.session import ARBITER, Session
from companion.referee.verdict.guide import say_look
from companion.store.repair import Repair, Salvaged, bring_back, find_damage
from companion.store.repair import repair as repair_store
from companion.store.rows import DAMAGED, StoreError, Summary
from companion.store.store import Store
from companion.table.present import outcome_words

MOST_LISTED = 1_000_000
"""Games that are listed at once, at most."""
STORE = "games.sqlite"
"""The file of the games in the data folder."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def replay(file: Path) -> int:
    """Checks the record in FILE (a record, a game text, PGN or PDN) and prints the final position.

    Of a PGN or PDN with several games, that of each.
    """
    found = read_file(file)
    try:
        sessions = [record.session() for record in found.records]
    except IllegalActionError as error:
        click.echo(f"companion: {file}: {error}", err=True)
        return 1
    click.echo("\n\n".join(map(describe, sessions)))
    return _tell_found(file, found)


def _tell_found(file: Path, found: FoundGames) -> int:
    """Says how the games of a file were taken, and which could not be read: 1 where there are any, else 0."""
    for words in (*found.remarks, *found.wrong):
        click.echo(f"companion: {file}: {words}", err=True)
    return 1 if found.wrong else 0


class Storing(click.Group):
    """Commands that use the store. An error of its file becomes a StoreError, and so one line."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # words of SQLite may be damaged too
            words = f"cannot use the games ({error}): is the disk full, or the folder another's?"
            raise StoreError(words) from error


@click.group(cls=Storing)
def records() -> None:
    """The stored games."""


@records.command("list")
@data_option
@click.option("--search", default="", help="words that the game, its names or its place must hold")
@click.option("--deleted", is_flag=True, help="the deleted ones")
@click.option("-n", "limit", type=click.IntRange(1, MOST_LISTED), default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="a JSON object a line")
def list_games(data: Path | None, search: str, deleted: bool, limit: int, as_json: bool) -> None:
    """Lists the games, newest first."""
    for summary in open_store(data).list(search, limit=limit, deleted=deleted):
        click.echo(json.dumps(summary.to_json()) if as_json else _summary_line(summary))


@records.command("show")
@data_option
@click.argument("number", type=int)
def show(data: Path | None, number: int) -> None:
    """Shows game NUMBER: its steps in words with what was said of them, and the final position."""
    store = open_store(data)
    record = _open(store, number)
    session = record.session()
    for n, step in enumerate(review(record, session)):
        _show_step(session, n, step)
    click.echo(describe(session))


def _show_step(session: Session, n: int, step: ReviewStep) -> None:
    for line, entry in step.asides:
        click.echo(f"     {say_aside(session.game.board, entry, step.kind_of(line))}")
    if step.ply:
        words = " ".join(session.tell(event) for event in step.ply.events)
        click.echo(f"{n}. {step.ply.action}  {words}".rstrip())
    for note in step.notes:
        said = note.text.replace("\n", "\n     ")
        click.echo(f"     {note.by}: {said}" if note.by else f"     {said}")


class _Exporting(click.Command):
    """A command whose help lists the formats; they are asked for only then, because they load all games."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        with formatter.section("Formats"):
            formatter.write_dl([(name, form.about) for name, form in formats().items()])


def _check_format(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    chosen: str = click.Choice(list(formats())).convert(value, parameter, ctx)
    return chosen


@records.command("export", cls=_Exporting)
@data_option
@click.argument("number", type=int, required=False)
@click.option("--search", help="words that a game, its names or its place must hold; '' for all games")
@click.option(
    "--format",
    "form",
    metavar="FORMAT",
    callback=_check_format,
    default="record",
    show_default=True,
    help="one of those below",
)
@click.option("--step", type=int, help="svg, png: the step to show; else the last one")
@click.option("-o", "target", type=click.Path(path_type=Path), help="the file to write; else standard output")
def export(
    data: Path | None,
    number: int | None,
    search: str | None,
    form: str,
    step: int | None,
    target: Path | None,
) -> int:
    """Writes game NUMBER as a file, or with --search all that it finds, oldest first, as one text.

    Those of them that cannot have this form are named, and the exit status is 1 then.
    """
    if step is not None and not formats()[form].of_step:
        raise click.UsageError(f"--step is for svg and png: '{form}' holds the whole game")
    if (number is None) == (search is None):
        raise click.UsageError("name the NUMBER of a game, or several by --search")
    if number is None and (formats()[form].of_step or not formats()[form].is_text):
        raise click.UsageError(f"'{form}' holds a single game: name its NUMBER")
    check_target(form, formats()[form].is_text, target)
    store = open_store(data)

    def content_of(number: int) -> bytes:
        return formats()[form].write(_open(store, number), step)

    if number is not None:
        write_content(content_of(number), target)
        return 0
    found = reversed(store.list(search or "", limit=MOST_LISTED))
    return write_games(((str(game.id), partial(content_of, game.id)) for game in found), target)


@records.command("note")
@data_option
@click.argument("number", type=int)
@click.argument("text")
@click.option("--step", type=int, default=0, help="the step that it is about; else the game as a whole")
@click.option("--by", default=ARBITER, show_default=True, help="whose comment it is")
def note(data: Path | None, number: int, text: str, step: int, by: str) -> None:
    """Comments on game NUMBER; another comment by the same hand replaces the first, '' takes it back."""
    store = open_store(data)
    record = store.load(number)
    session = record.session()
    if by not in (ARBITER, *session.players):
        raise GameError(f"'{by}' has no seat in this game: its seats are {', '.join(session.players)}")
    line = standing_lines(session)[exports.check_step(record, step)]
    store.note(number, Note(tidy_comment(text), line, by, round(time.time(), 3)))


@records.command("correct")
@data_option
@click.argument("number", type=int)
@click.option("--step", "steps", multiple=True, metavar="STEP=ACTION", help="the action that it was")
@click.option("--name", "names", multiple=True, metavar="KEY=NAME", help="a player's name, event or place")
@click.option("--until", type=int, help="the last step that is kept")
def correct(
    data: Path | None, number: int, steps: tuple[str, ...], names: tuple[str, ...], until: int | None
) -> None:
    """Adds a corrected copy of game NUMBER, which stays as it is."""
    store = open_store(data)
    actions = {_step(key): action for key, action in map(_split, steps)}
    corrected = correct_record(_open(store, number), actions, dict(map(_split, names)), until)
    click.echo(f"game {store.correct(number, corrected)} corrects game {number}")


@records.command("audit")
@data_option
@click.argument("number", type=int)
@click.argument("told", nargs=-1, required=True)
def audit(data: Path | None, number: int, told: tuple[str, ...]) -> int:
    """Checks game NUMBER against what its players TOLD after it, in the order of their seats.

    The page of the game says what they tell. The exit status is 1 when something does not agree.
    """
    session = _open(open_store(data), number).session()
    if session.outcome is None:  # what the players tell is their secret until then
        raise GameError("the players tell their pieces when the game is over")
    found = session.audit(told)
    if found is None:
        click.echo("the game agrees with these pieces")
        return 0
    rules = ", ".join(breach.rule for breach in found.breaches)
    click.echo(f"step {found.number}, {found.action}: {found.words}{rules and f' ({rules})'}")
    return 1


def _split(text: str) -> tuple[str, str]:
    key, mark, value = text.partition("=")
    if not mark:
        raise click.UsageError(f"write KEY=VALUE, not '{text}'")
    return key, value


def _step(text: str) -> int:
    if not (text.isdecimal() and len(text) < 10):
        raise click.UsageError(f"a step is a number, not '{text[:40]}'")
    return int(text)


@records.command("check")
@data_option
def check(data: Path | None) -> int:
    """Replays every stored game, and names those that are damaged.

    The exit status is 1 when there are any.
    """
    status = 0
    for number, words in open_store(data).check():
        named = f"game {number}"
        click.echo(words if words.startswith(named) else f"{named} cannot be replayed: {words}")
        status = 1
    if status == 0:
        click.echo("all games can be replayed")
    return status


@records.command("repair")
@data_option
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False, exists=True))
def repair(data: Path | None, file: Path | None) -> None:
    """Saves what can be read of a damaged store into a new one, and sets the damaged one aside.

    With FILE, a store that was set aside, or another companion's: adds what can be read of it to the games
    that are there now.
    """
    path = data_folder(data) / STORE
    if file is not None:
        done = bring_back(file, path, time.time())
        if not done.games and not done.known:
            raise GameError(f"nothing can be read of '{file}': is it a store of games?")
        _tell_repair(done)
    elif not path.exists():
        click.echo("no games are stored yet: there is nothing to repair")
    elif words := find_damage(path):
        done = repair_store(path, time.time())
        click.echo(f"the games were damaged: {words}")
        _tell_repair(done)
        click.echo(f"the damaged store is now '{done.aside}': nothing in it was changed")
    else:
        click.echo("nothing is damaged, and nothing was changed")


def _tell_repair(done: Repair) -> None:
    for game, number in done.games:
        if words := _say_saved(game, number):
            click.echo(words)
    count = sum(number is not None and not game.words for game, number in done.games)
    click.echo(f"{count} games were saved whole")
    if done.known:
        click.echo(f"{done.known} games were there already")


def _say_saved(game: Salvaged, number: int | None) -> str:
    """Says what became of a game of a damaged store; '' where it is whole and has its number."""
    if number is None:
        return f"game {game.number} could not be saved: {game.words or 'it cannot be replayed'}"
    if number == game.number:
        return game.words and f"game {number}: {game.words}"
    return f"game {game.number} is game {number} now{game.words and f': {game.words}'}"


@records.command("import")
@data_option
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def import_(data: Path | None, files: tuple[Path, ...]) -> int:
    """Adds the games of FILES (records, game texts, PGN, PDN). Those that are there already are named.

    Games of a PGN or PDN that cannot be read are named, and the others are added; the exit status is 1 then.
    Where a file has no game that can be read, nothing is added, nor of the other files.
    """
    found = [(file, _checked(file)) for file in files]
    store = open_store(data)
    for file, games in found:
        for number, is_new in store.add_new(games.records):
            click.echo(f"{file}: game {number}" + ("" if is_new else " is there already"))
    return max(_tell_found(file, games) for file, games in found)


@records.command("delete")
@data_option
@click.argument("number", type=int)
def delete(data: Path | None, number: int) -> None:
    """Takes game NUMBER out of the list; `restore` brings it back."""
    open_store(data).delete(number, time.time())


@records.command("restore")
@data_option
@click.argument("number", type=int)
def restore(data: Path | None, number: int) -> None:
    """Brings a deleted game back."""
    open_store(data).undelete(number)


def _checked(file: Path) -> FoundGames:
    """Returns the games in a file, each of which can be replayed."""
    found = read_file(file)
    try:
        for record in found.records:
            record.session()
    except GameError as error:
        raise GameError(f"'{file}': {error}") from error
    return found


def read_file(file: Path) -> FoundGames:
    """Returns the games in a file; PGN and PDN may hold several. GameError where none can be read."""
    try:
        content = read_whole(file)
    except OSError as error:
        raise GameError(f"cannot read '{file}': {error.strerror}") from error
    try:
        text, remarks = exports.decoded(content)
        found = exports.find_games(text)
    except GameError as error:
        raise GameError(f"'{file}': {error}") from error
    return replace(found, remarks=(*remarks, *found.remarks))


def open_store(data: Path | None) -> Store:
    """Opens the store of games in a folder, or in the usual one, until the command has ended."""
    return click.get_current_context().with_resource(Store(data_folder(data) / STORE))


def _open(store: Store, number: int) -> Record:
    """Returns a stored game. GameError for one that holds secrets and is not over."""
    record = store.load(number)
    if record.session().may_hide:
        raise GameError(f"game {number} holds secrets of its players: it opens when it is over")
    return record


def describe(session: Session) -> str:
    """Returns the final position in words: whose turn it is or who won, and what stands where."""
    position, outcome = session.position, session.outcome
    head = outcome_words(outcome) if outcome else f"{position.to_act.capitalize()} to act."
    kinds, looks = session.game.board.pieces, session.rules.pieces(position)
    pieces = [f"{place} {say_look(kinds, look)}" for place, look in sorted(looks.items())]
    return "\n".join((f"{session.game.head}, {len(session.plies)} actions", head, *pieces))


def _when(seconds: float) -> str:
    if not seconds:
        return "no date is known"
    return local_time(seconds).strftime("%Y-%m-%d %H:%M")


@cache
def _seats(game: str) -> tuple[str, ...]:
    """Returns the seats of a game by its text, whatever its board; () where they are not known here."""
    try:
        found = read_game(" ".join(word for word in game.split() if not word.startswith("board=")))
        return found.rules.players(found.start())
    except GameError:
        return ()


def _summary_line(summary: Summary) -> str:
    lost = f"damaged: {summary.head[DAMAGED]}" if DAMAGED in summary.head else ""
    if summary.is_damaged and not lost:
        return f"{summary.id:5}  damaged: 'companion records check' says what"
    when = _when(summary.started)
    names = " – ".join(summary.head[seat] for seat in _seats(summary.game) if seat in summary.head)
    parts = (when, summary.game, f"{summary.plies} actions", summary.result or "going on", names, lost)
    return f"{summary.id:5}  " + "  ".join(parts).rstrip()
