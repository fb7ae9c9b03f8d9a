"""`companion hall boards`: the boards of a hall, their passwords, and the line that each of them types."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from broker_bridge.address import read_broker
from broker_bridge.options import PASSWORD
from broker_bridge.rights import user_of
from broker_bridge.topics import BoardName
from companion.cli.options import data_option
from companion.config import data_folder
from companion.language import say
from hall.broker.mosquitto import BROKER, Files
from hall.broker.passwords import Passwords

MOST_BOARDS = 500


@click.command()
@click.argument("site", required=False)
@click.argument("count", type=click.IntRange(1, MOST_BOARDS), required=False)
@click.option("--first", type=click.IntRange(1, 9999), default=1, show_default=True, help="the first number")
@click.option("--broker", help="the broker's address, as boards reach it: mqtt://HOST[:PORT]")
@data_option
@click.option(
    "--sheet", type=click.Path(path_type=Path), help="writes a PDF to cut up: a slip for each board"
)
def boards(
    site: str | None,
    count: int | None,
    first: int,
    broker: str | None,
    data: Path | None,
    sheet: Path | None,
) -> None:
    """Prints the line that each board of a hall types; adds COUNT boards of a SITE, as in "Hall A" 20.

    Passwords are made once, and kept for this user alone.
    """
    if sheet and broker is None:
        raise click.UsageError(say("a slip names the broker: add --broker mqtt://HOST, as boards reach it"))
    if broker:
        read_broker(broker)  # a slip of paper is not mended
    folder = hall_folder(data)
    passwords = Passwords(folder)
    if site:
        passwords.add(BoardName(site, str(n)) for n in range(first, first + (count or 1)))
        Files(folder / BROKER).write_users(passwords)
    known = [board for board in passwords.boards if site in (None, board.site)]
    if not known:
        raise click.UsageError(say("there are no boards yet: name a site and how many, as in 'Hall A' 20"))
    lines = {board: line_of(board, passwords.of(user_of(board)), broker or "mqtt://HOST") for board in known}
    if sheet:
        from hall.slips import write_slips

        write_slips(sheet, lines)
        return
    for line in lines.values():
        click.echo(line)


def hall_folder(data: Path | None) -> Path:
    """Returns the folder of the hall's files, and makes it where it is missing."""
    folder = data_folder(data) / "hall"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def line_of(board: BoardName, password: str, broker: str) -> str:
    """Returns what is typed at a board, so that it joins its hall."""
    return f"{PASSWORD}={password} companion run --broker {broker} --board {shlex.quote(str(board))}"
