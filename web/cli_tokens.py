"""`companion token`: makes, lists and revokes the tokens by which programs come in."""

from __future__ import annotations

import sqlite3
import time
from datetime import datetime
from pathlib import Path

import click

from companion.cli.options import data_option
from companion.config import data_folder
from companion.store.rows import StoreError
from companion.store.store import Store
from companion.wire.codec import write
from web.server.tokens import FILE, SEAT, Tokens, describe_token

GAMES = "games.sqlite"


@click.group()
def token() -> None:
    """Tokens, by which programs use the table's API. A server that runs notices every change."""


@token.command("new")
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    default=("read",),
    show_default=True,
    help="read, seat:PLAYER (as seat:white) or arbiter; may be given several times",
)
@data_option
def new(name: str, scopes: tuple[str, ...], data: Path | None) -> None:
    """Makes a token called NAME, and prints it: this once, since only its hash is kept."""
    folder = data_folder(data)
    is_seat = any(scope.startswith(SEAT) for scope in scopes)
    number, store = _game_that_is_on(folder / GAMES) if is_seat else (None, "")
    made, secret = _tokens(folder).make(name, scopes, number, store)
    click.echo(f"companion: token {made.id} is shown this once; whoever has it may use it", err=True)
    click.echo(secret)


@token.command("list")
@click.option("--json", "as_json", is_flag=True, help="a JSON object a line")
@data_option
def list_tokens(as_json: bool, data: Path | None) -> None:
    """Lists the tokens: id, scopes, when each was made and used last, and its name."""
    for found in _tokens(data_folder(data)).list():
        if as_json:
            click.echo(write(describe_token(found)))
            continue
        used = _date(found.used) if found.used else "never used"
        click.echo(f"{found.id}  {','.join(found.scopes):<16}  {_date(found.made)}  {used:<16}  {found.name}")


@token.command("revoke")
@click.argument("token_id", metavar="ID")
@data_option
def revoke(token_id: str, data: Path | None) -> None:
    """Revokes the token with this ID: its next request is refused, and its streams end."""
    ended = _tokens(data_folder(data)).revoke(token_id)
    click.echo(f"revoked: {ended.name}")


def _tokens(folder: Path) -> Tokens:
    return Tokens(time.time, folder / FILE)


def _game_that_is_on(path: Path) -> tuple[int | None, str]:
    """Returns the game that is on the table, and the identity of its store; none where no game was stored."""
    if not path.exists():
        return None, ""
    try:
        with Store(path) as store:
            return store.latest(), store.identity
    except (
        StoreError,
        sqlite3.Error,
    ):  # a damaged store: the seat holds in games without secrets all the same
        return None, ""


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")
