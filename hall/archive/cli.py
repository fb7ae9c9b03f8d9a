"""`companion hall archive`, `games` and `export`: the games of all boards, in one database."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from broker_bridge.address import Broker
from broker_bridge.connection import link_to
from companion.cli.journal import keep_journal
from companion.cli.options import data_option
from companion.cli.output import check_target, write_content, write_games
from companion.config import data_folder
from companion.core.local_time import local_time
from companion.record.exports import formats
from hall.archive.archive import Archive
from hall.archive.archiver import Archiver, membership_of
from hall.archive.database import ARCHIVE, DatabaseError, is_missing, open_database
from hall.archive.listing import GameRow, find_game, list_games, record_of
from hall.archive.rows import GameKey
from hall.boards import hall_folder
from hall.broker.own import own_broker
from hall.options import broker_options

NAME = re.compile(r"[\w.-]{1,64}")
DATABASE = click.option(
    "--database", help=f"postgresql://…, or a file of SQLite; else {ARCHIVE} of the data folder"
)
MOST_GAMES = 1_000_000


def wanted_options(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """Adds the options that name games."""
    for option in (
        click.option("--board", default="", help="the board, as 'Hall A/7'"),
        click.option("--event", default="", help="the event"),
        click.option("--round", default="", help="the round"),
        click.option("--player", default="", help="part of a player's name"),
    ):
        command = option(command)
    return command


@click.command()
@broker_options
@DATABASE
@data_option
@click.option(
    "--name", default="archive", show_default=True, help="this archiver's name, if there are several"
)
@click.option("--share", is_flag=True, help="share the boards' lines with other archivers that --share")
def archive(
    broker: Broker | None,
    database: str | None,
    data: Path | None,
    name: str,
    share: bool,
) -> None:
    """Takes the games of all boards into a database, as they are played.

    Without --broker it is the hall of this machine.
    """
    if not NAME.fullmatch(name):
        raise click.UsageError(f"a name has letters, digits, '.', '_' and '-', not '{name}'")
    keep_journal()
    where = broker or own_broker(hall_folder(data))
    opened = Archive(open_database(_place(database, data)))
    archiver = Archiver(
        name=name,
        link=link_to(where, membership_of(name, share)),
        archive=opened,
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: archiver.stop())
    click.echo(f"archiving what boards tell {where} in {opened.database}")
    archiver.run()


@click.command()
@DATABASE
@data_option
@wanted_options
@click.option("-n", "limit", type=click.IntRange(1, MOST_GAMES), default=50, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="a JSON object a line")
def games(database: str | None, data: Path | None, limit: int, as_json: bool, **wanted: str) -> None:
    """Lists the games in the archive, newest first."""
    opened = _open(database, data)
    try:
        for row in list_games(opened.database, limit, wanted):
            click.echo(json.dumps(row.to_json(), ensure_ascii=False) if as_json else _line(row))
    finally:
        opened.close()


@click.command()
@click.argument("game", required=False)
@DATABASE
@data_option
@wanted_options
@click.option("--format", "form", default="record", show_default=True, help="record, text, pgn, …")
@click.option("-o", "target", type=click.Path(path_type=Path), help="the file to write; else standard output")
def export(
    game: str | None, database: str | None, data: Path | None, form: str, target: Path | None, **wanted: str
) -> int:
    """Writes GAME, as `companion hall games` names it, as a file.

    Without GAME it is all that the options name, in the order in which they began. Those that cannot have
    this form are named, and the exit status is 1 then.
    """
    if form not in formats():
        raise click.UsageError(f"'{form}' is no format: choose one of {', '.join(formats())}")
    if not game and not (any(wanted.values()) and formats()[form].is_text):
        raise click.UsageError("name a GAME, or several by --round, --event, --board or --player, as text")
    check_target(form, formats()[form].is_text, target)
    opened = _open(database, data)

    def content_of(key: GameKey) -> bytes:
        return formats()[form].write(record_of(opened, key))

    try:
        if game:
            write_content(content_of(find_game(opened.database, game)), target)
            return 0
        found = reversed(list_games(opened.database, MOST_GAMES, wanted))
        return write_games(((row.key.short, partial(content_of, row.key)) for row in found), target)
    finally:
        opened.close()


def _place(database: str | None, data: Path | None) -> str:
    return database or str(data_folder(data) / ARCHIVE)


def _open(database: str | None, data: Path | None) -> Archive:
    """Opens an archive that is there. DatabaseError where it is not."""
    place = _place(database, data)
    if is_missing(place):
        raise DatabaseError(f"there is no archive at '{place}': 'companion hall archive' makes one")
    opened = Archive(open_database(place))
    opened.prepare(time.time())
    return opened


def _line(row: GameRow) -> str:
    """Returns a game in the list: its name, when and where, who played, how it stands."""
    started = local_time(row.started).strftime("%Y-%m-%d") if row.started else "          "
    names = " – ".join(row.head[seat] for seat in row.seats if row.head.get(seat))
    number = row.head.get("round")
    parts = (
        row.key.short,
        started,
        str(row.board),
        row.text,
        names,
        f"round {number}" if number else "",
        f"{row.plies} actions",
        row.result,
    )
    return "  ".join(part for part in parts if part)
